"""From one turn worth reading to its claims.

Decides: what the earlier turns may add (people already named, a question, a claim to correct), and which of two claims
in one turn stands.
Never: decides whether a turn is worth reading. Loaded on the first turn that is, since the grammar takes a moment.
Spec: rulings 13, 20.
"""

from dataclasses import replace
from functools import partial

from recollect.core.entities import slugify
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
from recollect.core.write.facts.triggers import may_correct, may_state, names_in


def stated(text: str, speaker: str, user: str, heard: tuple[Heard, ...]) -> list[Finding]:
    """Return what a turn claims in whole sentences."""
    scene = scene_for(blank(text), speaker, user)
    scene.known.update(_known(scene, speaker, user, heard))
    last: Subject | None = None
    found: list[Finding] = []
    for sentence in sentences(scene.text):
        step, about = read_sentence(scene, sentence, last)
        people = {subject.ref: subject for subject in about if subject is not scene.me}
        last = next(iter(people.values())) if len(people) == 1 else None
        scene.known.update({person.label: person for person in people.values() if person.label[:1].isupper()})
        found += step
    return _in_earnest(scene.text, found) if found else found


def _in_earnest(text: str, found: list[Finding]) -> list[Finding]:
    """What is left when the whole is a game, or a part of it is material to work on; asked last, since it is dear."""
    if pretended(text):
        return []
    material = material_from(text)
    return [finding for finding in found if finding.start < material]


def _known(scene: Scene, speaker: str, user: str, heard: tuple[Heard, ...]) -> dict[str, Subject]:
    """People the same speaker has named with their relation in earlier turns, by name."""
    known: dict[str, Subject] = {}
    names = names_in(scene.text)
    for turn in heard:
        if not is_same_voice(turn, speaker, user) or not any(name in turn.text for name in names):
            continue
        earlier = replace(scene, text=blank(turn.text))
        until = 0 if pretended(earlier.text) else material_from(earlier.text)
        named = [mention.subject for mention in mentions(earlier, 0, until) if mention.is_named]
        for sentence in sentences(earlier.text[:until]):
            named += [row[0] for row in introductions(earlier, sentence.start, sentence.end)]
        known |= {subject.label: subject for subject in named}
    return known


def is_same_voice(turn: Heard, speaker: str, user: str) -> bool:
    """Tell whether an earlier turn was spoken by whoever speaks now."""
    now, then = slugify(speaker), slugify(turn.speaker)
    if not now or now == slugify(user):
        return turn.is_user and then in ("", slugify(user))
    return then == now


def elliptic(text: str, speaker: str, user: str, heard: tuple[Heard, ...]) -> list[Finding]:
    plain = blank(text)
    scene = scene_for(plain, speaker, user)
    own = tuple(turn for turn in heard if is_same_voice(turn, speaker, user))
    if may_correct(plain.casefold()):
        reply = "" if is_same_voice(heard[-1], speaker, user) else heard[-1].text
        fixed = corrected(scene, Before(own=own, reply=reply, extract=partial(_claimed, speaker=speaker, user=user)))
        if fixed:
            return fixed
    if is_same_voice(heard[-1], speaker, user):
        return []
    return answered(scene, heard[-1].text)


def _claimed(text: str, *, speaker: str, user: str) -> list[Finding]:
    """What an earlier turn claimed by itself; by the same look at its words as a new one."""
    is_stated = may_state(text.casefold().replace("’", "'"))
    return stated(text, speaker, user, ()) if is_stated else []


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
