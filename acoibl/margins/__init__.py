"""Margins: weights of instances and features (MBIW, Simba, SimbaMBIW), and their stability."""

from acoibl.margins.classifier import DoublyWeightedKNN
from acoibl.margins.margin import hypothesis_margin, margin_vectors
from acoibl.margins.selectors import MBIW, Simba, SimbaMBIW
from acoibl.margins.stability import kuncheva_index, stability_curve

__all__ = [
    "MBIW",
    "DoublyWeightedKNN",
    "Simba",
    "SimbaMBIW",
    "hypothesis_margin",
    "kuncheva_index",
    "margin_vectors",
    "stability_curve",
]
