"""Makes old stretches of a conversation short: titled summaries that say which turns they stand for.

A span is so many turns of one session that left the window and that no summary covers yet. Its summary is an episode
made from them, with the least authority among them; the turns stay, retrievable by their refs. What keeps being used
grows in importance like any memory; when there are too many, unused ones are archived, oldest first.

Never: summarises what the window carries, what is in quarantine or what was read from a file; calls a model in a
transaction.
Spec: document 002, section 8; rulings 6, 24, 30a.
"""

from __future__ import annotations

from dataclasses import dataclass

from recollect.core.digest import extract, title_of
from recollect.core.events import Archived
from recollect.core.item import MemoryItem, Origin
from recollect.core.values import Authority, EventType, Kind, Lens, Place, Role, Source
from recollect.core.write.authority import lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Act, Desk
from recollect.core.write.pipeline import decide
from recollect.engine.fallback import try_stage
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.writing import Call, write
from recollect.ports.store import Filter, Reader, Writer
from recollect.ports.summariser import Digest, Line

SPAN = "span"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What one run did: ids of the new summaries, how many turns they stand for, what was archived, what failed."""

    ids: tuple[str, ...] = ()
    turns: int = 0
    archived: int = 0
    fallbacks: tuple[str, ...] = ()


def summarise(office: Office, lens: Lens, at_ms: int) -> Summarised:
    """Summarise every whole span of this session; run it as often as you like."""
    rules = office.policy.context
    with office.repository.reading() as reader:
        turns = _uncovered(reader, lens, office)
    spans = [turns[n : n + rules.span_turns] for n in range(0, len(turns) - rules.span_turns + 1, rules.span_turns)]
    fallbacks: list[str] = []
    digests = [_digest(office, span, fallbacks) for span in spans]
    ids: list[str] = []
    archived: list[str] = []

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=at_ms))
        # Between looking and writing a turn may have been erased: a span with a hole is left for the next run.
        whole = [(s, d) for s, d in zip(spans, digests, strict=True) if len(writer.fetch([i.ref for i in s])) == len(s)]
        for span, digest in whole:
            outcome = decide(desk, _candidate(desk, lens, span, digest, at_ms))
            desk.act.outcomes.append(outcome)
            ids.append(outcome.ref.id)
        archived.extend(_prune(desk, writer, lens, office))

    if spans or len(_standing_ids(office, lens)) > rules.summaries:
        write(office, Call(lens=lens, places=(lens.user_place,)), run)
    covered = sum(len(span) for span in spans)
    return Summarised(ids=tuple(ids), turns=covered, archived=len(archived), fallbacks=tuple(fallbacks))


def _place(lens: Lens, office: Office) -> Place:
    return lens.place(office.policy.episodes.space) or lens.session_place


def _uncovered(reader: Reader, lens: Lens, office: Office) -> list[MemoryItem]:
    """The session's turns beyond the window that no summary stands for, oldest first."""
    place = _place(lens, office)
    wanted = Filter(kinds=(Kind.SEMANTIC,), session=lens.session)
    said = [item for item in all_items(reader, place, wanted) if item.origin.session == lens.session and _is_talk(item)]
    said = [item for item in said if item.origin.persona == lens.persona]
    recent = {(item.origin.at_ms, item.text): True for item in reader.window(lens.session_place)}
    old = [item for item in said if (item.origin.at_ms, item.text) not in recent]
    # Nothing newer than the oldest turn of the window counts as old, whatever its text.
    oldest = min((at for at, _ in recent), default=0)
    old = [item for item in old if not oldest or item.origin.at_ms <= oldest]
    children = reader.made_from([item.ref for item in old])
    spans = reader.fetch([child for child, _ in children])
    covered = {parent: True for child, parent in children if child in spans and spans[child].made_how == SPAN}
    return [item for item in old if item.ref not in covered]


def _is_talk(item: MemoryItem) -> bool:
    return item.made_how == "" and item.origin.source == "chat"


def _digest(office: Office, span: list[MemoryItem], fallbacks: list[str]) -> Digest:
    """A digest in the configured summariser's words, else by rule."""
    limit = office.policy.context.summary_characters
    lines = [
        Line(
            speaker=item.origin.speaker or str(item.origin.role),
            text=item.text,
            ref=item.origin.ref or item.id,
            importance=item.importance,
        )
        for item in span
    ]
    summariser = office.aids.summariser
    if summariser is not None:
        made, code = try_stage("summariser", lambda: summariser.summarise(lines, limit_characters=limit))
        if made is not None:
            return made
        fallbacks.append(f"summariser: {code}; by rule")
    chosen = extract([(line.speaker, line.text, line.importance) for line in lines], limit)
    told = "\n".join(f"{lines[turn].speaker}: {text}" for turn, text in chosen)
    return Digest(title=title_of([line.text for line in lines]), text=told)


def _candidate(desk: Desk, lens: Lens, span: list[MemoryItem], digest: Digest, at_ms: int) -> Candidate:
    first, last = (item.origin.ref or item.id for item in (span[0], span[-1]))
    noted = f"(stands for {len(span)} turns, {first} to {last})"
    return Candidate(
        kind=Kind.SEMANTIC,
        place=span[0].ref.place,
        text=f"{digest.title}\n{digest.text}\n{noted}",
        source=Source.SYSTEM,
        event_type=EventType.CONTEXT,
        authority=lowest([Authority.SYSTEM_IMPOSED, *(item.authority for item in span)], desk.policy),
        authority_reason="summary",
        origin=Origin(
            role=Role.SYSTEM,
            at_ms=span[-1].origin.at_ms,
            session=lens.session,
            persona=lens.persona,
            extra=(("covers", f"{len(span)} turns, {first} to {last}"), ("made_by", digest.made_by[:100])),
        ),
        made_how=SPAN,
        made_from=tuple(item.ref for item in span),
    )


def _prune(desk: Desk, writer: Writer, lens: Lens, office: Office) -> list[str]:
    """Archive unused summaries beyond the policy's number, oldest first."""
    standing = [
        item for item in all_items(writer, _place(lens, office), Filter(kinds=(Kind.SEMANTIC,))) if _is_span(item)
    ]
    standing = [item for item in standing if item.ref not in desk.created]
    over = len(standing) + sum(_is_span(item) for item in desk.created.values()) - office.policy.context.summaries
    stale = [item for item in standing if item.importance < office.policy.context.important][: max(0, over)]
    for item in stale:
        if not item.standing.is_pinned:
            desk.change(item, Archived(item.ref, "stale_summary"))
    return [item.id for item in stale]


def _is_span(item: MemoryItem) -> bool:
    return item.made_how == SPAN


def _standing_ids(office: Office, lens: Lens) -> list[str]:
    with office.repository.reading() as reader:
        place = _place(lens, office)
        return [item.id for item in all_items(reader, place, Filter(kinds=(Kind.SEMANTIC,))) if _is_span(item)]
