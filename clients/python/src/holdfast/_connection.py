"""How a client reaches the server."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ._generated import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_URL = "http://127.0.0.1:8420"
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_RETRIES = 2


class Connection(NamedTuple):
    url: str
    """Ends without a slash."""
    headers: Mapping[str, str]
    """Names are lower case, so each occurs once."""
    timeout: float
    max_retries: int

    def in_run(self, run_id: str) -> Connection:
        return self._replace(headers={**self.headers, **check_headers({"X-Agent-Run-Id": run_id})})


def describe_connection(
    url: str | None,
    key: str | None,
    *,
    headers: Mapping[str, str] | None,
    timeout: float,
    max_retries: int,
) -> Connection:
    """Raises a ValueError for invalid options, without quoting a header or the URL."""
    credential = key or os.environ.get("HOLDFAST_KEY")
    if not credential:
        raise ValueError("key: pass one, or set HOLDFAST_KEY")
    own = {
        "authorization": f"Bearer {credential}",
        "content-type": "application/json",
        "user-agent": f"holdfast-python/{__version__}",
    }
    return Connection(
        parse_url(url or os.environ.get("HOLDFAST_URL") or DEFAULT_URL),
        check_headers({**(headers or {}), **own}),
        check_timeout(timeout),
        check_max_retries(max_retries),
    )


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Checked here, because HTTP clients quote invalid headers: keys must not be in errors."""
    for name, text in headers.items():
        if not re.fullmatch(r"[\x20-\x7e]+", text):
            raise ValueError(f"{name}: must be printable ASCII")
    return {name.lower(): text for name, text in headers.items()}


def parse_url(url: str) -> str:
    """Has its own messages, because others quote an invalid URL with the password in it."""
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_url = False
        parts = urlsplit("")
    if not is_url:
        raise ValueError("url: must start with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url: must not contain a user or password. Use headers instead")
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


def check_timeout(timeout: float) -> float:
    if not timeout > 0:
        raise ValueError("timeout: must be above 0")
    return timeout


def check_max_retries(max_retries: int) -> int:
    """0 means no retries."""
    if not max_retries >= 0:
        raise ValueError("max_retries: must be 0 or more")
    return max_retries
