# Written by `npm run generate` from the registry of operations; do not edit.
"""Events of webhooks."""

from __future__ import annotations

from datetime import datetime

from .._model import Model, parse_time


class WebhookEvent(Model):
    """An event. Newer servers may send events that have no class of their own."""

    event: str
    message_id: str
    """Id of the message. Read its content with an agent key."""
    user_id: str
    """Id of the user who owns the message."""
    timestamp: datetime
    """When it happened."""

    _readers = {"timestamp": parse_time}


class MessageCreatedEvent(WebhookEvent):
    """A message was sent."""



class MessageAcknowledgedEvent(WebhookEvent):
    """A recipient acknowledged a message."""

    acknowledged_by: str
    """Who acknowledged it, by the name that the agent gave."""


class WebhookTestEvent(WebhookEvent):
    """A test event. Its ids refer to nothing."""



EVENTS: dict[str, type[WebhookEvent]] = {
    "message.created": MessageCreatedEvent,
    "message.acknowledged": MessageAcknowledgedEvent,
    "webhook.test": WebhookTestEvent,
}
