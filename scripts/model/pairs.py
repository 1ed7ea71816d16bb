"""Pairs of texts that belong together: one file a source, a pair a line, as `["one", "other"]` (.jsonl) or `one<tab>other` (.tsv)."""

import json
import random
from pathlib import Path

import numpy as np

from word_pieces import WordPieces

MAX_TOKENS = 32
# Of each source, kept out of the training: a hundredth, at most so many.
MAX_HELD_OUT = 500

Pair = tuple[str, str]


def read_pairs(path: Path) -> list[Pair]:
    pairs: list[Pair] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        pair = json.loads(line) if path.suffix == ".jsonl" else line.split("\t")
        if len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            raise ValueError(f"{path.name}, line {number}: not two texts")
        pairs.append((pair[0], pair[1]))
    return pairs


class Texts:
    """Rows of many texts, one after another: what a batch is gathered from."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.lengths = np.array([len(each) for each in rows], np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]]).astype(np.int64)
        self.rows = np.array([row for each in rows for row in each], np.int32)

    def batch(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the texts at these places, one after another, and the length of each."""
        lengths = self.lengths[places]
        shift = np.repeat(self.starts[places] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        return self.rows[shift + np.arange(lengths.sum())], lengths


class Source:
    """One file of pairs, cut to rows; pairs with a side of which the vocabulary knows nothing, or with two equal sides, are left out."""

    def __init__(self, name: str, pairs: list[Pair], word_pieces: WordPieces, seed: int) -> None:
        cut = [(pair, word_pieces(pair[0])[:MAX_TOKENS], word_pieces(pair[1])[:MAX_TOKENS]) for pair in dict.fromkeys(pairs)]
        usable = [each for each in cut if each[1] and each[2] and each[1] != each[2]]
        random.Random(f"{seed} {name}").shuffle(usable)
        held_out = min(len(usable) // 100, MAX_HELD_OUT)
        self.name = name
        self.held_out, self.pairs = ([pair for pair, *_ in part] for part in (usable[:held_out], usable[held_out:]))
        self.sides = tuple(Texts([each[side] for each in usable[held_out:]]) for side in (1, 2))


def read_sources(folder: Path, word_pieces: WordPieces, seed: int) -> list[Source]:
    """Fails where there is no file, or a file in which nothing is usable: a typing error is not to be a worse table."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".jsonl", ".tsv"))
    if not paths:
        raise ValueError(f"{folder} holds no .jsonl or .tsv of pairs")
    sources = [Source(path.stem, read_pairs(path), word_pieces, seed) for path in paths]
    for source in sources:
        if not source.pairs:
            raise ValueError(f"No pair of {source.name} can be used")
    return sources
