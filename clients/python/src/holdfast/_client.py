"""The client that waits for each answer."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import httpx

from ._connection import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, describe_connection
from ._context import TriedContext, context_text
from ._errors import HoldfastError
from ._generated.methods import Methods

if TYPE_CHECKING:
    import sys
    from collections.abc import Mapping
    from types import TracebackType

    from ._generated.models import SessionTrackOutput

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self


class Holdfast(Methods):
    """The operations as methods.

    Each returns the answer, or raises a HoldfastError. If a call may be retried, the client adds
    the id that makes this safe: an `external_write_id` for a write, an `agent_run_id` for a
    session. `idempotent` in the answer then means that an earlier attempt had succeeded. Threads
    may share a client.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        vault: str | None = None,
        agent_id: str | None = None,
        agent_run_id: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Opens no connection yet. Raises a ValueError for invalid options.

        Args:
            url: URL of the server; it may have a path in front of /api. Default: HOLDFAST_URL, or
                http://127.0.0.1:8420.
            key: An agent key, `svc_…`. Default: HOLDFAST_KEY.
            vault: Id or name of the vault for calls that do not name one. Default: the
                integration's. A name is looked up before the first such call.
            agent_id: The agent's name, for calls that do not pass one. Default: the integration's.
            agent_run_id: Groups calls (header X-Agent-Run-Id). `run()` creates one.
            timeout: Time limit for a call including retries, in seconds.
            max_retries: How often to retry a call, if that is safe.
            headers: Sent with every call, for example for a proxy.
            http_client: Used instead of a new one, and left open by `close()`.
        """
        run = {} if agent_run_id is None else {"X-Agent-Run-Id": agent_run_id}
        connection = describe_connection(
            url, key, headers={**(headers or {}), **run}, timeout=timeout, max_retries=max_retries
        )
        super().__init__(connection, vault, agent_id, http_client or httpx.Client())
        self._owns_http = http_client is None

    def run(self, id: str | None = None) -> Run:  # noqa: A002
        """Returns a client whose calls belong to one run. Without an id, it starts a new run.

        As a context manager, it ends the run.
        """
        return Run(self, id or str(uuid.uuid4()))

    def try_context(self, *, query: str | None = None, timeout: float = 5) -> TriedContext:
        """Starts a session and never raises a HoldfastError: if it fails, `error` says why.

        It does not retry. For other inputs, call `session_start` and `context_text`.
        """
        try:
            context = self.session_start(query=query, timeout=timeout, max_retries=0)
        except HoldfastError as error:
            return TriedContext("", None, error)
        return TriedContext(context_text(context), context, None)

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Run(Holdfast):
    """A client whose calls belong to one run. It uses the connections of the client it is from."""

    def __init__(self, client: Holdfast, id: str) -> None:  # noqa: A002
        self.id = id
        connection = client._connection.in_run(id)  # pyright: ignore[reportPrivateUsage]
        Methods.__init__(self, connection, client._vault, client._agent_id, client._http)  # pyright: ignore[reportPrivateUsage]
        self._owns_http = False

    def end(self) -> SessionTrackOutput:
        """Ends the run."""
        return self.session_track(event="end")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Ends the run. If the block raised an error, a second one does not hide it."""
        try:
            self.end()
        except HoldfastError:
            if error is None:
                raise
