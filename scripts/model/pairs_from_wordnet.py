"""Pairs from WordNet's data files (data.noun, data.verb, data.adj, data.adv): words of one meaning, words and what they mean, examples, relations."""

import argparse
import json
import re
from pathlib import Path

# Relations between meanings whose words tell of each other (wninput(5WN)): kinds, instances, parts, causes, likeness, opposites, subjects.
RELATIONS = {"@", "@i", "#m", "#s", "#p", "*", ">", "&", "!", "=", ";c", "^"}


def read_meanings(path: Path) -> dict[str, tuple[list[str], str, list[str]]]:
    """By part of speech and offset: the words, the gloss, and what it is related with."""
    meanings = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        data, gloss = line.split(" | ", 1)
        fields = data.split()
        words_end = 4 + 2 * int(fields[3], 16)
        words = [re.sub(r"\(.*\)$", "", word).replace("_", " ") for word in fields[4:words_end:2]]
        pointers = fields[words_end + 1 : words_end + 1 + 4 * int(fields[words_end])]
        related = [
            part.replace("s", "a") + offset
            for symbol, offset, part in zip(pointers[0::4], pointers[1::4], pointers[2::4], strict=True)
            if symbol in RELATIONS
        ]
        meanings[fields[2].replace("s", "a") + fields[0]] = (words, gloss.strip(), related)
    return meanings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path, help="folder of the data files")
    parser.add_argument("out", type=Path, help="folder for the pairs")
    options = parser.parse_args()
    meanings = {}
    for part in ("noun", "verb", "adj", "adv"):
        meanings |= read_meanings(options.wordnet / f"data.{part}")
    pairs: dict[str, list[tuple[str, str]]] = {"members": [], "definitions": [], "examples": [], "relations": []}
    for words, gloss, related in meanings.values():
        definition = gloss.split('; "')[0].strip('; "')
        examples = [example for example in re.findall(r'"([^"]+)"', gloss) if len(example.split()) > 2]
        pairs["members"] += [(words[0], other) for other in words[1:]]
        pairs["definitions"] += [(word, definition) for word in words]
        pairs["examples"] += [(definition, example) for example in examples]
        for other_words, other_gloss, _ in (meanings[other] for other in related):
            other_definition = other_gloss.split('; "')[0].strip('; "')
            pairs["relations"].append((f"{words[0]}: {definition}", f"{other_words[0]}: {other_definition}"))
    options.out.mkdir(parents=True, exist_ok=True)
    for name, found in pairs.items():
        lines = [json.dumps(pair, ensure_ascii=False) for pair in found]
        (options.out / f"wordnet-{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"wordnet-{name}: {len(found)}")


if __name__ == "__main__":
    main()
