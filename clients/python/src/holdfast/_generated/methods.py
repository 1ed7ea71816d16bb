# Written by `npm run generate` from the registry of operations; do not edit.
"""The operations as methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from .._calls import Calls
from .._unset import UNSET, Unset
from . import models, routes
from .inputs import (
    RelatedMemoryInput,
    ContextCheckpointMemoryInput,
    UpdateNoteEditInput,
    SettingsInput,
)


class Methods(Calls):
    def session_start(
        self,
        *,
        query: str | None = None,
        summary_only: bool | None = None,
        mode: Literal["default", "planning", "incident", "handoff", "deep", "minimal", "none"] | None = None,
        max_episodic: int | None = None,
        max_facts: int | None = None,
        max_tasks: int | None = None,
        max_constraints: int | None = None,
        include_documents: Sequence[Literal["soul", "instructions", "skills", "checks"]] | None = None,
        max_response_chars: int | None = None,
        peek: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SessionStartOutput:
        """Begin a session and get what an agent should know about the vault, in one answer of
        the size you choose. Send its agent_run_id with later calls (in the body, or as
        X-Agent-Run-Id), and list_active_agents shows this run to others.

        Args:
            query: What the session is about. Matching facts come first.
            summary_only: Return clipped summaries instead of full contents. Default: True.
            mode: The kind of session. Sets what is returned, how much, and in which order. Default:
                the vault's mode.
            max_episodic: Number of episodic memories, 0 to 10. Default: set by the mode.
            max_facts: Number of facts, preferences, skills and corrections, 0 to 20. Default: set
                by the mode.
            max_tasks: Number of tasks, 0 to 10. Default: set by the mode.
            max_constraints: Number of constraints, 0 to 20. Default: set by the mode.
            include_documents: Which documents of the vault to include. Default: set by the mode.
            max_response_chars: Maximum characters of the whole answer, 2,000 to 100,000. Default:
                16000.
            peek: Preview: no session begins, and the next one reports the same changes. Default:
                False.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SESSION_START,
            {
                "query": query,
                "summaryOnly": summary_only,
                "mode": mode,
                "maxEpisodic": max_episodic,
                "maxFacts": max_facts,
                "maxTasks": max_tasks,
                "maxConstraints": max_constraints,
                "includeDocuments": include_documents,
                "maxResponseChars": max_response_chars,
                "peek": peek,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SessionStartOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def context_checkpoint(
        self,
        *,
        memories: Sequence[ContextCheckpointMemoryInput],
        session_summary: str,
        dedup: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ContextCheckpointOutput:
        """Save what a session learned, and its summary, in one call.

        Args:
            memories: What to keep from the session, at most 50 memories. Each is validated and
                stored separately.
            session_summary: What happened. Stored as an episodic memory.
            dedup: Skip memories that repeat an existing one of the same type. Default: True.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: The run that ends or pauses here. With a run id, a repeated call stores
                nothing twice. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CONTEXT_CHECKPOINT,
            {
                "memories": memories,
                "sessionSummary": session_summary,
                "dedup": dedup,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ContextCheckpointOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def write_memory(
        self,
        *,
        content: str,
        summary: str | None = None,
        memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | None = None,
        importance: int | None = None,
        confidence: int | None = None,
        entities: Sequence[str] | None = None,
        related_memory_ids: Sequence[str | RelatedMemoryInput] | None = None,
        source_note_ids: Sequence[str] | None = None,
        superseded_by_id: str | None = None,
        expires_at: datetime | str | None = None,
        metadata: Mapping[str, Any] | None = None,
        write_reason: str | None = None,
        occurred_at: datetime | str | None = None,
        external_write_id: str | None = None,
        dedup: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WriteMemoryOutput:
        """Store a memory.

        Args:
            content: What to remember, 1 to 100,000 characters.
            summary: Short form, at most 2,000 characters.
            memory_type: Kind of memory. Default: "fact".
            importance: 1 (trivial) to 5 (vital). Default: 3.
            confidence: 1 (a guess) to 5 (certain). Default: 3.
            entities: Names of people, things or topics the memory is about, to filter by; at most
                100.
            related_memory_ids: Memories of the same vault to link to: ids, or objects with a
                relation_type and a label.
            source_note_ids: Notes it was derived from.
            superseded_by_id: Id of the memory that this one supersedes. Searches stop finding the
                older one.
            expires_at: When it expires: searches stop finding it.
            metadata: Any JSON object; at most 65,536 characters as JSON.
            write_reason: Why it was written.
            occurred_at: When the event it describes took place. Default: now.
            external_write_id: Idempotency key: a repeated call returns the first memory and changes
                nothing. Must not begin with `ingest-turn:`.
            dedup: First look for a memory of the same type that says the same thing. If one exists,
                the call returns it and stores nothing; if it is out of date, the new memory is
                stored and supersedes it. Default: False.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.WRITE_MEMORY,
            {
                "content": content,
                "summary": summary,
                "memoryType": memory_type,
                "importance": importance,
                "confidence": confidence,
                "entities": entities,
                "relatedMemoryIds": related_memory_ids,
                "sourceNoteIds": source_note_ids,
                "supersededById": superseded_by_id,
                "expiresAt": expires_at,
                "metadata": metadata,
                "writeReason": write_reason,
                "occurredAt": occurred_at,
                "externalWriteId": external_write_id,
                "dedup": dedup,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.WriteMemoryOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def read_memories(
        self,
        *,
        memory_ids: Sequence[str],
        include_versions: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ReadMemoriesOutput:
        """Read memories by id, with their full content. Archived ones are included and marked.

        Args:
            memory_ids: Ids of the memories, 1 to 50.
            include_versions: Also return the older versions of the memory, which other writers or
                runs replaced. Only with one id. Default: False.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.READ_MEMORIES,
            {
                "memoryIds": memory_ids,
                "includeVersions": include_versions,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ReadMemoriesOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def update_memory(
        self,
        *,
        memory_id: str,
        content: str | None = None,
        summary: str | None = None,
        memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | None = None,
        importance: int | None = None,
        confidence: int | None = None,
        entities: Sequence[str] | None = None,
        related_memory_ids: Sequence[str | RelatedMemoryInput] | None = None,
        source_note_ids: Sequence[str] | None = None,
        superseded_by_id: str | None = None,
        expires_at: datetime | str | Unset | None = UNSET,
        metadata: Mapping[str, Any] | None = None,
        write_reason: str | None = None,
        occurred_at: datetime | str | None = None,
        archived: Literal[False] | None = None,
        from_version: int | None = None,
        expected_version: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.UpdateMemoryOutput:
        """Change a memory, restore an archived one, or restore an older version. Omitted fields
        stay unchanged. What another writer wrote is kept as an older version.

        Args:
            memory_id: Id of the memory.
            content: What to remember, 1 to 100,000 characters.
            summary: Short form, at most 2,000 characters.
            memory_type: Kind of memory.
            importance: 1 (trivial) to 5 (vital).
            confidence: 1 (a guess) to 5 (certain).
            entities: Names of people, things or topics the memory is about, to filter by; at most
                100.
            related_memory_ids: Memories of the same vault to link to: ids, or objects with a
                relation_type and a label.
            source_note_ids: Notes it was derived from.
            superseded_by_id: Id of the memory that this one supersedes. Searches stop finding the
                older one.
            expires_at: When it expires; None: never.
            metadata: Merged into the stored metadata; a key set to None is deleted.
            write_reason: Why it was written.
            occurred_at: When the event it describes took place. Default: now.
            archived: false restores an archived memory. To archive one, use archive_memory.
            from_version: Restore this older version. No other field except `expected_version` may
                be given with it. The record is then trusted as much as that version, and as you
                are.
            expected_version: Fail with 409 unless the record still has this version.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.UPDATE_MEMORY,
            {
                "memoryId": memory_id,
                "content": content,
                "summary": summary,
                "memoryType": memory_type,
                "importance": importance,
                "confidence": confidence,
                "entities": entities,
                "relatedMemoryIds": related_memory_ids,
                "sourceNoteIds": source_note_ids,
                "supersededById": superseded_by_id,
                "expiresAt": expires_at,
                "metadata": metadata,
                "writeReason": write_reason,
                "occurredAt": occurred_at,
                "archived": archived,
                "fromVersion": from_version,
                "expectedVersion": expected_version,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.UpdateMemoryOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def archive_memory(
        self,
        *,
        memory_id: str,
        reason: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ArchiveMemoryOutput:
        """Hide a memory from search without deleting it.

        Args:
            memory_id: Id of the memory.
            reason: Why it is archived. Kept with the memory.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.ARCHIVE_MEMORY,
            {
                "memoryId": memory_id,
                "reason": reason,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ArchiveMemoryOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def cleanup_memories(
        self,
        *,
        older_than_days: int | None = None,
        max_importance: int | None = None,
        max_confidence: int | None = None,
        memory_types: Sequence[Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"]] | None = None,
        not_accessed_since_days: int | None = None,
        include_expired: bool | None = None,
        duplicates_only: bool | None = None,
        after_memory_id: str | None = None,
        limit: int | None = None,
        dry_run: bool | None = None,
        force: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CleanupMemoriesOutput:
        """Archive memories in bulk, by one or more filters, all of which must match. Importance
        5, constraints, corrections, open tasks, the sources of other memories, and what the
        integration may not change are protected.

        Args:
            older_than_days: Only memories not changed for this many days.
            max_importance: Only memories of this importance or lower.
            max_confidence: Only memories of this confidence or lower.
            memory_types: Only memories of these types.
            not_accessed_since_days: Only memories not read for this many days.
            include_expired: Also match expired memories. Without another filter, match only those.
                Default: False.
            duplicates_only: Only memories that match the other filters and say the same as an older
                one. Tasks are not compared. Default: False.
            after_memory_id: Continue after this memory: the `next_after` of the previous answer.
                Memories are ordered oldest first.
            limit: Maximum number to archive, oldest first; 1 to 500. Default: 100.
            dry_run: true: only return what would be archived. false: archive it. Default: True.
            force: Archive protected memories too, except those that the integration may not change.
                Needs the admin permission in this vault. Default: False.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CLEANUP_MEMORIES,
            {
                "olderThanDays": older_than_days,
                "maxImportance": max_importance,
                "maxConfidence": max_confidence,
                "memoryTypes": memory_types,
                "notAccessedSinceDays": not_accessed_since_days,
                "includeExpired": include_expired,
                "duplicatesOnly": duplicates_only,
                "afterMemoryId": after_memory_id,
                "limit": limit,
                "dryRun": dry_run,
                "force": force,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.CleanupMemoriesOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_related_memories(
        self,
        *,
        memory_id: str,
        max_hops: int | None = None,
        relation_types: Sequence[Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"]] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.GetRelatedMemoriesPage:
        """List the live memories linked to a memory, nearest first.

        Args:
            memory_id: Id of the memory.
            max_hops: Maximum distance in links, 1 to 3. Paths can lead through notes. Default: 1.
            relation_types: Only links of these relations.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.GET_RELATED_MEMORIES,
            {
                "memoryId": memory_id,
                "maxHops": max_hops,
                "relationTypes": relation_types,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.GetRelatedMemoriesPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def search_memories(
        self,
        *,
        query: str,
        top_k: int | None = None,
        threshold: float | None = None,
        memory_type: Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"] | None = None,
        memory_types: Sequence[Literal["fact", "skill", "preference", "constraint", "task", "episodic", "correction"]] | None = None,
        entities: Sequence[str] | None = None,
        min_importance: int | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        include_archived: bool | None = None,
        decay_half_life: int | None = None,
        diversity: float | None = None,
        rerank: bool | None = None,
        as_of: datetime | str | None = None,
        summary_only: bool | None = None,
        explain: bool | None = None,
        explain_ids: Sequence[str] | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SearchMemoriesOutput:
        """Find memories by meaning, words and links.

        Args:
            query: A question or keywords, 1 to 10,000 characters.
            top_k: How many to return, 1 to 50. Default: 10.
            threshold: Minimum similarity of a semantic match, 0 to 1. Does not affect matches by
                words. Up to 0.4, the nearest fifth (at most 10) count too if words match little.
                Default: the vault's setting.
            memory_type: Only memories of this type.
            memory_types: Only memories of these types.
            entities: Only memories that name at least one of these.
            min_importance: Only memories of this importance or higher.
            created_after: Only memories stored at or after this moment.
            created_before: Only memories stored before this moment.
            include_archived: Include archived memories. Default: False.
            decay_half_life: Days after which the small bonus for recent memories halves. Default:
                the vault's setting.
            diversity: 0: by score alone; 1: avoid similar results as far as possible. Default: the
                vault's setting.
            rerank: Let the reranker read the best results if the server has one. false answers
                sooner. Default: True.
            as_of: The time at which the question is asked; later memories are left out. Default:
                now.
            summary_only: Return the summary instead of the content if there is one. Default: False.
            explain: Add score_details to each hit, and an explanation of the search and of what it
                left out. Default: False.
            explain_ids: Ids of memories: explain why they are missing from the answer. At most 20.
                Implies explain.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SEARCH_MEMORIES,
            {
                "query": query,
                "topK": top_k,
                "threshold": threshold,
                "memoryType": memory_type,
                "memoryTypes": memory_types,
                "entities": entities,
                "minImportance": min_importance,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "includeArchived": include_archived,
                "decayHalfLife": decay_half_life,
                "diversity": diversity,
                "rerank": rerank,
                "asOf": as_of,
                "summaryOnly": summary_only,
                "explain": explain,
                "explainIds": explain_ids,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SearchMemoriesOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_task(
        self,
        *,
        title: str,
        description: str | None = None,
        assigned_agent_id: str | None = None,
        done_when: str | None = None,
        blocked_reason: str | None = None,
        status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | None = None,
        priority: int | None = None,
        entities: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        external_write_id: str | None = None,
        dedup: bool | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CreateTaskOutput:
        """Create a task: a memory of type task, which searches find like any other.

        Args:
            title: What to do, 1 to 10,000 characters.
            description: Details, at most 100,000 characters.
            assigned_agent_id: Assignee: the identifier of an agent.
            done_when: What must be true for it to be done; at most 10,000 characters.
            blocked_reason: What it is waiting for, at most 10,000 characters. Cleared once it is no
                longer blocked.
            status: Its status. Default: "todo".
            priority: 1 (low) to 5 (urgent); the importance of its memory. Default: 3.
            entities: Names of people or things the task is about, to filter by; at most 100.
            metadata: Any JSON object; at most 65,536 characters as JSON.
            external_write_id: Idempotency key: a repeated call returns the first task and changes
                nothing.
            dedup: First look for a task that says the same thing, is not done, and has the same
                status and assignee. If one exists, the call returns it and stores nothing. Default:
                False.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CREATE_TASK,
            {
                "title": title,
                "description": description,
                "assignedAgentId": assigned_agent_id,
                "doneWhen": done_when,
                "blockedReason": blocked_reason,
                "status": status,
                "priority": priority,
                "entities": entities,
                "metadata": metadata,
                "externalWriteId": external_write_id,
                "dedup": dedup,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.CreateTaskOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def update_task(
        self,
        *,
        task_id: str,
        title: str | None = None,
        description: str | None = None,
        status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | None = None,
        priority: int | None = None,
        assigned_agent_id: str | Unset | None = UNSET,
        done_when: str | Unset | None = UNSET,
        blocked_reason: str | Unset | None = UNSET,
        entities: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        comment: str | None = None,
        expected_status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | None = None,
        expected_version: int | None = None,
        from_version: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.UpdateTaskOutput:
        """Change a task: claim it, change its status, assign or rewrite it, or restore an older
        version. Omitted fields stay unchanged.

        Args:
            task_id: Id of the task; the same as the id of its memory.
            title: What to do, 1 to 10,000 characters.
            description: Details, at most 100,000 characters; an empty text clears them.
            status: Its new status; every change is allowed. `done` sets completed_at; other
                statuses clear it.
            priority: 1 (low) to 5 (urgent).
            assigned_agent_id: Assignee: the identifier of an agent; None clears it.
            done_when: What must be true for it to be done, at most 10,000 characters; None or an
                empty text clears it.
            blocked_reason: What it is waiting for, at most 10,000 characters; None or an empty text
                clears it. Cleared once it is no longer blocked.
            entities: Names of people or things the task is about, to filter by; at most 100.
            metadata: Merged into the stored metadata; a key set to None is deleted.
            comment: A comment, kept in the task's history with its author and time.
            expected_status: Fail with 409 unless the task has this status. If several agents claim
                it, one succeeds.
            expected_version: Fail with 409 unless the record still has this version.
            from_version: Restore this older version. No other field except `expected_version` may
                be given with it. The record is then trusted as much as that version, and as you
                are.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.UPDATE_TASK,
            {
                "taskId": task_id,
                "title": title,
                "description": description,
                "status": status,
                "priority": priority,
                "assignedAgentId": assigned_agent_id,
                "doneWhen": done_when,
                "blockedReason": blocked_reason,
                "entities": entities,
                "metadata": metadata,
                "comment": comment,
                "expectedStatus": expected_status,
                "expectedVersion": expected_version,
                "fromVersion": from_version,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.UpdateTaskOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_tasks(
        self,
        *,
        task_ids: Sequence[str] | None = None,
        q: str | None = None,
        status: Literal["backlog", "todo", "in_progress", "done", "blocked"] | Sequence[Literal["backlog", "todo", "in_progress", "done", "blocked"]] | None = None,
        assigned_agent_id: str | None = None,
        unassigned: bool | None = None,
        entity: str | None = None,
        run_id: str | None = None,
        priority_min: int | None = None,
        created_from: datetime | str | None = None,
        created_to: datetime | str | None = None,
        include_done: bool | None = None,
        include_archived: bool | None = None,
        state: Literal["live", "archived", "all"] | None = None,
        sort: Literal["urgent", "updated", "newest"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ListTasksPage:
        """List the tasks of a vault, most urgent first, then last changed.

        Args:
            task_ids: Only tasks with these ids, 1 to 50.
            q: Only tasks that contain all of these words, at most 8. A word that no task contains
                is ignored.
            status: Only tasks with this status, or with any of these.
            assigned_agent_id: Only tasks assigned to this agent.
            unassigned: Only tasks that are not assigned.
            entity: Only tasks that name this entity.
            run_id: Only tasks that were created in this run.
            priority_min: Only tasks with this priority or higher.
            created_from: Only tasks created at or after this moment.
            created_to: Only tasks created before this moment.
            include_done: Include done tasks. Default: True.
            include_archived: Include archived tasks in the list and the counts. Default: False.
            state: `live`: not archived. Default: `live`, or `all` with include_archived.
            sort: `urgent`: highest priority first, then last changed. `updated`: last changed
                first. `newest`: newest first. Default: "urgent".
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.LIST_TASKS,
            {
                "taskIds": task_ids,
                "q": q,
                "status": status,
                "assignedAgentId": assigned_agent_id,
                "unassigned": unassigned,
                "entity": entity,
                "runId": run_id,
                "priorityMin": priority_min,
                "createdFrom": created_from,
                "createdTo": created_to,
                "includeDone": include_done,
                "includeArchived": include_archived,
                "state": state,
                "sort": sort,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ListTasksPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_note(
        self,
        *,
        title: str,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        folder_id: str | None = None,
        folder_path: str | None = None,
        external_write_id: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CreateNoteOutput:
        """Create a note, optionally in a folder. [[Titles]] in its text link to other notes.

        Args:
            title: Title, 1 to 500 characters. Other notes link to it as [[Title]].
            content: Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]]
                and [[Title#Heading]] link to notes. Default: "".
            tags: At most 50 tags of 1 to 100 characters. Tags that differ only in letter case or
                white space are the same.
            folder_id: Folder to put it in.
            folder_path: The same folder as a path, such as `Projects/Holdfast`; missing folders are
                created. At most 20 levels.
            external_write_id: Idempotency key: a repeated call returns the first note and changes
                nothing.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CREATE_NOTE,
            {
                "title": title,
                "content": content,
                "tags": tags,
                "folderId": folder_id,
                "folderPath": folder_path,
                "externalWriteId": external_write_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.CreateNoteOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def read_note(
        self,
        *,
        note_id: str,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ReadNoteOutput:
        """Read a note with its full text and what the text links to. Trashed notes are included
        and marked.

        Args:
            note_id: Id of the note.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.READ_NOTE,
            {
                "noteId": note_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ReadNoteOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def read_notes(
        self,
        *,
        note_ids: Sequence[str],
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ReadNotesOutput:
        """Read notes by id with their full texts. Trashed notes are included and marked.

        Args:
            note_ids: Ids of the notes, 1 to 50.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.READ_NOTES,
            {
                "noteIds": note_ids,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ReadNotesOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def update_note(
        self,
        *,
        note_id: str,
        title: str | None = None,
        rewrite_links: bool | None = None,
        content: str | None = None,
        mode: Literal["replace", "append", "prepend"] | None = None,
        edits: Sequence[UpdateNoteEditInput] | None = None,
        tags: Sequence[str] | None = None,
        from_version: int | None = None,
        trashed: Literal[False] | None = None,
        expected_version: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.UpdateNoteOutput:
        """Change a note, or restore a former version or a trashed note. Omitted fields stay
        unchanged. The last 50 versions are kept, and the last one by each writer.

        Args:
            note_id: Id of the note.
            title: New title; notes that link to this one by the old title are rewritten.
            rewrite_links: With a new title: false leaves notes that link to the old title
                unchanged. Default: true.
            content: Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]]
                and [[Title#Heading]] link to notes.
            mode: Whether content replaces the text, or is added after or before it without a
                separator. Default: "replace".
            edits: Changes within the text, applied in order, instead of content; 1 to 100. Their
                number times the length of the note may be at most 5,000,000 characters.
            tags: The new list of tags, at most 50.
            from_version: Restore this older version. No other field except `expected_version` may
                be given with it. The record is then trusted as much as that version, and as you
                are.
            trashed: false restores a trashed note. To trash one, use delete_note.
            expected_version: Fail with 409 unless the record still has this version.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.UPDATE_NOTE,
            {
                "noteId": note_id,
                "title": title,
                "rewriteLinks": rewrite_links,
                "content": content,
                "mode": mode,
                "edits": edits,
                "tags": tags,
                "fromVersion": from_version,
                "trashed": trashed,
                "expectedVersion": expected_version,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.UpdateNoteOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def delete_note(
        self,
        *,
        note_id: str,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.DeleteNoteOutput:
        """Move a note to the trash. Searches, lists and links by title no longer find it;
        update_note with trashed: false restores it.

        Args:
            note_id: Id of the note.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.DELETE_NOTE,
            {
                "noteId": note_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.DeleteNoteOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def move_note(
        self,
        *,
        note_id: str,
        folder_id: str | Unset | None = UNSET,
        folder_path: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.MoveNoteOutput:
        """Move a note to another folder, or to the vault's root.

        Args:
            note_id: Id of the note.
            folder_id: Folder to move it to; None: the vault's root. Without folder_id and
                folder_path, the note stays in place.
            folder_path: The same folder as a path, such as `Projects/Holdfast`; missing folders are
                created. At most 20 levels.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.MOVE_NOTE,
            {
                "noteId": note_id,
                "folderId": folder_id,
                "folderPath": folder_path,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.MoveNoteOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_notes(
        self,
        *,
        q: str | None = None,
        folder_id: str | None = None,
        folder_path: str | None = None,
        recursive: bool | None = None,
        tags: Sequence[str] | None = None,
        include_trashed: bool | None = None,
        state: Literal["live", "trashed", "all"] | None = None,
        sort: Literal["newest", "updated"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ListNotesPage:
        """List the notes of a vault or folder, newest first, each with the beginning of its
        text.

        Args:
            q: Only live notes whose titles contain this, then notes that contain its words; at most
                100 of each.
            folder_id: Only notes in this folder. Default: the whole vault.
            folder_path: The same folder as a path, such as `Projects/Holdfast`.
            recursive: Include notes in the folders inside it. false without a folder: only notes at
                the vault's root. Default: True.
            tags: Only notes with all of these tags.
            include_trashed: Include trashed notes, marked as such. Default: False.
            state: Default: `live`, or `all` with include_trashed. With q only live notes are found.
            sort: `updated`: the most recently changed first. With q the best match is always first.
                Default: "newest".
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.LIST_NOTES,
            {
                "q": q,
                "folderId": folder_id,
                "folderPath": folder_path,
                "recursive": recursive,
                "tags": tags,
                "includeTrashed": include_trashed,
                "state": state,
                "sort": sort,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ListNotesPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def search_notes(
        self,
        *,
        query: str,
        tags: Sequence[str] | None = None,
        folder_id: str | None = None,
        folder_path: str | None = None,
        in_: Sequence[Literal["title", "tags", "content"]] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SearchNotesPage:
        """Find notes by the words of title, tags and content.

        Args:
            query: Words to look for, 1 to 10,000 characters. Finds notes with any of them. If there
                are many, only the 32 rarest count, or fewer if each is in thousands of notes.
            tags: Only notes with all of these tags.
            folder_id: Only notes in this folder and the folders inside it.
            folder_path: The same folder as a path, such as `Projects/Holdfast`.
            in_: Where to look for the words. Default: everywhere.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.SEARCH_NOTES,
            {
                "query": query,
                "tags": tags,
                "folderId": folder_id,
                "folderPath": folder_path,
                "in": in_,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SearchNotesPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def semantic_search(
        self,
        *,
        query: str,
        top_k: int | None = None,
        threshold: float | None = None,
        tags: Sequence[str] | None = None,
        folder_id: str | None = None,
        folder_path: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SemanticSearchOutput:
        """Find notes by meaning.

        Args:
            query: A question or keywords, 1 to 10,000 characters.
            top_k: How many to return, 1 to 50. Default: 10.
            threshold: Minimum similarity, 0 to 1. Default: 0.5.
            tags: Only notes with all of these tags.
            folder_id: Only notes in this folder and the folders inside it.
            folder_path: The same folder as a path, such as `Projects/Holdfast`.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SEMANTIC_SEARCH,
            {
                "query": query,
                "topK": top_k,
                "threshold": threshold,
                "tags": tags,
                "folderId": folder_id,
                "folderPath": folder_path,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SemanticSearchOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def search_and_read(
        self,
        *,
        query: str,
        top_k: int | None = None,
        threshold: float | None = None,
        max_chars: int | None = None,
        tags: Sequence[str] | None = None,
        folder_id: str | None = None,
        folder_path: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SearchAndReadOutput:
        """Find notes by meaning, words and links, and read the best of them.

        Args:
            query: A question or keywords, 1 to 10,000 characters.
            top_k: How many to return, 1 to 10. Default: 3.
            threshold: Minimum similarity of a semantic match, 0 to 1. Does not affect matches by
                words. Up to 0.4, the nearest fifth (at most 10) count too if words match little.
                Default: the vault's setting.
            max_chars: Maximum characters of content per note. Default: 8000.
            tags: Only notes with all of these tags.
            folder_id: Only notes in this folder and the folders inside it.
            folder_path: The same folder as a path, such as `Projects/Holdfast`.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SEARCH_AND_READ,
            {
                "query": query,
                "topK": top_k,
                "threshold": threshold,
                "maxChars": max_chars,
                "tags": tags,
                "folderId": folder_id,
                "folderPath": folder_path,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SearchAndReadOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_folder(
        self,
        *,
        name: str | None = None,
        path: str | None = None,
        parent_id: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CreateFolderOutput:
        """Create a folder for notes, or return the existing one with this name.

        Args:
            name: Name of the folder, without `/`. Names that differ only in letter case or white
                space are the same.
            path: A path such as `Projects/Holdfast`; missing folders are created. With a name: the
                folder to create it in. At most 20 levels.
            parent_id: Folder in which the name or path starts. Default: the vault's root.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CREATE_FOLDER,
            {
                "name": name,
                "path": path,
                "parentId": parent_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.CreateFolderOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_folders(
        self,
        *,
        parent_id: str | None = None,
        recursive: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ListFoldersPage:
        """List the folders of a vault as a tree: sorted by name, each followed by the folders in
        it.

        Args:
            parent_id: Only folders in this folder. Default: the whole vault.
            recursive: Folders at any depth; false: only direct children. Default: True.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.LIST_FOLDERS,
            {
                "parentId": parent_id,
                "recursive": recursive,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ListFoldersPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def add_link(
        self,
        *,
        source_type: Literal["note", "memory"],
        source_id: str,
        target_type: Literal["note", "memory"],
        target_id: str,
        relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"],
        label: str | None = None,
        external_write_id: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.AddLinkOutput:
        """Link two notes or memories of one vault.

        Args:
            source_type: Type of the source.
            source_id: Id of the note or memory that the link starts from.
            target_type: Type of the target.
            target_id: Id of the note or memory that the link points to.
            relation_type: How the source relates to the target.
            label: A comment on the link, at most 500 characters.
            external_write_id: Idempotency key: a repeated call returns the first record and changes
                nothing.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.ADD_LINK,
            {
                "sourceType": source_type,
                "sourceId": source_id,
                "targetType": target_type,
                "targetId": target_id,
                "relationType": relation_type,
                "label": label,
                "externalWriteId": external_write_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.AddLinkOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def remove_link(
        self,
        *,
        link_id: str | None = None,
        source_id: str | None = None,
        target_id: str | None = None,
        relation_type: Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"] | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.RemoveLinkOutput:
        """Remove a link between two notes or memories. To remove a link in the text of a note,
        edit the note.

        Args:
            link_id: Id of the link. Alternatively, pass source_id, target_id and relation_type.
            source_id: Id of the note or memory that the link starts from.
            target_id: Id of the note or memory that the link points to.
            relation_type: How the source relates to the target.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.REMOVE_LINK,
            {
                "linkId": link_id,
                "sourceId": source_id,
                "targetId": target_id,
                "relationType": relation_type,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.RemoveLinkOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_links(
        self,
        *,
        node_type: Literal["note", "memory"],
        node_id: str,
        direction: Literal["both", "outgoing", "incoming"] | None = None,
        relation_types: Sequence[Literal["wiki_link", "derived_from", "contradicts", "refines", "part_of", "supersedes", "source_of", "references", "manual"]] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.GetLinksPage:
        """List the links of a note or memory, newest first.

        Args:
            node_type: Type of the node.
            node_id: Id of the note or memory.
            direction: Links that leave the node, that reach it, or both. Default: "both".
            relation_types: Only links of these relations.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.GET_LINKS,
            {
                "nodeType": node_type,
                "nodeId": node_id,
                "direction": direction,
                "relationTypes": relation_types,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.GetLinksPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def explore_graph(
        self,
        *,
        query: str | None = None,
        node_id: str | None = None,
        node_type: Literal["note", "memory"] | None = None,
        max_hops: int | None = None,
        max_nodes: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ExploreGraphOutput:
        """Follow links over several hops from a note or memory, or from the results of a query.

        Args:
            query: Start from the five best matches; 1 to 10,000 characters.
            node_id: Start from this note or memory. The query is then ignored.
            node_type: Type of node_id; with a query, the type of nodes to start from. Default:
                either.
            max_hops: Maximum distance in links, 1 to 5. Default: 2.
            max_nodes: Maximum number of nodes, 1 to 200. Default: 50.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.EXPLORE_GRAPH,
            {
                "query": query,
                "nodeId": node_id,
                "nodeType": node_type,
                "maxHops": max_hops,
                "maxNodes": max_nodes,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ExploreGraphOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def send_message(
        self,
        *,
        target_id: str,
        target_type: Literal["agent", "user", "broadcast"] | None = None,
        content: str,
        subject: str | None = None,
        category: Literal["directive", "question", "info", "task", "alert"] | None = None,
        priority: int | None = None,
        template: Literal["task_assignment", "status_update", "alert", "question"] | None = None,
        parent_message_id: str | None = None,
        expires_in_days: int | None = None,
        external_write_id: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SendMessageOutput:
        """Send a message to an agent, to the person, or to all agents of the vault. The
        recipient sees who sent it.

        Args:
            target_id: The recipient: an agent's id, "user" for the person, or "*" for every agent
                that reads the vault.
            target_type: Derived from target_id. The call fails if the two contradict each other.
            content: The text, 1 to 10,240 characters.
            subject: At most 200 characters. Default: the template's, or no subject.
            category: Default: the template's, or info.
            priority: 1 (can wait) to 5 (urgent). Default: the template's, or 3.
            template: Fills in category, priority and subject if you leave them out.
            parent_message_id: The message that you reply to. The reply goes into its thread and
                vault.
            expires_in_days: Days until it expires, 1 to 365. Default: 30.
            external_write_id: Idempotency key: a repeated call returns the first message and sends
                nothing.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SEND_MESSAGE,
            {
                "targetId": target_id,
                "targetType": target_type,
                "content": content,
                "subject": subject,
                "category": category,
                "priority": priority,
                "template": template,
                "parentMessageId": parent_message_id,
                "expiresInDays": expires_in_days,
                "externalWriteId": external_write_id,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SendMessageOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def read_messages(
        self,
        *,
        message_id: str | None = None,
        box: Literal["received", "sent", "agents", "all"] | None = None,
        status: Literal["pending", "acknowledged", "all"] | None = None,
        category: Literal["directive", "question", "info", "task", "alert"] | None = None,
        priority_min: int | None = None,
        with_agent_id: str | None = None,
        from_agent_id: str | None = None,
        thread_id: str | None = None,
        since: datetime | str | None = None,
        include_sent: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ReadMessagesPage:
        """Read the messages to you and to everyone, newest first. Reading does not acknowledge
        them.

        Args:
            message_id: Only this message. 404 if you cannot see it.
            box: Messages received, sent, between agents, or all. Agents see only what they sent or
                received; people see every message in their vaults. Default: "received".
            status: Only messages that you have or have not acknowledged. For messages between
                others: that anyone has or has not. Default: "all".
            category: Only messages of this category.
            priority_min: Only messages of this priority or higher.
            with_agent_id: Only messages from or to this agent.
            from_agent_id: Only messages from this sender.
            thread_id: Only messages in this thread: the id of its first message.
            since: Only messages sent at or after this time.
            include_sent: Whether to list messages that you sent as well. Default: False.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: Only messages in this vault. Default: all vaults that the caller can read.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.READ_MESSAGES,
            {
                "messageId": message_id,
                "box": box,
                "status": status,
                "category": category,
                "priorityMin": priority_min,
                "withAgentId": with_agent_id,
                "fromAgentId": from_agent_id,
                "threadId": thread_id,
                "since": since,
                "includeSent": include_sent,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ReadMessagesPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def pending_messages(
        self,
        *,
        priority_min: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.PendingMessagesPage:
        """List messages that this agent has not acknowledged, most urgent first, then oldest.
        Read all pages before you acknowledge any, because later messages move up.

        Args:
            priority_min: Only messages of this priority or higher.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: Only messages in this vault. Default: all vaults that the caller can read.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.PENDING_MESSAGES,
            {
                "priorityMin": priority_min,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.PendingMessagesPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def ack_message(
        self,
        *,
        message_id: str | None = None,
        message_ids: Sequence[str] | None = None,
        note: str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.AckMessageOutput:
        """Acknowledge one or more messages to you. Each recipient of a broadcast acknowledges it
        separately.

        Args:
            message_id: Id of the message.
            message_ids: Ids of several messages, 1 to 50.
            note: The result, for the sender to see. At most 2,000 characters.
            vault_id: Only messages in this vault. Default: all vaults that the caller can read.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.ACK_MESSAGE,
            {
                "messageId": message_id,
                "messageIds": message_ids,
                "note": note,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.AckMessageOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def ingest_turn(
        self,
        *,
        content: str,
        role: Literal["user", "assistant"],
        signal_threshold: int | None = None,
        custom_signal_keywords: Sequence[str] | None = None,
        occurred_at: datetime | str | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.IngestTurnOutput:
        """Record a turn of a conversation. Anything in it worth remembering is stored as
        memories.

        Args:
            content: What was said, 1 to 50,000 characters.
            role: Who said it.
            signal_threshold: Minimum signal score at which memories are extracted, 0 to 10.
                Default: the vault's setting.
            custom_signal_keywords: More words that count as signals, in addition to the vault's. At
                most 50 words of 100 characters, matched literally.
            occurred_at: When it was said. Default: now.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.INGEST_TURN,
            {
                "content": content,
                "role": role,
                "signalThreshold": signal_threshold,
                "customSignalKeywords": custom_signal_keywords,
                "occurredAt": occurred_at,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.IngestTurnOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def session_track(
        self,
        *,
        event: Literal["start", "heartbeat", "tool", "end"] | None = None,
        tool_name: str | None = None,
        current_activity: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SessionTrackOutput:
        """Report that a run is alive, what it is doing, and when it ends. Other calls with its
        agent_run_id (in the body, or as X-Agent-Run-Id) are counted automatically.
        list_active_agents shows the run.

        Args:
            event: start (creates a run id if you give none), heartbeat, tool (counts a tool call
                outside this service), or end. Default: "heartbeat".
            tool_name: The tool that was called.
            current_activity: What the run is doing, at most 500 characters, for other agents to
                see. Default: the tool_name.
            metadata: Stored with the run. Replaces earlier metadata.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: The run. Needed, here or in the X-Agent-Run-Id header, unless the event is
                `start`.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.SESSION_TRACK,
            {
                "event": event,
                "toolName": tool_name,
                "currentActivity": current_activity,
                "metadata": metadata,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.SessionTrackOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_active_agents(
        self,
        *,
        within_minutes: int | None = None,
        within_days: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ListActiveAgentsPage:
        """List the agents that called recently in the vault, most recent first, each with its
        latest run.

        Args:
            within_minutes: How far back to look, 1 minute to 7 days. Default: 60.
            within_days: How far back to look in days, instead of within_minutes.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.LIST_ACTIVE_AGENTS,
            {
                "withinMinutes": within_minutes,
                "withinDays": within_days,
                "limit": limit,
                "offset": offset,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ListActiveAgentsPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def read_document(
        self,
        *,
        document_type: Literal["soul", "instructions", "skills", "checks"],
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ReadDocumentOutput:
        """Read one of a vault's documents: soul, instructions, skills or checks.

        Args:
            document_type: Which document.
            vault_id: The vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.READ_DOCUMENT,
            {
                "documentType": document_type,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ReadDocumentOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def update_document(
        self,
        *,
        document_type: Literal["soul", "instructions", "skills", "checks"],
        content: str | None = None,
        from_version: int | None = None,
        mode: Literal["replace", "append"] | None = None,
        expected_version: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.UpdateDocumentOutput:
        """Write one of a vault's documents, or add to it. Older versions are kept.

        Args:
            document_type: Which document.
            content: The new text, or the text to add; the result has at most 100,000 characters. An
                empty replacement removes the text. The inherited text then applies, or the
                template. Required unless from_version is given.
            from_version: Restore this older version. No other field except `expected_version` may
                be given with it. The record is then trusted as much as that version, and as you
                are.
            mode: append adds the content on a new line after the text that read_document returns.
                If the text was removed and nothing is inherited (inherit_mode none), it becomes the
                whole text. Default: "replace".
            expected_version: Fail with 409 unless the vault's own text and rules still have this
                version. 0 means that it never had any. Your texts for all vaults don't count.
            vault_id: The vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.UPDATE_DOCUMENT,
            {
                "documentType": document_type,
                "content": content,
                "fromVersion": from_version,
                "mode": mode,
                "expectedVersion": expected_version,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.UpdateDocumentOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_settings(
        self,
        *,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.GetSettingsOutput:
        """Read a vault's settings in effect.

        Args:
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.GET_SETTINGS,
            {
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.GetSettingsOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def update_settings(
        self,
        *,
        settings: SettingsInput,
        expected_version: int | None = None,
        vault_id: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.UpdateSettingsOutput:
        """Change a vault's settings. Omitted settings stay unchanged; None resets one to its
        default.

        Args:
            settings: The settings to change.
            expected_version: Fail with 409 unless the record still has this version.
            vault_id: The vault to work in. Default: the integration's primary vault.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.UPDATE_SETTINGS,
            {
                "settings": settings,
                "expectedVersion": expected_version,
                "vaultId": vault_id,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.UpdateSettingsOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_vault(
        self,
        *,
        name: str,
        description: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CreateVaultOutput:
        """Create a vault: a separate space for memories with its own key.

        Args:
            name: Name of the vault, 1 to 200 characters.
            description: What the vault is for, at most 2,000 characters.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.CREATE_VAULT,
            {
                "name": name,
                "description": description,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.CreateVaultOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_vaults(
        self,
        *,
        id: str | None = None,
        record_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        model_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ListVaultsPage:
        """List the vaults that you can read, with counts, the default vault first. People also
        see those that others share with them, after their own.

        Args:
            id: Only this vault.
            record_id: Only the vault that contains this memory, task or note. None if no vault
                does.
            limit: How many to return, 1 to 100. Default: 20.
            offset: How many to skip. Default: 0.
            agent_id: Identifier of the calling agent. Default: the integration's.
            agent_run_id: Session or run that groups operations. Default: the X-Agent-Run-Id header.
            model_id: Name of the model in use.
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call_paged(
            routes.LIST_VAULTS,
            {
                "id": id,
                "recordId": record_id,
                "limit": limit,
                "offset": offset,
                "agentId": agent_id,
                "agentRunId": agent_run_id,
                "modelId": model_id,
            },
            models.ListVaultsPage,
            timeout=timeout,
            max_retries=max_retries,
        )

    def info(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.InfoOutput:
        """Show who this key belongs to and what it can do. Needs no scope.

        Args:
            timeout: Time limit for this call including retries, in seconds. Default: the client's.
            max_retries: How often to retry, if that is safe. Default: the client's.
        """
        return self._call(
            routes.INFO,
            {},
            models.InfoOutput,
            timeout=timeout,
            max_retries=max_retries,
        )

