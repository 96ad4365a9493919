"""Runs `ask`: recall, condense, compose, check, audit, call a model, remember both sides, record what helped.

    stage       brake                           airbag
    recall      its own time of one deadline    files and recent turns only
    read again  files that have changed         the snippets as they were read before
    condense    checked against its schema      the raw ranked items, with their ids
    audit       one re-run at most              the context before it
    ceiling     before any call                 refused, with what it would take
    model       tries, back-off, a breaker      once the small model, then the prompt and the reason
    remember    what is left of the deadline    the answer all the same
    sum up      after the answer, its own time  with the next span

Every fallback is named in the reply. Nothing is remembered unless there is an answer to remember.

Never: calls a model inside a transaction, or goes past the deadline.
Spec: document 002, safety part; facts 2.2, 2.6; rulings 4a, 15, 18.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from recollect.core.condense import condense
from recollect.core.digest import keywords
from recollect.core.prompt import SuperPrompt, compose, prompt_faults
from recollect.core.suspicion import reads_like_an_order
from recollect.engine.context import Context
from recollect.engine.deadline import Deadline, unanswered
from recollect.engine.fallback import try_stage
from recollect.engine.office import Office
from recollect.engine.reading import Reading, changed
from recollect.engine.receipt import Receipt
from recollect.engine.spans import Summarised
from recollect.errors import ModelError
from recollect.ports.model import Message, Model, ModelAnswer, ModelCall

_PATH = re.compile(r"(?<![\w/])(?:[\w.-]+/)*[\w-]+\.(?:py|tf|tfvars|ya?ml|toml|json|md|cfg|ini|sql|sh)\b")
AUDITED_FILES = 3
Recall = Callable[..., Context]
LookAgain = Callable[[str], Reading]
SumUp = Callable[[Deadline], Summarised]
REMEMBERING_MS = 500
# As long as a question may be; nobody reads more of an answer again.
ANSWER_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a caller wants: the question, the files of this turn, who listens, and how to stop."""

    text: str
    files: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    lock: bool | None = None
    deadline_ms: int | None = None
    on_piece: Callable[[str], None] | None = None
    is_cancelled: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer, or the prompt to use and the reason why there is none.

    `status`: `answered`, `prompt` (no model is configured), `refused` (over a ceiling) or `failed`.
    """

    status: str
    text: str
    prompt: SuperPrompt
    context: Context
    model: str = ""
    reason: str = ""
    fallbacks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    tokens_needed: int = 0
    receipts: tuple[Receipt, ...] = ()
    summarised: Summarised = field(default_factory=Summarised)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt as chat messages."""
        return (Message(role="system", text=self.prompt.system), Message(role="user", text=self.prompt.user))

    def to_dict(self) -> dict[str, object]:
        return {
            "status": self.status,
            "text": self.text,
            "model": self.model,
            "reason": self.reason,
            "fallbacks": list(self.fallbacks),
            "notes": list(self.notes),
            "used": list(self.used),
            "tokens_needed": self.tokens_needed,
            "prompt_tokens": self.prompt.tokens,
            "prompt": self.prompt.text,
            "summarised": self.summarised.to_dict(),
            "context": self.context.to_dict(),
        }


class Asking:
    """One question on its way: what was decided so far, and what had to be done without."""

    def __init__(self, office: Office, recall: Recall, look_again: LookAgain, asked: Asked) -> None:
        self._office, self._recall, self._look_again, self._asked = office, recall, look_again, asked
        self._rules = office.policy.ask
        self._deadline = Deadline.after(asked.deadline_ms or self._rules.deadline_ms)
        self.fallbacks: list[str] = []
        self.notes: list[str] = []

    def run(self, spent: int) -> Reply:
        """Everything up to the answer; remembering it is the session's."""
        context = self._refreshed(self._context(self._asked))
        prompt = self._prompt(context)
        context, prompt = self._audited(context, prompt)
        reply = Reply(status="prompt", text="", prompt=prompt, context=context, reason="no_model")
        needed = prompt.tokens + self._rules.answer_tokens
        if context.status == "refused":
            reply = replace(reply, status="refused", reason="over_budget", tokens_needed=context.tokens_needed)
        elif needed > self._rules.ceiling_tokens:
            reply = replace(reply, status="refused", reason="over_ceiling", tokens_needed=needed)
        elif self._rules.session_tokens and spent + needed > self._rules.session_tokens:
            reply = replace(reply, status="refused", reason="over_session_ceiling", tokens_needed=spent + needed)
        elif self._office.aids.model is not None:
            reply = self._answered(reply)
        return replace(reply, fallbacks=tuple(self.fallbacks), notes=tuple(self.notes))

    def _context(self, asked: Asked) -> Context:
        """Recall, or what can be had without it: the files and the recent turns."""
        room = max(1, self._rules.ceiling_tokens - self._rules.answer_tokens)
        left = self._deadline.within(self._rules.recall_ms).left_ms
        options = {"files": asked.files, "off": asked.off, "budget_tokens": room, "deadline_ms": max(1, left)}
        found, code = try_stage("recall", lambda: self._recall(asked.text, lock=asked.lock, **options))
        if found is not None and found.status != "degraded":
            return found
        is_looked_up = found is not None and found.tiers.get("terms") in {"ran", "empty"}
        rest = "done without" if is_looked_up else "files and recent turns only"
        self.fallbacks.append(f"retrieval: {code or self._missing(found)}; {rest}")
        if found is not None:
            return found
        bare, code = try_stage("window", lambda: self._recall(asked.text, lock=True, **options))
        if bare is not None:
            return bare
        self.fallbacks.append(f"window: {code}; the question alone")
        return Context(
            text="",
            blocks=(),
            choices=(),
            tokens=0,
            budget_tokens=room,
            tokens_needed=0,
            status="unavailable",
            tiers={"window": f"failed: {code}"},
            hash="",
        )

    def _refreshed(self, context: Context) -> Context:
        """The context, after what has changed among the files it quotes was read in again."""
        stale, code = try_stage("files", lambda: changed(self._office, (choice.item for choice in context.choices)))
        read: list[str] = []
        for path in stale or ():
            told, code = try_stage("files", partial(self._look_again, path))
            if told is not None and told.outcome in {"read_again", "gone"}:
                read.append(f"{path} {'is gone' if told.outcome == 'gone' else 'has changed and was read in again'}")
        if code:
            self.fallbacks.append(f"files: {code}; as they were read in before")
        absent = [shown for shown in context.files if not shown.is_kept and shown.reason.code != "file_off"]
        self.notes += [f"files: {shown.path} {shown.reason.sentence}" for shown in absent]
        if not read:
            return context
        self.notes.append(f"files: {', '.join(read)}")
        return self._context(self._asked)

    @staticmethod
    def _missing(context: Context | None) -> str:
        tiers = context.tiers if context is not None else {}
        return ", ".join(f"{name} {state}" for name, state in tiers.items() if state not in {"ran", "empty"})

    def _prompt(self, context: Context) -> SuperPrompt:
        """The condensed prompt, or the raw items where condensing fails or breaks its own schema."""
        count = self._office.tokens.count
        room = self._rules.ceiling_tokens - self._rules.answer_tokens
        known = [choice.item.id for choice in context.kept] + [f"file:{shown.path}" for shown in context.files]
        known += [conflict.kept for conflict in context.conflicts]

        def condensed() -> SuperPrompt:
            short = condense(context.kept, context.conflicts)
            prompt = compose(self._asked.text, context.blocks, short, room, count)
            wrong = prompt_faults(prompt, known)
            if wrong:
                raise ModelError("The condensed context breaks its schema.", reason=f"schema: {', '.join(wrong)}")
            return prompt

        if context.is_locked or not [c for c in context.kept if c.block != "window"]:
            return compose(self._asked.text, context.blocks, None, room, count)
        code = "no time left"
        if self._deadline.within(self._rules.condense_ms).left_ms > 0:
            found, code = try_stage("condenser", condensed)
            if found is not None:
                return found
        self.fallbacks.append(f"condenser: {code}; raw items with their ids")
        return compose(self._asked.text, context.blocks, None, room, count)

    def _audited(self, context: Context, prompt: SuperPrompt) -> tuple[Context, SuperPrompt]:
        """One look at whether the question is about files that were not opened; at most one run more."""
        files = self._office.aids.files
        if self._asked.lock is not None or files is None or not files.has_roots:
            return context, prompt
        known = {shown.path for shown in context.files} | set(self._asked.off)
        named = [path for path in dict.fromkeys(_PATH.findall(self._asked.text)) if path not in known][:AUDITED_FILES]
        limit = self._office.policy.context.file_bytes
        opened = tuple(path for path in named if not files.read(path, limit).refusal)
        if not opened:
            return context, prompt
        self.notes.append(f"audit: the question is about {', '.join(opened)}; opened and run again")
        wider = replace(self._asked, files=(*self._asked.files, *opened))
        again, code = try_stage("audit", lambda: self._context(wider))
        if again is None or again.status in {"refused", "unavailable"}:
            self.fallbacks.append(f"audit: {code or (again.status if again else '')}; back to the context before it")
            return context, prompt
        return again, self._prompt(again)

    def _answered(self, reply: Reply) -> Reply:
        """The model's answer, the small model's, or the prompt and the reason."""
        models = [m for m in (self._office.aids.model, self._office.aids.small_model) if m is not None]
        code = ""
        for number, model in enumerate(models):
            if number:
                self.fallbacks.append(f"model: {code}; asked {model.name} instead")
            answer, code = self._call(model, reply)
            if answer is not None:
                if reads_like_an_order(answer.text):
                    self.notes.append("the answer reads like an instruction; it is kept as the assistant's words")
                if answer.finish == "length":
                    self.notes.append("the answer was cut at its limit")
                used = _used(answer.text, reply.context)
                return replace(reply, status="answered", text=answer.text, model=model.name, reason="", used=used)
        self.fallbacks.append(f"model: {code}; the prompt is yours to use")
        return replace(reply, status="failed", reason=code)

    def _call(self, model: Model, reply: Reply) -> tuple[ModelAnswer | None, str]:
        asked, rules = self._asked, self._rules
        call = ModelCall(
            messages=reply.messages,
            max_tokens=rules.answer_tokens,
            timeout_ms=rules.model_ms,
            on_piece=asked.on_piece,
            is_cancelled=asked.is_cancelled,
        )
        brakes = self._office.brakes
        # Both sides must still be remembered.
        until = self._deadline.before(REMEMBERING_MS)
        return try_stage("model", lambda: brakes.call(model, call, rules, until, self.notes.append))

    def after(self, reply: Reply, remember: Callable[[], tuple[Receipt, ...]], sum_up: SumUp) -> Reply:
        """The reply, with both sides remembered and a span summed up if one is due; it stands whatever fails."""
        receipts: list[Receipt] = []
        kept = self._office.workers.run("remember", lambda: receipts.extend(remember()), self._deadline)
        why = unanswered(*kept)
        if why:
            return replace(reply, fallbacks=(*reply.fallbacks, f"remember: {why}; this exchange may be forgotten"))
        # Nobody waits long for what is only tidy.
        made, code = try_stage("summary", lambda: sum_up(self._deadline.within(self._rules.condense_ms)))
        made = made or Summarised(fallbacks=(f"summary: {code}; with the next span",))
        notes = (f"{made.waiting} turns wait to be summed up by a model; upkeep does it",) if made.waiting else ()
        return replace(
            reply,
            receipts=tuple(receipts),
            summarised=made,
            fallbacks=(*reply.fallbacks, *made.fallbacks),
            notes=(*reply.notes, *notes),
        )


def _used(answer: str, context: Context) -> tuple[str, ...]:
    """The items an answer stands on: those it cites, and those whose own words come back in it."""
    said = frozenset(keywords(answer, 400))
    found = []
    for choice in context.kept:
        if choice.block == "window":
            continue
        own = keywords(choice.item.text, 12)
        is_echoed = len(own) >= 3 and sum(word in said for word in own) * 10 >= len(own) * 7
        if f"[{choice.item.id}]" in answer or is_echoed:
            found.append(choice.item.id)
    return tuple(found)


def turns_of(reply: Reply, asked: Asked, files: Sequence[str]) -> list[dict[str, object]]:
    """Both sides of an answered question, to be remembered in one commit."""
    text = reply.text
    if len(text) > ANSWER_CHARACTERS:
        text = f"{text[:ANSWER_CHARACTERS]}\n[… {len(text) - ANSWER_CHARACTERS} characters were not remembered …]"
    return [
        {"text": asked.text, "role": "user", "files": list(files)},
        {"text": text, "role": "assistant", "meta": {"model": reply.model}},
    ]
