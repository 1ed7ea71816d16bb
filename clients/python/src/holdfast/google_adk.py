"""Google ADK's memory in Holdfast: `Runner(..., memory_service=HoldfastMemoryService(client))`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ._needs import needs
from ._notes import hash_tag, refuse_proposal

with needs("google-adk"):
    import anyio.to_thread
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from ._client import Holdfast
    from .models import MemoryHit

_max_chars = 100_000
_max_query_chars = 10_000


class HoldfastMemoryService(BaseMemoryService):
    """Keeps what was said in sessions, for each app and user.

    An event with text is an episodic memory. Adding a session again stores only what is new. A
    search ranks by words, meaning and links. Deleted memories are archived.
    """

    def __init__(self, client: Holdfast, *, top_k: int = 10) -> None:
        self._client = client
        self._top_k = top_k

    async def add_session_to_memory(self, session: Session) -> None:
        await anyio.to_thread.run_sync(
            self._add_events, session.app_name, session.user_id, session.id, session.events
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """`custom_metadata` is ignored."""
        await anyio.to_thread.run_sync(self._add_events, app_name, user_id, session_id, events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        def add() -> None:
            for entry in memories:
                text = _text_of(entry.content)
                if text:
                    self._write(
                        text,
                        (app_name, user_id),
                        about={**(custom_metadata or {}), **entry.custom_metadata},
                        author=entry.author,
                        time=_parse_time(entry.timestamp),
                    )

        await anyio.to_thread.run_sync(add)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        if not query.strip():
            return SearchMemoryResponse()

        def search() -> Sequence[MemoryHit]:
            return self._client.search_memories(
                query=query[:_max_query_chars],
                entities=[_scope(app_name, user_id)],
                top_k=self._top_k,
            ).memories

        hits = await anyio.to_thread.run_sync(search)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Archives a memory of this app and user; of another, it does nothing."""
        if memory_id is None:
            return

        def delete(memory_id: str = memory_id) -> None:
            scope = _scope(app_name, user_id)
            for memory in self._client.read_memories(memory_ids=[memory_id]).memories:
                if scope in memory.entities:
                    refuse_proposal(self._client.archive_memory(memory_id=memory_id))

        await anyio.to_thread.run_sync(delete)

    def _add_events(
        self, app_name: str, user_id: str, session_id: str | None, events: Iterable[Event]
    ) -> None:
        for event in events:
            text = _text_of(event.content)
            if text:
                self._write(
                    text,
                    (app_name, user_id),
                    about={"sessionId": session_id, "eventId": event.id},
                    author=event.author,
                    time=datetime.fromtimestamp(event.timestamp, timezone.utc),
                    write_id=hash_tag("adk-event", app_name, user_id, session_id or "", event.id),
                )

    def _write(
        self,
        text: str,
        owner: tuple[str, str],
        *,
        about: Mapping[str, Any],
        author: str | None,
        time: datetime | None,
        write_id: str | None = None,
    ) -> None:
        app_name, user_id = owner
        self._client.write_memory(
            content=text[:_max_chars],
            memory_type="episodic",
            entities=[_scope(app_name, user_id)],
            metadata={**about, "appName": app_name, "userId": user_id, "author": author},
            occurred_at=time,
            external_write_id=write_id,
        )


def _scope(app_name: str, user_id: str) -> str:
    """Entities ignore case and white space, so two users could have the same name as one."""
    return hash_tag("adk", app_name, user_id)


def _parse_time(text: str | None) -> datetime | None:
    """A time without a zone is in local time. Entries may have another form, which is left out."""
    try:
        return datetime.fromisoformat((text or "").replace("Z", "+00:00")).astimezone()
    except ValueError:
        return None


def _text_of(content: types.Content | None) -> str:
    parts = (content.parts if content is not None else None) or []
    # What a model thought is not what was said.
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


def _entry(memory: MemoryHit) -> MemoryEntry:
    author = memory.metadata.get("author")
    role = "user" if author == "user" else "model"
    content = types.Content(role=role, parts=[types.Part(text=memory.content or memory.summary)])
    own = ("appName", "userId", "author")
    return MemoryEntry(
        id=memory.memory_id,
        content=content,
        author=author,
        timestamp=memory.occurred_at.isoformat(),
        custom_metadata={name: one for name, one in memory.metadata.items() if name not in own},
    )
