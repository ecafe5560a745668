"""Tests draw without a screen, leave no figure open, and have time."""

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, settings

# What hypothesis draws is judged by what comes out, not by how long that takes.
settings.register_profile("timeless", deadline=None, suppress_health_check=[HealthCheck.too_slow])


def pytest_configure():
    mpl.use("agg")
    settings.load_profile("timeless")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
