"""Whether a turn is read for facts, and how far.

Decides: by a look at its words, whether a turn can hold a fact at all; how much of it and of the talk before is read.
Never: reads past the limits, keeps anything between calls, or raises on any text. The grammar itself is loaded only
when the first turn gets past this door: most turns do not, and importing recollect must not wait for it.
Spec: rulings 13, 30a.
"""

from recollect.core.write.facts.draft import FactDraft, Heard
from recollect.core.write.facts.triggers import may_answer, may_correct, may_know, may_state

# A turn states its facts early or never; more than this is a document, and documents are not about their bearer.
READ_LIMIT_CHARACTERS = 4_000
RECENT_LIMIT_TURNS = 8


def extract_facts(
    text: str, *, speaker: str = "", user: str = "", recent: tuple[Heard, ...] = ()
) -> tuple[FactDraft, ...]:
    """Return what a turn claims about its speaker, their people and their projects; nothing where unsure."""
    read = text[:READ_LIMIT_CHARACTERS]
    words = read.casefold().replace("’", "'")
    heard = recent[-RECENT_LIMIT_TURNS:]
    is_stated = may_state(words) or (bool(heard) and may_know(read, heard))
    is_elliptic = bool(heard) and (may_correct(words) or may_answer(read, heard[-1]))
    if not (is_stated or is_elliptic):
        return ()
    from recollect.core.write.facts import reading

    heard = tuple(_shortened(turn) for turn in heard)
    findings = reading.stated(read, speaker, user, heard) if is_stated else []
    if not findings and is_elliptic:
        findings = reading.elliptic(read, speaker, user, heard)
    return reading.settled(findings)


def _shortened(turn: Heard) -> Heard:
    """An earlier turn, cut like this one; its end matters most, since a question stands there."""
    if len(turn.text) <= READ_LIMIT_CHARACTERS:
        return turn
    return Heard(text=turn.text[-READ_LIMIT_CHARACTERS:], is_user=turn.is_user, speaker=turn.speaker)
