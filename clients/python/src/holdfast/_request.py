"""One call over HTTP: body, time limit, retries, errors.

Both clients share this; only sending and waiting differ.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from datetime import date, datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ._connection import check_max_retries, check_timeout
from ._errors import (
    HoldfastConnectionError,
    HoldfastError,
    HoldfastTimeoutError,
    QuotaError,
    error_class,
)
from ._model import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._connection import Connection
    from ._route import Route

FIRST_PAUSE = 0.25
MAX_ANSWER_BYTES = 256 * 1024**2
"""Several times the size of the server's largest answer."""


class Request(NamedTuple):
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None


def build_request(connection: Connection, route: Route, fields: Mapping[str, Any]) -> Request:
    body = None if route.method == "GET" else print_json(fields)
    return Request(route.method, connection.url + route.path, connection.headers, body)


def print_json(fields: Mapping[str, Any]) -> bytes:
    """Half a surrogate pair, which no server accepts, is replaced."""
    text = json.dumps(
        fields, default=_print_value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode("utf-8", errors="replace")


def _print_value(value: object) -> str:
    if isinstance(value, datetime):
        # A time without a zone is in local time, as everywhere in Python.
        moment = value.astimezone(timezone.utc)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, (date, uuid.UUID)):
        return str(value)
    raise TypeError(f"{type(value).__name__} can't be sent as JSON")


class Attempts:
    """The attempts of one call, within its time limit.

    A call is retried after the pause that the server asks for and a growing one. A 429 means that
    nothing was done. After a lost connection or an outage, it is unknown whether a write happened
    (the store may fail while it commits), so then only calls that are safe to repeat are retried.
    """

    def __init__(
        self,
        connection: Connection,
        route: Route,
        fields: Mapping[str, Any],
        *,
        timeout: float | None,
        max_retries: int | None,
    ) -> None:
        self.timeout = connection.timeout if timeout is None else check_timeout(timeout)
        given = connection.max_retries if max_retries is None else max_retries
        self._retries_left = check_max_retries(given)
        self._retries = 0
        self._deadline = time.monotonic() + self.timeout
        self._is_repeatable = _is_repeatable(connection, route, fields)

    def time_left(self) -> float:
        """Raises a HoldfastTimeoutError if there is none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self.timed_out()
        return left

    def timed_out(self) -> HoldfastTimeoutError:
        return HoldfastTimeoutError(f"No answer within {self.timeout:g} s")

    def pause_after(self, error: HoldfastError) -> float:
        """Returns how long to wait before the next attempt, or raises the error if it is final."""
        pause = (error.retry_after or 0) + _growing_pause(self._retries)
        may_repeat = _is_rate_limited(error) or (_is_uncertain(error) and self._is_repeatable)
        is_in_time = time.monotonic() + pause < self._deadline
        if isinstance(error, HoldfastTimeoutError) or not (
            may_repeat and self._retries_left > 0 and is_in_time
        ):
            raise error
        self._retries_left -= 1
        self._retries += 1
        return pause


def _growing_pause(retries: int) -> float:
    """Half of the pause is random, so clients that failed together do not retry together."""
    return FIRST_PAUSE * 2**retries * (0.5 + random.random() / 2)  # noqa: S311


def _is_rate_limited(error: HoldfastError) -> bool:
    return error.status == 429 and not isinstance(error, QuotaError)


def _is_uncertain(error: HoldfastError) -> bool:
    return error.status in (0, 502, 503, 504)


def _is_repeatable(connection: Connection, route: Route, fields: Mapping[str, Any]) -> bool:
    if route.repeatable == "with_write_id":
        return "externalWriteId" in fields
    if route.repeatable == "with_run_id":
        return "agentRunId" in fields or "x-agent-run-id" in connection.headers
    return route.repeatable in ("always", "as_one_run")


def read_answer(
    status: int, headers: Mapping[str, str], body: bytes
) -> tuple[Mapping[str, Any], Response]:
    """Returns what the server answered, or raises the error for it."""
    data = _parse_json(body)
    request_id = headers.get("x-request-id")
    if 200 <= status < 300 and data is not None:
        return data, Response(status, request_id, headers)
    known = data or {}
    given = known.get("error")
    message = given if isinstance(given, str) else _describe_status(status)
    raise error_class(status, message)(
        message,
        status=status,
        fields=known.get("fields"),
        retry_after=_read_wait(known.get("retryAfter"), headers.get("retry-after")),
        request_id=request_id,
    )


def _parse_json(body: bytes) -> Mapping[str, Any] | None:
    """Returns None for what is not a JSON object: no answer is anything else."""
    try:
        data: object = json.loads(body)
    except ValueError:
        return None
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else None


def _describe_status(status: int) -> str:
    if 200 <= status < 300:
        return "The answer is not JSON"
    if 300 <= status < 400:
        return (
            "The server redirects to another URL. Keys are not sent along, so use that URL directly"
        )
    return f"The server answered {status}"


def _read_wait(given: object, header: str | None) -> float | None:
    if isinstance(given, (int, float)) and given >= 0:
        return given
    # The server never sends the other form of this header, a date.
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


def too_large(status: int) -> HoldfastError:
    size = MAX_ANSWER_BYTES // 1024**2
    return HoldfastError(f"The answer is larger than {size} MiB", status=status)


def unreachable() -> HoldfastConnectionError:
    return HoldfastConnectionError("The server cannot be reached")
