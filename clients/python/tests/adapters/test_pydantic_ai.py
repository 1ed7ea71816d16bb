"""The toolset in an agent of the real package, with a model that calls tools by itself."""

from __future__ import annotations

from typing import Any

from model_pydantic_ai import call
from pydantic_ai import Agent
from pydantic_ai.models.function import AgentInfo

from holdfast import Holdfast
from holdfast.pydantic_ai import HoldfastToolset


def run(client: Holdfast, tool: str, arguments: dict[str, Any]) -> tuple[str, AgentInfo]:
    """Lets a model call a tool, and returns what it got."""
    seen: list[AgentInfo] = []
    agent = Agent(call(tool, arguments, seen), toolsets=[HoldfastToolset(client)])
    return agent.run_sync("Work.").output, seen[0]


def test_a_model_writes_and_finds_memories(mine: Holdfast) -> None:
    written = {"content": "Tomatoes get water at dawn.", "entities": ["Tomatoes"]}
    assert run(mine, "write_memory", written)[0].startswith("Stored as ")
    found, _ = run(mine, "search_memory", {"query": "tomatoes"})
    assert "] Tomatoes get water at dawn." in found
    assert run(mine, "write_memory", {"content": "x", "importance": 9})[0].startswith(
        "BadRequestError"
    )


def test_the_model_sees_names_types_and_descriptions(mine: Holdfast) -> None:
    _, info = run(mine, "list_tasks", {})
    tools = {one.name: one for one in info.function_tools}
    assert len(tools) == 6
    schema = tools["write_memory"].parameters_json_schema
    assert schema["required"] == ["content"]
    assert "preference" in schema["properties"]["memory_type"]["enum"]
    assert schema["properties"]["importance"]["description"] == "1 (trivial) to 5 (vital)."
    assert (tools["write_memory"].description or "").startswith("Store something")
