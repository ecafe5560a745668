"""The nearest of some selected rows, for selections, feature weights and class multipliers."""
