"""Stands for the reader's model of Pydantic AI."""

from __future__ import annotations

from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel


def call(tool: str, arguments: dict[str, Any], seen: list[AgentInfo]) -> FunctionModel:
    """Calls one tool, and then says what it got."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        for part in messages[-1].parts:
            if isinstance(part, ToolReturnPart):
                return ModelResponse(parts=[TextPart(str(part.content))])
        return ModelResponse(parts=[ToolCallPart(tool, arguments)])

    return FunctionModel(answer)


model = call("search_memory", {"query": "tomatoes"}, [])
