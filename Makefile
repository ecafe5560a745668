# GNU make. On a fresh machine with Python 3.11 or newer, `make report` and `make test` need nothing
# else: they create .venv and install the package with all its tools first. A second time they
# start at once, until pyproject.toml changes.

PYTHON ?= python3
VENV ?= .venv
PROFILE ?= quick
PYTEST_ARGS ?=
BENCH_ARGS ?=

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := $(VENV)/.peers
# Numba does not notice when a kernel's callee in another file changes, so the compiled kernels of
# one state of the sources never serve another: their folder is named by a checksum.
KERNELS := $(shell find acoibl/kernels -name '*.py' | LC_ALL=C sort | xargs cat 2>/dev/null | cksum | cut -d ' ' -f 1)
export NUMBA_CACHE_DIR ?= $(CURDIR)/$(VENV)/numba/$(KERNELS)

# The stamp holds the folder that was installed from. An environment that came along with a moved
# or copied project would run the code of the old folder: it is made anew.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
CLEAR := $(if $(wildcard $(STAMP)),--clear)
endif

.DEFAULT_GOAL := help
.PHONY: help env report test coverage lint pair bench bench-full clean distclean
.DELETE_ON_ERROR:

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 18
	@echo "Variables: PYTHON=python3.12 (to create .venv), PROFILE=smoke|quick|paper, PYTEST_ARGS=..."

env: $(STAMP) ## create .venv and install the package with all its tools

report: $(STAMP) ## run the notebooks of PROFILE (quick) into reports/quick/index.html
	$(BIN)/acoibl report --profile $(PROFILE)

test: $(STAMP) ## run the whole test suite
	$(BIN)/python -m pytest -n 2 $(PYTEST_ARGS)

coverage: $(STAMP) ## the same, slower, counting the lines that run
	$(BIN)/python -m pytest -n 2 --cov=acoibl

lint: $(STAMP) ## check style, types, spelling, imports between layers, docstrings, notebook pairs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m pytest -q tests/test_project.py

pair: $(STAMP) ## derive the .ipynb of every notebook from its .py
	$(BIN)/python -m tests.notebooks.pairing

bench: $(PEERS) ## measure speed against peers, in less than ten minutes, into reports/bench
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

bench-full: $(PEERS) ## the same with all sizes, seeds and test functions: hours
	$(BIN)/python -m benchmarks --full $(BENCH_ARGS)

clean: ## remove caches, built packages and the reports that `make report` rebuilds
	rm -rf build dist reports/smoke reports/quick .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage
	rm -rf .import_linter_cache $(VENV)/numba
	find acoibl tests notebooks benchmarks data -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove .venv as well
	rm -rf $(VENV) .venv-lowest

# Newer pip understands --group; the stamp is written last, so that a broken install starts again.
$(STAMP): pyproject.toml
	@command -v "$(PYTHON)" >/dev/null && "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "acoibl needs Python 3.11 or newer, and '$(PYTHON)' is not that." >&2; \
	  echo "Name another one: make PYTHON=/path/to/python3.12 $(or $(MAKECMDGOALS),env)" >&2; exit 1; }
	@echo "Installing acoibl and its tools into $(VENV): a minute or so ..."
	@"$(PYTHON)" -m venv $(CLEAR) $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install --quiet -e ".[report,bayes,cluster,export,rivals]" --group dev
	@echo "$(CURDIR)" > $@

# A peer that cannot be installed here is left out by the benchmarks.
$(PEERS): $(STAMP)
	@echo "Installing the packages to measure against into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet -e . --group bench || \
	  echo "Not all of them can be installed here: those will be left out." >&2
	@touch $@
