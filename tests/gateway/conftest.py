"""A server on a sandbox, what it was asked, and command lines on both ways."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from shipcli.api.http.routing import Routes
from shipcli.bootstrap import open_app
from shipcli.cli.main import main
from shipcli.features.core.app import App
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.operation import Operation
from shipcli.operations.table import SERVED
from tests.api.running import Running
from tests.cli.conftest import Result, Typed
from tests.processes import PATIENCE_S


@dataclass
class Served:
    """A server of its own process, and what it was asked."""

    app: App
    home: Path
    url: str
    key: str
    asked: list[str]
    port: int

    def operations(self) -> set[str]:
        """The names of the operations asked since the last time."""
        found, self.asked[:] = set(self.asked), []
        return found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served") / "home"
    asked: list[str] = []
    with Running(
        "--home", str(home), "sandbox", "up", "--carriers", "all", "--keep", "--port", "0", "--json"
    ) as running:
        app = open_app(home, sandbox=True, environ={})
        with between(running.port, asked) as port:
            yield Served(app, home, f"http://127.0.0.1:{port}", running.said["api_key"], asked, running.port)
        app.close()
        assert running.stop() == 0
    assert "Traceback" not in running.err


@contextmanager
def between(
    port: int, asked: list[str], hidden: Sequence[Operation] = (), lost: Collection[str] = ()
) -> Iterator[int]:
    """Somebody who passes every request on to a server, and writes down which operation it is.

    For the hidden ones there is nothing, and the answers of the lost ones do not arrive.
    """
    routes: Routes[Operation] = Routes()
    routes.add_all((row.method, row.path, row) for row in (*SERVED, *CONTROL))

    class Passing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline(65537)
            self.close_connection = not self.raw_requestline or not self.parse_request()
            if not self.close_connection:
                self.pass_on()

        def pass_on(self) -> None:
            place = routes.find(urlsplit(self.path).path)
            row = place.methods.get(self.command) if place else None
            if row:
                asked.append(row.name)
            content = self.rfile.read(int(self.headers.get("content-length", 0)))
            if row in hidden:
                self.send_error(404)
                self.close_connection = True
                return
            onward = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            onward.request(self.command, self.path, content, dict(self.headers))
            answer = onward.getresponse()
            found = answer.read()
            if row and row.name in lost:
                onward.close()
                self.close_connection = True
                return
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found)
            onward.close()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Passing)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("SHIPCLI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.chdir(tmp_path)


Line = Callable[..., Result]


@pytest.fixture
def typed(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Line:
    """A command line in this process."""

    def run(*words: str, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", Typed(typed))
        code = main([*words])
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return run


@pytest.fixture
def here(served: Served, typed: Line) -> Line:
    """The line on the store itself."""
    return lambda *words, **more: typed("--home", str(served.home), "--sandbox", *words, **more)


@pytest.fixture
def there(served: Served, typed: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The same line through the server, from a machine with a store of its own."""
    monkeypatch.setenv("SHIPCLI_API_KEY", served.key)
    place = ("--home", str(tmp_path / "own"), "--api-url", served.url)
    return lambda *words, **more: typed(*place, *words, **more)
