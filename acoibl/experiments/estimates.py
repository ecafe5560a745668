"""How long units will take, from those that are done."""

from collections import defaultdict

from acoibl.experiments.units import Task


class Durations:
    """Seconds that a unit is expected to take.

    Measured seconds of the same algorithm on the same dataset come first; else those of the same
    algorithm on other datasets, scaled by `Task.cost`; else those of any unit, scaled likewise.

    Examples
    --------
    >>> from acoibl.experiments.algorithms import plain
    >>> durations, knn = Durations(), plain("knn")
    >>> durations.add(Task("iris", knn, 0, 0, 2, None), 3.0)
    >>> durations.add(Task("iris", knn, 1, 0, 2, None), 5.0)
    >>> durations.expect(Task("iris", knn, 2, 0, 2, None))
    4.0
    """

    def __init__(self):
        self._measured: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._scaled: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, task: Task, seconds: float) -> None:
        """Learn from a finished unit.

        Parameters
        ----------
        task : Task
            The unit.
        seconds : float
            What it took.
        """
        for total, weight in (
            (self._measured[task.key], 1.0),
            (self._scaled[task.algorithm.name], task.cost),
            (self._scaled[""], task.cost),
        ):
            total[0] += seconds
            total[1] += weight

    def expect(self, task: Task) -> float | None:
        """Seconds of a unit that is still to do.

        Parameters
        ----------
        task : Task
            The unit.

        Returns
        -------
        float or None
            Seconds; None if nothing was measured yet.
        """
        if task.key in self._measured:
            seconds, units = self._measured[task.key]
            return seconds / units
        for name in (task.algorithm.name, ""):
            if name in self._scaled and self._scaled[name][1]:
                seconds, cost = self._scaled[name]
                return seconds / cost * task.cost
        return None

    def total(self, key: tuple[str, str]) -> float:
        """Seconds of the finished units of an algorithm on a dataset.

        Parameters
        ----------
        key : tuple of str
            Their `Task.key`.

        Returns
        -------
        float
            Seconds.
        """
        return self._measured[key][0] if key in self._measured else 0.0
