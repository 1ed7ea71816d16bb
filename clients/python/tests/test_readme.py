"""The examples of the README, of docs/python.md and of docs/use print what they say.

`check.sh` runs this with the Python of a folder in which only the built wheel is installed.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from readme_examples import PAGES, Example, examples, imports_framework, run_example

OURS = [one for one in examples() if not imports_framework(one)]


def test_each_example_says_what_it_prints() -> None:
    assert len(examples()) == sum(page.read_text().count("```python\n") for page in PAGES)
    assert len(OURS) >= 6


@pytest.mark.skipif(
    "HOLDFAST_README_PYTHON" not in os.environ, reason="needs the installed package"
)
@pytest.mark.parametrize("example", OURS, ids=[one.title for one in OURS])
def test_an_example_prints_what_the_readme_says(server: Any, example: Example) -> None:
    assert run_example(server, example) == example.output
