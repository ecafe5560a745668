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
# # 4. Let the whole colony vote
#
# At the end of a search the archives hold $R$ good solutions, and the basic classifier uses one of
# them. Section 7 of the paper asks all: the $i$-th member of an ensemble is made of the $i$-th
# ranked element of each archive, and the $R$ members vote. It costs no further training.
#
# After this notebook you can
#
# - take the members of an ensemble apart, and see where they disagree;
# - count a majority vote by hand, with its rule for ties;
# - say why a vote can be better than its voters, and when it cannot;
# - measure how $q$ steers the diversity of the colony;
# - use the share of the votes as a degree of confidence.
#
# Read notebook 3 first.

# %% tags=["parameters"]
profile = "smoke"
output = ""
seed = 0
n_folds = 3
datasets = ["balance", "breast-w", "iris", "ttt", "wine"]

# %%
import warnings
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from scipy.stats import binom
from sklearn.model_selection import StratifiedKFold, train_test_split

from acoibl import ACOIBLClassifier
from acoibl.colony import majority
from acoibl.datasets import load
from acoibl.plotting import PALETTE, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)


def fit_colony(X, y, *seeds, **settings):
    """ACO k-NN with the default preset and a seed of its own."""
    random_state = np.random.SeedSequence([seed, *seeds])
    with warnings.catch_warnings(action="ignore"):
        return ACOIBLClassifier(random_state=random_state, **settings).fit(X, y)


def ask_members(clf, X_test):
    """Answer of every member to every test row, as class numbers; best-ranked member first."""
    return np.searchsorted(clf.classes_, clf.predict_members(X_test))


# %% [markdown]
# ## 4.1 The members
#
# We train on half of *balance* and look at the best and the worst members.

# %%
balance = load("balance")
X_train, X_test, y_train, y_test = train_test_split(
    balance.X, balance.y, test_size=0.5, stratify=balance.y, random_state=seed
)
clf = fit_colony(X_train, y_train)
members = pd.DataFrame(
    [
        {
            "k": k,
            **{f"class {c}": np.round(w, 2) for c, w in zip(clf.classes_, weights, strict=True)},
        }
        for k, weights in clf.members_
    ],
    index=pd.RangeIndex(1, len(clf.members_) + 1, name="rank"),
)
members["leave-one-out accuracy"] = clf.candidates_.qualities
members.iloc[[0, 1, 2, -2, -1]]

# %% [markdown]
# Each line is a complete classifier: a $k$, and four weights for each of the three classes.
#
# ## 4.2 Where they disagree

# %%
answers = ask_members(clf, X_test)
truth = np.searchsorted(clf.classes_, np.asarray(y_test))
top = np.apply_along_axis(lambda votes: np.bincount(votes).max(), 0, answers)
disputed = np.argsort(top, kind="stable")[:40]
disputed = disputed[np.lexsort((top[disputed], truth[disputed]))]

fig, axes = plt.subplots(2, 1, figsize=(9.6, 5), height_ratios=[1, 14], sharex=True)
colours = ListedColormap([PALETTE[i] for i in (0, 1, 2)])
for ax, values in ((axes[0], truth[disputed][None]), (axes[1], answers[:, disputed])):
    ax.pcolormesh(values, cmap=colours, vmin=-0.5, vmax=2.5, edgecolor="white", linewidth=0.4)
    ax.invert_yaxis()
axes[0].set(yticks=[0.5], yticklabels=["truth"])
axes[1].set(ylabel="rank of the member", xlabel="test row, the 40 most disputed")
axes[1].set_yticks(np.arange(0, 25, 6) + 0.5, np.arange(1, 26, 6))
for i, label in enumerate(clf.classes_):
    axes[0].plot([], [], "s", color=PALETTE[i], label=f"class {label}")
axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3)
report.figure(
    "members_disagree",
    fig,
    caption="What each of the 25 members answers for the 40 most disputed test rows of balance. "
    "Above: the true class.",
)

# %%
print(f"rows on which all members agree: {100 * (top == len(answers)).mean():.1f} %")

# %% [markdown]
# **Look at** one column: the members do not make the same mistakes, so a majority can be right
# where the best one is wrong. The disputed rows need not be few: the line below the picture counts
# those on which all members agree.
#
# ## 4.3 The vote, with ties, by hand
#
# Five members answer four queries. The class with most votes wins. In a tie, **the tied class that
# the best-ranked member voted for** wins. The best-ranked member that voted for *one of the tied
# classes* decides, so an outsider on top does not.

# %%
ballots = pd.DataFrame(
    [
        ["A", "A", "B", "C"],
        ["A", "B", "A", "A"],
        ["B", "B", "A", "B"],
        ["A", "A", "B", "B"],
        ["C", "C", "C", "A"],
    ],
    index=[f"member {i}" for i in range(1, 6)],
    columns=[f"query {i}" for i in range(1, 5)],
)
ballots

# %% [markdown]
# - Query 1: A has 3 votes. A wins.
# - Query 2: A 2, B 2, C 1. Member 1 voted A. A wins.
# - Query 3: A 2, B 2, C 1. Member 1 voted B. B wins.
# - Query 4: A 2, B 2, C 1. Member 1 voted C, which is not tied; member 2 voted A. A wins.

# %%
letters = np.array(["A", "B", "C"])
winners, vote_shares = majority(np.searchsorted(letters, ballots.to_numpy()), n_classes=3)
print("winners:", letters[winners])
pd.DataFrame(vote_shares, index=ballots.columns, columns=letters)

# %%
winners, vote_shares = majority(answers, n_classes=3)
assert (clf.classes_[winners] == clf.predict_ensemble(X_test)).all()
assert np.allclose(vote_shares, clf.predict_proba(X_test), atol=1e-6)
print("our count of the members' answers is what predict_ensemble and predict_proba return")

# %% [markdown]
# ## 4.4 Why a vote can beat its voters
#
# Suppose each of $R$ members is right with probability $p$, *independently* of the others. With two
# classes, the majority is right with probability
#
# $$P = \sum_{i > R/2} \binom{R}{i} \, p^i (1 - p)^{R - i}$$
#
# For $R = 3$ and $p = 0.8$: $0.8^3 + 3 \cdot 0.8^2 \cdot 0.2 = 0.896$. For $R = 25$:

# %%
for p in (0.55, 0.7, 0.8, 0.9):
    print(
        f"p = {p}: majority of 25 independent members is right with P = {binom.sf(12, 25, p):.4f}"
    )

# %% [markdown]
# If that were so, error would all but vanish. But members of one colony are relatives: they learn
# from the same rows and sample around each other's solutions. They fail together. What remains of
# the gain is an empirical question.
#
# ## 4.5 Members, basic classifier, ensemble

# %%
records, confidence = [], []
for number, name in enumerate(datasets):
    data = load(name)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    for fold, (training, testing) in enumerate(folds.split(data.X, data.y)):
        known, labels = data.X.iloc[training], data.y.iloc[training]
        asked, actual = data.X.iloc[testing], np.asarray(data.y.iloc[testing])
        colony = fit_colony(known, labels, number, fold)
        got = colony.classes_[ask_members(colony, asked)]
        shares = colony.predict_proba(asked)
        records.append(
            {
                "dataset": name,
                "members": 100 * (got == actual).mean(axis=1),
                "basic": 100 * (colony.predict_basic(asked) == actual).mean(),
                "ensemble": 100 * (colony.predict_ensemble(asked) == actual).mean(),
            }
        )
        confidence.append(
            pd.DataFrame(
                {
                    "dataset": name,
                    "share": shares.max(axis=1).round(6),
                    "right": colony.predict_ensemble(asked) == actual,
                }
            )
        )
confidence = pd.concat(confidence, ignore_index=True)
per_dataset = pd.DataFrame(
    {
        name: {
            "worst member": np.mean([r["members"] for r in rows], axis=0).min(),
            "mean member": np.mean([r["members"] for r in rows]),
            "basic": np.mean([r["basic"] for r in rows]),
            "ensemble": np.mean([r["ensemble"] for r in rows]),
        }
        for name, rows in ((n, [r for r in records if r["dataset"] == n]) for n in datasets)
    }
).T.rename_axis("dataset")
report.table(
    "ensemble_against_members",
    per_dataset,
    caption=f"Test accuracy (%) of members, basic classifier and ensemble, {n_folds}-fold "
    "cross-validation, preset default.",
    best="max",
)

# %%
fig, ax = plt.subplots(figsize=(7.4, 3.8))
rng = np.random.default_rng(seed)
for i, name in enumerate(datasets):
    spread = np.mean([r["members"] for r in records if r["dataset"] == name], axis=0)
    jitter = rng.uniform(-0.18, 0.18, len(spread))
    ax.plot(i + jitter, spread, "o", color=PALETTE[7], alpha=0.5, markersize=4)
ax.plot(per_dataset["basic"].to_numpy(), "D", color=PALETTE[0], markersize=9, label="basic")
ax.plot(per_dataset["ensemble"].to_numpy(), "*", color=PALETTE[4], markersize=15, label="ensemble")
ax.plot([], [], "o", color=PALETTE[7], alpha=0.5, markersize=4, label="one member")
ax.set_xticks(range(len(datasets)), datasets)
ax.set_ylabel("test accuracy (%)")
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
report.figure(
    "members_basic_ensemble",
    fig,
    caption="Test accuracy of each member (mean over the folds), of the basic classifier and of the "
    "ensemble.",
)

# %%
gain = per_dataset["ensemble"] - per_dataset["basic"]
print(
    f"ensemble better than basic on {(gain > 0).sum()} of {len(gain)} datasets, "
    f"worse on {(gain < 0).sum()}; mean gain {gain.mean():+.2f} points"
)
print(
    f"ensemble better than the mean member on "
    f"{(per_dataset['ensemble'] > per_dataset['mean member']).sum()} of {len(gain)}"
)

# %% [markdown]
# **Look at** the star against the cloud of members. Does it lie at the upper end, or in the middle?
# On easy datasets the members hardly differ, and a vote can gain or lose little. And compare the diamond with
# the cloud: the member with the best leave-one-out accuracy need not be the best on new rows.
#
# ## 4.6 Diversity and $q$
#
# With a small $q$ only the best solutions are followed, and the archive fills with similar ones
# (notebook 2). We measure the *disagreement*: for two members, the share of test rows to which they
# give different answers, averaged over all pairs.

# %%
settings = [0.02, 0.1, 0.25, 0.5, 1.0, 2.0]
lines = []
for q in settings:
    for fold in range(3):
        parts = train_test_split(
            balance.X, balance.y, test_size=0.5, stratify=balance.y, random_state=fold
        )
        colony = fit_colony(parts[0], parts[2], fold, q=q, patience=200)
        got = ask_members(colony, parts[1])
        actual = np.searchsorted(colony.classes_, np.asarray(parts[3]))
        pairs = [(a != b).mean() for a, b in combinations(got, 2)]
        lines.append(
            {
                "q": q,
                "disagreement": 100 * np.mean(pairs),
                "mean member": 100 * (got == actual).mean(),
                "ensemble": 100 * (majority(got, 3)[0] == actual).mean(),
            }
        )
diversity = pd.DataFrame(lines).groupby("q").mean()
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.6))
axes[0].plot(diversity.index, diversity["disagreement"], "o-", color=PALETTE[5])
axes[0].set(ylabel="mean disagreement of two members (%)")
axes[1].plot(
    diversity.index, diversity["mean member"], "o--", color=PALETTE[7], label="mean member"
)
axes[1].plot(diversity.index, diversity["ensemble"], "*-", color=PALETTE[4], label="ensemble")
axes[1].set(ylabel="test accuracy (%)")
axes[1].legend()
for ax in axes:
    ax.set(xscale="log", xlabel="q")
    ax.axvline(0.25, color="grey", linestyle=":", zorder=0)
    ax.set_xticks(settings, [f"{value:g}" for value in settings])
    ax.minorticks_off()
report.figure(
    "diversity_against_q",
    fig,
    caption="Disagreement of the members (left) and accuracy (right) on balance against q, mean of "
    "three splits; dotted: the paper's q = 0.25.",
)

# %% [markdown]
# **Look at** both panels together: the gap between the two lines on the right is what the vote
# adds. It can only be wide where the members disagree.
#
# ## 4.7 The vote as a degree of confidence
#
# `predict_proba` of the ensemble returns the shares of the votes. Is a unanimous answer more often
# right than a narrow one? All test rows of Section 4.5, grouped by the share of the winner:

# %%
groups = pd.cut(
    confidence["share"],
    [0, 0.6, 0.8, 0.9999, 1.0],
    labels=["up to 60 %", "60 to 80 %", "80 to 99 %", "all"],
)
by_share = confidence.groupby(groups, observed=True)["right"].agg(["size", "mean"])
by_share["mean"] *= 100
report.table(
    "confidence",
    by_share.rename_axis("members who agree").rename(
        columns={"size": "test rows", "mean": "accuracy (%)"}
    ),
    caption="Accuracy of the ensemble on the test rows of Section 4.5, by the share of members who "
    "voted for the answer.",
)

# %%
ordered = confidence.sort_values("share", ascending=False, kind="stable")
distinct = np.sort(ordered["share"].unique())[::-1]
kept = np.array([100 * (ordered["share"] >= share).mean() for share in distinct])
right = np.array([100 * ordered.loc[ordered["share"] >= s, "right"].mean() for s in distinct])
fig, ax = plt.subplots(figsize=(6.4, 3.6))
ax.plot(kept, right, "o-", color=PALETTE[4], markersize=4)
ax.set(
    xlabel="rows answered, most certain first (%)",
    ylabel="accuracy on them (%)",
    xlim=(0, 102),
)
report.figure(
    "accuracy_coverage",
    fig,
    caption="Accuracy on the rows that are answered, if rows with a smaller share of the votes are "
    "passed on to a human.",
)

# %% [markdown]
# **Look at** the right end: how much accuracy falls when the least certain rows are answered too. A
# share of 80 % is *not* a probability of 80 % (the members are relatives), but it orders rows by
# difficulty.
#
# ## Exercises
#
# 1. Compute by hand the probability that a majority of three independent members with
#    $p = 0.6, 0.7, 0.8$ is right. Is it higher than that of the best member?
# 2. Give the members weights by rank, for instance $\omega_a$ of Eq. 6 with a $q$ of your choice,
#    and repeat the table of Section 4.5 for one dataset.
# 3. Use `preset="paper"` in Section 4.5. Which suffers more, the basic classifier or the ensemble?
#    Explain with Section 3.8.
# 4. Replace the members by the first 5, 10, 15, 20. How many does one need?
