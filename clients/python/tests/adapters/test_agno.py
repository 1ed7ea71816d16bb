"""The tools in an agent of the real package, with a model that calls tools by itself."""

from __future__ import annotations

from typing import Any

from agno.agent import Agent
from model_agno import Caller

from holdfast import Holdfast
from holdfast.agno import HoldfastTools


def run(client: Holdfast, tool: str, **arguments: Any) -> str:
    agent = Agent(model=Caller(tool, arguments), tools=[HoldfastTools(client)], telemetry=False)
    return str(agent.run("Work.").content)


def test_a_model_writes_and_finds_memories(mine: Holdfast) -> None:
    assert run(mine, "write_memory", content="Tomatoes get water at dawn.").startswith("Stored as")
    assert "] Tomatoes get water at dawn." in run(mine, "search_memory", query="tomatoes")
    assert run(mine, "create_task", title="Weed").startswith("Created task")
    assert "todo" in run(mine, "list_tasks")


def test_the_model_sees_names_types_and_descriptions(mine: Holdfast) -> None:
    tools = HoldfastTools(mine, include_tools=["search_memory", "write_memory"])
    assert list(tools.functions) == ["search_memory", "write_memory"]
    function = tools.functions["write_memory"]
    function.process_entrypoint()
    assert function.parameters["required"] == ["content"]
    assert "importance" in function.parameters["properties"]
    assert "Store something" in (function.description or "")
