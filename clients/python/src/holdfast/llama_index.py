"""LlamaIndex's long-term memory in Holdfast, as a block for `Memory.from_defaults`."""

from __future__ import annotations

from typing import Any

from ._client import Holdfast
from ._errors import HoldfastError
from ._needs import needs
from ._recall import MAX_TURN_CHARS, recall

with needs("llama-index"):
    import anyio.to_thread
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.memory import BaseMemoryBlock


class HoldfastMemoryBlock(BaseMemoryBlock[str]):
    """Adds memories that match the last question, and keeps what leaves the short-term memory.

    The memories are data between marks. If the search fails, the model answers without them.
    Messages of the user and the assistant are recorded as turns, from which Holdfast extracts
    memories.
    """

    name: str = "holdfast"
    description: str | None = "What earlier sessions stored that may matter here."
    client: Holdfast = Field(exclude=True)
    top_k: int = 6
    max_chars: int = 6000

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [one for one in messages or [] if one.role == MessageRole.USER]
        query = (asked[-1].content or "") if asked else ""
        return await anyio.to_thread.run_sync(self._recall, query)

    def _recall(self, query: str) -> str:
        try:
            return recall(self.client, query, top_k=self.top_k, max_chars=self.max_chars)
        except HoldfastError:
            return ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await anyio.to_thread.run_sync(self._record, messages)

    def _record(self, messages: list[ChatMessage]) -> None:
        for message in messages:
            text = (message.content or "")[:MAX_TURN_CHARS]
            if message.role in (MessageRole.USER, MessageRole.ASSISTANT) and text.strip():
                role = "user" if message.role == MessageRole.USER else "assistant"
                self.client.ingest_turn(content=text, role=role)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leaves all of it out, because half of a marked text would have no end."""
        return None
