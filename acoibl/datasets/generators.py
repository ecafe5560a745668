"""Datasets that follow exactly from their definition: car, nursery, balance, tic-tac-toe.

Each generator gives the rows of the UCI's file, in its order; the checksum of
the catalogue, taken from the real file, proves it.
"""

import itertools
from collections.abc import Callable, Iterable

import pandas as pd

from acoibl.datasets.columns import categorical

Rows = Iterable[tuple[str, ...]]


def generate(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Table of a dataset from its definition.

    Parameters
    ----------
    name : {"balance", "car", "nursery", "ttt"}
        The dataset.

    Returns
    -------
    X : pandas.DataFrame
        ``category`` columns.
    y : pandas.Series
        The class.

    Examples
    --------
    >>> X, y = generate("balance")
    >>> X.shape, y.value_counts().loc[["B", "L", "R"]].tolist()
    ((625, 4), [49, 288, 288])
    """
    columns, rows = GENERATED[name]
    cells = list(zip(*rows(), strict=True))
    series = [categorical(values, name=c) for c, values in zip(columns, cells, strict=True)]
    return pd.DataFrame({s.name: s for s in series[:-1]}), series[-1]


def balance_rows() -> Rows:
    """Torques of a balance scale: weight times distance, left against right.

    Yields
    ------
    tuple of str
        Left weight and distance, right weight and distance, the side that goes down.

    References
    ----------
    Siegler, R. S. (1976). Three aspects of cognitive development. Cognitive
    Psychology 8, 481-520.
    """
    for row in itertools.product("12345", repeat=4):
        left, right = int(row[0]) * int(row[1]), int(row[2]) * int(row[3])
        yield *row, "L" if left > right else "R" if right > left else "B"


def ttt_rows() -> Rows:
    """All boards at the end of a game of tic-tac-toe that x began.

    Yields
    ------
    tuple of str
        The nine squares (x, o, b for blank), ``positive`` if x won.
    """
    for_x, for_o, drawn = [], [], []
    for board in itertools.product("xob", repeat=9):
        x_won, o_won = (_has_line(board, player) for player in "xo")
        lead = board.count("x") - board.count("o")
        # The winner moved last: x leads by one after x's move, by none after o's.
        if x_won and not o_won and lead == 1:
            for_x.append((*board, "positive"))
        elif o_won and not x_won and lead == 0:
            for_o.append((*board, "negative"))
        elif not x_won and not o_won and lead == 1 and "b" not in board:
            drawn.append((*board, "negative"))
    yield from for_x + for_o + drawn


def car_rows() -> Rows:
    """Bohanec's hierarchical model: car(price(buying, maint), tech(comfort, safety)).

    Yields
    ------
    tuple of str
        Six features and the evaluation.

    Notes
    -----
    The intermediate concepts (price and tech in four grades, comfort in three,
    from 0, the worst) are tables over the value lists, in their order. They
    were recovered from the real file by functional decomposition: two
    combinations of inputs have the same grade if and only if the class is the
    same whatever the other features are.

    References
    ----------
    Bohanec, M. and Rajkovic, V. (1988). Knowledge acquisition and explanation
    for multi-attribute decision making. 8th International Workshop on Expert
    Systems and their Applications, Avignon, 59-78.
    """
    grades = ("vhigh", "high", "med", "low")
    values = (
        grades,
        grades,
        ("2", "3", "4", "5more"),
        ("2", "4", "more"),
        ("small", "med", "big"),
        ("low", "med", "high"),
    )
    price = ((0, 0, 1, 1), (0, 1, 1, 1), (1, 1, 2, 3), (1, 2, 3, 3))
    comfort = (  # doors x persons x lug_boot
        ((0, 0, 0), (1, 1, 2), (0, 1, 2)),
        ((0, 0, 0), (1, 1, 2), (1, 2, 2)),
        ((0, 0, 0), (1, 2, 2), (1, 2, 2)),
        ((0, 0, 0), (1, 2, 2), (1, 2, 2)),
    )
    tech = ((0, 0, 0), (0, 1, 2), (0, 2, 3))
    car = (
        ("unacc", "unacc", "unacc", "unacc"),
        ("unacc", "unacc", "acc", "acc"),
        ("unacc", "acc", "acc", "vgood"),
        ("unacc", "acc", "good", "vgood"),
    )
    for b, m, d, p, lug, s in itertools.product(*(range(len(v)) for v in values)):
        label = car[price[b][m]][tech[comfort[d][p][lug]][s]]
        row = (b, m, d, p, lug, s)
        yield *(v[i] for v, i in zip(values, row, strict=True)), label


def nursery_rows() -> Rows:
    """Hierarchical model of applications for nursery schools in Ljubljana.

    nursery(employ(parents, has_nurs), struct_finan(structure(form, children),
    house_finan(housing, finance)), soc_health(social, health)).

    Yields
    ------
    tuple of str
        Eight features and the ranking.

    Notes
    -----
    Grades are numbered from 0, the best; see `car_rows` for how the tables
    were recovered.

    References
    ----------
    Olave, M., Rajkovic, V. and Bohanec, M. (1989). An application for admission
    in public school systems. Expert Systems in Public Administration, 145-160.
    """
    values = (
        ("usual", "pretentious", "great_pret"),
        ("proper", "less_proper", "improper", "critical", "very_crit"),
        ("complete", "completed", "incomplete", "foster"),
        ("1", "2", "3", "more"),
        ("convenient", "less_conv", "critical"),
        ("convenient", "inconv"),
        ("nonprob", "slightly_prob", "problematic"),
        ("recommended", "priority", "not_recom"),
    )
    employ = ((0, 1, 1, 2, 3), (1, 1, 2, 3, 3), (2, 2, 3, 3, 3))
    structure = ((0, 1, 2, 2), (1, 1, 2, 2), (1, 2, 2, 2), (2, 2, 2, 2))
    house_finan = ((0, 1), (1, 1), (2, 2))
    struct_finan = ((0, 1, 1), (1, 1, 2), (1, 2, 2))
    soc_health = ((0, 1), (0, 1), (1, 1))  # social x health, where health is not not_recom
    best, very, priority, special = "recommend", "very_recom", "priority", "spec_prior"
    nursery = (  # employ x struct_finan x soc_health
        ((best, priority), (very, priority), (priority, priority)),
        ((very, priority), (very, priority), (priority, priority)),
        ((priority, priority), (priority, priority), (priority, special)),
        ((priority, priority), (priority, special), (special, special)),
    )
    for row in itertools.product(*(range(len(v)) for v in values)):
        parents, nurs, form, children, housing, finance, social, health = row
        if values[7][health] == "not_recom":
            label = "not_recom"
        else:
            living = struct_finan[structure[form][children]][house_finan[housing][finance]]
            label = nursery[employ[parents][nurs]][living][soc_health[social][health]]
        yield *(v[i] for v, i in zip(values, row, strict=True)), label


_ROWS, _COLUMNS = ("top", "middle", "bottom"), ("left", "middle", "right")
_LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


def _has_line(board: tuple[str, ...], player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _LINES)


GENERATED: dict[str, tuple[tuple[str, ...], Callable[[], Rows]]] = {
    "balance": (
        ("left-weight", "left-distance", "right-weight", "right-distance", "class"),
        balance_rows,
    ),
    "car": (
        ("buying", "maint", "doors", "persons", "lug_boot", "safety", "class"),
        car_rows,
    ),
    "nursery": (
        (
            *("parents", "has_nurs", "form", "children"),
            *("housing", "finance", "social", "health", "class"),
        ),
        nursery_rows,
    ),
    "ttt": (
        (
            *(f"{row}-{column}-square" for row in _ROWS for column in _COLUMNS),
            "class",
        ),
        ttt_rows,
    ),
}
