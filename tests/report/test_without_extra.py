"""The library without the extra for reports."""

import sys

import pytest


def test_a_missing_package_is_named(monkeypatch):
    import acoibl.report

    for name in list(sys.modules):
        if name.startswith("acoibl.report.") and not name.endswith(".errors"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tabulate", None)
    with pytest.raises(acoibl.report.ReportError, match="reports need the package 'tabulate'"):
        _ = acoibl.report.run_report
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = acoibl.report.nothing
