"""A real server of this checkout for all tests that need one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from holdfast import Holdfast

ROOT = Path(__file__).parents[3]
NODE = os.environ.get("NODE", "node")
PERSON = {"email": "ada@example.org", "password": "a long and private sentence"}


def run_node(code: str, given: object, module: str = "packages/client/src/index.ts") -> Any:
    """Runs code with a module of the TypeScript client as `client`, and `given`."""
    entry = (ROOT / module).as_uri()
    program = (
        f"const client = await import({json.dumps(entry)});"
        "const { text } = await import('node:stream/consumers');"
        "const given = JSON.parse(await text(process.stdin));"
        f"console.log(JSON.stringify({code}))"
    )
    command = [NODE, "--input-type=module", "-e", program]
    printed = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    return json.loads(printed.stdout)


class Server:
    """A server with an owner, whose agents may change everything."""

    def __init__(self, url: str, setup_token: str) -> None:
        self.url = url
        setup = {"token": setup_token, **PERSON, "label": "Scout"}
        owner = self._send("POST", "/api/setup", setup, None)
        self.dashboard_token: str = owner["dashboardToken"]
        self.key: str = owner["agentKey"]
        self.integration_id: str = owner["integrationId"]
        self.vault_id: str = owner["vaultId"]
        self.set_write_policy("yes")

    def set_write_policy(self, policy: str) -> None:
        change = {"persons": policy, "agents": policy}
        self.ask("PATCH", "/api/integrations", {"id": self.integration_id, "writePolicy": change})

    def ask(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Calls an operation of the dashboard."""
        return self._send(method, path, body, self.dashboard_token)

    def make_key(self, label: str, preset: str = "read_write", vault: str | None = None) -> str:
        """Creates a key; with a vault, for that one alone."""
        policy = {"persons": "yes", "agents": "yes"}
        draft: dict[str, Any] = {"label": label, "preset": preset, "writePolicy": policy}
        if vault is not None:
            draft |= {"restrictToVault": True, "vaults": [{"vaultId": vault}]}
        made = self.ask("POST", "/api/integrations", draft)
        one = {"integrationId": made["integration"]["id"], "label": "test"}
        return self.ask("POST", "/api/keys", one)["agentKey"]

    def make_vault(self, name: str) -> str:
        return self.ask("POST", "/api/vaults", {"name": name})["vaultId"]

    def _send(
        self, method: str, path: str, body: dict[str, Any], token: str | None
    ) -> dict[str, Any]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = httpx.request(method, self.url + path, json=body, headers=headers, timeout=60)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    home = Path(tempfile.mkdtemp(prefix="holdfast-python-"))
    environment = {
        "PATH": os.environ["PATH"],
        "HOLDFAST_PORT": "0",
        "HOLDFAST_DATA_DIR": str(home / "data"),
        "HOLDFAST_KEY_DIR": str(home / "keys"),
        "HOLDFAST_WEBHOOK_ALLOW": "127.0.0.1",
    }
    with (home / "output").open("w") as output:
        main = ROOT / "packages/server/src/main.ts"
        process = subprocess.Popen(
            [NODE, str(main), "serve"], cwd=home, env=environment, stdout=output
        )
    try:
        url = wait_for_url(process, home / "output")
        yield Server(url, (home / "data/setup-token").read_text().strip())
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(home, ignore_errors=True)


def wait_for_url(process: subprocess.Popen[bytes], output: Path) -> str:
    while process.poll() is None:
        found = re.search(r"http://[\d.]+:\d+", output.read_text())
        if found:
            return found[0]
        time.sleep(0.1)
    raise RuntimeError("The server exited before it was ready")


@pytest.fixture
def client(server: Server) -> Iterator[Holdfast]:
    with Holdfast(server.url, server.key, agent_id="gardener") as one:
        yield one


@pytest.fixture
def answering() -> Callable[..., Any]:
    """A transport that gives these answers, one after the other, and keeps the requests."""
    return Answering


class Answering(httpx.MockTransport):
    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.requests: list[httpx.Request] = []
        self._answers = list(answers)
        super().__init__(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer
