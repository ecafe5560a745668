"""Tests draw without a screen and leave no figure open."""

import matplotlib as mpl
import pytest


def pytest_configure():
    mpl.use("agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")
