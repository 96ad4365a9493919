"""How a stretch of talk is made short without a model: its title, and the sentences that carry most of it.

    weight of a sentence = how often its words come back in the stretch, per word
                         + a bonus for deciding, correcting, requiring, naming a number or a path
                         + the importance its turn was marked with
    taken                = the heaviest first, one a turn before a second of any, until the room is full
    order                = as they were said

Never: invents a word. Every sentence of a digest stands in one of the turns.
Spec: document 002, section 8 (short, titled, coverage notes); ruling 24.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.core.text import cut
from recollect.core.words import words

_SENTENCE = re.compile(r"(?<=[.!?…।])\s+|\n+")
_WEIGHTY = re.compile(
    r"\b(?:decid\w*|agreed?|must|never|always|should|require\w*|because|instead|actually|fixed|bug|error|breaks?|"
    r"deadline|todo|open|blocked|chose|choose|use|using|switch\w*|version|api|schema|contract)\b",
    re.IGNORECASE,
)
_PRECISE = re.compile(r"\d|[\w-]+/[\w./-]+|\b\w+\.(?:py|tf|ya?ml|toml|json|md|sql|sh)\b|`[^`]+`")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
READ_CHARACTERS = 4_000  # of one turn: what a pasted file says is found in the turn itself
SENTENCE_CHARACTERS = 240
TITLE_WORDS = 4
WEIGHTY_BONUS, PRECISE_BONUS, IMPORTANCE_BONUS = 3_000, 1_500, 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of one turn, weighed."""

    turn: int
    number: int
    text: str
    weight: int


def title_of(texts: Sequence[str]) -> str:
    """What a stretch is about: its most frequent words, as they were first written."""
    counted = _counted(texts)
    ranked = sorted(counted, key=lambda word: (-counted[word], word))[:TITLE_WORDS]
    spelled: dict[str, str] = {}
    for text in texts:
        for written in re.findall(r"[^\W_]+", text[:READ_CHARACTERS]):
            spelled.setdefault(written.casefold(), written)
    return ", ".join(spelled.get(word, word) for word in ranked) or "small talk"


def keywords(text: str, limit: int = 5) -> tuple[str, ...]:
    """The topic tags of one turn: its most frequent searchable words, ties to the one said first."""
    counted = _counted([text])
    order = {word: index for index, word in enumerate(counted)}
    return tuple(sorted(counted, key=lambda word: (-counted[word], order[word]))[:limit])


def extract(turns: Sequence[tuple[str, str, int]], limit_characters: int) -> list[tuple[int, str]]:
    """The sentences that stand for turns of (speaker, text, importance), as (turn, text), in order."""
    counted = _counted([text for _, text, _ in turns])
    found = [s for number, turn in enumerate(turns) for s in _sentences(number, turn[1], turn[2], counted)]
    chosen: list[Sentence] = []
    room = limit_characters
    taken: dict[int, int] = {}
    for _ in range(2):
        for sentence in sorted(found, key=lambda s: (-s.weight, s.turn, s.number)):
            cost = len(sentence.text) + len(turns[sentence.turn][0]) + 3
            is_turn_heard = taken.get(sentence.turn, 0) > len(chosen) // max(1, len(turns))
            if sentence not in chosen and not is_turn_heard and cost <= room:
                chosen.append(sentence)
                taken[sentence.turn] = taken.get(sentence.turn, 0) + 1
                room -= cost
    chosen.sort(key=lambda s: (s.turn, s.number))
    return [(sentence.turn, sentence.text) for sentence in chosen]


def _counted(texts: Sequence[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for text in texts:
        for word in words(_FENCE.sub(" ", text[:READ_CHARACTERS])):
            if len(word) > 2 and not word.isdigit():
                counted[word] = counted.get(word, 0) + 1
    return counted


def _sentences(turn: int, text: str, importance: int, counted: dict[str, int]) -> list[Sentence]:
    prose = _FENCE.sub("\n", text[:READ_CHARACTERS])
    found = []
    for number, raw in enumerate(_SENTENCE.split(prose)):
        sentence = " ".join(raw.split())
        said = words(sentence)
        if not said:
            continue
        weight = sum(counted.get(word, 0) for word in said) * 1_000 // (len(said) + 2)
        weight += WEIGHTY_BONUS * bool(_WEIGHTY.search(sentence)) + PRECISE_BONUS * bool(_PRECISE.search(sentence))
        weight += IMPORTANCE_BONUS * importance
        if sentence.endswith("?"):
            weight //= 2
        found.append(Sentence(turn=turn, number=number, text=cut(sentence, SENTENCE_CHARACTERS), weight=weight))
    return found
