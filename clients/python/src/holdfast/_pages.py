"""Answers that come in pages.

If others add or remove records in the meantime, an item may come twice or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

if TYPE_CHECKING:
    import sys
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing_extensions import Self

Item = TypeVar("Item")
Output = TypeVar("Output")


class Page(Generic[Item]):
    """A page. It requests the following ones when they are needed."""

    __slots__ = ()

    _items: ClassVar[str]
    _fetch: Callable[[int], Self]

    def pages(self) -> Iterator[Self]:
        """Iterates over this page and the following ones."""
        page: Self | None = self
        while page is not None:
            yield page
            offset = next_offset(page, self._items)
            page = None if offset is None else self._fetch(offset)

    def __iter__(self) -> Iterator[Item]:
        """Iterates over the items of this page and the following ones."""
        for page in self.pages():
            yield from cast("list[Item]", getattr(page, self._items))


class AsyncPages(Generic[Output, Item]):
    """A list that has not been requested yet: awaiting it returns its first page."""

    __slots__ = ("_fetch", "_items", "_start")

    def __init__(self, items: str, start: int, fetch: Callable[[int], Awaitable[Output]]) -> None:
        self._items = items
        self._start = start
        self._fetch = fetch

    def __await__(self) -> Generator[Any, Any, Output]:
        return self._fetch(self._start).__await__()

    async def pages(self) -> AsyncIterator[Output]:
        """Iterates over the pages, including the first."""
        offset: int | None = self._start
        while offset is not None:
            page = await self._fetch(offset)
            yield page
            offset = next_offset(page, self._items)

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Iterates over the items of all pages."""
        async for page in self.pages():
            for item in cast("list[Item]", getattr(page, self._items)):
                yield item


def next_offset(page: Any, items: str) -> int | None:
    """Returns where the next page begins, or None after the last one."""
    count = len(getattr(page, items))
    return page.offset + count if page.has_more and count > 0 else None
