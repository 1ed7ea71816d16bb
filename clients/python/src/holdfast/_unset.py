"""What stands for an argument that was not given, where None has a meaning of its own."""

from __future__ import annotations

from enum import Enum


class Unset(Enum):
    """The type of UNSET. An enumeration, because type checkers can tell its only member apart."""

    UNSET = "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET = Unset.UNSET
