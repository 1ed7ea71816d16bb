"""A client with a vault of its own for each test of an adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from holdfast import Holdfast


@pytest.fixture
def mine(server: Any) -> Iterator[Holdfast]:
    key = server.make_key("Adapter", vault=server.make_vault("Greenhouse"))
    with Holdfast(server.url, key) as client:
        yield client
