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
# # 5. Experiment A: which setting is best on average?
#
# Each lazy classifier has one key parameter: $k$, $d$ or $\sigma$. Before the paper compares its
# ants with plain classifiers, it asks which setting a plain classifier should have. It takes the
# one with the best *average rank* over all datasets.
#
# After this notebook you can
#
# - describe the protocol: folds, grid, datasets, and what a profile makes smaller;
# - compute an average rank by hand, with ties;
# - read Figs 5-7, and judge how sharp their minimum is;
# - say what one setting for all datasets costs.
#
# Read notebook 1 first. With the profile `smoke` the numbers show only that everything runs.
# Use `acoibl report --profile quick` for a first look and `paper` for the reproduction.

# %% tags=["parameters"]
profile = "smoke"
output = ""
datasets = []
compute = None

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from acoibl.comparison import average_ranks, holm, published
from acoibl.datasets import describe
from acoibl.experiments import get_profile, run, tables
from acoibl.lazy.bases import BASES
from acoibl.plotting import PALETTE, plot_rank_curve, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)
size = get_profile(profile)
names = list(datasets) or list(size.datasets)
bases = list(BASES)

# %% [markdown]
# ## 5.1 The protocol
#
# Stratified 10-fold cross-validation, all 36 datasets, every setting on the same folds. A *profile*
# says how much of that is done:

# %%
pd.Series(size.describe(), name="this profile").to_frame().style.set_properties(
    **{"text-align": "left"}
)

# %% [markdown]
# The datasets, beside what Table 2 of the paper says about them. Most come from the UCI repository,
# where some have several versions, so the shapes need not agree everywhere.

# %%
known = describe().loc[names]
here = pd.DataFrame(
    {
        "instances": known["rows"],
        "classes": known["classes"],
        "features_total": known["numeric"] + known["categorical"],
        "features_numeric": known["numeric"],
        "features_categorical": known["categorical"],
    }
)
there = published("table2_datasets").reindex(here.index)
short = {"features_total": "features", "features_numeric": "numeric"}
short |= {"features_categorical": "categorical"}
table2 = pd.concat(
    {"here": here.rename(columns=short), "published": there.rename(columns=short).astype("Int64")},
    axis=1,
).rename_axis("dataset")
report.table(
    "table2_datasets",
    table2,
    caption="Shapes of the datasets of this profile, and of Table 2 of the paper.",
)

# %%
differ = (here != there) & there.notna()
for name in here.index[differ.any(axis=1)]:
    columns = [short.get(column, column) for column in differ.columns[differ.loc[name]]]
    print(f"{name} differs from Table 2 in: {', '.join(columns)}")
if not differ.any(axis=None):
    print("all shapes agree with Table 2")

# %%
report.table(
    "rows_used",
    tables.dataset_table(size, names),
    caption=f"Rows that the profile {size.name} uses, where they come from, and the checksum of the "
    "table.",
)

# %% [markdown]
# ## 5.2 Average rank, by hand
#
# On each dataset the settings are ranked by accuracy, 1 for the best. Settings with equal accuracy
# share the mean of the ranks they span. Then the ranks are averaged over the datasets. Three
# settings, three datasets:

# %%
toy = pd.DataFrame(
    {"k = 1": [90.0, 70.0, 80.0], "k = 5": [90.0, 75.0, 78.0], "k = 9": [85.0, 74.0, 79.0]},
    index=["first", "second", "third"],
)
toy

# %% [markdown]
# - *first*: $k = 1$ and $k = 5$ share ranks 1 and 2, so both get 1.5; $k = 9$ gets 3.
# - *second*: 3, 1, 2.
# - *third*: 1, 3, 2.
#
# Averages: $(1.5 + 3 + 1) / 3 = 1.83$, $(1.5 + 1 + 3) / 3 = 1.83$, $(3 + 2 + 2) / 3 = 2.33$.

# %%
average_ranks(toy).round(2).to_frame().T

# %% [markdown]
# ## 5.3 Run it
#
# Results are stored as they come. Run the cell again, and only what is missing is computed.

# %%
rows = run("a", size, datasets=names, store=report.folder / "results", compute=compute)
names = list(rows["dataset"].unique())
print(f"{len(rows)} results on {len(names)} datasets")
rows[["dataset", "base", "weight_scale", "key_parameter", "fold", "accuracy"]].head(4)

# %% [markdown]
# ## 5.4 The ranks (Figs 5-7)


# %%
def rank_figure(number, base):
    ranks = tables.rank_by_setting(rows, base)["average rank"]
    if base == "knn":
        ranks.index = ranks.index.astype(int)  # whole numbers on the axis
    fig, ax = plt.subplots(figsize=(6.8, 3.8))
    plot_rank_curve(ranks, ax, published_best=BASES[base].published_best, xlabel=BASES[base].symbol)
    ax.set_title(f"{BASES[base].title}, {len(names)} datasets")
    return report.figure(
        f"fig{number:02}_ranks_{base}",
        fig,
        caption=f"Average rank of each setting of plain {BASES[base].title} over {len(names)} "
        f"datasets. As Fig. {number} of the paper, whose best setting is the dashed line.",
    )


rank_figure(5, "knn")

# %%
rank_figure(6, "dnn")

# %%
rank_figure(7, "gke")

# %% [markdown]
# **Look at** two things. Where is the diamond, and how far is it from the dashed line? And how
# flat is the valley around it? In a flat valley the position of the minimum is chance.
#
# *d*-NN needs a warning. With `weight_scale="none"`, two rows that differ in a category are at
# least 1 apart. So on categorical data $d < 1$ finds only exact duplicates (mostly nobody, and the
# majority class is the answer), and $d = 1$ finds at best the rows with one other category. The
# plain *d*-NN column is therefore weak, and the tuned column of notebook 6, which chooses the
# scale too, is the fair comparison.
#
# ## 5.5 The best settings

# %%
report.table(
    "best_settings",
    tables.settings_table(rows),
    caption="Best setting of each plain classifier, by average rank, and how the paper's best setting "
    "does here; three scales of the (equal) weights.",
)

# %% [markdown]
# A best setting at the edge of the grid is not a minimum that was found: the grid ends there.

# %%
edges = 0
for base in bases:
    for scale in rows.loc[rows["base"] == base, "weight_scale"].unique():
        if not scale:
            continue  # the tuned classifier chooses its own
        grid = tables.plain_scores(rows, base, weight_scale=scale).columns
        best = tables.best_setting(rows, base, weight_scale=scale)
        if best in (grid.min(), grid.max()):
            edges += 1
            print(
                f"{BASES[base].title}, scale {scale}: {BASES[base].symbol} = {best:g} is the "
                f"{'first' if best == grid.min() else 'last'} of {len(grid)} settings, "
                "the edge of the grid"
            )
if not edges:
    print("no best setting is at the edge of the grid")

# %% [markdown]
# How many settings are *significantly* worse than the best one? Holm's procedure at 0.05, over the
# datasets of the profile (at least two):

# %%
lines = {}
for base in bases if len(names) > 1 else []:
    best, paper = tables.best_setting(rows, base), BASES[base].published_best
    tests = holm(tables.plain_scores(rows, base), best)
    worse = tests.index[tests["significant"]]
    verdict = "significantly worse" if paper in worse else "not significantly worse"
    lines[BASES[base].title] = {
        "best here": f"{BASES[base].symbol} = {best:g}",
        "other settings": len(tests),
        "of these significantly worse": len(worse),
        "the paper's setting": f"{BASES[base].symbol} = {paper:g}",
        "it is": "the best here too" if paper == best else verdict,
    }
report.table(
    "settings_significance",
    pd.DataFrame.from_dict(lines, orient="index").rename_axis("classifier"),
    caption=f"Settings that Holm's procedure tells apart from the best one, over {len(names)} datasets.",
)

# %% [markdown]
# ## 5.6 One size for all?
#
# The same accuracies, dataset by dataset: how many points does each setting lose against the best
# one *of that dataset*?

# %%
fig, axes = plt.subplots(
    1, 3, figsize=(12, 1.6 + 0.24 * len(names)), sharey=True, layout="constrained"
)
for ax, base in zip(axes, bases, strict=True):
    scores = tables.plain_scores(rows, base)
    loss = scores.sub(scores.max(axis=1), axis=0)
    image = ax.imshow(loss, aspect="auto", cmap="viridis", vmin=-10, vmax=0)
    ticks = np.arange(0, loss.shape[1], 4)
    ax.set_xticks(ticks, [f"{value:g}" for value in loss.columns[ticks]])
    ax.set_yticks(range(len(loss)), loss.index)
    ax.set(title=BASES[base].title, xlabel=BASES[base].symbol)
    ax.spines[:].set_visible(False)
fig.colorbar(image, ax=axes, label="points below the best\n(10 or more: darkest)", extend="min")
report.figure(
    "loss_by_setting",
    fig,
    caption="Accuracy of each setting minus that of the best setting on the same dataset; bright is "
    "good.",
)

# %%
cost = {}
for base in bases:
    scores = tables.plain_scores(rows, base)
    one = scores[tables.best_setting(rows, base)]
    cost[BASES[base].title] = {
        "one setting for all": one.mean(),
        "best of each dataset": scores.max(axis=1).mean(),
        "difference": scores.max(axis=1).mean() - one.mean(),
    }
pd.DataFrame(cost).T.rename_axis("classifier").round(2)

# %% [markdown]
# **Look at** whether the bright cells of different rows stand one above the other. Where they do
# not, a setting tuned for each dataset can gain. The second column is *too good*, since
# it was chosen with the test rows. Notebook 6 has a fair version: `tuned` chooses on the training
# rows of each fold, for *d*-NN and GKE among all scales of the weights.
#
# ## 5.7 What a distance of 0.45 means
#
# With all weights 1, the largest possible distance is $\sqrt{M}$ for $M$ features, so $d = 0.45$
# is a small ball when $M = 30$ and a large one when $M = 4$. The paper does not say whether it
# scaled its weights. With `weight_scale="sum_one"` distances lie in $[0, 1]$ for every $M$. (For
# $k$-NN nothing changes: only the order of distances counts.)

# %%
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), sharey=True)
scales = {"none": "-", "sum_one": "--"}
for ax, base in zip(axes, ("dnn", "gke"), strict=True):
    for i, (scale, dashes) in enumerate(scales.items()):
        curve = tables.plain_scores(rows, base, weight_scale=scale).mean()
        colour = PALETTE[(4, 5)[i]]
        ax.plot(curve.index, curve, dashes, color=colour, linewidth=2, label=f'"{scale}"')
    ax.axvline(BASES[base].published_best, color="grey", linewidth=0.8)
    ax.set(title=BASES[base].title, xlabel=BASES[base].symbol)
axes[0].set_ylabel("mean accuracy (%)")
axes[1].legend(title="weight_scale", loc="upper left", bbox_to_anchor=(1, 1))
report.figure(
    "scales",
    fig,
    caption="Mean accuracy of plain d-NN and GKE against their parameter under two scales of the "
    "equal weights; grey: the paper's best setting.",
)

# %% [markdown]
# **Look at** where each curve has its top. A published setting such as $d = 0.45$ has no meaning
# without the scale.
#
# ## Exercises
#
# 1. Compute the average ranks of the toy table if *third* had the accuracies 80, 80, 80.
# 2. Plot the number of wins (`tables.rank_by_setting(rows, "knn")["wins"]`) against $k$. Why is it
#    a poorer guide than the average rank?
# 3. Leave out one dataset at a time. How often does the best setting of $k$-NN change?
# 4. Use odd values of $k$ only. Does the curve of Fig. 5 become smoother on two-class datasets?
#    Why?
