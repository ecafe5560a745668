"""Work that needs a process of its own, for its peak memory or its cold start.

``python -m benchmarks.child TASK '{"option": value}'`` prints one line of JSON.
"""

import contextlib
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

_STATUS = Path("/proc/self/status")


def run_child(task: str, environment: dict[str, str] | None = None, **options) -> dict:
    """Run a task in a new process, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.child", task, json.dumps(options)],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{task} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def peak_mb() -> float:
    """Peak resident memory of this process in MB.

    Linux's ``ru_maxrss`` would include what the parent held when it started this process.
    """
    if _STATUS.is_file():
        lines = _STATUS.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def forget_peak() -> float:
    """Let the peak start again from the present memory, where that is possible; gives it in MB."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return peak_mb()


def evaluate_rows(n: int, m: int, c: int, base: str) -> dict:
    """Peak of a leave-one-out evaluation: everything is set up, a sixteenth of the rows is done.

    The rest would use the same buffers again.
    """
    import numpy as np

    from acoibl import kernels
    from benchmarks.problems import PARAMETERS, RULES, candidates, uniform

    def first_round(training):
        evaluator = kernels.Evaluator.leave_one_out(training, RULES[base])
        evaluator.codes(
            candidates(training, base, 1)[0],
            [PARAMETERS[base]],
            order=np.arange(len(training.rows)),
            keep_on=lambda which, codes: False,
        )
        return evaluator.kernel

    first_round(uniform(300, m, c)[0])  # loads or compiles the kernel
    before = forget_peak()
    training, _ = uniform(n, m, c)
    data = peak_mb()
    kernel = first_round(training)
    return {"kernel": kernel, "before_mb": before, "data_mb": data, "peak_mb": peak_mb()}


def predict_rows(n_queries: int, n_rows: int, m: int, ensemble: bool) -> dict:
    """Peak and time of predicting many rows."""
    import numpy as np

    from acoibl import ACOIBLClassifier, KNNClassifier

    rng = np.random.default_rng(0)
    X = rng.random((n_rows, m))
    y = (X[:, 0] + 0.2 * rng.random(n_rows) > 0.6).astype(int)
    clf = KNNClassifier(12)
    if ensemble:
        clf = ACOIBLClassifier("knn", max_iter=1, archive_size=25, random_state=0)
    clf.fit(X, y).predict(X[:300])
    queries = rng.random((n_queries, m))
    before = forget_peak()
    start = time.perf_counter()
    clf.predict(queries)
    return {
        "seconds": time.perf_counter() - start,
        "before_mb": before,
        "peak_mb": peak_mb(),
    }


def first_calls() -> dict:
    """Seconds of the import, and of the first call of each base classifier and of the rest."""
    import numpy as np

    start = time.perf_counter()
    import acoibl
    from acoibl import acor

    out = {"import": time.perf_counter() - start}
    began = time.process_time()
    rng = np.random.default_rng(0)
    numeric = rng.random((60, 3))
    y = np.arange(60) % 2
    for base in ("knn", "dnn", "gke"):
        start = time.perf_counter()
        clf = acoibl.ACOIBLClassifier(base, max_iter=2, random_state=0).fit(numeric, y)
        clf.predict(numeric)
        out[f"{base}, numeric"] = time.perf_counter() - start
    text = np.array(["a", "b", "c"], dtype=object)[rng.integers(0, 3, (60, 3))]
    for base in ("knn", "dnn", "gke"):
        start = time.perf_counter()
        clf = acoibl.ACOIBLClassifier(base, max_iter=2, random_state=0).fit(text, y)
        clf.predict(text)
        out[f"{base}, categorical"] = time.perf_counter() - start
    start = time.perf_counter()
    acor.minimize(lambda x: float(x @ x), [(-1, 1)] * 2, max_iter=2, random_state=0)
    out["acor.minimize"] = time.perf_counter() - start
    out["cpu"] = time.process_time() - began
    return out


TASKS = {task.__name__: task for task in (evaluate_rows, predict_rows, first_calls)}


def main() -> None:
    import warnings

    warnings.simplefilter("ignore")  # weak fits of random data
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        print(json.dumps(TASKS[sys.argv[1]](**json.loads(sys.argv[2]))))


if __name__ == "__main__":
    main()
