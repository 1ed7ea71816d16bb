"""Names of fields in Python and on the wire: `memory_id` and `memoryId`."""

from __future__ import annotations

import re
from functools import lru_cache
from keyword import iskeyword

# Names that a model has itself. The generator adds an underscore to the same names.
_own_names = frozenset({"self", "timeout", "max_retries", "to_dict", "response", "pages"})


@lru_cache(maxsize=4096)
def to_attribute(name: str) -> str:
    """Returns the name of a field in Python."""
    words = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
    return (
        f"{words}_" if iskeyword(words) or words in _own_names or words.startswith("_") else words
    )


@lru_cache(maxsize=4096)
def to_wire(name: str) -> str:
    """Returns the name of a field on the wire. A name that is one already stays unchanged."""
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)
