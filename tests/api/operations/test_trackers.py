"""Trackers over HTTP: added, read by anybody, changed, removed."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.trackers import service as trackers
from shipcli.models import Tracker
from shipcli.models.basics.enums import TRACKER_STATUSES
from shipcli.operations.document import make_openapi_document
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.factories import PARCEL
from tests.features.trackers.samples import event, found

INFO = {
    "carrier_tracking_link", "customer_name", "expected_delivery", "note", "order_date", "order_id",
    "package_weight", "package_weight_unit", "shipment_package_count", "shipment_pickup_date",
    "shipment_delivery_date", "shipment_service", "shipment_origin_country", "shipment_origin_postal_code",
    "shipment_destination_country", "shipment_destination_postal_code", "shipping_date", "signed_by",
    "source",
}  # fmt: skip
STATUSES = {
    "SC00": "pending", "SC01": "in_transit", "SC02": "out_for_delivery", "SC03": "delivered",
    "SC04": "on_hold", "SC05": "delivery_delayed", "SC06": "ready_for_pickup", "SC07": "delivery_failed",
    "SC08": "unknown",
}  # fmt: skip
NOBODYS = "9200000000000000000000"


def wanted(number: str, carrier: str = "usps", **fields: Any) -> dict[str, Any]:
    return {"tracking_number": number, "carrier_name": carrier, **fields}


def added(api: Client, number: str, carrier: str = "usps", **fields: Any) -> dict[str, Any]:
    return api.made("/v1/trackers", wanted(number, carrier, **fields))


def of_number(api: Client, number: str) -> list[str]:
    return [one["id"] for one in api.get(f"/v1/trackers?tracking_number={number}").json["results"]]


def test_a_number_gets_a_tracker(api: Client) -> None:
    reply = api.post("/v1/trackers", wanted("SC0100000001"))
    made = reply.json
    assert (reply.status, made["id"][:4], made["object_type"]) == (202, "trk_", "tracker")
    assert (made["tracking_number"], made["carrier_name"]) == ("SC0100000001", "usps")
    assert of_number(api, "SC0100000001") == [made["id"]]


@pytest.mark.parametrize("field", ["tracking_number", "carrier_name"])
def test_number_and_carrier_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in wanted("SC0100000001").items() if name != field}
    reply = api.post("/v1/trackers", given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize("number", ["", "  "])
def test_an_empty_number_is_no_number_even_when_it_may_wait(api: Client, number: str) -> None:
    reply = api.post("/v1/trackers?pending_pickup=true", wanted(number))
    assert (reply.status, set(reply.error["details"])) == (400, {"tracking_number"})
    reply = api.get("/v1/trackers/usps/%20")
    assert (reply.status, set(reply.error["details"])) == (400, {"tracking_number"})


def test_spaces_around_a_number_are_no_part_of_it(api: Client) -> None:
    assert added(api, " SC0100000021 ")["tracking_number"] == "SC0100000021"


@pytest.mark.parametrize("slug", ["uspss", "USPS", "easypost", "sapient"])
def test_a_carrier_that_tracks_nothing_under_its_name_is_refused(api: Client, slug: str) -> None:
    reply = api.post("/v1/trackers", wanted("SC0100000001", slug))
    assert (reply.status, set(reply.error["details"])) == (400, {"carrier_name"})


def test_without_a_connection_that_tracks_nothing_is_found(api: Client) -> None:
    (account,) = api.get("/v1/connections?carrier_name=canadapost").json["results"]
    for change in ({"capabilities": ["shipping", "rating"]}, {"capabilities": None, "active": False}):
        api.patch(f"/v1/connections/{account['id']}", change)
        reply = api.post("/v1/trackers", wanted("SC0100000009", "canadapost"))
        assert (reply.status, reply.error["code"]) == (404, "not_found")
    api.patch(f"/v1/connections/{account['id']}", {"active": True})
    assert api.post("/v1/trackers", wanted("SC0100000009", "canadapost")).status == 202


def test_a_number_has_one_tracker(api: Client) -> None:
    first, again = added(api, "SC0100000002"), added(api, "SC0100000002")
    assert first == again
    assert of_number(api, "SC0100000002") == [first["id"]]


def test_a_number_without_data_is_not_found_in_the_carriers_words(api: Client) -> None:
    for query in ("", "?pending_pickup=false"):
        reply = api.post(f"/v1/trackers{query}", wanted(NOBODYS))
        assert (reply.status, set(reply.json)) == (404, {"messages"})
        assert {one["carrier_id"] for one in reply.json["messages"]} == {"usps"}
    assert of_number(api, NOBODYS) == []


def test_a_number_may_wait_for_its_pickup(api: Client) -> None:
    reply = api.post("/v1/trackers?pending_pickup=true", wanted("9200000000000000000001"))
    assert (reply.status, reply.json["status"]) == (202, "pending")
    assert api.get(f"/v1/trackers/{reply.json['id']}").json == reply.json


def test_the_callers_info_wins_and_metadata_is_kept(api: Client) -> None:
    own = {"customer_name": "Ana", "expected_delivery": "2031-01-01", "source": "shop"}
    made = added(api, "SC0100000003", info=own, metadata={"a": {"b": 1}})
    found = api.get(f"/v1/trackers/{made['id']}").json
    assert {name: found["info"][name] for name in own} == own
    assert found["info"]["carrier_tracking_link"]
    assert found["metadata"] == {"a": {"b": 1}}


def test_an_account_and_a_reference_are_taken(api: Client) -> None:
    reply = api.post("/v1/trackers", wanted("SC0100000004", account_number="A1", reference="R1"))
    assert reply.status == 202
    assert (reply.json["meta"]["account_number"], reply.json["meta"]["reference"]) == ("A1", "R1")


def test_info_has_all_its_keys(api: Client) -> None:
    made = added(api, "SC0100000005")
    for one in (made, api.get(f"/v1/trackers/{made['id']}").json):
        assert set(one["info"]) == INFO
    assert len(INFO) == 19
    assert set(api.get("/v1/trackers").json["results"][0]["info"]) == INFO


def test_events_are_newest_first(api: Client) -> None:
    events = added(api, "SC0300000006")["events"]
    moments = [(one["date"], one["time"]) for one in events]
    assert len(events) > 2
    assert moments == sorted(moments, reverse=True)
    assert all(one["code"] and one["description"] for one in events)
    assert any(one.get("location") for one in events)


def test_every_status_is_one_of_the_nine(api: Client) -> None:
    for start, status in STATUSES.items():
        made = added(api, f"{start}00000100")
        assert (made["status"], made["delivered"]) == (status, status == "delivered")
    assert set(STATUSES.values()) == set(TRACKER_STATUSES)


def test_a_tracker_is_read_by_id_and_by_number_by_anybody(api: Client, anybody: Client) -> None:
    made = added(api, "SC0100000007")
    for client in (api, anybody):
        for word in (made["id"], "SC0100000007"):
            reply = client.get(f"/v1/trackers/{word}")
            assert (reply.status, reply.json) == (200, made)
    assert anybody.put(f"/v1/trackers/{made['id']}", {"metadata": {}}).status == 401


def test_info_and_metadata_are_merged_and_nothing_else_is_changed(api: Client) -> None:
    made = added(api, "SC0100000008", metadata={"a": 1, "b": 2}, info={"note": "x", "order_id": "7"})
    given = {"metadata": {"a": None, "c": 3}, "info": {"note": None, "signed_by": "Ana"},
             "status": "delivered", "delivered": True, "events": []}  # fmt: skip
    reply = api.put(f"/v1/trackers/{made['id']}", given)
    info = {**made["info"], "note": None, "signed_by": "Ana"}
    assert (reply.status, reply.json["metadata"], reply.json["info"]) == (200, {"b": 2, "c": 3}, info)
    kept = ("status", "delivered", "events", "tracking_number")
    assert [reply.json[name] for name in kept] == [made[name] for name in kept]
    assert api.get(f"/v1/trackers/{made['id']}").json == reply.json


def test_a_tracker_is_removed_by_id_or_by_number(api: Client) -> None:
    for word in ("id", "tracking_number"):
        made = added(api, "SC0100000010")
        reply = api.delete(f"/v1/trackers/{made[word]}")
        assert (reply.status, reply.json) == (200, made)
        assert of_number(api, "SC0100000010") == []


def test_a_number_that_is_watched_again_moves_its_shipment_on(app: App, api: Client) -> None:
    shipment = bought(api, carrier_ids=["ups"])
    path, number = f"/v1/shipments/{shipment['id']}", shipment["tracking_number"]
    api.delete(f"/v1/trackers/{number}")
    assert api.get(path).json["tracker_id"] is None
    again = added(api, number, "ups")
    assert again["id"] == api.get(path).json["tracker_id"] != shipment["tracker_id"]
    tracker = trackers.get_tracker(app, again["id"])
    trackers.save(app, tracker, found(number, events=[event()], delivered=True))
    assert api.get(path).json["status"] == "delivered"


def test_a_number_of_another_carrier_or_of_a_cancelled_label_moves_no_shipment(api: Client) -> None:
    own = bought(api, carrier_ids=["generic"], parcels=[{**PARCEL, "reference_number": "SC0300000077"}])
    assert own["tracking_number"] == "SC0300000077"
    added(api, "SC0300000077", "ups")
    now = api.get(f"/v1/shipments/{own['id']}").json
    assert (now["status"], now["tracker_id"]) == ("purchased", None)
    gone = bought(api, carrier_ids=["ups"])
    api.post(f"/v1/shipments/{gone['id']}/cancel")
    added(api, gone["tracking_number"], "ups")
    assert api.get(f"/v1/shipments/{gone['id']}").json["tracker_id"] is None


def test_the_deprecated_path_makes_a_tracker_or_gives_the_known_one(api: Client) -> None:
    path = "/v1/trackers/usps/SC0100000011"
    first, again = api.get(path), api.get(f"{path}?carrier_name=usps")
    assert (first.status, again.status) == (202, 202)
    assert first.json == again.json
    assert of_number(api, "SC0100000011") == [first.json["id"]]
    row = make_openapi_document()["paths"]["/v1/trackers/{carrier_name}/{tracking_number}"]["get"]
    assert row["deprecated"] is True


def test_a_tracker_of_a_purchase_is_pending(api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    found = api.get(f"/v1/trackers/{sent['tracker_id']}").json
    assert (found["status"], found["delivered"], found["carrier_id"]) == ("pending", False, "ups")


# -- hubs --------------------------------------------------------------------------------------


def test_a_hub_is_asked_for_the_numbers_of_carriers_behind_it(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    made = api.made("/v1/trackers?hub=easypost", wanted("SC0300000011", "canadapost"))
    assert (made["carrier_name"], made["carrier_id"]) == ("canadapost", "easypost")
    assert (made["status"], made["meta"]["ext"]) == ("delivered", "easypost")
    (asked,) = app.store.select("traces", {"carrier_name": "easypost"})
    assert asked["request"]["body"] == '{"tracking_code":"SC0300000011","carrier":"CanadaPost"}'


def test_a_tracker_of_a_hub_is_read_again_not_made_again(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    made = api.made("/v1/trackers?hub=easypost", wanted("SC0100000012", "usps"))
    trackers.refresh(app, [Tracker.model_validate(made)])
    asked = [row["request"] for row in app.store.select("traces", {"carrier_name": "easypost"})]
    assert sorted(one["method"] for one in asked) == ["GET", "POST"]
    assert any(one["url"].endswith("/trackers/trk_SC0100000012") for one in asked)


def test_a_label_of_a_hub_is_followed_where_its_address_says(fresh: tuple[App, Client]) -> None:
    _, api = fresh
    label = api.made("/v1/shipments", body(carrier_ids=["easypost"], service="easypost_ups_ground"))
    assert label["meta"]["rate_provider"] == "ups"
    assert label["tracking_url"] == f"/v1/trackers/ups/{label['tracking_number']}?hub=easypost"
    (tracker,) = api.get("/v1/trackers").json["results"]
    assert (tracker["carrier_name"], tracker["meta"]["tracker_id"]) == (
        "ups",
        f"trk_{label['tracking_number']}",
    )
    followed = api.get(label["tracking_url"])
    assert (followed.status, followed.json["carrier_id"]) == (202, "easypost")


def test_an_unknown_tracker_is_told_as_error_and_as_message(api: Client, anybody: Client) -> None:
    for client in (api, anybody):
        reply = client.get("/v1/trackers/1Z999AA10123456784")
        assert (reply.status, reply.error["code"]) == (404, "not_found")
        assert [message["message"] for message in reply.json["messages"]] == [reply.error["message"]]
