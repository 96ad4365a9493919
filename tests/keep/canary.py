"""Words planted to be looked for, and the search for them in the raw bytes of every file.

The search knows nothing of SQLite: it reads files as bytes and looks for the word in any case, as UTF-8 and as
UTF-16, so that what no connection can see any more is still found.
"""

from __future__ import annotations

import os
from pathlib import Path

SOAK = 10 if os.environ.get("RECOLLECT_SOAK") == "1" else 1


def forms(word: str) -> list[bytes]:
    """The bytes a word could be left as, in lower case."""
    return [word.lower().encode(code) for code in ("utf-8", "utf-16-le")]


def remains(folder: Path, *words: str) -> dict[str, int]:
    """How often any of the words is in any file of a folder, by file; empty when nothing is left."""
    found: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            folded = path.read_bytes().lower()
            count = sum(folded.count(form) for word in words for form in forms(word))
            if count:
                found[path.name] = count
    return found
