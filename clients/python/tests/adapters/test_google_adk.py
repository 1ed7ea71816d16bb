"""The memory service with sessions and an agent of the real package."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import BaseAgent, LlmAgent
from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools import load_memory
from google.genai import types

from holdfast import Holdfast
from holdfast.google_adk import HoldfastMemoryService

ADA = {"app_name": "garden", "user_id": "ada"}


def event(author: str, text: str, id: str) -> Event:  # noqa: A002
    role = "user" if author == "user" else "model"
    content = types.Content(role=role, parts=[types.Part(text=text)])
    return Event(author=author, id=id, timestamp=1_780_000_000, content=content)


def texts(response: Any) -> list[str]:
    return [one.content.parts[0].text for one in response.memories]


def test_sessions_are_found_by_their_user_alone(mine: Holdfast) -> None:
    service = HoldfastMemoryService(mine)
    events = [
        event("user", "My tomatoes are Tim and Tom.", "e1"),
        event("gardener", "Nice names for tomatoes.", "e2"),
        Event(author="user", id="e3"),
    ]
    session = Session(id="s1", events=events, **ADA)

    async def main() -> None:
        await service.add_session_to_memory(session)
        session.events.append(event("user", "Tomatoes like sun.", "e4"))
        await service.add_session_to_memory(session)
        found = await service.search_memory(**ADA, query="tomatoes")
        assert sorted(texts(found)) == [
            "My tomatoes are Tim and Tom.",
            "Nice names for tomatoes.",
            "Tomatoes like sun.",
        ]
        first = next(one for one in found.memories if "Tim" in texts_of(one))
        assert (first.author, first.content.role) == ("user", "user")
        assert (first.timestamp or "").startswith("2026-05-28T")
        assert first.custom_metadata == {"sessionId": "s1", "eventId": "e1"}
        for other in (
            {"app_name": "garden", "user_id": "Ada"},
            {"app_name": "x", "user_id": "ada"},
        ):
            assert texts(await service.search_memory(**other, query="tomatoes")) == []
            await service.delete_memory(**other, memory_id=first.id)
        assert len((await service.search_memory(**ADA, query="tomatoes")).memories) == 3
        await service.delete_memory(**ADA, memory_id=first.id)
        await service.add_session_to_memory(session)
        assert len((await service.search_memory(**ADA, query="tomatoes")).memories) == 2
        assert texts(await service.search_memory(**ADA, query=" ")) == []

    asyncio.run(main())


def texts_of(entry: MemoryEntry) -> str:
    return " ".join(part.text or "" for part in entry.content.parts or [])


def test_memories_and_single_events_can_be_added(mine: Holdfast) -> None:
    service = HoldfastMemoryService(mine)

    async def main() -> None:
        content = types.Content(parts=[types.Part(text="The barrel is empty.")])
        entry = MemoryEntry(content=content, author="cook", custom_metadata={"bed": 1})
        await service.add_memory(**ADA, memories=[entry], custom_metadata={"from": "test"})
        await service.add_events_to_memory(**ADA, events=[event("user", "The barrel leaks.", "e9")])
        found = await service.search_memory(**ADA, query="barrel")
        assert sorted(texts(found)) == ["The barrel is empty.", "The barrel leaks."]
        [added] = [one for one in found.memories if one.author == "cook"]
        assert added.custom_metadata == {"bed": 1, "from": "test"}

    asyncio.run(main())


def test_a_time_in_another_form_is_left_out(mine: Holdfast) -> None:
    service = HoldfastMemoryService(mine)

    async def main() -> None:
        for time in ("2020-05-01T09:00:00Z", "2020-05-01T09:00:00", "some day"):
            old = types.Content(parts=[types.Part(text=f"Planted in {time}.")])
            await service.add_memory(**ADA, memories=[MemoryEntry(content=old, timestamp=time)])
        found = await service.search_memory(**ADA, query="planted")
        years = {
            texts_of(one): (one.timestamp or "")[:4] == "2020"
            for one in found.memories
            if "Planted" in texts_of(one)
        }
        assert years == {
            "Planted in 2020-05-01T09:00:00Z.": True,
            "Planted in 2020-05-01T09:00:00.": True,
            "Planted in some day.": False,
        }

    asyncio.run(main())


class Recaller(BaseLlm):
    """Loads memories with the tool of the framework, and says what it got."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        last = llm_request.contents[-1].parts[0]
        if last.function_response is not None:
            part = types.Part(text=str(last.function_response.response))
        else:
            call = types.FunctionCall(name="load_memory", args={"query": "tomatoes"})
            part = types.Part(function_call=call)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def test_an_agent_loads_memories_of_an_earlier_session(mine: Holdfast) -> None:
    async def main() -> str:
        memory = HoldfastMemoryService(mine)
        await memory.add_session_to_memory(
            Session(id="s1", events=[event("user", "My tomatoes are Tim and Tom.", "e1")], **ADA)
        )
        agent: BaseAgent = LlmAgent(name="gardener", model=Recaller(model="r"), tools=[load_memory])
        sessions = InMemorySessionService()
        runner = Runner(
            app_name="garden", agent=agent, session_service=sessions, memory_service=memory
        )
        session = await sessions.create_session(**ADA)
        question = types.Content(role="user", parts=[types.Part(text="What are they called?")])
        said = ""
        async for one in runner.run_async(
            user_id="ada", session_id=session.id, new_message=question
        ):
            if one.content and one.content.parts and one.content.parts[0].text:
                said = one.content.parts[0].text
        return said

    assert "Tim and Tom" in asyncio.run(main())
