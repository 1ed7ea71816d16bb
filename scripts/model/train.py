"""Makes a table of vectors for the product from a teacher and pairs of texts. README.md says how and from what."""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np

from pairs import MAX_TOKENS, Source, Texts, read_sources
from table_file import quantise, restore, write_table
from teacher import Teacher
from training import WIDTHS, Table, to_unit, train
from word_pieces import WordPieces

DIMS = 256
# How much a row counts in a text's mean before training: a / (a + p), p the share of its word in a text (Arora et al. 2017).
RARITY = 1e-4

REFERENCE_TEXTS = (
    "", " ", "a", "The cat sleeps.", "the CAT sleeps", "Configure PostgreSQL on port 5432.", "Zoë likes naïve cafés",
    "She moved from Lisbon to Oslo in March 2021.", "We decided against microservices.", "I never drink coffee after four.",
    "const total = items.reduce((sum, item) => sum + item.price, 0)", "HOLDFAST_DATA=/var/lib/holdfast", "v2.14.0-rc.1",
    "name@example.org", "3.14159", "¿Dónde está la estación?", "Straße nach Zürich", "İstanbul", "ΟΔΟΣ", "Москва", "港口在城市的北边",
    "東京タワー", "한국어 문장", "الميناء", "שלום", "नमस्ते", "🚢⚓️👩🏽‍🚀", "Z̴a̵l̴g̸o̶", "zero\u200bwidth", "no\u00a0break", "tab\tand\nline",
    "\ufdfa", "ﬁne ligature", "\U0001d400\U0001d401", "!?…—", "$5 + 3 < 10 ^ 2 | ~`=>", "don't", "x" * 101, "antidisestablishmentarianism",
    "The meeting about the budget is on Friday at ten; Maria brings the figures, Tom the room.",
)  # fmt: skip


def starting_rows(teacher: Teacher, directions: np.ndarray) -> np.ndarray:
    """Each token alone through the teacher, on the main directions; special and unused tokens stay zero."""
    is_word = np.array([not (token.startswith("[") and token.endswith("]") and len(token) > 2) for token in teacher.vocabulary])
    words = np.flatnonzero(is_word)
    rows = np.zeros((len(is_word), directions.shape[1]), np.float32)
    rows[words] = teacher.embed_rows([[int(row)] for row in words]) @ directions
    # The vocabulary is in the order of frequency: Zipf's law tells the rest.
    share = 1 / np.arange(1, len(words) + 1)
    share /= share.sum()
    rows[words] *= (RARITY / (RARITY + share))[:, None]
    return rows


def main_directions(vectors: np.ndarray, dims: int) -> np.ndarray:
    """Not centred: cosines are to stay."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(directions[:, ::-1][:, :dims])


def short_texts(sources: list[Source], word_pieces: WordPieces, count: int, seed: int) -> list[str]:
    """Different texts of all sources, as many of each, that are no longer than what a batch takes of them."""
    chosen: dict[str, None] = {}
    for source in sources:
        texts = [text for text in dict.fromkeys(text for pair in source.pairs for text in pair)]
        random.Random(f"{seed} {source.name}").shuffle(texts)
        fitting = (text for text in texts if 0 < len(word_pieces(text)) <= MAX_TOKENS)
        chosen.update(dict.fromkeys(text for text, _ in zip(fitting, range(-(-count // len(sources))))))
    return list(chosen)


def embed(texts: list[str], rows: np.ndarray, word_pieces: WordPieces, width: int = DIMS) -> np.ndarray:
    """As the product does it: the mean, at length 1; zeros where nothing is known."""
    sums = np.array([rows[word_pieces(text)].sum(axis=0)[:width] for text in texts], np.float32).reshape(-1, width)
    return to_unit(sums)[0]


def spearman(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def judge(source: Source, rows: np.ndarray, teacher: Teacher) -> dict[str, object]:
    """On pairs that were held out: whose partner is nearest among them all, and how its cosines rank beside the teacher's."""
    one, other = ([pair[side] for pair in source.held_out] for side in (0, 1))
    taught = [teacher.embed_texts(side, MAX_TOKENS) for side in (one, other)]
    # Partners and as many strangers.
    strangers = np.roll(np.arange(len(one)), 1)
    cosines = lambda a, b: np.concatenate([(a * b).sum(axis=1), (a * b[strangers]).sum(axis=1)])
    report: dict[str, object] = {"pairs": len(source.pairs), "held out": len(one)}
    for width in WIDTHS:
        vectors = [embed(side, rows, teacher.word_pieces, width) for side in (one, other)]
        nearest = (vectors[0] @ vectors[1].T).argmax(axis=1)
        report[str(width)] = {
            "nearest is partner": round(float(np.mean(nearest == np.arange(len(one)))), 4),
            "spearman with teacher": round(spearman(cosines(*vectors), cosines(*taught)), 4),
        }
    report["teacher"] = {
        "nearest is partner": round(float(np.mean((taught[0] @ taught[1].T).argmax(axis=1) == np.arange(len(one)))), 4)
    }
    return report


def write_reference(path: Path, rows: np.ndarray, word_pieces: WordPieces) -> None:
    """Texts and their vectors, to test an encoder against; of a text of which nothing is known, zeros."""
    vectors = embed(list(REFERENCE_TEXTS), rows, word_pieces)
    lines = [
        json.dumps({"text": text, "vector": [round(float(value), 5) for value in vector]}, ensure_ascii=False)
        for text, vector in zip(REFERENCE_TEXTS, vectors, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", type=Path, required=True, help="folder with config.json, vocab.txt and model.safetensors")
    parser.add_argument("--pairs", type=Path, required=True, help="folder of .jsonl or .tsv files, one a source")
    parser.add_argument("--out", type=Path, required=True, help="folder for the table, the reference and the report")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch-size", type=int, default=1024)
    parser.add_argument("--texts", type=int, default=70_000, help="how many short texts the teacher embeds")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    started = time.monotonic()
    say = lambda text: print(f"{time.monotonic() - started:6.0f} s  {text}", flush=True)

    teacher = Teacher(options.teacher)
    sources = read_sources(options.pairs, teacher.word_pieces, options.seed)
    say(f"{sum(len(source.pairs) for source in sources)} pairs of {len(sources)} sources")
    texts = short_texts(sources, teacher.word_pieces, options.texts, options.seed)
    vectors = teacher.embed_texts(texts)
    directions = main_directions(vectors, DIMS)
    wanted, _ = to_unit(vectors @ directions)
    say(f"{len(texts)} texts through the teacher")
    table = Table(starting_rows(teacher, directions))
    say("a row for each token")
    losses = train(
        table,
        sources,
        Texts([teacher.word_pieces(text) for text in texts]),
        wanted,
        steps=options.steps,
        batch_size=options.batch_size,
        random=np.random.default_rng(options.seed),
        say=say,
    )

    scales, numbers = quantise(table.rows)
    rows = restore(scales, numbers)
    options.out.mkdir(parents=True, exist_ok=True)
    write_table(options.out / "table.bin", teacher.vocabulary, scales, numbers)
    write_reference(options.out / "reference.jsonl", rows, teacher.word_pieces)
    report = {
        "options": {name: str(value) for name, value in vars(options).items() if name not in ("teacher", "pairs", "out")},
        "seconds": round(time.monotonic() - started),
        "loss of pairs, of teacher": {
            f"steps {first + 1} to {first + 100}": [round(float(value), 4) for value in np.mean(losses[first : first + 100], axis=0)]
            for first in range(0, len(losses), 100)
        },
        "sources": {source.name: judge(source, rows, teacher) for source in sources if source.held_out},
    }
    (options.out / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report["sources"], indent=2))


if __name__ == "__main__":
    main()
