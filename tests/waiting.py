"""How long tests wait: until it has happened. Only what hangs for good meets the limit."""

import time

LIMIT = 1800.0  # seconds, far more than the busiest machine needs


def wait_for(condition, process=None):
    """Wait until a condition holds, in vain if the process that should bring it about has ended."""
    end = time.monotonic() + LIMIT
    while not condition():
        ended = process is not None and process.poll() is not None
        if (ended and not condition()) or time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)
