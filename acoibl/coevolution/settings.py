"""The two readings of CIW-NN, by name."""

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "test_uses_selection": True,
        "refresh_best": False,
        "fast_threshold": False,
        "crossover_pool": "parents",
        "iw_scale": "nearer",
        "nominal": "overlap",
        "missing": "max",
        "clip": False,
        "initial_ones": "random",
        "survivors": "parents",
        "restart": "flip",
        "idle_generations": 3,
        "mutation_unit": "child",
        "gene_probability": "one",
        "mutation_clock": "budget",
        "budget": "strict",
    },
    "keel": {
        "test_uses_selection": False,
        "refresh_best": False,
        "fast_threshold": False,
        "crossover_pool": "chain",
        "iw_scale": "nearer",
        "nominal": "ordinal",
        "missing": "zero",
        "clip": True,
        "initial_ones": "exact",
        "survivors": "offspring",
        "restart": "redraw",
        "idle_generations": 0,
        "mutation_unit": "pair",
        "gene_probability": 0.01,
        "mutation_clock": "epoch",
        "budget": "cycle",
    },
}
"""Values that parameters left at None take.

``"paper"`` is what the authors describe, ``"keel"`` what their program in the software KEEL does;
both have the same distance, fitness, populations and epochs.
"""
