"""WordPiece as packages/server/src/embeddings/static-model.ts cuts it: the table is trained on what the product will look up."""

import re
import sys
import unicodedata

MAX_WORD_CHARS = 100


def _class_of(*categories: str) -> str:
    """What stands between the brackets of a pattern for the characters of these categories: ranges of them."""
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if not unicodedata.category(chr(code)).startswith(categories):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


# Signs, and the ideographs that BERT takes each for a word of its own.
_alone = _class_of("P") + re.escape("$+<=>^`|~") + "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf\U0002f800-\U0002fa1f"
_word_or_sign = re.compile(f"[{_alone}]|[^\\s{_alone}]+")
_unseen = re.compile(f"[{_class_of('Mn', 'Cc', 'Cf', 'Co', 'Cs')}\ufffd]")
# The same for plain English, some twenty times as fast.
_ascii_word_or_sign = re.compile(r"[!-/:-@\[-`{-~]|[^\s!-/:-@\[-`{-~]+")
_ascii_unseen = re.compile(r"[\x00-\x1f\x7f]")


def words_of(text: str) -> list[str]:
    """Words, signs and ideographs: lower case, accents off."""
    spaced = text.replace("\t", " ").replace("\n", " ").replace("\r", " ")
    if spaced.isascii():
        return _ascii_word_or_sign.findall(_ascii_unseen.sub("", spaced.lower()))
    return _word_or_sign.findall(_unseen.sub("", unicodedata.normalize("NFD", spaced.lower())))


class WordPieces:
    def __init__(self, vocabulary: list[str]) -> None:
        self.rows = {token: row for row, token in enumerate(vocabulary)}
        self._known: dict[str, list[int]] = {}

    def word(self, word: str) -> list[int]:
        """Rows of one word's longest pieces; empty where it cannot be cut whole."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._cut(word)
        return known

    def _cut(self, word: str) -> list[int]:
        rows: list[int] = []
        start = 0
        while start < len(word) <= MAX_WORD_CHARS:
            prefix = "##" if start > 0 else ""
            for end in range(len(word), start, -1):
                row = self.rows.get(prefix + word[start:end])
                if row is not None:
                    break
            else:
                return []
            rows.append(row)
            start = end
        return rows

    def __call__(self, text: str) -> list[int]:
        return [row for word in words_of(text) for row in self.word(word)]
