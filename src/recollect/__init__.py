"""recollect: the memory of an AI assistant that can account for itself.

from recollect import Memory

with Memory.open("memory.db") as memory:
    chat = memory.session(user="ana")
    chat.remember("We decided to use Postgres for billing.", ref="msg-17")
    print(chat.recall("what did we pick for billing?").text)
"""

import logging as _logging

from recollect import assemble as _assemble
from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.read.choice import Choice
from recollect.core.reasons import Reason
from recollect.engine.aio import AsyncMemory, AsyncSession
from recollect.engine.context import Context, SearchHit
from recollect.engine.door import TurnInput
from recollect.engine.memory import Memory
from recollect.engine.receipt import Fate, Receipt
from recollect.engine.session import Session
from recollect.engine.voice import VoiceTurn
from recollect.errors import RecollectError

# What is logged goes where the application sends it, and nowhere if it sends it nowhere.
_logging.getLogger("recollect").addHandler(_logging.NullHandler())

__version__ = "0.1.0"
__all__ = [
    "AsyncMemory",
    "AsyncSession",
    "Choice",
    "Context",
    "Fate",
    "Memory",
    "MemoryItem",
    "Policy",
    "Reason",
    "Receipt",
    "RecollectError",
    "SearchHit",
    "Session",
    "TurnInput",
    "VoiceTurn",
]
assert _assemble.PRESETS
