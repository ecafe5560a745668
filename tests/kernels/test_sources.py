"""Rules that hold for the text of every kernel."""

import ast
from pathlib import Path

import pytest

import acoibl

ROOT = Path(acoibl.__file__).parent
COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "cfunc"}
ALLOWED = {"reassoc"}
"""What fastmath may do: NaN marks missing values, and infinity rows that are left out."""


def kernels(tree):
    """(function, keywords of its decorator) for each compiled function."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", []):
            call = decorator if isinstance(decorator, ast.Call) else None
            named = call.func if call else decorator
            if getattr(named, "id", getattr(named, "attr", None)) in COMPILERS:
                yield node, {k.arg: k.value for k in call.keywords} if call else {}


def fast_flags(value):
    """Flags of a fastmath keyword that are not allowed."""
    if isinstance(value, ast.Set) and all(isinstance(e, ast.Constant) for e in value.elts):
        return {e.value for e in value.elts} - ALLOWED
    return set() if isinstance(value, ast.Constant) and not value.value else {ast.unparse(value)}


def sources():
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def test_fastmath_keeps_nan_and_infinity():
    broken = {
        f"{path}: {function.name}": flags
        for path, tree in sources()
        for function, keywords in kernels(tree)
        if (flags := fast_flags(keywords.get("fastmath", ast.Constant(False))))
    }
    assert not broken


def test_no_kernel_has_more_than_ten_arguments():
    long = {
        f"{path}: {function.name}": len(function.args.args)
        for path, tree in sources()
        for function, _ in kernels(tree)
        if len(function.args.args) > 10
    }
    assert not long


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("@njit\ndef f(): pass", set()),
        ("@njit(cache=True, fastmath={'reassoc'})\ndef f(): pass", set()),
        ("@njit(fastmath=False)\ndef f(): pass", set()),
        ("@numba.njit(fastmath={'reassoc', 'nnan', 'nsz'})\ndef f(): pass", {"nnan", "nsz"}),
        ("@jit(fastmath=True)\ndef f(): pass", {"True"}),
        ("@njit(fastmath=FLAGS)\ndef f(): pass", {"FLAGS"}),
    ],
)
def test_the_reader_sees_every_way_to_write_it(text, flags):
    [(_, keywords)] = kernels(ast.parse(text))
    assert fast_flags(keywords.get("fastmath", ast.Constant(False))) == flags


def test_numba_is_used_by_decorators_of_known_names_only():
    """Else a kernel could pass the rules above unseen."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                for name in node.names:
                    assert name.name in COMPILERS, path
                    assert name.asname is None, path
            elif isinstance(node, ast.Import):
                assert all(name.asname is None for name in node.names if name.name == "numba"), path
