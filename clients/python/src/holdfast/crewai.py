"""Memory tools for CrewAI: `Agent(..., tools=holdfast_tools(client))`.

CrewAI's own memory stores vectors of its embedder, and asks its storage by vector alone. Holdfast
takes texts, so it can't be that storage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._needs import needs
from .tools import memory_tools

with needs("crewai"):
    from crewai.tools import BaseTool, tool

if TYPE_CHECKING:
    from ._client import Holdfast


def holdfast_tools(client: Holdfast, *, max_chars: int = 16_000) -> list[BaseTool]:
    """Returns tools to search and write memories, read notes, and manage tasks.

    A call that fails returns the reason to the model.
    """
    return [tool(one) for one in memory_tools(client, max_chars=max_chars)]
