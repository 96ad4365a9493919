"""One byte form for every value, and the hashes made from it.

Never: uses Python's hash, floats, or the order in which a dict was filled.
Spec: rulings 1 and 2; contract v1 `deterministic_hash`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
# Bodies and log records are built key by key in one fixed order, so sorting them again would only cost time.
_ORDERED = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False)


def canonical(value: object) -> str:
    """The value as JSON with sorted keys and no spaces."""
    return _ENCODER.encode(value)


def ordered(value: object) -> str:
    """The value as JSON in the order it was built; for writers that always build the same order."""
    return _ORDERED.encode(value)


# The same for codes and rows of codes, of which there are few; never for a person's words.
coded = lru_cache(maxsize=1_024)(ordered)


def digest(text: str) -> str:
    """The sha256 of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def short_key(text: str) -> bytes:
    """Sixteen bytes that stand for a key in an index; the whole key is compared after the look-up."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def commitment(salt: bytes, body: bytes) -> str:
    """What the log keeps of a body: worthless once the salt is gone."""
    return hashlib.sha256(salt + body).hexdigest()


def link(previous: bytes, record: bytes) -> bytes:
    """The next hash of a chain."""
    return hashlib.sha256(previous + record).digest()


def recall_hash(ids: Iterable[tuple[str, str]]) -> str:
    """The contract's hash of a recall: kind and id of each item, in order."""
    return digest("|".join(f"{kind}:{item_id}" for kind, item_id in ids))
