"""Notes of adapters have the tags of those of the TypeScript client, so both find the same ones."""

from __future__ import annotations

from conftest import run_node

from holdfast._notes import hash_tag, print_block, read_block


def test_tags_are_those_of_the_other_client() -> None:
    for words in ([], ["langgraph", "a/b"], ["ü 🌱", 'quote " \\ \n \x7f \u2028', ""]):
        theirs = run_node(
            "await client.hashTag('item', ...given)", words, "packages/client/src/hash-tag.ts"
        )
        assert hash_tag("item", *words) == theirs


def test_a_block_keeps_its_text() -> None:
    for text in ("{}", '{\n "a": "```"\n}', ""):
        assert read_block(print_block(text)) == text
