"""Labels, tracking, pickups and manifests that are not stored."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from shipcli.features.core.app import App
from tests.api.conftest import Client, Reply, body, logged
from tests.api.operations.samples import stored
from tests.api.samples import ACCOUNT, WHEN, refused, sent
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

BUY = "/v1/proxy/shipping"
TRACK = "/v1/proxy/tracking"
PICKUP = "/v1/proxy/pickups/usps"
MANIFEST = "/v1/proxy/manifest"
BOOKING = {**WHEN, "address": SHIPPER, "parcels": [PARCEL]}


def wanted(api: Client, slug: str = "ups", **changes: Any) -> dict[str, Any]:
    """The body that buys the cheapest rate of a carrier."""
    given = {name: value for name, value in body().items() if name != "carrier_ids"}
    rates = api.made("/v1/proxy/rates", body(carrier_ids=[slug]))["rates"]
    return {**given, "rates": rates, "selected_rate_id": rates[0]["id"], **changes}


@pytest.fixture(scope="module")
def order(api: Client) -> dict[str, Any]:
    """A body that buys a label."""
    return wanted(api)


# -- labels ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "start"), [("PDF", b"%PDF"), ("ZPL", b"^XA"), ("PNG", b"\x89PNG")])
def test_a_label_is_bought_and_comes_along(api: Client, form: str, start: bytes) -> None:
    given = wanted(api, "generic", label_type=form)
    reply = api.post(BUY, given)
    assert (reply.status, reply.json["status"]) == (200, "purchased")
    assert reply.json["service"] == given["rates"][0]["service"]
    assert reply.json["tracking_number"]
    assert base64.b64decode(reply.json["docs"]["label"], validate=True).startswith(start)


def test_one_of_the_rates_must_be_selected(api: Client, order: dict[str, Any]) -> None:
    for field in ("selected_rate_id", "rates"):
        without = {name: value for name, value in order.items() if name != field}
        assert refused(api.post(BUY, without)) == {field}
    assert refused(api.post(BUY, {**order, "rates": []})) == {"rates"}
    unknown = api.post(BUY, {**order, "selected_rate_id": "rat_no"})
    assert (unknown.status, unknown.error["code"]) == (404, "not_found")


@pytest.mark.parametrize("side", ["shipper", "recipient"])
@pytest.mark.parametrize("field", ["city", "person_name", "address_line1"])
def test_both_addresses_are_complete(api: Client, order: dict[str, Any], side: str, field: str) -> None:
    reply = api.post(BUY, {**order, side: {**order[side], field: None}})
    assert refused(reply) == {side}
    assert set(reply.error["details"][side]) == {field}


def test_a_label_takes_every_field_of_a_shipment(api: Client, order: dict[str, Any]) -> None:
    plain = api.made(BUY, order)
    assert plain["label_type"] == "PDF"
    assert plain["payment"] == {"paid_by": "sender", "currency": None, "account_number": None}
    more: dict[str, Any] = {
        "return_address": RECIPIENT, "billing_address": SHIPPER, "options": {"signature_confirmation": True},
        "payment": {"paid_by": "third_party", "currency": "USD", "account_number": "A1B2C3"},
        "customs": {"commodities": [ITEM], "content_type": "gift", "invoice": "I-1"},
        "reference": "R" * 35, "label_type": "ZPL",
    }  # fmt: skip
    made = api.made(BUY, {**order, **more})
    for name in ("payment", "reference", "label_type"):
        assert made[name] == more[name]
    for name in ("return_address", "billing_address", "options"):
        assert more[name].items() <= made[name].items()
    assert (made["customs"]["invoice"], made["customs"]["content_type"]) == ("I-1", "gift")
    assert set(order) | set(more) >= PUBLISHED - {"service", "services", "carrier_ids", "metadata"}
    for name, wrong in (("reference", "R" * 36), ("label_type", "GIF"), ("payment", {"paid_by": "nobody"})):
        assert refused(api.post(BUY, {**order, name: wrong})) == {name}


# The fields of a shipment's creation.
PUBLISHED = {
    "shipper", "recipient", "return_address", "billing_address", "parcels", "options", "payment", "customs",
    "reference", "label_type", "service", "services", "carrier_ids", "metadata",
}  # fmt: skip


# -- voids -------------------------------------------------------------------------------------


def test_a_label_is_voided_with_a_confirmation(api: Client, order: dict[str, Any]) -> None:
    bought = api.made(BUY, order)
    reply = api.post(f"{BUY}/ups/cancel", {"shipment_identifier": bought["shipment_identifier"]})
    assert (reply.status, set(reply.json)) == (202, {"messages", "confirmation"})
    said = reply.json["confirmation"]
    assert set(said) == {"operation", "success", "carrier_name", "carrier_id"}
    assert (said["success"], said["carrier_name"], said["carrier_id"]) == (True, "ups", "ups")


def test_a_void_needs_a_number_that_the_carrier_knows(api: Client) -> None:
    for given in ({}, {"shipment_identifier": ""}, {"shipment_identifier": " "}):
        assert refused(api.post(f"{BUY}/ups/cancel", given)) == {"shipment_identifier"}
    reply = api.post(f"{BUY}/ups/cancel", {"shipment_identifier": "1Z0"})
    assert (reply.status, set(reply.json)) == (424, {"messages"})


def test_a_void_goes_through_the_account_that_is_named(api: Client, order: dict[str, Any]) -> None:
    numbers = [{"shipment_identifier": api.made(BUY, order)["shipment_identifier"]} for _ in range(2)]
    other = api.made("/v1/connections", {**ACCOUNT, "carrier_id": "other-ups"})
    more = {"service": "ups_ground", "options": {"reason": "typo"}}
    missing = api.post(f"{BUY}/ups/cancel", {**numbers[0], **more, "carrier_id": "nobody"})
    assert (missing.status, missing.error["code"]) == (404, "not_found")
    for number, name in zip(numbers, ("ups", "other-ups"), strict=True):
        done = api.made(f"{BUY}/ups/cancel", {**number, **more, "carrier_id": name})
        assert done["confirmation"]["carrier_id"] == name
    api.delete(f"/v1/connections/{other['id']}")


# -- tracking ----------------------------------------------------------------------------------


def test_a_number_is_tracked(api: Client) -> None:
    reply = api.post(TRACK, {"tracking_number": "SC0300000001", "carrier_name": "ups"})
    assert (reply.status, set(reply.json)) == (200, {"messages", "tracking"})
    tracking = reply.json["tracking"]
    assert (tracking["tracking_number"], tracking["status"]) == ("SC0300000001", "delivered")
    assert tracking["events"]
    unknown = api.post(TRACK, {"tracking_number": "1ZNOBODY", "carrier_name": "ups"})
    assert (unknown.status, set(unknown.json)) == (404, {"messages"})
    assert unknown.json["messages"]


def test_a_number_in_the_path_is_tracked_the_old_way(api: Client) -> None:
    reply = api.get(f"{TRACK}/ups/SC0300000001")
    assert (reply.status, reply.json["tracking"]["status"]) == (200, "delivered")
    served = api.get("/shipping-openapi", Accept="application/json").json["paths"]
    assert served[TRACK + "/{carrier_name}/{tracking_number}"]["get"]["deprecated"] is True


def test_tracking_needs_a_number_and_a_carrier_that_tracks(api: Client) -> None:
    given = {"tracking_number": "SC0300000001", "carrier_name": "ups"}
    for field in given:
        assert refused(api.post(TRACK, {**given, field: None})) == {field}
        assert refused(api.post(TRACK, {name: given[name] for name in given if name != field})) == {field}
    # the last two are carriers that only pass on what others carry
    for slug in ("nobody", "UPS", "easypost", "freightcom"):
        assert refused(api.post(TRACK, {**given, "carrier_name": slug})) == {"carrier_name"}


# -- pickups -----------------------------------------------------------------------------------


def test_a_pickup_is_booked_changed_and_cancelled(api: Client) -> None:
    booked = api.post(PICKUP, {**BOOKING, "instruction": "Ring twice", "package_location": "Dock 2"})
    assert (booked.status, set(booked.json)) == (201, {"messages", "pickup"})
    number = {"confirmation_number": booked.json["pickup"]["confirmation_number"]}
    assert number["confirmation_number"]
    changed = api.post(f"{PICKUP}/update", {**BOOKING, **number, "closing_time": "18:00"})
    assert (changed.status, set(changed.json)) == (200, {"messages", "pickup"})
    assert changed.json["pickup"]["closing_time"] == "18:00"
    for wrong in ("06/05/2030", "soon"):
        assert refused(api.post(f"{PICKUP}/cancel", {**number, "pickup_date": wrong})) == {"pickup_date"}
    given = {**number, "address": SHIPPER, "pickup_date": "2030-05-06", "reason": "rain"}
    cancelled = api.post(f"{PICKUP}/cancel", given)
    assert (cancelled.status, set(cancelled.json)) == (200, {"messages", "confirmation"})
    assert cancelled.json["confirmation"]["success"] is True
    again = api.made(PICKUP, BOOKING)["pickup"]["confirmation_number"]
    bare = api.post(f"{PICKUP}/cancel", {"confirmation_number": again, "pickup_date": None})
    assert bare.status == 200


def test_a_change_and_a_cancellation_need_the_number(api: Client) -> None:
    assert refused(api.post(f"{PICKUP}/update", BOOKING)) == {"confirmation_number"}
    assert refused(api.post(f"{PICKUP}/cancel", {"reason": "rain"})) == {"confirmation_number"}
    assert refused(api.post(f"{PICKUP}/cancel", {"confirmation_number": ""})) == {"confirmation_number"}


@pytest.mark.parametrize("field", ["pickup_date", "address", "parcels", "ready_time", "closing_time"])
def test_a_booking_says_when_where_and_what(api: Client, field: str) -> None:
    for path, more in ((PICKUP, {}), (f"{PICKUP}/update", {"confirmation_number": "X"})):
        given = {**BOOKING, **more}
        without = {name: value for name, value in given.items() if name != field}
        assert refused(api.post(path, without)) == {field}
        for text in ("instruction", "package_location"):
            assert refused(api.post(path, {**given, text: "x" * 51})) == {text}


def test_a_text_of_fifty_characters_fits_a_booking(api: Client) -> None:
    longest = {"instruction": "x" * 50, "package_location": "y" * 50}
    assert longest.items() <= api.made(PICKUP, {**BOOKING, **longest})["pickup"].items()


# -- manifests ---------------------------------------------------------------------------------


def test_a_manifest_comes_along_for_numbers_and_for_ids(api: Client) -> None:
    for name in ("tracking_number", "id"):
        form = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": [sent(api)[name]]}
        reply = api.post(MANIFEST, form)
        assert (reply.status, set(reply.json)) == (200, {"messages", "manifest"})
        file = base64.b64decode(reply.json["manifest"]["doc"]["manifest"], validate=True)
        assert file.startswith(b"%PDF")


@pytest.mark.parametrize("field", ["carrier_name", "address", "shipment_identifiers"])
def test_a_manifest_says_whose_where_and_what(api: Client, field: str) -> None:
    form = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": ["9400"]}
    without = {name: value for name, value in form.items() if name != field}
    assert refused(api.post(MANIFEST, without)) == {field}


# -- what stays behind -------------------------------------------------------------------------


def test_nothing_stays_behind_but_the_log_and_the_traces(app: App, api: Client) -> None:
    replies: list[Reply] = []

    def asked(path: str, value: Any) -> Any:
        replies.append(api.post(path, value))
        return replies[-1].json

    identifier = sent(api)["tracking_number"]
    before, traced = stored(api), {row["id"] for row in app.store.select("traces")}
    asked("/v1/proxy/rates", body())
    bought = asked(BUY, wanted(api, "usps"))
    asked(TRACK, {"tracking_number": "SC0100000001", "carrier_name": "usps"})
    number = asked(PICKUP, BOOKING)["pickup"]["confirmation_number"]
    asked(f"{PICKUP}/update", {**BOOKING, "confirmation_number": number})
    asked(f"{PICKUP}/cancel", {"confirmation_number": number})
    asked(MANIFEST, {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": [identifier]})
    asked(f"{BUY}/usps/cancel", {"shipment_identifier": bought["shipment_identifier"]})
    assert stored(api) == before
    assert all(logged(app, reply)["status"] in (200, 201, 202) for reply in replies)
    verbs = {row["verb"] for row in app.store.select("traces") if row["id"] not in traced}
    assert verbs >= {"rate", "ship", "track", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest",
                     "void"}  # fmt: skip


# -- the mode and the price of a rate ----------------------------------------------------------


def bought_from(app: App, live: bool) -> int:
    return sum(1 for row in app.store.select("traces", {"verb": "ship"}) if row["test_mode"] is not live)


@pytest.mark.parametrize("forged", [False, True])
def test_a_rate_of_one_mode_buys_nothing_with_a_key_of_the_other(
    api: Client, live: Client, app: App, *, forged: bool
) -> None:
    for one, other, mode in ((api, live, False), (live, api, True)):
        order, before = wanted(one), bought_from(app, not mode)
        if forged:
            order["rates"] = [{**rate, "test_mode": mode} for rate in order["rates"]]
        reply = other.post(BUY, order)
        assert (reply.status, reply.error["code"]) == (404, "not_found")
        assert reply.error["message"] == "Invalid selected rate"
        assert bought_from(app, not mode) == before


def test_a_rate_that_says_neither_mode_nor_connection_is_of_the_callers_mode(api: Client) -> None:
    order = wanted(api)
    bare = [
        {name: rate[name] for name in rate if name not in ("test_mode", "meta")} for rate in order["rates"]
    ]
    assert api.post(BUY, {**order, "rates": bare}).json["test_mode"] is True


@pytest.mark.parametrize("slug", ["ups", "usps", "generic"])
def test_a_price_that_the_caller_made_up_is_not_the_price_of_the_label(api: Client, slug: str) -> None:
    order = wanted(api, slug)
    real = order["rates"][0]
    cheap = {**real, "total_charge": 0.01, "currency": "JPY", "extra_charges": [], "carrier_id": "mine"}
    said = api.post(BUY, {**order, "rates": [cheap]}).json
    for rate in (said["selected_rate"], *said["rates"]):
        assert (rate["total_charge"], rate["currency"]) == (real["total_charge"], real["currency"])
        lines, known = ([one["amount"] for one in each["extra_charges"]] for each in (rate, real))
        assert (rate["carrier_id"], lines) == (slug, known)
    assert said["selected_rate_id"] == said["selected_rate"]["id"]
