"""The former place of the classical methods."""

import pytest

from acoibl import prototypes
from acoibl.coevolution import comparators


@pytest.mark.parametrize("name", prototypes.__all__)
def test_old_names_are_found_with_a_warning(name):
    with pytest.warns(DeprecationWarning, match=f"now acoibl.prototypes.{name}"):
        assert getattr(comparators, name) is getattr(prototypes, name)


def test_other_names_are_not():
    assert "WDNNClassifier" in dir(comparators)
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        comparators.Nobody  # noqa: B018
