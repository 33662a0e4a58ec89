"""Which hosts a connection may name, and what is asked there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.core.targets import note_reach
from shipcli.features.shipments import proxy
from shipcli.models import Connection, ConnectionData, ConnectionPatch, Invalid, Refused, TrackingData
from tests.features.webhooks.targets import KEY, WITHIN

LOGIN = {"username": "u", "password": "p", "account": "a"}
TOLL = {
    "username": "u", "password": "p", "api_key": "k", "toll_username": "t", "toll_password": "p",
    "my_toll_token": "t", "my_toll_identity": "i",
}  # fmt: skip
ACCOUNTS = {"allied_express": LOGIN, "allied_express_local": LOGIN, "tge": TOLL}
EACH = pytest.mark.parametrize("slug", ACCOUNTS)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with closing(open_app(tmp_path / "home", environ=KEY)) as opened:
        yield opened


class Inside(BaseHTTPRequestHandler):
    """A listener in the network of the server, which refuses everything and hangs up."""

    paths: list[str]

    def do_POST(self) -> None:
        self.paths.append(self.path)
        self.send_response(400)
        self.end_headers()
        self.wfile.write(b'{"message": "secret from inside"}')

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    Inside.paths = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Inside) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running.server_port
        running.shutdown()
        thread.join()


def connect(app: App, url: str | None, slug: str = "allied_express") -> Connection:
    body = {"carrier_name": slug, "carrier_id": slug, "credentials": ACCOUNTS[slug]}
    config = {"server_url": url} if url is not None else {}
    return connections.add_connection(app, ConnectionData.model_validate({**body, "config": config}))


def move(app: App, connection: Connection, url: str) -> Connection:
    patch = ConnectionPatch.model_validate({"config": {"server_url": url}})
    return connections.update_connection(app, connection.id, patch)


def track(app: App) -> str:
    """Track a number; return what is said of it."""
    data = TrackingData(tracking_number="AE1234567", carrier_name="allied_express")
    try:
        return str(proxy.get_tracking(app, data).messages)
    except Refused as error:
        return str(error.messages)


@EACH
def test_a_host_within_is_refused_once_others_reach_the_server(app: App, slug: str) -> None:
    made = connect(app, None, slug)
    note_reach(app, open_to_others=True)
    for url in WITHIN:
        with pytest.raises(Invalid, match=r"^config\.server_url: .*webhook_targets"):
            connect(app, url, slug)
        with pytest.raises(Invalid, match="webhook_targets"):
            move(app, made, url)
    note_reach(app, open_to_others=False)
    move(app, made, WITHIN[0])


@EACH
def test_a_host_out_in_the_world_is_taken(app: App, slug: str) -> None:
    note_reach(app, open_to_others=True)
    made = connect(app, None, slug)
    for url in ("https://gateway.example.com/allied", "http://8.8.8.8/", ""):
        assert move(app, made, url).config == {"server_url": url}


@EACH
@pytest.mark.parametrize("url", ["3plapi.com", "file:///etc/passwd", "http://[::bad/", "https://"])
def test_what_is_no_web_address_is_refused(app: App, slug: str, url: str) -> None:
    with pytest.raises(Invalid, match="web address"):
        connect(app, url, slug)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_nothing_is_sent_to_a_host_within_that_was_stored_before(app: App, port: int, host: str) -> None:
    connect(app, f"http://{host}:{port}/ok")
    note_reach(app, open_to_others=True)
    assert "within the network of this machine" in track(app)
    assert Inside.paths == []


def test_on_a_machine_that_no_other_reaches_any_host_is_asked(app: App, port: int) -> None:
    connect(app, f"http://127.0.0.1:{port}")
    track(app)
    assert Inside.paths


def test_the_check_of_credentials_asks_no_host_within(app: App, port: int) -> None:
    made = connect(app, f"http://127.0.0.1:{port}")
    note_reach(app, open_to_others=True)
    with pytest.raises(Exception, match="within the network"):
        connections.check_connection(app, made.id)
    assert Inside.paths == []


def test_a_setting_allows_hosts_within(tmp_path: Path, port: int) -> None:
    environ = {**KEY, "SHIPCLI_WEBHOOK_TARGETS": "any"}
    with closing(open_app(tmp_path / "home", environ=environ)) as app:
        note_reach(app, open_to_others=True)
        connect(app, f"http://127.0.0.1:{port}")
        track(app)
    assert Inside.paths
