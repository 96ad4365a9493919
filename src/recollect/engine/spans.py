"""Makes old stretches of a conversation short: titled summaries that say which turns they stand for.

A span is so many turns of one session that left the window and that no summary covers yet. Its summary is an episode
made from them, with the least authority among them; the turns stay, retrievable by their refs. What keeps being used
grows in importance like any memory; when there are too many, unused ones are archived, oldest first.

    summarise       every whole span of a session, now
    after_turns     the same after an answer, when a span has become whole: by rule at once; what a model makes waits
    summarise_all   what waits, for everybody: upkeep

Each span is looked at again under the lock, so two that sum up at once make one summary.

Never: summarises what the window carries, what is in quarantine or what was read from a file; calls a model in a
transaction.
Spec: document 002, section 8; rulings 6, 24, 30a.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect.core.digest import extract, title_of
from recollect.core.events import Archived
from recollect.core.item import MemoryItem, Origin
from recollect.core.values import Authority, EventType, ItemRef, Kind, Lens, Place, Role, Source
from recollect.core.write.authority import lowest
from recollect.core.write.candidate import Candidate
from recollect.core.write.desk import Act, Desk
from recollect.core.write.pipeline import decide
from recollect.engine.deadline import Deadline, unanswered
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.writing import Call, write
from recollect.ports.store import Filter, Reader, Writer
from recollect.ports.summariser import Digest, Line

SPAN = "span"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What one run did: ids of the new summaries, how many turns they stand for, what was archived, what failed.

    `waiting` is how many turns wait for a model to sum them up, which upkeep and `summarise` ask.
    """

    ids: tuple[str, ...] = ()
    turns: int = 0
    archived: int = 0
    waiting: int = 0
    fallbacks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return {
            "ids": list(self.ids),
            "turns": self.turns,
            "archived": self.archived,
            "waiting": self.waiting,
            "fallbacks": list(self.fallbacks),
        }


def summarise(office: Office, lens: Lens, at_ms: int) -> Summarised:
    """Summarise every whole span of this session; run it as often as you like."""
    rules = office.policy.context
    if not rules.span_turns:
        return Summarised()
    spans = _spans(office, lens)
    fallbacks: list[str] = []
    digests = [_digest(office, span, fallbacks) for span in spans]
    ids: list[str] = []
    covered: list[MemoryItem] = []
    archived: list[str] = []

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=at_ms))
        for span, digest in zip(spans, digests, strict=True):
            if not _is_still_due(writer, span):
                continue
            outcome = decide(desk, _candidate(desk, lens, span, digest, at_ms))
            desk.act.outcomes.append(outcome)
            ids.append(outcome.ref.id)
            covered.extend(span)
        archived.extend(_prune(desk, writer, lens, office))

    if spans or len(_standing_ids(office, lens)) > rules.summaries:
        write(office, Call(lens=lens, places=(_place(lens, office),)), run)
    return Summarised(ids=tuple(ids), turns=len(covered), archived=len(archived), fallbacks=tuple(fallbacks))


def after_turns(office: Office, lens: Lens, at_ms: int, added: int, deadline: Deadline) -> Summarised:
    """Sum up after an answer if its turns have completed a span; what takes a model is named as waiting."""
    summariser = office.aids.summariser
    if not _has_become_due(office, lens, added):
        return Summarised()
    if summariser is not None and not getattr(summariser, "is_quick", False):
        waiting = sum(len(span) for span in _spans(office, lens))
        return Summarised(waiting=waiting)
    done: list[Summarised] = []
    how = office.workers.run("summariser", lambda: done.append(summarise(office, lens, at_ms)), deadline)
    why = unanswered(*how)
    return Summarised(fallbacks=(f"summary: {why}; with the next span",)) if why else done[0]


def summarise_all(office: Office, lenses: Iterable[Lens], at_ms: int) -> list[Summarised]:
    """Sum up every session that may have a whole span."""
    least = office.policy.context.span_turns
    with office.repository.reading() as reader:
        heads = {lens: reader.heads([lens.session_place])[lens.session_place] for lens in lenses if least}
    long = [lens for lens, head in heads.items() if head.counts[Kind.SHORT_TERM] > least]
    return [summarise(office, lens, at_ms) for lens in long]


def _has_become_due(office: Office, lens: Lens, added: int) -> bool:
    """Whether the last few turns have filled a span; counting is cheap, looking is not."""
    size = office.policy.context.span_turns
    if not size:
        return False
    with office.repository.reading() as reader:
        head = reader.heads([lens.session_place])[lens.session_place]
        left = head.counts[Kind.SHORT_TERM] - len(office.windows.read(reader, head))
    return left // size != max(0, left - added) // size


def _spans(office: Office, lens: Lens) -> list[list[MemoryItem]]:
    """Every whole span that is due."""
    size = office.policy.context.span_turns
    with office.repository.reading() as reader:
        turns = _uncovered(reader, lens, office)
    return [turns[n : n + size] for n in range(0, len(turns) - size + 1, size)]


def _is_still_due(writer: Writer, span: list[MemoryItem]) -> bool:
    """Between looking and writing a turn may have been erased, or somebody else may have summed it up."""
    refs = [item.ref for item in span]
    return len(writer.fetch(refs)) == len(refs) and not _covered(writer, refs)


def _covered(reader: Reader, refs: list[ItemRef]) -> dict[ItemRef, bool]:
    """The turns that a summary stands for already."""
    # A summary stands among the turns; facts, and a companion's many records, do not.
    children = [pair for pair in reader.made_from(refs) if pair[0].kind is Kind.SEMANTIC]
    spans = reader.fetch([*dict.fromkeys(child for child, _ in children)])
    return {parent: True for child, parent in children if child in spans and _is_span(spans[child])}


def _place(lens: Lens, office: Office) -> Place:
    """Where the turns of a session live, and so its summaries."""
    companion = office.policy.companion
    if companion is not None and companion.own_episodes and lens.private_place is not None:
        return lens.private_place
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
    covered = _covered(reader, [item.ref for item in old])
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
    made, why = _asked(office, lines, limit)
    if made is not None:
        return made
    if why:
        fallbacks.append(f"summariser: {why}; by rule")
    chosen = extract([(line.speaker, line.text, line.importance) for line in lines], limit)
    told = "\n".join(f"{lines[turn].speaker}: {text}" for turn, text in chosen)
    return Digest(title=title_of([line.text for line in lines]), text=told)


def _asked(office: Office, lines: list[Line], limit: int) -> tuple[Digest | None, str]:
    """The configured summariser's digest, or why there is none; one that hangs is left behind."""
    summariser, patience_ms = office.aids.summariser, office.policy.ask.model_ms
    if summariser is None:
        return None, ""
    made: list[Digest] = []

    def ask() -> None:
        made.append(summariser.summarise(lines, limit_characters=limit, timeout_ms=patience_ms))

    why = unanswered(*office.workers.run("summariser", ask, Deadline.after(patience_ms)))
    if why:
        return None, why
    if not isinstance(made[0], Digest) or not made[0].text.strip():
        return None, "failed: no digest"
    return replace(made[0], text=made[0].text[:limit]), ""


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
