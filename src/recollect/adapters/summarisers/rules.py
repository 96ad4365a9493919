"""The summariser that needs no model: sentences of the turns themselves.

Never: writes a word that was not said.
Spec: ports/summariser.py; core/digest.py decides which sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.core.digest import extract, title_of
from recollect.ports.summariser import Digest, Line


class RuleSummariser:
    """Extractive, deterministic, offline."""

    name = "rules"
    is_quick = True

    def summarise(self, lines: Sequence[Line], *, limit_characters: int, timeout_ms: int = 10_000) -> Digest:
        """The heaviest sentences that fit, in the order they were said."""
        turns = [(line.speaker, line.text, line.importance) for line in lines]
        chosen = extract(turns, limit_characters)
        told = "\n".join(f"{lines[turn].speaker}: {text}" for turn, text in chosen)
        refs = tuple(dict.fromkeys(lines[turn].ref for turn, _ in chosen if lines[turn].ref))
        return Digest(title=title_of([line.text for line in lines]), text=told[:limit_characters], refs=refs)
