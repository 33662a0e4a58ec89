"""Orders over HTTP: made, changed, cancelled, and what their shipments make of them."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.core.dates import find_local_day
from shipcli.features.trackers import service as trackers
from shipcli.operations.document import make_openapi_document
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER
from tests.features.trackers.samples import event, found

BOOK = {"title": "Book", "quantity": 1, "weight": 300, "weight_unit": "G"}
OPTIONS = {
    "currency": "USD", "paid_by": "third_party", "payment_account_number": "ACC", "duty_paid_by": "recipient",
    "duty_account_number": "DUTY", "invoice_number": "INV-1", "invoice_date": "2026-11-01",
    "single_item_per_parcel": True, "carrier_ids": ["ups"], "preferred_service": "ups_ground",
}  # fmt: skip
numbers = count(1)


def wanted(**changes: Any) -> dict[str, Any]:
    """The body of an order that does not exist yet: two cups and a book."""
    return {"order_id": f"O-{next(numbers)}", "shipping_to": RECIPIENT, "line_items": [ITEM, BOOK], **changes}


def made(api: Client, **changes: Any) -> dict[str, Any]:
    return api.made("/v1/orders", wanted(**changes))


def path_of(order: dict[str, Any]) -> str:
    return f"/v1/orders/{order['id']}"


def state(api: Client, order: dict[str, Any]) -> tuple[str, list[int]]:
    """Status and what is left of every line."""
    found = api.get(path_of(order)).json
    return found["status"], [line["unfulfilled_quantity"] for line in found["line_items"]]


def parcel_of(order: dict[str, Any], *quantities: int) -> dict[str, Any]:
    """A parcel with these quantities of the order's lines."""
    pairs = zip(order["line_items"], quantities, strict=False)
    items = [{**BOOK, "quantity": number, "parent_id": line["id"]} for line, number in pairs if number]
    return {**PARCEL, "items": items}


def sent(api: Client, order: dict[str, Any], *quantities: int, **changes: Any) -> dict[str, Any]:
    return bought(api, parcels=[parcel_of(order, *quantities)], **changes)


def deliver(app: App, shipment: dict[str, Any]) -> None:
    """As if the carrier had said so."""
    tracker = trackers.get_tracker(app, shipment["tracker_id"])
    trackers.save(app, tracker, found(shipment["tracking_number"], events=[event()], delivered=True))


def brought_to(api: Client, app: App, order: dict[str, Any], status: str) -> None:
    """Bring an order to a status by what is shipped of it."""
    if status == "cancelled":
        api.post(f"{path_of(order)}/cancel")
    elif status == "partial":
        sent(api, order, 1)
    elif status == "fulfilled":
        sent(api, order, 2, 1)
    elif status == "delivered":
        deliver(app, sent(api, order, 2, 1, carrier_ids=["ups"]))
    assert state(api, order)[0] == status


# -- made --------------------------------------------------------------------------------------


def test_an_order_is_unfulfilled_with_its_defaults(app: App, api: Client) -> None:
    reply = api.post("/v1/orders", wanted())
    order = reply.json
    assert (reply.status, order["id"][:4], order["status"]) == (201, "ord_", "unfulfilled")
    assert (order["source"], order["order_date"]) == ("API", find_local_day(app.now()).isoformat())
    given = made(api, source="shop", order_date="2026-01-02")
    assert (given["source"], given["order_date"]) == ("shop", "2026-01-02")


@pytest.mark.parametrize("field", ["order_id", "shipping_to", "line_items"])
def test_number_recipient_and_lines_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in wanted().items() if name != field}
    reply = api.post("/v1/orders", given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize(
    "wrong",
    [
        {"line_items": []}, {"order_date": "01/02/2026"}, {"order_date": "2026-1-2"}, {"order_id": ""},
        {"order_id": "  "},
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_by_its_name(api: Client, wrong: dict[str, Any]) -> None:
    reply = api.post("/v1/orders", wanted(**wrong))
    assert (reply.status, set(reply.error["details"])) == (400, set(wrong))


def test_a_shipment_of_one_mode_holds_no_lines_of_an_order_of_the_other(api: Client, live: Client) -> None:
    order = made(live)
    parcel = parcel_of(order, 1)
    reply = api.post("/v1/shipments", body(parcels=[PARCEL, parcel]))
    assert (reply.status, list(reply.error["details"]["parcels"][1]["items"][0])) == (400, ["parent_id"])
    draft = api.made("/v1/shipments", body())
    path = f"/v1/parcels/{draft['parcels'][0]['id']}"
    reply = api.patch(path, {"items": [ITEM, *parcel["items"]]})
    assert (reply.status, reply.error["details"]["items"][0]) == (400, {})
    assert list(reply.error["details"]["items"][1]) == ["parent_id"]
    own = made(api)
    assert api.patch(path, {"items": parcel_of(own, 1)["items"]}).status == 200
    assert [one["id"] for one in api.get(path_of(own)).json["shipments"]] == [draft["id"]]
    assert live.get(path_of(order)).json["shipments"] == []


def test_lines_have_ids_and_all_of_them_is_left(api: Client) -> None:
    lines = made(api)["line_items"]
    assert [line["id"][:4] for line in lines] == ["cdt_", "cdt_"]
    assert [line["unfulfilled_quantity"] for line in lines] == [line["quantity"] for line in lines] == [2, 1]


def test_a_number_and_source_is_taken_until_the_order_is_cancelled(api: Client) -> None:
    given = wanted()
    first = api.made("/v1/orders", given)
    assert api.post("/v1/orders", given).status == 409
    assert api.post("/v1/orders", {**given, "source": "shop"}).status == 201
    api.post(f"{path_of(first)}/cancel")
    assert api.post("/v1/orders", given).status == 201
    assert api.post("/v1/orders", given).status == 409


def test_an_order_is_read_and_listed_whole(api: Client) -> None:
    order = made(api, options={"a": 1}, metadata={"b": 2}, shipping_from=SHIPPER)
    reply = api.get(path_of(order))
    assert (reply.status, reply.json) == (200, order)
    assert set(order) == set(make_openapi_document()["components"]["schemas"]["Order"]["properties"])
    assert (order["shipments"], order["options"], order["metadata"], order["meta"]) == (
        [], {"a": 1}, {"b": 2}, {},
    )  # fmt: skip
    assert order["created_at"].endswith("+00:00")
    page = api.get("/v1/orders?limit=1")
    assert (page.status, page.json["results"]) == (200, [order])


def test_the_options_of_an_order_are_kept(api: Client) -> None:
    assert api.get(path_of(made(api, options=OPTIONS))).json["options"] == OPTIONS


# -- changed -----------------------------------------------------------------------------------


def test_options_and_metadata_are_merged_and_nothing_else_is_changed(api: Client) -> None:
    order = made(api, options={"a": 1, "b": 2}, metadata={"x": 1})
    given = {"options": {"a": None, "c": 3}, "metadata": {"y": 2}, "order_id": "other", "source": "other",
             "status": "delivered", "shipping_to": SHIPPER, "shipping_from": SHIPPER, "line_items": [BOOK],
             "order_date": "2020-01-01", "billing_address": SHIPPER}  # fmt: skip
    reply = api.put(path_of(order), given)
    wanted = {**order, "options": {"b": 2, "c": 3}, "metadata": {"x": 1, "y": 2}}
    assert (reply.status, reply.json) == (200, wanted)
    assert api.get(path_of(order)).json == wanted


@pytest.mark.parametrize("status", ["unfulfilled", "partial", "fulfilled", "delivered", "cancelled"])
def test_a_settled_order_takes_metadata_only_and_a_cancelled_one_stays_so(
    app: App, api: Client, status: str
) -> None:
    order = made(api)
    brought_to(api, app, order, status)
    alone = api.put(path_of(order), {"metadata": {"a": 1}})
    assert (alone.status, alone.json["metadata"]) == (200, {"a": 1})
    for given in ({"options": {"b": 1}}, {"options": {"b": 1}, "metadata": {"a": 2}}):
        reply = api.put(path_of(order), given)
        assert reply.status == (409 if status in ("fulfilled", "delivered") else 200)
    assert state(api, order)[0] == status


# -- shipped -----------------------------------------------------------------------------------


def test_an_order_follows_its_shipments(api: Client) -> None:
    order = made(api)
    draft = api.made(
        "/v1/shipments",
        {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [parcel_of(order, 2, 1)]},
    )
    assert state(api, order) == ("unfulfilled", [2, 1])
    first = sent(api, order, 1)
    assert state(api, order) == ("partial", [1, 1])
    second = sent(api, order, 1, 1)
    assert state(api, order) == ("fulfilled", [0, 0])
    found = api.get(path_of(order)).json["shipments"]
    assert [one["id"] for one in found] == [second["id"], first["id"], draft["id"]]
    assert first["meta"]["orders"] == second["meta"]["orders"] == order["id"]
    api.post(f"/v1/shipments/{second['id']}/cancel")
    assert state(api, order) == ("partial", [1, 1])
    api.post(f"/v1/shipments/{first['id']}/cancel")
    assert state(api, order) == ("unfulfilled", [2, 1])


def test_more_than_was_ordered_leaves_nothing(api: Client) -> None:
    order = made(api)
    sent(api, order, 5, 1)
    assert state(api, order) == ("fulfilled", [0, 0])


# -- cancelled ---------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["cancel", "dismiss"])
def test_an_unfulfilled_order_is_cancelled_once(api: Client, way: str) -> None:
    order = made(api)

    def cancelled() -> Any:
        return api.post(f"{path_of(order)}/cancel") if way == "cancel" else api.delete(path_of(order))

    reply = cancelled()
    assert (reply.status, reply.json["status"], reply.json["id"]) == (200, "cancelled", order["id"])
    again = cancelled()
    assert (again.status, again.error["code"]) == (409, "state_error")
    assert make_openapi_document()["paths"]["/v1/orders/{id}"]["delete"]["deprecated"] is True


@pytest.mark.parametrize("status", ["partial", "fulfilled", "delivered"])
def test_what_is_shipped_is_not_cancelled(app: App, api: Client, status: str) -> None:
    order = made(api)
    brought_to(api, app, order, status)
    for reply in (api.post(f"{path_of(order)}/cancel"), api.delete(path_of(order))):
        assert (reply.status, reply.error["code"]) == (409, "state_error")
    assert state(api, order)[0] == status


def test_drafts_and_cancelled_shipments_do_not_hold_a_delivery_up(app: App, api: Client) -> None:
    order = made(api)
    api.made("/v1/shipments", {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [parcel_of(order, 1)]})
    gone = sent(api, order, 1)
    api.post(f"/v1/shipments/{gone['id']}/cancel")
    for quantities, status in (((2,), "partial"), ((0, 1), "delivered")):
        one = sent(api, order, *quantities, carrier_ids=["ups"])
        deliver(app, one)
        assert state(api, order)[0] == status
