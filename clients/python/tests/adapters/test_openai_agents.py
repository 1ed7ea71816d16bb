"""Sessions in runs of the real package, with a model that answers by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, Runner, SessionSettings
from agents.memory import Session
from model_openai_agents import Parrot

from holdfast import Holdfast
from holdfast.openai_agents import HoldfastSession

# Tracing would send to OpenAI.
pytestmark = pytest.mark.usefixtures("no_tracing")


@pytest.fixture
def no_tracing() -> None:
    from agents import set_tracing_disabled

    set_tracing_disabled(True)


def item(text: str) -> Any:
    return {"role": "user", "content": text}


def run(session: HoldfastSession, *texts: str) -> list[str]:
    async def main() -> list[str]:
        agent = Agent(name="Gardener", model=Parrot())
        results = [await Runner.run(agent, text, session=session) for text in texts]
        return [str(one.final_output) for one in results]

    return asyncio.run(main())


def test_an_agent_remembers_its_conversation(mine: Holdfast) -> None:
    assert run(HoldfastSession(mine, "ada"), "My tomatoes are Tim and Tom.") == ["1"]
    session = HoldfastSession(mine, "ada")
    assert run(session, "What are they called?") == ["3"]
    items = asyncio.run(session.get_items())
    assert len(items) == 4
    assert items[0] == item("My tomatoes are Tim and Tom.")
    assert isinstance(session, Session)
    assert asyncio.run(HoldfastSession(mine, "Ada").get_items()) == []


def test_items_are_limited_popped_and_cleared(mine: Holdfast) -> None:
    async def main() -> None:
        session = HoldfastSession(mine)
        await session.add_items([item("a [[b]]\n```"), item("b")])
        await session.add_items([item("c")])
        assert await session.get_items(2) == [item("b"), item("c")]
        assert await session.get_items(0) == []
        session.session_settings = SessionSettings(limit=1)
        assert await session.get_items() == [item("c")]
        session.session_settings = None
        assert await session.pop_item() == item("c")
        assert await session.pop_item() == item("b")
        assert await session.get_items() == [item("a [[b]]\n```")]
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None

    asyncio.run(main())


def test_many_items_become_several_notes(mine: Holdfast) -> None:
    async def main() -> None:
        session = HoldfastSession(mine)
        long = [item("x" * 200_000) for _ in range(5)]
        await session.add_items(long)
        assert await session.get_items() == long
        with pytest.raises(ValueError, match="An item can have"):
            await session.add_items([item("small"), item("x" * 500_000)])
        assert len(await session.get_items()) == 5

    asyncio.run(main())
    assert mine.list_notes().total == 3
