"""Stands for the reader's model of Agno."""

from __future__ import annotations

import json
from typing import Any

from agno.models.base import Model
from agno.models.response import ModelResponse


class Caller(Model):
    """Calls one tool, and then says what it got."""

    def __init__(self, tool: str, arguments: dict[str, Any]) -> None:
        super().__init__(id="caller", name="Caller", provider="Test")
        self.tool = tool
        self.arguments = arguments

    def invoke(self, messages: list[Any], **_: Any) -> ModelResponse:
        last = messages[-1]
        if last.role == "tool":
            return ModelResponse(role="assistant", content=str(last.content))
        function = {"name": self.tool, "arguments": json.dumps(self.arguments)}
        call = {"id": "c1", "type": "function", "function": function}
        return ModelResponse(role="assistant", tool_calls=[call])

    async def ainvoke(self, *given: Any, **named: Any) -> ModelResponse:
        raise NotImplementedError

    def invoke_stream(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    def ainvoke_stream(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


model = Caller("search_memory", {"query": "tomatoes"})
