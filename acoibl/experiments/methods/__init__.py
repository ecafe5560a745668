"""What is compared: each module makes algorithms for the runner."""
