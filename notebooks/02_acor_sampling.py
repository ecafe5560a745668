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
# # 2. ACO_R: ants that sample real numbers
#
# Ant colony optimisation began with paths in graphs. Ants lay pheromone on good paths, and later
# ants follow it. ACO_R carries the idea over to real numbers. Its pheromone is an **archive** of
# the best solutions found so far, and an ant makes a new solution by sampling near one of them.
#
# After this notebook you can
#
# - compute the selection weights of an archive (Eq. 5-7) and say what $q$ does;
# - compute the width of the sampling distribution (Eq. 10) and say what $\xi$ does;
# - draw normal random numbers by hand (Eq. 9) and sample a new solution (Eq. 8);
# - minimise any bounded function with `acoibl.acor.minimize`, also with integer variables.
#
# You need no previous notebook.

# %% tags=["parameters"]
profile = "smoke"
output = ""
seed = 0
n_runs = 8

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from acoibl.acor import Archive, minimize, rank_weights
from acoibl.plotting import PALETTE, plot_selection_ratio, set_style
from acoibl.report import Artifacts

set_style()
report = Artifacts(profile, output)

# %% [markdown]
# ## 2.1 An archive of four solutions
#
# We minimise $f(x, y) = x^2 + 2y^2$. The archive holds $R$ solutions, best first. *Quality* is
# the negative of $f$, since archives keep what is large.


# %%
def f(solution):
    x, y = solution
    return x**2 + 2 * y**2


q, xi = 0.25, 0.85
archive = Archive(size=4, lower=[-4, -4], upper=[4, 4], q=q, xi=xi)
start = np.array([[1.0, 0.5], [-1.0, 1.0], [2.0, -1.0], [-3.0, 0.0]])
archive.fill(start, np.array([-f(solution) for solution in start]))


def show(archive):
    table = pd.DataFrame(archive.solutions, columns=["x", "y"])
    table["f"] = -archive.qualities
    table.index = pd.RangeIndex(1, len(table) + 1, name="rank")
    return table


show(archive)

# %% [markdown]
# ## 2.2 Who is followed (Eq. 5-7)
#
# An ant first chooses one solution as its **guide**. The choice goes by rank, not by the value of
# $f$: the solution of rank $a$ has the weight
#
# $$\omega_a = g(a;\, 1,\, qR), \qquad
# g(y;\, \mu,\, \sigma) = \frac{1}{\sigma \sqrt{2\pi}} \, e^{-\frac{(y - \mu)^2}{2\sigma^2}}
# \qquad \text{(Eq. 6, 7)}$$
#
# and is chosen with probability
#
# $$\Pr(\text{select } s_a) = \frac{\omega_a}{\sum_{r=1}^{R} \omega_r} \qquad \text{(Eq. 5)}$$
#
# Here $qR = 0.25 \cdot 4 = 1$, so $\omega_a$ is the density of the standard normal distribution
# at $a - 1 = 0, 1, 2, 3$.

# %%
rank = np.arange(1, 5)
omega = np.exp(-((rank - 1) ** 2) / (2 * (q * 4) ** 2)) / (q * 4 * np.sqrt(2 * np.pi))
assert np.allclose(omega, rank_weights(4, q))
assert np.allclose(omega / omega.sum(), archive.weights)
pd.DataFrame(
    {"omega": omega, "probability": omega / omega.sum()}, index=pd.Index(rank, name="rank")
).round(4)

# %% [markdown]
# **Look at** the first probability: more than half of the ants follow the best solution.
# The package draws guides with the same probabilities:

# %%
rng = np.random.default_rng(seed)
guides = np.array([archive.guide(rng) for _ in range(10_000)])
drawn = np.bincount(guides, minlength=4) / len(guides)
print("share of 10,000 ants that follow rank 1 to 4:", drawn.round(3))

# %% [markdown]
# How much likelier is the best solution than that of rank $k$? The ratio is
# $r_k = \omega_1 / \omega_k = e^{(k - 1)^2 / (2 q^2 R^2)}$. The paper draws it for $R = 50$.

# %%
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
plot_selection_ratio(axes[0], against="q")
plot_selection_ratio(axes[1], against="rank")
axes[0].set_title("the last rank, against q")
axes[1].set_title("all ranks, for some values of q")
report.figure(
    "fig03_04_selection_ratio",
    fig,
    caption="How many times likelier the best of 50 solutions is to guide an ant than the last "
    "one (left, as Fig. 3) and than the one of rank k (right, as Fig. 4).",
)

# %% [markdown]
# **Look at** the vertical axes, which are logarithmic. With $q = 0.1$ the last solution is
# practically never a guide: the colony *exploits*. With $q = 1$ all ranks have a fair chance: the
# colony *explores*. The paper uses $q = 0.25$.
#
# ## 2.3 How far an ant goes (Eq. 10)
#
# Around the guide $s_a$ the ant samples each variable $j$ from a normal distribution. Its width is
# the mean distance from the guide to the other solutions, times $\xi$:
#
# $$\sigma_{a,j} = \xi \sum_{r=1}^{R} \frac{|s_{a,j} - s_{r,j}|}{R - 1} \qquad \text{(Eq. 10)}$$
#
# By hand, for the best solution as guide and the variable $x$:

# %%
x = archive.solutions[:, 0]
terms = np.abs(x[0] - x)
print("x in the archive:      ", x)
print("distance from the guide:", terms)
print(f"sigma = {xi} * {terms.sum():g} / 3 = {xi * terms.sum() / 3:.4f}")
print("by the package, x and y:", archive.spread(0).round(4))

# %% [markdown]
# So the archive sets its own step width. While the solutions are scattered, steps are long. When
# they draw together, steps become short, and nobody has to plan it.
#
# ## 2.4 A normal random number by hand (Eq. 9)
#
# The Box-Muller transform makes two independent standard normal numbers $b_1, b_2$ from two
# uniform ones $a_1, a_2 \in (0, 1]$:
#
# $$b_1 = \sqrt{-2 \ln(a_1)} \, \cos(2\pi a_2), \qquad b_2 = \sqrt{-2 \ln(a_1)} \, \sin(2\pi a_2)
# \qquad \text{(Eq. 9)}$$
#
# The first factor is a radius, the second an angle. One pair with a calculator:

# %%
a1, a2 = 0.5, 0.125
radius, angle = np.sqrt(-2 * np.log(a1)), 2 * np.pi * a2
print(f"radius {radius:.4f}, angle {np.degrees(angle):.0f} degrees")
print(f"b1 = {radius * np.cos(angle):.4f}, b2 = {radius * np.sin(angle):.4f}")

# %%
u = 1 - np.random.default_rng(seed).random((2, 20_000))  # (0, 1]: the logarithm of 0 is infinite
b = np.sqrt(-2 * np.log(u[0])) * np.cos(2 * np.pi * u[1])
print(f"mean {b.mean():.3f}, standard deviation {b.std():.3f}")

# %%
grid = np.linspace(-4, 4, 201)
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.6))
axes[0].scatter(u[0, :1500], u[1, :1500], s=4, color=PALETTE[4])
axes[0].set(xlabel="$a_1$", ylabel="$a_2$", title="uniform pairs", aspect="equal")
axes[1].hist(b, bins=60, density=True, color=PALETTE[1], label="Box-Muller")
axes[1].plot(grid, np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi), color="black", label="N(0, 1)")
axes[1].set(xlabel="$b_1$", ylabel="density", title="become normal numbers")
axes[1].legend()
report.figure(
    "box_muller",
    fig,
    caption="Box-Muller: uniform pairs on the left; the histogram of the numbers made from them, "
    "with the normal density, on the right.",
)

# %% [markdown]
# **Look at** how closely the histogram follows the curve. The package itself samples with
# `numpy.random.Generator`, which is faster and gives the same distribution.
#
# ## 2.5 One ant, start to end (Eq. 8)
#
# Choose a guide, compute the widths, sample each variable, clip to the bounds:
#
# $$s_j \sim N(s_{a,j},\, \sigma_{a,j}) \qquad \text{(Eq. 8)}$$
#
# The guide is chosen once for the ant, not once for each variable.

# %%
rng = np.random.default_rng(seed)
guide = archive.guide(rng)
new = archive.sample(rng, guide)
print(f"guide: rank {guide + 1}, {archive.solutions[guide]}")
print(f"widths: {archive.spread(guide).round(3)}")
print(f"new solution: {new.round(3)}, f = {f(new):.3f}")

# %% [markdown]
# If it is strictly better than the worst solution, it takes its place by rank, and the worst one
# is forgotten.

# %%
place = archive.insert(new, -f(new))
print("it did not enter" if place < 0 else f"it entered at rank {place + 1}")
show(archive).round(3)

# %% [markdown]
# All choices together, guide by rank and step around it, make one density: a weighted sum of $R$
# Gaussians. *That* is the pheromone. Here it is for the variable $x$ of the first archive.

# %%
archive.fill(start, np.array([-f(solution) for solution in start]))
grid = np.linspace(-8, 8, 401)
fig, ax = plt.subplots(figsize=(7, 3.8))
total = np.zeros_like(grid)
for a in range(4):
    width = archive.spread(a)[0]
    bump = np.exp(-((grid - x[a]) ** 2) / (2 * width**2)) / (width * np.sqrt(2 * np.pi))
    total += archive.weights[a] * bump
    ax.plot(
        grid, archive.weights[a] * bump, color=PALETTE[a if a < 3 else 5], label=f"rank {a + 1}"
    )
    ax.plot([x[a]], [0], "v", color=PALETTE[a if a < 3 else 5], clip_on=False, markersize=8)
ax.plot(grid, total, color="black", linewidth=2, label="sum")
ax.axvspan(-8, -4, color="#EEEEEE")
ax.axvspan(4, 8, color="#EEEEEE")
ax.set(xlabel="x", ylabel="density", xlim=(-8, 8))
ax.set_ylim(bottom=0)
ax.legend(title="guide", loc="upper left")
report.figure(
    "mixture",
    fig,
    caption="Where the next ant may go in x: one Gaussian for each guide (triangles), weighted by "
    "its probability. Grey: outside the bounds; samples that fall there are clipped.",
)

# %% [markdown]
# **Look at** the black line. It has its peak near the best solutions, and long arms in case the
# optimum is elsewhere.
#
# ## 2.6 The colony at work
#
# `minimize` repeats this. We try it on Rastrigin's function, which has a local minimum near every
# pair of integers, and only one that counts, at the origin:
#
# $$f(\mathbf{x}) = \sum_j \left( x_j^2 - 10 \cos(2\pi x_j) + 10 \right)$$


# %%
def rastrigin(x):
    return float(np.sum(x**2 - 10 * np.cos(2 * np.pi * x) + 10))


moments = {}


def remember(state):
    if state.nit in (1, 100, 400, 1500):
        moments[state.nit] = state.archive.solutions.copy()


result = minimize(
    rastrigin, [(-5.12, 5.12)] * 2, max_iter=1500, random_state=seed, callback=remember
)
print(f"best f = {result.fun:.2e} at {result.x.round(4)} after {result.nfev} evaluations")

# %%
axis = np.linspace(-5.12, 5.12, 161)
surface = [[rastrigin(np.array([a, b])) for a in axis] for b in axis]
fig, axes = plt.subplots(1, 4, figsize=(12, 3.5), sharey=True)
for ax, (iteration, solutions) in zip(axes, moments.items(), strict=True):
    ax.set_rasterization_zorder(0)  # the hills as pixels: as paths they make an SVG of 3 MB
    ax.contourf(axis, axis, surface, levels=12, cmap="Greys", alpha=0.6, zorder=-1)
    ax.scatter(*solutions[1:].T, s=26, color=PALETTE[1], edgecolor="black", linewidth=0.5)
    ax.scatter(*solutions[0], s=80, marker="*", color=PALETTE[5], edgecolor="black", zorder=3)
    ax.set(title=f"iteration {iteration}", xlabel="$x_1$", aspect="equal")
axes[0].set_ylabel("$x_2$")
report.figure(
    "archive_over_time",
    fig,
    caption="The archive (25 dots, the best one a star) on Rastrigin's function at four moments; "
    "dark is high.",
)

# %% [markdown]
# **Look at** the cloud: first everywhere, then in some valleys, at last in few or one. Once it
# has collapsed, the steps are tiny and the colony can hardly leave its valley any more. So it may
# end in a wrong one. The parameters $q$ and $\xi$ decide how soon it collapses.

# %%
settings = {"q = 0.05": (0.05, 0.85), "q = 0.25": (0.25, 0.85), "q = 1": (1.0, 0.85)}
settings |= {"xi = 0.4": (0.25, 0.4), "xi = 0.85": (0.25, 0.85), "xi = 1.2": (0.25, 1.2)}
curves, ends = {}, {}
for label, (q_, xi_) in settings.items():
    runs = [
        minimize(
            rastrigin, [(-5.12, 5.12)] * 5, q=q_, xi=xi_, max_iter=2500, random_state=[seed, i]
        )
        for i in range(n_runs)
    ]
    curves[label] = np.median([run.history for run in runs], axis=0)
    ends[label] = [run.fun for run in runs]

fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), sharey=True)
for i, (label, curve) in enumerate(curves.items()):
    ax = axes[i // 3]
    ax.plot(curve, color=PALETTE[(0, 4, 5)[i % 3]], label=label)
for ax, title in zip(axes, ("q, with xi = 0.85", "xi, with q = 0.25"), strict=True):
    ax.set(xlabel="iteration", title=title)
    ax.legend()
axes[0].set_ylabel("best f so far (median run)")
report.figure(
    "q_and_xi_curves",
    fig,
    caption=f"Rastrigin's function in five variables: best value so far, median of {n_runs} runs.",
)

# %%
spans = pd.DataFrame(ends).agg(["min", "median", "max"]).T.rename_axis("setting")
report.table(
    "q_and_xi_ends",
    spans,
    caption=f"Best value after 2,500 iterations, over {n_runs} runs (0 is the optimum).",
    decimals=4,
)

# %% [markdown]
# **Look at** the early and the late part of the curves. Small $q$ and small $\xi$ go down fast and
# then stand still. Large values start slowly and may end lower. There is no best setting
# for all budgets.
#
# ## 2.7 Integers: the $k$ of $k$-NN
#
# Some variables are *ordinal*: $k$ neighbours can be 3 or 4, not 3.6. The rule of ACO_MV-o is
# simple. The archive keeps the real number; only the evaluation sees it rounded. The function
# below is a staircase in $k$.


# %%
def cost(v):
    k = v[0]
    return (k - 12) ** 2 / 10 + 2 * (k % 2)


ordinal = minimize(cost, [(1, 21)], integrality=[True], max_iter=60, random_state=seed)
print("x:", ordinal.x, " f:", ordinal.fun)
print("the archive holds:", ordinal.archive.solutions.ravel()[:6].round(2), "...")

# %%
steps = np.arange(1, 22)
kept = ordinal.archive.solutions.ravel()
fig, ax = plt.subplots(figsize=(7, 3.6))
ax.step(np.append(steps - 0.5, 21.5), [cost([k]) for k in (*steps, 21)], where="post", color="grey")
ax.plot(kept, -ordinal.archive.qualities, "o", color=PALETTE[4], alpha=0.7, label="archive")
ax.set(xlabel="k", ylabel="f", xticks=steps[::2])
ax.legend()
report.figure(
    "ordinal",
    fig,
    caption="An ordinal variable: real numbers in the archive (dots), each with the value of the "
    "integer that it is rounded to (steps).",
)

# %% [markdown]
# **Look at** the dots: they lie anywhere on the tread of a step. Since the archive keeps real
# numbers, its spread does not jump to 0 as soon as all solutions share one $k$.
#
# ## Exercises
#
# 1. Compute $\omega_a$ and the probabilities of Eq. 5 by hand for $R = 3$ and $q = 1/3$. Check with
#    `rank_weights`.
# 2. All solutions of an archive are equal. What is $\sigma$ in Eq. 10, and what can the next ant
#    do? Try it with `Archive`.
# 3. The colony of Section 2.6 samples one solution per iteration. Use `n_ants=10` with a tenth of
#    the iterations. Is it better or worse at the same number of evaluations?
# 4. Minimise Rosenbrock's function in five variables, `scipy.optimize.rosen`, with bounds
#    $\pm 5$. Compare with `scipy.optimize.differential_evolution` at the same number of
#    evaluations.
