"""Notes as the store of adapters.

People can read them in the dashboard, and deleted ones go to the trash. Formats and tags are those
of the TypeScript client's adapters, so programs in both languages share what they store.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from ._errors import ProposedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ._client import Holdfast
    from ._generated.models import Note, NoteOutline, Proposal

PAGE_SIZE = 100
READ_AT_ONCE = 50
MAX_NOTE_CHARS = 500_000


def list_notes(client: Holdfast, tag: str) -> Iterator[NoteOutline]:
    """Lists the notes with a tag, newest first."""
    yield from client.list_notes(tags=[tag], limit=PAGE_SIZE)


def read_listed(client: Holdfast, tag: str, limit: int = READ_AT_ONCE) -> Iterator[Note]:
    """Reads the same notes in full. Requests each page only when needed."""
    for page in client.list_notes(tags=[tag], limit=limit).pages():
        yield from read_notes(client, [one.note_id for one in page.notes])


def list_oldest(client: Holdfast, tag: str) -> Iterator[NoteOutline]:
    """Lists the same notes oldest first. Notes that are added meanwhile are listed too."""
    first = client.list_notes(tags=[tag], limit=PAGE_SIZE)
    if not first.has_more:
        yield from reversed(first.notes)
        return
    total = left = first.total
    while left > 0:
        offset = max(0, left - PAGE_SIZE)
        page = client.list_notes(tags=[tag], limit=left - offset, offset=offset)
        # Notes count from the newest, so a new one moves the others.
        left += page.total - total
        if page.total == total:
            yield from reversed(page.notes)
            left = offset
        total = page.total


def read_notes(client: Holdfast, note_ids: Sequence[str]) -> Iterator[Note]:
    """Reads notes in full, in this order, without the ones that no longer exist."""
    for start in range(0, len(note_ids), READ_AT_ONCE):
        some = note_ids[start : start + READ_AT_ONCE]
        for note in client.read_notes(note_ids=some).notes:
            if note.status == "active":
                yield note


def create_first(
    client: Holdfast, tag: str, *, title: str, content: str, folder: str, tags: Iterable[str] = ()
) -> str | None:
    """Creates the only live note with a tag. Returns None, or the id of the one that exists.

    If several programs do so at the same time, one creates it and the others get that note,
    because all derive the same external_write_id from the last note that had the tag.
    """
    last = next(iter(client.list_notes(tags=[tag], include_trashed=True, limit=1).notes), None)
    if last is not None and last.status == "active":
        return last.note_id
    write_id = hash_tag("write", tag, "" if last is None else last.note_id)
    made = client.create_note(
        title=title,
        content=content,
        folder_path=folder,
        tags=[tag, *tags],
        external_write_id=write_id,
    )
    return None if made.created else made.note_id


def refuse_proposal(answer: Any) -> None:
    """Raises if a change was only proposed, because someone else wrote the record."""
    proposal: Proposal | None = answer.proposal
    if proposal is not None:
        raise ProposedError(str(proposal.message), status=answer.response.status)


def hash_tag(kind: str, *words: str) -> str:
    """Returns a tag that identifies exactly these words.

    The words themselves can't be tags, because tags ignore case and white space and have at most
    100 characters.
    """
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    return f"{kind}-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def print_block(text: str) -> str:
    """Puts JSON into a code block, because `[[…]]` elsewhere in a note is a link."""
    return f"```json\n{text}\n```"


def read_block(content: str) -> str:
    """Returns what is between the first and the last line."""
    return content[content.find("\n") + 1 : content.rfind("\n")]
