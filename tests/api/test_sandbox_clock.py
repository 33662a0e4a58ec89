"""The clock of a sandbox over HTTP."""

from __future__ import annotations

from shipcli.features.core.app import App
from tests.api.conftest import Client, body

NINE = "2026-01-05T09:00:00+00:00"


def test_a_suite_moves_time_and_reads_what_happened(fresh: tuple[App, Client]) -> None:
    _, api = fresh
    frozen = api.post("/_sandbox/clock/freeze", {"at": NINE})
    assert frozen.json == {"now": NINE, "state": "frozen", "speed": 0.0}
    bought = api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    events = api.post("/_sandbox/clock/advance", {"by": "61h"}).json
    assert [events[-1][name] for name in ("type", "status", "tracking_number", "at")] == [
        "tracker_updated", "delivered", bought["tracking_number"], "2026-01-07T22:00:00+00:00"
    ]  # fmt: skip
    answer = api.get(f"/v1/shipments/{bought['id']}")
    assert answer.json["status"] == "delivered"
    assert answer.headers["x-sandbox-now"] == "2026-01-07T22:00:00+00:00"


def test_a_parcel_is_moved_and_an_event_sent(fresh: tuple[App, Client]) -> None:
    _, api = fresh
    bought = api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    moved = api.post(f"/_sandbox/trackers/{bought['tracking_number']}/move", {"to": "out_for_delivery"})
    assert moved.json[-1]["status"] == "out_for_delivery"
    sent = api.post("/_sandbox/trigger", {"type": "tracker_updated", "status": "on_hold"})
    assert (sent.json["type"], sent.json["status"]) == ("tracker_updated", "on_hold")


def test_what_can_not_be_done_with_a_clock_says_why(fresh: tuple[App, Client]) -> None:
    _, api = fresh
    assert api.post("/_sandbox/clock/advance", {"by": "soon"}).status == 400
    assert api.post("/_sandbox/clock/speed", {"speed": -1}).status == 400
    assert api.post("/_sandbox/trackers/1Z/move", {}).status == 404
    assert api.post("/_sandbox/trigger", {"type": "order_created"}).status == 409
    assert api.get("/_sandbox/clock").json["state"] == "real"
