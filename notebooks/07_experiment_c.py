# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: tags,-all
#     notebook_metadata_filter: kernelspec,jupytext,-jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 7. Experiment C: who wins?
#
# The paper's last experiment puts its six classifiers beside CIW-NN, a co-evolutionary method that
# selects rows, weights features and weights classes at once (notebook 9). Tables 9 and 10 are its
# evidence that the ants are better.
#
# We rebuild both tables and then ask three questions that a user has and the paper does not:
#
# - How do the classifiers compare with those that anybody would try first?
# - How much depends on the reading of the algorithm, where the paper leaves one open?
# - Are the votes of the colony good probabilities?
#
# The last section says, conclusion by conclusion, what holds on our figures.
#
# After this notebook you can
#
# - read a critical-difference diagram, and a table of Wilcoxon tests;
# - say which differences between classifiers are large enough to matter;
# - judge a published conclusion by figures measured again.
#
# Read notebook 6 first. With the profile `smoke` the numbers show only that everything runs.

# %% tags=["parameters"]
profile = "smoke"
output = ""
datasets = []
compute = None

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from acoibl.colony import PRESETS
from acoibl.comparison import compare, published
from acoibl.datasets import describe
from acoibl.experiments import get_profile, run, tables
from acoibl.experiments.tables import ciwnn as ciwnn_tables
from acoibl.experiments.tables import experiment_c
from acoibl.names import ALGORITHM_TITLES, PUBLISHED_TITLES
from acoibl.plotting import PALETTE, plot_critical_difference, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)
size = get_profile(profile)
names = list(datasets) or list(size.datasets)
presets = list(PRESETS)
options = {"datasets": names, "store": report.folder / "results", "compute": compute}
# What goes beyond the paper runs on the six smallest datasets, unless the profile takes hours anyway.
few = names if size.campaign else list(describe()["rows"].loc[names].sort_values().index[:6])
beyond = {**options, "datasets": few}

# %% [markdown]
# ## 7.1 Run it
#
# Results of Experiment B serve again; CIW-NN is new. It has 10,000 evaluations, as in the paper (200
# in the profile `smoke`, in which it hardly begins).

# %%
rows = run("c", size, **options)
n_datasets = rows["dataset"].nunique()
print(f"{len(rows)} results on {n_datasets} datasets")
report.table(
    "coverage_c",
    tables.coverage_table(rows),
    caption="What was run: datasets, folds, runs and seeds of each algorithm.",
)

# %% [markdown]
# ## 7.2 The accuracies (Table 9)
#
# First the measured accuracies, then how far they are from the printed ones. CIW-NN stands here in
# the reading of its paper: it classifies with the rows that it selected.


# %%
def accuracies(preset):
    return report.table(
        f"table9_{preset}",
        experiment_c.table9(experiment_c.table9_scores(rows, preset)).rename(
            columns=PUBLISHED_TITLES
        ),
        caption=f"Table 9, preset {preset}: accuracy (%) of the six colonies and of CIW-NN. The last "
        "rows: average ranks and wins over these datasets, here and from the published figures.",
        best="max",
    )


accuracies("default")

# %%
accuracies("paper")


# %%
def differences(preset):
    return report.table(
        f"table9_differences_{preset}",
        experiment_c.table9_differences(experiment_c.table9_scores(rows, preset)).rename(
            columns=PUBLISHED_TITLES
        ),
        caption=f"Table 9, preset {preset}: measured minus published accuracy, in points.",
    )


differences("default")

# %%
differences("paper")

# %% [markdown]
# **Look at** the differences of CIW-NN's column. They are as much a check of the published rival as
# those of the other columns are of the published ants.
#
# ## 7.3 The tests (Table 10)
#
# The paper tests one pair, the ensemble with $k$-NN against CIW-NN, by Wilcoxon's signed ranks and
# one-sided. That is right if this pair was chosen before the figures were seen.

# %%
pairs = {}
for preset in presets:
    for rival, variant in (("paper", "selected"), ("keel", "all"), ("keel", "selected")):
        scores = experiment_c.table9_scores(rows, preset, ciwnn=rival, variant=variant)
        pairs[preset, f"CIW-NN, {rival}, {variant} rows"] = experiment_c.table10(scores).iloc[:1]
pairs["", "CIW-NN, published"] = experiment_c.table10(scores).iloc[1:]
table10 = pd.concat(pairs).droplevel(2).rename_axis(["preset", "ensemble with k-NN against"])
report.table(
    "table10",
    table10,
    caption="Table 10: Wilcoxon's signed ranks of the ensemble with k-NN against each reading of "
    "CIW-NN, on the same datasets. z below 0 favours the ensemble, as the paper prints it (in "
    "Tables 6 to 8 z above 0 does).",
    decimals={"p, one-sided": 4, "p, two-sided": 4},
)

# %% [markdown]
# CIW-NN has more than one reading, too. Its authors' program classifies with *all* training rows,
# not with those that it selected; notebook 9 measures what that changes.
#
# All pairs at once are a fairer question, with a price for the number of tests. Nemenyi's test says
# that two of $k$ algorithms on $N$ datasets differ if their average ranks do by more than the
# *critical difference*
#
# $$CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}$$
#
# where $q_\alpha$ comes from the distribution of the studentised range. In the diagram, algorithms
# that a bar joins cannot be told apart.

# %%
sentences = []


def rank_diagram(preset):
    scores = experiment_c.table9_scores(rows, preset).rename(columns=PUBLISHED_TITLES)
    result = compare(scores, "Ens-ACO k-NN", rope=None)
    sentences.append(f"Preset {preset}: {result.sentence()}")
    return report.figure(
        f"ranks_table9_{preset}",
        plot_critical_difference(result.critical_difference).figure,
        caption=f"Average ranks of the algorithms of Table 9, preset {preset}, with the critical "
        f"difference of Nemenyi's test at {result.alpha:g}. Best on the left.",
    )


rank_diagram("default")

# %%
rank_diagram("paper")

# %%
for sentence in sentences:
    print("-", sentence)

# %% [markdown]
# ## 7.4 Beside the first things to try
#
# Rivals that a user has at hand, from scikit-learn, with their own defaults, on the same folds:
# $k$-NN with a grid search over $k$ and the weighting of votes, $k$-NN in a space learnt by
# neighbourhood components analysis, a random forest and histogram gradient boosting.
#
#
# What goes beyond the paper, from here to Section 7.9, may have run on fewer datasets and with fewer
# seeds than Table 9; each time it is said with which.

# %%
peers = run("peers", size, **beyond)
tuned = run("a", size, **options)
everybody = pd.concat([rows, peers, tuned[tuned["variant"] == "tuned"]])
titles = ALGORITHM_TITLES
scores = tables.algorithm_scores(everybody)[list(titles)].rename(columns=titles).dropna()
print(tables.say_coverage(peers, names))
overview = compare(scores, rope=None)
report.table(
    "peers",
    overview.summary,
    caption=f"The ensembles (preset default), CIW-NN, the tuned plain classifiers and peers from "
    f"scikit-learn on {len(scores)} datasets: average rank, wins, mean and median accuracy (%).",
)

# %%
report.figure(
    "ranks_peers",
    plot_critical_difference(overview.critical_difference).figure,
    caption="Average ranks over the datasets, with the critical difference of Nemenyi's test.",
)

# %%
report.table(
    "peers_accuracy",
    scores.rename(columns=lambda name: name.replace("Ens-ACO", "Ens").replace(", tuned", "*")),
    caption="Accuracy (%) of the same classifiers on every dataset. Ens: ensemble of the colony; "
    "*: tuned.",
    best="max",
    decimals=1,
)

# %% [markdown]
# **Look at** the rows where the forest or boosting leads by much: such data may have interactions
# that no weighting of features catches. And at the rows where a lazy classifier leads. With few
# datasets the critical difference is so large that hardly any two methods can be told apart; with
# thirty it is still some two ranks and a half.
#
# A rank says nothing about size. Wilcoxon's test uses the sizes of the differences, and the Bayesian
# test asks how likely it is that they are larger than one point.

# %%
ours = "Ens-ACO k-NN"
result = compare(scores, ours)
against = result.wilcoxon.reset_index()
against = against[(against["first"] == ours) | (against["second"] == ours)].copy()
turned = against["second"] == ours
against["rival"] = np.where(turned, against["first"], against["second"])
against.loc[turned, ["better", "worse"]] = against.loc[turned, ["worse", "better"]].to_numpy()
against.loc[turned, "mean difference"] *= -1
table = against.set_index("rival")[
    ["better", "equal", "worse", "mean difference", "p", "adjusted p"]
]
if result.bayes is not None:
    table = table.join(result.bayes.set_axis(["P(better)", "P(within 1)", "P(worse)"], axis=1))
report.table(
    "ensemble_and_peers",
    table,
    caption="The ensemble with k-NN (preset default) against each rival: on how many datasets it is "
    "better, mean difference in points, Wilcoxon's p, and the same adjusted for all pairs.",
    decimals={"p": 4, "adjusted p": 4},
)

# %% [markdown]
# ## 7.5 The rivals of CIW-NN
#
# CIW-NN's own paper compared it with its parts alone and with classical ways to select rows or to
# weight features, classes or rows. The same comparison on these folds; *reduction* is the share of
# training rows that a method does without. The parts are CHC, which selects rows, and a steady-state
# genetic algorithm for the weights of features (FW) or of classes (IW).

# %%
classical = run("coevolution", size, **beyond)
others = classical[classical["base"] != "ciwnn"]
print(f"Comparators: {tables.say_coverage(others, names)}")
classical_scores = ciwnn_tables.classical_scores(classical)
reduction = ciwnn_tables.classical_reduction(classical, classical_scores.index)
result = compare(classical_scores, "CIW-NN, paper", rope=None)
report.table(
    "classical_rivals",
    result.summary.join(reduction).join(result.holm[["z", "adjusted p"]]),
    caption=f"CIW-NN, its parts and classical methods on {len(classical_scores)} datasets: average "
    "rank, wins, mean and median accuracy (%), and mean reduction (%) of the rows; then z against "
    "CIW-NN (paper), positive where CIW-NN ranks better, and p adjusted by Holm's procedure.",
    decimals={"adjusted p": 4},
)

# %%
report.figure(
    "ranks_classical",
    plot_critical_difference(result.critical_difference).figure,
    caption="Average ranks of the same methods, with the critical difference of Nemenyi's test.",
)

# %% [markdown]
# ## 7.6 CIW-NN: the description and the program
#
# The authors of CIW-NN describe it in an article and publish a program, in the software KEEL. Reading
# the program, one finds points that the description does not tell, or tells otherwise:
#
# - when it classifies new rows it compares them with *all* training rows, not with those selected;
# - selections begin to mate only when a threshold, which starts at a quarter of the rows, has fallen
#   by one in each cycle, while the weights spend the budget;
# - an individual keeps the fitness of its day, though its collaborators change (in both readings);
# - the second of its four crossovers, and those after it, take a child for a parent;
# - a numeric column is divided by its range, which in a constant column is 0.
#
# What does each of them cost? Here one setting of a preset at a time has the other value:
# `refresh_best` judges the three best again when a collaborator has changed, `fast_threshold` lets
# the threshold fall within a cycle until a pair can mate, `crossover_pool` names the parents of the
# later crossovers, and `iw_scale = direct` multiplies distances by the class weights themselves, as
# Eq. 4 of the paper on the ants writes. Kept rows and all rows are two answers of the same runs.

# %%
settings = run("readings", size, **beyond, algorithms=["ciwnn-*"])
print(tables.say_coverage(settings[settings["preset"].str.contains("-")], names))
report.table(
    "ciwnn_settings",
    ciwnn_tables.ciwnn_settings_table(settings),
    caption="CIW-NN with one setting changed: mean accuracy (%) with the kept rows and with all "
    "training rows, reduction (%), each with the difference from the preset as it is on the same "
    "datasets and seed, and how many selections of rows were judged after the initial "
    "populations, of some "
    f"{rows.loc[rows['base'] == 'ciwnn', 'n_evaluations'].median():,.0f} evaluations.",
)

# %%
judged = pd.concat([rows, settings]).drop_duplicates(
    ["dataset", "algorithm", "variant", "fold", "seed"]
)
looks = {
    "keel": "o",
    "keel-fast_threshold-True": "^",
    "paper": "s",
    "paper-fast_threshold-True": "v",
}
budget = ciwnn_tables.selection_budget_table(judged)[["training rows", *looks]]
budget.columns = [name.replace("-", ", ", 1).replace("-True", "") for name in budget]
report.table(
    "ciwnn_budget",
    budget,
    caption="Share (%) of CIW-NN's evaluations that its selections of rows got after the initial "
    "populations, in both presets as they are and with fast_threshold (–: not run); smallest "
    "datasets first.",
    decimals=1,
)

# %%
fig, ax = plt.subplots(figsize=(7.2, 3.8))
for column, marker, colour in zip(budget.columns[1:], looks.values(), PALETTE, strict=False):
    ax.plot(budget["training rows"], budget[column], marker, color=colour, label=column, alpha=0.8)
ax.set(xscale="log", xlabel="training rows", ylabel="share of the evaluations (%)")
ax.set_ylim(bottom=-1)
sizes = [50, 100, 200, 500, 1000, 2000, 5000, 10_000]
low, high = budget["training rows"].min(), budget["training rows"].max()
ax.set_xticks([n for n in sizes if low / 2 <= n <= 2 * high])
ax.xaxis.set_major_formatter("{x:,.0f}")
ax.xaxis.set_minor_formatter("")
ax.legend(title="reading", loc="center left", bbox_to_anchor=(1, 0.5))
report.figure(
    "ciwnn_selections_judged",
    fig,
    caption="Share of CIW-NN's evaluations that went to selections of rows after the initial "
    "populations, against the number of training rows; one point a dataset. The rest went to the "
    "weights of features and classes, and in the preset paper, whose budget counts them, to the "
    "initial populations.",
)

# %% [markdown]
# **Look at** where the share comes to 0: on data of that size the selection that is kept is the best
# of fifty random ones.
#
# With a constant column the program divides 0 by 0. A distance that is not a number is never below
# another, so that no row is ever nearer than the first, and every row gets its class. No reading here
# does that. On these datasets it would happen:

# %%
at_hand = [name for name in names if describe().loc[name, "ready"]]
constant = ciwnn_tables.constant_column_table(at_hand, size)
if len(constant):
    here = tables.algorithm_scores(rows)["ciwnn-keel all"]
    constant["CIW-NN here (keel, all rows)"] = here.reindex(constant.index)
    constant["CIW-NN, published"] = published("table9_all")["ciw_nn"].reindex(constant.index)
    shown = report.table(
        "ciwnn_constant_columns",
        constant,
        caption="Datasets with a numeric column that is constant in the training part of a fold: how "
        "many such columns, how many are constant in all rows (whose range the program's own folds "
        "state), accuracy (%) of answering always with the class of the first training row, and of "
        "CIW-NN as measured here and as published.",
    )
else:
    shown = None
    print("no dataset of this run has such a column")
shown

# %% [markdown]
# ## 7.7 Other scores
#
# Accuracy does not see how sure a classifier was. *Log-loss* and the *Brier score* do; lower is
# better. The *calibration error* is the mean distance between the claimed probability of the
# predicted class and the share of right answers. Votes of an ensemble are shares of 25 members: they
# were never meant to be probabilities.

# %%
probabilistic = {}
for metric in ("balanced_accuracy", "log_loss", "brier", "calibration_error"):
    found = tables.algorithm_scores(everybody, metric=metric)[list(titles)].dropna()
    probabilistic[metric.replace("_", " ")] = found.rename(columns=titles).mean()
    n_scored = len(found)
report.table(
    "other_scores",
    pd.DataFrame(probabilistic).rename_axis("classifier"),
    caption=f"Means over {n_scored} datasets: balanced accuracy and calibration error in percent, log-loss "
    "in nats, Brier score from 0 (best) to 2.",
)

# %% [markdown]
# **Look at** log-loss where a classifier gives probability 0 to what happens: one such row costs
# 36 nats. A single nearest neighbour, or an ensemble that agrees, does that often.
#
# ## 7.8 What depends on the reading
#
# Where the paper leaves a choice open, we measured the others too, with one seed for each fold.

# %%
readings = run("readings", size, **beyond, algorithms=["aco-*"])
print(tables.say_coverage(readings[readings["preset"].str.contains("-")], names))
report.table(
    "readings",
    tables.readings_table(readings),
    caption="Mean accuracy (%) when one setting of a preset has another value, and the difference "
    "from the preset itself on the same datasets and seed. Readings are named by the parameter of "
    "ACOIBLClassifier and its value (notebook 3, Section 3.8).",
)

# %% [markdown]
# ## 7.9 Rows of one person
#
# The rows of *parkinsons* are some six recordings of each person. With folds by row, most test
# persons have other recordings in the training part; with folds by person none has.

# %%
if "parkinsons" in names:
    where = {**options, "datasets": ["parkinsons"]}
    by_person = run("b", size, **where, folds="groups")
    shown = report.table(
        "parkinsons_by_person",
        tables.groups_table(run("b", size, **where), by_person),
        caption="Parkinsons: accuracy and balanced accuracy (%) with folds by row and by person, over "
        "the seeds that both have; the plain classifiers have the paper's settings.",
    )
else:
    shown = None
    print("parkinsons is not in this run")
shown

# %% [markdown]
# ## 7.10 Which conclusions hold
#
# Each row is one conclusion of the paper, with its evidence there and here. *Holds*: the same
# direction, and significant where the paper's was. Friedman's test has no direction: that the three
# differ holds whichever of them is best. A best setting holds if the one found here is within a
# quarter of the printed one. Published figures are those of all 36 datasets, as printed; measured ones
# are those of the datasets of this run. The tests compare the paper's three classifiers, those of
# Tables 6 to 8 in notebook 6 the tuned one too.

# %%
both = pd.concat([run("b", size, **options), rows[rows["base"] == "ciwnn"]])
verdicts = {preset: experiment_c.conclusions(both, preset) for preset in presets}
report.table(
    "conclusions_default",
    verdicts["default"],
    caption="The paper's conclusions on the measured figures, preset default.",
)

# %%
report.table(
    "conclusions_paper",
    verdicts["paper"],
    caption="The paper's conclusions on the measured figures, preset paper (the literal reading).",
)

# %%
fig, ax = plt.subplots(figsize=(8, 2.6))
kinds = ["holds", "same direction, not significant", "does not hold", "cannot be checked"]
colours = ["#009E73", "#A6D9C8", "#E69F00", "#D0D0D0"]
for line, preset in enumerate(presets):
    left = 0
    kind = verdicts[preset]["verdict"].str.split(":").str[0]
    for name, colour in zip(kinds, colours, strict=True):
        count = int((kind == name).sum())
        ax.barh(line, count, left=left, color=colour, label=None if line else name)
        if count:
            ax.text(left + count / 2, line, str(count), ha="center", va="center", color="black")
        left += count
ax.set_yticks(range(len(presets)), [f"preset {name}" for name in presets])
ax.set_xlabel("conclusions")
ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.25), ncols=4, fontsize="small")
report.figure("verdicts", fig, caption="How many of the paper's conclusions hold in each reading.")

# %% [markdown]
# ## 7.11 What it cost

# %%
effort = tables.effort_table(pd.concat([both, peers]))
report.table(
    "effort_c",
    effort,
    caption="Runs, processor seconds (every run has one thread: on n cores the clock shows an nth of "
    "the sum), mean iterations and evaluations per run, of each algorithm in this profile.",
)
print(f"In all {effort['processor seconds'].sum() / 3600:.1f} hours of one core.")

# %%
counts = {}
for preset in presets:
    kind = verdicts[preset]["verdict"].str.split(":").str[0]
    counts[preset] = "; ".join(f"{name}: {int((kind == name).sum())}" for name in kinds)
shown = ", ".join(f"preset {preset} ({found})" for preset, found in counts.items())
lines = [f"Published conclusions: {shown}."]
lines += [*sentences, overview.sentence()]
report.summary(*lines)
for line in lines:
    print("-", line)

# %% [markdown]
# ## Exercises
#
# 1. Leave one dataset out at a time and repeat the test of Table 10. How often does it change its
#    verdict at 0.05?
# 2. The Bayesian test needs a *rope*: the difference that does not matter. Try 0.5 and 2 points
#    (`compare(..., rope=0.5).bayes`, with the extra `bayes`). Which probabilities change most?
# 3. Find the rows of one dataset that most seeds get wrong, from the stored predictions (in the
#    project's folder: `acoibl export b --profile quick --datasets car --algorithms aco-knn-default
#    --predictions --output car.csv` writes them into `car_predictions.csv`).
# 4. Which peer would you use on the dataset nearest to yours, and how sure are you?
