"""The examples of the README, of docs/python.md and of docs/use, and how they are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

README = Path(__file__).parents[1] / "README.md"
DOCS = Path(__file__).parents[3] / "docs"
PAGES = (README, DOCS / "python.md", *sorted((DOCS / "use").glob("*.md")))


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
    return re.search(r"from holdfast\.(?!tools)", example.code) is not None


def write_examples(folder: str) -> None:
    """Writes the examples that need no framework into a folder, for a type checker."""
    for at, example in enumerate(examples()):
        if not imports_framework(example):
            (Path(folder) / f"example_{at}.py").write_text(example.code)


def run_example(server: Any, example: Example, model: Path | None = None) -> str:
    """Runs an example in an empty folder and an empty vault, and returns what it printed.

    `model` stands for the model of the reader, which examples of adapters import.
    """
    vault = server.make_vault("Greenhouse")
    python = os.environ.get("HOLDFAST_README_PYTHON")
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "HOLDFAST_URL": server.url,
            "HOLDFAST_KEY": server.make_key("Reader", vault=vault),
            "PYTHONWARNINGS": "ignore",
            # Nothing is sent to the makers of frameworks.
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
            "CREWAI_DISABLE_TELEMETRY": "true",
            "OTEL_SDK_DISABLED": "true",
            "AGNO_TELEMETRY": "false",
        }
        if python is None:
            environment["PYTHONPATH"] = str(README.parent / "src")
        if model is not None and model.exists():
            (Path(folder) / "model.py").write_text(model.read_text())
        program = Path(folder) / "example.py"
        program.write_text(example.code)
        command = [python or sys.executable, str(program)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    write_examples(sys.argv[1])
