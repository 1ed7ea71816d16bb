"""Errors of calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class HoldfastError(Exception):
    """A failed call: the server rejected it, or no answer arrived.

    The message never contains what was sent.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        fields: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status; 0 if no answer arrived. Then it is unknown whether a write happened."""
        self.fields: Mapping[str, str] = fields or {}
        """The invalid fields (`path.to.field`, as on the wire) and their problems."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, if the server said so."""
        self.request_id = request_id
        """Identifies the request in the server's log."""


class BadRequestError(HoldfastError):
    """The call is invalid (400), too large (413), or not JSON (415). `fields` says why."""


class AuthenticationError(HoldfastError):
    """401: the key is missing, unknown, expired or revoked. The server does not say which."""


class PermissionDeniedError(HoldfastError):
    """403: the key is valid, but the call is not allowed."""


class ScopeDeniedError(PermissionDeniedError):
    """403: the key lacks a scope, or may not use the vault."""

    @property
    def scope(self) -> str | None:
        """`read`, `write`, `search` or `admin`; None if the vault is denied."""
        found = re.search(r'"(\w+)" permission', self.message)
        return found and found[1]


class NotFoundError(HoldfastError):
    """404: the record doesn't exist, or this key can't see it."""


class ConflictError(HoldfastError):
    """409: the record doesn't match `expected_version` or `expected_status`."""


class RateLimitError(HoldfastError):
    """429: too many requests. `retry_after` says how many seconds to wait."""


class QuotaError(RateLimitError):
    """429: the monthly quota is used up."""


class ServerError(HoldfastError):
    """500 and above: a fault in the server. The same call would fail again."""


class UnavailableError(ServerError):
    """502, 503, 504: the server is temporarily unavailable.

    It is unknown whether a write happened.
    """


class HoldfastConnectionError(HoldfastError):
    """No answer arrived. It is unknown whether a write happened."""


class HoldfastTimeoutError(HoldfastConnectionError):
    """The call timed out. It is unknown whether a write happened."""


class WebhookVerificationError(HoldfastError):
    """A webhook delivery was not signed with the secret, or is too old."""


class ProposedError(HoldfastError):
    """Nothing was changed: someone else wrote the record, and a person decides about the change.

    Adapters raise it where their framework would otherwise believe that the change was made. The
    message is for the model.
    """


_classes: Mapping[int, type[HoldfastError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    404: NotFoundError,
    409: ConflictError,
    413: BadRequestError,
    415: BadRequestError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_class(status: int, message: str) -> type[HoldfastError]:
    """Returns the class for an answer of the server."""
    if status == 403:
        is_scope = message.startswith("SCOPE_DENIED")
        return ScopeDeniedError if is_scope else PermissionDeniedError
    if status == 429:
        return QuotaError if message.startswith("Quota exceeded") else RateLimitError
    return _classes.get(status, ServerError if status >= 500 else HoldfastError)
