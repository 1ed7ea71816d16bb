"""Tests of the adapter that HOLDFAST_ADAPTER names: the others need other frameworks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast

ADAPTER = os.environ.get("HOLDFAST_ADAPTER")
WANTED = () if ADAPTER is None else (f"test_{ADAPTER}.py", "test_readme.py")
collect_ignore = [
    file.name for file in Path(__file__).parent.glob("test_*.py") if file.name not in WANTED
]


@pytest.fixture
def mine(server: Any) -> Iterator[Holdfast]:
    """A client with a vault of its own."""
    key = server.make_key("Adapter", vault=server.make_vault("Greenhouse"))
    with Holdfast(server.url, key) as client:
        yield client
