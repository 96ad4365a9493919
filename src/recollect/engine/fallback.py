"""The airbags: what recall does when a part of it fails. The one file that may catch everything.

A tier that fails is named with the code of what went wrong and leaves nothing half gathered; the tiers below it
stand. "Nothing relevant" and "could not look" are different answers.

Never: hides a failure, retries, or swallows an error of the caller's.
Spec: reliability.md "Contract of a recall"; law 10.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from recollect.core.read.question import Gathered
from recollect.engine.asking import Unembedded
from recollect.engine.shelves import Ahead
from recollect.errors import EmbedderChanged, InvalidInput, RecollectError, StoreError, StoreLost

T = TypeVar("T")
LOGGER = logging.getLogger("recollect")


def code_of(error: Exception) -> str:
    """What went wrong in a word. A message could quote what was being read; the reason or the type cannot."""
    return error.reason if isinstance(error, RecollectError) else type(error).__name__


def run_tier(gathered: Gathered, name: str, run: Callable[[Gathered], None]) -> Gathered:
    """Run one tier, whole or not at all: what was gathered with it, or what was there before it."""
    before = gathered.copy()
    try:
        run(gathered)
    except (Ahead, Unembedded, EmbedderChanged, InvalidInput, StoreLost):
        # Another look may see it all, or the caller must choose; a tier less would hide it.
        raise
    except Exception as error:
        before.tiers[name] = f"failed: {code_of(error)}"
        LOGGER.warning("recall tier %s failed: %s", name, code_of(error))
        return before
    gathered.tiers.setdefault(name, "ran")
    return gathered


@contextmanager
def typed(what: str) -> Iterator[None]:
    """Turn whatever an adapter raises into an error of our own, for calls that have no lower tier to stand on."""
    try:
        yield
    except (Ahead, Unembedded, RecollectError):
        raise
    except Exception as error:
        LOGGER.warning("%s failed: %s", what, type(error).__name__)
        raise StoreError(f"{what} failed.", hint="Run `recollect doctor`.", reason=f"{what}_failed") from error


def or_else(what: str, run: Callable[[], None], undo: Callable[[], None]) -> None:
    """Do something that is only a convenience; when it fails, take it back and go on. What counted is done already."""
    try:
        run()
    except Exception as error:
        LOGGER.warning("%s failed: %s", what, type(error).__name__)
        undo()


def caught(run: Callable[[], None]) -> Exception | None:
    """Run something in a thread of its own and hand what it raised to the thread that waits for it."""
    try:
        run()
    except Exception as error:
        return error
    return None


def try_stage(what: str, run: Callable[[], T]) -> tuple[T | None, str]:
    """The result of one stage of an answer, or the code of why there is none. The caller names its fallback."""
    try:
        return run(), ""
    except InvalidInput:
        raise
    except Exception as error:
        LOGGER.warning("%s failed: %s", what, code_of(error))
        return None, code_of(error)
