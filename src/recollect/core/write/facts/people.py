"""Who is in somebody's life: named relatives, friends and colleagues, animals, and how many there are.

Decides: when a name and a relation belong together ("my sister Anna", "Omar is my business partner", "I report to
Svetlana"), and whom a later sentence may be about.
Never: makes a person of a name alone. Without a stated relation there is nobody.
Spec: upstream facts 3.4 ("PEOPLE only with a stated relationship").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.finding import Finding, Subject
from recollect.core.write.facts.lexicon import relations
from recollect.core.write.facts.lexicon.entry import spaced
from recollect.core.write.facts.names import read_name
from recollect.core.write.facts.readers import proper_words
from recollect.core.write.facts.scene import Scene
from recollect.core.write.facts.words import Word, ends_cleanly, words_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Somebody the speaker has: who, and where the words for them start and end."""

    subject: Subject
    relation: str
    start: int
    end: int
    is_named: bool
    is_possessive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The part of a sentence that states something, and the people of the speaker's that it mentions."""

    scene: Scene
    start: int
    end: int
    people: tuple[Mention, ...]


_SPELLED = {"fiance": "fiancé"}


def _spelled(canonical: str) -> str:
    return _SPELLED.get(canonical, canonical)


@cache
def _mine() -> re.Pattern[str]:
    """ "my", up to two adjectives, a relation."""
    words = sorted(relations.relations(), key=lambda word: (-len(word), word))
    adjectives = "|".join(relations.relation_adjectives())
    return re.compile(
        rf"\bmy\s+(?:(?:{adjectives})\s+){{0,2}}({'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE
    )


@cache
def _my_pet() -> re.Pattern[str]:
    words = sorted(relations.pets(), key=lambda word: (-len(word), word))
    return re.compile(
        rf"\b(?:my|our)\s+(?:(?:old|new|little|sweet|beloved|rescue|dear)\s+){{0,2}}({'|'.join(map(re.escape, words))})"
        r"(?:'s\s+name\s+is\s+|\s+is\s+(?:called|named)\s+|\s+(?:called\s+|named\s+)?|,\s+)",
        re.IGNORECASE,
    )


def relation_of(word: str) -> str:
    """Return the canonical relation of a word as said."""
    return _spelled(relations.relations()[" ".join(word.casefold().split())])


_COMMA = re.compile(r",\s+")
_CALLED = re.compile(r"\s+(?:named|called)\s+[\"']?|\s+\((?=[^\W\d_a-z][\w'-]+\))")
_IS_NAMED = re.compile(r"(?:'s\s+name\s+is|'s\s+called|\s+is\s+(?:called|named)|\s+is)\s+", re.IGNORECASE)


def mentions(scene: Scene, start: int, end: int) -> Iterator[Mention]:
    """Yield everybody the speaker calls theirs in a stretch of text."""
    for match in _mine().finditer(scene.text, start, end):
        relation = relation_of(match.group(1))
        name, name_end, possessive = _name_after(scene.text, match.end())
        if not name:
            named = _IS_NAMED.match(scene.text, match.end())
            if named and (found := read_name(scene.text, named.end())) and found[0].end <= end:
                subject = scene.relative(relation, found[0].value)
                yield Mention(subject=subject, relation=relation, start=match.start(), end=found[0].end, is_named=True)
                continue
            if relations.relations()[match.group(1).casefold()] not in relations.unique_relations():
                continue
            possessive = scene.text[match.end() : match.end() + 2] == "'s"
            name_end = match.end() + 2 * possessive
        yield Mention(
            subject=scene.relative(relation, name),
            relation=relation,
            start=match.start(),
            end=name_end,
            is_named=bool(name),
            is_possessive=possessive,
        )


def _name_after(text: str, at: int) -> tuple[str, int, bool]:
    """The name right after a relation, where it ends, and whether it is a possessive ("Anna's")."""
    comma = _COMMA.match(text, at)
    called = _CALLED.match(text, at)
    begin = called.end() if called else comma.end() if comma else at + 1 if text[at : at + 1] == " " else 0
    if not begin:
        return "", at, False
    words = words_at(text, begin, 4)
    run = proper_words(words, limit=3)
    following = words[len(run)] if len(words) > len(run) else None
    if following and following.low.endswith("'s") and following.is_capital and following.low not in _NOT_POSSESSIVE:
        bare = Word(following.text[:-2], following.start, following.end - 2)
        return ("", at, False) if comma else (_joined(text, [*run, bare]), following.end, True)
    if not run or (comma and text[run[-1].end : run[-1].end + 1] not in (",", ".", "!", "")):
        return "", at, False
    if not _AFTER_NAME.match(text, run[-1].end):
        return "", at, False
    closing = text[run[-1].end : run[-1].end + 1]
    end = run[-1].end + (1 if (comma and closing == ",") or (called and closing in (")", '"', "'")) else 0)
    return _joined(text, run), end, False


# A name ends at a mark, or a verb, an adverb or a preposition follows it. A bare noun means the name was half a phrase.
_AFTER_NAME = re.compile(
    r"\s*(?:$|[^\w\s'])|'s\b|\s+(?:\w+(?:s|ed|n't|ly|ing)|and|or|but|so|to|at|in|on|from|for|with|about"
    r"|who|that|because|when|while"
    r"|if|as|by|of|after|before|can|will|would|could|should|may|might|must|just|also|still|never"
    r"|always|only|even|now|too"
    r"|today|yesterday|tomorrow|tonight|again|here|there|back|off|up|out|over|last|this|next|every"
    r"|then|i|we|he|she|they"
    r"|got|went|came|made|took|gave|said|told|found|left|met|saw|ran|won|lost|bought|built|wrote"
    r"|taught|sent|put|let|had"
    r"|did|began|became|broke|brought|fell|felt|flew|grew|heard|held|kept|knew|paid|read|sold|spoke|spent|stood"
    r"|thought|threw|understood|wore|are|were|have|do|love|live|work|like)\b",
    re.IGNORECASE,
)
_NOT_POSSESSIVE = frozenset({"it's", "that's", "he's", "she's", "there's", "what's", "who's", "let's"})


def _joined(text: str, words: list[Word]) -> str:
    return text[words[0].start : words[-1].end]


_BEFORE_IS = re.compile(
    r"(?P<is>'s|\s+is)(?P<not>n't|\s+not)?(?P<over>\s+no\s+longer)?(?:\s+(?:also|actually|now|still))?\s+(?:like\s+)?$",
    re.IGNORECASE,
)
_BEFORE_COMMA = re.compile(r",\s+$")
_AFTER_APPOSITION = re.compile(r"\s*(?:,|$|[.!])")
_OPENINGS = re.compile(
    r"^[\s\"(]*(?:(?:and|but|so|also|hi|hey|actually|btw|fyi|well|yes|no|oh)\b,?\s+)*$", re.IGNORECASE
)


def introductions(scene: Scene, start: int, end: int) -> Iterator[tuple[Subject, str, str, int, int]]:
    """Yield (subject, relation, "yes" or "ended", start, end) for "Omar is my partner" and "Rosa, my neighbour,"."""
    for match in _mine().finditer(scene.text, start, end):
        before = scene.text[start : match.start()]
        is_said = _BEFORE_IS.search(before)
        comma = None if is_said else _BEFORE_COMMA.search(before)
        cut = is_said.start() if is_said else comma.start() if comma else -1
        if (
            cut < 0
            or (is_said and is_said.group("not"))
            or (comma and not _AFTER_APPOSITION.match(scene.text, match.end()))
        ):
            continue
        name = _name_before(scene.text, start, start + cut)
        if name is None or (is_said and not ends_cleanly(scene.text, match.end())):
            continue
        relation = relation_of(match.group(1))
        how = "ended" if is_said and is_said.group("over") else "yes"
        yield scene.relative(relation, name.text), relation, how, name.start, match.end()


def _name_before(text: str, start: int, cut: int) -> Word | None:
    """The name that fills the sentence up to a position, after an opening word or nothing."""
    window = text[start:cut]
    match = _LAST_NAME.search(window)
    if match is None or not _OPENINGS.match(window[: match.start()]):
        return None
    found = read_name(text[:cut], start + match.start())
    if not found or found[0].end != cut:
        return None
    return Word(found[0].value, found[0].start, found[0].end)


_LAST_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms)\.\s+)?(?:[^\W\d_a-z][\w'-]{1,24})(?:\s+[^\W\d_a-z][\w'-]{1,24}){0,2}$"
)


# "I report to Svetlana": verb phrase, what stands between, the relation it states.
LINKS: dict[str, tuple[tuple[str, str], ...]] = {
    "present:report": ((r"\s+(?:directly\s+)?to\s+", "manager"),),
    "be:married": ((r"\s+to\s+", "spouse"),),
    "be:engaged": ((r"\s+to\s+", "fiancé"),),
    "past:get": ((r"\s+engaged\s+to\s+", "fiancé"), (r"\s+married\s+to\s+", "spouse")),
    "progress:date since:date": ((r"\s+", "partner"),),
    "past:marry": ((r"\s+", "spouse"),),
}
_STATUS = {"spouse": "married", "fiancé": "engaged"}


@cache
def _links() -> dict[str, tuple[tuple[re.Pattern[str], str], ...]]:
    return {
        head: tuple((re.compile(lead, re.IGNORECASE), relation) for lead, relation in rows)
        for heads, rows in LINKS.items()
        for head in heads.split()
    }


def linked(scene: Scene, head: str, start: int, at: int) -> tuple[Finding, ...]:
    """Return what a verb phrase says about a person by name: the relation, and the status that goes with it."""
    for lead, relation in _links().get(head, ()):
        match = lead.match(scene.text, at)
        found = read_name(scene.text, match.end()) if match else ()
        if not found or scene.text[found[0].start : found[0].end].isupper():
            continue
        end = found[0].end
        claim = scene.relationship(scene.relative(relation, found[0].value), relation, start, end)
        if relation not in _STATUS:
            return (claim,)
        status = Finding(subject=scene.me, predicate="marital_status", value=_STATUS[relation], start=start, end=end)
        return claim, status
    return ()


_NUMBER = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|several|both|twin)"


@cache
def _had() -> re.Pattern[str]:
    kin = "|".join(sorted(map(re.escape, relations.counted_kin()), key=lambda word: (-len(word), word)))
    pets = "|".join(sorted(map(re.escape, relations.plural_pets()), key=lambda word: (-len(word), word)))
    one = "|".join(sorted(map(re.escape, relations.pets()), key=lambda word: (-len(word), word)))
    kin_one = "|".join(sorted(map(re.escape, relations.unique_relations()), key=lambda word: (-len(word), word)))
    adjectives = (
        r"(?:(?:young|small|little|older|younger|rescue|old|new|big|beautiful|wonderful|lovely|adorable"
        r"|grown|adult|cute|black|white|orange|ginger|golden|fluffy|tiny)\s+){0,2}"
    )
    return re.compile(
        rf"\s+(?:(?P<counted>{_NUMBER}\s+{adjectives}(?:(?P<kin>{kin})|(?P<pets>{pets})))"
        rf"|(?:an?|one|this|another)\s+(?:twin\s+)?{adjectives}(?:(?P<pet>{one})|(?P<relation>{kin_one})))(?![\w-])",
        re.IGNORECASE,
    )


# After a noun: the sentence ends or goes on to something else. "A cat on my lap" is no pet of mine.
_HAD_ENDS = re.compile(
    r"\s*(?:$|[.,;!?)])|\s+(?:and|but|so|who|that|which|too|already|now|at\s+home|together|because)\b", re.IGNORECASE
)


def had(scene: Scene, start: int, at: int) -> tuple[Finding, ...]:
    """Return what "I have …" says about kin and animals."""
    match = _had().match(scene.text, at)
    if match is None:
        return ()
    name, name_end, possessive = _name_after(scene.text, match.end())
    if possessive or (not name and not _HAD_ENDS.match(scene.text, match.end())):
        return ()
    end = name_end if name else match.end()
    if match.group("relation"):
        relation = relation_of(match.group("relation"))
        return (scene.relationship(scene.relative(relation, name), relation, start, end),)
    if match.group("pet"):
        return (pet(scene, match.group("pet"), name, start, end),)
    table, predicate = (relations.counted_kin(), "has") if match.group("kin") else (relations.plural_pets(), "has_pet")
    slot = table[(match.group("kin") or match.group("pets")).casefold()]
    value = match.group("counted")
    return (Finding(subject=scene.me, predicate=predicate, slot=slot, value=value, start=start, end=match.end()),)


def pet(scene: Scene, word: str, name: str, start: int, end: int) -> Finding:
    """Return the claim that the speaker has an animal, by its name where it has one."""
    species = relations.pets()[word.casefold()]
    return Finding(
        subject=scene.me,
        predicate="has_pet",
        slot=name or species,
        value=name or word,
        said=f"{name} ({species})" if name else word,
        start=start,
        end=end,
    )


def named_pets(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """Yield the speaker's animals that are called by name: "my cat Miso"."""
    for match in _my_pet().finditer(scene.text, start, end):
        run = proper_words(words_at(scene.text, match.end(), 3), limit=2)
        if run:
            yield pet(scene, match.group(1), _joined(scene.text, run), match.start(), run[-1].end)


_SHE = spaced(
    """
mother wife girlfriend sister daughter stepdaughter stepmother stepsister half-sister grandmother granddaughter aunt
niece godmother goddaughter mother-in-law sister-in-law daughter-in-law ex-wife ex-girlfriend
    """
)
_HE = spaced(
    """
father husband boyfriend brother son stepson stepfather stepbrother half-brother grandfather grandson uncle nephew
godfather godson father-in-law brother-in-law son-in-law ex-husband ex-boyfriend
    """
)


def may_be_called(subject: Subject, pronoun: str) -> bool:
    """Tell whether a pronoun fits the relation by which somebody is known."""
    relation = subject.note.rpartition(" ")[2].casefold()
    said = pronoun.casefold()
    return not (said == "he" and relation in _SHE) and not (said == "she" and relation in _HE)
