"""The tools in an agent of the real package, with a model that calls tools by itself."""

from __future__ import annotations

import os
from typing import Any

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"

from crewai import Agent
from model_crewai import Caller

from holdfast import Holdfast
from holdfast.crewai import holdfast_tools


def run(client: Holdfast, tool: str, **arguments: Any) -> str:
    model = Caller(model="caller", tool=tool, arguments=arguments)
    agent = Agent(
        role="Gardener",
        goal="Water.",
        backstory="A gardener.",
        llm=model,
        tools=holdfast_tools(client),
        verbose=False,
    )
    return str(agent.kickoff("Work."))


def test_a_model_writes_and_finds_memories(mine: Holdfast) -> None:
    assert "Stored as" in run(mine, "write_memory", content="Tomatoes get water at dawn.")
    assert "] Tomatoes get water at dawn." in run(mine, "search_memory", query="tomatoes")


def test_the_model_sees_names_types_and_descriptions(mine: Holdfast) -> None:
    tools = {one.name: one for one in holdfast_tools(mine)}
    assert len(tools) == 6
    schema = tools["write_memory"].args_schema.model_json_schema()
    assert schema["required"] == ["content"]
    assert "importance" in schema["properties"]
    assert "Store something" in tools["write_memory"].description
    assert tools["create_task"].run(title="Weed").startswith("Created task")
