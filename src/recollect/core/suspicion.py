"""Which text reads like an instruction to a model. It is flagged and stays quoted; nothing is denied for its wording.

Never: decides trust (where words came from does), or alters a text.
Spec: document 002 "Prompt-injection checks"; rulings 7 and 19a.
"""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|above|previous|prior|everything)\b"
    r"|\byou are now\b|\bfrom now on,? you\b|\bnew (?:system )?(?:instructions?|rules?)\s*:"
    r"|\b(?:reveal|print|repeat|show)\b.{0,30}\b(?:system prompt|instructions|api key|password)\b"
    r"|\bdo not (?:tell|inform|mention)\b.{0,30}\b(?:the )?user\b|\bsystem\s*:\s*you\b"
    r"|<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|\[/?INST\]|^#{1,4}\s*(?:system|instruction)\b",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
READ_CHARACTERS = 20_000


def reads_like_an_order(text: str) -> bool:
    """Whether a text seems to give a model instructions."""
    return _ORDERS.search(text[:READ_CHARACTERS]) is not None
