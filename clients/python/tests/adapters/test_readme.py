"""The examples of the README for one adapter, which HOLDFAST_ADAPTER names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from readme_examples import Example, examples, run_example

ADAPTER = os.environ["HOLDFAST_ADAPTER"]
OURS = [one for one in examples() if f"from holdfast.{ADAPTER}" in one.code]
MODEL = Path(__file__).parent / f"model_{ADAPTER}.py"


@pytest.mark.parametrize("example", OURS, ids=[one.title for one in OURS])
def test_an_example_prints_what_the_readme_says(server: Any, example: Example) -> None:
    assert run_example(server, example, MODEL) == example.output


def test_each_adapter_has_an_example() -> None:
    assert len(OURS) >= 1
