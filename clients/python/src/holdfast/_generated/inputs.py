# Written by `npm run generate` from the registry of operations; do not edit.
"""Objects that calls send."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class RelatedMemoryInput(TypedDict):
    memory_id: str
    relation_type: NotRequired[Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"]]
    label: NotRequired[str]


class ContextCheckpointMemoryInput(TypedDict):
    content: str
    """What to remember, 1 to 100,000 characters."""
    summary: NotRequired[str]
    """Short form, at most 2,000 characters."""
    memory_type: NotRequired[Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"]]
    """Kind of memory. Default: "fact"."""
    importance: NotRequired[int]
    """1 (trivial) to 5 (vital). Default: 3."""
    confidence: NotRequired[int]
    """1 (a guess) to 5 (certain). Default: 3."""
    entities: NotRequired[Sequence[str]]
    """Names of people, things or topics the memory is about, to filter by; at most 100."""
    related_memory_ids: NotRequired[Sequence[str | RelatedMemoryInput]]
    """Memories of the same vault to link to: ids, or objects with a relation_type and a label."""
    source_note_ids: NotRequired[Sequence[str]]
    """Notes it was derived from."""
    superseded_by_id: NotRequired[str]
    """Id of the memory that this one supersedes. Searches stop finding the older one."""
    expires_at: NotRequired[datetime | str]
    """When it expires: searches stop finding it."""
    metadata: NotRequired[Mapping[str, Any]]
    """Any JSON object; at most 65,536 characters as JSON."""
    write_reason: NotRequired[str]
    """Why it was written."""
    occurred_at: NotRequired[datetime | str]
    """When the event it describes took place. Default: now."""


class UpdateNoteEditInput(TypedDict):
    find: str
    """A passage that occurs exactly once."""
    replace: str
    """The text to put in its place."""


class SettingsDedupInput(TypedDict):
    near_duplicate: NotRequired[float | None]
    """Below 1, a text that says the same thing in other words counts as a duplicate, regardless
    of the exact number. 1 turns this off. Default: 0.85.
    """
    semantic_duplicate: NotRequired[float | None]
    """Similarity from which a text with the same meaning counts as a duplicate. 1 turns this
    off. Default: 0.95.
    """
    supersede: NotRequired[float | None]
    """Similarity from which a newer text about the same entity replaces the older one. 1 turns
    this off. Default: 0.88.
    """


class SessionProfileInput(TypedDict):
    max_episodic: NotRequired[int | None]
    """Episodic memories, 0 to 10."""
    max_facts: NotRequired[int | None]
    """Facts, preferences, skills and corrections, 0 to 20."""
    max_tasks: NotRequired[int | None]
    """Tasks, 0 to 10."""
    max_constraints: NotRequired[int | None]
    """Constraints, 0 to 20."""
    include_documents: NotRequired[Sequence[Literal["soul", "instructions", "skills", "checks"]] | None]
    """Documents."""


class SettingsSessionProfilesInput(TypedDict):
    default: NotRequired[SessionProfileInput | None]
    """For the mode default; None: the built-in profile."""
    planning: NotRequired[SessionProfileInput | None]
    """For the mode planning; None: the built-in profile."""
    incident: NotRequired[SessionProfileInput | None]
    """For the mode incident; None: the built-in profile."""
    handoff: NotRequired[SessionProfileInput | None]
    """For the mode handoff; None: the built-in profile."""
    deep: NotRequired[SessionProfileInput | None]
    """For the mode deep; None: the built-in profile."""
    minimal: NotRequired[SessionProfileInput | None]
    """For the mode minimal; None: the built-in profile."""
    none: NotRequired[SessionProfileInput | None]
    """For the mode none; None: the built-in profile."""


class SettingsRetentionInput(TypedDict):
    turns_days: NotRequired[int | None]
    """Days after which conversation turns are deleted. Default: never."""
    archived_days: NotRequired[int | None]
    """Days after which archived memories are deleted permanently. Default: never."""
    messages_days: NotRequired[int | None]
    """Days after which messages are deleted. Default: never."""


class SettingsInput(TypedDict):
    threshold: NotRequired[float | None]
    """Minimum similarity of a semantic match in search_memories and search_and_read. Default:
    0.4.
    """
    decay_half_life: NotRequired[int | None]
    """Days after which the small bonus for recent memories halves. Default: 30."""
    diversity: NotRequired[float | None]
    """How strongly search_memories avoids similar results. Default: 0.7."""
    prefer_newer: NotRequired[bool | None]
    """Whether searches rank a statement lower if a newer one about the same subject also fits.
    Default: true.
    """
    dedup: NotRequired[SettingsDedupInput | None]
    """When a write counts as a duplicate."""
    signal_threshold: NotRequired[int | None]
    """Score from which ingest_turn looks for memories in a turn. Default: 3."""
    custom_signal_keywords: NotRequired[Sequence[str] | None]
    """Additional words that ingest_turn treats as signals. Default: []."""
    extraction: NotRequired[Literal["off", "rules", "llm"] | None]
    """What extracts memories from turns: nothing, rules, or the language model that the operator
    has configured. Default: rules.
    """
    default_mode: NotRequired[Literal["default", "planning", "incident", "handoff", "deep", "minimal", "none"] | None]
    """Mode of session_start if a call doesn't name one. Default: default."""
    session_profiles: NotRequired[SettingsSessionProfilesInput | None]
    """Your own numbers and documents for modes of session_start."""
    retention: NotRequired[SettingsRetentionInput | None]
    """When old records are deleted permanently."""
