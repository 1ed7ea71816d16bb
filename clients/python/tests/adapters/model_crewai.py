"""Stands for the reader's model of CrewAI."""

from __future__ import annotations

import json
from typing import Any

from crewai.llms.base_llm import BaseLLM


class Caller(BaseLLM):
    """Calls one tool, in the text form that models without function calls use."""

    tool: str = ""
    arguments: dict[str, Any] = {}

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        said = "\n".join(str(one["content"]) for one in messages if one["role"] == "assistant")
        _, found, answer = said.partition("Observation:")
        if found:
            return f"Thought: I know.\nFinal Answer: {answer.strip()}"
        arguments = json.dumps(self.arguments)
        return f"Thought: I need it.\nAction: {self.tool}\nAction Input: {arguments}"

    def supports_function_calling(self) -> bool:
        return False


model = Caller(model="caller", tool="search_memory", arguments={"query": "tomatoes"})
