"""`--box auto`: own boxes for the lines of orders and the goods of drafts, by the sizes of products."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.book.boxes import remove_box, save_box
from shipcli.features.book.products import save_products
from shipcli.features.core.app import App
from shipcli.features.orders.packing import make_shipment
from shipcli.features.orders.rule_trials import explain_object
from shipcli.features.orders.service import create_order, get_order
from shipcli.features.rules import service as rules
from shipcli.features.shipments.defaults import read_defaults
from shipcli.features.shipments.service import create_shipment, fetch_rates
from shipcli.models import Invalid, OrderData, ShipmentRateData
from shipcli.models.parts.product import ProductData
from shipcli.models.rule import RuleData
from tests.factories import RECIPIENT, SHIPPER, draft

AUTO = ({"package_preset": "auto"},)


@pytest.fixture
def packer(app: App) -> App:
    """A store with two boxes and a product."""
    for name, size, tare in (("S", "4", "1"), ("L", "8", "4")):
        sides = dict.fromkeys(("length", "width", "height"), size)
        save_box(app, name, {**sides, "dimension_unit": "IN", "weight": tare, "weight_unit": "OZ"})
    mug = {"length": 4, "width": 4, "height": 2, "dimension_unit": "IN"}
    save_products(app, [ProductData.model_validate({"sku": "MUG", **mug})])
    return app


def order(app: App, quantity: int, sku: str = "MUG") -> Any:
    line = {"sku": sku, "title": "Mug", "quantity": quantity, "weight": 8, "weight_unit": "OZ"}
    made = create_order(app, OrderData.model_validate({
        "order_id": f"{sku}-{quantity}", "shipping_to": RECIPIENT, "shipping_from": SHIPPER,
        "line_items": [line],
    }))  # fmt: skip
    return get_order(app, made.id)


@pytest.mark.parametrize(
    ("quantity", "boxes"),
    [(2, [(4, 17)]), (3, [(8, 28)]), (16, [(8, 132)]), (18, [(8, 132), (4, 17)])],
)
def test_an_order_is_packed_in_the_smallest_boxes_with_their_tare(
    packer: App, quantity: int, boxes: list[tuple[int, int]]
) -> None:
    data = make_shipment(read_defaults(packer), order(packer, quantity), facts=AUTO)
    assert [(parcel.length, parcel.weight) for parcel in data.parcels] == boxes  # type: ignore[union-attr]
    assert sum(item.quantity for parcel in data.parcels for item in parcel.items or ()) == quantity  # type: ignore[union-attr]


def test_what_has_no_size_is_named(packer: App) -> None:
    with pytest.raises(Invalid, match="The size of LAMP is not known: shipcli products set LAMP"):
        make_shipment(read_defaults(packer), order(packer, 1, "LAMP"), facts=AUTO)


def test_a_rule_packs_a_draft_and_packs_it_anew(packer: App) -> None:
    rules.add_rule(packer, RuleData(condition="country=US", box="auto"))
    mugs = {"sku": "MUG", "title": "Mug", "quantity": 18, "weight": 8, "weight_unit": "OZ"}
    parcel = {"weight": 9, "weight_unit": "LB", "items": [mugs]}
    stored = create_shipment(packer, draft(parcels=[parcel]))
    weights = [(each.length, each.weight) for each in stored.parcels]
    assert weights == [(8, Decimal("8.25")), (4, Decimal("1.0625"))] or weights[1] == (4, Decimal("1.062"))
    assert "box=auto by 'rule 1' (L, S)" in explain_object(packer, stored.id).summary
    again = fetch_rates(packer, stored.id, ShipmentRateData())
    assert [(each.length, each.weight) for each in again.parcels] == weights


def test_a_rule_whose_box_was_removed_leaves_the_parcel_and_says_so(packer: App) -> None:
    rules.add_rule(packer, RuleData(condition="country=US", box="S", name="Small"))
    remove_box(packer, "s")
    assert rules.list_naming_box(packer, "s") == ["Small"]
    stored = create_shipment(packer, draft())
    assert stored.parcels[0].length == draft().parcels[0].length
    unsized = create_shipment(packer, draft(parcels=[{"weight": 1, "weight_unit": "LB"}]))
    assert unsized.parcels[0].length is None
    assert explain_object(packer, unsized.id).summary == "box=S by 'Small' (there is no box S any more)"


def test_goods_without_a_sku_are_not_sought_among_products(packer: App) -> None:
    mugs = {"title": "Mug", "quantity": 1, "weight": 8, "weight_unit": "OZ"}
    rules.add_rule(packer, RuleData(condition="country=US", box="auto"))
    stored = create_shipment(packer, draft(parcels=[{"weight": 1, "weight_unit": "LB", "items": [mugs]}]))
    assert "(The size of Mug is not known: it has no SKU)" in explain_object(packer, stored.id).summary


def test_a_rule_that_cannot_pack_leaves_the_parcel_and_says_why(packer: App) -> None:
    rules.add_rule(packer, RuleData(condition="country=US", box="auto"))
    lamp = {"sku": "LAMP", "title": "Lamp", "weight": 1, "weight_unit": "LB"}
    stored = create_shipment(packer, draft(parcels=[{"weight": 1, "weight_unit": "LB", "items": [lamp]}]))
    assert stored.parcels[0].length is None
    assert "The size of LAMP is not known" in explain_object(packer, stored.id).summary
