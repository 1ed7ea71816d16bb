"""Memories as text for a model: data between marks, one line each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ._marks import mark_recalled
from ._print_names import print_record_writers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._client import Holdfast
    from ._generated.models import MemoryHit, Task

_cut = " …"
_max_query_chars = 10_000
MAX_TURN_CHARS = 50_000


class Entry(NamedTuple):
    """A text that may be shortened, after what we say about it: a text can't say that first."""

    before: str
    text: str


def recall(
    client: Holdfast, query: str, *, top_k: int = 6, max_chars: int = 6000, timeout: float = 3
) -> str:
    """Returns matching memories between marks, with the summary if there is one; or nothing.

    It does not retry, because an answer without memories is better than a late one.
    """
    if not query.strip():
        return ""
    found = client.search_memories(
        query=query[:_max_query_chars],
        top_k=top_k,
        summary_only=True,
        timeout=timeout,
        max_retries=0,
    )
    memories = found.memories
    return mark_recalled(print_memories(memories, max_chars)) if memories else ""


def print_memories(memories: Sequence[MemoryHit], max_chars: int) -> str:
    """Prints one memory per line, up to `max_chars` characters in total."""
    entries: list[Entry] = []
    for memory in memories:
        date = memory.created_at.date().isoformat()
        about = f"{memory.memory_type} {memory.memory_id}, {date}{print_by(memory)}"
        text = memory.content if memory.content is not None else memory.summary
        entries.append(Entry(f"- [{about}] ", in_line(text or "")))
    return print_entries(entries, max_chars)


def print_by(record: MemoryHit | Task) -> str:
    writers = print_record_writers(record.agent_id, record.source, record.changed_by)
    return f", {writers}" if writers else ""


def print_entries(entries: Sequence[Entry], max_chars: int) -> str:
    """Prints one entry per line. Shortens the longest texts to the same length."""
    around = sum(len(entry.before) + len(_cut) + 1 for entry in entries)
    most = _longest_that_fits([len(entry.text) for entry in entries], max_chars - around)
    lines = [
        entry.before + (f"{entry.text[:most]}{_cut}" if len(entry.text) > most else entry.text)
        for entry in entries
    ]
    return "\n".join(lines)[:max_chars]


def _longest_that_fits(lengths: Sequence[int], max_chars: int) -> int:
    """Finds the maximum length. Space that short texts do not need goes to the others."""
    room = max(0, max_chars)
    for others, length in zip(range(len(lengths), 0, -1), sorted(lengths), strict=True):
        if length * others > room:
            return room // others
        room -= length
    return max(0, max_chars)


def in_line(text: str) -> str:
    """Joins a text into one line, so an entry cannot pretend to be another one."""
    lines = (line.strip() for line in re.split("[\r\n\u2028\u2029]", text))
    return " ".join(line for line in lines if line)
