# Written by `npm run generate` from the registry of operations; do not edit.
"""Events of webhooks."""

from __future__ import annotations

from datetime import datetime

from .._model import Model, parse_time


class WebhookEvent(Model):
    """An event. Newer servers may send events that have no class of their own."""

    event: str
    user_id: str
    """Id of the user who owns the record."""
    timestamp: datetime
    """When it happened."""

    _readers = {"timestamp": parse_time}


class MessageCreatedEvent(WebhookEvent):
    """A message was sent."""

    message_id: str
    """Id of the message. Read its content with an agent key."""


class MessageAcknowledgedEvent(WebhookEvent):
    """A recipient acknowledged a message."""

    message_id: str
    """Id of the message. Read its content with an agent key."""
    acknowledged_by: str
    """Who acknowledged it, by the name that the agent gave."""


class MemoryCreatedEvent(WebhookEvent):
    """A memory was created."""

    memory_id: str
    """Id of the memory. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the memory."""


class MemoryUpdatedEvent(WebhookEvent):
    """A memory was updated, restored, superseded or moved here from another vault."""

    memory_id: str
    """Id of the memory. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the memory."""


class MemoryArchivedEvent(WebhookEvent):
    """A memory was archived."""

    memory_id: str
    """Id of the memory. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the memory."""


class MemoryDeletedEvent(WebhookEvent):
    """A memory was deleted permanently."""

    memory_id: str
    """Id of the memory."""
    vault_id: str
    """Id of the vault that holds the memory."""


class TaskCreatedEvent(WebhookEvent):
    """A task was created."""

    task_id: str
    """Id of the task. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the task."""


class TaskUpdatedEvent(WebhookEvent):
    """A task was updated or restored."""

    task_id: str
    """Id of the task. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the task."""


class TaskCompletedEvent(WebhookEvent):
    """A task was done."""

    task_id: str
    """Id of the task. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the task."""


class TaskArchivedEvent(WebhookEvent):
    """A task was archived."""

    task_id: str
    """Id of the task. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the task."""


class TaskDeletedEvent(WebhookEvent):
    """A task was deleted permanently."""

    task_id: str
    """Id of the task."""
    vault_id: str
    """Id of the vault that holds the task."""


class NoteCreatedEvent(WebhookEvent):
    """A note was created."""

    note_id: str
    """Id of the note. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the note."""


class NoteUpdatedEvent(WebhookEvent):
    """A note was updated, moved or restored."""

    note_id: str
    """Id of the note. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the note."""


class NoteTrashedEvent(WebhookEvent):
    """A note was moved to the trash."""

    note_id: str
    """Id of the note. Read its content with an agent key."""
    vault_id: str
    """Id of the vault that holds the note."""


class NoteDeletedEvent(WebhookEvent):
    """A note was deleted permanently."""

    note_id: str
    """Id of the note."""
    vault_id: str
    """Id of the vault that holds the note."""


class WebhookTestEvent(WebhookEvent):
    """A test event. Its ids refer to nothing."""

    message_id: str
    """Id of the message. Read its content with an agent key."""


EVENTS: dict[str, type[WebhookEvent]] = {
    "message.created": MessageCreatedEvent,
    "message.acknowledged": MessageAcknowledgedEvent,
    "memory.created": MemoryCreatedEvent,
    "memory.updated": MemoryUpdatedEvent,
    "memory.archived": MemoryArchivedEvent,
    "memory.deleted": MemoryDeletedEvent,
    "task.created": TaskCreatedEvent,
    "task.updated": TaskUpdatedEvent,
    "task.completed": TaskCompletedEvent,
    "task.archived": TaskArchivedEvent,
    "task.deleted": TaskDeletedEvent,
    "note.created": NoteCreatedEvent,
    "note.updated": NoteUpdatedEvent,
    "note.trashed": NoteTrashedEvent,
    "note.deleted": NoteDeletedEvent,
    "webhook.test": WebhookTestEvent,
}
