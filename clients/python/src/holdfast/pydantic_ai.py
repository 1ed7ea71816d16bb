"""Memory tools for Pydantic AI: `Agent(..., toolsets=[HoldfastToolset(client)])`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._needs import needs
from .tools import memory_tools

with needs("pydantic-ai"):
    from pydantic_ai import FunctionToolset, Tool

if TYPE_CHECKING:
    from ._client import Holdfast


class HoldfastToolset(FunctionToolset[Any]):
    """Tools to search and write memories, read notes, and manage tasks.

    Calls run in threads. One that fails returns the reason to the model.
    """

    def __init__(
        self,
        client: Holdfast,
        *,
        max_chars: int = 16_000,
        id: str | None = "holdfast",  # noqa: A002
    ) -> None:
        tools: Sequence[Tool[Any]] = [
            Tool(one, takes_ctx=False) for one in memory_tools(client, max_chars=max_chars)
        ]
        super().__init__(tools, id=id)
