"""Distances, posteriors, losses and gradients against the slow oracle and finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl.encoding import EncodedData
from acoibl.kernels import measured as me
from acoibl.kernels import objective as ob
from acoibl.memetic.problem import MeasuredRows
from acoibl.rulers import FeatureRulers
from tests import naive


@st.composite
def problems(draw):
    """Mixed rows with gaps and ties, classes, weights, a loss."""
    n, n_classes = draw(st.integers(3, 12)), draw(st.integers(2, 4))
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=4))
    number, category = st.sampled_from([0.0, 0.25, 1.0, None]), st.sampled_from([0, 1, 2, None])
    rows = [[draw(category if c else number) for c in kinds] for _ in range(n)]
    classes = [draw(st.integers(0, n_classes - 1)) for _ in range(n)]
    weight = st.sampled_from([1e-3, 0.5, 2.0, 30.0])
    weights = [[draw(weight) for _ in kinds] for _ in range(n_classes)]
    return {
        "rows": rows,
        "kinds": kinds,
        "classes": classes,
        "weights": weights,
        "loss": draw(st.sampled_from(ob.LOSSES)),
        "p": draw(st.sampled_from([1, 2])),
        "m": draw(st.sampled_from([0.0, 1.0, 7.5])),
        "row_weights": [draw(st.sampled_from([0.5, 1.0, 3.0])) for _ in range(n)],
    }


def encode(rows, kinds):
    kinds = np.array(kinds)
    table = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)
    codes = np.where(np.isnan(table[:, kinds]), -1, table[:, kinds]).astype(np.int32)
    return EncodedData(table[:, ~kinds], codes, np.flatnonzero(~kinds), np.flatnonzero(kinds))


def build(problem, weighted=False, dtype=np.float64):
    data = encode(problem["rows"], problem["kinds"])
    classes, n_classes = np.array(problem["classes"]), len(problem["weights"])
    rulers = FeatureRulers(smoothing=problem["m"], p=problem["p"]).fit(data, classes, n_classes)
    measured = MeasuredRows(data, classes, n_classes, rulers, dtype)
    given_weights = np.array(problem["row_weights"])[measured.order] if weighted else None
    distances = measured.left_out(np.arange(len(classes)))
    objective = ob.Objective(
        distances,
        measured.classes,
        loss=problem["loss"],
        row_weights=given_weights,
        query_weights=given_weights,
    )
    return objective, distances, measured


def naive_distance(problem, i, k):
    """Weighted distance of row i, as if it had not been trained on, to row k."""
    rows, classes, kinds = problem["rows"], problem["classes"], problem["kinds"]
    n_classes, p, total = len(problem["weights"]), problem["p"], 0.0
    for j, is_categorical in enumerate(kinds):
        column, a, b = [row[j] for row in rows], rows[i][j], rows[k][j]
        if is_categorical:
            gap = naive.category_difference(
                a, b, column, classes, n_classes, problem["m"], 0.2, p, leave_out=i
            )
        elif a is None or b is None:
            gap = 1.0
        else:
            constant = len({v for v in column if v is not None}) < 2
            ranks = 0.0 if constant else naive.mid_rank(a, column) - naive.mid_rank(b, column)
            gap = (abs(a - b) ** p + abs(ranks) ** p) / 2
        total += problem["weights"][classes[k]][j] * gap
    return total


@given(problems(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_value_is_that_of_the_oracle(problem, weighted):
    objective, _, measured = build(problem, weighted)
    classes, n = problem["classes"], len(problem["classes"])
    n_classes = len(problem["weights"])
    row_weights = problem["row_weights"] if weighted else [1.0] * n
    prior = [
        sum(w for w, c in zip(row_weights, classes, strict=True) if c == label) / sum(row_weights)
        for label in range(n_classes)
    ]
    total, posteriors = 0.0, []
    for i in range(n):
        line = [None if k == i else naive_distance(problem, i, k) for k in range(n)]
        posteriors.append(naive.kernel_posterior(line, classes, n_classes, row_weights))
        loss = naive.posterior_loss(problem["loss"], posteriors[-1], classes[i], prior, 0.02)
        total += row_weights[i] * loss / sum(row_weights)
    weights = np.array(problem["weights"])
    assert objective.value(weights) == pytest.approx(total, rel=1e-9, abs=1e-12)
    assert objective.value_and_gradient(weights)[0] == objective.value(weights)
    np.testing.assert_allclose(
        objective.posteriors(weights), np.array(posteriors)[measured.order], atol=1e-9
    )


@given(problems(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_gradient_is_that_of_finite_differences(problem, weighted):
    objective, _, _ = build(problem, weighted)
    weights = np.array(problem["weights"])
    _, gradient = objective.value_and_gradient(weights)
    for place in np.ndindex(weights.shape):
        step = 1e-5 * weights[place]
        up, down = weights.copy(), weights.copy()
        up[place] += step
        down[place] -= step
        slope = (objective.value(up) - objective.value(down)) / (2 * step)
        assert gradient[place] * weights[place] == pytest.approx(
            slope * weights[place], rel=1e-4, abs=1e-8
        )


def random_problem(p, n=300, n_classes=3):
    rng = np.random.default_rng(4)
    number, category = rng.random((n, 4)), rng.integers(0, 5, (n, 3)).astype(object)
    rows = np.hstack([number.astype(object), category])
    rows[rng.random(rows.shape) < 0.05] = None
    return {
        "rows": rows.tolist(),
        "kinds": [False] * 4 + [True] * 3,
        "classes": rng.integers(0, n_classes, n).tolist(),
        "weights": rng.lognormal(1.0, 1.0, (n_classes, 7)).tolist(),
        "loss": "log_loss",
        "p": p,
        "m": 2.0,
        "row_weights": [1.0] * n,
    }


@pytest.mark.parametrize("p", [1, 2])
def test_blocks_change_nothing(p, monkeypatch):
    problem = random_problem(p)
    whole = build(problem)[0].value_and_gradient(np.array(problem["weights"]))
    monkeypatch.setattr(me, "_BLOCK_BYTES", 1)  # 16 queries a block, the last one smaller
    objective, distances, _ = build(problem)
    assert distances.block == 16
    parts = objective.value_and_gradient(np.array(problem["weights"]))
    assert parts[0] == pytest.approx(whole[0], rel=1e-12)
    np.testing.assert_allclose(parts[1], whole[1], rtol=1e-9, atol=1e-12)


def test_single_precision_is_near():
    problem = random_problem(2)
    weights = np.array(problem["weights"])
    double, single = (build(problem, dtype=t)[0] for t in (np.float64, np.float32))
    assert single.value(weights) == pytest.approx(double.value(weights), rel=1e-5)


def test_a_class_without_rows_gets_no_vote():
    problem = random_problem(2)
    problem["weights"].append([1.0] * 7)
    weights = np.array(problem["weights"])
    objective, _, _ = build(problem)
    assert (objective.posteriors(weights)[:, 3] == 0).all()
    assert (objective.value_and_gradient(weights)[1][3] == 0).all()
