"""Write ``reports/bench``: ``python -m benchmarks [--full] [--only NAME ...]``."""

import os

# Before numpy is loaded: libraries of linear algebra and OpenMP read these only once.
for variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
):
    os.environ[variable] = "1"


def main():
    from benchmarks.runner import cli

    cli()


if __name__ == "__main__":
    main()
