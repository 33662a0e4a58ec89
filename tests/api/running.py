"""A server started as a program, and asked over its socket."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Any, Self

from tests.engines import name_store
from tests.processes import PATIENCE_S, PROGRAM


class Running:
    """A server of its own process; `errors` takes what it says while it runs, a pipe only a little.

    It is ended with its block, however that ends; `stop` before tells how it ended.
    """

    def __init__(
        self,
        *words: str,
        temporary: Path | None = None,
        errors: IO[str] | int = subprocess.PIPE,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SHIPCLI_")}
        inherited["SHIPCLI_HOME"] = str(make_home())  # run files of sandboxes are no business of this user
        home = words[words.index("--home") + 1] if "--home" in words else inherited["SHIPCLI_HOME"]
        inherited |= name_store(Path(home))
        environ = {**inherited, **({"TMPDIR": str(temporary)} if temporary else {}), **(environ or {})}
        begun = time.monotonic()
        self.process = subprocess.Popen([*PROGRAM, *words], stdout=subprocess.PIPE, stderr=errors,
                                        env=environ, text=True)  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.ready_s = time.monotonic() - begun
        assert line, f"it ended without a word: {self.process.communicate()[1]}"
        self.said: dict[str, Any] = json.loads(line) if line.startswith("{") else {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
            self.process.communicate()

    @property
    def port(self) -> int:
        return int(self.said["url"].rpartition(":")[2])

    def ask(self, method: str, path: str, value: Any = None, key: str = "api_key") -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            headers = {"Authorization": f"Token {self.said[key]}", "Content-Type": "application/json"}
            connection.request(method, path, json.dumps(value) if value is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """The exit code of a server that was asked to stop; a second signal would not let it finish."""
        self.out, self.err = self.process.communicate(timeout=PATIENCE_S)
        return int(self.process.returncode)


@cache
def make_home() -> Path:
    """A home for servers that are told none, removed at the end of the process."""
    folder = Path(mkdtemp(prefix="shipcli-home-"))
    atexit.register(shutil.rmtree, folder)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
