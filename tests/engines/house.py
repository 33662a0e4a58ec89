"""A house of several machines with one store in PostgreSQL; each has a home of its own.

The machines share the store, the master key and nothing else.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import subprocess
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.connections.service import add_connection
from shipcli.features.core.app import App
from shipcli.features.identity.api_keys import create_key
from shipcli.features.webhooks.service import create_webhook
from shipcli.models import ConnectionData, WebhookData
from tests.api.running import free_port
from tests.processes import PROGRAM

SERVERS, WORKERS = ("server-1", "server-2"), ("worker-1", "worker-2")
# Both can be asked what became of a purchase.
CARRIERS = {"usps": "usps_ground_advantage", "ups": "ups_ground"}


class SharedHouse:
    """The machines of a house; `program` is the first part of every line that is typed there."""

    def __init__(
        self, folder: Path, url: str, patience_s: float, program: Sequence[str] = tuple(PROGRAM)
    ) -> None:
        self.folder, self._patience_s, self._program = folder, patience_s, program
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SHIPCLI_")}
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        ours = {"SHIPCLI_STORE": url, "SHIPCLI_MASTER_KEY": key, "SHIPCLI_MODE": "test"}
        self.environ = {**inherited, **ours}
        self.ports = {name: free_port() for name in SERVERS}
        self.key = ""

    def open(self, machine: str) -> App:
        """The app of a machine, in this process."""
        return open_app(self.folder / machine, test_mode=True, environ=self.environ)

    def write_line(self, machine: str, *words: str) -> list[str]:
        """The line of a command that is typed at a machine."""
        return [*self._program, "--home", str(self.folder / machine), *words]

    def write_start(self, machine: str) -> list[str]:
        """The line that starts the program of a server or of a worker."""
        if machine in SERVERS:
            port = str(self.ports[machine])
            return self.write_line(machine, "server", "start", "--port", port, "--no-worker")
        return self.write_line(machine, "worker")

    def run(self, machine: str, *words: str, code: int = 0) -> str:
        """What a command prints that is typed at a machine."""
        done = subprocess.run(
            self.write_line(machine, *words),
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=self._patience_s,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def send(
        self, server: str, method: str, path: str, value: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """The status and the body of an answer of a server."""
        with closing(HTTPConnection("127.0.0.1", self.ports[server], timeout=self._patience_s)) as connection:
            usual = {"Authorization": f"Token {self.key}", "Content-Type": "application/json"}
            text = json.dumps(value) if value is not None else None
            connection.request(method, path, text, {**usual, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(json.loads(answer.read()))

    def ask(self, server: str, method: str, path: str, value: Any = None) -> dict[str, Any]:
        """What a server answers that does what it is asked."""
        status, answer = self.send(server, method, path, value)
        assert status in (200, 201, 202), answer
        return answer

    def set_up(self, app: App, target: str) -> None:
        """Connect the carriers, tell the target of everything, make the key of the house."""
        for facts in registry.list_facts():
            if facts.slug in CARRIERS:
                credentials = facts.sample_account
                fields = {"carrier_name": facts.slug, "carrier_id": facts.slug, "config": {"sandbox": True}}
                add_connection(app, ConnectionData.model_validate({**fields, "credentials": credentials}))
        create_webhook(app, WebhookData(url=target, enabled_events=["all"]))
        self.key = create_key(app).key
