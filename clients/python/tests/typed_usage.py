"""What type checkers know about the package. `check.sh` checks this file, and nothing runs it."""

from __future__ import annotations

from datetime import datetime

from typing_extensions import assert_type

from holdfast import UNSET, AsyncHoldfast, AsyncPages, AsyncRun, Holdfast, Run
from holdfast.models import ChangedBy, ListTasksOutput, ListTasksPage, Task


def sync(client: Holdfast) -> None:
    [memory] = client.read_memories(memory_ids=["m"]).memories
    assert_type(memory.created_at, datetime)
    assert_type(memory.changed_by, ChangedBy | None)
    page = client.list_tasks(status=["todo", "done"])
    assert_type(page, ListTasksPage)
    for task in page:
        assert_type(task, Task)
    for other in page.pages():
        assert_type(other, ListTasksPage)
    client.update_task(task_id="t", done_when=UNSET, assigned_agent_id=None)
    client.context_checkpoint(
        memories=[{"content": "x", "memory_type": "fact"}], session_summary="x"
    )
    client.write_memory(content="x", memory_type="fcat")  # pyright: ignore[reportArgumentType]
    client.write_memory(memory_type="fact")  # pyright: ignore[reportCallIssue]
    with client.run() as run:
        assert_type(run, Run)


async def other(client: AsyncHoldfast) -> None:
    tasks = client.list_tasks()
    assert_type(tasks, AsyncPages[ListTasksOutput, Task])
    assert_type(await tasks, ListTasksOutput)
    async for task in tasks:
        assert_type(task, Task)
    async for page in tasks.pages():
        assert_type(page, ListTasksOutput)
    async with client.run() as run:
        assert_type(run, AsyncRun)
