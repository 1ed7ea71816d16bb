"""Memory tools for Agno: `Agent(..., tools=[HoldfastTools(client)])`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._needs import needs
from .tools import memory_tools

with needs("agno"):
    from agno.tools import Toolkit

if TYPE_CHECKING:
    from ._client import Holdfast


class HoldfastTools(Toolkit):
    """Tools to search and write memories, read notes, and manage tasks.

    A call that fails returns the reason to the model.
    """

    def __init__(self, client: Holdfast, *, max_chars: int = 16_000, **options: Any) -> None:
        tools: list[Any] = [*memory_tools(client, max_chars=max_chars)]
        super().__init__(name="holdfast", tools=tools, **options)
