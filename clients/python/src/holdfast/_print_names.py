"""How texts for a model name who wrote something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._marks import name_line

if TYPE_CHECKING:
    from ._generated.models import (
        ChangedBy,
        ContextMemorySource,
        MemorySource,
        PendingMessageSource,
        SessionStartDocument,
        SessionStartDocumentSource,
    )

# What stands for the person. No printed name looks like it, because one with a blank is in quotes.
_the_person = "the person"
# Our own words, which are never printed for a name without quotes. The server refuses such names,
# but older ones are stored.
_own_words = frozenset({"user", "you", "person", "holdfast", "template", "imported"})
_plain_name = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@/+-]*")
_quotes = re.compile('["“”„‟«»〝〞〟＂]')
_max_name_chars = 60


def print_name(name: str) -> str:
    """Prints the name that an agent gave itself.

    It cannot end its place in a line and go on as our words: it is unchanged if it is one plain
    word, otherwise in quotes.
    """
    line = _quotes.sub("'", name_line(name))
    if len(line) > _max_name_chars:
        # The cut may part an emoji.
        line = name_line(f"{line[: _max_name_chars - 1]}…")
    is_plain = _plain_name.fullmatch(line) is not None and line.lower() not in _own_words
    return line if is_plain else f'"{line}"'


def print_party(agent_id: str, key_label: str | None) -> str:
    """Prints the person, or the name that an agent gave, with its key's label if that differs."""
    if agent_id == "user":
        return _the_person
    return _with_key(agent_id, key_label)


def _with_key(agent_id: str, key_label: str | None) -> str:
    name = print_name(agent_id)
    return name if key_label is None else f"{name} (key: {print_name(key_label)})"


def print_sender(source: PendingMessageSource) -> str:
    """Prints the sender of a message: `by planner (key: Evil)`."""
    name = source.agent_id
    if source.trust == "imported":
        return "imported" if name == "imported" else f"imported, by {print_name(name)}"
    is_person = source.sender_type == "user"
    return f"by {_the_person if is_person else _with_key(name, source.key_label)}"


def print_writers(source: ContextMemorySource) -> str:
    """Prints who shaped a text: `by the person, changed by codex`. Empty if the author is unknown.

    What an agent had a hand in never reads as the person's own words, and the author of what a
    file brought is a claim: `imported, by codex`.
    """
    return _join_writers(
        source.agent_id,
        source.key_label,
        source.trust,
        source.changed_by,
        source.changed_by_key_label,
    )


def name_document_writers(document: SessionStartDocument) -> str:
    """Names the writers of a document, for a place that says "from" itself."""
    source = document.source
    if source is None:
        return "the template"
    printed = print_record_writers(source.agent_id, source, document.changed_by)
    return printed.removeprefix("by ") or "an unknown agent"


def print_record_writers(
    agent_id: str | None,
    source: MemorySource | SessionStartDocumentSource,
    changed_by: ChangedBy | None,
) -> str:
    """Like `print_writers`, for a record that says more about who changed it."""
    changer, changer_label = None, None
    if changed_by is not None:
        author = (source.integration_id, agent_id)
        is_author = (changed_by.integration_id, changed_by.agent_id) == author
        # What a file says about changes is a claim; an integration or the person may have its name.
        if not is_author and not changed_by.route.startswith("import"):
            changer = changed_by.agent_id or changed_by.route
            changer_label = changed_by.key_label
    return _join_writers(agent_id, source.key_label, source.trust, changer, changer_label)


def print_removal(removed_by: ChangedBy) -> str:
    """Names who removed the text of a vault's document."""
    name = print_party(removed_by.agent_id or removed_by.route, removed_by.key_label)
    return f"by {name}; versions are kept"


def _join_writers(
    agent_id: str | None,
    key_label: str | None,
    trust: str,
    changed_by: str | None,
    changed_by_key_label: str | None,
) -> str:
    is_mixed = changed_by is None and agent_id == "user" and trust == "agent_authored"
    parts = [
        "imported" if trust == "imported" else "",
        "" if agent_id is None else f"by {print_party(agent_id, key_label)}",
        "" if changed_by is None else f"changed by {print_party(changed_by, changed_by_key_label)}",
        "with changes by agents" if is_mixed else "",
    ]
    return ", ".join(part for part in parts if part)
