"""Verifies deliveries of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from ._errors import WebhookVerificationError
from ._generated.events import (
    EVENTS,
    MemoryArchivedEvent,
    MemoryCreatedEvent,
    MemoryDeletedEvent,
    MemoryUpdatedEvent,
    MessageAcknowledgedEvent,
    MessageCreatedEvent,
    NoteCreatedEvent,
    NoteDeletedEvent,
    NoteTrashedEvent,
    NoteUpdatedEvent,
    TaskArchivedEvent,
    TaskCompletedEvent,
    TaskCreatedEvent,
    TaskDeletedEvent,
    TaskUpdatedEvent,
    WebhookEvent,
    WebhookTestEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MemoryArchivedEvent",
    "MemoryCreatedEvent",
    "MemoryDeletedEvent",
    "MemoryUpdatedEvent",
    "MessageAcknowledgedEvent",
    "MessageCreatedEvent",
    "NoteCreatedEvent",
    "NoteDeletedEvent",
    "NoteTrashedEvent",
    "NoteUpdatedEvent",
    "TaskArchivedEvent",
    "TaskCompletedEvent",
    "TaskCreatedEvent",
    "TaskDeletedEvent",
    "TaskUpdatedEvent",
    "WebhookEvent",
    "WebhookTestEvent",
    "verify",
]


def verify(
    body: str | bytes,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    secret: str,
    *,
    header: Literal["webhook-signature", "x-service-signature"] = "webhook-signature",
    tolerance: float = 300,
) -> WebhookEvent:
    """Verifies a delivery and returns its event.

    Raises a WebhookVerificationError if it was not signed with the secret. Comparisons take
    constant time. An event may arrive more than once, so remember each `webhook-id`.

    Args:
        body: The body exactly as it arrived: parsing and printing it again changes the signature.
        headers: The headers of the request; case does not matter.
        secret: The `whsec_…` of the webhook.
        header: The signature to check: the one of Standard Webhooks, which includes a timestamp, or
            `x-service-signature`, which covers only the body and cannot stop a replay.
        tolerance: How far `webhook-timestamp` may be off, in seconds.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("body: must be the body as it arrived, as text or bytes, not parsed")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    pairs = cast("Mapping[str, str]", headers).items() if isinstance(headers, Mapping) else headers
    given = {name.lower(): value for name, value in pairs}
    if header == "x-service-signature":
        is_signed = _is_body_signed(raw, given, secret)
    else:
        is_signed = _is_delivery_signed(raw, given, secret, tolerance)
    if not is_signed:
        raise WebhookVerificationError("No signature matches this secret")
    event = _parse_event(raw)
    return EVENTS.get(event.get("event", ""), WebhookEvent)(event)


def _is_delivery_signed(
    body: bytes, headers: Mapping[str, str], secret: str, tolerance: float
) -> bool:
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    delivery, timestamp, signatures = (headers.get(name) for name in names)
    if delivery is None or timestamp is None or signatures is None:
        raise WebhookVerificationError(
            "The headers webhook-id, webhook-timestamp and webhook-signature are missing"
        )
    is_time = re.fullmatch("[0-9]{1,15}", timestamp) is not None
    if not is_time or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far off")
    key = _decode_base64(secret.removeprefix("whsec_")) or b""
    expected = _sign(key, f"{delivery}.{timestamp}.".encode() + body)
    # There are two signatures during a rotation.
    given = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
    matches = [hmac.compare_digest(_decode_base64(one) or b"", expected) for one in given]
    return True in matches


def _is_body_signed(body: bytes, headers: Mapping[str, str], secret: str) -> bool:
    given = headers.get("x-service-signature")
    if given is None:
        raise WebhookVerificationError("The header X-Service-Signature is missing")
    digits = re.fullmatch("sha256=([0-9a-f]{64})", given)
    signature = bytes.fromhex(digits[1]) if digits else b""
    return hmac.compare_digest(signature, _sign(secret.encode(), body))


def _sign(key: bytes, text: bytes) -> bytes:
    if not key:
        raise ValueError("secret: must be the whsec_… of the webhook")
    return hmac.new(key, text, hashlib.sha256).digest()


def _decode_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _parse_event(body: bytes) -> dict[str, Any]:
    try:
        event: object = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        # Without the cause, which quotes the body.
        raise WebhookVerificationError("The body is signed, but is not JSON") from None
    return cast("dict[str, Any]", event)
