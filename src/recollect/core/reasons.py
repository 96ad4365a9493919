"""Every reason recollect can give, each with its plain sentence.

A code is for programs and never changes; the sentence is for people. The reference page prints this table.

Never: decides. A decision that finds no reason here cannot be made.
Spec: contract v1 (reason codes); rulings 5, 7, 8, 9, 12, 17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Reason(NamedTuple):
    """Why something happened: a stable code and a sentence."""

    code: str
    sentence: str


KEPT: Mapping[str, str] = {
    "recent_window": "kept: recent window",
    "window_summary": "kept: summary of what left the window",
    "active_rule": "kept: an active rule",
    "lasting_fact": "kept: a lasting fact",
    "pinned": "kept: pinned",
    "strong_match": "kept: strong topical match",
    "match": "kept: matches the question",
    "recency": "kept: recent",
    "importance": "kept: marked important",
    "foundation": "kept: a foundation of who the user is",
    "card": "kept: on the card of somebody the question is about",
    "open_todo": "kept: open with this persona",
    "recent_win": "kept: done not long ago",
    "user_seed": "kept: what the user was introduced with",
    "spine": "kept: the long summary with this persona",
    "rolling_summary": "kept: what this session was about so far",
    "session_summary": "kept: how the last session ended",
    "old_topic": "kept: the question goes on with the last session",
}
DROPPED: Mapping[str, str] = {
    "over_budget": "dropped: did not fit the token budget",
    "over_limit": "dropped: weaker than the items that filled the limit",
    "weak_match": "dropped: hardly related to the question",
    "in_window": "dropped: already in the recent window",
    "older_duplicate": "dropped: older near-duplicate",
    "other_phase": "dropped: belongs to an earlier phase",
    "expired": "dropped: past its retention",
    "quarantined": "dropped: words from outside, not confirmed by a person",
    "archived": "dropped: archived, a newer claim stands",
    "duplicate_of_files": "dropped: duplicate of ❖ FILES",
    "contradicts_files": "dropped: contradicts ❖ FILES, which stands this turn",
    "newer_chat": "dropped: a newer chat statement updates this snippet",
    "older_claim": "dropped: a newer item says otherwise",
    "turns_shown": "dropped: the turns it sums up are shown",
    "old_off_topic": "dropped: old and not clearly on-topic",
    "over_episode_budget": "dropped: weaker than what filled the budget of episodes",
    "file_off": "dropped: its file is switched off",
    "locked": "dropped: retrieval skipped, Exact File Lock is on",
    "over_cap": "dropped: its block is full",
    "earlier_session": "dropped: said in an earlier session on another topic",
    "on_foundation": "dropped: already in the foundation",
    "other_spelling": "dropped: said later, under another spelling of the same name",
}
FILES: Mapping[str, str] = {
    "file_named": "kept: named by the caller",
    "file_pattern": "kept: found by a pattern the caller named",
    "file_packed": "kept: too large to show whole, shown as outline and parts",
    "file_off": "dropped: OFF",
    "too_many_files": "dropped: more files than the policy shows at once",
    "file_over_budget": "dropped: not even its outline fits the token budget",
    "file_no_roots": "dropped: no root is configured, so no file may be read",
    "file_bad_path": "dropped: not a path that can be used",
    "file_outside_roots": "dropped: outside the configured roots",
    "file_symlink_out": "dropped: a link that leads out of the configured roots",
    "file_symlink": "dropped: it became a link while it was opened",
    "file_missing": "dropped: there is no such file",
    "file_vanished": "dropped: it vanished while it was read",
    "file_not_regular": "dropped: a folder, a device or a pipe, not a file",
    "file_too_large": "dropped: larger than the policy lets a file be",
    "file_binary": "dropped: not text",
    "file_unreadable": "dropped: it could not be read",
}
DENIED: Mapping[str, str] = {
    "privacy_deny_sensitive": "denied: it holds a secret or names one",
    "privacy_deny_pattern": "denied: it matches a pattern the policy forbids",
    "privacy_deny_profile_key": "denied: the policy does not allow facts of this kind",
    "write_policy_none": "denied: the policy keeps nothing beyond the window",
    "write_policy_minimal": "denied: the policy keeps only facts, preferences, decisions and corrections",
    "write_policy_context": "denied: ordinary talk is kept only at the level aggressive",
    "policy_deny_event_type": "denied: the policy does not keep turns of this type",
    "policy_deny_promotion": "denied: turns of this type do not become memories of this kind",
    "policy_low_signal": "denied: it says nothing worth remembering",
    "write_space_disallowed": "denied: the policy does not write to this space directly",
    "space_disabled": "denied: the policy does not use this space",
}
QUARANTINED: Mapping[str, str] = {
    "untrusted_tool": "quarantined: the tool is not on the policy's list of trusted tools",
    "outside_words": "quarantined: the words came from outside the conversation",
    "foreign_import": "quarantined: imported from another system",
}
CONFLICT: Mapping[str, str] = {
    "correction": "the newer claim is a correction by somebody entitled to correct",
    "authority": "the claim with the higher authority stands",
    "recency": "the newer claim stands",
    "importance": "the more important claim stands",
}
LEAVING: Mapping[str, str] = {
    "ttl_expired": "its time to live ran out",
    "decay": "it grew too old or left the window",
    "superseded": "a newer claim took its place",
    "expired": "retention removed it",
    "promoted": "it moved to a wider space",
    "forgotten": "somebody asked to forget it; unforget brings it back",
    "forgotten_in_quarantine": "somebody asked to forget it while it was in quarantine; unforget brings it back there",
    "confirmed": "a person confirmed it, and the confirmed copy stands",
    "read_again": "its file changed and was read in again",
    "file_gone": "its file is no longer there",
    "stale_summary": "a summary nobody used, with many newer ones",
    "session_closed": "nothing was said for longer than a session lasts",
    "completed": "the user said it is done",
    "dismissed": "it was let go of without being done",
    "became_habit": "it became a habit, which stands instead",
    "merged_spellings": "another spelling stands for it now",
    "unmerged": "two spellings are two things again",
    "duplicate": "the curator kept another copy of the same words",
    "folded": "the curator folded it into one memory that keeps its words",
    "unfolded": "a fold was opened again, and its parts stand",
    "moved": "it moved between one persona and everyone",
    "extracted": "a model read the turn, and its answer is recorded",
    "given_up": "no usable answer came, and the rules had their say",
}
BORDER: Mapping[str, str] = {
    "allowed": "the policy allows it",
    "space_disabled": "the policy does not use this space",
    "write_space_disallowed": "the policy does not write to this space directly",
    "promotion_event_type": "turns of this type may not be promoted there",
    "promotion_authority": "its authority is too low to be promoted there",
    "promotion_disallowed": "no rule promotes from here to there",
    "promotion_quarantined": "words from outside are not promoted before a person confirms them",
    "promotion_not_live": "what is archived is not promoted",
    "promotion_private": "what is private to a persona does not leave it by a phrase",
    "no_owner": "this session has no such space",
    "phase_disabled": "the policy does not use phases",
    "phase_diff_disabled": "the policy does not compare phases",
}
PROMOTION: Mapping[str, str] = {
    "hint:remember_for_me": "the user asked to remember it for themselves",
    "hint:remember_about_me": "the user asked to remember it about themselves",
    "hint:save_for_me": "the user asked to save it for themselves",
    "hint:remember_for_project": "the user asked to remember it for the project",
    "hint:project_memory": "the user named the project memory",
    "hint:remember_for_everyone": "the user asked to remember it for everyone",
    "hint:remember_for_system": "the user asked to remember it for the system",
    "hint:system_memory": "the user named the system memory",
    "asked": "the caller asked for it",
}
ERASED: Mapping[str, str] = {
    "asked": "somebody asked to erase it",
    "derived": "it was made from something that was erased",
    "unrecoverable": "its words were gone before the moment that was restored",
}
MARKED: Mapping[str, str] = {
    "manual": "somebody marked it",
    "used": "it helped in several sessions",
    "growth": "the user came back to it in several sessions",
}

TABLES: Mapping[str, Mapping[str, str]] = {
    "kept": KEPT,
    "dropped": DROPPED,
    "denied": DENIED,
    "quarantined": QUARANTINED,
    "conflict": CONFLICT,
    "leaving": LEAVING,
    "border": BORDER,
    "promotion": PROMOTION,
    "marked": MARKED,
    "erased": ERASED,
    "files": FILES,
}


def reason(table: str, code: str) -> Reason:
    """The reason of that code; an unknown code is a programming error, not a silent blank."""
    return Reason(code, TABLES[table][code])
