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
# # 1. Distances and lazy classifiers
#
# A lazy classifier keeps the training rows and does nothing else until a question comes. Then it
# asks: *which rows are like this one, and what classes do they have?* Everything depends on what
# "like" means.
#
# After this notebook you can
#
# - compute by hand the distance of two rows that mix numbers and categories (Eq. 1-3);
# - say what scaling, weights, missing values and unseen categories do to it;
# - tell the three classifiers of the paper apart: $k$-NN, $d$-NN and the Gaussian kernel
#   estimator (GKE);
# - explain why rows at *equal* distance must be treated alike, and measure what happens if not.
#
# Equation and figure numbers are those of the paper, "Instance-based classification with Ant
# Colony Optimization". You need no previous notebook.

# %% tags=["parameters"]
profile = "smoke"
output = ""
seed = 0

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import nan_euclidean_distances

from acoibl import DNNClassifier, GKEClassifier, KNNClassifier
from acoibl.comparison import published
from acoibl.datasets import load
from acoibl.distance import heterogeneous_distances
from acoibl.plotting import (
    PALETTE,
    plot_decision_map,
    plot_weight_vs_distance,
    set_style,
)
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)

# %% [markdown]
# ## 1.1 The distance of two rows
#
# The paper extends the Euclidean distance to categories. For two rows $\mathbf{x}_1$ and
# $\mathbf{x}_2$ with $M$ features,
#
# $$d(\mathbf{x}_1, \mathbf{x}_2) = \sqrt{\sum_{j=1}^{M} \phi(x_{1,j}, x_{2,j})^2}
# \qquad \text{(Eq. 1)}$$
#
# $$\phi(x_{a,j}, x_{b,j}) = \begin{cases}
# |x_{a,j} - x_{b,j}| & \text{feature } j \text{ is numeric} \\
# 0 & \text{feature } j \text{ is categorical, and the values are equal} \\
# 1 & \text{feature } j \text{ is categorical, and the values differ} \end{cases}
# \qquad \text{(Eq. 2)}$$
#
# Here are four fruits: two numeric features, two categorical ones.

# %%
fruits = pd.DataFrame(
    {
        "weight": [150.0, 170.0, 120.0, 320.0],
        "sugar": [10.0, 13.0, 8.0, 4.0],
        "colour": ["red", "green", "red", "yellow"],
        "skin": ["smooth", "smooth", "furry", "rough"],
    },
    index=["apple 1", "apple 2", "peach", "pomelo"],
).astype({"colour": "category", "skin": "category"})
fruits

# %% [markdown]
# First we scale each numeric feature to $[0, 1]$: subtract the smallest value, divide by the
# range. The extremes come from the *training* rows only.

# %%
numeric = fruits[["weight", "sugar"]]
scaled = (numeric - numeric.min()) / (numeric.max() - numeric.min())
scaled.round(3)

# %% [markdown]
# Now $\phi$ of Eq. 2 for the two apples, feature by feature, then its square, the sum, the root.

# %%
a, b = "apple 1", "apple 2"
phi = pd.Series(
    {
        "weight": abs(scaled.loc[a, "weight"] - scaled.loc[b, "weight"]),
        "sugar": abs(scaled.loc[a, "sugar"] - scaled.loc[b, "sugar"]),
        "colour": float(fruits.loc[a, "colour"] != fruits.loc[b, "colour"]),
        "skin": float(fruits.loc[a, "skin"] != fruits.loc[b, "skin"]),
    }
)
by_hand = np.sqrt((phi**2).sum())
print(f"by hand: d({a}, {b}) = sqrt({(phi**2).sum():.4f}) = {by_hand:.4f}")
pd.DataFrame({"phi": phi, "phi squared": phi**2}).round(4)

# %% [markdown]
# The package does the same for all pairs at once.

# %%
distances = pd.DataFrame(heterogeneous_distances(fruits), index=fruits.index, columns=fruits.index)
assert np.isclose(distances.loc[a, b], by_hand)
distances.round(4)

# %% [markdown]
# **Look at** the row of *apple 1*: the peach is nearer than the other apple. The two apples differ
# in colour, apple and peach in skin, and either alone costs a full 1. The difference of a numeric
# feature rarely comes near 1, so **categories weigh more than numbers** in Eq. 1. The weights of
# Section 1.3 can put that right.
#
# ## 1.2 Why the numbers are scaled
#
# Without scaling, a feature counts for as much as its unit happens to be small. Grams drown
# everything else.

# %%
readings = {"scaled to [0, 1]": True, "not scaled": False}
fig, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), sharey=True)
for ax, (label, scale) in zip(axes, readings.items(), strict=True):
    whole = heterogeneous_distances(fruits, scale=scale)[0, 1:] ** 2
    left = np.zeros(3)
    for j, feature in enumerate(fruits.columns):
        only = heterogeneous_distances(fruits, scale=scale, feature_weights=np.arange(4) == j)[
            0, 1:
        ]
        ax.barh(fruits.index[1:], only**2 / whole, left=left, color=PALETTE[j], label=feature)
        left += only**2 / whole
    ax.set(title=label, xlabel="share of the squared distance", xlim=(0, 1))
axes[0].set_ylabel("distance from apple 1 to")
axes[1].legend(title="feature", loc="upper left", bbox_to_anchor=(1, 1))
report.figure(
    "scaling",
    fig,
    caption="What each feature contributes to the squared distance from apple 1, with and "
    "without scaling.",
)

# %% [markdown]
# **Look at** the right panel: almost one colour. Without scaling only the weight in grams matters.
# With scaling every feature can take part.
#
# Two details follow from "the extremes come from the training rows":
#
# - a *new* row may lie outside $[0, 1]$, and its $\phi$ may exceed 1;
# - a feature that is constant in training has no range; it contributes 0.

# %%
new_fruit = fruits.iloc[[3]].assign(weight=520.0)
outside = heterogeneous_distances(new_fruit, fruits, feature_weights=[1, 0, 0, 0])
print("weight alone, from a fruit of 520 g to each of the four:", outside.round(3).ravel())

# %% [markdown]
# ## 1.3 Weights
#
# A weight $w_j \ge 0$ says how much feature $j$ counts:
#
# $$d(\mathbf{x}_1, \mathbf{x}_2) = \sqrt{\sum_{j=1}^{M} w_j \, \phi(x_{1,j}, x_{2,j})^2}
# \qquad \text{(Eq. 3)}$$
#
# The weight stands *inside* the sum, outside the square. Weight 0 removes the feature, so feature
# selection is a special case. Let colour count a tenth:

# %%
weights = np.array([1.0, 1.0, 0.1, 1.0])
print("by hand:   ", round(float(np.sqrt((weights * phi**2).sum())), 4))
weighted = pd.DataFrame(
    heterogeneous_distances(fruits, feature_weights=weights),
    index=fruits.index,
    columns=fruits.index,
)
print("by package:", round(weighted.loc[a, b], 4))
pd.DataFrame({"all weights 1": distances.loc[a], "colour 0.1": weighted.loc[a]}).round(3)

# %% [markdown]
# **Look at** the nearest neighbour of *apple 1* in each column: the peach before, the other apple
# now. Weights decide who is near. A good set of weights makes
# rows of one class near to each other. The paper lets an ant colony find it, one set for each
# class: notebooks 2 and 3.
#
# ## 1.4 Missing values and unseen categories
#
# The paper does not say what a missing value means. The package offers three conventions:
#
# | `missing` | $\phi$ when a value is missing |
# |---|---|
# | `"max"` | 1: a missing value is far from everything, even from another missing one |
# | `"category"` | "missing" is one more category, equal to itself; numbers as `"max"` |
# | `"ignore"` | the feature is left out; the sum is scaled by all weights / weights left |
#
# Let the colour of *apple 1* and of *peach* be unknown, and the sugar of *apple 2*.

# %%
gaps = fruits.copy()
gaps.loc[["apple 1", "peach"], "colour"] = None
gaps.loc["apple 2", "sugar"] = np.nan
gaps

# %%
pairs = [("apple 1", "apple 2"), ("apple 1", "peach"), ("apple 1", "pomelo")]
conventions = pd.DataFrame(
    {
        f'missing="{missing}"': pd.DataFrame(
            heterogeneous_distances(gaps, missing=missing), gaps.index, gaps.index
        ).loc[a]
        for missing in ("max", "category", "ignore")
    }
).loc[[other for _, other in pairs]]
report.table(
    "missing_values",
    conventions,
    caption="Distance from apple 1 (colour missing) under the three conventions for missing "
    "values.",
    decimals=4,
)

# %% [markdown]
# **Look at** the row *peach*. Both colours are missing: `"max"` counts 1, `"category"` counts 0,
# and `"ignore"` judges by the three other features only. Check the last one by hand: two apples
# that differ in one known feature out of two are taken to differ that much in all four.

# %%
known = [0, 3]  # weight and skin are the features that both apples have
squared = sum(phi.iloc[j] ** 2 for j in known)
encoded = heterogeneous_distances(gaps, missing="ignore")[0, 1]
print(f"by hand: sqrt({squared:.4f} * 4 / 2) = {np.sqrt(squared * 4 / 2):.4f}")
print(f"package: {encoded:.4f}")

# %% [markdown]
# A category that the training rows do not have differs from every category they have, so $\phi$
# is 1. (Were no colour known at all, a warning would ask whether they are spelt otherwise.)

# %%
new = pd.DataFrame(
    {"weight": 150.0, "sugar": 10.0, "colour": ["blue", "red"], "skin": "smooth"},
    index=["blue apple", "red apple"],
)
pd.DataFrame(heterogeneous_distances(new, fruits), new.index, fruits.index).round(4)

# %% [markdown]
# ## 1.5 Check against others
#
# For numbers alone the distance must agree with SciPy's Euclidean and weighted Minkowski
# distances, and with scikit-learn's `nan_euclidean_distances` when values are missing. For
# categories alone, $d^2 / M$ is SciPy's Hamming distance.

# %%
rng = np.random.default_rng(seed)
table = rng.random((40, 5))
holes = np.where(rng.random(table.shape) < 0.2, np.nan, table)
holes[:, 0] = table[:, 0]  # every pair shares at least one value
w = rng.random(5)
codes = rng.integers(0, 3, size=(40, 6))
letters = pd.DataFrame(codes).astype("category")

checks = pd.Series(
    {
        "scipy euclidean": heterogeneous_distances(table, scale=False) - cdist(table, table),
        "scipy minkowski, p=2, w": heterogeneous_distances(table, feature_weights=w, scale=False)
        - cdist(table, table, "minkowski", p=2, w=w),
        "sklearn nan_euclidean": heterogeneous_distances(holes, missing="ignore", scale=False)
        - nan_euclidean_distances(holes),
        "scipy hamming, times M": heterogeneous_distances(letters) ** 2
        - 6 * cdist(codes, codes, "hamming"),
    },
    name="largest difference",
).map(lambda difference: np.abs(difference).max())
assert (checks < 1e-7).all()
checks.to_frame().style.format("{:.1e}")

# %% [markdown]
# **Look at** the exponents: the differences are rounding errors. (scikit-learn's function takes
# a short cut through dot products and is the least exact of the four.)
#
# ## 1.6 Three ways to vote
#
# Given the distances $d_{si}$ from a query $\mathbf{x}_s$ to every training row, the classifiers
# differ in *who votes* and with *what weight*:
#
# | classifier | who votes | weight of a vote | key parameter |
# |---|---|---|---|
# | $k$-NN | the $k$ nearest rows | 1 | $k$ |
# | $d$-NN | all rows with $d_{si} \le d$ | $1 / d_{si}$ | $d$ |
# | GKE | all rows | $g(0;\, d_{si}, \sigma)$ | $\sigma$ |
#
# with the Gaussian $g(y; \mu, \sigma) = \frac{1}{\sigma\sqrt{2\pi}}
# e^{-(y-\mu)^2 / (2\sigma^2)}$ (Eq. 7). One query, seven training rows on a line:

# %%
rows = pd.DataFrame({"position": [0.0, 0.30, 0.38, 0.45, 0.56, 0.90, 1.0]})
labels = np.array(["A", "A", "A", "B", "B", "A", "B"])
query = pd.DataFrame({"position": [0.48]})
k, radius, sigma = 3, 0.15, 0.1

d = heterogeneous_distances(query, rows)[0]
vote = pd.DataFrame({"class": labels, "distance": d}).sort_values("distance", ignore_index=True)
vote[f"k-NN, k = {k}"] = (vote.index < k).astype(float)
vote[f"d-NN, d = {radius}"] = np.where(vote["distance"] <= radius, 1 / vote["distance"], 0.0)
gaussian = np.exp(-(vote["distance"] ** 2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
vote[f"GKE, sigma = {sigma}"] = gaussian
vote.round(3)

# %%
shares = vote.drop(columns="distance").groupby("class").sum()
by_hand = shares / shares.sum()

classifiers = [
    KNNClassifier(n_neighbors=k),
    DNNClassifier(radius=radius),
    GKEClassifier(bandwidth=sigma),
]
by_package = np.array([c.fit(rows, labels).predict_proba(query)[0] for c in classifiers]).T
assert np.allclose(by_hand, by_package, atol=1e-6)
by_hand.round(3)

# %% [markdown]
# **Look at** the columns: they are the vote shares, and they add up to 1. `predict_proba` returns
# them, `predict` returns the class with the larger share.
#
# Special cases, which the paper leaves open, are settled like this:
#
# - *$d$-NN, distance 0*: $1/0$ is infinite, so rows at distance 0 outvote all others. If there
#   are any, only they vote.
# - *$d$-NN, nobody within $d$*: the largest class of the training rows answers
#   (`outlier="prior"`), or the nearest row (`outlier="nearest"`).
# - *GKE, tiny $\sigma$*: all weights underflow to 0. The package subtracts the smallest $d^2$
#   first, which cancels in the shares. The answer tends to that of the nearest row.
# - *Equal votes*: the tied class that owns the nearest voting row wins.

# %%
far = pd.DataFrame({"position": [0.75]})
answers = {
    'd-NN, d = 0.05, outlier="prior"': DNNClassifier(radius=0.05),
    'd-NN, d = 0.05, outlier="nearest"': DNNClassifier(radius=0.05, outlier="nearest"),
    "GKE, sigma = 0.0001": GKEClassifier(bandwidth=1e-4),
}
pd.DataFrame(
    {name: c.fit(rows, labels).predict_proba(far)[0] for name, c in answers.items()},
    index=["share of A", "share of B"],
).T

# %% [markdown]
# ## 1.7 The weight of a vote against the distance (Fig. 2)

# %%
fig, ax = plt.subplots()
plot_weight_vs_distance(ax)
report.figure(
    "fig02_weight_vs_distance",
    fig,
    caption="Weight of a vote against distance for GKE (several sigma) and d-NN. As Fig. 2 of "
    "the paper.",
)

# %% [markdown]
# **Look at** two ends of the picture. Near distance 0, $1/d$ grows without bound, so $d$-NN
# listens to an almost identical row above all; the Gaussians stay flat there. Far away, a small
# $\sigma$ has already forgotten the row, while $1/d$ falls slowly.
#
# ## 1.8 Ties, and why all of them vote
#
# In categorical data many rows lie at exactly the same distance. *Balance* holds every combination
# of four features with five values each. So a row has $4 \cdot 4 = 16$ neighbours that differ from
# it in one feature, all at distance 1. If $k = 12$: which of the 16 are "the 12 nearest"?

# %%
balance = load("balance")
X, y = balance.X, balance.y
print(balance.name, X.shape, y.value_counts().to_dict())

others = heterogeneous_distances(X)
np.fill_diagonal(others, np.inf)
ordered = np.sort(others, axis=1)
at_the_edge = np.isclose(ordered, ordered[:, [11]]).sum(axis=1)
inside = (ordered < ordered[:, [11]] - 1e-9).sum(axis=1)
pd.DataFrame({"nearer than the 12th": inside, "exactly as far as the 12th": at_the_edge}).agg(
    ["min", "mean", "max"]
)

# %% [markdown]
# A classifier that takes exactly 12 rows must choose among equals, and it chooses by their place
# in the table (`ties="strict"`). Then the answer depends on how the table happens to be sorted.
# With `ties="include"`, the package's choice, every row at the $k$-th distance votes.
#
# We shuffle the rows a few times, predict each row from all others (leave-one-out), and look
# how many predictions change.

# %%
n_shuffles = 6
orders = [np.random.default_rng([seed, i]).permutation(len(X)) for i in range(n_shuffles)]
results = []
for ties in ("include", "strict"):
    answers = []
    for order in orders:
        clf = KNNClassifier(n_neighbors=12, ties=ties).fit(X.iloc[order], y.iloc[order])
        predicted = np.empty(len(X), dtype=object)
        predicted[order] = clf.loo_predict()
        answers.append(predicted)
    answers = np.array(answers)
    accuracy = 100 * (answers == np.asarray(y, dtype=object)).mean(axis=1)
    results.append(
        {
            "ties": ties,
            "lowest accuracy (%)": accuracy.min(),
            "highest accuracy (%)": accuracy.max(),
            "rows whose prediction changed (%)": 100 * (answers != answers[0]).any(axis=0).mean(),
        }
    )
ties_table = pd.DataFrame(results).set_index("ties")
assert ties_table.loc["include", "rows whose prediction changed (%)"] == 0
report.table(
    "ties",
    ties_table,
    caption=f"12-NN on balance, leave-one-out, over {n_shuffles} orders of the same rows.",
)

# %% [markdown]
# **Look at** the last column. Including ties makes the answer a property of the data alone. The
# paper does not say what it did with ties; here is the accuracy that it prints for the plain
# 12-NN on this dataset (10-fold cross-validation):

# %%
print(f"published: {published('table3_knn').loc['balance', 'knn_k12']:.2f} %")

# %% [markdown]
# ## 1.9 Maps of decisions
#
# Two features of *iris* span a map; each classifier colours it. The upper row has a small key
# parameter, the lower row a large one.

# %%
iris = load("iris")
two = iris.X.iloc[:, :2]
small_and_large = [
    [KNNClassifier(1), DNNClassifier(0.05), GKEClassifier(0.02)],
    [KNNClassifier(45), DNNClassifier(0.6), GKEClassifier(0.5)],
]
names = {"n_neighbors": "k-NN, k", "radius": "d-NN, d", "bandwidth": "GKE, sigma"}
fig, axes = plt.subplots(2, 3, figsize=(10, 6), sharex=True, sharey=True)
for line, ax_line in zip(small_and_large, axes, strict=True):
    for clf, ax in zip(line, ax_line, strict=True):
        plot_decision_map(clf.fit(two, iris.y), two, iris.y, ax=ax, resolution=90)
        key = next(name for name in names if name in clf.get_params())
        ax.set_title(f"{names[key]} = {getattr(clf, key)}")
        ax.label_outer()
        if ax is not axes[0, 2]:
            ax.get_legend().remove()
report.figure(
    "decision_maps",
    fig,
    caption="Decision maps of the three classifiers on two features of iris; upper row: small "
    "key parameter, lower row: large.",
)

# %% [markdown]
# **Look at** the borders: wiggly above, smooth below. And look at $d$-NN with the small radius:
# far from all points nobody votes, and the largest class answers everywhere out there (in iris
# all classes are equally large, so the first one does).
#
# How to choose? Leave-one-out accuracy for a whole grid of settings costs one pass over the
# distances:

# %%
grid = np.arange(1, 61)
accuracy = (KNNClassifier().fit(two, iris.y).loo_predict(grid) == np.asarray(iris.y)).mean(axis=1)
fig, ax = plt.subplots(figsize=(6.4, 3.2))
ax.plot(grid, 100 * accuracy, "o-", markersize=3, color=PALETTE[4])
ax.set(xlabel="k", ylabel="leave-one-out accuracy (%)")
report.figure(
    "loo_grid",
    fig,
    caption="Leave-one-out accuracy of k-NN on two features of iris against k.",
)

# %% [markdown]
# **Look at** the right half: its ups and downs are a few of 150 rows, so that many settings are equally
# good, up to the noise. Notebook 5 does this
# for all datasets, and asks for the setting that is best on average.
#
# ## Exercises
#
# 1. Compute by hand the distance between *peach* and *pomelo* with all weights 1. Which feature
#    contributes least?
# 2. Which weight of colour makes *apple 2* and the *peach* equally near to *apple 1*, if all other
#    weights are 1? Solve the equation by hand, then check with `heterogeneous_distances`.
# 3. In Section 1.6, move the query from 0 to 1 in small steps and plot the share of class A for
#    each of the three classifiers. Which curve is smooth, which has steps, and why?
# 4. Repeat Section 1.8 with $k = 1$ and on *iris*. Why do ties matter less there?
