"""The steps of commands on other machines: a label is bought once, and only of a draft."""

from __future__ import annotations

from typing import Any

from shipcli.features.core.app import App
from shipcli.features.shipments.service import create_shipment
from shipcli.models import ShipmentData
from tests.api.conftest import Client, body
from tests.api.samples import ORDER
from tests.factories import ITEM
from tests.features.conftest import live_labels

QUOTE, BUY, FIND = "/v1/steps/drafts", "/v1/steps/purchases", "/v1/steps/purchases/find"
BUY_ORDER = "/v1/steps/orders/purchases"
KEYED = {"operation": "create_shipment", "key": "steps-1", "digest": "d1"}
Document = dict[str, Any]


def quote(api: Client, **changes: Any) -> Document:
    """A purchase of a new shipment at its first rate."""
    draft = api.made(QUOTE, body(**changes))
    return {"draft": draft, "rate": draft["rates"][0]}


def count_labels(app: App) -> int:
    return sum(len(numbers) for numbers in live_labels(app).values())


def test_a_quote_stores_nothing_and_is_bought_under_its_id(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    purchase = quote(api)
    assert app.store.count("shipment") == 0
    label = api.made(BUY, purchase)
    assert (label["id"], label["status"]) == (purchase["draft"]["id"], "purchased")
    again = api.post(BUY, purchase)
    assert (again.status, count_labels(app)) == (409, 1)


def test_a_key_buys_once_and_finds_what_it_bought(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    assert api.made(FIND, KEYED) == {"shipment": None}
    first, second = ({**quote(api), "keyed": KEYED} for _ in range(2))
    label = api.made(BUY, first)
    assert api.made(BUY, second)["id"] == label["id"]
    assert api.made(FIND, KEYED)["shipment"]["tracking_number"] == label["tracking_number"]
    assert api.post(FIND, {**KEYED, "digest": "d2"}).status == 409
    assert count_labels(app) == 1


def test_a_reference_has_one_label_until_another_is_wanted(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    api.made(BUY, quote(api, reference="SO-1"))
    refused = api.post(BUY, quote(api, reference="SO-1"))
    assert (refused.status, "has a label already" in refused.error["message"]) == (409, True)
    api.made(BUY, {**quote(api, reference="SO-1"), "again": True})
    assert count_labels(app) == 2


def test_what_is_no_draft_of_this_mode_is_not_bought(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    purchase = quote(api)
    draft, sold = purchase["draft"], api.made(BUY, quote(api))
    for id, status in (("shp_1", 400), ("../label", 400), (sold["id"], 409)):
        assert api.post(BUY, {**purchase, "draft": {**draft, "id": id}}).status == status
    assert api.post(BUY, {**purchase, "draft": {**draft, "status": "purchased"}}).status == 400
    live = create_shipment(app.in_mode(False), ShipmentData.model_validate(body()))
    assert api.post(BUY, {**purchase, "draft": {**draft, "id": live.id}}).status == 409
    assert count_labels(app) == 1


def test_a_label_is_held_to_its_ceiling(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    purchase = quote(api)
    purchase["draft"]["metadata"] = {"max_total": "0.01USD"}
    assert api.post(BUY, purchase).error["code"] == "limit_reached"
    assert count_labels(app) == 0


def test_an_order_is_bought_once_as_it_was_proposed(fresh: tuple[App, Client]) -> None:
    app, api = fresh
    order = api.made("/v1/orders", ORDER)
    line = order["line_items"][0]
    item = {**ITEM, "parent_id": line["id"], "quantity": line["quantity"]}
    parcel = {"weight": 1, "weight_unit": "KG", "items": [item]}
    proposal = {**quote(api, parcels=[parcel]), "order": order}
    sold = api.made(BUY, quote(api))
    stolen = {**proposal, "draft": {**proposal["draft"], "id": sold["id"]}}
    assert api.post(BUY_ORDER, stolen).status == 409
    assert api.get(f"/v1/shipments/{sold['id']}").json["status"] == "purchased"
    api.made(BUY_ORDER, proposal)
    late = {**quote(api, parcels=[parcel]), "order": order}
    assert (api.post(BUY_ORDER, late).status, count_labels(app)) == (409, 2)
