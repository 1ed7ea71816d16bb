# Written by `npm run generate` from the registry of operations; do not edit.
"""What the server answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from .._model import Answer, Model, by_key, many, parse_time
from .._pages import Page


class ActiveAgent(Model):
    agent_id: str
    agent_type: str | None
    label: str | None
    """Its integration's label; None if the integration was deleted."""
    model_id: str | None
    agent_run_id: str | None
    """Its latest run; None if it calls without a run id."""
    started_at: datetime
    """When the run began. Without a run: its first call after an hour without any."""
    last_seen_at: datetime
    ended_at: datetime | None
    """When the run ended, if the agent said so."""
    tool_calls: int
    """Calls in this run. Without a run: calls since `started_at`."""
    current_activity: str | None
    runs: int
    """Its runs in this time."""
    all_calls: int
    """Its calls in all of these runs, and without a run."""

    _readers = {
        "startedAt": parse_time,
        "lastSeenAt": parse_time,
        "endedAt": parse_time,
    }


class Agent(Model):
    agent_id: str
    agent_type: str | None
    label: str | None
    """Its integration's label; None if the integration was deleted."""
    model_id: str | None
    agent_run_id: str | None
    """Its latest run; None if it calls without a run id."""
    started_at: datetime
    """When the run began. Without a run: its first call after an hour without any."""
    last_seen_at: datetime
    ended_at: datetime | None
    """When the run ended, if the agent said so."""
    tool_calls: int
    """Calls in this run. Without a run: calls since `started_at`."""
    current_activity: str | None

    _readers = {
        "startedAt": parse_time,
        "lastSeenAt": parse_time,
        "endedAt": parse_time,
    }


class Source(Model):
    integration_id: str | None
    """The author's integration; None: a person, or unknown."""
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    route: str
    """The operation that wrote it first."""
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    """`user_authored` if only people shaped the text, `imported` if some of it came from a file."""


class ChangedBy(Model):
    integration_id: str | None
    """None: a person, or unknown if `route` is that of an import."""
    agent_id: str | None
    """As the caller named itself, `user` for people; only a claim if `route` is that of an
    import.
    """
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    route: str
    at: datetime

    _readers = {
        "at": parse_time,
    }


class Document(Model):
    document_type: Literal["soul", "instructions", "skills", "checks"] | str
    content: str
    inherit_mode: Literal["none", "inherit", "merge"] | str
    agent_editable: bool
    """Whether update_document may change it."""
    append_only: bool
    """Whether agents may only add to it."""
    template_version: int
    """Version of the template that the text is, or started from."""
    is_template: bool
    """True if it has no text, or its text was removed."""
    version: int
    """Version of the vault's own text and rules; 0 if it never had any. Your texts for all
    vaults don't count.
    """
    updated_at: datetime | None
    """When the text last changed, including changes to your text for all vaults; None if no one
    has written it.
    """
    agent_id: str | None
    """Who wrote it first; "user" is a person. None: no one has, or unknown."""
    source: Source | None
    """Where the text comes from; None for a template."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    removed_by: ChangedBy | None
    """Who removed the vault's own text; its older versions are kept. None if there is a text, or
    never was one.
    """

    _readers = {
        "updatedAt": parse_time,
        "source": Source,
        "changedBy": ChangedBy,
        "removedBy": ChangedBy,
    }


class ScoreDetails(Model):
    semantic_rank: int | None
    """Place in that list, from 1; None if it is not in it."""
    blind_rank: int | None
    """Place in that list, from 1; None if it is not in it."""
    graph_rank: int | None
    """Place in that list, from 1; None if it is not in it."""
    semantic_score: float | None
    """The score that orders the list by meaning, including the factors."""
    blind_score: float | None
    """The score that orders the list by words, including the factors."""
    cosine: float | None
    """The model's own figure; `similarity` is the calibrated one."""
    date_factor: float
    """Factor in the scores of both lists, for a date that the question names."""
    speaker_factor: float
    """Factor in the scores of both lists, for a speaker that the question names."""
    semantic_part: float
    """What that list contributes: its weight × (½ × (k + 1) / (k + place) + ½ × (the record's
    score / the list's best score)²).
    """
    blind_part: float
    """What that list contributes: its weight × (½ × (k + 1) / (k + place) + ½ × (the record's
    score / the list's best score)²).
    """
    lent: float
    """The contribution of links and mentions."""
    rrf: float
    """The fused score: semantic_part + blind_part + lent. The first two add up to at most 1."""
    decay: float
    """Factor in the score, for its age."""
    importance: float
    """Factor in the score, for its importance."""
    outdated: float
    """Factor in the score, below 1 if a newer statement may have replaced it: score = rrf ×
    decay × importance × outdated.
    """
    newer_id: str | None
    """The id of the newer memory; None without one."""
    place: int
    """Place by score, from 1."""
    mmr: float | None
    """Its value when diversity chose it: its share of the best score, minus its likeness to
    earlier hits. Null if diversity is 0 and the order is by score.
    """
    position: int | None
    """Place in the answer, from 1; None if it is missing."""


class DroppedMemory(Model):
    id: str
    stage: Literal["archived", "expired", "superseded", "later", "filtered", "threshold", "depth", "topK", "diversity", "reranked", "unmatched", "unknown"] | str
    """Why it is missing: `archived`, `expired`, `superseded`; `later` than as_of; `filtered` by
    type, entities and so on; under the `threshold` and not found by words or links; past the
    `depth` of the lists; too low for `top_k`; too similar to a better hit (`diversity`); less
    relevant than the hits for the reranker (`reranked`); `unmatched`: nothing leads to it;
    `unknown`: not in this vault.
    """
    reason: str
    """The same in words, with the figure that decided."""
    similarity: float | None
    """To the question; None if it was not compared."""
    score_details: ScoreDetails | None
    """Null if it was never ranked."""
    resembles_id: str | None = None
    """Only with `diversity`: the id of the better hit."""

    _readers = {
        "scoreDetails": ScoreDetails,
    }


class Folder(Model):
    folder_id: str
    id: str
    """The same as `folder_id`."""
    vault_id: str
    parent_id: str | None
    """None at the vault's root."""
    name: str
    path: str
    """Names from the root, separated by `/`."""
    note_count: int
    """Live notes directly in the folder."""
    version: int
    created_at: datetime
    updated_at: datetime

    _readers = {
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class GraphEdge(Model):
    link_id: str
    source_type: Literal["note", "memory"] | str
    source_id: str
    target_type: Literal["note", "memory"] | str
    target_id: str
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    label: str | None
    created_at: datetime

    _readers = {
        "createdAt": parse_time,
    }


class MemoryRelatedMemory(Model):
    memory_id: str
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    label: str | None = None


class MemorySource(Model):
    """Who wrote it first."""

    integration_id: str | None
    """None: a person wrote it."""
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    route: str
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    """That of the least trusted of all who shaped the text. `user_authored`: only people.
    `imported`: it came from a file, which can claim any author.
    """


class Memory(Model):
    memory_id: str
    id: str
    vault_id: str
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    content: str
    summary: str | None
    importance: int
    confidence: int
    entities: list[str]
    related_memories: list[MemoryRelatedMemory]
    """Memories it links to, newest links first; get_links lists all of them."""
    source_note_ids: list[str]
    supersedes_id: str | None
    superseded_by_id: str | None
    status: Literal["active", "archived"] | str
    archived_at: datetime | None
    archive_reason: str | None
    expires_at: datetime | None
    external_write_id: str | None
    write_reason: str | None
    metadata: dict[str, Any]
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: MemorySource
    """Who wrote it first."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    access_count: int
    last_accessed_at: datetime | None
    occurred_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime

    _readers = {
        "relatedMemories": many(MemoryRelatedMemory),
        "archivedAt": parse_time,
        "expiresAt": parse_time,
        "source": MemorySource,
        "changedBy": ChangedBy,
        "lastAccessedAt": parse_time,
        "occurredAt": parse_time,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class MemoryHit(Model):
    memory_id: str
    id: str
    vault_id: str
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    summary: str | None
    importance: int
    confidence: int
    entities: list[str]
    related_memories: list[MemoryRelatedMemory]
    """Memories it links to, newest links first; get_links lists all of them."""
    source_note_ids: list[str]
    supersedes_id: str | None
    superseded_by_id: str | None
    status: Literal["active", "archived"] | str
    archived_at: datetime | None
    archive_reason: str | None
    expires_at: datetime | None
    external_write_id: str | None
    write_reason: str | None
    metadata: dict[str, Any]
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: MemorySource
    """Who wrote it first."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    access_count: int
    last_accessed_at: datetime | None
    occurred_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime
    content: str | None = None
    """Left out if summary_only is true and there is a summary."""
    score: float
    """Comparable only within one answer. A record that is first in every list gets 1; links and
    importance can add to that. Results are sorted by it, apart from diversity, unless a reranker
    has rated them.
    """
    similarity: float | None
    """Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is
    compared together with its neighbors in the conversation. Null if it is not among the 100
    nearest, or if it or the query has no vector.
    """
    relevance: float | None
    """How well it answers the question, by the operator's reranker and on its scale; None if
    none has rated it. Results are sorted by it.
    """
    match_sources: list[Literal["semantic", "blind", "graph"] | str]
    score_details: ScoreDetails | None = None
    """If explain is true."""

    _readers = {
        "relatedMemories": many(MemoryRelatedMemory),
        "archivedAt": parse_time,
        "expiresAt": parse_time,
        "source": MemorySource,
        "changedBy": ChangedBy,
        "lastAccessedAt": parse_time,
        "occurredAt": parse_time,
        "createdAt": parse_time,
        "updatedAt": parse_time,
        "scoreDetails": ScoreDetails,
    }


class MemoryVersion(Model):
    version: int
    """The version that the memory had with this text."""
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    preview: str
    """The beginning of its content, in one line of at most 200 characters."""
    characters: int
    """Length of its content in UTF-16 units."""
    written_by: ChangedBy
    """Who wrote this text, or was the last to change it."""
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    updated_at: datetime
    """When the memory last changed while it had this text."""
    content: str
    summary: str | None
    importance: int
    confidence: int
    entities: list[str]
    metadata: dict[str, Any]
    write_reason: str | None
    expires_at: datetime | None
    occurred_at: datetime
    done_when: str | None
    """Of a task, as is `blocked_reason`."""
    blocked_reason: str | None
    """What it was waiting for then, whoever wrote that."""

    _readers = {
        "writtenBy": ChangedBy,
        "updatedAt": parse_time,
        "expiresAt": parse_time,
        "occurredAt": parse_time,
    }


class SentBy(Model):
    integration_id: str
    label: str | None
    """Its label; None if it was deleted."""
    agent_id: str | None
    """Its own agent id."""


class Message(Model):
    message_id: str
    id: str
    vault_id: str
    from_agent_id: str
    """The name that the sender gave."""
    sender_type: Literal["agent", "user"] | str
    sent_by: SentBy | None
    """The integration whose key sent it; None if a person did, or if it is not known."""
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    """`user_authored`: a person sent it. `imported`: it came from a file, and its sender is a
    claim.
    """
    target_id: str
    target_type: Literal["agent", "user", "broadcast"] | str
    category: Literal["directive", "question", "info", "task", "alert"] | str
    priority: int
    subject: str | None
    content: str
    template: Literal["task_assignment", "status_update", "alert", "question"] | str | None
    status: Literal["pending", "acknowledged"] | str
    """Whether the reader acknowledged it. For messages to others: whether anyone did."""
    acknowledged_at: datetime | None
    acknowledged_by: str | None
    """The name that the recipient gave."""
    acknowledged_with: SentBy | None
    """The integration whose key acknowledged it; None as in `sent_by`."""
    ack_note: str | None
    parent_message_id: str | None
    thread_id: str
    expires_at: datetime
    created_at: datetime

    _readers = {
        "sentBy": SentBy,
        "acknowledgedAt": parse_time,
        "acknowledgedWith": SentBy,
        "expiresAt": parse_time,
        "createdAt": parse_time,
    }


class NodeLinkOther(Model):
    """The node at its other end."""

    id: str
    type: Literal["note", "memory"] | str
    title: str
    """A note's title; a memory's summary or first line, at most 200 characters."""
    live: bool
    """False if it is archived, trashed, expired or superseded."""


class NodeLink(Model):
    link_id: str
    source_type: Literal["note", "memory"] | str
    source_id: str
    target_type: Literal["note", "memory"] | str
    target_id: str
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    label: str | None
    origin: Literal["agent", "wiki", "write", "dashboard"] | str
    """What created it: add_link, the text of a note, a memory write, or a person."""
    created_at: datetime
    direction: Literal["outgoing", "incoming"] | str
    """Whether the link leaves the requested node or reaches it."""
    other: NodeLinkOther
    """The node at its other end."""

    _readers = {
        "createdAt": parse_time,
        "other": NodeLinkOther,
    }


class LinkCounts(Model):
    """How many links of any relation leave and reach the note."""

    out: int
    in_: int


class Note(Model):
    note_id: str
    id: str
    """The same as `note_id`."""
    vault_id: str
    folder_id: str | None
    """None at the vault's root."""
    folder_path: str | None
    """Names from the root, separated by `/`; None at the vault's root."""
    title: str
    tags: list[str]
    status: Literal["active", "trashed"] | str
    trashed_at: datetime | None
    links: LinkCounts
    """How many links of any relation leave and reach the note."""
    word_count: int
    external_write_id: str | None
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: Source
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime
    content: str

    _readers = {
        "trashedAt": parse_time,
        "links": LinkCounts,
        "source": Source,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class NoteHit(Model):
    note_id: str
    id: str
    """The same as `note_id`."""
    vault_id: str
    folder_id: str | None
    """None at the vault's root."""
    folder_path: str | None
    """Names from the root, separated by `/`; None at the vault's root."""
    title: str
    tags: list[str]
    status: Literal["active", "trashed"] | str
    trashed_at: datetime | None
    links: LinkCounts
    """How many links of any relation leave and reach the note."""
    word_count: int
    external_write_id: str | None
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: Source
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime
    preview: str
    """The beginning of the text, at most 200 characters, without headings, tables and markup."""
    score: float
    """Comparable only within one answer. A record that is first in every list gets 1; links and
    importance can add to that. Results are sorted by it, apart from diversity, unless a reranker
    has rated them.
    """
    similarity: float | None
    """Similarity in meaning between the query and the excerpt, 0 to 1, on one scale for all
    models; None if it was found by words.
    """
    excerpt: str
    """The part of the note that is nearest to the query, about 150 words at most."""

    _readers = {
        "trashedAt": parse_time,
        "links": LinkCounts,
        "source": Source,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class NoteMatch(Model):
    note_id: str
    id: str
    """The same as `note_id`."""
    vault_id: str
    folder_id: str | None
    """None at the vault's root."""
    folder_path: str | None
    """Names from the root, separated by `/`; None at the vault's root."""
    title: str
    tags: list[str]
    status: Literal["active", "trashed"] | str
    trashed_at: datetime | None
    links: LinkCounts
    """How many links of any relation leave and reach the note."""
    word_count: int
    external_write_id: str | None
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: Source
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime
    preview: str
    """The beginning of the text, at most 200 characters, without headings, tables and markup."""
    snippet: str
    """The best matching part of its content, at most 200 characters; its beginning if only title
    or tags match.
    """
    score: float
    """Comparable within one query only."""
    matched_in: list[Literal["title", "tags", "content"] | str]
    """Where words of the query were found."""

    _readers = {
        "trashedAt": parse_time,
        "links": LinkCounts,
        "source": Source,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class NoteOutline(Model):
    note_id: str
    id: str
    """The same as `note_id`."""
    vault_id: str
    folder_id: str | None
    """None at the vault's root."""
    folder_path: str | None
    """Names from the root, separated by `/`; None at the vault's root."""
    title: str
    tags: list[str]
    status: Literal["active", "trashed"] | str
    trashed_at: datetime | None
    links: LinkCounts
    """How many links of any relation leave and reach the note."""
    word_count: int
    external_write_id: str | None
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: Source
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime
    preview: str
    """The beginning of the text, at most 200 characters, without headings, tables and markup."""

    _readers = {
        "trashedAt": parse_time,
        "links": LinkCounts,
        "source": Source,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class NoteRead(Model):
    note_id: str
    id: str
    """The same as `note_id`."""
    vault_id: str
    folder_id: str | None
    """None at the vault's root."""
    folder_path: str | None
    """Names from the root, separated by `/`; None at the vault's root."""
    title: str
    tags: list[str]
    status: Literal["active", "trashed"] | str
    trashed_at: datetime | None
    links: LinkCounts
    """How many links of any relation leave and reach the note."""
    word_count: int
    external_write_id: str | None
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: Source
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime
    content: str
    score: float
    """Comparable only within one answer. A record that is first in every list gets 1; links and
    importance can add to that. Results are sorted by it, apart from diversity, unless a reranker
    has rated them.
    """
    similarity: float | None
    """Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is
    compared together with its neighbors in the conversation. Null if it is not among the 100
    nearest, or if it or the query has no vector.
    """
    relevance: float | None
    """How well it answers the question, by the operator's reranker and on its scale; None if
    none has rated it. Results are sorted by it.
    """
    match_sources: list[Literal["semantic", "blind", "graph"] | str]
    truncated: bool
    """Whether the content was cut at max_chars; read_note returns all of it."""

    _readers = {
        "trashedAt": parse_time,
        "links": LinkCounts,
        "source": Source,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class Person(Model):
    user_id: str
    email: str
    """Empty if the account was deleted or is damaged."""
    name: str | None
    """Display name; None if not set."""


class ReceivedInvitation(Model):
    id: str
    email: str
    """The invited address."""
    role: Literal["viewer", "editor", "admin"] | str
    invited_by: Person
    invited_at: datetime
    vault_id: str
    vault_name: str
    """All that you see of the vault until you accept."""

    _readers = {
        "invitedBy": Person,
        "invitedAt": parse_time,
    }


class RelatedMemoryPath(Model):
    id: str
    type: Literal["note", "memory"] | str
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    direction: Literal["outgoing", "incoming"] | str
    """Whether the link points away from the requested memory or towards it."""


class RelatedMemory(Model):
    memory_id: str
    id: str
    vault_id: str
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    content: str
    summary: str | None
    importance: int
    confidence: int
    entities: list[str]
    related_memories: list[MemoryRelatedMemory]
    """Memories it links to, newest links first; get_links lists all of them."""
    source_note_ids: list[str]
    supersedes_id: str | None
    superseded_by_id: str | None
    status: Literal["active", "archived"] | str
    archived_at: datetime | None
    archive_reason: str | None
    expires_at: datetime | None
    external_write_id: str | None
    write_reason: str | None
    metadata: dict[str, Any]
    agent_id: str | None
    agent_run_id: str | None
    model_id: str | None
    source: MemorySource
    """Who wrote it first."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    access_count: int
    last_accessed_at: datetime | None
    occurred_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    """Relation of the last link on the path."""
    direction: Literal["outgoing", "incoming"] | str
    """Whether the link points away from the requested memory or towards it."""
    hops: int
    """Distance in links from the requested memory."""
    path: list[RelatedMemoryPath]
    """The links that lead to it, each with the note or memory at its end. The last one is this
    memory.
    """

    _readers = {
        "relatedMemories": many(MemoryRelatedMemory),
        "archivedAt": parse_time,
        "expiresAt": parse_time,
        "source": MemorySource,
        "changedBy": ChangedBy,
        "lastAccessedAt": parse_time,
        "occurredAt": parse_time,
        "createdAt": parse_time,
        "updatedAt": parse_time,
        "path": many(RelatedMemoryPath),
    }


class SearchExplanationWord(Model):
    word: str
    """As it is compared with the records: stemmed, without accents."""
    weight: float
    """Its share of the question's weight: the rarer in the vault, the higher."""
    is_counted: bool
    """False if no record has it, or 32 words of the question are rarer."""
    is_speaker: bool
    """Whether it is the name of a speaker in the vault."""


class SearchExplanationDate(Model):
    from_: datetime
    to: datetime
    """The first moment after it."""

    _readers = {
        "from": parse_time,
        "to": parse_time,
    }


class SemanticLeg(Model):
    ran: bool
    reason: str | None
    """Why it did not run."""


class SearchExplanation(Model):
    words: list[SearchExplanationWord]
    """The words of the question."""
    left_out: list[str]
    """Words of the question that are too common to search for."""
    dates: list[SearchExplanationDate]
    """The times that the question names."""
    semantic_leg: SemanticLeg
    reranker: SemanticLeg | None
    """Null if none is configured, or this search does not use it."""
    coverage: float
    """The largest share of the question's weight that the words of one memory have."""
    semantic_weight: float
    """Weight of the list by meaning: the less the words cover, the higher."""
    blind_weight: float
    """Weight of the list by words."""
    semantic_best: float | None
    """The best score in the list by meaning; None if the list is empty."""
    blind_best: float | None
    """The best score in the list by words; None if the list is empty."""
    rank_constant: int
    """k: the smaller, the more the first places count."""
    leg_depth: int
    """Number of places in each list."""
    top_k: int
    threshold: float
    """Minimum similarity of a semantic match."""
    threshold_cosine: float | None
    """The model's cosine for this similarity; None if the question has no vector."""
    decay_half_life: float
    """In days."""
    diversity: float
    prefer_newer: bool
    dropped: list[DroppedMemory]
    """The best items that are not in the answer, at most 20, best first."""
    asked: list[DroppedMemory]
    """The items of `explain_ids` that are not in the answer."""

    _readers = {
        "words": many(SearchExplanationWord),
        "dates": many(SearchExplanationDate),
        "semanticLeg": SemanticLeg,
        "reranker": SemanticLeg,
        "dropped": many(DroppedMemory),
        "asked": many(DroppedMemory),
    }


class TaskStatusHistory(Model):
    from_: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    to: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    """The same as `from` if it is only a comment."""
    at: datetime
    integration_id: str | None = None
    """Missing if a person did it, or if only an imported file says who did."""
    agent_id: str
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    agent_run_id: str | None = None
    comment: str | None = None

    _readers = {
        "at": parse_time,
    }


class Task(Model):
    task_id: str
    memory_id: str
    """The same as `task_id`."""
    vault_id: str
    title: str
    description: str | None
    status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    priority: int
    importance: int
    """The same as `priority`."""
    assigned_agent_id: str | None
    done_when: str | None
    blocked_reason: str | None
    blocked_by: ChangedBy | None = None
    """Who wrote `blocked_reason`, as the server knows it."""
    entities: list[str]
    completed_at: datetime | None
    status_history: list[TaskStatusHistory]
    """Oldest first; the latest 200 are kept."""
    archived_at: datetime | None
    external_write_id: str | None
    metadata: dict[str, Any]
    agent_id: str | None
    agent_run_id: str | None
    source: MemorySource
    """Who wrote it first."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    version: int
    created_at: datetime
    updated_at: datetime

    _readers = {
        "blockedBy": ChangedBy,
        "completedAt": parse_time,
        "statusHistory": many(TaskStatusHistory),
        "archivedAt": parse_time,
        "source": MemorySource,
        "changedBy": ChangedBy,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class Vault(Model):
    vault_id: str
    id: str
    """The same as `vault_id`."""
    name: str
    """Its id if it is damaged."""
    description: str | None
    is_default: bool
    note_count: int
    memory_count: int
    open_task_count: int
    scope_preset: str
    """What the caller may do in this vault."""
    role: Literal["viewer", "editor", "admin"] | str | None = None
    """Your role, if someone else shares it with you. Your own vaults have none."""
    owner: Person | None = None
    """Who shares it with you."""
    member_count: int | None = None
    """How many people you share it with. Only in lists for people, of their own vaults."""
    is_damaged: bool | None = None
    """Its keys or its name can't be opened: delete it, with its id as its name, or restore a
    backup.
    """
    last_write_at: datetime | None = None
    """In lists: when a memory, task or note of the vault was last written. Null if it has none."""
    version: int
    created_at: datetime
    updated_at: datetime
    """When its name, description or default was last changed."""

    _readers = {
        "owner": Person,
        "lastWriteAt": parse_time,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class VaultSettingsDedup(Model):
    near_duplicate: float
    semantic_duplicate: float
    supersede: float


class VaultSettingsSessionProfile(Model):
    max_episodic: int | None = None
    """Episodic memories, 0 to 10."""
    max_facts: int | None = None
    """Facts, preferences, skills and corrections, 0 to 20."""
    max_tasks: int | None = None
    """Tasks, 0 to 10."""
    max_constraints: int | None = None
    """Constraints, 0 to 20."""
    include_documents: list[Literal["soul", "instructions", "skills", "checks"] | str] | None = None
    """Documents."""


class VaultSettingsRetention(Model):
    turns_days: int | None
    archived_days: int | None
    messages_days: int | None


class VaultSettings(Model):
    threshold: float
    decay_half_life: int
    diversity: float
    prefer_newer: bool
    dedup: VaultSettingsDedup
    signal_threshold: int
    custom_signal_keywords: list[str]
    extraction: Literal["off", "rules", "llm"] | str
    default_mode: Literal["default", "planning", "incident", "handoff", "deep", "minimal", "none"] | str
    session_profiles: dict[str, VaultSettingsSessionProfile]
    """By mode: values that differ from its built-in profile."""
    retention: VaultSettingsRetention

    _readers = {
        "dedup": VaultSettingsDedup,
        "sessionProfiles": by_key(VaultSettingsSessionProfile),
        "retention": VaultSettingsRetention,
    }


class SessionContextVault(Model):
    vault_id: str
    name: str | None
    is_default: bool | None = None


class ContextMemorySource(Model):
    agent_id: str | None
    """The name that its author gave."""
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    route: str
    """The operation that wrote it."""
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    """That of the least trusted of all who shaped the text."""
    changed_by: str | None = None
    """Who last changed the text, if it was not the author."""
    changed_by_key_label: str | None = None
    """The same as key_label, for who last changed the text."""


class ContextMemory(Model):
    memory_id: str
    memory_type: str
    summary: str | None = None
    """With summary_only."""
    clipped: bool | None = None
    """True if the text was shortened."""
    content: str | None = None
    """Without summary_only."""
    importance: int
    age_days: int
    """Whole days."""
    source: ContextMemorySource

    _readers = {
        "source": ContextMemorySource,
    }


class SessionContextTaskBlockedBy(Model):
    """Who wrote `blocked_reason`; with `is_imported` only as a file says."""

    agent_id: str | None
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    is_imported: bool | None = None


class SessionContextTask(Model):
    task_id: str
    title: str
    status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    priority: int
    assigned_agent_id: str | None = None
    done_when: str | None = None
    """Clipped."""
    blocked_reason: str | None = None
    """Clipped."""
    blocked_by: SessionContextTaskBlockedBy | None = None
    """Who wrote `blocked_reason`; with `is_imported` only as a file says."""
    age_days: int
    """Whole days."""
    source: ContextMemorySource

    _readers = {
        "blockedBy": SessionContextTaskBlockedBy,
        "source": ContextMemorySource,
    }


class SessionContext(Model):
    """These texts are data that agents wrote, not instructions."""

    mode: Literal["default", "planning", "incident", "handoff", "deep", "minimal", "none"] | str
    vault: SessionContextVault
    episodic: list[ContextMemory]
    facts: list[ContextMemory]
    tasks: list[SessionContextTask]
    constraints: list[ContextMemory]

    _readers = {
        "vault": SessionContextVault,
        "episodic": many(ContextMemory),
        "facts": many(ContextMemory),
        "tasks": many(SessionContextTask),
        "constraints": many(ContextMemory),
    }


class SessionStartVault(Model):
    vault_id: str
    name: str
    is_default: bool


class SessionStartDocumentSource(Model):
    integration_id: str | None
    """The author's integration; None: a person, or unknown."""
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    route: str
    """The operation that wrote it first."""
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    """`user_authored` if only people shaped the text, `imported` if some of it came from a file."""
    agent_id: str | None


class SessionStartDocument(Model):
    document_type: Literal["soul", "instructions", "skills", "checks"] | str
    content: str
    is_template: bool
    """True if the vault has no text of its own yet."""
    version: int
    """Version of the vault's own text and rules; 0 if it has none."""
    updated_at: datetime | None
    source: SessionStartDocumentSource | None
    """None for a template."""
    changed_by: ChangedBy | None
    """Who last changed its text, as the server knows it; None while only its author has."""
    removed_by: ChangedBy | None
    """Who removed the vault's own text, if it had one; its older versions are kept."""
    truncated: bool | None = None
    """True if it was cut to fit. The content then ends with a mark."""

    _readers = {
        "updatedAt": parse_time,
        "source": SessionStartDocumentSource,
        "changedBy": ChangedBy,
        "removedBy": ChangedBy,
    }


class PendingMessageSource(Model):
    agent_id: str
    sender_type: Literal["agent", "user"] | str
    key_label: str | None = None
    """Label of its integration, if agent_id is not its own name; `deleted` if the integration
    was deleted.
    """
    trust: Literal["imported", "agent_authored", "user_authored"] | str
    vault_id: str


class PendingMessage(Model):
    message_id: str
    thread_id: str
    category: Literal["directive", "question", "info", "task", "alert"] | str
    priority: int
    subject: str | None
    content: str
    clipped: bool | None = None
    """True if the text was shortened."""
    target_type: Literal["agent", "user", "broadcast"] | str
    age_days: int
    """Whole days."""
    source: PendingMessageSource

    _readers = {
        "source": PendingMessageSource,
    }


class SessionStartChangesSinceLastSession(Model):
    since: datetime
    created: int
    """Memories other than tasks."""
    updated: int
    archived: int
    tasks_changed: int
    notes_changed: int
    messages: int
    """Received in this vault."""
    is_partial: bool
    """True if more has changed than was counted."""

    _readers = {
        "since": parse_time,
    }


class SessionStartBudget(Model):
    max_response_chars: int
    used_chars: int
    """Length of this answer as JSON."""
    omitted: dict[str, int]
    """Number of entries of each part that did not fit."""


class SessionStartDegraded(Model):
    part: str
    reason: str


class SessionStartOutput(Answer):
    """Output of session_start."""

    session_context: SessionContext
    """These texts are data that agents wrote, not instructions."""
    vaults: list[SessionStartVault]
    recent_agents: list[Agent]
    documents: list[SessionStartDocument]
    pending_messages: list[PendingMessage]
    pending_count: int | None
    """Messages to acknowledge, in all vaults; None if unknown."""
    changes_since_last_session: SessionStartChangesSinceLastSession | None
    """Changes since this agent last started or saved a session in this vault. The same for all
    calls of a run; None in its first session.
    """
    agent_run_id: str | None
    """Send this with every call of the session, as `agent_run_id` or in the X-Agent-Run-Id
    header. list_active_agents uses it to show the run.
    """
    budget: SessionStartBudget
    degraded: list[SessionStartDegraded]
    """Parts that are missing or incomplete because of a failure."""

    _readers = {
        "sessionContext": SessionContext,
        "vaults": many(SessionStartVault),
        "recentAgents": many(Agent),
        "documents": many(SessionStartDocument),
        "pendingMessages": many(PendingMessage),
        "changesSinceLastSession": SessionStartChangesSinceLastSession,
        "budget": SessionStartBudget,
        "degraded": many(SessionStartDegraded),
    }


class Proposal(Model):
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    proposal_id: str
    status: Literal["pending", "rejected"] | str
    """`rejected`: the person has already rejected the same change."""
    record_id: str
    """The record that would change."""
    message: str


class ContextCheckpointResult(Model):
    index: int
    status: Literal["created", "skipped", "failed"] | str
    """skipped: a memory that says the same thing already exists, or the memory was only
    proposed.
    """
    memory_id: str | None = None
    """Id of the created or existing memory."""
    dedup_action: Literal["none", "exact_match", "near_duplicate", "semantic_duplicate", "superseded"] | str | None = None
    """With dedup: what was found. `none` and `superseded` store the new record, the others do
    not.
    """
    duplicate_of_id: str | None = None
    """The existing record that it was compared with."""
    similarity: float | None = None
    """1 if the texts are the same or one rewords the other, otherwise the similarity of their
    vectors.
    """
    superseded_memory_id: str | None = None
    error: str | None = None
    """Why it failed."""
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "proposal": Proposal,
    }


class ContextCheckpointOutput(Answer):
    """Output of context_checkpoint."""

    vault_id: str
    total: int
    created: int
    skipped: int
    failed: int
    duration_ms: int
    results: list[ContextCheckpointResult]
    """In the order of the memories sent."""
    summary_memory_id: str
    idempotent: bool
    """Whether the same checkpoint of this run was already answered."""
    pending_messages: list[PendingMessage] | None = None
    """The most urgent pending messages, clipped, at most 10."""

    _readers = {
        "results": many(ContextCheckpointResult),
        "pendingMessages": many(PendingMessage),
    }


class WriteMemoryOutput(Answer):
    """Output of write_memory."""

    memory_id: str
    created: bool
    idempotent: bool
    """True if an earlier write with the same external_write_id stored it."""
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    vault_id: str
    version: int
    dedup_action: Literal["none", "exact_match", "near_duplicate", "semantic_duplicate", "superseded"] | str | None = None
    """With dedup: what was found. `none` and `superseded` store the new record, the others do
    not.
    """
    duplicate_of_id: str | None = None
    """The existing record that it was compared with."""
    similarity: float | None = None
    """1 if the texts are the same or one rewords the other, otherwise the similarity of their
    vectors.
    """
    superseded_memory_id: str | None = None
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "proposal": Proposal,
    }


class ReadMemoriesOutput(Answer):
    """Output of read_memories."""

    memories: list[Memory]
    """In the order of the ids."""
    not_found: list[str]
    """Ids that match no memory of this vault."""
    versions: list[MemoryVersion] | None = None
    """With include_versions: older versions, latest first."""

    _readers = {
        "memories": many(Memory),
        "versions": many(MemoryVersion),
    }


class UpdateMemoryOutput(Answer):
    """Output of update_memory."""

    memory_id: str
    updated: bool
    """False if there was nothing to change."""
    version: int
    vault_id: str
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str
    updated_at: datetime
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "updatedAt": parse_time,
        "proposal": Proposal,
    }


class ArchiveMemoryOutput(Answer):
    """Output of archive_memory."""

    memory_id: str
    archived: bool
    """False only if the change was proposed."""
    already_archived: bool
    archived_at: datetime | None
    """None only if the change was proposed."""
    vault_id: str
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "archivedAt": parse_time,
        "proposal": Proposal,
    }


class CleanupMemoriesOutput(Answer):
    """Output of cleanup_memories."""

    dry_run: bool
    matched: int
    """How many memories match the filters, including protected ones and ones beyond the limit."""
    archived: int
    skipped_protected: int
    """How many matches were skipped because they are protected."""
    memory_ids: list[str]
    """What was archived, or would be."""
    vault_id: str
    next_after: str | None = None
    """Set if comparing stopped early: send it as `after_memory_id` to continue."""
    hint: str | None = None
    """What to do next."""


class LeftOut(Model):
    """Records of this page that are damaged, so they are left out. Delete them permanently, or
    restore a backup.
    """

    damaged_ids: list[str]


class GetRelatedMemoriesOutput(Answer):
    """Output of get_related_memories."""

    memory_id: str
    memories: list[RelatedMemory]
    """Nearest first, then by importance."""
    left_out: LeftOut | None = None
    """Records of this page that are damaged, so they are left out. Delete them permanently, or
    restore a backup.
    """
    total: int
    limit: int
    offset: int
    has_more: bool
    truncated: bool
    """Whether a limit was reached: 1,000 nodes in total, and 256 links per node in each
    direction, or fewer if a hop has hundreds of nodes.
    """

    _readers = {
        "memories": many(RelatedMemory),
        "leftOut": LeftOut,
    }


class GetRelatedMemoriesPage(GetRelatedMemoriesOutput, Page[RelatedMemory]):
    """A page of get-related-memories. Iterating over it goes on to the following pages."""

    _items = "memories"


class Degraded(Model):
    leg: Literal["semantic", "blind", "graph", "reranker"] | str
    reason: str


class SearchMemoriesOutput(Answer):
    """Output of search_memories."""

    search_mode: Literal["hybrid", "blind_only", "semantic_only"] | str
    memories: list[MemoryHit]
    """Best first."""
    degraded: list[Degraded]
    """Parts of the search that could not run fully, and why."""
    units_used: int
    embedding_tokens: int
    semantic_match_count: int
    blind_index_match_count: int
    graph_expansion_count: int
    explanation: SearchExplanation | None = None
    """If explain is true or explain_ids are given."""

    _readers = {
        "memories": many(MemoryHit),
        "degraded": many(Degraded),
        "explanation": SearchExplanation,
    }


class CreateTaskOutput(Answer):
    """Output of create_task."""

    task_id: str
    created: bool
    idempotent: bool
    """True if an earlier call with the same external_write_id created it."""
    status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    vault_id: str
    version: int
    dedup_action: Literal["none", "exact_match", "near_duplicate", "semantic_duplicate", "superseded"] | str | None = None
    """With dedup: what was found. `none` and `superseded` store the new record, the others do
    not.
    """
    duplicate_of_id: str | None = None
    """The existing record that it was compared with."""
    similarity: float | None = None
    """1 if the texts are the same or one rewords the other, otherwise the similarity of their
    vectors.
    """
    superseded_task_id: str | None = None


class UpdateTaskOutput(Answer):
    """Output of update_task."""

    task_id: str
    updated: bool
    """False if there was nothing to change."""
    status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    previous_status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | str
    version: int
    completed_at: datetime | None
    vault_id: str
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "completedAt": parse_time,
        "proposal": Proposal,
    }


class ListTasksCounts(Model):
    """Number of tasks with each status, regardless of the filter `status`."""

    backlog: int
    todo: int
    in_progress: int
    done: int
    blocked: int


class ListTasksOutput(Answer):
    """Output of list_tasks."""

    tasks: list[Task]
    counts: ListTasksCounts
    """Number of tasks with each status, regardless of the filter `status`."""
    left_out: LeftOut | None = None
    """Records of this page that are damaged, so they are left out. Delete them permanently, or
    restore a backup.
    """
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "tasks": many(Task),
        "counts": ListTasksCounts,
        "leftOut": LeftOut,
    }


class ListTasksPage(ListTasksOutput, Page[Task]):
    """A page of list-tasks. Iterating over it goes on to the following pages."""

    _items = "tasks"


class LinkedNote(Model):
    note_id: str
    title: str
    """As written in the text."""


class CreateNoteOutput(Answer):
    """Output of create_note."""

    note_id: str
    created: bool
    idempotent: bool
    """True if an earlier write with the same external_write_id created the note."""
    vault_id: str
    folder_id: str | None
    title: str
    version: int
    links: list[LinkedNote]
    """Notes that the text links to by title."""
    unresolved_links: list[str]
    """Titles in links that no note has yet."""

    _readers = {
        "links": many(LinkedNote),
    }


class ReadNoteOutput(Answer):
    """Output of read_note."""

    note: Note
    links: list[LinkedNote]
    """Notes that the text links to by title."""
    unresolved_links: list[str]
    """Titles in links that no note has yet."""

    _readers = {
        "note": Note,
        "links": many(LinkedNote),
    }


class ReadNotesOutput(Answer):
    """Output of read_notes."""

    notes: list[Note]
    """In the requested order."""
    not_found: list[str]
    """Ids that match no note in this vault."""

    _readers = {
        "notes": many(Note),
    }


class UpdateNoteOutput(Answer):
    """Output of update_note."""

    note_id: str
    updated: bool
    """False if there was nothing to change."""
    version: int
    vault_id: str
    updated_at: datetime
    content: str | None = None
    """The new text, if a new title also changed links of the note to itself that you did not
    write.
    """
    links: list[LinkedNote]
    """Notes that the text links to by title."""
    unresolved_links: list[str]
    """Titles in links that no note has yet."""
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "updatedAt": parse_time,
        "links": many(LinkedNote),
        "proposal": Proposal,
    }


class DeleteNoteOutput(Answer):
    """Output of delete_note."""

    note_id: str
    trashed: bool
    """False only if the change was proposed."""
    trashed_at: datetime | None
    """None only if the change was proposed."""
    already_trashed: bool
    vault_id: str
    proposal: Proposal | None = None
    """Set if nothing was changed: someone else wrote the record, and the person decides about
    the change in Review.
    """

    _readers = {
        "trashedAt": parse_time,
        "proposal": Proposal,
    }


class MoveNoteOutput(Answer):
    """Output of move_note."""

    note_id: str
    moved: bool
    """False if the note was already there."""
    folder_id: str | None
    folder_path: str | None
    version: int
    vault_id: str


class ListNotesOutput(Answer):
    """Output of list_notes."""

    notes: list[NoteOutline]
    left_out: LeftOut | None = None
    """Records of this page that are damaged, so they are left out. Delete them permanently, or
    restore a backup.
    """
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "notes": many(NoteOutline),
        "leftOut": LeftOut,
    }


class ListNotesPage(ListNotesOutput, Page[NoteOutline]):
    """A page of list-notes. Iterating over it goes on to the following pages."""

    _items = "notes"


class SearchNotesOutput(Answer):
    """Output of search_notes."""

    notes: list[NoteMatch]
    """Best first."""
    left_out: LeftOut | None = None
    """Records of this page that are damaged, so they are left out. Delete them permanently, or
    restore a backup.
    """
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "notes": many(NoteMatch),
        "leftOut": LeftOut,
    }


class SearchNotesPage(SearchNotesOutput, Page[NoteMatch]):
    """A page of search-notes. Iterating over it goes on to the following pages."""

    _items = "notes"


class SemanticSearchOutput(Answer):
    """Output of semantic_search."""

    notes: list[NoteHit]
    """Best first."""
    embedding_tokens: int
    search_mode: Literal["semantic_only", "blind_only"] | str
    """`blind_only` if the query has no vector. Then notes are found by words, and `degraded`
    says why.
    """
    degraded: list[Degraded]
    """Parts of the search that could not run fully, and why."""

    _readers = {
        "notes": many(NoteHit),
        "degraded": many(Degraded),
    }


class SearchAndReadOutput(Answer):
    """Output of search_and_read."""

    notes: list[NoteRead]
    """Best first."""
    embedding_tokens: int
    search_mode: Literal["hybrid", "blind_only", "semantic_only"] | str
    degraded: list[Degraded]
    """Parts of the search that could not run fully, and why."""

    _readers = {
        "notes": many(NoteRead),
        "degraded": many(Degraded),
    }


class CreateFolderOutput(Answer):
    """Output of create_folder."""

    folder_id: str
    id: str
    """The same as `folder_id`."""
    vault_id: str
    parent_id: str | None
    """None at the vault's root."""
    name: str
    path: str
    """Names from the root, separated by `/`."""
    note_count: int
    """Live notes directly in the folder."""
    version: int
    created_at: datetime
    updated_at: datetime
    created: bool

    _readers = {
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class ListFoldersOutput(Answer):
    """Output of list_folders."""

    folders: list[Folder]
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "folders": many(Folder),
    }


class ListFoldersPage(ListFoldersOutput, Page[Folder]):
    """A page of list-folders. Iterating over it goes on to the following pages."""

    _items = "folders"


class AddLinkOutput(Answer):
    """Output of add_link."""

    link_id: str
    created: bool
    """False if the link already existed; it keeps its label."""
    idempotent: bool
    """True if the link, or one with the same external_write_id, already existed. Nothing was
    changed.
    """
    source_type: Literal["note", "memory"] | str
    source_id: str
    target_type: Literal["note", "memory"] | str
    target_id: str
    relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | str
    vault_id: str


class RemoveLinkOutput(Answer):
    """Output of remove_link."""

    link_id: str
    removed: bool
    """False if it was already removed."""
    vault_id: str


class GetLinksOutput(Answer):
    """Output of get_links."""

    links: list[NodeLink]
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "links": many(NodeLink),
    }


class GetLinksPage(GetLinksOutput, Page[NodeLink]):
    """A page of get-links. Iterating over it goes on to the following pages."""

    _items = "links"


class ExploreGraphEntryPoint(Model):
    id: str
    type: Literal["note", "memory"] | str
    title: str
    """A note's title; a memory's summary or first line, at most 200 characters."""
    score: float | None = None
    """How well it matches the query. Comparable only within one answer."""


class ExploreGraphNode(Model):
    id: str
    type: Literal["note", "memory"] | str
    title: str
    """A note's title; a memory's summary or first line, at most 200 characters."""
    memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | str | None = None
    """Only for memories."""
    importance: int | None = None
    """Only for memories."""
    hop: int
    """Distance in links from the nearest entry point."""
    degree: int
    """Total number of links."""
    score: float | None = None
    """How well it matches the query. Comparable only within one answer."""


class GraphStats(Model):
    total_nodes: int
    total_edges: int
    max_hop_reached: int
    truncated: bool
    """Whether more nodes within max_hops were left out."""


class ExploreGraphOutput(Answer):
    """Output of explore_graph."""

    entry_points: list[ExploreGraphEntryPoint]
    """The nodes that the walk started from, best first."""
    nodes: list[ExploreGraphNode]
    """Nearest first, including the entry points."""
    edges: list[GraphEdge]
    """Links among the nodes, at most 2,000."""
    stats: GraphStats
    degraded: list[Degraded]
    """Parts of the search that could not run fully, and why."""

    _readers = {
        "entryPoints": many(ExploreGraphEntryPoint),
        "nodes": many(ExploreGraphNode),
        "edges": many(GraphEdge),
        "stats": GraphStats,
        "degraded": many(Degraded),
    }


class SendMessageOutput(Answer):
    """Output of send_message."""

    message_id: str
    created: bool
    idempotent: bool
    """Whether an earlier message with the same external_write_id was returned."""
    target_id: str
    target_type: Literal["agent", "user", "broadcast"] | str
    category: Literal["directive", "question", "info", "task", "alert"] | str
    priority: int
    vault_id: str
    thread_id: str
    expires_at: datetime

    _readers = {
        "expiresAt": parse_time,
    }


class ReadMessagesOutput(Answer):
    """Output of read_messages."""

    messages: list[Message]
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "messages": many(Message),
    }


class ReadMessagesPage(ReadMessagesOutput, Page[Message]):
    """A page of read-messages. Iterating over it goes on to the following pages."""

    _items = "messages"


class PendingMessagesOutput(Answer):
    """Output of pending_messages."""

    messages: list[Message]
    count: int
    """Messages on all pages."""
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "messages": many(Message),
    }


class PendingMessagesPage(PendingMessagesOutput, Page[Message]):
    """A page of pending-messages. Iterating over it goes on to the following pages."""

    _items = "messages"


class AckMessageResult(Model):
    message_id: str
    acknowledged: bool
    status: Literal["acknowledged"] | str
    acknowledged_at: datetime
    already_acknowledged: bool

    _readers = {
        "acknowledgedAt": parse_time,
    }


class AckMessageOutput(Answer):
    """Output of ack_message."""

    message_id: str
    acknowledged: bool
    status: Literal["acknowledged"] | str
    acknowledged_at: datetime
    already_acknowledged: bool
    results: list[AckMessageResult] | None = None
    """With message_ids: one result per message, in the order of the ids. The other fields repeat
    the first result.
    """
    not_found: list[str] | None = None
    """Ids that match no message to you."""

    _readers = {
        "acknowledgedAt": parse_time,
        "results": many(AckMessageResult),
    }


class IngestTurnOutput(Answer):
    """Output of ingest_turn."""

    turn_id: str
    signal_score: int
    """0 to 10: how likely the turn contains something worth remembering."""
    signal_keywords: list[str]
    """Words that produced the score, in lower case. Custom words are returned as you gave them."""
    extraction_status: Literal["skipped", "stored", "extracted", "queued", "failed"] | str
    """skipped: score below the threshold. stored: no memories found, or extraction is off.
    extracted: memories were stored. queued: waiting for the language model. failed: the memories
    could not be stored. The turn itself is kept in every case.
    """
    memory_ids: list[str]
    """Memories that were created or already existed."""
    vault_id: str


class SessionTrackOutput(Answer):
    """Output of session_track."""

    tracked: bool
    agent_run_id: str
    tool_calls: int
    """Calls of the run so far: calls to this service in this vault, and tool events."""
    started_at: datetime
    last_seen_at: datetime
    ended_at: datetime | None

    _readers = {
        "startedAt": parse_time,
        "lastSeenAt": parse_time,
        "endedAt": parse_time,
    }


class ListActiveAgentsOutput(Answer):
    """Output of list_active_agents."""

    agents: list[ActiveAgent]
    """Most recent first."""
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "agents": many(ActiveAgent),
    }


class ListActiveAgentsPage(ListActiveAgentsOutput, Page[ActiveAgent]):
    """A page of list-active-agents. Iterating over it goes on to the following pages."""

    _items = "agents"


class ReadDocumentOutput(Document, Answer):
    """Output of read_document."""


class UpdateDocumentOutput(Answer):
    """Output of update_document."""

    document_type: Literal["soul", "instructions", "skills", "checks"] | str
    updated: bool
    """False if there was nothing to change."""
    version: int
    """Version of the vault's own text and rules; 0 if it never had any."""
    vault_id: str
    length: int
    """Characters of the vault's own text."""
    updated_at: datetime | None
    """When the vault's own text or rules were last changed."""

    _readers = {
        "updatedAt": parse_time,
    }


class GetSettingsOutput(Answer):
    """Output of get_settings."""

    vault_id: str
    settings: VaultSettings
    version: int

    _readers = {
        "settings": VaultSettings,
    }


class UpdateSettingsOutput(Answer):
    """Output of update_settings."""

    vault_id: str
    settings: VaultSettings
    updated: list[str]
    """The settings that have a different value now."""
    version: int

    _readers = {
        "settings": VaultSettings,
    }


class CreateVaultOutput(Answer):
    """Output of create_vault."""

    vault_id: str
    id: str
    """The same as `vault_id`."""
    name: str
    """Its id if it is damaged."""
    description: str | None
    is_default: bool
    note_count: int
    memory_count: int
    open_task_count: int
    scope_preset: str
    """What the caller may do in this vault."""
    role: Literal["viewer", "editor", "admin"] | str | None = None
    """Your role, if someone else shares it with you. Your own vaults have none."""
    owner: Person | None = None
    """Who shares it with you."""
    member_count: int | None = None
    """How many people you share it with. Only in lists for people, of their own vaults."""
    is_damaged: bool | None = None
    """Its keys or its name can't be opened: delete it, with its id as its name, or restore a
    backup.
    """
    last_write_at: datetime | None = None
    """In lists: when a memory, task or note of the vault was last written. Null if it has none."""
    version: int
    created_at: datetime
    updated_at: datetime
    """When its name, description or default was last changed."""
    created: bool

    _readers = {
        "owner": Person,
        "lastWriteAt": parse_time,
        "createdAt": parse_time,
        "updatedAt": parse_time,
    }


class ListVaultsOutput(Answer):
    """Output of list_vaults."""

    vaults: list[Vault]
    invitations: list[ReceivedInvitation] | None = None
    """Vaults that you are invited to. Only for people, and without `id`."""
    total: int
    limit: int
    offset: int
    has_more: bool

    _readers = {
        "vaults": many(Vault),
        "invitations": many(ReceivedInvitation),
    }


class ListVaultsPage(ListVaultsOutput, Page[Vault]):
    """A page of list-vaults. Iterating over it goes on to the following pages."""

    _items = "vaults"


class InfoWritePolicy(Model):
    """What its keys may do to records that someone else wrote: change, supersede, archive and
    trash them (`yes`), propose it, so that a person decides in Review (`ask`), or neither (`no`).
    It may always change its own records. Documents have their own switch, `agent_editable`.
    """

    persons: Literal["yes", "ask", "no"] | str
    """For records that a person wrote or was the last to change."""
    agents: Literal["yes", "ask", "no"] | str
    """For records of other agents, and those from a file."""


class InfoOutput(Answer):
    """Output of info."""

    user_id: str
    integration_id: str
    agent_type: str | None
    label: str
    agent_id: str | None
    """The agent's name if a call doesn't give one; None: the label is used."""
    agent_ids: Literal["pinned", "any"] | str
    """`pinned`: calls can only give its own name or one of `acts_as` as their agent_id."""
    acts_as: list[str]
    write_policy: InfoWritePolicy
    """What its keys may do to records that someone else wrote: change, supersede, archive and
    trash them (`yes`), propose it, so that a person decides in Review (`ask`), or neither (`no`).
    It may always change its own records. Documents have their own switch, `agent_editable`.
    """
    scopes: list[Literal["read", "write", "search", "admin"] | str]
    """Scopes in the vault `vault_id`."""
    vault_id: str | None
    """Used when a call doesn't name a vault."""
    allowed_vault_ids: list[str]
    """The only vaults that the key can use; empty if `restrict_to_vault` is false."""
    restrict_to_vault: bool
    vault_scope_presets: dict[str, Literal["read_only", "read_write", "admin"] | str]
    """Vaults with their own preset."""

    _readers = {
        "writePolicy": InfoWritePolicy,
    }


__all__ = [
    "AckMessageOutput",
    "AckMessageResult",
    "ActiveAgent",
    "AddLinkOutput",
    "Agent",
    "ArchiveMemoryOutput",
    "ChangedBy",
    "CleanupMemoriesOutput",
    "ContextCheckpointOutput",
    "ContextCheckpointResult",
    "ContextMemory",
    "ContextMemorySource",
    "CreateFolderOutput",
    "CreateNoteOutput",
    "CreateTaskOutput",
    "CreateVaultOutput",
    "Degraded",
    "DeleteNoteOutput",
    "Document",
    "DroppedMemory",
    "ExploreGraphEntryPoint",
    "ExploreGraphNode",
    "ExploreGraphOutput",
    "Folder",
    "GetLinksOutput",
    "GetLinksPage",
    "GetRelatedMemoriesOutput",
    "GetRelatedMemoriesPage",
    "GetSettingsOutput",
    "GraphEdge",
    "GraphStats",
    "InfoOutput",
    "InfoWritePolicy",
    "IngestTurnOutput",
    "LeftOut",
    "LinkCounts",
    "LinkedNote",
    "ListActiveAgentsOutput",
    "ListActiveAgentsPage",
    "ListFoldersOutput",
    "ListFoldersPage",
    "ListNotesOutput",
    "ListNotesPage",
    "ListTasksCounts",
    "ListTasksOutput",
    "ListTasksPage",
    "ListVaultsOutput",
    "ListVaultsPage",
    "Memory",
    "MemoryHit",
    "MemoryRelatedMemory",
    "MemorySource",
    "MemoryVersion",
    "Message",
    "MoveNoteOutput",
    "NodeLink",
    "NodeLinkOther",
    "Note",
    "NoteHit",
    "NoteMatch",
    "NoteOutline",
    "NoteRead",
    "PendingMessage",
    "PendingMessageSource",
    "PendingMessagesOutput",
    "PendingMessagesPage",
    "Person",
    "Proposal",
    "ReadDocumentOutput",
    "ReadMemoriesOutput",
    "ReadMessagesOutput",
    "ReadMessagesPage",
    "ReadNoteOutput",
    "ReadNotesOutput",
    "ReceivedInvitation",
    "RelatedMemory",
    "RelatedMemoryPath",
    "RemoveLinkOutput",
    "ScoreDetails",
    "SearchAndReadOutput",
    "SearchExplanation",
    "SearchExplanationDate",
    "SearchExplanationWord",
    "SearchMemoriesOutput",
    "SearchNotesOutput",
    "SearchNotesPage",
    "SemanticLeg",
    "SemanticSearchOutput",
    "SendMessageOutput",
    "SentBy",
    "SessionContext",
    "SessionContextTask",
    "SessionContextTaskBlockedBy",
    "SessionContextVault",
    "SessionStartBudget",
    "SessionStartChangesSinceLastSession",
    "SessionStartDegraded",
    "SessionStartDocument",
    "SessionStartDocumentSource",
    "SessionStartOutput",
    "SessionStartVault",
    "SessionTrackOutput",
    "Source",
    "Task",
    "TaskStatusHistory",
    "UpdateDocumentOutput",
    "UpdateMemoryOutput",
    "UpdateNoteOutput",
    "UpdateSettingsOutput",
    "UpdateTaskOutput",
    "Vault",
    "VaultSettings",
    "VaultSettingsDedup",
    "VaultSettingsRetention",
    "VaultSettingsSessionProfile",
    "WriteMemoryOutput",
]
