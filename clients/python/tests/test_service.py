"""Both clients against a real server."""

from __future__ import annotations

import inspect
from datetime import datetime, timezone
from typing import Any

import anyio
import pytest

import holdfast
from holdfast import AsyncHoldfast, Holdfast
from holdfast._generated.async_methods import AsyncMethods
from holdfast._generated.methods import Methods

MISSING = "0198c5f0-0000-7000-8000-000000000063"


def test_memories_are_written_found_changed_and_archived(client: Holdfast) -> None:
    written = client.write_memory(
        content="Tomatoes get water before nine.",
        memory_type="preference",
        entities=["Tomatoes"],
        metadata={"bed_name": "south"},
        occurred_at=datetime(2026, 5, 1, tzinfo=timezone.utc),
    )
    assert written.created
    assert written.response.status == 201
    assert len(written.response.request_id or "") == 36
    found = client.search_memories(query="When do tomatoes get water?")
    assert found.memories[0].content == "Tomatoes get water before nine."
    [memory] = client.read_memories(memory_ids=[written.memory_id]).memories
    assert memory.metadata == {"bed_name": "south"}
    assert memory.occurred_at == datetime(2026, 5, 1, tzinfo=timezone.utc)
    assert memory.source.trust == "agent_authored"
    client.update_memory(memory_id=memory.memory_id, importance=5)
    second = client.write_memory(
        content="The barrel is empty.",
        related_memory_ids=[{"memory_id": memory.memory_id, "relation_type": "refines"}],
    )
    related = list(client.get_related_memories(memory_id=second.memory_id))
    assert [one.memory_id for one in related] == [memory.memory_id]
    assert client.archive_memory(memory_id=memory.memory_id).archived


def test_a_repeated_write_is_recognized(client: Holdfast) -> None:
    first = client.write_memory(content="Once.", external_write_id="once")
    again = client.write_memory(content="Once.", external_write_id="once")
    assert (again.created, again.idempotent) == (False, True)
    assert again.memory_id == first.memory_id


def test_tasks_notes_and_messages_work(client: Holdfast, server: Any) -> None:
    task = client.create_task(title="Weed", done_when="no weeds")
    client.update_task(task_id=task.task_id, status="done", done_when=None)
    [read] = client.list_tasks(task_ids=[task.task_id])
    assert (read.status, read.done_when) == ("done", None)
    assert read.status_history[-1].from_ == "todo"
    note = client.create_note(title="Beds", content="South.", folder_path="garden/beds")
    client.update_note(note_id=note.note_id, edits=[{"find": "South", "replace": "North"}])
    assert client.read_note(note_id=note.note_id).note.content == "North."
    assert [one.path for one in client.list_folders()] == ["garden", "garden/beds"]
    sent = client.send_message(target_id="cook", content="Ripe.")
    with Holdfast(server.url, server.make_key("Waiter"), agent_id="cook") as cook:
        assert sent.message_id in [one.message_id for one in cook.pending_messages()]
        assert cook.ack_message(message_id=sent.message_id).acknowledged


def test_settings_and_documents_work(client: Holdfast, server: Any) -> None:
    with Holdfast(server.url, server.make_key("Admin", "admin")) as admin:
        changed = admin.update_settings(
            settings={"session_profiles": {"deep": {"max_facts": 7}}, "decay_half_life": 90}
        )
        assert changed.settings.decay_half_life == 90
        assert changed.settings.session_profiles["deep"].max_facts == 7
        admin.update_settings(settings={"session_profiles": None, "decay_half_life": None})
    document = client.read_document(document_type="soul", vault_id=server.vault_id)
    assert document.is_template


def test_errors_have_a_class_and_a_request_id(client: Holdfast, server: Any) -> None:
    with pytest.raises(holdfast.BadRequestError) as invalid:
        client.write_memory(content="Never mind.", importance=9)
    assert invalid.value.fields == {"importance": "must be at most 5"}
    assert len(invalid.value.request_id or "") == 36
    with pytest.raises(holdfast.NotFoundError, match="Note not found"):
        client.read_note(note_id=MISSING)
    with Holdfast(server.url, "svc_wrong") as stranger:
        with pytest.raises(holdfast.AuthenticationError):
            stranger.info()
    with Holdfast(server.url, server.make_key("Reader", "read_only")) as reader:
        with pytest.raises(holdfast.ScopeDeniedError) as denied:
            reader.write_memory(content="No.")
        assert denied.value.scope == "write"
    task = client.create_task(title="Claim")
    with pytest.raises(holdfast.ConflictError):
        client.update_task(task_id=task.task_id, status="done", expected_status="blocked")


def test_a_vault_can_be_given_by_name(server: Any) -> None:
    vault_id = server.make_vault("Cellar")
    with Holdfast(server.url, server.key, vault="Cellar") as cellar:
        assert cellar.write_memory(content="Damp.").vault_id == vault_id
        assert cellar.vault_id_of("Cellar") == vault_id


def test_a_run_groups_its_calls(client: Holdfast) -> None:
    with client.run() as run:
        text, context, error = run.try_context(query="tomatoes")
        assert error is None
        assert context is not None
        assert text.startswith("<holdfast-recall-")
        task = run.create_task(title="In a run")
        saved = run.context_checkpoint(
            session_summary="Done.", memories=[{"content": "Rain.", "memory_type": "fact"}]
        )
        assert saved.created == 1
        running = [one for one in client.list_active_agents() if one.agent_run_id == run.id]
        assert [one.ended_at for one in running] == [None]
    [mine] = client.list_tasks(run_id=run.id)
    assert mine.task_id == task.task_id
    [ended] = [one for one in client.list_active_agents() if one.agent_run_id == run.id]
    assert ended.ended_at is not None


@pytest.mark.parametrize("backend", ["asyncio"])
def test_the_async_client_does_the_same(server: Any, backend: str) -> None:
    async def main() -> None:
        async with AsyncHoldfast(server.url, server.key, agent_id="cook", vault="Main") as client:
            async with client.run() as run:
                written = await run.write_memory(content="Basil wants warmth.")
                found = await run.search_memories(query="basil")
                assert found.memories[0].memory_id == written.memory_id
                for title in ("a", "b", "c"):
                    await run.create_task(title=title)
                tasks = [one.title async for one in client.list_tasks(run_id=run.id, limit=2)]
                assert sorted(tasks) == ["a", "b", "c"]
                assert (await run.try_context()).error is None
            with pytest.raises(holdfast.NotFoundError):
                await client.read_note(note_id=MISSING)

    anyio.run(main, backend=backend)


def test_many_async_calls_share_a_client(server: Any) -> None:
    async def main() -> None:
        written: list[str] = []

        async def write(client: AsyncHoldfast, at: int) -> None:
            written.append((await client.write_memory(content=f"Bed {at}.")).memory_id)

        async with AsyncHoldfast(server.url, server.key) as client:
            async with anyio.create_task_group() as group:
                for at in range(20):
                    group.start_soon(write, client, at)
        assert len(set(written)) == 20

    anyio.run(main)


def test_both_clients_have_the_same_methods() -> None:
    sync = {name: one for name, one in vars(Methods).items() if not name.startswith("_")}
    other = {name: one for name, one in vars(AsyncMethods).items() if not name.startswith("_")}
    assert list(sync) == list(other)
    assert len(sync) > 40
    for name, one in sync.items():
        assert (
            inspect.signature(one).parameters.keys()
            == inspect.signature(other[name]).parameters.keys()
        )
        assert one.__doc__ == other[name].__doc__
    for name in ("close", "run", "try_context"):
        assert hasattr(Holdfast, name)
