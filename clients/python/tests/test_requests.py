"""Retries, time limits, errors and what calls send, with transports that answer for the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import anyio
import httpx
import pytest

import holdfast
from holdfast import AsyncHoldfast, Holdfast
from holdfast import _calls as calls
from holdfast import _request as request_module

OK = {"memoryId": "m1", "created": True, "idempotent": False, "memoryType": "fact"}
EMPTY = {"memories": [], "searchMode": "hybrid"}


def answer(status: int = 200, body: object = OK, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replaces waiting."""
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(calls.time, "sleep", waited.append)
    monkeypatch.setattr(calls.anyio, "sleep", wait)
    return waited


def connect(transport: httpx.MockTransport, **options: Any) -> Holdfast:
    return Holdfast(
        "http://h.test/base/", "svc_1", http_client=httpx.Client(transport=transport), **options
    )


def body_of(request: httpx.Request) -> dict[str, Any]:
    return json.loads(request.content)


def test_a_call_sends_json_under_the_url_with_key_and_given_fields(answering: Any) -> None:
    transport = answering(answer())
    connect(transport, headers={"X-Proxy": "p"}).write_memory(content="Tabs.", max_retries=0)
    [request] = transport.requests
    assert (request.method, str(request.url)) == (
        "POST",
        "http://h.test/base/api/agent/write-memory",
    )
    assert request.headers["authorization"] == "Bearer svc_1"
    assert request.headers["user-agent"].startswith("holdfast-python/")
    assert request.headers["x-proxy"] == "p"
    assert body_of(request) == {"content": "Tabs."}


def test_names_of_inner_objects_and_times_are_those_of_the_wire(answering: Any) -> None:
    transport = answering(answer())
    zone = timezone(timedelta(hours=2))
    connect(transport).write_memory(
        content="Tabs.",
        related_memory_ids=["m1", {"memory_id": "m2", "relation_type": "refines"}],
        metadata={"my_key": {"inner_key": None}},
        occurred_at=datetime(2026, 1, 1, 2, tzinfo=zone),
        max_retries=0,
    )
    assert body_of(transport.requests[0]) == {
        "content": "Tabs.",
        "relatedMemoryIds": ["m1", {"memoryId": "m2", "relationType": "refines"}],
        "metadata": {"my_key": {"inner_key": None}},
        "occurredAt": "2026-01-01T00:00:00.000Z",
    }


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_is_not_json_is_refused_before_it_is_sent(answering: Any, value: object) -> None:
    transport = answering(answer())
    with pytest.raises((TypeError, ValueError), match="JSON"):
        connect(transport).write_memory(content="Tabs.", metadata={"x": value})
    assert transport.requests == []


def test_none_is_sent_where_it_has_a_meaning(answering: Any) -> None:
    transport = answering(answer())
    client = connect(transport)
    client.update_task(task_id="t1", title=None, assigned_agent_id=None)
    client.update_settings(settings={"dedup": None, "session_profiles": {"deep": {"max_facts": 3}}})
    assert body_of(transport.requests[0]) == {"taskId": "t1", "assignedAgentId": None}
    assert body_of(transport.requests[1]) == {
        "settings": {"dedup": None, "sessionProfiles": {"deep": {"maxFacts": 3}}}
    }


def test_the_client_adds_its_agent_and_vault(answering: Any) -> None:
    vault = "0198c5f0-0000-7000-8000-000000000001"
    transport = answering(answer())
    client = connect(transport, agent_id="gardener", vault=vault)
    client.update_task(task_id="t1")
    client.update_task(task_id="t1", agent_id="cook", vault_id="v2")
    client.send_message(target_id="cook", content="Yes.", parent_message_id="p", max_retries=0)
    first, second, reply = (body_of(one) for one in transport.requests)
    assert (first["agentId"], first["vaultId"]) == ("gardener", vault)
    assert (second["agentId"], second["vaultId"]) == ("cook", "v2")
    assert "vaultId" not in reply


def test_a_vault_is_looked_up_by_name_once(answering: Any) -> None:
    vaults = [{"vaultId": "v1", "name": "Main"}, {"vaultId": "v2", "name": "Garden"}]
    page = {"vaults": vaults, "total": 2, "limit": 100, "offset": 0, "hasMore": False}
    transport = answering(answer(body=page), answer())
    client = connect(transport, vault="Garden")
    client.update_task(task_id="t1")
    client.update_task(task_id="t1")
    assert [one.url.path.split("/")[-1] for one in transport.requests] == [
        "list-vaults",
        "update-task",
        "update-task",
    ]
    assert body_of(transport.requests[2])["vaultId"] == "v2"
    with pytest.raises(holdfast.NotFoundError, match='No vault has the name "Cellar"'):
        connect(answering(answer(body=page))).vault_id_of("Cellar")


def test_a_rate_limit_is_retried_after_the_wait_with_jitter(
    answering: Any, pauses: list[float]
) -> None:
    limited = answer(429, {"error": "Too many requests", "retryAfter": 3}, retry_after="3")
    transport = answering(limited, answer(429, {"error": "x"}, retry_after="2"), answer())
    connect(transport).update_task(task_id="t1")
    assert len(transport.requests) == 3
    first, second = pauses
    assert 3.125 <= first <= 3.25
    assert 2.25 <= second <= 2.5


def test_writes_are_retried_after_an_outage_only_with_an_id(
    answering: Any, pauses: list[float]
) -> None:
    down = answer(503, {"error": "Temporarily unavailable"})
    transport = answering(down, httpx.ReadError("lost"), answer())
    assert connect(transport).write_memory(content="Tabs.").created
    ids = {body_of(one)["externalWriteId"] for one in transport.requests}
    assert len(transport.requests) == 3
    assert len(ids) == 1

    transport = answering(down, answer())
    with pytest.raises(holdfast.UnavailableError):
        connect(transport).update_task(task_id="t1")
    assert len(transport.requests) == 1


def test_a_checkpoint_is_retried_only_in_a_run(answering: Any, pauses: list[float]) -> None:
    def checkpoint(client: Holdfast) -> None:
        client.context_checkpoint(memories=[], session_summary="Done.")

    with pytest.raises(holdfast.HoldfastConnectionError, match="cannot be reached"):
        checkpoint(connect(answering(httpx.ConnectError("refused"), answer())))
    checkpoint(connect(answering(httpx.ConnectError("refused"), answer())).run("r1"))


def test_a_session_gets_a_run_so_that_it_can_be_retried(
    answering: Any, pauses: list[float]
) -> None:
    transport = answering(answer(502, {}), answer())
    connect(transport).session_start()
    first, second = (body_of(one)["agentRunId"] for one in transport.requests)
    assert first == second


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, {"error": "Internal server error"}), (400, {}), (429, {"error": "Quota exceeded: x"})],
)
def test_other_errors_are_not_retried(
    answering: Any, pauses: list[float], status: int, body: object
) -> None:
    transport = answering(answer(status, body), answer())
    with pytest.raises(holdfast.HoldfastError):
        connect(transport).search_memories(query="tabs")
    assert len(transport.requests) == 1


def test_retries_end_after_max_retries_and_before_the_time_limit(
    answering: Any, pauses: list[float]
) -> None:
    down = answer(503, {"error": "Temporarily unavailable"})
    transport = answering(down)
    with pytest.raises(holdfast.UnavailableError):
        connect(transport, max_retries=4).search_memories(query="tabs")
    assert len(transport.requests) == 5

    transport = answering(answer(429, {"error": "Too many requests", "retryAfter": 60}))
    with pytest.raises(holdfast.RateLimitError) as caught:
        connect(transport, timeout=10).search_memories(query="tabs")
    assert caught.value.retry_after == 60
    assert len(transport.requests) == 1


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, "Invalid", holdfast.BadRequestError),
        (413, "Too large", holdfast.BadRequestError),
        (415, "Not JSON", holdfast.BadRequestError),
        (401, "Invalid or missing agent key", holdfast.AuthenticationError),
        (403, "Integration is inactive", holdfast.PermissionDeniedError),
        (403, 'SCOPE_DENIED: needs "write" permission', holdfast.ScopeDeniedError),
        (404, "Note not found", holdfast.NotFoundError),
        (409, "Changed", holdfast.ConflictError),
        (429, "Too many requests", holdfast.RateLimitError),
        (429, "Quota exceeded: 1", holdfast.QuotaError),
        (500, "Internal server error", holdfast.ServerError),
        (503, "Temporarily unavailable", holdfast.UnavailableError),
        (418, "Teapot", holdfast.HoldfastError),
    ],
)
def test_each_kind_of_error_has_a_class(
    answering: Any, status: int, error: str, kind: type[holdfast.HoldfastError]
) -> None:
    body = {"error": error, "fields": {"importance": "must be at most 5"}}
    transport = answering(answer(status, body, x_request_id="r1"))
    with pytest.raises(kind) as caught:
        connect(transport, max_retries=0).search_memories(query="tabs")
    assert type(caught.value) is kind
    assert (str(caught.value), caught.value.status, caught.value.request_id) == (
        error,
        status,
        "r1",
    )
    assert caught.value.fields == {"importance": "must be at most 5"}


def test_a_denied_scope_is_named(answering: Any) -> None:
    transport = answering(answer(403, {"error": 'SCOPE_DENIED: needs "write" permission'}))
    with pytest.raises(holdfast.ScopeDeniedError) as caught:
        connect(transport).info()
    assert caught.value.scope == "write"


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (httpx.Response(200, text="<html>"), "The answer is not JSON"),
        (httpx.Response(200, text="[1]"), "The answer is not JSON"),
        (httpx.Response(404, text="<html>"), "The server answered 404"),
        (httpx.Response(307, headers={"Location": "http://evil.test"}), "The server redirects"),
    ],
)
def test_answers_that_are_not_the_servers_are_errors(
    answering: Any, response: httpx.Response, message: str
) -> None:
    transport = answering(response)
    with pytest.raises(holdfast.HoldfastError, match=message):
        connect(transport).info()
    assert len(transport.requests) == 1


def test_a_large_answer_is_cut_off(answering: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MAX_ANSWER_BYTES", 10)
    with pytest.raises(holdfast.HoldfastError, match="larger than"):
        connect(answering(answer())).info()


def test_a_call_times_out_without_a_retry(answering: Any, pauses: list[float]) -> None:
    transport = answering(httpx.ReadTimeout("late"))
    with pytest.raises(holdfast.HoldfastTimeoutError, match=r"No answer within 0\.5 s"):
        connect(transport).search_memories(query="tabs", timeout=0.5)
    assert len(transport.requests) == 1
    assert pauses == []
    assert 0 < transport.requests[0].extensions["timeout"]["read"] <= 0.5


def test_an_answer_that_arrives_too_slowly_times_out(
    answering: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(request_module.time, "monotonic", lambda: now[0])

    class Slow(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            for _ in range(10):
                now[0] += 4
                yield b" "

    transport = answering(httpx.Response(200, stream=Slow()))
    with pytest.raises(holdfast.HoldfastTimeoutError):
        connect(transport, timeout=10).info()


def test_errors_never_contain_the_key_or_the_text(answering: Any) -> None:
    for response in (answer(500, {"error": "Internal server error"}), httpx.ConnectError("x")):
        with pytest.raises(holdfast.HoldfastError) as caught:
            connect(answering(response), max_retries=0).write_memory(content="secret text")
        assert "secret text" not in repr(caught.value)
        assert "svc_1" not in repr(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "ftp://x"}, "url: must start with"),
        ({"url": "http://"}, "url: must start with"),
        ({"url": "http://ada:secret@x"}, "must not contain a user"),
        ({"key": "svc_1\n"}, "authorization: must be printable"),
        ({"timeout": 0}, "timeout: must be above 0"),
        ({"timeout": float("nan")}, "timeout: must be above 0"),
        ({"max_retries": -1}, "max_retries: must be 0 or more"),
        ({"agent_run_id": "rün"}, "X-Agent-Run-Id: must be printable"),
    ],
)
def test_invalid_options_are_refused_without_quoting_them(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        Holdfast(**{"key": "svc_1", **options})
    assert "secret" not in str(caught.value)


def test_url_and_key_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_KEY", raising=False)
    with pytest.raises(ValueError, match="set HOLDFAST_KEY"):
        Holdfast()
    monkeypatch.setenv("HOLDFAST_KEY", "svc_2")
    monkeypatch.setenv("HOLDFAST_URL", "https://memory.test/")
    with Holdfast() as client:
        assert client._connection.url == "https://memory.test"
        assert client._connection.headers["authorization"] == "Bearer svc_2"


def page(offset: int, *titles: str, more: bool) -> httpx.Response:
    tasks = [{"title": title} for title in titles]
    return answer(body={"tasks": tasks, "total": 3, "offset": offset, "hasMore": more, "limit": 2})


def test_pages_are_requested_when_they_are_needed(answering: Any) -> None:
    transport = answering(page(0, "a", "b", more=True), page(2, "c", more=False))
    first = connect(transport).list_tasks(limit=2)
    assert len(transport.requests) == 1
    assert [task.title for task in first] == ["a", "b", "c"]
    assert body_of(transport.requests[1]) == {"limit": 2, "offset": 2}
    assert first.response.status == 200


def test_an_empty_page_is_the_last(answering: Any) -> None:
    transport = answering(page(0, more=True))
    assert list(connect(transport).list_tasks()) == []
    assert len(transport.requests) == 1


def test_the_context_of_a_dead_server_is_an_error_not_an_exception(answering: Any) -> None:
    transport = answering(httpx.ConnectError("refused"))
    text, context, error = connect(transport).try_context(query="tabs")
    assert (text, context) == ("", None)
    assert isinstance(error, holdfast.HoldfastConnectionError)
    assert len(transport.requests) == 1


def test_a_run_ends_with_its_block(answering: Any) -> None:
    transport = answering(answer())
    with connect(transport).run() as run:
        run.update_task(task_id="t1")
    first, last = transport.requests
    assert first.headers["x-agent-run-id"] == run.id
    assert body_of(last) == {"event": "end"}
    assert last.headers["x-agent-run-id"] == run.id


def test_a_failed_end_does_not_hide_an_error_in_the_block(answering: Any) -> None:
    def work(client: Holdfast) -> None:
        with client.run():
            raise KeyError("mine")

    with pytest.raises(KeyError):
        work(connect(answering(answer(500, {}))))
    with pytest.raises(holdfast.ServerError), connect(answering(answer(500, {}))).run():
        pass


def in_async(
    test: Callable[[AsyncHoldfast], Any], transport: httpx.MockTransport, **options: Any
) -> Any:
    async def main() -> Any:
        http = httpx.AsyncClient(transport=transport)
        async with (
            http,
            AsyncHoldfast("http://h.test", "svc_1", http_client=http, **options) as one,
        ):
            return await test(one)

    return anyio.run(main)


def test_async_calls_retry_and_time_out_alike(answering: Any, pauses: list[float]) -> None:
    transport = answering(answer(503, {"error": "x", "retryAfter": 1}), answer())
    written = in_async(lambda client: client.write_memory(content="Tabs."), transport)
    assert written.created
    assert written.response.status == 200
    assert len(pauses) == 1
    assert 1.125 <= pauses[0] <= 1.25

    class Never(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await anyio.sleep_forever()
            raise AssertionError

    with pytest.raises(holdfast.HoldfastTimeoutError):
        in_async(lambda client: client.info(timeout=0.05), Never())  # type: ignore[arg-type]


def test_async_lists_are_awaited_or_iterated_over(answering: Any) -> None:
    async def read(client: AsyncHoldfast) -> tuple[int, list[str], list[int]]:
        first = await client.list_tasks(limit=2)
        titles = [task.title async for task in client.list_tasks(limit=2)]
        sizes = [len(page.tasks) async for page in client.list_tasks(limit=2).pages()]
        return first.total, titles, sizes

    two = [page(0, "a", "b", more=True), page(2, "c", more=False)]
    transport = answering(two[0], *two, *two)
    assert in_async(read, transport) == (3, ["a", "b", "c"], [2, 1])


def test_async_runs_end_with_their_block(answering: Any) -> None:
    async def work(client: AsyncHoldfast) -> None:
        async with client.run("r1") as run:
            await run.update_task(task_id="t1")

    transport = answering(answer())
    in_async(work, transport)
    assert [one.headers["x-agent-run-id"] for one in transport.requests] == ["r1", "r1"]
    assert body_of(transport.requests[1]) == {"event": "end"}


def test_cancelling_an_async_call_is_no_error_of_ours(answering: Any) -> None:
    async def work(client: AsyncHoldfast) -> bool:
        with anyio.move_on_after(0.05) as scope:
            await client.info()
        return scope.cancelled_caught

    class Never(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await anyio.sleep_forever()
            raise AssertionError

    assert in_async(work, Never())  # type: ignore[arg-type]
