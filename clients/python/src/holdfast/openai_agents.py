"""Conversations of the OpenAI Agents SDK in Holdfast: `Runner.run(..., session=session)`."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._needs import needs
from ._notes import (
    MAX_NOTE_CHARS,
    hash_tag,
    list_notes,
    print_block,
    read_block,
    read_listed,
    refuse_proposal,
)

with needs("openai-agents"):
    import anyio.to_thread
    from agents import SessionSettings, TResponseInputItem
    from agents.memory import SessionABC

if TYPE_CHECKING:
    from ._client import Holdfast
    from .models import Note

_chars_per_note = MAX_NOTE_CHARS - len(print_block(""))


class HoldfastSession(SessionABC):
    """A conversation.

    Items that are added together become one note, one item per line, so adding costs the same in a
    long conversation. Removed items go to the trash.
    """

    def __init__(
        self,
        client: Holdfast,
        session_id: str | None = None,
        *,
        folder: str = "sessions",
        session_settings: SessionSettings | None = None,
    ) -> None:
        """Without an id, a new conversation. The folder is created if it doesn't exist."""
        self.session_id = session_id or str(uuid.uuid4())
        self.session_settings = session_settings
        self._client = client
        self._folder = folder
        self._tag = hash_tag("session", folder, self.session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns all items, or the latest ones, oldest first."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return await anyio.to_thread.run_sync(self._get_items, limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Raises a ValueError, and adds nothing, if an item is longer than a note."""
        await anyio.to_thread.run_sync(self._add_items, items)

    async def pop_item(self) -> TResponseInputItem | None:
        return await anyio.to_thread.run_sync(self._pop_item)

    async def clear_session(self) -> None:
        await anyio.to_thread.run_sync(self._clear)

    def _get_items(self, limit: int | None) -> list[TResponseInputItem]:
        items: list[TResponseInputItem] = []
        if limit is not None and limit <= 0:
            return items
        for note in self._notes():
            items = [*_parse(note), *items]
            if limit is not None and len(items) >= limit:
                return items[-limit:]
        return items

    def _add_items(self, items: Sequence[TResponseInputItem]) -> None:
        for lines in _split([_print(item) for item in items]):
            self._client.create_note(
                title=self.session_id,
                content=print_block("\n".join(lines)),
                tags=[self._tag],
                folder_path=self._folder,
            )

    def _pop_item(self) -> TResponseInputItem | None:
        for note in self._notes():
            items = _parse(note)
            if not items:
                continue
            kept = [_print(item) for item in items[:-1]]
            refuse_proposal(
                self._client.update_note(
                    note_id=note.note_id,
                    content=print_block("\n".join(kept)),
                    expected_version=note.version,
                )
                if kept
                else self._client.delete_note(note_id=note.note_id)
            )
            return items[-1]
        return None

    def _clear(self) -> None:
        for note in list(list_notes(self._client, self._tag)):
            refuse_proposal(self._client.delete_note(note_id=note.note_id))

    def _notes(self) -> Iterator[Note]:
        """Newest first."""
        yield from read_listed(self._client, self._tag)


def _print(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def _parse(note: Note) -> list[TResponseInputItem]:
    lines = read_block(note.content).split("\n")
    return [cast("TResponseInputItem", json.loads(one)) for one in lines if one.startswith("{")]


def _split(lines: Sequence[str]) -> list[list[str]]:
    """Groups the lines into notes."""
    longest = max((len(line) for line in lines), default=0)
    if longest > _chars_per_note:
        raise ValueError(
            f"An item can have {_chars_per_note} characters as JSON, but one has {longest}"
        )
    groups: list[list[str]] = []
    room = 0
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            groups.append([])
            room = _chars_per_note - len(line)
        groups[-1].append(line)
    return groups
