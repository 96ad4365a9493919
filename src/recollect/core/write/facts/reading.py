"""From one turn worth reading to its claims.

Decides: what the earlier turns may add (people already named, a question, a claim to correct), and which of two claims
in one turn stands.
Never: decides whether a turn is worth reading. Loaded on the first turn that is, since the grammar takes a moment.
Spec: rulings 13, 20.
"""

from dataclasses import replace

from recollect.core.write.facts.answers import answered
from recollect.core.write.facts.blanks import blank
from recollect.core.write.facts.clauses import sentences
from recollect.core.write.facts.corrections import Before, corrected
from recollect.core.write.facts.draft import FactDraft, Heard
from recollect.core.write.facts.finding import Finding, Polarity, Subject, draft_of
from recollect.core.write.facts.lookalikes import material_from, pretended
from recollect.core.write.facts.people import introductions, mentions
from recollect.core.write.facts.scene import Scene, scene_for
from recollect.core.write.facts.statements import read_sentence
from recollect.core.write.facts.triggers import may_correct


def stated(text: str, speaker: str, user: str, heard: tuple[Heard, ...]) -> list[Finding]:
    plain = blank(text)
    if pretended(plain):
        return []
    scene = scene_for(plain, speaker, user)
    known = _known(scene, speaker, user, heard)
    last: Subject | None = None
    found: list[Finding] = []
    for sentence in sentences(plain, material_from(plain)):
        step = read_sentence(replace(scene, known=known), sentence, last)
        people = {finding.subject.ref: finding.subject for finding in step if finding.subject.type == "PEOPLE"}
        last = next(iter(people.values())) if len(people) == 1 else None
        known |= {subject.label: subject for subject in people.values() if subject.label[:1].isupper()}
        found += step
    return found


def _known(scene: Scene, speaker: str, user: str, heard: tuple[Heard, ...]) -> dict[str, Subject]:
    """People the same speaker has named with their relation in earlier turns, by name."""
    known: dict[str, Subject] = {}
    for turn in heard:
        if not is_same_voice(turn, speaker, user) or "my " not in turn.text.casefold():
            continue
        earlier = replace(scene, text=blank(turn.text))
        if pretended(earlier.text):
            continue
        for sentence in sentences(earlier.text, material_from(earlier.text)):
            named = [m.subject for m in mentions(earlier, sentence.start, sentence.end) if m.is_named]
            named += [row[0] for row in introductions(earlier, sentence.start, sentence.end)]
            known |= {subject.label: subject for subject in named}
    return known


def is_same_voice(turn: Heard, speaker: str, user: str) -> bool:
    """Tell whether an earlier turn was spoken by whoever speaks now."""
    if not speaker or speaker == user:
        return turn.is_user and turn.speaker in ("", user)
    return turn.speaker == speaker


def elliptic(text: str, speaker: str, user: str, heard: tuple[Heard, ...]) -> list[Finding]:
    plain = blank(text)
    scene = scene_for(plain, speaker, user)
    own = tuple(turn for turn in heard if is_same_voice(turn, speaker, user))
    if may_correct(plain.casefold()):
        reply = "" if is_same_voice(heard[-1], speaker, user) else heard[-1].text
        before = Before(own=own, reply=reply, extract=lambda words: stated(words, speaker, user, ()))
        fixed = corrected(scene, before)
        if fixed:
            return fixed
    if is_same_voice(heard[-1], speaker, user):
        return []
    return answered(scene, heard[-1].text)


def settled(findings: list[Finding]) -> tuple[FactDraft, ...]:
    """One claim per key: what is so beats what is over, a correction beats what it corrects, else the first said."""
    chosen: dict[str, tuple[FactDraft, Polarity]] = {}
    for finding in findings:
        draft = draft_of(finding)
        if draft is None:
            continue
        held = chosen.get(draft.memory_key)
        is_better = held is not None and (
            (held[1] is Polarity.ENDED and finding.polarity is Polarity.YES)
            or (held[1] is finding.polarity and finding.corrects and not held[0].is_correction)
        )
        if held is None or is_better:
            chosen[draft.memory_key] = (draft, finding.polarity)
    return tuple(draft for draft, _ in chosen.values())
