"""Runs `search`: ranks what matches a question, with the parts of every score, and composes nothing.

    ask each place -> hide -> cut to the limit, near misses after it -> mark what has changed since

Never: changes state. Never looks into a place that is not this session's.
Spec: ruling 17; laws 5 and 6; "Explained".
"""

from __future__ import annotations

from dataclasses import replace

from recollect.core.item import MemoryItem
from recollect.core.read.parts import lack
from recollect.core.read.question import Gathered, Question
from recollect.core.read.visible import hidden, is_all_visible
from recollect.core.state import Head
from recollect.core.values import Status
from recollect.engine.asking import Embed, QuestionVectors, Unembedded
from recollect.engine.context import SearchHit
from recollect.engine.fallback import typed
from recollect.engine.office import Office
from recollect.engine.outdated import current_first, outdated
from recollect.engine.recall import SNAPSHOT_TRIES, read_places, sight
from recollect.engine.shelves import Ahead
from recollect.errors import StoreBusy, StoreLost
from recollect.ports.index import Hit
from recollect.ports.store import Filter, Reader

# What a search without a filter wants.
EVERYTHING = Filter(statuses=(Status.ACTIVE,))


def search(office: Office, question: Question, wanted: Filter, misses: int = 0) -> list[SearchHit]:
    """Rank what matches a question; near misses come last and say what they lacked."""
    vectors = QuestionVectors(office.filing)
    tries = 0
    while True:
        try:
            with typed("search"), office.repository.reading() as reader:
                # Whoever writes all the time overtakes every snapshot; then an index is made of this one.
                for place in read_places(question) if tries >= SNAPSHOT_TRIES else ():
                    office.shelves.forget(place)
                found = _search_places(office, reader, question, wanted, question.limit + misses, vectors.of)
                return _mark_outdated(reader, _cut(found, question.limit, misses))
        except Ahead as error:
            if tries > SNAPSHOT_TRIES:
                raise StoreBusy("Others wrote all the time.", hint="Try again; nothing was changed.") from error
        except StoreLost:
            if tries >= SNAPSHOT_TRIES - 1:
                raise
        except Unembedded as needed:
            vectors.learn(needed.text)
            continue
        tries += 1


def _search_places(
    office: Office, reader: Reader, question: Question, wanted: Filter, enough: int, embed: Embed
) -> list[SearchHit]:
    heads = reader.heads(read_places(question))
    # Nothing but its status hides an item, nearly always; then there is nothing to know of clocks and phases.
    seen = None if wanted == EVERYTHING and is_all_visible(question.policy) else sight(heads)
    found: list[SearchHit] = []
    for head in heads.values():
        if head.seq:
            found.extend(_search_place(office, reader, question, head, seen, wanted, enough, embed))
    return found


def _search_place(
    office: Office,
    reader: Reader,
    question: Question,
    head: Head,
    seen: Gathered | None,
    wanted: Filter,
    enough: int,
    embed: Embed,
) -> list[SearchHit]:
    """The best of one place. A filter or a hidden item may reject many hits; then it is asked once more for more."""
    deeper = max(200, enough * 10)
    taken: list[SearchHit] = []
    for depth in (enough, deeper) if wanted == EVERYTHING else (deeper,):
        hits = office.shelves.search(reader, head, question, depth, embed)
        items = reader.fetch([hit.ref for hit in hits])
        held = [(hit, items[hit.ref]) for hit in hits if hit.ref in items]
        if seen is None:
            taken = [_hit(item, hit) for hit, item in held if item.standing.status is Status.ACTIVE]
        else:
            taken = [_hit(item, hit) for hit, item in held if wanted.matches(item) and not hidden(question, seen, item)]
        if len(taken) >= enough or len(hits) < depth:
            break
    if office.shelves.is_exact(head.place):
        return taken
    return [replace(hit, is_exact=False) for hit in taken]


def _hit(item: MemoryItem, hit: Hit) -> SearchHit:
    return SearchHit(item=item, score=hit.score, terms=hit.terms, parts=hit.parts)


def _order(hit: SearchHit) -> tuple[int, int, int, str]:
    return -hit.score, -hit.item.origin.at_ms, -hit.item.created_at, hit.item.id


def _cut(found: list[SearchHit], limit: int, misses: int) -> list[SearchHit]:
    """The best, and the next ones with what they lacked against the last of the best."""
    # One place's hits come best first, and mostly no two are alike.
    if any(found[at].score <= after.score for at, after in enumerate(found[1:])):
        found.sort(key=_order)
    taken, missed = found[:limit], found[limit : limit + misses]
    return taken + [replace(hit, lacked=lack(hit.parts, taken[-1].parts)) for hit in missed]


def _mark_outdated(reader: Reader, found: list[SearchHit]) -> list[SearchHit]:
    """Say which hits were true once, and put what is so now before them."""
    since = outdated(reader, [hit.item for hit in found])
    if not since:
        return found
    hits = {hit.item.ref: hit for hit in found}
    for ref, now in since.items():
        hits[ref] = replace(hits[ref], outdated_by=now.fact.id, says_now=now.fact.text)
    taken = current_first([hit.item.ref for hit in found if not hit.lacked], since)
    # A score never rises down the list: what was moved down has at most the score of what it follows.
    scores = sorted((hits[ref].score for ref in taken), reverse=True)
    moved = [replace(hits[ref], score=score) for ref, score in zip(taken, scores, strict=True)]
    return moved + [hits[hit.item.ref] for hit in found if hit.lacked]
