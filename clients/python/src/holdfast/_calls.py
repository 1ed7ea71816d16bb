"""What both clients do with each call."""

from __future__ import annotations

import re
import time
import uuid
from typing import TYPE_CHECKING, Any, TypeVar, cast

import anyio
import httpx

from ._errors import HoldfastError, NotFoundError
from ._generated import models, routes
from ._model import Answer
from ._names import to_wire
from ._pages import AsyncPages
from ._request import (
    MAX_ANSWER_BYTES,
    Attempts,
    Request,
    build_request,
    read_answer,
    too_large,
    unreachable,
)
from ._unset import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ._connection import Connection
    from ._model import Response
    from ._route import Route

Output = TypeVar("Output", bound=Answer)
Item = TypeVar("Item")
Fields = dict[str, Any]

_uuid = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


class CallBase:
    """The part that needs no connection."""

    def __init__(self, connection: Connection, vault: str | None, agent_id: str | None) -> None:
        self._connection = connection
        self._vault = vault
        self._agent_id = agent_id
        self._vault_ids: dict[str, str] = {}

    def _needs_vault(self, route: Route, fields: Mapping[str, Any]) -> str | None:
        """Returns the client's vault if this call is for it."""
        # A reply goes to the vault of the message that it answers.
        is_given = "vaultId" in fields or "parentMessageId" in fields
        return self._vault if route.in_vault and not is_given else None

    def _complete(self, route: Route, fields: Fields, max_retries: int | None) -> Fields:
        """Adds the agent, and the id that makes a second attempt harmless."""
        if self._agent_id is not None and route.method == "POST" and "agentId" not in fields:
            fields["agentId"] = self._agent_id
        given = self._connection.max_retries if max_retries is None else max_retries
        # The server stores every such id, so create one only if there may be a second attempt.
        if given > 0 and route.repeatable == "with_write_id":
            fields.setdefault("externalWriteId", str(uuid.uuid4()))
        is_in_run = "x-agent-run-id" in self._connection.headers
        if given > 0 and route.repeatable == "as_one_run" and not is_in_run:
            fields.setdefault("agentRunId", str(uuid.uuid4()))
        return fields


def drop_unset(route: Route, fields: Mapping[str, Any]) -> Fields:
    """Leaves out what was not given, and gives objects within their names on the wire."""
    return {
        name: _rename(value, route.shape[name]) if name in route.shape else value
        for name, value in fields.items()
        if value is not UNSET and (value is not None or name in route.nullable)
    }


def _rename(value: Any, shape: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        named = {to_wire(name): one for name, one in cast("Fields", value).items()}
        return {
            name: _rename(one, shape[name]) if name in shape else one for name, one in named.items()
        }
    if isinstance(value, (list, tuple)):
        return [_rename(one, shape) for one in cast("Iterable[Any]", value)]
    return value


def read_output(output: type[Output], answer: tuple[Mapping[str, Any], Response]) -> Output:
    data, response = answer
    model = output(data)
    object.__setattr__(model, "_response", response)
    return model


def pick_vault(vaults: Iterable[models.Vault], name: str) -> str:
    """Returns the id of the only vault with this name."""
    found = [vault.vault_id for vault in vaults if vault.name == name]
    if len(found) == 1:
        return found[0]
    problem = "Several vaults have" if found else "No vault has"
    raise NotFoundError(
        f'{problem} the name "{name}". Call list_vaults for names and ids', status=404
    )


class Calls(CallBase):
    """Sends calls and waits for their answers."""

    def __init__(
        self,
        connection: Connection,
        vault: str | None,
        agent_id: str | None,
        http: httpx.Client,
    ) -> None:
        super().__init__(connection, vault, agent_id)
        self._http = http

    def vault_id_of(self, vault: str) -> str:
        """Returns the id of a vault given by id or name. Each name is looked up once.

        Raises a NotFoundError if no vault, or more than one, has the name.
        """
        if _uuid.fullmatch(vault):
            return vault
        if vault not in self._vault_ids:
            page = self._call_paged(routes.LIST_VAULTS, {"limit": 100}, models.ListVaultsPage)
            self._vault_ids[vault] = pick_vault(page, vault)
        return self._vault_ids[vault]

    def _call(
        self,
        route: Route,
        fields: Mapping[str, Any],
        output: type[Output],
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Output:
        given = drop_unset(route, fields)
        vault = self._needs_vault(route, given)
        if vault is not None:
            given["vaultId"] = self.vault_id_of(vault)
        complete = self._complete(route, given, max_retries)
        request = build_request(self._connection, route, complete)
        attempts = Attempts(
            self._connection, route, complete, timeout=timeout, max_retries=max_retries
        )
        while True:
            try:
                return read_output(output, self._attempt(request, attempts))
            except HoldfastError as error:
                time.sleep(attempts.pause_after(error))

    def _call_paged(
        self,
        route: Route,
        fields: Mapping[str, Any],
        page: type[Output],
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Output:
        def fetch(offset: int) -> Output:
            return self._call_paged(
                route,
                {**fields, "offset": offset},
                page,
                timeout=timeout,
                max_retries=max_retries,
            )

        first = self._call(route, fields, page, timeout=timeout, max_retries=max_retries)
        object.__setattr__(first, "_fetch", fetch)
        return first

    def _attempt(self, request: Request, attempts: Attempts) -> tuple[Mapping[str, Any], Response]:
        method, url, headers, content = request
        left = attempts.time_left()
        body = bytearray()
        try:
            with self._http.stream(
                method, url, headers=headers, content=content, timeout=left, follow_redirects=False
            ) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_ANSWER_BYTES:
                        raise too_large(response.status_code)
                    attempts.time_left()
        except httpx.TimeoutException as error:
            raise attempts.timed_out() from error
        except httpx.HTTPError as error:
            raise unreachable() from error
        return read_answer(response.status_code, response.headers, bytes(body))


class AsyncCalls(CallBase):
    """Sends calls with asyncio or trio."""

    def __init__(
        self,
        connection: Connection,
        vault: str | None,
        agent_id: str | None,
        http: httpx.AsyncClient,
    ) -> None:
        super().__init__(connection, vault, agent_id)
        self._http = http

    async def vault_id_of(self, vault: str) -> str:
        """Returns the id of a vault given by id or name. Each name is looked up once.

        Raises a NotFoundError if no vault, or more than one, has the name.
        """
        if _uuid.fullmatch(vault):
            return vault
        if vault not in self._vault_ids:
            pages = self._call_paged(
                routes.LIST_VAULTS, {"limit": 100}, models.ListVaultsOutput, models.Vault
            )
            self._vault_ids[vault] = pick_vault([one async for one in pages], vault)
        return self._vault_ids[vault]

    async def _call(
        self,
        route: Route,
        fields: Mapping[str, Any],
        output: type[Output],
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Output:
        given = drop_unset(route, fields)
        vault = self._needs_vault(route, given)
        if vault is not None:
            given["vaultId"] = await self.vault_id_of(vault)
        complete = self._complete(route, given, max_retries)
        request = build_request(self._connection, route, complete)
        attempts = Attempts(
            self._connection, route, complete, timeout=timeout, max_retries=max_retries
        )
        while True:
            try:
                return read_output(output, await self._attempt(request, attempts))
            except HoldfastError as error:
                await anyio.sleep(attempts.pause_after(error))

    def _call_paged(
        self,
        route: Route,
        fields: Mapping[str, Any],
        output: type[Output],
        item: type[Item],
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncPages[Output, Item]:
        async def fetch(offset: int) -> Output:
            return await self._call(
                route,
                {**fields, "offset": offset},
                output,
                timeout=timeout,
                max_retries=max_retries,
            )

        return AsyncPages(route.items or "", fields.get("offset") or 0, fetch)

    async def _attempt(
        self, request: Request, attempts: Attempts
    ) -> tuple[Mapping[str, Any], Response]:
        method, url, headers, content = request
        left = attempts.time_left()
        body = bytearray()
        try:
            with anyio.fail_after(left):
                async with self._http.stream(
                    method,
                    url,
                    headers=headers,
                    content=content,
                    timeout=left,
                    follow_redirects=False,
                ) as response:
                    async for chunk in response.aiter_bytes():
                        body += chunk
                        if len(body) > MAX_ANSWER_BYTES:
                            raise too_large(response.status_code)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise attempts.timed_out() from error
        except httpx.HTTPError as error:
            raise unreachable() from error
        return read_answer(response.status_code, response.headers, bytes(body))
