"""An API on a sandbox of its own, and clients whose every answer is checked against the served document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.identity.api_keys import create_key
from shipcli.models import json
from tests.api.checking import check
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.homes import copy_sandbox
from tests.processes import wait_for

BASE = "http://127.0.0.1:5002"


def body(**changes: Any) -> dict[str, Any]:
    """A shipment's body."""
    return {
        "shipper": SHIPPER,
        "recipient": RECIPIENT,
        "parcels": [PARCEL],
        "carrier_ids": ["generic"],
        **changes,
    }


class Reply:
    """An answer: its status, headers and JSON with exact numbers."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status, self.headers, self.content = status, headers, content

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def error(self) -> dict[str, Any]:
        """The only error."""
        (found,) = self.json["errors"]
        return dict(found)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.status, self.json))


class Client:
    """Asks as somebody; every answer that the document describes is checked."""

    def __init__(self, http: TestClient, authorization: str | None = None) -> None:
        self._http = http
        self._authorization = authorization

    def ask(
        self, method: str, path: str, value: Any = None, *, content: bytes | None = None, **headers: str
    ) -> Reply:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        if self._authorization:
            named.setdefault("Authorization", self._authorization)
        if value is not None:
            content = json.dump_bytes(value)
        if content is not None:
            named.setdefault("Content-Type", "application/json")
        got = self._http.request(method, path, content=content, headers=named, follow_redirects=False)
        media = got.headers.get("content-type", "").partition(";")[0]
        documented = not path.startswith("/_sandbox/")
        if documented and method in ("GET", "POST", "PUT", "PATCH", "DELETE") and media == "application/json":
            check(method, got.request.url.path, got.status_code, media, got.content)
        return Reply(got.status_code, got.headers, got.content)

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, value: Any = None, **headers: str) -> Reply:
        return self.ask("POST", path, value, **headers)

    def put(self, path: str, value: Any = None) -> Reply:
        return self.ask("PUT", path, value)

    def patch(self, path: str, value: Any = None) -> Reply:
        return self.ask("PATCH", path, value)

    def delete(self, path: str) -> Reply:
        return self.ask("DELETE", path)

    def made(self, path: str, value: Any) -> dict[str, Any]:
        """What a creation that must succeed answers."""
        reply = self.post(path, value)
        assert reply.status in (200, 201, 202), reply.content
        return dict(reply.json)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    opened = open_app(copy_sandbox(tmp_path_factory.mktemp("api") / "home"), sandbox=True, environ={})
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def http(app: App) -> Iterator[TestClient]:
    with TestClient(build(app), base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def client_of(app: App, http: TestClient, *, test_mode: bool = True, scope: str = "write") -> Client:
    key = create_key(app.in_mode(test_mode), scope=scope).key
    return Client(http, f"Token {key}")


@pytest.fixture(scope="module")
def api(app: App, http: TestClient) -> Client:
    """Somebody with a test key."""
    return client_of(app, http)


@pytest.fixture(scope="module")
def live(app: App, http: TestClient) -> Client:
    """Somebody with a live key."""
    return client_of(app, http, test_mode=False)


@pytest.fixture(scope="module")
def anybody(http: TestClient) -> Client:
    """Somebody without credentials."""
    return Client(http)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[App, Client]]:
    """A sandbox for one test."""
    opened = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    with TestClient(build(opened), base_url=BASE) as http:
        yield opened, client_of(opened, http)
    opened.close()


def logged(app: App, reply: Reply) -> dict[str, Any]:
    """The entry of the call that was answered so; it is written a moment after the answer."""
    id = {"request_id": reply.headers["x-request-id"]}
    wait_for(lambda: app.store.select("logs", id))
    (row,) = app.store.select("logs", id)
    return row
