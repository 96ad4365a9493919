"""Writes the reference pages that are tables of the code: reason codes, events, errors, policy, settings.

Run `python scripts/reference.py` after changing one of those tables; a test fails while the pages lag behind.
"""

from __future__ import annotations

import dataclasses
import sys
import typing
from pathlib import Path

from recollect import errors, settings
from recollect.core import policy, reasons, wire

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
TITLES = {
    "kept": "Why something is in the context",
    "dropped": "Why something is not in the context",
    "denied": "Why an offered item was refused",
    "quarantined": "Why something is kept apart",
    "conflict": "Which rule settled a conflict",
    "leaving": "Why an item left",
    "border": "What a border answered",
    "promotion": "Why something was promoted",
    "marked": "Why importance changed",
    "erased": "Why something was erased",
    "files": "Why a file is, or is not, in the ❖ FILES block",
}
# What each policy field decides, in the words of the person who has to answer for it.
POLICY: dict[str, str] = {
    "name": "the name printed in every trace",
    "write_policy": "how much is kept beyond the window: `none` the window only, `minimal` facts, preferences, decisions, corrections, `normal` every turn that carries a signal, `aggressive` everything",
    "allow_event_types": "only these types are kept; empty allows all",
    "deny_event_types": "these types are never kept",
    "authority_order": "who outranks whom in a conflict, highest first",
    "trusted_tools": "tools whose words are believed; all others are quarantined",
    "losers": "what becomes of the claim that lost: archived for audit, or deleted at once",
    "window.unit": "whether the window counts exchanges (a user's turn and what followed) or messages",
    "window.size": "how many of them are always carried: 1 to 12 exchanges, or 0 to 200 messages (the contract's unit; 0 carries none)",
    "window.max_messages": "how many messages the window holds at most, whatever the unit",
    "window.summary": "whether what leaves the window is folded into one summary line",
    "episodes.roles": "whose turns are offered as episodes",
    "episodes.space": "where episodes live",
    "episodes.dedupe": "whether the same words twice are one episode, the newer standing",
    "episodes.drop_low_signal": "whether `ok` and `thanks` are refused below `aggressive`",
    "episodes.context_is_signal": "whether ordinary talk counts as a signal at `normal`",
    "facts.extractor": "who reads facts: `none`, `contract` (six keys), `rules`",
    "facts.space": "where facts live",
    "facts.limit": "how many facts a context carries",
    "retention": 'per kind (`short_term`, `semantic`, `profile`) and event type (or `default`): `never`, `{mode = "ttl", ticks = n}` or `{mode = "decay", ticks = n}`',
    "promotion.semantic": "which event types may become episodes",
    "promotion.profile": "which event types may become facts",
    "promotion.source": "whether a promoted item stays in its old space too",
    "spaces.read_order": "which spaces are read, in this order",
    "spaces.write": "which spaces may be written directly",
    "spaces.promotion": "the ways between spaces: `from_space`, `to_space`, `min_authority`, `event_types`, and `lower_authority` for `lower_event_types`",
    "phase.enabled": "whether phases can be started",
    "phase.mode": "`current_only` recalls the current phase, `all` looks back",
    "phase.allow_cross_phase_recall": "whether recall looks beyond the current phase all the same",
    "phase.max_phases": "how many of the latest phases can be compared; 0 for all",
    "phase.diff_enabled": "whether phases can be compared at all",
    "privacy.action": "`mask` cuts a secret out and keeps the rest, `deny` refuses the whole item",
    "privacy.markers": "words that alone deny an item, where the action is `deny`",
    "privacy.deny_patterns": "regular expressions that deny an item, whatever the action",
    "privacy.profile_keys": "which keys facts may have; `*` allows all",
    "importance.preference": "base importance of a preference",
    "importance.decision": "base importance of a decision",
    "importance.fact": "base importance of a fact",
    "importance.correction": "base importance of a correction",
    "importance.execution": "base importance of a tool's result",
    "importance.context": "base importance of ordinary talk",
    "importance.rule": "base importance of a rule",
    "importance.from_user": "added when the user said it",
    "importance.emphasis": "added for always, never, must, avoid",
    "importance.corrective": "added for a correction",
    "importance.maximum": "the highest importance; a pinned item has it",
    "importance.growth_sessions": "in how many sessions something must have helped, or been said again, for each step it grows",
    "importance.growth_ceiling": "what importance falls back to at most when a pin is taken off",
    "recall.scoring": "`hybrid` is the contract's score, `blend` the search index with the weights below",
    "recall.candidates": "how many candidates each place proposes",
    "recall.top_k": "how many episodes of each space may stay",
    "recall.budget_tokens": "the token ceiling of a context",
    "recall.turn_tokens": "a longer turn is shown head and tail",
    "recall.floor": "the score, in millionths, below which a candidate is a weak match",
    "recall.half_life_ticks": "after how many ticks a memory's nearness is halved",
    "recall.weights.terms": "percent of the score that the match makes",
    "recall.weights.recency": "percent of the score that nearness makes",
    "recall.weights.importance": "percent of the score that importance makes",
    "recall.ranking.words": "what the words of the question in a turn and around it are worth in a search; these weights are hundredths of a standard deviation of the place",
    "recall.ranking.vector": "what similar meaning is worth",
    "recall.ranking.next_vector": "what similar meaning of the next turn is worth",
    "recall.ranking.speaker": "for a turn by the speaker the question names",
    "recall.ranking.name": "for a turn that holds the name of a speaker whom the question names",
    "recall.ranking.user": "for the user's turns, unless the question asks what the assistant said or names a speaker",
    "recall.ranking.assistant": "for the assistant's turns, where the question asks what the assistant said",
    "recall.ranking.date": "for a turn said near the date the question names (up to twice for the very day)",
    "recall.ranking.answer": "for a turn that holds a time, a number or a name, where the question asks for one",
    "recall.ranking.asks": "for a turn that ends in a question (negative: it asks, it does not tell)",
    "recall.ranking.follows": "for a turn right after a question",
    "recall.ranking.kind": "for a turn that names a thing of the kind the question asks about (a dog, for pets), times how rare such turns are",
    "recall.ranking.newer": "for the newest turn of the place, less for older ones; nothing where the question asks how things once were",
    "recall.ranking.now": "added to `newer` where the question asks how things are now, or were in the end",
    "context.episode_tokens": "the token budget of episodes alone, weakest trimmed first; 0 for no budget of their own",
    "context.new_turns": "up to about how many turns ago something is very new",
    "context.on_topic": "from about which share of the question's words, or similarity, in millionths, something is very on-topic",
    "context.alike_from": "the similarity, in millionths, that unrelated texts reach; only what is above it counts",
    "context.important": "from which importance on something may come whatever its age",
    "context.edge_percent": "how wide the soft edge around those two is, in percent of them",
    "context.keep_floor": "below this none of the three reasons speaks, in millionths; 0 keeps all",
    "context.duplicate_percent": "strictness of the gate: the share of word triples two texts must share to be one; 0 turns it off",
    "context.similar_percent": "the similarity from which texts with mostly the same words are one",
    "context.time_gaps": "whether long breaks make older turns older",
    "context.gap_hours": "how long a break is long",
    "context.gap_turns": "as how many turns each long break counts",
    "context.lock_named_files": "whether naming files locks onto them (Exact File Lock) unless the caller says otherwise",
    "context.max_files": "how many files the ❖ FILES block shows at most",
    "context.file_bytes": "how large a file may be to be read at all",
    "context.file_tokens": "a file of more tokens is shown as outline and parts",
    "context.span_turns": "how many turns beyond the window are summarised together; 0 for no summaries",
    "context.summary_characters": "how long such a summary may be",
    "context.summaries": "how many summaries stand; beyond that unused ones step back",
    "ask.deadline_ms": "the one deadline of a question to a model, everything included",
    "ask.recall_ms": "how long recall may take of it",
    "ask.condense_ms": "how long condensing may take of it",
    "ask.model_ms": "how long one call of a model may take of it",
    "ask.ceiling_tokens": "prompt and answer together never pass this; more is refused before any call",
    "ask.answer_tokens": "how long an answer may get",
    "ask.retries": "how often a transient error is tried again",
    "ask.backoff_ms": "the first pause before trying again, doubled each time, with jitter",
    "ask.breaker_failures": "after how many failures in a row a model is left alone",
    "ask.breaker_ms": "for how long",
    "ask.session_tokens": "how many tokens a session object may send to models in all; 0 for no ceiling",
    "trace.durable_recalls": "whether the traces of recalls are written down",
    "trace.ring": "how many recall traces each session keeps",
    "companion.session_minutes": "after how long a silence a session is over",
    "companion.own_episodes": "whether what was said to one persona is found by that persona alone",
    "companion.rolling_every": "after how many messages of the user the rolling summary is renewed",
    "companion.rolling_characters": "how long it may be",
    "companion.spine_every": "after how many messages the spine gets a new version",
    "companion.spine_characters": "how long it may be",
    "companion.seed_characters": "how much of the user's seed a context carries",
    "companion.similarity": "percent of a fact's score that the match makes",
    "companion.recency": "percent that its age makes",
    "companion.frequency": "percent that its people and things make, by how often the candidates name them",
    "companion.half_life_days": "after how many days a fact's recency is halved",
    "companion.profile_cap": "how many relevant facts about the user a context carries",
    "companion.people_cap": "how many about their people",
    "companion.project_cap": "how many about their projects",
    "companion.foundation": "how many pinned facts every context carries",
    "companion.cards": "how many cards a context carries",
    "companion.card_facts": "how many facts a card shows",
    "companion.card_importance": "how important a fact must be to stand on a card, unless it is pinned",
    "companion.commitments": "how many open promises a context carries",
    "companion.habits": "how many habits",
    "companion.threads": "how many open threads",
    "companion.frictions": "how many frictions",
    "companion.wins": "how many promises kept not long ago",
    "companion.win_hours": "how long a kept promise is a recent win",
    "companion.growth_sessions": "in how many sessions a thing must come up for its importance to rise by one",
    "companion.spellings": "whether spellings that may be one person wait for the user (`ask`) or are merged in upkeep (`merge`)",
    "companion.curator_hours": "after how many hours the curator looks again",
    "companion.curator_new": "or after how many new facts",
    "companion.fold_parts": "how many small facts about one person make a fold",
    "companion.fold_days": "how old a fact must be to be folded",
    "companion.extractor": "who reads people and promises: `rules`, in the same commit, or a `model`, in upkeep",
    "companion.extraction_tries": "how often upkeep asks a model to read a turn before the rules have their say",
    "companion.personas": "names of personas, which are never facts about the user",
}
SETTINGS = {
    "db": "where the memory is",
    "policy": "preset name or path of a policy file",
    "embedder": "what makes vectors: `static`, `none`, `minilm`, `minilm:FOLDER`, or `https://host/v1#model@dimensions`; the key of a server comes from `RECOLLECT_EMBEDDER_KEY` alone",
    "index_mb": "how much memory the search indexes may hold, in MB",
    "allow_owner": "1: open a PostgreSQL memory as its owner or as a superuser too",
    "approximate": "1: let a server's approximate index propose what to search in owners too large for memory",
    "roots": "folders whose files may be read; in the environment with the system's path separator between them",
    "model_url": "an OpenAI-compatible endpoint, for example `http://127.0.0.1:8080/v1`",
    "model": "the model that `ask` and `chat` ask there",
    "small_model": "the model asked once when that one fails",
    "model_key": "its key, from the environment alone",
    "tokens": "how tokens are counted: `safe`, or exactly as `cl100k_base` or `o200k_base` do (needs `recollect[tokens]`)",
    "summariser": "`rules`, or `model` for summaries in the model's words",
}


def reason_codes() -> str:
    parts = ["# Reason codes\n\nA code is for programs and never changes; the sentence is for people.\n"]
    for table, rows in reasons.TABLES.items():
        parts.append(f"\n## {TITLES[table]}\n\n| code | sentence |\n|---|---|\n")
        parts.extend(f"| `{code}` | {sentence} |\n" for code, sentence in rows.items())
    return "".join(parts)


def events() -> str:
    rows = "".join(f"| `{name}` | {about} |\n" for name, about in wire.EVENTS.items())
    return (
        "# Trace events\n\nEvery event names `ai_profile`, `session` and the whole policy (`policy` in a recall, "
        "`policy_snapshot` elsewhere). Words are cut to one line; a denied item's words are not shown; an erased item "
        "shows that it was erased.\n\n| event | tells |\n|---|---|\n" + rows
    )


def error_page() -> str:
    rows = []
    for cls in _tree(errors.RecollectError):
        about = (cls.__doc__ or "").strip().splitlines()[0]
        again = "yes" if cls.retryable else "no"
        rows.append(f"| `{cls.__name__}` | `{cls.code}` | {about} | {cls.http_status} | {cls.exit_code} | {again} |\n")
    return (
        "# Errors\n\nEvery error is a `RecollectError` with a `code`, a `reason` (finer than the code), a `message` and a "
        "`hint`. Denials by policy are results, not errors: see the receipt. No message quotes what was being "
        "remembered.\n\n| class | code | meaning | http | exit | retry |\n|---|---|---|---|---|---|\n" + "".join(rows)
    )


def _tree(cls: type[errors.RecollectError]) -> list[type[errors.RecollectError]]:
    return [
        cls,
        *(found for child in cls.__subclasses__() for found in _tree(child) if child.__module__ == errors.__name__),
    ]


def policy_page() -> str:
    rows = "".join(f"| `{path}` | `{_default(path)}` | {POLICY[path]} |\n" for path in policy_paths())
    return (
        "# Policy\n\nA policy is strict TOML: an unknown key, a wrong type or a value outside its set is an error that "
        "names the path. What a file leaves out has the default below. Presets: `default`, `coding`, `companion`, "
        "`contract` (`recollect policy show contract` prints one whole).\n\n"
        "| key | default | decides |\n|---|---|---|\n" + rows
    )


def policy_paths() -> list[str]:
    """Every key of a policy, dotted; retention is one row, because its shape repeats."""
    return list(_paths(policy.Policy, ""))


def _paths(cls: type, prefix: str) -> typing.Iterator[str]:
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        path = f"{prefix}{field.name}"
        # A section that may be left out is told like one that may not.
        inner = next((arg for arg in typing.get_args(hints[field.name]) if dataclasses.is_dataclass(arg)), None)
        nested = hints[field.name] if dataclasses.is_dataclass(hints[field.name]) else inner
        if nested is not None and path not in {"retention", "spaces.promotion"}:
            yield from _paths(nested, f"{path}.")
        else:
            yield path


def _default(path: str) -> str:
    value: object = policy.Policy(companion=policy.Companion()).snapshot
    for part in path.split("."):
        value = value[part]  # type: ignore[index]
    if path == "retention":
        return "never"
    if isinstance(value, list):
        return "[]" if not value else ", ".join(str(entry) for entry in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def settings_page() -> str:
    rows = "".join(
        f"| `{field.name}` | `RECOLLECT_{field.name.upper()}` | `{field.default}` | {SETTINGS[field.name]} |\n"
        for field in dataclasses.fields(settings.Settings)
    )
    return (
        f"# Settings\n\nA file `{settings.FILE}` in the working folder may set these; the environment wins; a command's "
        "own option wins over both.\n\n| key | environment | default | sets |\n|---|---|---|---|\n" + rows
    )


PAGES = {
    "reason-codes.md": reason_codes,
    "events.md": events,
    "errors.md": error_page,
    "policy.md": policy_page,
    "settings.md": settings_page,
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
    print(f"wrote {len(PAGES)} pages", file=sys.stderr)


if __name__ == "__main__":
    main()
