"""Votes of all training rows: the three lazy classifiers, one query or thousands of candidates."""
