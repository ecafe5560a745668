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
# # 9. Which rows, which features, which classes: a co-evolution
#
# The rival of the ant colony tunes a nearest-neighbour classifier in three places at once. CIW-NN
# chooses training rows worth keeping, gives the features weights, and draws the rows of some
# classes nearer. Three populations search, and each judges its individuals with the help of the
# best of the other two.
#
# After this notebook you can
#
# - classify a point by hand with selected rows, feature weights and class multipliers;
# - cross two selections of rows as CHC does, and say why it rarely adds a row;
# - follow three populations through a run, and say when each of them stops improving;
# - see on a map which rows are kept, and what that costs;
# - tell two readings of one algorithm apart, and measure the difference.
#
# Read notebooks 1 and 3 first.

# %% tags=["parameters"]
profile = "smoke"
output = ""
seed = 0
n_folds = 5
max_evaluations = 10_000
datasets = ["iris", "wine", "s-heart", "liver-disorders"]

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import make_moons
from sklearn.model_selection import StratifiedKFold

from acoibl import KNNClassifier
from acoibl.coevolution import (
    CHC,
    PRESETS,
    CHCSelector,
    CIWNNClassifier,
    SSGAFeatureWeighter,
    SteadyStateGA,
)
from acoibl.datasets import load
from acoibl.kernels import genetic
from acoibl.plotting import PALETTE, plot_decision_map, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)

# %% [markdown]
# ## 9.1 A point, by hand
#
# The distance of a query $\mathbf{x}$ to a kept training row $\mathbf{r}$ of class $c$ is
#
# $$d(\mathbf{x}, \mathbf{r}) = m_c \sqrt{\sum_{j=1}^{M} w_j \, \phi(x_j, r_j)^2}$$
#
# and the nearest kept row gives the answer. Compare it with Eq. 11 of notebook 3: there every class
# has its own weight for every feature, ${|C|} \cdot M$ numbers; here there are $M$ feature weights
# and ${|C|}$ multipliers, ${|C|} + M$ numbers, and a mark for each training row.
#
# Four rows, the third of which is not kept:

# %%
rows = pd.DataFrame({"width": [0.2, 0.9, 0.5, 0.6], "height": [0.3, 0.8, 0.5, 0.1]})
labels = np.array(["A", "A", "B", "B"])
kept = np.array([True, True, False, True])
w = np.array([1.0, 0.25])
m = pd.Series({"A": 0.5, "B": 1.0})
query = np.array([0.5, 0.4])

by_hand = rows.assign(
    label=labels,
    kept=kept,
    weighted=np.sqrt(((rows - query) ** 2 * w).sum(axis=1)),
    multiplier=m[labels].to_numpy(),
)
by_hand["distance"] = by_hand["weighted"] * by_hand["multiplier"]
by_hand.round(3)

# %% [markdown]
# The third row would be the nearest by far, but it is not kept. Of the others the fourth, of class
# B, has the smallest *weighted* distance; the multiplier brings the first row nearer, and the answer
# is A:

# %%
print("answer:", by_hand.loc[by_hand.loc[by_hand["kept"], "distance"].idxmin(), "label"])

# %% [markdown]
# ## 9.2 Choosing rows: CHC
#
# A selection is a chain of bits, one for each training row. Its fitness looks at both sides of the
# bargain:
#
# $$f = \alpha \cdot \text{accuracy} + (1 - \alpha) \cdot \text{reduction}, \qquad \alpha = 0.5$$
#
# where accuracy is that of leave-one-out over **all** training rows, kept or not, and reduction the
# share of rows left out.
#
# CHC crosses two selections by exchanging **half of the bits in which they differ**. In CIW-NN the
# crossover has a bias: where a bit should become 1, it does so with probability `prob_0_to_1`
# $= 0.25$ only. Selections shrink by themselves.

# %%
rng = np.random.default_rng(seed)
parents = np.array([[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]])
children = parents.astype(bool)
genetic.hux(children[0], children[1], 0.25, rng)
pd.DataFrame(
    np.vstack([parents, children.astype(int)]),
    index=["parent 1", "parent 2", "child 1", "child 2"],
)

# %% [markdown]
# All 12 bits differ, so 6 places were touched. In each of them the 1 is gone from one child, and
# only now and then has it arrived in the other.
#
# Two more ideas make CHC what it is. **Incest prevention**: two selections mate only if half of
# their distance exceeds a threshold $d$, which starts at a quarter of the length and falls when
# nothing new is found. **Restart**: there is no mutation; when $d$ has come to 0, all but the best
# are replaced by disturbed copies of the best.
#
# We try it on a problem with a trap: the bits come in groups of four; four ones are worth 4, but
# with fewer ones *fewer are better*. Who climbs step by step ends with no ones at all.


# %%
def traps(x):
    counts = x.reshape(-1, 4).sum(axis=1)
    return float(np.where(counts == 4, 4, 3 - counts).sum())


search = CHC(traps, 40, prob_0_to_1=1.0, prob_1=0.5, random_state=seed).run()
history = search.history
fig, axes = plt.subplots(2, 1, figsize=(7.6, 4.8), sharex=True)
axes[0].plot(history["evaluation"], history["best"], color=PALETTE[4], label="best")
axes[0].plot(history["evaluation"], history["mean"], color=PALETTE[7], label="mean")
axes[0].axhline(30, color=PALETTE[5], linestyle=":", label="no ones at all")
axes[0].set(ylabel="fitness")
axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5))
axes[1].plot(history["evaluation"], history["threshold"], color=PALETTE[2])
axes[1].set(xlabel="evaluations", ylabel="threshold d")
for restart in history.loc[history["restarted"], "evaluation"]:
    for ax in axes:
        ax.axvline(restart, color=PALETTE[7], linewidth=0.4, alpha=0.6)
report.figure(
    "chc_on_traps",
    fig,
    caption="CHC on ten deceptive traps: fitness and threshold; a vertical line marks a restart.",
)

# %%
restarts = history.index[history["restarted"]]
first = history["best"].loc[: restarts[0]].max() if len(restarts) else search.fun
print(
    f"best before the first restart {first:.0f} of 40, at the end {search.fun:.0f}; "
    f"{len(restarts)} restarts"
)

# %% [markdown]
# **Look at** the mean (grey): between two restarts the population agrees more and more, until it is
# scattered again. The dotted line is where a climber would stay. When does the best pass it, before
# the first restart or after, and how much do the restarts add?
#
# ## 9.3 Weights: a genetic algorithm that makes eight children at a time
#
# Feature weights and class weights are real vectors. One step takes two parents, makes two children
# each by four crossovers, and keeps the best two of the eight. The crossover is BLX-$\alpha$: each
# gene of a child is uniform between the parents' values, widened by $\alpha$ times their distance
# on both sides.

# %%
a, b, alphas = 0.4, 0.6, (0.3, 0.5, 0.7)
fig, ax = plt.subplots(figsize=(6.4, 2.6))
for place, alpha in enumerate(alphas):
    low, high = max(0, a - alpha * (b - a)), min(1, b + alpha * (b - a))
    ax.plot([low, high], [place, place], color=PALETTE[4], linewidth=6, solid_capstyle="butt")
    child = np.empty(1)
    one, zero = np.ones(1), np.zeros(1)
    for _ in range(60):
        genetic.blend(np.array([a]), np.array([b]), alpha, zero, one, rng.random(1), child)
        ax.plot(child, place + rng.uniform(0.15, 0.4), ".", color=PALETTE[7], markersize=3)
ax.plot([a, b], [-0.4, -0.4], "D", color=PALETTE[5], label="parents")
ax.set_yticks(range(3), [f"α = {alpha}" for alpha in alphas])
ax.set(xlabel="value of a gene", xlim=(0, 1), ylim=(-0.7, 2.7))
ax.legend(loc="upper right")
report.figure(
    "blend_crossover",
    fig,
    caption="Where BLX crossovers of one pair of parents put their children.",
)

# %%
sphere = SteadyStateGA(lambda x: -((x - 0.3) ** 2).sum(), 6, random_state=seed)
result = sphere.run()
print("best of a simple bowl with its bottom at 0.3:", result.x.round(3))

# %% [markdown]
# ## 9.4 Three populations, one classifier
#
# In each **cycle** the selections get one generation, feature weights and class weights 40
# evaluations each. An individual is judged together with the best of the other two populations.
# We watch a run on *s-heart*.

# %%
heart = load("s-heart")
clf = CIWNNClassifier(max_evaluations=max_evaluations, random_state=seed).fit(heart.X, heart.y)
history = clf.history_
fig, axes = plt.subplots(3, 1, figsize=(8, 7.2), sharex=True, height_ratios=[3, 2, 2])
for name, colour in (("selection", 0), ("features", 4), ("classes", 2)):
    axes[0].plot(
        history["evaluation"], history[f"fitness_{name}"], color=PALETTE[colour], label=name
    )
axes[0].plot(
    history["evaluation"],
    history["joint_accuracy"],
    "--",
    color=PALETTE[5],
    label="accuracy of all",
)
axes[0].set(ylabel="fitness of the best")
axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5))
axes[1].plot(history["evaluation"], 100 * history["reduction"], color=PALETTE[0])
axes[1].set(ylabel="reduction (%)")
axes[2].plot(history["evaluation"], history["n_mated"], ".", color=PALETTE[7])
axes[2].set(xlabel="evaluations", ylabel="pairs that mate")
report.figure(
    "three_populations",
    fig,
    caption="CIW-NN on s-heart, preset paper: fitness of the best selection, feature weights and "
    "class weights as it was judged in its day, and leave-one-out accuracy of the three together; "
    "reduction; pairs of selections that mate in each cycle.",
)

# %%
improved = {
    name: int((history[f"fitness_{name}"].diff() > 0).to_numpy().nonzero()[0].max(initial=0))
    for name in ("selection", "features", "classes")
}
print(
    f"{clf.n_cycles_} cycles and {clf.n_evaluations_} evaluations, of them "
    f"{clf.n_selection_evaluations_} for selections after the initial populations; kept "
    f"{len(clf.sample_indices_)} of {len(heart.X)} rows; accuracy of the three together {clf.loo_accuracy_:.3f}"
)
pd.DataFrame(
    {
        "last better one in cycle": improved,
        "fitness of the best, as judged in its day": pd.Series(clf.best_fitness_).round(3),
    }
)

# %% [markdown]
# **Look at** the top panel. The fitness of a selection counts reduction too, so compare the other
# three lines. An individual keeps the fitness of the day it was judged, whatever its collaborators
# have become since. The table says in which cycle each population found its last better one; from
# there on its line is flat, and no child that is judged beside the rows kept *then* comes to the
# top. The broken line is what the three parts are worth *together*; the search never looks at it.
#
# In the bottom panel the selections wait: at first no two of them are far enough apart to mate, and
# the threshold falls by one per cycle, while each cycle spends 80 evaluations elsewhere.
#
# How long is the wait? Two random selections with a quarter of ones differ in $2 \cdot 0.25 \cdot
# 0.75 = 0.375$ of their places. Half of that, $0.1875\,N$, must exceed a threshold that starts at
# $0.25\,N$. So at most about $0.0625\,N$ cycles pass: pairs vary, and the first one that is far enough
# apart comes earlier, most of all among few rows. A run has about 120 cycles.

# %%
waiting = []
for n in (60, 150, 300, 600, 1200, 2400):
    points, kinds = rng.random((n, 2)), rng.integers(0, 2, n)
    for wait in (False, True):
        run = CIWNNClassifier(
            max_evaluations=max_evaluations,
            fast_threshold=wait,
            random_state=seed,
            callback=lambda line: line["n_mated"] > 0,  # we only want to know when it starts
        ).fit(points, kinds)
        last = run.history_.iloc[-1]
        start = f"{int(last['cycle'])}" if last["n_mated"] > 0 else "never"
        waiting.append({"rows": n, "reading": "fast" if wait else "as written", "start": start})
waiting = pd.DataFrame(waiting).set_index(["rows", "reading"])["start"].unstack()  # noqa: PD010
waiting["0.0625 N"] = [round(0.0625 * n) for n in waiting.index]
report.table(
    "waiting_for_the_threshold",
    waiting,
    caption="First cycle in which selections mate, with the threshold as written and with "
    "fast_threshold, which lets it fall within a cycle.",
)

# %% [markdown]
# **Look at** how the start moves towards the 120 cycles that a run has. Until then what is kept is the
# best of 50 random quarters of the rows; with some thousands of rows that is the whole run.
#
# ## 9.5 What is kept, on a map
#
# Two moons, 200 points, some noise. Rings mark the rows that are kept.

# %%
points, kinds = make_moons(200, noise=0.3, random_state=seed)
moons = pd.DataFrame(points, columns=["x", "y"])
kinds = np.where(kinds == 0, "upper", "lower")
new_points, new_kinds = make_moons(4000, noise=0.3, random_state=seed + 1)
new_moons = pd.DataFrame(new_points, columns=["x", "y"])
new_kinds = np.where(new_kinds == 0, "upper", "lower")

machines = {
    "all rows": KNNClassifier(1),
    "rows chosen (CHC alone)": CHCSelector(max_evaluations=max_evaluations, random_state=seed),
    "CIW-NN": CIWNNClassifier(max_evaluations=max_evaluations, random_state=seed),
    "its weights, all rows": CIWNNClassifier(
        max_evaluations=max_evaluations, test_uses_selection=False, random_state=seed
    ),
}
fig, axes = plt.subplots(2, 2, figsize=(9.2, 7), sharex=True, sharey=True)
for ax, (name, machine) in zip(axes.ravel(), machines.items(), strict=True):
    machine.fit(moons, kinds)
    plot_decision_map(machine, moons, kinds, ax=ax, resolution=140)
    if getattr(machine, "reduction_", 0) and not name.startswith("its"):
        chosen = moons.iloc[machine.sample_indices_]
        ax.plot(chosen["x"], chosen["y"], "o", markersize=13, markerfacecolor="none", color="black")
        name = f"{name}: {len(chosen)} of {len(moons)}"
    ax.set_title(f"{name}\n{100 * machine.score(new_moons, new_kinds):.1f} % of new points right")
    ax.label_outer()
    if ax is not axes[0, 1]:
        ax.get_legend().remove()
report.figure(
    "what_is_kept",
    fig,
    caption="Nearest neighbour on two moons with all rows, with the rows that CHC keeps, with the "
    "three parts of CIW-NN, and with its weights but all rows; accuracy on 4,000 new points. Rings "
    "mark the rows that are kept.",
)

# %% [markdown]
# **Look at** the islands. With all rows every noisy point owns a patch. A few rows, well chosen, draw
# one smooth border: *leaving out rows is also a way to overlook noise*. The last map takes the
# weights that were found for the few rows, and asks all rows again: the islands are back.
#
# ## 9.6 Two readings of one algorithm
#
# The authors describe CIW-NN in an article, and they publish a program. The two differ in many
# small points, and in a large one: the program, when it classifies *new* rows, compares them with
# all training rows. Preset `"paper"` follows the description, preset `"keel"` the program.

# %%
meanings = {
    "budget": "evaluations: an exact limit, or the last cycle is finished",
    "clip": "values of new rows beyond the bounds of a feature are set to them",
    "crossover_pool": "the four crossovers: all of the two parents, or from the second on of one parent and a child",
    "gene_probability": "genes that a mutation changes: exactly one, or each with this chance",
    "idle_generations": "generations without a new selection, at threshold 0, before a restart",
    "initial_ones": "rows kept at first: by chance, or an exact share",
    "missing": "a missing value: differs by 1 from everything, or is a 0",
    "mutation_clock": "what lets mutations shrink: share of all evaluations, or of the cycle's",
    "mutation_unit": "mutation is drawn for each child, or for two at once",
    "nominal": "categories: equal or not, or numbered in their order",
    "restart": "bits that a restart touches: turned over, or drawn anew",
    "survivors": "who survives among selections of equal fitness",
    "test_uses_selection": "new rows are compared with the kept rows only",
}
readings = pd.DataFrame(PRESETS)[["paper", "keel"]].astype(str)
readings = readings[readings["paper"] != readings["keel"]]
readings["meaning"] = readings.index.map(meanings)
report.table(
    "presets_of_ciwnn",
    readings.rename_axis("parameter"),
    caption="Parameters in which the two presets of CIWNNClassifier differ: by the description "
    "(paper) and by the program (keel).",
)

# %%
lines = []
for name in datasets:
    data = load(name)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    for fold, (training, testing) in enumerate(folds.split(data.X, data.y)):
        X, y = data.X.iloc[training], data.y.iloc[training]
        asked, actual = data.X.iloc[testing], np.asarray(data.y.iloc[testing])
        plain = KNNClassifier(1, ties="strict").fit(X, y)
        line = {"dataset": name, "1-NN": (plain.predict(asked) == actual).mean()}
        for preset in PRESETS:
            run = CIWNNClassifier(
                preset=preset, max_evaluations=max_evaluations, random_state=seed + fold
            ).fit(X, y)
            line[f"{preset} kept"] = (run.predict_selected(asked) == actual).mean()
            line[f"{preset} all"] = (run.predict_all(asked) == actual).mean()
            line[f"{preset} red."] = run.reduction_
        lines.append(line)
table = 100 * pd.DataFrame(lines).groupby("dataset").mean().loc[datasets]
report.table(
    "two_readings",
    table,
    caption="Test accuracy (%) of CIW-NN in both readings (presets paper and keel), with the kept and "
    f"with all training rows as references, and reduction (red., %); {n_folds}-fold cross-validation.",
)

# %%
for preset in PRESETS:
    gain = (table[f"{preset} kept"] - table[f"{preset} all"]).round(1) + 0.0
    listed = ", ".join(f"{name} {points:+.1f}" for name, points in gain.items())
    print(
        f"Preset {preset}, accuracy with the kept rows minus that with all rows, in points: {listed}."
    )

# %% [markdown]
# **Look at** the columns in pairs, and compare them with plain 1-NN. To leave out rows is to overlook
# noise, but to throw away knowledge too; which weighs more differs from dataset to dataset. Note what
# a handful of rows achieves. With so few folds a point or two is chance: Experiment C with profile
# `paper` has ten folds and up to ten seeds.
#
# ## 9.7 One population alone
#
# Each population is a method of its own. Feature weights alone, on *wine* with five columns of
# noise added:

# %%
wine = load("wine")
noisy = wine.X.copy()
for j in range(5):
    noisy[f"noise {j + 1}"] = np.random.default_rng([seed, j]).random(len(noisy))
runs = [
    SSGAFeatureWeighter(max_evaluations=3000, random_state=seed + run).fit(noisy, wine.y)
    for run in range(8)
]
plain = KNNClassifier(1, ties="strict").fit(noisy, wine.y)
print(
    f"leave-one-out accuracy: all weights 1: {(plain.loo_predict() == wine.y).mean():.3f}, "
    f"weights found: {np.mean([run.loo_accuracy_ for run in runs]):.3f} (mean of {len(runs)} runs)"
)
found = pd.DataFrame({i: run.feature_weights_ for i, run in enumerate(runs)})
found = found.loc[found.mean(axis=1).sort_values().index]
fig, ax = plt.subplots(figsize=(6.4, 4.8))
colours = [PALETTE[5] if name.startswith("noise") else PALETTE[4] for name in found.index]
ax.barh(found.index, found.mean(axis=1), color=colours, alpha=0.5)
for run in found:
    ax.scatter(found[run], found.index, s=9, color=colours)
ax.set(xlabel="weight: mean (bar) and single runs (dots)", xlim=(0, 1))
report.figure(
    "weights_with_noise",
    fig,
    caption="Feature weights found for wine with five columns of noise (the other colour): mean of "
    f"{len(runs)} runs and the single runs.",
)

# %% [markdown]
# **Look at** the columns of noise. Some get a large weight *in every run*: by chance they pull some
# of these 178 rows apart the right way, and leave-one-out over the same rows rewards it. That is
# overfitting, and more runs do not cure it. Then look at the dots of one line: runs do not agree
# either, for many vectors of weights make equally few mistakes. One vector that happens to be the
# best says little about *which features matter*.
#
# ## Exercises
#
# 1. In Section 9.1, for which multiplier of class A do the first and the fourth row tie? Who
#    answers then?
# 2. Run CHC on `traps` with `prob_0_to_1=0.25`. Why is the bias that helps to choose rows harmful
#    here?
# 3. Fit CIW-NN on *s-heart* with `refresh_best=True`, which judges the three best again whenever a
#    collaborator has changed. Draw the figure of Section 9.4. Which lines may fall now, and is the
#    accuracy of the three together higher?
# 4. Draw the map of Section 9.5 for $\alpha = 0.2, 0.5, 0.8$, and once with `iw_scale="direct"`,
#    where multipliers may reach 0. How many rows are kept? What would a class with multiplier 0
#    answer?
