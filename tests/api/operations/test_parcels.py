"""Parcels over HTTP: sizes, items, numbers, and the shipments they belong to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.models import json
from tests.api.conftest import Client, body
from tests.api.samples import refused, wrong_in
from tests.factories import ITEM, PARCEL, RECIPIENT

PATH = "/v1/parcels"
BOX = {"weight": 1, "weight_unit": "KG"}
SIZES = {"width": 1, "height": 2, "length": 3, "dimension_unit": "CM"}
TEXTS = {"packaging_type": 50, "package_preset": 50, "description": 250, "content": 100,
         "reference_number": 100, "freight_class": 6}  # fmt: skip


def test_a_weight_with_its_unit_is_enough(api: Client) -> None:
    made = api.post(PATH, BOX)
    assert (made.status, made.json["object_type"]) == (201, "parcel")
    assert re.fullmatch("pcl_[0-9a-f]{32}", made.json["id"])
    assert (made.json["is_document"], made.json["options"], made.json["items"]) == (False, {}, [])


@pytest.mark.parametrize("field", ["weight", "weight_unit"])
def test_the_weight_and_its_unit_are_required(api: Client, field: str) -> None:
    for given in ({**BOX, field: None}, {name: value for name, value in BOX.items() if name != field}):
        assert refused(api.post(PATH, given)) == {field}


def test_units_are_those_of_the_trade(api: Client) -> None:
    for unit in ("KG", "LB", "OZ", "G"):
        assert api.made(PATH, {**BOX, "weight_unit": unit})["weight_unit"] == unit
    for size_unit in ("CM", "IN"):
        made = api.made(PATH, {**BOX, **SIZES, "dimension_unit": size_unit})
        assert made["dimension_unit"] == size_unit
    assert api.made(PATH, {**BOX, "dimension_unit": None})["dimension_unit"] is None
    assert refused(api.post(PATH, {**BOX, "weight_unit": "ST"})) == {"weight_unit"}
    assert refused(api.post(PATH, {**BOX, **SIZES, "dimension_unit": "FT"})) == {"dimension_unit"}


@pytest.mark.parametrize("missing", SIZES)
def test_sizes_are_given_all_together_with_their_unit(api: Client, missing: str) -> None:
    some = {name: value for name, value in SIZES.items() if name != missing}
    field = "dimension_unit" if missing == "dimension_unit" else "dimensions"
    assert refused(api.post(PATH, {**BOX, **some})) == {field}
    if missing != "dimension_unit":
        assert refused(api.post(PATH, {**BOX, missing: 1, "dimension_unit": "CM"})) == {"dimensions"}


def test_a_preset_fills_the_sizes_that_are_missing(api: Client) -> None:
    presets = api.get("/v1/references").json["package_presets"]["canadapost"]
    known = presets["canadapost_mailing_box"]
    made = api.made(PATH, {**BOX, "package_preset": "canadapost_mailing_box"})
    assert {name: made[name] for name in SIZES} == {name: known[name] for name in SIZES}
    own = api.made(PATH, {**BOX, "package_preset": "canadapost_mailing_box", "width": 5})
    assert (own["width"], own["height"]) == (5, known["height"])


def test_another_preset_brings_its_own_sizes_and_empties_the_rates_of_a_draft(api: Client) -> None:
    presets = api.get("/v1/references").json["package_presets"]["canadapost"]
    small, large = "canadapost_mailing_box", "canadapost_corrugated_large_box"
    draft = api.made("/v1/shipments", body(parcels=[{**BOX, "package_preset": small}]))
    path = f"{PATH}/{draft['parcels'][0]['id']}"
    changed = api.patch(path, {"package_preset": large}).json
    assert {name: changed[name] for name in SIZES} == {name: presets[large][name] for name in SIZES}
    assert api.get(f"/v1/shipments/{draft['id']}").json["rates"] == []
    mixed = api.patch(path, {"package_preset": small, "width": 20}).json
    assert (mixed["width"], mixed["length"]) == (20, presets[small]["length"])
    sized = {**changed, "width": 7, "height": 7, "length": 7}
    assert api.patch(path, {**sized, "package_preset": large}).json["width"] == 7
    kept = api.patch(path, {"package_preset": "shoebox"}).json
    assert [kept[side] for side in ("width", "height", "length")] == [7, 7, 7]


@pytest.mark.parametrize(("field", "most"), TEXTS.items())
def test_a_text_is_as_long_as_its_maximum_and_no_longer(api: Client, field: str, most: int) -> None:
    assert api.made(PATH, {**BOX, field: "x" * most})[field] == "x" * most
    assert refused(api.post(PATH, {**BOX, field: "x" * (most + 1)})) == {field}


def test_items_are_commodities_and_one_piece_unless_said(api: Client) -> None:
    items = api.made(PATH, {**BOX, "items": [{"weight": 1, "weight_unit": "KG"}, ITEM]})["items"]
    assert [item["quantity"] for item in items] == [1, ITEM["quantity"]]
    assert all(re.fullmatch("cdt_[0-9a-f]{32}", item["id"]) for item in items)
    assert {item["object_type"] for item in items} == {"commodity"}


@pytest.mark.parametrize(
    ("field", "most"), [("title", 35), ("sku", 35), ("hs_code", 35), ("description", 100)]
)
def test_a_text_of_an_item_has_its_maximum(api: Client, field: str, most: int) -> None:
    longest = {**ITEM, field: "x" * most}
    assert api.made(PATH, {**BOX, "items": [longest]})["items"][0][field] == "x" * most
    details = wrong_in(api.post(PATH, {**BOX, "items": [{**ITEM, field: "x" * (most + 1)}]}))
    assert set(details["items"][0]) == {field}


def test_an_item_needs_a_weight_and_takes_known_words(api: Client) -> None:
    for field, wrong in (("weight", None), ("weight_unit", None), ("weight_unit", "ST"),
                         ("origin_country", "XX"), ("value_currency", "XXX_")):  # fmt: skip
        details = wrong_in(api.post(PATH, {**BOX, "items": [{**ITEM, field: wrong}]}))
        assert set(details["items"][0]) == {field}
    for field in ("weight", "weight_unit"):
        without = {name: value for name, value in ITEM.items() if name != field}
        assert set(wrong_in(api.post(PATH, {**BOX, "items": [without]}))["items"][0]) == {field}
    for good in ({"origin_country": "CA", "value_currency": "CAD"},
                 {"origin_country": None, "value_currency": None}):  # fmt: skip
        (item,) = api.made(PATH, {**BOX, "items": [{**ITEM, **good}]})["items"]
        assert good.items() <= item.items()


def test_a_missing_reference_number_is_ten_digits(api: Client) -> None:
    numbers = [
        api.made(PATH, {**BOX, **given})["reference_number"] for given in ({}, {"reference_number": None})
    ]
    assert all(re.fullmatch("[0-9]{10}", number) for number in numbers)
    assert numbers[0] != numbers[1]
    assert api.made(PATH, {**BOX, "reference_number": "BOX-1"})["reference_number"] == "BOX-1"


def test_only_parcels_outside_of_shipments_are_listed(fresh: tuple[Any, Client]) -> None:
    api = fresh[1]
    alone = api.made(PATH, PARCEL)
    held = api.made("/v1/shipments", body(parcels=[{"id": alone["id"]}]))["parcels"][0]
    assert held["id"] != alone["id"]
    assert api.get(PATH).json["results"] == [alone]
    for one in (alone, held):
        assert api.get(f"{PATH}/{one['id']}").json == one


def test_a_change_touches_the_given_fields_and_merges_options(api: Client) -> None:
    made = api.made(PATH, {**PARCEL, "options": {"a": 1, "b": 2}, "description": "old"})
    path = f"{PATH}/{made['id']}"
    changed = api.patch(path, {"options": {"a": None, "c": 3}, "description": "new"})
    assert (changed.status, changed.json) == (
        200,
        {**made, "options": {"b": 2, "c": 3}, "description": "new"},
    )
    assert api.get(path).json == changed.json


def test_a_parcel_of_a_bought_or_cancelled_shipment_stays_as_it_is(api: Client) -> None:
    sent = api.made("/v1/shipments", body(service="standard_service"))
    dropped = api.made("/v1/shipments", body())
    api.post(f"/v1/shipments/{dropped['id']}/cancel")
    for shipment in (sent, dropped):
        reply = api.patch(f"{PATH}/{shipment['parcels'][0]['id']}", {"description": "no"})
        assert (reply.status, reply.error["code"]) == (409, "state_error")


@pytest.mark.parametrize(
    "change", [{"weight": 9}, {"weight_unit": "KG"}, {"length": 20}, {"width": 20}, {"height": 20},
               {"dimension_unit": "CM"}],
)  # fmt: skip
def test_another_weight_or_size_empties_the_rates_of_a_draft(api: Client, change: dict[str, Any]) -> None:
    draft = api.made("/v1/shipments", body())
    assert draft["rates"]
    assert api.patch(f"{PATH}/{draft['parcels'][0]['id']}", change).status == 200
    changed = api.get(f"/v1/shipments/{draft['id']}").json
    assert (changed["rates"], changed["status"]) == ([], "draft")
    assert change.items() <= changed["parcels"][0].items()


@pytest.mark.parametrize("items", [[], [ITEM]])
def test_a_parcel_is_deleted_with_or_without_items(api: Client, items: list[Any]) -> None:
    made = api.made(PATH, {**BOX, "items": items})
    gone = api.delete(f"{PATH}/{made['id']}")
    assert (gone.status, gone.json) == (200, made)
    assert api.get(f"{PATH}/{made['id']}").status == 404


def test_the_only_parcel_of_a_shipment_is_not_deleted(api: Client) -> None:
    draft = api.made("/v1/shipments", body(parcels=[PARCEL, PARCEL]))
    first, second = (f"{PATH}/{one['id']}" for one in draft["parcels"])
    assert api.delete(first).status == 200
    reply = api.delete(second)
    assert (reply.status, reply.error["code"]) == (409, "state_error")


# -- what reaches the carrier ------------------------------------------------------------------


def asked(app: App, api: Client, slug: str, parcels: list[dict[str, Any]], **more: Any) -> list[str]:
    """The texts in which a carrier was asked for the rates of parcels."""
    before = {row["id"] for row in app.store.select("traces")}
    api.made("/v1/proxy/rates", body(carrier_ids=[slug], parcels=parcels, **more))
    rows = app.store.select("traces", {"verb": "rate"})
    return [row["request"]["body"] for row in rows if row["id"] not in before]


def test_options_of_a_parcel_are_kept_and_its_insurance_reaches_the_carrier(app: App, api: Client) -> None:
    options = {"insurance": 120.5, "insured_by": "carrier", "anything": [1, None, {"x": "y"}]}
    made = api.made(PATH, {**PARCEL, "options": options})
    assert api.get(f"{PATH}/{made['id']}").json["options"] == made["options"] == options
    draft = api.made("/v1/shipments", body(parcels=[{**PARCEL, "options": options}]))
    assert draft["parcels"][0]["options"] == options
    place = {
        **RECIPIENT,
        "city": "Ottawa",
        "state_code": "ON",
        "postal_code": "K1A 0B1",
        "country_code": "CA",
    }
    pieces = [{**PARCEL, "options": options}, PARCEL]
    insured, plain = sorted(
        asked(app, api, "canadapost", pieces, shipper=place, recipient=place), key=len, reverse=True
    )
    assert "<option-code>COV</option-code><option-amount>120.5" in insured
    assert "COV" not in plain
    texts = asked(app, api, "usps", pieces)
    assert sorted('"extraServices":[930]' in text for text in texts) == [False, True]


GENERIC = {"envelope": "01", "pak": "04", "tube": "03", "pallet": "30", "small_box": "2a",
           "medium_box": "2b", "your_packaging": "02"}  # fmt: skip


def test_a_packaging_reaches_the_carrier_as_its_own_code(app: App, api: Client) -> None:
    assert set(GENERIC) == set(api.get("/v1/references").json["packaging_types"]["universal"])
    for name, code in {**GENERIC, "ups_large_express_box": "2c"}.items():
        parcel = {**PARCEL, "packaging_type": name}
        assert api.made(PATH, parcel)["packaging_type"] == name
        (text,) = asked(app, api, "ups", [parcel])
        assert json.loads(text)["RateRequest"]["Shipment"]["Package"][0]["PackagingType"]["Code"] == code


def test_only_lines_of_orders_say_what_is_left_to_send(api: Client) -> None:
    order = api.made("/v1/orders", {"order_id": "U-1", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    assert order["line_items"][0]["unfulfilled_quantity"] == 2
    parcel = api.made(PATH, {**PARCEL, "items": [ITEM]})
    sent = api.made(
        "/v1/shipments", body(parcels=[{**PARCEL, "items": [ITEM]}], customs={"commodities": [ITEM]})
    )
    for item in (parcel["items"][0], sent["parcels"][0]["items"][0], sent["customs"]["commodities"][0]):
        assert "unfulfilled_quantity" not in item
