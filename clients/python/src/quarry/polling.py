"""Requests that are repeated until a run has ended."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

_MIN_DELAY_SECONDS = 0.05
_MAX_DELAY_SECONDS = 1.0
_BACKOFF_FACTOR = 1.5


def poll(load: Callable[[], T], timeout: float | None = None) -> Iterator[T]:
    """Yields the results of `load`, with a growing delay before each call. Ends after `timeout` seconds."""
    end = None if timeout is None else time.monotonic() + timeout
    delay = _MIN_DELAY_SECONDS
    while True:
        yield load()
        if end is not None and time.monotonic() + delay > end:
            return
        time.sleep(delay)
        delay = min(delay * _BACKOFF_FACTOR, _MAX_DELAY_SECONDS)
