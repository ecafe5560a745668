"""Instance-based learning tuned by swarms."""

__version__ = "0.1.0"
