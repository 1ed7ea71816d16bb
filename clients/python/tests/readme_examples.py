"""The examples of the README and of docs/python.md, and how they are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

PAGES = (
    Path(__file__).parents[1] / "README.md",
    Path(__file__).parents[3] / "docs" / "python.md",
)


class Example(NamedTuple):
    code: str
    output: str

    @property
    def title(self) -> str:
        return re.sub(r"\W+", "-", self.code.splitlines()[-1]).strip("-")


def examples() -> list[Example]:
    block = r"```python\n(.*?)```\n+(?:[^`\n]+\n\n)?```text\n(.*?)```"
    return [
        Example(*one) for page in PAGES for one in re.findall(block, page.read_text(), re.DOTALL)
    ]


def imports_framework(example: Example) -> bool:
    """Whether it shows an adapter, which needs the framework."""
    return "holdfast." in example.code


def run_example(server: Any, example: Example) -> str:
    """Runs an example in an empty folder and an empty vault, and returns what it printed."""
    vault = server.make_vault("Greenhouse")
    environment = {
        "PATH": os.environ["PATH"],
        "HOLDFAST_URL": server.url,
        "HOLDFAST_KEY": server.make_key("Reader", vault=vault),
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "PYTHONWARNINGS": "ignore",
    }
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "example.py"
        program.write_text(example.code)
        python = os.environ.get("HOLDFAST_README_PYTHON", sys.executable)
        done = subprocess.run(
            [python, str(program)], cwd=folder, env=environment, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
