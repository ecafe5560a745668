"""Former place of `acoibl.prototypes`, which warns whoever still looks here."""

import warnings
from typing import Any

from acoibl import prototypes


def __getattr__(name: str) -> Any:
    """Take a name from `acoibl.prototypes`, with a warning."""
    if name not in prototypes.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"acoibl.coevolution.comparators.{name} is now acoibl.prototypes.{name}; "
        "the old place goes with the next release but one",
        DeprecationWarning,
        stacklevel=2,
    )
    return getattr(prototypes, name)


def __dir__() -> list[str]:
    """Names that are still found here."""
    return list(prototypes.__all__)
