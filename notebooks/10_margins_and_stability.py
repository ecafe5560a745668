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
# # 10. Margins: which features, and would other rows say the same?
#
# A method that picks ten genes of 7,000 is of little use if half of the patients would have made it
# pick ten others. *Stability* asks exactly that. SimbaMBIW (Prat and Belanche 2016) wants to select
# more stably by listening less to rows that say something else about the features than most rows.
#
# After this notebook you can
#
# - draw the hit, the miss and the margin of a row, and compute them by hand;
# - say what a margin vector is, and why an outlier gets a small weight;
# - follow Simba step by step, and say what the size of its steps decides;
# - compute Kuncheva's index by hand, and read a curve of stability against subset size;
# - tell a count of significant tests from the size of an effect, and judge the paper's claim.
#
# Read notebooks 1 and 3 first. With the profile `smoke` the tables of Sections 10.6 to 10.9 show
# only that everything runs.

# %% tags=["parameters"]
profile = "smoke"
output = ""
datasets = []
compute = None
seed = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_iris, make_moons

from acoibl import KNNClassifier
from acoibl.experiments import get_profile, run
from acoibl.experiments.methods.ranking_problems import problems as ranking_problems
from acoibl.experiments.methods.ranking_problems import ranking_datasets
from acoibl.experiments.methods.rankings import RANKINGS
from acoibl.experiments.tables import rankings as tables
from acoibl.margins import (
    MBIW,
    DoublyWeightedKNN,
    SimbaMBIW,
    hypothesis_margin,
    kuncheva_index,
    margin_vectors,
)
from acoibl.names import RANKING_TITLES
from acoibl.plotting import PALETTE, plot_decision_map, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)
size = get_profile(profile)
names = list(datasets) or ranking_datasets(size)

# %% [markdown]
# ## 10.1 Hit, miss, margin
#
# The **hit** $h(\mathbf{x})$ of a row is its nearest row of the same class, the **miss**
# $m(\mathbf{x})$ its nearest row of another class, both among the *other* rows. The margin is half
# the difference of the two distances:
#
# $$\theta(\mathbf{x}) = \tfrac12 \left( \|\mathbf{x} - m(\mathbf{x})\| -
# \|\mathbf{x} - h(\mathbf{x})\| \right)$$
#
# It is positive where 1-NN, asked about $\mathbf{x}$ without knowing it, is right.
#
# Ten points. *Height* tells the classes apart, *width* does not, and one point of class B stands
# among those of class A.

# %%
points = pd.DataFrame(
    {
        "width": [0.10, 0.28, 0.36, 0.70, 0.46, 0.15, 0.40, 0.66, 0.92, 0.90],
        "height": [0.10, 0.24, 0.08, 0.16, 0.30, 0.68, 0.62, 0.72, 0.64, 0.10],
    }
)
kinds = np.array(["A"] * 5 + ["B"] * 5)
colours = {"A": PALETTE[4], "B": PALETTE[0]}
marks = {"A": "o", "B": "s"}


def nearest_row(z, labels, n, same, w=1.0):
    """Nearest row of the same, or of another, class."""
    distances = np.sqrt((w**2 * (z - z[n]) ** 2).sum(axis=1))
    distances[(labels == labels[n]) != same] = np.inf
    distances[n] = np.inf
    return distances.argmin()


z = points.to_numpy()
hits = np.array([nearest_row(z, kinds, n, True) for n in range(len(z))])
misses = np.array([nearest_row(z, kinds, n, False) for n in range(len(z))])
margins = hypothesis_margin(points, kinds, scale=False)

fig, ax = plt.subplots(figsize=(7.2, 4.6))
for n, (hit, miss) in enumerate(zip(hits, misses, strict=True)):
    ax.annotate("", z[hit], z[n], arrowprops={"arrowstyle": "->", "color": PALETTE[2], "lw": 1.3,
                "shrinkA": 7, "shrinkB": 7})  # fmt: skip
    ax.annotate("", z[miss], z[n], arrowprops={"arrowstyle": "->", "color": PALETTE[5], "lw": 0.9,
                "ls": "--", "shrinkA": 7, "shrinkB": 7})  # fmt: skip
    ax.annotate(f"{n}: {margins[n]:+.2f}", z[n], (6, 6), textcoords="offset points", fontsize=9)
for kind in "AB":
    ax.plot(*z[kinds == kind].T, marks[kind], color=colours[kind], markersize=9, label=kind)
ax.plot([], [], "-", color=PALETTE[2], label="to the hit")
ax.plot([], [], "--", color=PALETTE[5], label="to the miss")
ax.set(xlabel="width", ylabel="height", xlim=(0, 1.1), ylim=(0, 0.85), aspect="equal")
ax.legend(loc="upper left", bbox_to_anchor=(1, 1), title="class")
report.figure(
    "margins_in_two_dimensions",
    fig,
    caption="Ten rows with the way to their hit and to their miss; number and margin of each row.",
)

# %% [markdown]
# **Look at** row 9, and at its neighbours. Its own margin is very negative. And because it is the
# miss of rows 2 and 3, it enters theirs too: that of row 3 becomes negative. Row 2 keeps
# its margin, since another row of class B is just as far, but its margin *vector* changes, as we
# shall see.
#
# By hand, for row 3:

# %%
n = 3
to_hit, to_miss = (np.linalg.norm(z[n] - z[other]) for other in (hits[n], misses[n]))
print(f"hit: row {hits[n]}, at {to_hit:.3f}; miss: row {misses[n]}, at {to_miss:.3f}")
print(f"margin: ({to_miss:.3f} - {to_hit:.3f}) / 2 = {(to_miss - to_hit) / 2:.3f}")

# %% [markdown]
# ## 10.2 What a row says about the features: its margin vector
#
# Taken feature by feature, $x'_j = |x_j - m(x)_j| - |x_j - h(x)_j|$ says how much feature $j$
# helps this row: positive if it is different in the miss and alike in the hit. Relief scores
# features by the mean of these vectors.
#
# MBIW asks how far the vector of a row is from those of all others, on average, and gives the row
# the weight $\omega \propto 1 / \mathrm{dist}$. All weights sum to 1.

# %%
mbiw = MBIW(scale=False).fit(points, kinds)
vectors = margin_vectors(points, kinds, scale=False)
dist = np.array([np.linalg.norm(vectors - v, axis=1).sum() / (len(z) - 1) for v in vectors])
by_hand = pd.DataFrame(vectors, columns=["x' width", "x' height"]).assign(
    dist=dist, omega=(1 / dist) / (1 / dist).sum(), package=mbiw.instance_weights_
)
by_hand.round(3)

# %%
fig, axes = plt.subplots(1, 2, figsize=(10.4, 4.4))
for ax, place, title in ((axes[0], z, "the rows"), (axes[1], vectors, "their margin vectors")):
    for kind in "AB":
        own = kinds == kind
        ax.scatter(*place[own].T, s=26_000 * mbiw.instance_weights_[own] ** 2, color=colours[kind],
                   marker=marks[kind], alpha=0.6, label=kind)  # fmt: skip
    for n, position in enumerate(place):
        ax.annotate(str(n), position, ha="center", va="center", fontsize=8)
    ax.set_title(title)
axes[0].set(xlabel="width", ylabel="height", xlim=(0, 1.05), ylim=(0, 0.85))
axes[1].plot(*vectors.mean(axis=0), "k+", markersize=14, label="mean")
axes[1].axhline(0, color="grey", linewidth=0.6)
axes[1].axvline(0, color="grey", linewidth=0.6)
axes[1].set(xlabel="x' of width", ylabel="x' of height")
legend = axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
for handle in legend.legend_handles[:2]:
    handle.set_sizes([80])
report.figure(
    "instance_weights",
    fig,
    caption="Instance weights of MBIW as the size of the points (area by the square of the weight), "
    "in the plane of the features and in that of the margin vectors.",
)

# %% [markdown]
# **Look at** the right panel. Most rows agree: height helps ($x'$ around 0.3), width does not. Row 9
# says the opposite, so its weight is small. But rows 2 and 3, whose miss *is* row 9, are far from
# the crowd as well, and lose weight although nothing is wrong with them.
#
# ## 10.3 Simba: climb the margin
#
# Simba gives features weights $w$, used as $\|\mathbf{z}\|_w = \sqrt{\sum_j w_j^2 z_j^2}$. Row by
# row it finds hit and miss *under the present weights* and moves:
#
# $$\Delta_j = \tfrac12 \left[ \frac{(x_j - m_j)^2}{\|\mathbf{x} - m\|_w} -
# \frac{(x_j - h_j)^2}{\|\mathbf{x} - h\|_w} \right] w_j, \qquad
# w \leftarrow w + \omega(\mathbf{x}) \, \Delta$$
#
# Unmodified Simba takes the rows in random order, with $\omega = 1$. SimbaMBIW takes them by
# decreasing $\omega$ (*order*) or draws them by $\omega$ (*sample*), and multiplies the step by
# $\omega$. Since all $\omega$ sum to 1, the size of the steps has two readings: `sum_one`, $\omega$ as
# the paper writes it, and `mean_one`, $\omega$ times the number of rows $N$, so that a step is on
# average as long as Simba's. Here is the whole of it:


# %%
def walk(z, labels, sequence, steps):
    """Weights after each step of Algorithm 1."""
    w, path = np.ones(z.shape[1]), []
    for n, step in zip(sequence, steps, strict=True):
        miss = (z[n] - z[nearest_row(z, labels, n, False, w)]) ** 2
        hit = (z[n] - z[nearest_row(z, labels, n, True, w)]) ** 2
        lengths = np.sqrt(miss @ w**2), np.sqrt(hit @ w**2)
        change = np.zeros_like(w)
        for part, length, sign in ((miss, lengths[0], 0.5), (hit, lengths[1], -0.5)):
            change += sign * part / length if length > 0 else 0.0
        w = w + step * change * w
        path.append(w)
    return np.array(path)


iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
scaled = ((X - X.min()) / (X.max() - X.min())).to_numpy()
omega = MBIW().fit(X, y).instance_weights_
order = np.argsort(-omega, kind="stable")
random = np.random.default_rng(seed).permutation(len(X))
paths = {
    "Simba (steps of 1)": walk(scaled, y, random, np.ones(len(X))),
    "order, N · omega (mean_one)": walk(scaled, y, order, len(X) * omega[order]),
    "order, omega (sum_one)": walk(scaled, y, order, omega[order]),
}
final = paths["order, omega (sum_one)"][-1] ** 2
same = np.allclose(final / final.max(), SimbaMBIW().fit(X, y).feature_weights_)
print("the twelve lines and the package agree:", same)

fig, axes = plt.subplots(1, 3, figsize=(11.5, 3.8))
for ax, (title, path) in zip(axes, paths.items(), strict=True):
    for j, name in enumerate(X.columns):
        ax.plot(path[:, j], color=PALETTE[(4, 1, 5, 2)[j]], linestyle=("-", "--", "-.", ":")[j],
                label=name.removesuffix(" (cm)"))  # fmt: skip
    ax.set(title=title, xlabel="step")
axes[0].set_ylabel("weight w")
axes[2].legend(loc="upper left", bbox_to_anchor=(1, 1))
report.figure(
    "simba_step_by_step",
    fig,
    caption="Weights of the four features of iris during one pass: Simba, and SimbaMBIW in order "
    "with both scales of omega. Mind the vertical axes.",
)

# %% [markdown]
# **Look at** the vertical axes. With $\omega$ as the paper writes it, all steps together are as
# long as *one* of Simba's: the weights hardly leave 1, so hits and misses hardly change, and the
# result is nearly a sum over fixed margins. That is not Simba any more, but a kind of Relief. We
# come back to this in Section 10.8. `omega_scale="mean_one"` makes the steps comparable.
#
# ## 10.4 Two weights in one classifier
#
# The doubly weighted $k$-NN uses $w$ in the distance, and a neighbour votes with its $\omega$.
# Two moons, with a tenth of the labels turned over:

# %%
plane, moon = make_moons(240, noise=0.22, random_state=seed)
rng = np.random.default_rng(seed)
turned = rng.random(len(moon)) < 0.1
given = np.where(moon ^ turned, "lower", "upper")
moons = pd.DataFrame(plane, columns=["x", "y"])
new_plane, new_moon = make_moons(4000, noise=0.22, random_state=seed + 1)
new_moons = pd.DataFrame(new_plane, columns=["x", "y"])
new_kinds = np.where(new_moon, "lower", "upper")
weights = MBIW().fit(moons, given).instance_weights_
machines = {
    "plain 5-NN": KNNClassifier(5).fit(moons, given),
    "votes weighted by omega": DoublyWeightedKNN(5).fit(moons, given, instance_weights=weights),
}
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), sharey=True)
for ax, (name, machine) in zip(axes, machines.items(), strict=True):
    plot_decision_map(machine, moons, given, ax=ax, resolution=120)
    ax.plot(*plane[turned].T, "o", markersize=11, markerfacecolor="none", color="black")
    ax.set_title(f"{name}\n{100 * machine.score(new_moons, new_kinds):.1f} % of new rows right")
    ax.label_outer()
axes[0].get_legend().remove()
report.figure(
    "doubly_weighted_knn",
    fig,
    caption="Decision maps of plain 5-NN and of 5-NN whose neighbours vote with their instance "
    "weight; rings mark rows whose label was turned over.",
)

# %%
ratio = weights[turned].mean() / weights[~turned].mean()
print(f"mean weight of a row with a wrong label over that of the others: {ratio:.2f}")

# %% [markdown]
# **Look at** the ratio. MBIW does notice wrong labels, but it does not silence them: a weight that is
# smaller by a quarter or so rarely changes the mind of five neighbours.
#
# ## 10.5 Kuncheva's index, by hand
#
# Three runs select $k = 3$ of $d = 10$ features. How stable is that?

# %%
subsets = [[0, 1, 2], [0, 1, 5], [0, 7, 8]]
k, d = 3, 10
chance = k**2 / d
lines = []
for i in range(len(subsets)):
    for j in range(i + 1, len(subsets)):
        r = len(set(subsets[i]) & set(subsets[j]))
        lines.append({"pair": f"{i}, {j}", "in common r": r, "by chance k²/d": chance,
                      "(r - k²/d) / (k - k²/d)": (r - chance) / (k - chance)})  # fmt: skip
pairs = pd.DataFrame(lines).set_index("pair")
print("mean of the pairs:", round(pairs.iloc[:, 2].mean(), 4),
      " package:", round(kuncheva_index(subsets, d), 4))  # fmt: skip
pairs.round(3)

# %% [markdown]
# Two random selections of 3 of 10 have $k^2/d = 0.9$ features in common on average. The index
# subtracts this, so that **0 is chance and 1 is perfect agreement**, whatever $k$ is. It is
# undefined for $k = d$: then nothing was selected.

# %%
random_sets = np.random.default_rng(seed)
chances = pd.DataFrame(
    {
        f"d = {d}": {
            f"k = {k}": kuncheva_index([random_sets.permutation(d)[:k] for _ in range(60)], d)
            for k in (1, 3, 7)
        }
        for d in (10, 30, 100)
    }
)
print("60 random selections each:")
chances.round(3)

# %% [markdown]
# ## 10.6 The experiment
#
# The rows are split into halves several times. On each half every method ranks the features, and on
# the other half the doubly weighted 5-NN with the weights is tested. So the runs of a method, two a
# repetition, disagree because they saw different rows. The paper has five repetitions; how many there
# are here depends on the profile and is printed below. Inside each half the same weights are tested
# by 5x2-fold cross-validation too, as in the paper.

# %%
rows = run("stability", size, datasets=names, store=report.folder / "results", compute=compute)
runs = tables.ranking_runs(rows)
names = list(dict.fromkeys(runs["dataset"]))
n_runs = runs.groupby(["dataset", "method"]).size().unique()
counted = " or ".join(str(number) for number in sorted(n_runs))
print(
    f"{len(names)} datasets, {runs['method'].nunique()} methods, {counted} runs of each on a dataset "
    "(two halves a repetition)"
)
pd.Series(RANKINGS, name="method").rename(RANKING_TITLES).to_frame().style.set_properties(
    **{"text-align": "left"}
)

# %%
problems = ranking_problems()
report.table(
    "stability_problems",
    problems,
    caption="Table 1 of the paper: which of its problems are at hand, and where the others can be "
    "got. d, C and N as printed.",
)

# %%
shown = names[:16]
columns = min(4, len(shown))
lines_of = {
    "simba": (PALETTE[7], "-"),
    "sample-sum_one": (PALETTE[4], "-"),
    "order-sum_one": (PALETTE[5], "-"),
    "sample-mean_one": (PALETTE[4], "--"),
    "order-mean_one": (PALETTE[5], "--"),
    "relieff": (PALETTE[2], "-."),
    "mutual-information": (PALETTE[6], "-."),
    "random": (PALETTE[7], ":"),
}
n_lines = -(-len(shown) // columns)
fig, axes = plt.subplots(
    n_lines, columns, figsize=(2.9 * columns + 2.2, 2.5 * n_lines + 0.4), sharey=True, squeeze=False
)
for ax, name in zip(axes.ravel(), shown, strict=False):
    curve = tables.curves(runs, name)
    for method, (colour, dashes) in lines_of.items():
        ax.plot(
            curve.index,
            curve[method],
            dashes,
            color=colour,
            label=RANKING_TITLES[method],
            linewidth=1.4,
        )
    ax.set(title=name, ylim=(-0.25, 1.05))
    if curve.index.max() > 100:
        ax.set_xscale("log")
for ax in axes.ravel()[len(shown) :]:
    ax.set_visible(False)
for ax in axes[:, 0]:
    ax.set_ylabel("Kuncheva's index")
for ax in axes.ravel()[max(0, len(shown) - columns) : len(shown)]:
    ax.set_xlabel("features selected")
axes[0, -1].legend(loc="upper left", bbox_to_anchor=(1.02, 1))
report.figure(
    "stability_curves",
    fig,
    caption="Kuncheva's index of the best features of all runs, against their number. Dotted: a "
    "random ranking.",
)

# %% [markdown]
# **Look at** the dotted line first: it should lie at 0 everywhere, and shows how much the index
# moves by chance with so few runs. Then ask where a curve is high. A curve that starts at 1 says
# that all runs agree on the best feature. Near the right end every method leaves out a handful of
# features, and the index tells whether it is the same handful.
#
# Averaged over all sizes:

# %%
stable = tables.means(runs, "stability")
report.table(
    "stability_means",
    stable.T.rename(RANKING_TITLES).rename_axis("method"),
    caption="Kuncheva's index, averaged over the numbers of features from 1 to d - 1.",
    decimals=3,
)

# %%
errors = 100 * tables.means(runs, "error")
report.table(
    "stability_errors",
    errors.T.rename(RANKING_TITLES).rename_axis("method"),
    caption="Error (%) of the doubly weighted 5-NN on the other half; random: plain 5-NN.",
)

# %%
inside = 100 * tables.means(runs, "inner_error")
report.table(
    "stability_inner_errors",
    (inside - errors).T.rename(RANKING_TITLES).rename_axis("method"),
    caption="Error (%) by cross-validation inside the training half less that on the other half. The "
    "weights have seen the rows they are tested on, but each fold has only half of the neighbours.",
)

# %% [markdown]
# ## 10.7 Figure 1, and a fair reading
#
# The paper counts on how many problems each variant is significantly better or worse than Simba,
# but it does not name the test. Ours is paired, two-sided, at 0.05, over the runs of a dataset:
# Wilcoxon's signed ranks. For stability the value of a run is its mean agreement with all other
# runs of its method, averaged over the sizes; these values average to Kuncheva's index.
#
# The runs are not independent: their training halves overlap, and each run's stability is measured
# against the others. So this test says *significant* too easily. Alpaydın's combined 5x2 *F* test,
# made for such halves, is more careful; both are in the table.

# %%
variants = ["sample-sum_one", "order-sum_one", "sample-mean_one", "order-mean_one"]
figure1 = {
    measure: tables.counts(runs, variants, measure=measure) for measure in ("stability", "error")
}
looks = {"better": PALETTE[2], "equal": "#D9D9D9", "worse": PALETTE[5]}
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=True)
for ax, (measure, table) in zip(axes, figure1.items(), strict=True):
    base = np.zeros(len(table))
    for verdict, colour in looks.items():
        ax.bar(table.index, table[verdict], bottom=base, color=colour, label=verdict, width=0.6)
        for place, (value, low) in enumerate(zip(table[verdict], base, strict=True)):
            if value:
                ax.text(place, low + value / 2, value, ha="center", va="center")
        base += table[verdict].to_numpy()
    ax.set_title({"stability": "(a) stability", "error": "(b) error"}[measure])
    ax.set_xticks(
        range(len(table)), [RANKING_TITLES[name].replace(" ", "\n", 2) for name in table.index]
    )
axes[0].set_ylabel("datasets")
axes[0].yaxis.get_major_locator().set_params(integer=True)
axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1), title="than Simba")
also = ", srbct beside the paper's" if "srbct" in names else ""
report.figure(
    "stability_fig1",
    fig,
    caption=f"As Fig. 1 of the paper, on {len(names)} datasets{also}: on how many is SimbaMBIW better, "
    "equal or worse than Simba (Wilcoxon over the runs, 0.05). Sample and order, with omega as it "
    "is (sum_one, literal) and times the number of rows (omega x n).",
)

# %%
for number in sorted(n_runs):
    print(
        f"With {number} runs the least two-sided p of Wilcoxon's exact test is 2 / 2^{number} = "
        f"{2.0 ** (1 - number):.2g}, reached when all {number} differences have one sign."
    )
print("The fewer runs, the more datasets count as equal for this reason alone.")

# %%
both = pd.concat(
    {
        (measure, test): tables.counts(runs, variants, measure=measure, test=test)
        for measure in ("stability", "error", "inner_error")
        for test in ("wilcoxon", "5x2")
    },
    names=["measure", "test"],
)
report.table(
    "stability_fig1_counts",
    both.rename(RANKING_TITLES)
    .pipe(lambda t: t.set_axis([": ".join(key) for key in t.index]))
    .rename_axis("measure, test, method"),
    caption="Better, equal and worse than Simba by both tests; mean difference to Simba over the "
    "datasets (index, or share of errors) and its 95 % interval by bootstrap of the datasets.",
    decimals=3,
)

# %% [markdown]
# A count does not say *how much*. Each dot below is a dataset:

# %%
fig, axes = plt.subplots(1, 2, figsize=(10.4, 3.4), sharey=True)
for ax, measure, factor in ((axes[0], "stability", 1), (axes[1], "error", 100)):
    gaps = tables.means(runs, measure)
    for place, method in enumerate(variants):
        values = factor * (gaps[method] - gaps["simba"])
        jitter = np.linspace(-0.2, 0.2, len(values)) if len(values) > 1 else [0.0]
        ax.plot(values, place + np.array(jitter), "o", color=PALETTE[4], alpha=0.6, markersize=5)
        line = both.loc[(measure, "wilcoxon", method)]
        ax.plot([factor * line["low"], factor * line["high"]], [place, place], color=PALETTE[5],
                linewidth=2)  # fmt: skip
        ax.plot(factor * line["mean"], place, "D", color=PALETTE[5])
    ax.axvline(0, color="grey", linewidth=0.8)
axes[0].set_yticks(range(len(variants)), [RANKING_TITLES[name] for name in variants])
axes[0].invert_yaxis()
axes[0].set(xlabel="Kuncheva's index, difference to Simba", title="more stable →")
axes[1].set(xlabel="error on the other half, difference in points", title="← fewer errors")
report.figure(
    "stability_effects",
    fig,
    caption="Differences to Simba on each dataset (dots), their mean and its 95 % interval (diamond, "
    "bar).",
)

# %%
for method in variants:
    gain = stable[method] - stable["simba"]
    cost = errors[method] - errors["simba"]
    print(
        f"{RANKING_TITLES[method]:27} stability {gain.mean():+.3f} (from {gain.min():+.3f} on {gain.idxmin()} to "
        f"{gain.max():+.3f} on {gain.idxmax()}), error {cost.mean():+.2f} points"
    )

# %% [markdown]
# The authors report that their variants are significantly less stable on one problem only (*sample*
# on *madelon*), with similar errors. Here:

# %%
for method in ("sample-sum_one", "order-sum_one"):
    for measure, word in (("stability", "less stable"), ("error", "more errors")):
        verdicts = tables.against(runs, method, measure=measure)["verdict"]
        worse = verdicts.index[verdicts == "worse"]
        print(
            f"{RANKING_TITLES[method]}: {word} on {len(worse)} of {len(verdicts)}: {', '.join(worse) or 'none'}"
        )

# %% [markdown]
# **Look at** two pairs: both scales of one strategy, and both panels of one variant. A method that
# draws with replacement sees about two thirds of the rows: that is bagging without the averaging,
# and adds chance to the ranking. And feature weights that hardly leave 1 classify as plain $k$-NN does,
# but for the weights $\omega$ of the votes.
#
# ## 10.8 Where does the stability come from?
#
# The literal method differs from Simba in three ways: its steps are tiny, its order is fixed (or
# drawn by weight), and each row counts by $\omega$. We take them apart. *Simba, steps of 1/n* has a
# random order and no instance weights at all; *MBIW* is the mean of the margin vectors weighted by
# $\omega$, without steps; *mean margin* is their plain mean. And *Sample, each row once* draws
# without replacement, where *Sample* draws with replacement and so never asks about a third of them.

# %%
parts = ["simba", "simba-small", "order-sum_one", "sample-sum_one", "sample-once", "mbiw", "relief"]
report.table(
    "stability_parts",
    pd.concat(
        {
            "stability": stable[parts].mean(),
            "error (%)": errors[parts].mean(),
            "least weight": runs.pivot_table(index="method", values="least_weight")["least_weight"],
            "rank correlation with Order": tables.agreement(runs, "order-sum_one").mean(),
        },
        axis=1,
    )
    .loc[parts]
    .rename(RANKING_TITLES)
    .rename_axis("method"),
    caption="What the literal method is made of, means over the datasets. Least weight: of a feature, "
    "relative to the largest. Rank correlation: Spearman, of rankings from the same rows.",
    decimals=3,
)

# %%
small = tables.counts(runs, ["simba-small", "order-sum_one", "mbiw", "relief"])
omega_alone = tables.counts(
    runs, ["order-sum_one", "sample-sum_one", "sample-once"], control="simba-small"
)
weighting = tables.counts(runs, ["mbiw"], control="relief")
report.table(
    "stability_explained",
    pd.concat({"simba": small, "simba-small": omega_alone, "relief": weighting})
    .pipe(
        lambda t: t.set_axis(
            [f"{RANKING_TITLES[a]} against {RANKING_TITLES[b]}" for b, a in t.index]
        )
    )
    .rename_axis("comparison"),
    caption="Stability: small steps alone against Simba; what omega adds to small steps, and to the "
    "mean of margin vectors.",
    decimals=3,
)

# %%
step_gain = small.loc["simba-small", "mean"]
literal_gain = small.loc["order-sum_one", "mean"]
omega_gain = omega_alone.loc["order-sum_one", "mean"]
print(
    f"more stable than Simba by: small steps alone {step_gain:+.3f}, the literal method "
    f"{literal_gain:+.3f}; omega on top of small steps {omega_gain:+.3f}"
)
report.summary(
    f"SimbaMBIW on {len(names)} datasets: the literal method (order) changes Kuncheva's index by "
    f"{literal_gain:+.3f} against Simba; small steps without any instance weight by "
    f"{step_gain:+.3f}."
)

# %% [markdown]
# **Look at** the rank correlations. If *Simba, steps of 1/n* ranks the features as the literal method does,
# and is as stable, then the instance weights are not what makes it stable: it is that the weights
# do not move. *Sample, each row once* shows the same from another side: with tiny steps the order of
# the rows hardly matters, as long as all are asked. Last, compare the errors of *Simba, steps of 1/n*
# and *SimbaMBIW Order*: their distances are nearly the same, so what differs is that neighbours vote
# by $\omega$.
#
# ## 10.9 Rivals
#
# Stability is cheap to get: a method that always returns the first ten columns is perfectly stable.
# So look at both axes at once.

# %%
fig, ax = plt.subplots(figsize=(7.2, 4.4))
relative = errors.sub(errors["random"], axis=0).mean()
for i, method in enumerate(RANKINGS):
    ax.plot(stable[method].mean(), relative[method], "osD^vP*X<>hd"[i], markersize=9,
            color=[c for c in PALETTE if c != "#F0E442"][i % 7], label=RANKING_TITLES[method])  # fmt: skip
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="Kuncheva's index, mean over datasets and sizes",
       ylabel="error less that of plain 5-NN (points)")  # fmt: skip
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
report.figure(
    "stability_and_error",
    fig,
    caption="Stability of each ranking and error of the 5-NN with its weights, relative to plain "
    "5-NN, means over the datasets. Right and low is good.",
)

# %% [markdown]
# **Look at** who is both right and low. And note what the weighting of features buys here in
# accuracy: compare the vertical axis with the differences between classifiers in notebook 6.
#
# ## Exercises
#
# 1. Move row 9 of Section 10.1 to (0.3, 0.15). How many margins change, and how many become
#    negative?
# 2. For $k = 3$ and $d = 10$, what is the least value that Kuncheva's index of a pair can take? For
#    which $k$ can it reach $-1$?
# 3. Fit `Simba(step=s)` with $s$ from 0.001 to 10 on halves of *sonar* and draw stability against
#    $s$. Where do the methods of Section 10.3 stand?
# 4. Many programs rank features with equal scores in the order of the columns; here their order is
#    random. What happens to the index of mutual information with the former, on a dataset with many
#    useless features?
