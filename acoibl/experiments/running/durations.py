"""How long units will take, from those that are done."""

from collections import defaultdict
from math import log
from statistics import median

from acoibl.experiments.running.units import Task


class Durations:
    """Seconds that a unit is expected to take.

    Measured seconds of the same algorithm on the same dataset come first; else those of the same
    algorithm on the dataset nearest in `Task.cost`, in proportion to the cost; else those of the
    unit nearest in cost, whatever its algorithm. The nearest, as the cost is rough: seconds grow
    with it otherwise on large data than on small. Of many units the median, as a suspended run
    makes one of them hours long.
    """

    def __init__(self):
        self._seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._costs: dict[tuple[str, str], float] = {}
        self._expected: dict[tuple[str, str], float] = {}

    def add(self, task: Task, seconds: float) -> None:
        """Learn from a finished unit what it took."""
        self._seconds[task.key].append(seconds)
        self._costs[task.key] = task.cost
        self._expected.clear()

    def expect(self, task: Task) -> float | None:
        """Seconds of a unit that is still to do; None if nothing was measured yet."""
        if not self._costs:
            return None
        if task.key not in self._expected:
            self._expected[task.key] = self._from_nearest(task)
        return self._expected[task.key]

    def total(self, key: tuple[str, str]) -> float:
        """Seconds of the finished units of an algorithm on a dataset, by their `Task.key`."""
        return sum(self._seconds.get(key, ()))

    def _from_nearest(self, task: Task) -> float:
        cost = task.cost

        def distance(key: tuple[str, str]) -> tuple[bool, bool, float]:
            return key != task.key, key[1] != task.key[1], abs(log(self._costs[key] / cost))

        nearest = min(self._costs, key=distance)
        return median(self._seconds[nearest]) * (cost / self._costs[nearest])
