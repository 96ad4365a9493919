"""What a regular expression cannot settle: checksums, decoded headers, randomness, placeholders.

Never: uses floats, tables of real people or of real secrets, or anything outside the hit.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

import hashlib
import json

from recollect.core.write.secret_rules.rule import Check, Hit, compiled

# ── placeholders and randomness ──────────────────────────────────────────────────────────────────────────────────

# Parts that only stand-ins have. Substring tests, because they are ten times as fast as one expression.
_STAND_INS = (
    "xxxx", "****", "....", "____", "example", "placeholder", "redacted", "changeme", "change_me", "change-me", "your_",
    "your-", "your ", "yourkey", "insert", "dummy", "[masked:", "<", "${", "{{", "%(", "my_token", "my-token", "todo",
    "fixme", "goes_here", "goes-here", "0000000000", "1234567890abcdef",
)  # fmt: skip

# Whole values that stand for a value: ***, ${VAR}, $VAR, <your key>, {{ x }}, %VAR%, null and their like.
_FORM = (
    r"[*•●.\-_#?]+|x{2,}|\$\{[a-z_][a-z0-9_.:-]*\}?|\$(?![a-z]{3,}[0-9]{2,})[a-z_][a-z0-9_.:-]*|\$\(.*|<[^>]*>?|\{\{.*|\{[a-z0-9_.]*\}|%[a-z_]\w*%|%\([^)]*\)s?|%s"
    r"|\[[^\]]*\]?|null|none|nil|undefined|true|false|n/?a|tbd|redacted|changeme|change[_-]me|your[ _-].*"
    r"|env[.:(].*|vault:.*|op://.*|arn:aws:secretsmanager.*"
)
# Words that stand for a value in documentation and in talk, though a careless person may use them as one.
_WORD = (
    r"yes|no|empty|unset|hidden|masked|removed|placeholder|dummy|todo|secret|password|passwd|pass|pwd|token|key|apikey"
    r"|api[_-]key|my[_-](?:password|secret|token|key|api[_-]key).*"
    r"|string|str|int|bool|bytes|object|any|text|optional|required"
)


def is_placeholder_form(value: str) -> bool:
    """Whether a whole value is written in a form that stands for a value, whatever the words in it."""
    bare = value.strip().lower()
    return not bare or compiled(rf"(?s:{_FORM})").fullmatch(bare) is not None


def is_placeholder(value: str) -> bool:
    """Whether a whole value stands for a value instead of being one, by its form or as a word."""
    bare = value.strip().lower()
    return not bare or compiled(rf"(?s:{_FORM}|{_WORD})").fullmatch(bare) is not None


def holds_placeholder(value: str) -> bool:
    """Whether part of a value shows that it is a stand-in."""
    lowered = value.lower()
    return bool([part for part in _STAND_INS if part in lowered])


def random_enough(hit: Hit) -> bool:
    """Random material: eight or more different characters of at least two classes, and no placeholder in it."""
    return looks_random(hit.value, distinct=8)


def looks_random(value: str, *, distinct: int) -> bool:
    """Whether a string mixes classes and characters as generated material does; its first part tells."""
    value = value[:160]
    if len(dict.fromkeys(value)) < distinct or holds_placeholder(value):
        return False
    return compiled(r"[0-9]").search(value) is not None or (value.lower() != value and value.upper() != value)


_KEYISH = r"key|token|secret|pat|auth|pass|credential|bearer|pwd|dsn|license"


def vendor_value(hit: Hit) -> bool:
    """A vendor's value is a secret only where something on the way says key, token or secret."""
    return compiled(_KEYISH).search(hit.head.lower()) is not None and random_enough(hit)


def all_of(*checks: Check) -> Check:
    """A check that holds when every one of the given checks holds."""
    return lambda hit: all(check(hit) for check in checks)


# ── encodings ────────────────────────────────────────────────────────────────────────────────────────────────────

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_SIXBIT = {letter: format(at, "06b") for at, letter in enumerate(_ALPHABET + "+/")} | {"-": "111110", "_": "111111"}


def decode_base64(text: str) -> bytes:
    """Both base64 alphabets, padding optional; empty bytes for anything else."""
    body = text.rstrip("=")
    if any(letter not in _SIXBIT for letter in body):
        return b""
    bits = "".join(_SIXBIT[letter] for letter in body)
    whole = len(bits) // 8
    return int(bits[: whole * 8], 2).to_bytes(whole, "big") if whole else b""


def jwt_header(hit: Hit) -> bool:
    """The first part of a JWT decodes to a JSON object that names its algorithm."""
    try:
        header = json.loads(decode_base64(hit.value.split(".", 1)[0]))
    except ValueError:
        return False
    return isinstance(header, dict) and ("alg" in header or "typ" in header or "enc" in header)


def basic_credentials(hit: Hit) -> bool:
    """Basic credentials decode to printable text with a colon in it."""
    decoded = decode_base64(hit.value)
    return b":" in decoded and all(32 <= byte < 127 for byte in decoded)


_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58_checksum(hit: Hit) -> bool:
    """Base58Check: the last four bytes are the double SHA-256 of the rest."""
    number = 0
    for letter in hit.value:
        at = _BASE58.find(letter)
        if at < 0:
            return False
        number = number * 58 + at
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]
