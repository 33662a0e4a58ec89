"""Two sandboxes of one seed and a frozen clock answer the same calls with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import SANDBOX_FOLDER, open_app
from shipcli.features.core.app import App
from shipcli.features.sandbox.access import create_access
from shipcli.features.sandbox.repeatable import make_repeatable
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER
from tests.features.sandbox.conftest import MONDAY

ROUNDS = 2
LABEL = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL]}
BASE = "http://127.0.0.1:5002"
VOLATILE = ("date", "x-request-id")
Call = tuple[str, str, Any]


@contextmanager
def open_seeded(home: Path, seed: str) -> Iterator[App]:
    make_repeatable(home / SANDBOX_FOLDER, seed, MONDAY)
    app = open_app(home, sandbox=True, environ={}, carriers="ups,fedex,usps,canadapost,generic")
    yield app
    app.close()


def list_calls(number: int) -> Iterator[Call]:
    """What a suite does: the id in a path is that of the last object made."""
    yield "POST", "/v1/addresses", {**RECIPIENT, "city": "Boston"}
    yield "POST", "/v1/parcels", PARCEL
    yield "POST", "/v1/proxy/rates", {**LABEL, "services": ["ups_ground"]}
    yield "POST", "/v1/shipments", {**LABEL, "carrier_ids": ["fedex"], "reference": f"R-{number}"}
    yield "POST", "/v1/shipments/{id}/rates", {}
    yield "POST", "/v1/proxy/rates", {**LABEL, "options": {"sandbox_scenario": "garbled"}}
    yield "POST", "/v1/shipments", {**LABEL, "carrier_ids": ["ups"], "service": "ups_ground"}
    yield "GET", "/v1/shipments/{id}", None
    yield "GET", "/v1/shipments/{id}/label.pdf", None
    yield "POST", "/v1/shipments/{id}/cancel", {}
    yield "POST", "/v1/trackers", {"tracking_number": f"SC030000000{number}", "carrier_name": "ups"}
    yield "POST", "/v1/orders", {"order_id": f"N-{number}", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    yield "POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/", "enabled_events": ["all"], "disabled": True}
    yield (
        "POST",
        "/v1/connections",
        {
            "carrier_name": "generic",
            "carrier_id": f"own-{number}",
            "credentials": {"display_name": "Own", "custom_carrier_name": "own"},
        },
    )
    yield "POST", "/_sandbox/clock/advance", {"by": "3h"}
    yield "GET", "/v1/trackers", None
    yield "GET", "/v1/connections", None
    yield "GET", "/v1/shipments/nobody", None


def record(home: Path, seed: str) -> Iterator[tuple[str, int, dict[str, str], bytes]]:
    """The answers to the same calls, headers included; first the credentials of the sandbox."""
    with open_seeded(home, seed) as app:
        access = create_access(app)
        yield "access", 0, {name: str(value) for name, value in access.items()}, b""
        with TestClient(
            build(app), base_url=BASE, headers={"authorization": f"Token {access['api_key']}"}
        ) as http:
            logged_in = {"email": access["email"], "password": access["password"]}
            calls: list[Call] = [("POST", "/api/token", logged_in)]
            calls += [call for number in range(ROUNDS) for call in list_calls(number)]
            last = ""
            for method, path, body in calls:
                answer = http.request(method, path.replace("{id}", last), json=body)
                if method == "POST" and answer.status_code == 201:
                    last = answer.json().get("id", last)
                headers = {name: text for name, text in answer.headers.items() if name not in VOLATILE}
                yield f"{method} {path}", answer.status_code, headers, answer.content


def test_one_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = list(record(tmp_path / "a", "42")), list(record(tmp_path / "b", "42"))
    assert [row[0] for row, other in zip(first, second, strict=True) if row != other] == []
    assert {row[1] for row in first[2:]} >= {200, 201, 202, 404, 424}
    assert [row[:2] for row in first[2:] if row[1] not in (200, 201, 202, 404, 424)] == []


def test_another_seed_gives_others(tmp_path: Path) -> None:
    first, second = next(record(tmp_path / "a", "42")), next(record(tmp_path / "b", "43"))
    assert first[2]["api_key"] != second[2]["api_key"]


def test_two_equal_purchases_are_two_labels(tmp_path: Path) -> None:
    answers = [row for row in record(tmp_path / "a", "42") if row[0] == "POST /v1/shipments"]
    assert len({row[3] for row in answers}) == len(answers) == 2 * ROUNDS


@pytest.mark.parametrize("prefix", ["shp_", "evt_"])
def test_ids_of_two_processes_differ(tmp_path: Path, prefix: str) -> None:
    with open_seeded(tmp_path, "42") as app, open_seeded(tmp_path, "42") as other:
        ids = [store.new_id(prefix) for store in (app.store, other.store, app.store)]
    assert sorted(set(ids)) == ids
