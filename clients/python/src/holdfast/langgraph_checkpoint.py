"""LangGraph's checkpoints in Holdfast: `graph.compile(checkpointer=HoldfastSaver(client))`."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from ._needs import needs
from ._notes import (
    MAX_NOTE_CHARS,
    create_first,
    hash_tag,
    list_notes,
    print_block,
    read_block,
    read_listed,
    read_notes,
    refuse_proposal,
)

with needs("langgraph"):
    import anyio.to_thread
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import (
        WRITES_IDX_MAP,
        BaseCheckpointSaver,
        ChannelVersions,
        Checkpoint,
        CheckpointMetadata,
        CheckpointTuple,
        get_checkpoint_id,
        get_checkpoint_metadata,
    )

if TYPE_CHECKING:
    from ._client import Holdfast
    from .models import Note

    Json = dict[str, Any]

_newest = 20


class HoldfastSaver(BaseCheckpointSaver[str]):
    """Keeps the checkpoints of a graph's threads.

    A checkpoint is a note with the state of all channels, packed; the writes of each task are
    another one. A packed checkpoint can have about 370 kB. Deleted threads go to the trash. Ids of
    threads aren't in titles, but anyone who can read the vault can read the state.
    """

    def __init__(
        self, client: Holdfast, *, folder: str = "langgraph-checkpoints", serde: Any = None
    ) -> None:
        """The folder of the notes is created if it doesn't exist."""
        super().__init__(serde=serde)
        self._client = client
        self._folder = folder

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread, namespace = _place(config)
        wanted = get_checkpoint_id(config)
        if wanted is None:
            # Ids grow with time, and so does the list, but clocks of several programs may differ.
            page = self._client.list_notes(tags=[self._tag(thread, namespace)], limit=_newest)
            newest = max(page.notes, key=lambda note: note.title, default=None)
            found = [] if newest is None else [newest.note_id]
        else:
            tag = self._tag(thread, namespace, wanted)
            found = [note.note_id for note in list_notes(self._client, tag)][:1]
        for note in read_notes(self._client, found):
            return self._to_tuple(_parse(note))
        return None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Newest first."""
        before_id = None if before is None else get_checkpoint_id(before)
        left = limit
        for record in self._read_all(config):
            if left is not None and left <= 0:
                return
            if before_id is not None and record["id"] >= before_id:
                continue
            metadata = self._unpack(record["metadata"])
            if all(metadata.get(name) == value for name, value in (filter or {}).items()):
                left = None if left is None else left - 1
                yield self._to_tuple(record)

    def _read_all(self, config: RunnableConfig | None) -> Iterator[Json]:
        """Reads the checkpoints of a thread, of all its namespaces if the config names none."""
        if config is None:
            tag = self._tag()
        else:
            given = config.get("configurable", {})
            names = [given[name] for name in ("thread_id", "checkpoint_ns") if name in given]
            tag = self._tag(*(str(name) for name in names))
        wanted = None if config is None else get_checkpoint_id(config)
        outlines = [
            note for note in list_notes(self._client, tag) if wanted is None or note.title == wanted
        ]
        outlines.sort(key=lambda note: note.title, reverse=True)
        for note in read_notes(self._client, [one.note_id for one in outlines]):
            yield _parse(note)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        thread, namespace = _place(config)
        checkpoint_id = checkpoint["id"]
        record = {
            "thread": thread,
            "namespace": namespace,
            "id": checkpoint_id,
            "parent": get_checkpoint_id(config),
            "checkpoint": self._pack(checkpoint),
            "metadata": self._pack(get_checkpoint_metadata(config, metadata)),
        }
        above = [self._tag(), self._tag(thread), self._tag(thread, namespace)]
        self._keep(self._tag(thread, namespace, checkpoint_id), checkpoint_id, record, above)
        return _config(thread, namespace, checkpoint_id)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        thread, namespace = _place(config)
        checkpoint_id = str(get_checkpoint_id(config))
        tag = self._writes_tag(thread, namespace, checkpoint_id, task_id)
        known = next((_parse(note) for note in read_listed(self._client, tag, 1)), None)
        kept: dict[str, Any] = {} if known is None else known["writes"]
        for at, (channel, value) in enumerate(writes):
            place = WRITES_IDX_MAP.get(channel, at)
            # A task that runs again repeats its writes; only errors and interrupts are replaced.
            if place < 0 or str(place) not in kept:
                kept[str(place)] = [channel, self._pack(value)]
        record = {"task": task_id, "path": task_path, "writes": kept}
        above = [
            hash_tag("checkpoint-notes", self._folder, thread),
            self._writes_tag(thread, namespace, checkpoint_id),
        ]
        self._keep(tag, f"writes of {task_id}", record, above)

    def delete_thread(self, thread_id: str) -> None:
        for tag in (self._tag(thread_id), hash_tag("checkpoint-notes", self._folder, thread_id)):
            for note in list(list_notes(self._client, tag)):
                refuse_proposal(self._client.delete_note(note_id=note.note_id))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await anyio.to_thread.run_sync(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (one := await anyio.to_thread.run_sync(next, found, None)) is not None:
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await anyio.to_thread.run_sync(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await anyio.to_thread.run_sync(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await anyio.to_thread.run_sync(self.delete_thread, thread_id)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Versions are compared as text."""
        return f"{int(current or 0) + 1:032}"

    def _tag(self, *names: str) -> str:
        """Tags the checkpoints of all threads, of a thread, of a namespace in it, or one alone."""
        return hash_tag("checkpoint", self._folder, *names)

    def _writes_tag(self, *names: str) -> str:
        return hash_tag("checkpoint-writes", self._folder, *names)

    def _keep(self, tag: str, title: str, record: Json, above: Sequence[str]) -> None:
        """Stores a record under a tag, in place of an earlier one."""
        content = print_block(json.dumps(record, separators=(",", ":")))
        if len(content) > MAX_NOTE_CHARS:
            raise ValueError(
                f"A packed checkpoint can have {MAX_NOTE_CHARS} characters, but has {len(content)}"
            )
        found = create_first(
            self._client, tag, tags=above, title=title, content=content, folder=self._folder
        )
        if found is not None:
            refuse_proposal(self._client.update_note(note_id=found, content=content))

    def _to_tuple(self, record: Json) -> CheckpointTuple:
        place = (record["thread"], record["namespace"])
        parent = record["parent"]
        tag = self._writes_tag(*place, record["id"])
        tasks = sorted(
            (_parse(note) for note in read_listed(self._client, tag)),
            key=lambda task: (task["path"], task["task"]),
        )
        pending = [
            (task["task"], channel, self._unpack(value))
            for task in tasks
            for _, (channel, value) in sorted(task["writes"].items(), key=_place_of)
        ]
        return CheckpointTuple(
            config=_config(*place, record["id"]),
            checkpoint=self._unpack(record["checkpoint"]),
            metadata=self._unpack(record["metadata"]),
            parent_config=None if parent is None else _config(*place, parent),
            pending_writes=pending,
        )

    def _pack(self, value: Any) -> list[str]:
        kind, data = self.serde.dumps_typed(value)
        return [kind, base64.b64encode(zlib.compress(data)).decode()]

    def _unpack(self, packed: Sequence[str]) -> Any:
        kind, text = packed
        return self.serde.loads_typed((kind, zlib.decompress(base64.b64decode(text))))


def _place(config: RunnableConfig) -> tuple[str, str]:
    given = config.get("configurable", {})
    return str(given["thread_id"]), str(given.get("checkpoint_ns", ""))


def _config(thread: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
    }


def _place_of(write: tuple[str, Any]) -> int:
    return int(write[0])


def _parse(note: Note) -> Json:
    return cast("Json", json.loads(read_block(note.content)))
