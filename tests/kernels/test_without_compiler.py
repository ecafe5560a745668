"""`NUMBA_DISABLE_JIT=1` runs the kernels as plain Python, for debugging: same classes."""

import json
import os
import subprocess
import sys

import numpy as np

from acoibl import kernels
from tests.waiting import LIMIT

KINDS = {kernels.KNN: [1, 5, 20], kernels.DNN: [0.1, 0.6], kernels.GKE: [0.02, 0.4]}


def classes() -> dict[str, list]:
    """Leave-one-out classes of 48 mixed and of 48 categorical rows, by every able kernel."""
    rng = np.random.default_rng(8)
    out = {}
    for name, n_numeric in (("mixed", 2), ("categorical", 0)):
        numeric = np.round(rng.random((48, n_numeric)), 1)
        codes = rng.integers(-1, 3, (48, 3)).astype(np.int32)
        training = kernels.make_training(numeric, codes, rng.integers(0, 3, 48), 3)
        n_features = n_numeric + 3
        weights = kernels.split_weights(
            rng.random((3, n_features)), np.arange(n_numeric), np.arange(n_numeric, n_features)
        )
        for kind, values in KINDS.items():
            rule = kernels.Rule(kind, True, False, False)
            queries = kernels.make_queries(training.numeric.T, training.codes.T)
            for kernel in kernels.able_kernels(queries, training, rule):
                evaluator = kernels.Evaluator.leave_one_out(training, rule, kernel)
                out[f"{name} {kind} {kernel}"] = evaluator.codes(weights, values).tolist()
    return out


def test_plain_python_gives_the_same():
    script = "import json, tests.kernels.test_without_compiler as t; print(json.dumps(t.classes()))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    expected = classes()
    assert json.loads(done.stdout) == expected
    assert any("patterns" in name for name in expected)
