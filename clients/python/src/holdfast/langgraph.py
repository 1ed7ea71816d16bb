"""LangGraph's long-term memory in Holdfast: `graph.compile(store=HoldfastStore(client))`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from ._needs import needs
from ._notes import (
    create_first,
    hash_tag,
    list_notes,
    list_oldest,
    print_block,
    read_block,
    read_notes,
    refuse_proposal,
)

with needs("langgraph"):
    import anyio.to_thread
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )

if TYPE_CHECKING:
    from ._client import Holdfast
    from .models import Note, NoteOutline

_max_hits = 50
_max_title_chars = 500

Names = tuple[str, ...]


class HoldfastStore(BaseStore):
    """LangGraph's long-term memory.

    An item is a note with the title `namespace/…/key` (at most 500 characters) and the value as
    JSON. Notes that people have changed so that they are no longer valid items are ignored.
    Deleted items go to the trash. Items don't expire.

    A search with a query returns all items that match: first those whose values are nearest in
    meaning, at most 50, with a score; then the others in the order of their creation, without a
    score. A search without a query returns items in the order of their creation. Search covers the
    whole value; `index` is ignored.
    """

    def __init__(self, client: Holdfast, *, folder: str = "langgraph") -> None:
        """The folder of the notes is created if it doesn't exist."""
        self._client = client
        self._folder = folder

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs the operations one after the other, so each sees the writes before it."""
        return [self._run(one) for one in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await anyio.to_thread.run_sync(self.batch, list(ops))

    def _run(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op.namespace, op.key)
        if isinstance(op, PutOp):
            return self._put(op.namespace, op.key, op.value)
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._list_namespaces(op)

    def _get(self, namespace: Names, key: str) -> Item | None:
        found = [one.note_id for one in self._find(namespace, key)][:1]
        for note in read_notes(self._client, found):
            return _parse_item(note, (*namespace, key))
        return None

    def _put(self, namespace: Names, key: str, value: Mapping[str, Any] | None) -> None:
        found = [one.note_id for one in self._find(namespace, key)]
        if value is None:
            for note_id in found:
                refuse_proposal(self._client.delete_note(note_id=note_id))
            return
        content = print_block(json.dumps(value, indent=1, ensure_ascii=False))
        existing = found[0] if found else self._create(namespace, key, content)
        if existing is not None:
            # Restores the note if someone has deleted it since, because this put is later.
            refuse_proposal(
                self._client.update_note(note_id=existing, content=content, trashed=False)
            )

    def _create(self, namespace: Names, key: str, content: str) -> str | None:
        """Returns None, or the id of the note that someone else created at the same time."""
        title = "/".join(_escape(name) for name in (*namespace, key))
        if len(title) > _max_title_chars:
            raise ValueError(
                f"namespace and key can have {_max_title_chars} characters together, "
                f"but have {len(title)}"
            )
        return create_first(
            self._client,
            self._item_tag((*namespace, key)),
            tags=[self._prefix_tag(namespace[:depth]) for depth in range(len(namespace) + 1)],
            title=title,
            content=content,
            folder=self._folder,
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        tag = self._prefix_tag(op.namespace_prefix)
        wanted = op.offset + op.limit
        scores = self._rank(tag, op.query) if op.query else {}
        # Without a filter, read only as many as requested.
        page_size = _max_hits if op.filter else min(_max_hits, max(1, wanted))
        found: list[SearchItem] = []
        for note in self._read_ranked(tag, list(scores), page_size):
            item = self._to_item(note)
            if item is None or not _matches_filter(item.value, op.filter or {}):
                continue
            score = scores.get(note.note_id)
            found.append(
                SearchItem(
                    item.namespace, item.key, item.value, item.created_at, item.updated_at, score
                )
            )
            if len(found) >= wanted:
                break
        return found[op.offset : wanted]

    def _rank(self, tag: str, query: str) -> dict[str, float | None]:
        """Returns the scores of the nearest notes, best first; None if found by words."""
        hits = self._client.semantic_search(query=query, tags=[tag], top_k=_max_hits, threshold=0)
        return {hit.note_id: hit.similarity for hit in hits.notes}

    def _read_ranked(self, tag: str, ranked: list[str], page_size: int) -> Iterator[Note]:
        """Reads the ranked notes, and then the others, oldest first."""
        others = (one.note_id for one in list_oldest(self._client, tag))
        known = set(ranked)
        ids = itertools.chain(ranked, (one for one in others if one not in known))
        while page := list(itertools.islice(ids, page_size)):
            yield from read_notes(self._client, page)

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Names]:
        found: set[Names] = set()
        for outline in list_notes(self._client, self._prefix_tag(())):
            names = self._parse_names(outline)
            if names is None:
                continue
            namespace = names[:-1]
            if all(_matches(namespace, condition) for condition in op.match_conditions or ()):
                found.add(namespace[: op.max_depth])
        return sorted(found)[op.offset : op.offset + op.limit]

    def _find(self, namespace: Names, key: str) -> list[NoteOutline]:
        """Newest first. Two puts at the same time may both have created a note."""
        return list(list_notes(self._client, self._item_tag((*namespace, key))))

    def _item_tag(self, names: Names) -> str:
        return hash_tag("item", self._folder, *names)

    def _prefix_tag(self, namespace: Names) -> str:
        return hash_tag("namespace", self._folder, *namespace)

    def _to_item(self, note: Note) -> Item | None:
        names = self._parse_names(note)
        return None if names is None else _parse_item(note, names)

    def _parse_names(self, note: Note | NoteOutline) -> Names | None:
        """Parses namespace and key from the title. None if someone has renamed the note."""
        names = tuple(unquote(name) for name in note.title.split("/"))
        return names if self._item_tag(names) in note.tags else None


def _escape(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def _parse_item(note: Note, names: Names) -> Item | None:
    """None if someone has changed the note so that it is no longer a JSON object."""
    try:
        value: object = json.loads(read_block(note.content))
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    return Item(
        value=cast("dict[str, Any]", value),
        key=names[-1],
        namespace=names[:-1],
        created_at=note.created_at,
        updated_at=note.updated_at,
    )


_comparisons: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}


def _matches_filter(value: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(_compare(value.get(field), one) for field, one in wanted.items())


def _compare(value: Any, wanted: Any) -> bool:
    """Compares with a value, or with an object of comparisons."""
    operations = cast("dict[str, Any]", wanted) if isinstance(wanted, dict) else {}
    if not operations or not all(name.startswith("$") for name in operations):
        return value == wanted
    for name, operand in operations.items():
        if name not in _comparisons:
            raise ValueError(f"Unknown comparison {name}")
        # What isn't there is neither more nor less.
        if value is None and name not in ("$eq", "$ne"):
            return False
        if not _comparisons[name](value, operand):
            return False
    return True


def _matches(namespace: Names, condition: MatchCondition) -> bool:
    path = condition.path
    names = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(names) == len(path) and all(
        wanted in ("*", name) for name, wanted in zip(names, path, strict=True)
    )
