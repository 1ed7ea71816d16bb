"""The base of what the server answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, NoReturn

from ._names import to_attribute

Reader = Callable[[Any], Any]


class Model:
    """An object of an answer. Its attributes can't be changed.

    Fields that this version of the client doesn't know become attributes too, so a newer server
    breaks nothing. A field that the server left out is None if it is optional, and otherwise has no
    attribute.
    """

    __slots__ = ("__dict__", "_wire")

    _wire: Mapping[str, Any]
    _readers: ClassVar[Mapping[str, Reader]] = {}

    def __init__(self, wire: Mapping[str, Any]) -> None:
        """Reads an object as it is on the wire, with names such as `memoryId`."""
        object.__setattr__(self, "_wire", wire)
        readers = self._readers
        fields = self.__dict__
        for name, value in wire.items():
            reader = readers.get(name)
            fields[to_attribute(name)] = value if reader is None or value is None else reader(value)

    def to_dict(self) -> dict[str, Any]:
        """Returns the object as the server sent it: names such as `memoryId`, times as text."""
        return dict(self._wire)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # Lists and dictionaries within it have no hash.

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({fields})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} can't be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} can't be deleted")

    def __reduce__(self) -> tuple[type, tuple[Mapping[str, Any]]]:
        return type(self), (self._wire,)


@dataclass(frozen=True)
class Response:
    """What came with an answer."""

    status: int
    request_id: str | None
    """Identifies the request in the server's log."""
    headers: Mapping[str, str]


class Answer(Model):
    """The answer to a call."""

    __slots__ = ("_fetch", "_response")

    _response: Response

    @property
    def response(self) -> Response:
        """Status, request id and headers."""
        return self._response


def parse_time(value: Any) -> Any:
    """Parses a time, which the server always sends in UTC."""
    # Before Python 3.11, fromisoformat doesn't know the Z.
    return datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else value


def many(reader: Reader) -> Reader:
    """Reads each value of a list."""
    return lambda values: [reader(value) for value in values]


def by_key(reader: Reader) -> Reader:
    """Reads each value of an object whose keys are data."""
    return lambda values: {key: reader(value) for key, value in values.items()}
