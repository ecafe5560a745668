"""Benchmarks: one module per question, run by ``python -m benchmarks`` (``make bench``)."""
