"""Imports of adapters, whose frameworks are extras."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def needs(extra: str) -> Generator[None]:
    """Says what to install if an import within the block fails."""
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f'{error}. This adapter needs its framework: pip install "holdfast[{extra}]"'
        ) from error
