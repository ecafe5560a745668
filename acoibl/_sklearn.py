"""The one place that imports what scikit-learn keeps to itself, for its estimators' authors.

A release of scikit-learn that moves one of these names breaks this module and no other.
"""

from sklearn.base import _fit_context as fit_context
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    Options,
    RealNotInt,
    StrOptions,
    validate_params,
)
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

__all__ = [
    "HasMethods",
    "Interval",
    "Options",
    "RealNotInt",
    "StrOptions",
    "check_sample_weight",
    "fit_context",
    "safe_indexing",
    "validate_params",
]
