"""The policy of the context and of asking a model: every number that decides there, with its default and its reason.

Never: holds behaviour.
Spec: document 002, sections 2, 4, 6, 8, 9, 11, 12 and the safety part; rulings 14 to 18; facts 2.4 (no source gives
numbers; the reasons below are ours).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRules:
    """What of everything found is shown to a model."""

    # A third of the default ceiling and some: room for files and the answer stays, forty ordinary turns fit.
    episode_tokens: int = 3_000
    # Two windows of four exchanges: what has just left the window is still "very new".
    new_turns: int = 16
    # A third of the question's words and some likeness; of 448 unrelated turns none came near (bench/context.py).
    on_topic: int = 350_000
    # The similarity that unrelated turns reach with the shipped embedder; only what is above it counts.
    alike_from: int = 500_000
    # 2 of 3 is "significant" on the scale of ruling 25; ordinary talk has 1.
    important: int = 2
    # How wide the soft edge around each threshold is, in percent of it.
    edge_percent: int = 25
    # The one low floor: below it none of the three reasons to keep something speaks.
    keep_floor: int = 150_000
    # Share of word triples two texts must have in common to say the same (bench/context.py); 0 turns the gate off.
    duplicate_percent: int = 60
    # Similarity of meaning that counts as the same where most words are shared too.
    similar_percent: int = 88
    # Whether a long break makes older turns older than their count of turns says.
    time_gaps: bool = False
    gap_hours: int = 12
    gap_turns: int = 20
    # Files: how many, how large a file may be at all, and from where on it is shown as a structured pack.
    lock_named_files: bool = False
    max_files: int = 16
    file_bytes: int = 1_048_576
    file_tokens: int = 2_500
    # Long dialogues: how many turns beyond the window make a span (0 for no summaries), how long its summary may be.
    span_turns: int = 40
    summary_characters: int = 700
    # Unused summaries step back when this many newer ones exist.
    summaries: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRules:
    """The brakes of asking a model."""

    # A person waits a minute for a long answer, not more.
    deadline_ms: int = 60_000
    recall_ms: int = 2_000
    condense_ms: int = 1_000
    model_ms: int = 45_000
    # The ceiling of document 002: prompt and answer together.
    ceiling_tokens: int = 8_000
    answer_tokens: int = 1_000
    # At most three tries in all, as upstream; a quarter second first, doubled each time.
    retries: int = 2
    backoff_ms: int = 250
    breaker_failures: int = 3
    breaker_ms: int = 30_000
    # Tokens a session may send to models in all; 0 for no ceiling.
    session_tokens: int = 0
