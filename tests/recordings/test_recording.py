"""A sandbox is recorded through the proxy, answered for, and compared with another one."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from shipcli.api.in_process import InProcess
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.http import HttpReply
from shipcli.models import json
from shipcli.recordings.drift import compare, replay_against
from shipcli.recordings.exchanges import Exchange, read_recording
from shipcli.recordings.matching import IdMap
from shipcli.recordings.player import RecordingPlayer
from shipcli.testing import serve_sandbox
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.recordings.conftest import recorded, served

PERSON = {**RECIPIENT, "person_name": "Wilhelmina Zander", "email": "mina@zander.example",
          "phone_number": "+1 602-262-6011"}  # fmt: skip
BODY = {"shipper": SHIPPER, "recipient": PERSON, "parcels": [PARCEL], "carrier_ids": ["ups"],
        "options": {"email_notification_to": "mina@zander.example"},
        "metadata": {"paid_by": "mina@zander.example"}}  # fmt: skip
PRIVATE = ("Wilhelmina", "Zander", "mina@", "262-6011", "1625 N Central", "Dock Two", "Harbour Goods")


class Caller:
    """Sends requests as a shop does, and remembers the answers."""

    def __init__(self, address: str, key: str) -> None:
        self.address = address
        self.client = httpx.Client(trust_env=False, timeout=30, headers={"Authorization": f"Token {key}"})

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        reply = self.client.request(method, self.address + path, json=body, **options)
        return reply.json() if "json" in reply.headers["content-type"] else reply.content


def shop(caller: Caller) -> dict[str, Any]:
    """A day of a shop: an address, rates, a label that is fetched and voided, and a mistake."""
    address = caller.ask("POST", "/v1/addresses", PERSON)
    rates = caller.ask("POST", "/v1/proxy/rates", BODY)
    bought = caller.ask(
        "POST", "/v1/shipments", {**BODY, "service": "ups_ground"}, headers={"Idempotency-Key": "order 7"}
    )
    label = caller.ask("GET", bought["label_url"])
    caller.ask("GET", f"/v1/shipments/{bought['id']}")
    caller.ask("GET", "/v1/trackers")  # each with the name of its customer
    caller.ask("GET", "/v1/carriers/ups")  # with the names of its secrets
    caller.ask("POST", f"/v1/shipments/{bought['id']}/cancel", {})
    caller.ask("POST", "/v1/addresses", {"country_code": "nowhere", "email": "mina@zander.example"})
    caller.ask("GET", "/v1/shipments", params={"keyword": "Zander", "limit": 3})
    caller.ask("GET", f"/v1/addresses/{address['id']}")
    return {"address": address, "rates": rates, "bought": bought, "label": label}


def let_shop(caller: Caller) -> dict[str, Any]:
    with caller.client:
        return shop(caller)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    """The file of a recorded day, the key that was used, and what the server answered."""
    path = tmp_path_factory.mktemp("recording") / "shop.jsonl"
    with serve_sandbox("ups") as sandbox, recorded(sandbox.url, path) as address:
        return path, sandbox.api_key, let_shop(Caller(address, sandbox.api_key))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    app = open_app(tmp_path_factory.mktemp("fresh"), sandbox=True, environ={}, carriers="ups")
    yield app
    app.close()


def test_nothing_private_is_kept(recording: tuple[Path, str, dict[str, Any]]) -> None:
    path, key, answers = recording
    text = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [word for word in (*PRIVATE, key, "order 7", "Token") if word in text] == []
    assert answers["label"].startswith(b"%PDF")
    rows = read_recording(path)
    assert len(rows) == 11
    sent = [
        row.body["recipient"] for row in rows if row.path in ("/v1/proxy/rates", "/v1/shipments") and row.body
    ]
    assert len(sent) == 2
    assert sent[0] == sent[1], "the same person is replaced by the same one"
    label = next(row for row in rows if row.file)
    assert (label.answer, label.file) == (None, {"type": "application/pdf", "bytes": len(answers["label"])})


def send_to(app: App, here: InProcess) -> Any:
    def send(
        method: str, path: str, query: list[tuple[str, str]], headers: dict[str, str], body: Any
    ) -> HttpReply:
        kind = {} if body is None else {"content-type": "application/json"}
        content = b"" if body is None else json.dump_bytes(body)
        return here.send(method, path, urlencode(query), {**headers, **kind}, content)

    return send


def test_a_sandbox_of_the_same_version_answers_the_same(
    recording: tuple[Path, str, dict[str, Any]], fresh: App
) -> None:
    here = InProcess(fresh)
    try:
        rows = read_recording(recording[0])
        report = replay_against(rows, send_to(fresh, here))
        later = [row._replace(status=418) if row.path.endswith("/cancel") else row for row in rows]
        drifted = replay_against(later, send_to(fresh, here))
    finally:
        here.close()
    assert (report.differences, report.sent) == ([], 10)
    assert report.skipped == ["10 GET /v1/shipments: the person it asks for was not kept"]
    assert [row.kind for row in drifted.differences if row.request.endswith("/cancel")] == ["status"]


def test_the_player_gives_the_shop_the_same_day(recording: tuple[Path, str, dict[str, Any]]) -> None:
    with served(RecordingPlayer(read_recording(recording[0]))) as address:
        again = let_shop(Caller(address, "any"))
        unknown = httpx.get(f"{address}/v1/orders/ord_1", trust_env=False).json()
    assert again["bought"]["id"] == recording[2]["bought"]["id"]
    assert again["rates"]["rates"][0]["total_charge"] == recording[2]["rates"]["rates"][0]["total_charge"]
    assert again["bought"]["label_url"] == recording[2]["bought"]["label_url"]
    assert again["label"].startswith(b"%PDF")
    assert unknown["errors"][0]["code"] == "not_recorded"


def exchange(answer: Any, **changes: Any) -> Exchange:
    row = Exchange("GET", "/v1/x", [], {}, None, 200, {}, answer)
    return row._replace(**changes)


def test_equal_requests_are_answered_in_their_order() -> None:
    player = RecordingPlayer([exchange({"status": name}) for name in ("pending", "delivered")])
    chosen = [player.choose("GET", "/v1/x", "", None) for _ in range(3)]
    assert [row and row.answer["status"] for row in chosen] == ["pending", "delivered", "delivered"]
    assert player.choose("GET", "/v1/x", "limit=1", None) is None


@pytest.mark.parametrize(
    ("recorded_answer", "now", "found"),
    [
        ({"a": 1}, {"a": 2}, [("value", "a")]),
        ({"a": 1}, {"a": "1"}, [("type", "a")]),
        ({"a": None}, {"a": "1"}, [("type", "a")]),
        ({"a": 1, "b": 2}, {"a": 1}, [("missing", "b")]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, [("new", "a[0].c")]),
        ({"a": [1]}, {"a": [1, 2]}, [("value", "a.length")]),
        ({"id": "shp_00000000001"}, {"id": "shp_00000000002"}, []),
        ({"at": "2026-01-05T09:00:00Z"}, {"at": "2027-01-05T09:00:00Z"}, []),
        ({"person_name": "Person Abc"}, {"person_name": "Person Xyz"}, []),
        ({"label": "[900 characters]"}, {"label": None}, [("type", "label")]),
        ([{"service": "a", "price": 1}, {"service": "b", "price": 2}],
         [{"service": "b", "price": 2}, {"service": "a", "price": 1}], []),
    ],
)  # fmt: skip
def test_differences_are_named(recorded_answer: Any, now: Any, found: list[tuple[str, str]]) -> None:
    rows = compare(exchange(recorded_answer), 200, now, IdMap())
    assert [row[:2] for row in rows] == found


def test_a_field_may_be_ignored_and_a_status_says_enough() -> None:
    assert compare(exchange({"a": 1}), 200, {"a": 2}, IdMap(), ["a"]) == []
    assert compare(exchange({"a": 1}), 404, {"b": 2}, IdMap()) == [("status", "", 200, 404)]


def test_what_was_not_kept_is_not_sent() -> None:
    rows = [
        exchange({}, method="POST", path="/v1/connections", body={"credentials": "***"}),
        exchange({}, method="POST", sent_file={"type": "multipart/form-data", "bytes": 9}),
    ]

    def send(*request: Any) -> HttpReply:
        raise AssertionError(request)

    report = replay_against(rows, send)
    assert report.sent == 0
    assert [line.rpartition(": ")[2] for line in report.skipped] == [
        "its secrets were not kept", "its body was not kept"
    ]  # fmt: skip
