"""From an experiment's name to a table of results: plan, compute, store, tell."""
