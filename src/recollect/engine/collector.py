"""When Python's search for reference cycles may wait.

A large batch makes a hundred thousand objects that all live until its end; the collector would walk through them
again and again and find nothing. It waits until the batch is done.

Never: turns a collector on that the program had turned off. Two batches at once may end each other's pause early,
which costs time and nothing else.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

WORTH_A_PAUSE = 64


@contextmanager
def paused(size: int) -> Iterator[None]:
    """Hold the collector back while a batch of this size is worked on."""
    if size < WORTH_A_PAUSE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
