"""Marks around recalled text.

They tell the server not to extract it again, and a model where data starts and ends.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

# From Unicode's confusables, in lower case: each letter of "holdfast", and the letters of related
# alphabets that look like it without being that letter with an accent or in another font.
_look_alikes = (
    "hħɦⱨηнһћңһӈӊꚕհ",
    "o0øɵᴏᴑꝋꬽꬾθοσоѳөօ",
    "l1i|łƚǀɨɩɫɭιіӏ∣│",
    "dðđƌɖɗԁ",
    "fƒᵮẝꞙꬵϝք",
    "aɑαа",
    "sƽʂᵴꜱѕտ",
    "tŧƭʈᵵⱦτтҭ",
)
_meant = {ord(one): letters[0] for letters in _look_alikes for one in letters[1:]}

# Seven characters are "holdfast" with its last two letters as one.
_after_bracket = re.compile("[<﹤＜˂ᐸᚲ❮]([^<﹤＜˂ᐸᚲ❮]{7,})")
_slashes = "/\\⁄∕╱⟋⧸∖⟍⧵⧹"
_dashes = "_˗۔⁃−➖"  # Besides those that Unicode calls dashes.

# Ignorable characters that are letters: the others are format or control characters, or marks.
_ignorable_letters = frozenset("\u115f\u1160\u3164\uffa0")


def mark_recalled(text: str, vault: str | None = None) -> str:
    """Puts recalled text between marks.

    Marks in the text itself lose their bracket, so stored text cannot close the marks early.
    """
    return fence_recalled(defuse_marks(text), vault, new_boundary())


def fence_recalled(text: str, vault: str | None, boundary: str) -> str:
    """Like `mark_recalled`, for text whose stored parts are already defused."""
    name = ""
    if vault is not None:
        quoted = re.sub('["<>]', "'", defuse_marks(name_line(vault)))
        name = f' vault="{quoted}"'
    return f"<holdfast-recall-{boundary}{name}>\n{text}\n</holdfast-recall-{boundary}>"


def new_boundary() -> str:
    """Creates what only the marks of one answer have. No text stored before can know it."""
    return secrets.token_hex(6)


# A picture, its color or style, and what joins it to the next picture: 👩‍💻, ❤️.
_picture = "(?!\u2800)[©®™↔↕\u2300-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
_needed = f"{_picture}[\ufe0f\U0001f3fb-\U0001f3ff]?(?:\u200d(?={_picture}))?"
_hidden = (
    "[\u034f\u17b4\u17b5\u180b-\u180f\u2065\u2800\ufe00-\ufe0f\ufff0-\ufff8\U000e0000-\U000e0fff"
    + "".join(sorted(_ignorable_letters))
    + "]"
)
_needed_or_hidden = re.compile(f"({_needed})|({_hidden})|.", re.DOTALL)


def name_line(name: str) -> str:
    """Returns a name on one line, without invisible characters.

    Only emoji keep what makes them one.
    """
    seen = _needed_or_hidden.sub(_seen, name)
    blanks = "".join(" " if unicodedata.category(one) == "Cc" else one for one in seen)
    return " ".join(blanks.split())


def _seen(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1]
    return "" if found[2] is not None or unicodedata.category(found[0]) == "Cf" else found[0]


def defuse_marks(text: str) -> str:
    """Changes stored text so it can neither open nor close one of our marks, or look as if.

    Keeps its length. Runs in linear time.
    """
    return _after_bracket.sub(
        lambda found: f"‹{found[1]}" if _is_mark(_read_text(found[1])) else found[0], text
    )


def _read_text(text: str) -> str:
    """Returns what a reader takes a text for."""
    # Removes accents first, because sorting a long row of them isn't linear.
    letters = unicodedata.normalize("NFKD", _without_unseen(text)).lower()
    return _without_unseen(letters).translate(_meant)


def _without_unseen(text: str) -> str:
    """Removes what no reader sees, or only on another letter: blanks, controls, accents."""
    return "".join(
        one
        for one in text
        if not one.isspace()
        and one not in _ignorable_letters
        and unicodedata.category(one)[0] not in "CM"
    )


def _is_mark(text: str) -> bool:
    """Recognizes our marks, also without their dash, which may be invisible."""
    name = text.lstrip(_slashes)
    if not name.startswith("holdfast"):
        return False
    rest = name[len("holdfast") :]
    is_dash = rest[:1] != "" and (rest[0] in _dashes or unicodedata.category(rest[0]) == "Pd")
    return is_dash or rest.startswith(("recall", "item", "document"))
