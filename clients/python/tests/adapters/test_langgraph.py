"""The store and the checkpointer in graphs of the real package, and its own conformance suite."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, PutOp, SearchOp
from langgraph.types import Command, interrupt

from holdfast import Holdfast, ProposedError
from holdfast.langgraph import HoldfastStore
from holdfast.langgraph_checkpoint import HoldfastSaver

FOOD = ("users", "ada")


@pytest.fixture
def store(mine: Holdfast) -> HoldfastStore:
    return HoldfastStore(mine)


def test_items_are_put_got_replaced_and_deleted(store: HoldfastStore) -> None:
    assert store.get(FOOD, "food") is None
    store.put(FOOD, "food", {"likes": "pasta with [[basil]]", "n": [1, None]})
    item = store.get(FOOD, "food")
    assert item is not None
    assert (item.namespace, item.key) == (FOOD, "food")
    assert item.value == {"likes": "pasta with [[basil]]", "n": [1, None]}
    store.put(FOOD, "food", {"likes": "rice"})
    again = store.get(FOOD, "food")
    assert again is not None
    assert again.value == {"likes": "rice"}
    assert again.created_at == item.created_at
    assert again.updated_at > item.updated_at
    store.delete(FOOD, "food")
    assert store.get(FOOD, "food") is None
    store.put(FOOD, "food", {"likes": "soup"})
    assert store.search(("users",))[0].value == {"likes": "soup"}


def test_names_may_contain_anything(store: HoldfastStore) -> None:
    for names in (("a/b", "c"), ("a", "b/c"), ("A", "b/c"), ("a%2Fb", "ü 🌱")):
        store.put(names[:1], names[1], {"is": list(names)})
    assert store.get(("a/b",), "c").value == {"is": ["a/b", "c"]}  # type: ignore[union-attr]
    assert store.get(("A",), "b/c").value == {"is": ["A", "b/c"]}  # type: ignore[union-attr]
    assert store.search(("a%2Fb",))[0].key == "ü 🌱"
    with pytest.raises(ValueError, match="500 characters"):
        store.put(("x" * 400,), "y" * 200, {"a": 1})


def test_search_filters_ranks_and_pages(store: HoldfastStore) -> None:
    for at, text in enumerate(("pasta with basil", "the weather in May", "green soup with basil")):
        store.put(("users", str(at % 2)), f"k{at}", {"text": text, "at": at, "tag": "x"})
    assert {one.key for one in store.search(("users",))} == {"k0", "k1", "k2"}
    assert {one.key for one in store.search(("users", "0"))} == {"k0", "k2"}
    assert store.search(("user",)) == []
    assert [one.key for one in store.search((), filter={"at": {"$gte": 1, "$lt": 2}})] == ["k1"]
    assert {one.key for one in store.search((), filter={"at": {"$ne": 1}})} == {"k0", "k2"}
    assert store.search((), filter={"none": {"$gt": 0}}) == []
    with pytest.raises(ValueError, match=r"\$near"):
        store.search((), filter={"at": {"$near": 1}})
    pages = [store.search((), limit=2, offset=at) for at in (0, 2)]
    assert [len(one) for one in pages] == [2, 1]
    hits = store.search(("users",), query="basil", limit=2)
    assert {one.key for one in hits} == {"k0", "k2"}
    assert all(one.score is not None for one in hits)


def test_search_returns_every_item_that_matches(store: HoldfastStore) -> None:
    keys = [f"k{at:03}" for at in range(120)]
    store.batch([PutOp(("many",), key, {"text": f"entry {key}"}) for key in keys])
    store.put(("many",), "k070", {"text": "pasta with basil"})
    assert [one.key for one in store.search(("many",), limit=200)] == keys
    assert [one.key for one in store.search(("many",), limit=3, offset=105)] == keys[105:108]
    hits = [one.key for one in store.search(("many",), query="basil", limit=200)]
    assert hits[0] == "k070"
    assert sorted(hits) == keys
    assert hits[50:] == sorted(hits[50:])
    found = store.search(("many",), query="basil", filter={"text": "entry k119"})
    assert [one.key for one in found] == ["k119"]


def test_namespaces_are_listed(store: HoldfastStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d"), ("b",)):
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces() == [("a", "b", "c"), ("a", "b", "d"), ("b",)]
    assert store.list_namespaces(prefix=("a",), max_depth=2) == [("a", "b")]
    assert store.list_namespaces(prefix=("*", "b"), suffix=("d",)) == [("a", "b", "d")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "d")]


def test_a_batch_sees_its_own_writes(store: HoldfastStore) -> None:
    ops = [
        PutOp(("n",), "k", {"v": 1}),
        GetOp(("n",), "k"),
        SearchOp(("n",)),
        ListNamespacesOp(),
        PutOp(("n",), "k", None),
        GetOp(("n",), "k"),
    ]
    results = store.batch(ops)
    assert results[1].value == {"v": 1}  # type: ignore[union-attr]
    assert len(results[2]) == 1  # type: ignore[arg-type]
    assert results[3] == [("n",)]
    assert results[5] is None
    assert asyncio.run(store.abatch(ops))[1].value == {"v": 1}  # type: ignore[union-attr]


def test_notes_that_people_changed_are_no_items(store: HoldfastStore, mine: Holdfast) -> None:
    for key in ("a", "b", "c"):
        store.put(("n",), key, {"v": 1})
    notes = {one.title: one.note_id for one in mine.list_notes()}
    mine.update_note(note_id=notes["n/a"], title="Renamed")
    mine.update_note(note_id=notes["n/b"], content="Not JSON.")
    assert [one.key for one in store.search(("n",))] == ["c"]
    assert store.get(("n",), "b") is None


def test_a_proposed_change_is_an_error(server: Any) -> None:
    vault = server.make_vault("Proposed")
    with Holdfast(server.url, server.make_key("One", vault=vault)) as one:
        HoldfastStore(one).put(("n",), "k", {"v": 1})
    draft = {
        "label": "Two",
        "preset": "read_write",
        "restrictToVault": True,
        "vaults": [{"vaultId": vault}],
        "writePolicy": {"persons": "ask", "agents": "ask"},
    }
    made = server.ask("POST", "/api/integrations", draft)["integration"]
    key = server.ask("POST", "/api/keys", {"integrationId": made["id"]})["agentKey"]
    with Holdfast(server.url, key) as two:
        with pytest.raises(ProposedError):
            HoldfastStore(two).put(("n",), "k", {"v": 2})


class State(TypedDict):
    steps: Annotated[list[str], lambda old, new: [*old, *new]]


def remember(state: State, *, store: BaseStore) -> dict[str, Any]:
    store.put(("graph",), "last", {"steps": len(state["steps"])})
    return {"steps": ["remembered"]}


def ask(state: State) -> dict[str, Any]:
    return {"steps": [interrupt("Go on?")]}


def test_a_graph_is_interrupted_and_resumed_by_another_program(mine: Holdfast) -> None:
    def compile_graph() -> Any:
        graph = StateGraph(State)
        graph.add_node("remember", remember)
        graph.add_node("ask", ask)
        graph.add_edge(START, "remember")
        graph.add_edge("remember", "ask")
        graph.add_edge("ask", END)
        return graph.compile(store=HoldfastStore(mine), checkpointer=HoldfastSaver(mine))

    config = {"configurable": {"thread_id": "t1"}}
    stopped = compile_graph().invoke({"steps": ["begun"]}, config)
    assert stopped["__interrupt__"][0].value == "Go on?"
    graph = compile_graph()
    assert graph.get_state(config).next == ("ask",)
    done = graph.invoke(Command(resume="yes"), config)
    assert done["steps"] == ["begun", "remembered", "yes"]
    assert HoldfastStore(mine).get(("graph",), "last").value == {"steps": 1}  # type: ignore[union-attr]
    history = list(graph.get_state_history(config))
    assert [one.next for one in history] == [(), ("ask",), ("remember",), ("__start__",)]

    async def resume() -> Any:
        other = {"configurable": {"thread_id": "t2"}}
        await compile_graph().ainvoke({"steps": []}, other)
        return await compile_graph().ainvoke(Command(resume="no"), other)

    assert asyncio.run(resume())["steps"] == ["remembered", "no"]
    graph.checkpointer.delete_thread("t1")
    assert graph.get_state(config).next == ()
    assert list(graph.get_state_history(config)) == []


def test_the_checkpointer_conforms(mine: Holdfast) -> None:
    @checkpointer_test(name="HoldfastSaver")
    async def saver() -> Any:
        # Each test gets its own threads.
        yield HoldfastSaver(mine, folder=f"checkpoints-{uuid.uuid4()}")

    report = asyncio.run(validate(saver))
    assert report.passed_all_base(), report.to_dict()


def test_a_state_that_is_too_large_is_refused(mine: Holdfast) -> None:
    import secrets

    from langgraph.checkpoint.base import empty_checkpoint

    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {"big": secrets.token_bytes(400_000)}
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    with pytest.raises(ValueError, match="500000 characters"):
        HoldfastSaver(mine).put(config, checkpoint, {}, {})
