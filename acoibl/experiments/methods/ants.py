"""Ant feature selection, and other ways to choose features, as algorithms for the runner.

One unit is one random split of the whole table: its parts have the sizes of the paper, not those
of the fold, whose number serves to draw it. Every algorithm draws the same split in the same unit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from acoibl.antfs import (
    AntFeatureSelector,
    SubsetEvaluator,
    exhaustive_search,
    forward_selection,
    mutual_information_scores,
    random_subsets,
    relieff_scores,
)
from acoibl.comparison import published
from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.methods.ant_splits import (
    DATASETS,
    N_FEATURES,
    child,
    random_split,
    reading_rules,
)
from acoibl.experiments.outcomes import Clock, outcome
from acoibl.experiments.protocol import Profile

SIZES = (2, 7)
"""Smallest and largest of the largest sizes (Section 5)."""

SETTINGS: Mapping[str, float] = {
    "alpha": 1.0,
    "beta": 0.9,
    "rho": 0.9,
    "z": 0.4,
    "n_ants": 3,
    "initial_pheromone": 0.1,
}
"""Parameters of Table 2, and the pheromone at the start, which is not stated."""

PEERS = ("all", "published", "forward", "kbest", "relieff", "exhaustive")
"""What `peers` compares the ants with."""

REVISIONS: Mapping[str, int] = {"scaled": 1, "raw": 1, "two": 0}
"""Squared distances were once equal by their difference, not their ratio. That changed results of
all readings but one: of heart disease in two classes, the numbers are far enough apart."""

SEEDS_ON: Mapping[str, int] = {"thyroid": 1}
"""Fewer seeds than the profile's: 10 splits of thyroid, as in the paper, not 100."""

MAX_SUBSETS = 6000
"""Most subsets of an exhaustive search, which goes up to the largest size that fits."""


def antfs(profile: Profile) -> list[Algorithm]:
    """The experiment: both evaluations, other k, other readings of the data, and the others.

    Folds times seeds is the number of splits, with fewer seeds for large data (`SEEDS_ON`). Other
    k, and numbers as they are, run with the first seed only.
    """
    return [
        *(ants(evaluation, profile) for evaluation in ("holdout", "nested")),
        peers(profile),
        *(
            ants(evaluation, profile, n_neighbors=k)
            for k in (1, 3, 7)
            for evaluation in ("holdout", "nested")
        ),
        ants("holdout", profile, reading="raw"),
        ants("nested", profile, reading="raw"),
        peers(profile, reading="raw"),
        ants("holdout", profile, reading="two"),
        ants("nested", profile, reading="two"),
        peers(profile, reading="two"),
    ]


def ant_datasets(profile: Profile) -> tuple[str, ...]:
    """The paper's four for a profile that runs for hours; else two that need no download."""
    return DATASETS if profile.campaign else ("s-heart", "breast-w")


def ants(
    evaluation: str, profile: Profile, *, n_neighbors: int = 5, reading: str = "scaled"
) -> Algorithm:
    """The ants, and subsets drawn at random with the same budget.

    `evaluation` is what guides the search: ``"holdout"``, the test part itself, as in the paper, or
    ``"nested"``, leave-one-out over the training part. `reading`: numbers ``"scaled"`` to [0, 1];
    ``"raw"``, categories as numbers too; or ``"two"``, scaled, heart disease in two classes.
    Variants: ``best``, ``size-2`` to ``size-7``, the same of each group, ``random-2`` to ``-7``.
    """
    other = n_neighbors != 5 or reading == "raw"
    name = f"antfs-{evaluation}" + (f"-k{n_neighbors}" if n_neighbors != 5 else "")
    return Algorithm(
        name + ("" if reading == "scaled" else f"-{reading}"),
        "antfs",
        evaluate_ants,
        {
            "evaluation": evaluation,
            "n_neighbors": n_neighbors,
            "n_generations": min(100, profile.max_iter),
            "sizes": list(SIZES),
            "settings": dict(SETTINGS),
            **reading_rules(reading),
        },
        stochastic=True,
        cost=200.0,
        max_seeds=1 if other else None,
        max_seeds_on=SEEDS_ON,
        revision=REVISIONS[reading],
        splits=random_split,
    )


def peers(profile: Profile, *, reading: str = "scaled") -> Algorithm:
    """Other ways to choose as many features, all features, and the published subsets.

    Variants: ``all``; for each size s ``published-s`` (a line a subset), ``kbest-s`` (mutual
    information), ``relieff-s``, ``forward-s`` and ``exhaustive-s`` (leave-one-out over the training
    part), ``forward-holdout-s`` and ``exhaustive-holdout-s`` (the test part itself; the latter is
    the most that any search can reach there).
    """
    methods = PEERS if reading != "raw" else ("all", "published")
    return Algorithm(
        "antfs-rivals" + ("" if reading == "scaled" else f"-{reading}"),
        "antfs",
        evaluate_peers,
        {
            "methods": list(methods),
            "n_neighbors": 5,
            "sizes": list(SIZES),
            "max_subsets": MAX_SUBSETS,
            "published": published_subsets(),
            **reading_rules(reading),
        },
        stochastic=True,
        cost=50.0,
        max_seeds_on=SEEDS_ON,
        revision=REVISIONS[reading],
        splits=random_split,
    )


def evaluate_ants(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `ants` on one of `random_split`.

    Further facts: ``features`` (counted from 1), ``n_selected``, ``group``, ``guide_accuracy``
    (what the search saw), ``n_subsets`` and ``split_rows``.
    """
    clock = Clock()
    low, high = parameters["sizes"]
    holdout = parameters["evaluation"] == "holdout"
    rules = {"n_neighbors": parameters["n_neighbors"], "scale": parameters["scale"]}
    selector = AntFeatureSelector(
        high,
        min_size=low,
        n_generations=parameters["n_generations"],
        evaluation=parameters["evaluation"],
        random_state=child(split.seed, 1),
        **parameters["settings"],
        **rules,
    )
    guide = {"X_test": split.X_test, "y_test": split.y_test} if holdout else {}
    selector.fit(split.X_train, split.y_train, **guide)
    times = clock.read()
    judge = SubsetEvaluator(split.X_train, split.y_train, split.X_test, split.y_test, **rules)
    own = judge if holdout else SubsetEvaluator(split.X_train, split.y_train, **rules)
    shared = {"n_evaluations": selector.n_evaluations_, "n_subsets": selector.n_subsets_, **times}
    rows = [
        _row(
            "best", selector.best_features_, split, judge,
            guide_accuracy=selector.best_score_, stopped=selector.stopped_, **shared,
        )
    ]  # fmt: skip
    table = selector.best_subsets_
    table = table[table["size"] == table["max_size"]]
    for size, part in table.groupby("size"):
        best = part.loc[part["accuracy"].idxmax()]
        groups = [(f"size-{size}", best)]
        groups += [(f"size-{size}-{line['group']}", line) for _, line in part.iterrows()]
        rows += [
            _row(
                variant, line["features"], split, judge,
                guide_accuracy=line["accuracy"], group=line["group"],
            )
            for variant, line in groups
        ]  # fmt: skip
    drawn = random_subsets(own, high, selector.n_subsets_, child(split.seed, 2))
    rows += list(_lines("random", drawn, split, judge))
    return rows


def evaluate_peers(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `peers` on one of `random_split`, with the facts of `evaluate_ants`."""
    rules = {"n_neighbors": parameters["n_neighbors"], "scale": parameters["scale"]}
    judge = SubsetEvaluator(split.X_train, split.y_train, split.X_test, split.y_test, **rules)
    own = SubsetEvaluator(split.X_train, split.y_train, **rules)
    methods, n_features = parameters["methods"], judge.n_features
    low, high = parameters["sizes"]
    high = min(high, n_features)
    rows = [_row("all", tuple(range(n_features)), split, judge)]
    for subset in parameters["published"].get(str(n_features), ()):
        features = [place - 1 for place in subset]
        rows.append(_row(f"published-{len(subset)}", features, split, judge))
    state = int(child(split.seed, 3).generate_state(1)[0])
    for method, scores in (
        ("kbest", lambda: mutual_information_scores(own, state)),
        ("relieff", lambda: relieff_scores(own)),
    ):
        if method in methods:
            clock = Clock()
            order = np.argsort(-scores(), kind="stable")
            times = clock.read()
            for size in range(min(low, high), high + 1):
                rows.append(_row(f"{method}-{size}", order[:size], split, judge, **times))
    for guide, name in ((own, ""), (judge, "-holdout")):
        if "forward" in methods:
            clock = Clock()
            found = forward_selection(guide, high)
            rows += _lines(f"forward{name}", found, split, judge, **clock.read())
        if "exhaustive" in methods:
            clock = Clock()
            found = _exhaustive(guide, high, parameters["max_subsets"])
            rows += _lines(f"exhaustive{name}", found, split, judge, **clock.read())
    return rows


def published_subsets() -> dict[str, list[list[int]]]:
    """Subsets of Tables 4, 5, 6 and 9, by number of features of the table; counted from 1."""
    found: dict[str, list[list[int]]] = {}
    for name, line in published("antfs_subsets").iterrows():
        subset = [int(place) for place in line["features"].split()]
        found.setdefault(str(N_FEATURES[name]), []).append(subset)
    return found


def _row(
    variant: str, features: Any, split: Split, judge: SubsetEvaluator, **facts: Any
) -> dict[str, Any]:
    return {
        "variant": variant,
        **outcome(split, judge.predict(features)),
        "n_selected": len(features),
        # All features need no list.
        "features": [int(feature) + 1 for feature in features] if variant != "all" else None,
        "split_rows": [len(split.y_train), len(split.y_test)],
        **{key: value.item() if hasattr(value, "item") else value for key, value in facts.items()},
    }


def _lines(
    method: str, table: pd.DataFrame, split: Split, judge: SubsetEvaluator, **facts: Any
) -> Iterator[dict[str, Any]]:
    for _, line in table[table["size"] > 1].iterrows():
        yield _row(
            f"{method}-{line['size']}", line["features"], split, judge,
            guide_accuracy=line["accuracy"], ties=line["ties"], **facts,
        )  # fmt: skip


def _exhaustive(judge: SubsetEvaluator, high: int, max_subsets: int) -> pd.DataFrame:
    for size in range(high, 0, -1):
        try:
            return exhaustive_search(judge, size, max_subsets=max_subsets)
        except ValueError:
            continue
    return exhaustive_search(judge, 1, max_subsets=judge.n_features)
