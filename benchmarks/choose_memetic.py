"""Choose the memetic default on datasets outside the paper's 36.

``python benchmarks/choose_memetic.py run CONFIG ...`` measures configurations (and rivals) on the
part for choosing, two processes, one line per answer appended to RESULTS; what is there already is
skipped. ``... table`` compares them. ``--cap``, ``--folds``, ``--part``, ``--only``, ``--seed``
change what is run.
"""

import argparse
import itertools
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from outside_data import STUDIED, names, parts, table
from scipy.stats import wilcoxon
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from acoibl import ACOIBLClassifier
from acoibl.encoding import MixedEncoder
from acoibl.kernels.objective import Objective
from acoibl.memetic import MemeticClassifier, committee
from acoibl.memetic.parametrisation import ClassDeviations
from acoibl.memetic.problem import MeasuredRows
from acoibl.memetic.search import Fitness, best_scale, descend
from acoibl.memetic.starts import log_weights
from acoibl.rulers import FeatureRulers

RESULTS = Path(os.environ.get("ACOIBL_LAB", "reports/presets")) / "memetic.csv"

BASE = {
    "numeric": "both", "categorical": "both", "mismatch_share": 0.2, "smoothing": "counts",
    "loo_label": True, "loss": "log_loss", "mix": 0.02, "spread": 1.0, "class_spread": 0.5,
    "n_steps": 6, "n_ants": 1, "jitter": 0.1,
    "p": (2,), "missing": "max", "start": "uniform", "dtype": "float64",
    "kmax": 30, "path": None, "latin": None,
}  # fmt: skip


def variant(**changes):
    unknown = set(changes) - set(BASE)
    assert not unknown, unknown
    return {**BASE, **changes}


LATIN = {
    "p": (2, 1), "class_spread": (0.0, 0.5), "loss": ("log_loss", "brier"),
    "latin": ((2, "log_loss", 0.0), (2, "brier", 0.5), (1, "brier", 0.0), (1, "log_loss", 0.5)),
}  # fmt: skip
"""Four members: each power with each loss, one of each pair with a shared vector."""

CONFIGS = {
    "L-m1": variant(**LATIN, smoothing=1.0),
    "L-4": variant(**LATIN, n_steps=4),
    "L-9": variant(**LATIN, n_steps=9),
    "L-t2": variant(**LATIN, spread=2.0),
    "L-share4": variant(**LATIN, mismatch_share=0.4),
    "L-2ants": variant(**LATIN, n_ants=2, jitter=0.3),
    "L-0": variant(**LATIN, n_steps=0),
    "G6": variant(),
    "scout": variant(smoothing=1.0, loo_label=False),
    "scout9": variant(smoothing=1.0, loo_label=False, mismatch_share=1 / 9),
    "G6-f32": variant(dtype="float32"),
    "G6-p1": variant(p=(1,)),
    "G6-p12": variant(p=(2, 1)),
    "G4-p12": variant(p=(2, 1), n_steps=4),
    "G8-p12": variant(p=(2, 1), n_steps=8),
    "G12-p12": variant(p=(2, 1), n_steps=12),
    "G20-p12": variant(p=(2, 1), n_steps=20),
    "8x5": variant(n_steps=5, n_ants=8),
    "4x6-p12": variant(n_steps=6, n_ants=4, p=(2, 1)),
    "4x6-p12-j3": variant(n_steps=6, n_ants=4, p=(2, 1), jitter=0.3),
    "brier-p12": variant(p=(2, 1), loss="brier"),
    "margin-p12": variant(p=(2, 1), loss="margin"),
    "mi-p12": variant(p=(2, 1), start="mutual"),
    "shared-p12": variant(p=(2, 1), class_spread=0.0),
    "tc1-p12": variant(p=(2, 1), class_spread=1.0),
    "tc3-p12": variant(p=(2, 1), class_spread=0.3),
    "t2-p12": variant(p=(2, 1), spread=2.0),
    "t.5-p12": variant(p=(2, 1), spread=0.5),
    "k60-p12": variant(p=(2, 1), kmax=60),
    "mix10-p12": variant(p=(2, 1), mix=0.1),
    "path036-p12": variant(p=(2, 1), path=(0, 3, 6)),
    "path246-p12": variant(p=(2, 1), path=(2, 4, 6)),
    "path4812-p12": variant(p=(2, 1), n_steps=12, path=(4, 8, 12)),
    "path0-12-p12": variant(p=(2, 1), n_steps=12, path=(0, 2, 4, 8, 12)),
    "lb-p12": variant(p=(2, 1), loss=("log_loss", "brier")),
    "lbm-p12": variant(p=(2, 1), loss=("log_loss", "brier", "margin")),
    "b4-p12": variant(p=(2, 1), loss="brier", n_steps=4),
    "lb-path-p12": variant(p=(2, 1), loss=("log_loss", "brier"), path=(0, 3, 6)),
    "lb-path0-12-p12": variant(
        p=(2, 1), loss=("log_loss", "brier"), n_steps=12, path=(0, 2, 4, 8, 12)
    ),
    "sc-p12": variant(p=(2, 1), class_spread=(0.0, 0.5)),
    "sclb-p12": variant(p=(2, 1), class_spread=(0.0, 0.5), loss=("log_loss", "brier")),
    "sclb-m1-p12": variant(
        p=(2, 1), class_spread=(0.0, 0.5), loss=("log_loss", "brier"), smoothing=1.0
    ),
    "sc-G10-p12": variant(p=(2, 1), class_spread=(0.0, 0.5), n_steps=10),
    "scl-mi-p12": variant(p=(2, 1), class_spread=(0.0, 0.5), start="mutual"),
    "sclb-rulers": variant(
        p=(2, 1), class_spread=(0.0, 0.5), loss=("log_loss", "brier"), numeric=("both", "rank")
    ),
    "sclb-cats": variant(
        p=(2, 1),
        class_spread=(0.0, 0.5),
        loss=("log_loss", "brier"),
        categorical=("both", "mismatch"),
    ),
    "sclb-share4": variant(
        p=(2, 1), class_spread=(0.0, 0.5), loss=("log_loss", "brier"), mismatch_share=0.4
    ),
    "latin": variant(
        p=(2, 1),
        class_spread=(0.0, 0.5),
        loss=("log_loss", "brier"),
        latin=((2, "log_loss", 0.5), (2, "brier", 0.0), (1, "brier", 0.5), (1, "log_loss", 0.0)),
    ),
    "latin2": variant(
        p=(2, 1),
        class_spread=(0.0, 0.5),
        loss=("log_loss", "brier"),
        latin=((2, "log_loss", 0.0), (2, "brier", 0.5), (1, "brier", 0.0), (1, "log_loss", 0.5)),
    ),
    "G12-p1": variant(p=(1,), n_steps=12),
    "m1-p12": variant(p=(2, 1), smoothing=1.0),
    "m1-loo": variant(smoothing=1.0),
    "counts-noloo": variant(loo_label=False),
    "m5-loo": variant(smoothing=5.0),
    "m20-loo": variant(smoothing=20.0),
    "cat-mismatch": variant(categorical="mismatch"),
    "vdm": variant(categorical="vdm"),
    "mm": variant(numeric="minmax"),
    "rank": variant(numeric="rank"),
    "std": variant(numeric="standard"),
    "MM": variant(numeric="minmax", categorical="mismatch"),
    "share4": variant(mismatch_share=0.4),
    "share1": variant(mismatch_share=0.1),
}


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def fit_answers(X, y, X_test, config, seed=0):
    """Posteriors of every answer: {name: (test, leave-one-out)}, and facts."""
    encoder = MixedEncoder(missing=config["missing"]).fit(X)
    data, test = encoder.encode(X), encoder.encode(X_test)
    labels, codes = np.unique(y, return_inverse=True)
    n, n_classes = len(y), len(labels)
    rng = np.random.default_rng(seed)
    sums, facts, n_members = {}, {"n_gradients": 0}, 0
    for p, numeric, categorical in itertools.product(
        config["p"], as_tuple(config["numeric"]), as_tuple(config["categorical"])
    ):
        rulers = FeatureRulers(
            numeric,
            categorical,
            mismatch_share=config["mismatch_share"],
            smoothing=config["smoothing"],
            p=p,
        ).fit(data, codes, n_classes)
        rows = MeasuredRows(data, codes, n_classes, rulers, np.dtype(config["dtype"]).type)
        everyone = np.arange(n)
        inner = rows.left_out(everyone) if config["loo_label"] else _plain(rows, everyone)
        outer = rows.asked(test)
        for loss, class_spread in itertools.product(
            as_tuple(config["loss"]), as_tuple(config["class_spread"])
        ):
            if config["latin"] and (p, loss, class_spread) not in config["latin"]:
                continue
            objective = Objective(inner, rows.classes, loss=loss, mix=config["mix"])
            shape = ClassDeviations(n_classes, rulers.n_features_, config["spread"], class_spread)
            fitness = Fitness(objective, shape, n)
            shared = None
            if config["start"] == "mutual":
                shared = log_weights("mutual_information", data, codes)
            even = shape.weights(shape.start(0.0, shared))
            start = shape.start(best_scale(objective, even), shared)
            for ant in range(config["n_ants"]):
                theta = start.copy()
                if ant:
                    theta += config["jitter"] * rng.standard_normal(len(theta))
                path = descend(fitness.value_and_gradient, theta, config["n_steps"])
                path += path[-1:] * (config["n_steps"] + 1 - len(path))
                for theta in [path[i] for i in config["path"] or (-1,)]:
                    n_members += 1
                    weights = shape.weights(theta)
                    answers = member_answers(
                        inner, outer, weights, rows, objective.prior, config["kmax"]
                    )
                    for name, pair in answers.items():
                        add = sums.setdefault(name, [0.0, 0.0])
                        add[0], add[1] = add[0] + pair[0], add[1] + pair[1]
            facts["n_gradients"] += fitness.n_gradients
            facts.setdefault("scale", start[0])
    out = {}
    for name, (outside, inside) in sums.items():
        out[name] = (outside / n_members, inside / n_members)
    for parts_ in ("gk", "gw", "gkw"):
        out[parts_] = tuple(sum(out[c][i] for c in parts_) / len(parts_) for i in (0, 1))
    return out, rows.classes, labels, facts


def _plain(rows, everyone):
    tables = rows.rulers.tables(rows._codes)
    return rows._measure(rows._columns, tables, everyone.astype(np.int64))


def member_answers(inner, outer, weights, rows, prior, kmax):
    """g, k, w of one set of weights, outside and by leave-one-out."""
    most = max(1, min(kmax, len(rows.classes) - 2))
    voters = committee.Voters(rows.classes, rows.starts, prior, most)
    inside, outside = (
        committee.posteriors_by_neighbours(distances, weights, voters, committee.MEMBERS)
        for distances in (inner, outer)
    )
    found = {}
    for name, member in (("g", "gke"), ("k", "knn"), ("w", "weighted")):
        best = int(np.argmin(committee.log_loss(inside[member], rows.classes)))
        found[name] = (outside[member][best], inside[member][best])
    return found


def measure_ours(X, y, X_test, y_test, config):
    clock = time.perf_counter()
    answers, inner_targets, labels, facts = fit_answers(X, y, X_test, config)
    seconds = time.perf_counter() - clock
    lines = []
    for name, (outside, inside) in answers.items():
        temperature = committee.best_temperature(inside, inner_targets)
        tempered = committee.temper(outside, temperature)
        lines.append({
            "answer": name, "loo": float((inside.argmax(axis=1) == inner_targets).mean()),
            "temperature": temperature, "seconds": seconds, **facts,
            **score(outside, labels, y_test),
            **{f"t_{k}": v for k, v in score(tempered, labels, y_test).items()},
        })  # fmt: skip
    return lines


def score(posterior, labels, y_test):
    place = np.searchsorted(labels, y_test)
    known = (place < len(labels)) & (labels[np.minimum(place, len(labels) - 1)] == y_test)
    truth = np.where(known, posterior[np.arange(len(y_test)), np.where(known, place, 0)], 0.0)
    return {
        "right": int((labels[posterior.argmax(axis=1)] == y_test).sum()), "n": len(y_test),
        "ll": float(-np.log(np.clip(truth, 1e-15, 1)).sum()),
        "ll3": float(-np.log(np.clip(truth, 1e-3, 1)).sum()),
    }  # fmt: skip


def rival_lines(rival, X, y, X_test, y_test, seed):
    clock = time.perf_counter()
    model, loo = RIVALS[rival](X, y, seed)
    seconds = time.perf_counter() - clock
    posterior = model.predict_proba(X_test)
    labels = np.asarray(model.classes_).astype(str)
    line = score(posterior, labels, y_test)
    line["right"] = int((np.asarray(model.predict(X_test)).astype(str) == y_test).sum())
    return [{"answer": "", "loo": loo, "seconds": seconds, **line}]


def tuned(X, y, seed):
    """k-NN, d-NN and GKE on their grids and scales, the best by leave-one-out."""
    from acoibl.experiments.algorithms import BASES, GRIDS, KEYS

    best = (-1.0, None)
    for base, grid in GRIDS.items():
        for scale in ("none", "sum_one", "sum_m")[: 1 if base == "knn" else 3]:
            model = BASES[base](weight_scale=scale).fit(X, y)
            right = (model.loo_predict(list(grid)) == y).mean(axis=1)
            if right.max() > best[0]:
                best = (right.max(), model.set_params(**{KEYS[base]: grid[int(right.argmax())]}))
    return best[1], float(best[0])


def tuned_knn(X, y, seed):
    from acoibl.experiments.algorithms import GRIDS

    from acoibl.lazy import KNNClassifier

    model = KNNClassifier().fit(X, y)
    right = (model.loo_predict(list(GRIDS["knn"])) == y).mean(axis=1)
    return model.set_params(n_neighbors=GRIDS["knn"][int(right.argmax())]), float(right.max())


def _numbers():
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True),
                       StandardScaler()),
         make_column_selector(dtype_include="number")),
        (make_pipeline(SimpleImputer(strategy="most_frequent", keep_empty_features=True),
                       OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
         make_column_selector(dtype_exclude="number")),
    )  # fmt: skip


def forest(X, y, seed):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline

    return make_pipeline(_numbers(), RandomForestClassifier(500, random_state=seed)).fit(
        X, y
    ), np.nan


def nca(X, y, seed):
    from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
    from sklearn.pipeline import make_pipeline

    before = make_pipeline(_numbers(), NeighborhoodComponentsAnalysis(init="identity", max_iter=50))
    Z = before.fit(X, y).transform(X)
    near = KNeighborsClassifier(min(22, len(y) - 1)).fit(Z, y).kneighbors(Z, return_distance=False)
    labels, codes = np.unique(y, return_inverse=True)
    votes = np.cumsum(np.eye(len(labels))[codes[near[:, :21]]], axis=1)
    near = (
        KNeighborsClassifier()
        .fit(Z, y)
        .kneighbors(n_neighbors=min(21, len(y) - 1), return_distance=False)
    )
    votes = np.cumsum(np.eye(len(labels))[codes[near]], axis=1)
    right = (votes.argmax(axis=2) == codes[:, np.newaxis]).mean(axis=0)
    k = int(right.argmax()) + 1
    return make_pipeline(before, KNeighborsClassifier(k).fit(Z, y)), float(right.max())


def colony(base):
    def fit(X, y, seed):
        model = ACOIBLClassifier(base, random_state=seed).fit(X, y)
        return model, float(model.loo_accuracy_)

    return fit


def memetic(X, y, seed):
    model = MemeticClassifier().fit(X, y)
    return model, model.loo_accuracy_


RIVALS = {"tuned": tuned, "tuned-knn": tuned_knn, "forest": forest, "nca": nca,
          "aco-knn": colony("knn"), "aco-gke": colony("gke"), "memetic": memetic}  # fmt: skip


def work(name, fold, cap, n_folds, seed, configs):
    """Lines of the configurations on one fold."""
    warnings.simplefilter("ignore")
    X, y = cached_table(name, cap)
    train, test = list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(X, y))[fold]
    lines = []
    threadpool_limits(1)
    for config in configs:
        args = (
            X.iloc[train].reset_index(drop=True),
            y[train],
            X.iloc[test].reset_index(drop=True),
            y[test],
        )
        if config in RIVALS:
            found = rival_lines(config, *args, seed=fold)
        else:
            found = measure_ours(*args, CONFIGS[config])
        head = {"dataset": name, "cap": cap, "n_folds": n_folds, "fold": fold, "config": config}
        lines += [{**head, **line} for line in found]
    return lines


def cached_table(name, cap):
    path = Path(os.environ["ACOIBL_OUTSIDE"]) / "tables" / f"{name}-{cap}.pkl"
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        pd.to_pickle(table(name, cap), path)
    return pd.read_pickle(path)


COLUMNS = [
    "dataset",
    "cap",
    "n_folds",
    "fold",
    "config",
    "answer",
    "right",
    "n",
    "ll",
    "ll3",
    "t_right",
    "t_n",
    "t_ll",
    "t_ll3",
    "temperature",
    "loo",
    "seconds",
    "n_gradients",
    "n_values",
    "scale",
]


def datasets(options):
    if options.only:
        return options.only.split(",")
    if options.part == "study":
        return [n if n != "soybean-full" else "soybean-rest" for n in STUDIED]
    return [name for name in names() if parts()[name] == options.part]


def run(options):
    done = set()
    if RESULTS.is_file():
        seen = pd.read_csv(RESULTS, usecols=["dataset", "cap", "n_folds", "fold", "config"])
        done = set(map(tuple, seen.drop_duplicates().to_numpy()))
    jobs = []
    for name, fold in itertools.product(datasets(options), range(options.use or options.folds)):
        left = [
            c for c in options.configs if (name, options.cap, options.folds, fold, c) not in done
        ]
        if left:
            jobs.append((name, fold, options.cap, options.folds, options.seed, left))
    runner = Parallel(n_jobs=options.jobs, return_as="generator_unordered", batch_size=1)
    for lines in runner(delayed(work)(*job) for job in jobs):
        out = pd.DataFrame(lines).reindex(columns=COLUMNS)
        out.to_csv(RESULTS, mode="a", header=not RESULTS.is_file(), index=False)


def accuracies(options, tempered=False):
    """Accuracy and log losses by dataset and variant, folds pooled."""
    results = pd.read_csv(RESULTS, keep_default_na=False, na_values=[""])
    results["answer"] = results["answer"].fillna("")
    results = results[(results.cap == options.cap) & (results.n_folds == options.folds)]
    results = results[results.dataset.isin(datasets(options))]
    if options.use:
        results = results[results.fold < options.use]
    results["variant"] = results.config + np.where(results.answer == "", "", " ") + results.answer
    shown = results.config.unique()
    if options.match:
        wanted = [*options.match.split(","), options.against or "", *RIVALS]
        results = results[
            [any(v == m or (v.startswith(m + " ")) for m in wanted) for v in results.variant]
        ]
        shown = results.config.unique()
    complete = results.groupby(["dataset", "fold"]).config.transform("nunique") == len(shown)
    results = results[complete]
    for c in ("ll", "ll3"):
        results[f"t_{c}"] = results[f"t_{c}"].fillna(results[c])
    sums = results.groupby(["dataset", "variant"])[
        ["right", "n", "ll", "ll3", "t_ll", "t_ll3"]
    ].sum()
    out = sums.div(sums["n"], axis=0)
    out["right"] *= 100
    facts = results.groupby("variant")[["seconds", "loo"]].mean()
    return out, facts


def by_variant(out, column):
    """Lines are datasets, columns variants."""
    return out.reset_index().pivot_table(index="dataset", columns="variant", values=column)


def compare(options):
    out, facts = accuracies(options)
    wide = by_variant(out, "right")
    wide = wide.loc[:, wide.notna().all()]
    logs = {c: by_variant(out, c) for c in ("ll", "t_ll", "t_ll3")}
    rows = []
    keep = list(wide)
    ranks = wide[keep].rank(axis=1, ascending=False).mean()
    for v in keep:
        row = {
            "variant": v,
            "mean": wide[v].mean(),
            "loo": 100 * facts.loo[v],
            "rank": ranks[v],
            "sec": facts.seconds[v],
        }
        for c in logs:
            row[c] = logs[c][v].mean()
        for rival in ("tuned", "tuned-knn", "forest", "aco-gke", options.against):
            if rival in wide and rival != v:
                gap = wide[v] - wide[rival]
                p = wilcoxon(gap).pvalue if (gap != 0).any() else 1.0
                row[f"vs {rival}"] = (
                    f"{gap.mean():+.2f} p{p:.3f} {(gap > 0).sum()}/{(gap < 0).sum()}"
                )
        if "tuned-knn" in wide:
            gap = (wide[v] - wide["tuned-knn"]).sort_values()
            row["worst"] = " ".join(f"{n}{g:.1f}" for n, g in gap.head(4).items())
        rows.append(row)
    print(len(wide), "datasets")
    with pd.option_context("display.width", 300, "display.max_colwidth", 80):
        print(pd.DataFrame(rows).sort_values("mean").round(3).to_string(index=False))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["run", "table", "data"])
    parser.add_argument("configs", nargs="*")
    parser.add_argument("--cap", type=int, default=500)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--use", type=int, default=0, help="first folds only")
    parser.add_argument("--part", default="choose")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0, help="of the folds; a file for each")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--match")
    parser.add_argument("--against")
    options = parser.parse_args()
    if options.seed:
        global RESULTS
        RESULTS = RESULTS.with_stem(f"memetic-{options.seed}")
    if options.action == "run":
        run(options)
    elif options.action == "table":
        compare(options)
    else:
        out, _ = accuracies(options)
        wide = by_variant(out, "right")
        print(wide[options.configs or list(wide)].round(1).to_string())


if __name__ == "__main__":
    main()
