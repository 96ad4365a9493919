"""The contract's lists of required keys, copied out of the document by hand, event by event.

The last line of the document, `summary_lines`, is the missing key of `memory_phase_diff` (ruling 12). The events
below the line are ours, where the rulings need them.
"""

from __future__ import annotations

REQUIRED: dict[str, tuple[str, ...]] = {
    "memory_recall": (
        "type",
        "ai_profile",
        "session",
        "query",
        "recalled",
        "policy",
        "deterministic_hash",
        "spaces_consulted",
        "recall_counts",
        "current_phase",
    ),
    "memory_write": ("type", "ai_profile", "session", "written", "reason"),
    "memory_denied": ("type", "ai_profile", "session", "attempted", "reason", "policy_snapshot"),
    "memory_conflict": ("type", "ai_profile", "session", "winner_id", "loser_id", "rule", "dedup_key"),
    "memory_forget": ("type", "ai_profile", "session", "memory_id", "reason", "policy_snapshot"),
    "memory_border_check": (
        "type",
        "ai_profile",
        "session",
        "action",
        "from_space",
        "allowed",
        "reason",
        "policy_snapshot",
    ),
    "memory_promoted": (
        "type",
        "ai_profile",
        "session",
        "from_space",
        "to_space",
        "from_id",
        "to_id",
        "authority_used",
        "reason",
        "policy_snapshot",
    ),
    "memory_promotion_denied": (
        "type",
        "ai_profile",
        "session",
        "from_space",
        "to_space",
        "memory_id",
        "allowed",
        "reason",
        "policy_snapshot",
    ),
    "memory_phase_started": (
        "type",
        "ai_profile",
        "session",
        "space",
        "owner",
        "phase_id",
        "reason",
        "policy_snapshot",
    ),
    "memory_deleted": (
        "type",
        "ai_profile",
        "session",
        "space",
        "owner",
        "phase_id",
        "memory_id",
        "reason",
        "policy_snapshot",
    ),
    "memory_phase_diff": (
        "type",
        "ai_profile",
        "session",
        "space",
        "owner",
        "from_phase_id",
        "to_phase_id",
        "added_count",
        "deleted_count",
        "replaced_count",
        "top_changes",
        "summary_lines",
    ),
    # ---
    "memory_archived": ("type", "ai_profile", "session", "space", "owner", "phase_id", "memory_id", "reason"),
    "memory_quarantined": ("type", "ai_profile", "session", "memory_id", "reason", "policy_snapshot"),
    "memory_merged": ("type", "ai_profile", "session", "memory_id", "into_id", "mention_count"),
    "memory_masked": ("type", "ai_profile", "session", "memory_id", "codes"),
    "memory_restored": ("type", "ai_profile", "session", "memory_id"),
    "memory_pinned": ("type", "ai_profile", "session", "memory_id", "pinned"),
    "memory_marked": ("type", "ai_profile", "session", "memory_id", "importance", "reason"),
    "memory_used": ("type", "ai_profile", "session", "memory_id"),
    "memory_reused": ("type", "ai_profile", "session", "memory_id", "mention_count"),
}
# The words a key may hold, where the document closes the list.
WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("memory_write", "reason"): ("interaction_recorded",),
    ("memory_conflict", "rule"): ("authority", "correction", "recency", "importance"),
    ("memory_forget", "reason"): ("ttl_expired", "decay"),
    ("memory_border_check", "action"): ("read", "write", "promote", "phase_start", "phase_diff"),
}
ITEM = ("id", "kind", "text", "source", "created_at", "importance", "scope", "meta")
WRITTEN_META = ("event_type", "importance_reason", "authority")
RECALLED_META = ("recall_reason",)
PHASE = ("phase_id", "phase_name", "phase_started_at", "phase_reason")
# Every optional field of `meta` that the document names.
META = (
    "event_type",
    "importance_reason",
    "recall_reason",
    "space",
    "owner",
    "summary_of",
    "dedup_key",
    "score",
    "key",
    "source_turn_ids",
    "authority",
    "authority_reason",
    "promoted_from",
    "promotion_reason",
    "policy_tags",
    "phase_id",
    "phase_name",
    "phase_started_at",
    "phase_reason",
)
RECALL_REASONS = ("matches_query", "recency", "importance", "active_rule")
EVENT_TYPES = ("preference", "decision", "fact", "correction", "execution", "context", "rule")
AUTHORITIES = ("user_asserted", "ai_inferred", "tool_verified", "system_imposed")
