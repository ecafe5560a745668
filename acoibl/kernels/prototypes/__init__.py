"""Which rows to keep, and weights of rows and features: what classical methods learn."""
