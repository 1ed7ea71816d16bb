"""AutoGen's memory in Holdfast: `AssistantAgent(..., memory=[HoldfastMemory(client)])`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from ._errors import HoldfastError
from ._needs import needs
from ._recall import recall

with needs("autogen"):
    import anyio.to_thread
    from autogen_core import CancellationToken
    from autogen_core.memory import (
        Memory,
        MemoryContent,
        MemoryMimeType,
        MemoryQueryResult,
        UpdateContextResult,
    )
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import SystemMessage, UserMessage

if TYPE_CHECKING:
    from ._client import Holdfast
    from .models import MemoryHit

_max_query_chars = 10_000


class HoldfastMemory(Memory):
    """Adds memories that match the user's last message to the context, as data between marks.

    If that search fails, the model answers without them. Texts, Markdown and JSON can be added; the
    metadata may name `memory_type`, `importance` and `entities`, and what else it contains is kept.
    """

    component_type = "memory"

    def __init__(self, client: Holdfast, *, top_k: int = 6, max_chars: int = 6000) -> None:
        self._client = client
        self._top_k = top_k
        self._max_chars = max_chars

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        asked = [one for one in await model_context.get_messages() if isinstance(one, UserMessage)]
        query = _text_of(asked[-1].content) if asked else ""
        text = await anyio.to_thread.run_sync(self._recall, query)
        if not text:
            return UpdateContextResult(memories=MemoryQueryResult(results=[]))
        await model_context.add_message(SystemMessage(content=text))
        content = MemoryContent(content=text, mime_type=MemoryMimeType.TEXT)
        return UpdateContextResult(memories=MemoryQueryResult(results=[content]))

    def _recall(self, query: str) -> str:
        try:
            return recall(self._client, query, top_k=self._top_k, max_chars=self._max_chars)
        except HoldfastError:
            return ""

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,
        **kwargs: Any,
    ) -> MemoryQueryResult:
        """Returns matching memories. Further arguments are those of `search_memories`."""
        text = query if isinstance(query, str) else _text_of(query.content)
        if not text.strip():
            return MemoryQueryResult(results=[])

        def search() -> list[MemoryHit]:
            options: dict[str, Any] = {"top_k": self._top_k, **kwargs}
            return self._client.search_memories(query=text[:_max_query_chars], **options).memories

        hits = await anyio.to_thread.run_sync(search)
        return MemoryQueryResult(results=[_content(hit) for hit in hits])

    async def add(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> None:
        text = _text_of(content.content)
        if not text.strip():
            raise ValueError("content: must be text or JSON")
        metadata = dict(content.metadata or {})
        options = {
            name: metadata.pop(name)
            for name in ("memory_type", "importance", "entities")
            if name in metadata
        }

        def write() -> None:
            self._client.write_memory(content=text, metadata=metadata or None, **options)

        await anyio.to_thread.run_sync(write)

    async def clear(self) -> None:
        """Not possible: a vault is shared with people and other agents."""
        raise NotImplementedError(
            "A vault is shared with people and other agents, so an agent can't clear it. "
            "Archive single memories with archive_memory, or use cleanup_memories"
        )

    async def close(self) -> None:
        """Does nothing: whoever created the client closes it."""


def _text_of(content: Any) -> str:
    """Returns a text, JSON as text, or the texts of a list; pictures and bytes have none."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False)
    if isinstance(content, list):
        parts = cast("list[Any]", content)
        return "\n".join(one for one in parts if isinstance(one, str))
    return ""


def _content(memory: MemoryHit) -> MemoryContent:
    return MemoryContent(
        content=memory.content or memory.summary or "",
        mime_type=MemoryMimeType.TEXT,
        metadata={
            **memory.metadata,
            "memory_id": memory.memory_id,
            "memory_type": memory.memory_type,
            "importance": memory.importance,
            "entities": memory.entities,
            "score": memory.score,
        },
    )
