"""The papers' tables and the data of their figures, from results of `run`.

Every builder takes the DataFrame that `run` returns and gives a DataFrame ready for
`acoibl.report.Artifacts.table`. Accuracies are in percent: the correct rows of all folds
over all rows, averaged over seeds. The paper averages the accuracies of the folds; pooling them
makes results with as many correct rows equal, so that ranks, wins and bold figures agree with what
is printed (see `acoibl.experiments.tables.scores`). Balanced accuracy is the mean over folds and
seeds.

Published figures stand beside measured ones for the same datasets only, with ranks and wins
computed anew over those, and never take part in a choice.
"""

from acoibl.experiments.tables.coverage import (
    coverage_table,
    dataset_table,
    effort_table,
    say_coverage,
)
from acoibl.experiments.tables.experiment_b import (
    comparison_table,
    overview_table,
    settings_table,
    significance_table,
    summary_lines,
)
from acoibl.experiments.tables.readings import groups_table, readings_table
from acoibl.experiments.tables.scores import (
    algorithm_scores,
    best_setting,
    means_by,
    measured,
    plain_scores,
    published_scores,
    rank_by_setting,
)

__all__ = [
    "algorithm_scores",
    "best_setting",
    "comparison_table",
    "coverage_table",
    "dataset_table",
    "effort_table",
    "groups_table",
    "means_by",
    "measured",
    "overview_table",
    "plain_scores",
    "published_scores",
    "rank_by_setting",
    "readings_table",
    "say_coverage",
    "settings_table",
    "significance_table",
    "summary_lines",
]
