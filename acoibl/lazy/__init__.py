"""Lazy classifiers with class-based feature weights: k-NN, d-NN, Gaussian kernel estimator."""

from acoibl.lazy.classifiers import DNNClassifier, GKEClassifier, KNNClassifier

__all__ = ["DNNClassifier", "GKEClassifier", "KNNClassifier"]
