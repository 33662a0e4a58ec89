"""A server that is killed at any moment has kept all that it answered."""

from __future__ import annotations

import http.client
import json
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from shipcli.bootstrap import open_app
from tests.api.conftest import body
from tests.api.running import Running
from tests.factories import ITEM, RECIPIENT, SHIPPER
from tests.processes import PATIENCE_S

CONNECTIONS = 16
ANSWERED = 300  # before it is killed


def requests_of(number: int) -> list[tuple[str, str, Any]]:
    """What a connection asks for again and again: quick writes, drafts and purchases."""
    order = {"shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    return [
        ("address", "/v1/addresses", RECIPIENT),
        ("order", "/v1/orders", {"order_id": f"K-{number}", **order}),
        ("shipment", "/v1/shipments", body()),
        ("shipment", "/v1/shipments", body(service="standard_service")),
    ]


def ask(port: int, key: str, worker: int, made: list[tuple[str, str]], enough: threading.Event) -> None:
    """Ask until the server is gone, and write down what it said that it made."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    headers = {"Authorization": f"Token {key}", "Content-Type": "application/json"}
    number = worker * 1_000_000
    try:
        while True:
            number += 1
            for kind, path, value in requests_of(number):
                connection.request("POST", path, json.dumps(value), headers)
                answer = connection.getresponse()
                found = json.loads(answer.read())
                assert answer.status == 201, found
                made.append((kind, found["id"]))
                if len(made) > ANSWERED:
                    enough.set()
    except (OSError, http.client.HTTPException):
        connection.close()


def test_a_killed_server_has_kept_all_that_it_answered(tmp_path: Path) -> None:
    home, made, enough = tmp_path / "home", list[tuple[str, str]](), threading.Event()
    words = (
        "--home",
        str(home),
        "sandbox",
        "up",
        "--carriers",
        "all",
        "--keep",
        "--port",
        "0",
        "--json",
        "--no-worker",
    )
    with Running(*words) as server, ThreadPoolExecutor(CONNECTIONS) as pool:
        key = str(server.said["api_key"])
        asking = [pool.submit(ask, server.port, key, number, made, enough) for number in range(CONNECTIONS)]
        assert enough.wait(PATIENCE_S)
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        for one in asking:
            one.result(PATIENCE_S)
    app = open_app(home, sandbox=True, environ={})
    try:
        assert [one for one in made if app.store.get(*one) is None] == []
        assert app.store.check() == []
    finally:
        app.close()
