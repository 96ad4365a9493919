"""Doing a thing again that a cut connection stopped: only where the store is certain that nothing was changed.

A store that cannot tell says `OutcomeUnknown`, and that is passed on: only the caller's command_id resolves it.

Never: repeats what may have happened, and never waits for a server that is gone.
Spec: reliability.md "Outcomes of a write".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from recollect.errors import StoreLost

T = TypeVar("T")
# Short, because the store itself waits for a connection: these only spread those who were cut at the same moment.
PAUSES_SECONDS = (0.02, 0.1, 0.5)


def again(work: Callable[[], T]) -> T:
    """Do it, and once more after each pause while the connection is cut."""
    for pause in PAUSES_SECONDS:
        try:
            return work()
        except StoreLost:
            time.sleep(pause)
    return work()
