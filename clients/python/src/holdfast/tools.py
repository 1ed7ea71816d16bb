"""Tools for a model, as plain functions that any agent framework accepts."""

# Without postponed annotations, which some frameworks do not resolve.

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Literal, ParamSpec

from ._errors import HoldfastError
from ._marks import mark_recalled
from ._recall import Entry, in_line, print_by, print_entries, print_memories
from ._unset import UNSET

if TYPE_CHECKING:
    from ._client import Holdfast

__all__ = ["memory_tools"]

Given = ParamSpec("Given")
MemoryType = Literal["fact", "preference", "constraint", "skill", "correction", "episodic"]
Status = Literal["backlog", "todo", "in_progress", "blocked", "done"]


def memory_tools(client: "Holdfast", *, max_chars: int = 16_000) -> list[Callable[..., str]]:
    """Returns functions that search and write memories, read notes, and manage tasks.

    A call that fails returns the reason to the model instead of raising. What was stored is
    between marks, as data.

    Args:
        client: The client; its calls are made as its agent.
        max_chars: Maximum characters per answer. More hits get less space each.
    """
    return [*_memory_tools(client, max_chars), *_task_tools(client, max_chars)]


def _memory_tools(client: "Holdfast", max_chars: int) -> list[Callable[..., str]]:
    @_answer_or_reason
    def search_memory(query: str, top_k: int = 8) -> str:
        """Search the memory of earlier sessions: facts, preferences, decisions, constraints, tasks.

        Args:
            query: What to look for, in words.
            top_k: How many to return, 1 to 50.
        """
        memories = client.search_memories(query=query, top_k=top_k).memories
        return mark_recalled(print_memories(memories, max_chars) if memories else "No results.")

    @_answer_or_reason
    def write_memory(
        content: str,
        memory_type: MemoryType = "fact",
        importance: int = 3,
        entities: list[str] | None = None,
    ) -> str:
        """Store something that later sessions should know. Duplicates are not stored twice.

        Args:
            content: What to remember, in full sentences that make sense on their own.
            memory_type: Kind of memory.
            importance: 1 (trivial) to 5 (vital).
            entities: People and things it is about.
        """
        written = client.write_memory(
            content=content,
            memory_type=memory_type,
            importance=importance,
            entities=entities,
            dedup=True,
        )
        return f"{'Stored' if written.created else 'Already stored'} as {written.memory_id}."

    @_answer_or_reason
    def search_notes(query: str) -> str:
        """Search notes, which are longer texts, and read the best ones.

        Args:
            query: What to look for, in words.
        """
        notes = client.search_and_read(query=query, top_k=3).notes
        found = [
            Entry(f"# [note {note.note_id}] {in_line(note.title)}\n", note.content)
            for note in notes
        ]
        return mark_recalled(print_entries(found, max_chars) if found else "No results.")

    return [search_memory, write_memory, search_notes]


def _task_tools(client: "Holdfast", max_chars: int) -> list[Callable[..., str]]:
    @_answer_or_reason
    def list_tasks(status: list[Status] | None = None) -> str:
        """List tasks, most urgent first.

        Args:
            status: Only tasks with these. Without any: all except done.
        """
        wanted: list[Status] = status or ["backlog", "todo", "in_progress", "blocked"]
        page = client.list_tasks(status=wanted)
        lines = [
            Entry(f"- [task {task.task_id}, {task.status}{print_by(task)}] ", in_line(task.title))
            for task in page.tasks
        ]
        return mark_recalled(f"{page.total} tasks\n{print_entries(lines, max_chars)}")

    @_answer_or_reason
    def create_task(
        title: str, description: str = "", priority: int = 3, done_when: str = ""
    ) -> str:
        """Create a task that outlives this session.

        Args:
            title: What needs to be done.
            description: Details.
            priority: 1 to 5; 5 is most urgent.
            done_when: How to know that it is done.
        """
        task = client.create_task(
            title=title,
            description=description or None,
            priority=priority,
            done_when=done_when or None,
        )
        return f"Created task {task.task_id}."

    @_answer_or_reason
    def update_task(
        task_id: str, status: Status, comment: str = "", blocked_reason: str = ""
    ) -> str:
        """Update a task: claim it (in_progress), finish it (done), or say why it is blocked.

        Args:
            task_id: Id of the task.
            status: Its new status.
            comment: Why it changes.
            blocked_reason: What blocks it.
        """
        changed = client.update_task(
            task_id=task_id,
            status=status,
            comment=comment or None,
            blocked_reason=blocked_reason or UNSET,
        )
        if changed.proposal is not None:
            return str(changed.proposal.message)
        return f"Task is {changed.status}."

    return [list_tasks, create_task, update_task]


def _answer_or_reason(tool: Callable[Given, str]) -> Callable[Given, str]:
    """Returns the answer of a tool, or the reason why the call failed."""

    @wraps(tool)
    def call(*given: Given.args, **named: Given.kwargs) -> str:
        try:
            return tool(*given, **named)
        except HoldfastError as error:
            return f"{type(error).__name__}: {error.message}"

    return call
