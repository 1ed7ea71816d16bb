"""The block in a memory of the real package."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import InsertMethod, Memory

from holdfast import Holdfast
from holdfast.llama_index import HoldfastMemoryBlock


def tokens_of(text: Any) -> list[str]:
    """The real tokenizer would be downloaded."""
    return str(text).split()


def make_memory(client: Holdfast, **options: Any) -> Memory:
    return Memory.from_defaults(
        session_id="s1",
        memory_blocks=[HoldfastMemoryBlock(client=client, priority=1)],
        insert_method=InsertMethod.SYSTEM,
        tokenizer_fn=tokens_of,
        **options,
    )


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def test_memories_that_match_the_question_are_in_the_prompt(mine: Holdfast) -> None:
    mine.write_memory(content="Tomatoes get water at dawn.")

    async def main() -> list[ChatMessage]:
        memory = make_memory(mine)
        await memory.aput(user("When do tomatoes get water?"))
        return await memory.aget()

    system, question = asyncio.run(main())
    assert system.role == "system"
    assert "Tomatoes get water at dawn." in (system.content or "")
    assert (system.content or "").count("holdfast-recall-") == 2
    assert question.content == "When do tomatoes get water?"


def test_what_leaves_the_short_term_memory_is_recorded(mine: Holdfast) -> None:
    async def main() -> None:
        memory = make_memory(mine, token_limit=40, token_flush_size=10)
        await memory.aput(user("I prefer the red watering can. Remember that."))
        for at in range(12):
            await memory.aput(ChatMessage(role="assistant", content=f"All right, number {at}."))
            await memory.aput(user(f"And then, after number {at}?"))

    asyncio.run(main())
    found = mine.search_memories(query="watering can").memories
    assert any("red watering can" in (one.content or "") for one in found)


def test_without_the_server_the_prompt_has_no_memories() -> None:
    async def main(client: Holdfast) -> list[ChatMessage]:
        memory = make_memory(client)
        await memory.aput(user("Hello?"))
        return await memory.aget()

    with Holdfast("http://127.0.0.1:9", "svc_x") as dead:
        messages = asyncio.run(main(dead))
    assert [one.content for one in messages if one.role == "user"] == ["Hello?"]
    assert "recall" not in str(messages)


def test_an_empty_question_and_other_messages_are_left_alone(mine: Holdfast) -> None:
    block = HoldfastMemoryBlock(client=mine)
    assert asyncio.run(block.aget([])) == ""
    asyncio.run(block.aput([ChatMessage(role="tool", content="x"), user(" ")]))
    assert asyncio.run(block.atruncate("text", 1)) is None
