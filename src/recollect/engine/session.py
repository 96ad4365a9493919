"""A session: one user's conversation with one persona, and everything one can ask of its memory.

Never: decides. Each method reads its arguments at the door and hands them to the engine.
Spec: architecture "The public face".
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from recollect.core.canonical import canonical, digest
from recollect.core.item import MemoryItem, Phase
from recollect.core.phases import TOP_CHANGES, Change, PhaseDiff, diff_phases
from recollect.core.policy import Policy
from recollect.core.policy_file import policy_from
from recollect.core.read.question import Question
from recollect.core.reasons import BORDER
from recollect.core.text import one_line
from recollect.core.values import BorderAction, EventType, ItemRef, Lens, Place, Role, Space, Turn
from recollect.core.wire import TRACE_VERSION, Wire
from recollect.engine import acts
from recollect.engine.ask import Asked, Asking, Reply, turns_of
from recollect.engine.context import Context, SearchHit
from recollect.engine.deadline import Deadline
from recollect.engine.door import (
    Moment,
    TurnInput,
    identifier,
    label,
    positive,
    read_moment,
    read_names,
    read_query,
    read_turn,
    read_turns,
)
from recollect.engine.erase import Erasure, ErasureReceipt, belongs_to, erase, made_in, summaries_of
from recollect.engine.listing import Page, all_items, list_items, read_filter
from recollect.engine.office import Office
from recollect.engine.reading import ReadFile, Reading, look_again, manifest, read_in, reread
from recollect.engine.recall import recall
from recollect.engine.receipt import Receipt
from recollect.engine.remember import remember
from recollect.engine.search import EVERYTHING, search
from recollect.engine.spans import Summarised, after_turns, summarise
from recollect.engine.traces import all_events, last_traces, read_traces
from recollect.engine.voice import Voice
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.ports.store import Filter, Reader

if TYPE_CHECKING:
    from recollect.engine.companion.face import Companion

DEADLINE_MS = 3_600_000
LIMIT = 1_000


class Session:
    """Made by `Memory.session`. Cheap to make, safe to share between threads."""

    def __init__(self, office: Office, lens: Lens) -> None:
        self._office = office
        self._lens = lens
        self._voice: Voice | None = None
        self._asked_tokens = 0

    def __repr__(self) -> str:
        return f"Session({self._lens.session_place.owner!r})"

    @property
    def voice(self) -> Voice:
        """How this session varies what it says. It lives in this object alone and is never stored."""
        if self._voice is None:
            self._voice = Voice.open()
        return self._voice

    @property
    def companion(self) -> Companion:
        """People, cards, todos, sessions and summaries, where the policy has a companion."""
        from recollect.engine.companion.face import Companion

        return Companion(self._office, self._lens)

    # writing

    def remember(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str = "",
        at: Moment | None = None,
        ref: str = "",
        source: str = "",
        tool: str = "",
        files: Sequence[str] = (),
        meta: Mapping[str, object] | None = None,
        private: bool = False,
        command_id: str = "",
    ) -> Receipt:
        """Remember one turn: into the window, as an episode, and the facts in it, as the policy allows.

        `at` is when it was said (now, if left out); `ref` your own message id; `source` where the words came from
        (`chat`, `tool`, `web`, `import`, `file`, `external`, with a detail after a colon); `private` keeps it to
        this persona. Repeating a `command_id` changes nothing and gives the same answer.
        """
        given = TurnInput(
            text=text,
            role=role,
            speaker=speaker,
            at=at,
            ref=ref,
            source=source,
            tool=tool,
            files=files,
            meta=meta,
            private=private,
        )
        return remember(self._office, self._lens, [given], identifier(command_id, "command_id", 200))[0]

    def remember_many(
        self, turns: Iterable[TurnInput | Mapping[str, object]], *, command_id: str = ""
    ) -> builtins.list[Receipt]:
        """Remember many turns in one commit: all of them or none. A receipt each, in order."""
        return remember(self._office, self._lens, read_turns(turns), identifier(command_id, "command_id", 200))

    def remember_fact(
        self,
        text: str,
        *,
        key: str = "",
        private: bool = False,
        at: Moment | None = None,
        ref: str = "",
        command_id: str = "",
    ) -> Receipt:
        """State a lasting fact. A later fact with the same `key` meets this one in a conflict, by rule."""
        turn = self._stated(text, private=private, at=at, ref=ref)
        command = self._command(command_id, "fact", text, key, private)
        key = identifier(key, "key", 100)
        return acts.add_fact(self._office, self._lens, turn, key=key, event_type=EventType.FACT, command=command)

    def add_rule(self, text: str, *, private: bool = False, at: Moment | None = None, command_id: str = "") -> Receipt:
        """Add a standing rule: it heads every context until it is forgotten."""
        turn = self._stated(text, private=private, at=at, ref="")
        command = self._command(command_id, "rule", text, private)
        return acts.add_fact(self._office, self._lens, turn, key="", event_type=EventType.RULE, command=command)

    def correct(self, item_id: str, text: str, *, at: Moment | None = None) -> Receipt:
        """Say how it really is: a correction takes the place of a memory."""
        turn = self._stated(text, private=False, at=at, ref="")
        return self._change(item_id, acts.correct(turn.text, turn.at_ms), turn.at_ms)

    def confirm(self, item_id: str, *, at: Moment | None = None) -> Receipt:
        """Vouch for a memory: a new, user-asserted one takes its place and cites it. Lifts a quarantine."""
        at_ms = self._moment(at)
        return self._change(item_id, acts.confirm(at_ms), at_ms)

    def pin(self, item_id: str, *, at: Moment | None = None) -> Receipt:
        """Always carry this memory; it is never archived and never expires."""
        return self._change(item_id, acts.pin, self._moment(at))

    def unpin(self, item_id: str, *, at: Moment | None = None) -> Receipt:
        return self._change(item_id, acts.unpin, self._moment(at))

    def mark(self, item_id: str, importance: int, *, at: Moment | None = None) -> Receipt:
        """Set how important a memory is."""
        return self._change(item_id, acts.mark(importance), self._moment(at))

    def forget(self, item_id: str, *, at: Moment | None = None) -> Receipt:
        """Stop recalling a memory. It is archived; `unforget` brings it back."""
        return self._change(item_id, acts.forget, self._moment(at))

    def unforget(self, item_id: str, *, at: Moment | None = None) -> Receipt:
        return self._change(item_id, acts.unforget, self._moment(at))

    def promote(self, item_id: str, to: str, *, at: Moment | None = None) -> Receipt:
        """Copy a memory to a wider space (`user`, `project`, `system`), if the policy allows."""
        space = _space(to)
        ref = acts.address(self._lens, item_id)
        target = self._lens.place(space)
        places = (ref.place,) if target is None else (ref.place, target)
        return acts.change_across(self._office, self._lens, item_id, places, self._moment(at), acts.promote(space))

    def erase(self, item_id: str) -> ErasureReceipt:
        """Erase one memory for good, with everything made from it. There is no way back."""
        ref = acts.address(self._lens, item_id)

        def roots(reader: Reader) -> builtins.list[ItemRef]:
            here = [ref] if reader.fetch([ref]) else [child for child, _ in reader.made_from([ref])]
            return [*here, *summaries_of(reader, [ref.place], item_id)]

        return self._erase(f"item {item_id}", roots, is_by_id=True)

    def erase_ref(self, ref: str) -> ErasureReceipt:
        """Erase every memory made from one of your own messages."""
        name = label(ref, "ref")
        if not name:
            raise InvalidInput("ref is empty.", reason="empty_ref")

        def roots(reader: Reader) -> builtins.list[ItemRef]:
            own = [place for place in reader.places() if belongs_to(place, self._lens.user)]
            found = [item.ref for item in self._items(reader, Filter(statuses=(), ref=name))]
            shared = reader.fetch(made_in(reader, own))
            found += [item.ref for item in shared.values() if item.origin.ref == name]
            return [*found, *summaries_of(reader, own, name)]

        return self._erase(f"turn {name}", roots)

    def erase_session(self) -> ErasureReceipt:
        """Erase this session: its window and every memory that was made in it."""
        place, name, persona = self._lens.session_place, self._lens.session, self._lens.persona

        def roots(reader: Reader) -> builtins.list[ItemRef]:
            own = [item.ref for item in all_items(reader, place)]
            made = [item for item in self._items(reader, Filter(statuses=(), session=name)) if name]
            mine = [item.ref for item in made if item.origin.persona == persona]
            return [*own, *mine, *made_in(reader, [place])]

        return self._erase(f"session {place.owner}", roots, buried=place)

    # reading

    def recall(
        self,
        query: str,
        *,
        budget_tokens: int | None = None,
        limit: int | None = None,
        at: Moment | None = None,
        as_of: Moment | None = None,
        deadline_ms: int | None = None,
        files: Sequence[str] = (),
        off: Sequence[str] = (),
        lock: bool | None = None,
        overrides: Mapping[str, object] | None = None,
    ) -> Context:
        """Bring back what helps with a question: the window always, rules and facts, then what matches.

        `as_of` asks what was believed at a moment. `overrides` changes policy values for this call only. `files` (paths
        or patterns below the roots) are shown as the ❖ FILES block and win over what is remembered about them; `off`
        names files that stay out with all that points at them; `lock` shows the files and the window, nothing else.
        """
        named, off_paths = read_names(files, "files"), read_names(off, "off")
        policy = self._policy(overrides)
        question = Question(
            text=read_query(query),
            policy=policy,
            lens=self._lens,
            at_ms=self._moment(at),
            budget_tokens=positive(
                policy.recall.budget_tokens if budget_tokens is None else budget_tokens, "budget_tokens", 1_000_000
            ),
            limit=positive(policy.recall.top_k or 1 if limit is None else limit, "limit", LIMIT),
            as_of_ms=0 if as_of is None else read_moment(as_of, "as_of"),
            files=named,
            off=off_paths,
            is_locked=bool(named) and policy.context.lock_named_files if lock is None else bool(lock),
        )
        deadline = None if deadline_ms is None else positive(deadline_ms, "deadline_ms", DEADLINE_MS)
        return recall(self._office, question, Deadline.after(deadline), self._use)

    # asking

    def ask(
        self,
        question: str,
        *,
        files: Sequence[str] = (),
        off: Sequence[str] = (),
        lock: bool | None = None,
        deadline_ms: int | None = None,
        on_piece: Callable[[str], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
        at: Moment | None = None,
    ) -> Reply:
        """Recall, compose, ask the configured model, remember both sides, record what helped.

        Without a model the reply holds the Super-Prompt to use yourself. Whatever had to be done without is named in
        `reply.fallbacks`. `on_piece` hears the answer as it comes; `is_cancelled` stops everything.
        """
        asked = Asked(
            text=read_query(question),
            files=read_names(files, "files"),
            off=read_names(off, "off"),
            lock=lock,
            deadline_ms=None if deadline_ms is None else positive(deadline_ms, "deadline_ms", DEADLINE_MS),
            on_piece=on_piece,
            is_cancelled=is_cancelled,
        )
        if not asked.text.strip():
            raise InvalidInput("The question is empty.", reason="empty_text")
        again = partial(look_again, self._office, self._lens, at_ms=self._moment(at))
        asking = Asking(self._office, partial(self.recall, at=at), again, asked)
        reply = asking.run(self._asked_tokens)
        if reply.status in {"answered", "failed"}:
            self._asked_tokens += reply.prompt.tokens + self._office.tokens.count(reply.text)
        if reply.status != "answered":
            return reply
        turns = [{**turn, "at": self._moment(at)} for turn in turns_of(reply, asked, asked.files)]

        def remember_both() -> tuple[Receipt, ...]:
            kept = tuple(self.remember_many(turns))
            return (*kept, self._use(reply.used)) if reply.used else kept

        sum_up = partial(after_turns, self._office, self._lens, self._moment(at), len(turns))
        return asking.after(reply, remember_both, sum_up)

    def summarise(self, *, at: Moment | None = None) -> Summarised:
        """Make old stretches of this conversation short: titled summaries that say which turns they stand for."""
        return summarise(self._office, self._lens, self._moment(at))

    def breakers(self) -> dict[str, dict[str, object]]:
        """The state of the breaker of every model that was asked."""
        return self._office.brakes.states(self._office.policy.ask)

    # files

    def read_in(self, path: str, *, at: Moment | None = None) -> Reading:
        """Take a file below the roots in as recallable snippets, cut along its structure; a changed one again."""
        return read_in(self._office, self._lens, label(path, "path", 4_096), self._moment(at))

    def reread(self, *, at: Moment | None = None) -> builtins.list[Reading]:
        """Look at every file that was read in: unchanged, read again, or gone."""
        return reread(self._office, self._lens, self._moment(at))

    def manifest(self) -> builtins.list[ReadFile]:
        """The files that were read in, with hash, time and number of snippets."""
        return manifest(self._office, self._lens)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        kind: str = "",
        event_type: str = "",
        session: str = "",
        ref: str = "",
        pinned: bool | None = None,
        misses: int = 0,
    ) -> builtins.list[SearchHit]:
        """Rank the memories that match a question, best first; `misses` more come last and say what they lacked."""
        wanted = EVERYTHING
        if (kind, event_type, session, ref, pinned) != ("", "", "", "", None):
            wanted = read_filter(
                kind=kind, status="active", event_type=event_type, session=session, ref=ref, pinned=pinned
            )
        question = Question(
            text=read_query(query),
            policy=self._office.policy,
            lens=self._lens,
            at_ms=0,
            budget_tokens=1,
            limit=positive(limit, "limit", LIMIT),
        )
        return search(self._office, question, wanted, misses and positive(misses, "misses", LIMIT))

    def get(self, item_id: str) -> MemoryItem:
        """One memory by its id."""
        with self._office.repository.reading() as reader:
            return acts.find(reader, self._lens, item_id)

    def sources(self, item_id: str) -> builtins.list[MemoryItem]:
        """The memories a memory was made from, as far as they are still there: every turn that stated a fact."""
        with self._office.repository.reading() as reader:
            item = acts.find(reader, self._lens, item_id)
            found = reader.fetch(reader.sources_of(item.ref))
        # What was said to another persona stays with it, even where everybody may know the fact.
        return [found[ref] for ref in sorted(found) if acts.is_own(self._lens, ref.place)]

    def list(
        self,
        *,
        space: str = "",
        kind: str = "",
        status: str = "active",
        event_type: str = "",
        session: str = "",
        ref: str = "",
        pinned: bool | None = None,
        contains: str = "",
        limit: int = 50,
        cursor: str = "",
    ) -> Page:
        """Memories of this session's places, page by page; `status`: active, archived, quarantined or all."""
        wanted = read_filter(
            kind=kind, status=status, event_type=event_type, session=session, ref=ref, pinned=pinned, contains=contains
        )
        spaces = [_space(space)] if space else [*Space]
        places = [place for each in spaces for place in self._lens.places(each)]
        with self._office.repository.reading() as reader:
            return list_items(reader, places, wanted, positive(limit, "limit", LIMIT), cursor)

    # phases and traces

    def start_phase(self, name: str = "", *, space: str = "session", at: Moment | None = None) -> Phase:
        """Begin a new phase. Under policies that recall the current phase only, earlier turns step back."""
        place = self._place(space)
        name = identifier(name, "name", 100)
        self._ask(BorderAction.PHASE_START, place, "allowed" if self._office.policy.phase.enabled else "phase_disabled")
        return acts.start_phase(self._office, self._lens, place, name, self._moment(at))

    def phases(self, space: str = "session") -> builtins.list[Phase]:
        with self._office.repository.reading() as reader:
            return reader.phases(self._place(space))

    def diff_phases(self, from_phase: int | str, to_phase: int | str, *, space: str = "session") -> PhaseDiff:
        """What changed between the end of one phase and the end of another."""
        place = self._place(space)
        is_allowed = self._office.policy.phase.diff_enabled
        told = self._ask(BorderAction.PHASE_DIFF, place, "allowed" if is_allowed else "phase_diff_disabled")
        with self._office.repository.reading() as reader:
            oldest = self._oldest_compared(reader.phases(place))
            asked = [_phase_index(from_phase), _phase_index(to_phase)]
            known = min(asked) >= oldest
            diff = diff_phases(all_events(reader, place) if known else (), asked[0], asked[1])
            touched = [ref for change in diff.changes[:TOP_CHANGES] if (ref := change.after or change.before)]
            keys = {item.id: one_line(item.dedup_key) for item in reader.fetch(touched).values()}
        if self._office.is_tracing:
            self._office.ring.add(self._lens.session_place.owner, lambda: [told, self._diff_wire(place, diff, keys)])
        return diff

    def traces(self, *, limit: int = 100, recalls: bool = True) -> builtins.list[Wire]:
        """What this session did, as the contract's events: writes from the log, then the recalls kept."""
        with self._office.repository.reading() as reader:
            told = last_traces(reader, self._lens, positive(limit, "limit", 10_000))
            kept = reader.recalls(self._lens.session_place, limit) if recalls else []
        written = [event for _, _, events in told for event in events]
        if not recalls:
            return written
        durable = [event for body in kept for event in json.loads(body)]
        return [*written, *(durable or self._office.ring.of(self._lens.session_place.owner))]

    def traces_after(self, seq: int, *, limit: int = 100) -> tuple[int, builtins.list[Wire]]:
        """Traces newer than a position, and the position to ask from next: for following along."""
        if isinstance(seq, bool) or not isinstance(seq, int) or seq < 0:
            raise InvalidInput("seq should be a whole number of at least 0.", reason="wrong_type")
        limit = positive(limit, "limit", 10_000)
        with self._office.repository.reading() as reader:
            told = read_traces(reader, self._lens, seq, limit)
            head = reader.heads([self._lens.session_place])[self._lens.session_place]
        # Records of acts that began elsewhere are not told here, but they are passed.
        return max(seq, min(seq + limit, head.seq)), [event for _, _, events in told for event in events]

    # the ground

    def _erase(
        self,
        what: str,
        roots: Callable[[Reader], builtins.list[ItemRef]],
        buried: Place | None = None,
        *,
        is_by_id: bool = False,
    ) -> ErasureReceipt:
        def names(reader: Reader) -> builtins.list[Place]:
            return [buried] if buried is not None and reader.heads([buried])[buried].seq else []

        erasure = Erasure(what=what, lens=self._lens, roots=roots, buried=names, is_by_id=is_by_id)
        return erase(self._office, erasure)

    def _items(self, reader: Reader, wanted: Filter) -> Iterator[MemoryItem]:
        own = [place for place in reader.places() if belongs_to(place, self._lens.user)]
        return (item for place in own for item in all_items(reader, place, wanted))

    def _change(self, item_id: str, apply: acts.Change, at_ms: int) -> Receipt:
        return acts.change(self._office, self._lens, item_id, at_ms, apply)

    def _use(self, ids: Sequence[str]) -> Receipt:
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise InvalidInput("ids should be a list of memory ids.", reason="wrong_type")
        return acts.use(self._office, self._lens, [*ids], self._office.clock.now_ms())

    def _moment(self, at: Moment | None) -> int:
        return self._office.clock.now_ms() if at is None else read_moment(at, "at")

    def _stated(self, text: str, *, private: bool, at: Moment | None, ref: str) -> Turn:
        turn = read_turn(TurnInput(text=text, at=at, ref=ref, private=private), self._lens, self._office.clock)
        return replace(turn, role=Role.USER)

    def _command(self, command_id: str, *content: object) -> tuple[str, str]:
        return identifier(command_id, "command_id", 200), digest(canonical([*content]))

    def _place(self, space: str) -> Place:
        place = self._lens.place(_space(space))
        if place is None:
            raise NotFound(f"This session has no {space} space.", hint="Name a project when opening the session.")
        return place

    def _policy(self, overrides: Mapping[str, object] | None) -> Policy:
        if not overrides:
            return self._office.policy
        if not isinstance(overrides, Mapping):
            raise InvalidInput("overrides should be a mapping of policy keys.", reason="wrong_type")
        try:
            written = canonical(overrides)
        except (TypeError, ValueError) as error:
            raise InvalidInput("overrides holds something no policy can hold.", reason="wrong_type") from error
        return _overridden(self._office.policy, written)

    def _ask(self, action: BorderAction, place: Place, code: str) -> Wire:
        """Ask at a border before anything is written; a refusal is traced and raised."""
        lens = self._lens
        told: Wire = {
            "type": "memory_border_check",
            "trace_version": TRACE_VERSION,
            "ai_profile": lens.ai_profile,
            "session": lens.session_place.owner,
            "policy_snapshot": self._office.policy.snapshot,
            "action": str(action),
            "from_space": str(place.space),
            "allowed": code == "allowed",
            "reason": code,
            "sentence": BORDER[code],
        }
        if code != "allowed":
            self._office.ring.add(lens.session_place.owner, lambda: [told])
            raise Refused(f"Not done: {BORDER[code]}.", reason=code)
        return told

    def _oldest_compared(self, phases: Sequence[Phase]) -> int:
        """The policy may limit how many phases can still be compared."""
        limit = self._office.policy.phase.max_phases
        return phases[-limit].index if limit and len(phases) > limit else 1

    def _diff_wire(self, place: Place, diff: PhaseDiff, keys: dict[str, str]) -> Wire:
        return {
            "type": "memory_phase_diff",
            "trace_version": TRACE_VERSION,
            "ai_profile": self._lens.ai_profile,
            "session": self._lens.session_place.owner,
            "policy_snapshot": self._office.policy.snapshot,
            "space": str(place.space),
            "owner": place.owner,
            "from_phase_id": f"phase-{diff.from_phase}",
            "to_phase_id": f"phase-{diff.to_phase}",
            "added_count": len(diff.added),
            "deleted_count": len(diff.deleted),
            "replaced_count": len(diff.replaced),
            "top_changes": [_change_wire(change, keys) for change in diff.changes[:TOP_CHANGES]],
            "summary_lines": list(diff.summary_lines),
        }


def _change_wire(change: Change, keys: Mapping[str, str]) -> Wire:
    before = change.before.id if change.before else ""
    after = change.after.id if change.after else ""
    return {
        "change": change.change,
        "from_id": before or None,
        "to_id": after or None,
        "dedup_key": keys.get(after or before),
    }


@lru_cache(maxsize=256)
def _overridden(policy: Policy, overrides: str) -> Policy:
    return policy_from(_merged(policy.snapshot, json.loads(overrides)))


def _merged(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    merged = dict(base)
    for key, value in over.items():
        held = merged.get(key)
        nested = isinstance(held, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(held, value) if nested else value  # type: ignore[arg-type]
    return merged


def _space(space: str) -> Space:
    try:
        return Space(space)
    except ValueError as error:
        allowed = ", ".join(Space)
        raise InvalidInput(f"{str(space)[:40]!r} is not a space.", hint=f"Allowed: {allowed}.") from error


def _phase_index(phase: int | str) -> int:
    digits = str(phase).removeprefix("phase-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise InvalidInput("A phase is a number or `phase-N`.", reason="bad_phase")
    return int(digits)
