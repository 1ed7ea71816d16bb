"""How an operation is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Route(NamedTuple):
    method: Literal["GET", "POST"]
    path: str
    repeatable: Literal["never", "always", "with_write_id", "with_run_id", "as_one_run"]
    """When a second call changes nothing: never, always, with an externalWriteId, in a run, or in
    the same new run."""
    in_vault: bool = False
    """Whether the client's vault applies if the call names none."""
    items: str | None = None
    """The list in a paged answer."""
    nullable: frozenset[str] = frozenset()
    """Fields for which None is a value, and is sent."""
    shape: Mapping[str, Any] = {}
    """Fields that contain objects, each with the fields within it that do."""
