"""The memory in an agent of the real package, with a model that answers by itself."""

from __future__ import annotations

import asyncio

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.models import (
    UserMessage,
)
from model_autogen import Parrot

from holdfast import Holdfast
from holdfast.autogen import HoldfastMemory


def text(content: str, **metadata: object) -> MemoryContent:
    return MemoryContent(content=content, mime_type=MemoryMimeType.TEXT, metadata=metadata)


def test_an_agent_knows_what_was_added(mine: Holdfast) -> None:
    async def main() -> str:
        memory = HoldfastMemory(mine)
        await memory.add(text("Tomatoes get water at dawn.", importance=5, bed="south"))
        agent = AssistantAgent("gardener", Parrot(), memory=[memory])
        result = await agent.run(task="When do tomatoes get water?")
        await memory.close()
        return str(result.messages[-1].content)  # type: ignore[union-attr]

    said = asyncio.run(main())
    assert "] Tomatoes get water at dawn." in said
    assert said.count("holdfast-recall-") == 2
    [found] = mine.search_memories(query="tomatoes").memories
    assert (found.importance, found.metadata) == (5, {"bed": "south"})


def test_memories_are_queried_with_their_metadata(mine: Holdfast) -> None:
    async def main() -> None:
        memory = HoldfastMemory(mine)
        await memory.add(text("Basil likes warmth.", memory_type="preference", entities=["Basil"]))
        json = MemoryContent(content={"bed": "basil"}, mime_type=MemoryMimeType.JSON)
        await memory.add(json)
        [one] = (await memory.query("basil", memory_type="preference")).results
        assert one.content == "Basil likes warmth."
        assert one.metadata is not None
        assert one.metadata["entities"] == ["Basil"]
        assert len((await memory.query(text("basil"))).results) == 2
        assert (await memory.query(" ")).results == []
        picture = MemoryContent(content=b"\x00", mime_type=MemoryMimeType.BINARY)
        with pytest.raises(ValueError, match="text or JSON"):
            await memory.add(picture)
        with pytest.raises(NotImplementedError, match="can't clear"):
            await memory.clear()

    asyncio.run(main())


def test_without_the_server_the_context_stays_as_it_is() -> None:
    async def main(client: Holdfast) -> None:
        context = BufferedChatCompletionContext(buffer_size=5)
        await context.add_message(UserMessage(content="Hello?", source="user"))
        result = await HoldfastMemory(client).update_context(context)
        assert result.memories.results == []
        assert len(await context.get_messages()) == 1

    with Holdfast("http://127.0.0.1:9", "svc_x") as dead:
        asyncio.run(main(dead))
