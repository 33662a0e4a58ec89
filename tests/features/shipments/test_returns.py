"""What the return of a shipment is: the way back, the goods that come back, nothing of the way there."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.purchase import buy
from shipcli.features.shipments.returns import (
    can_come_back,
    create_return,
    describe_return,
    describe_return_of_each,
    name_return,
)
from shipcli.features.shipments.ship import buy_rate
from shipcli.gateway.local import LocalGateway
from shipcli.models import Conflict, Invalid, ReturnData, Shipment
from shipcli.models.basics.errors import AlreadyBought
from shipcli.models.purchase_steps import RatePurchase
from shipcli.workflows.end_of_day import list_open_groups
from shipcli.workflows.open_day import read_open_day
from shipcli.workflows.pickups import list_waiting
from tests.features.shipments.purchases import bought

MUG = {"title": "Mug", "sku": "MUG-1", "quantity": 2, "weight": "0.5", "weight_unit": "KG", "value_amount": 9}
CUP = {"title": "Cup", "sku": "CUP-1", "quantity": 1, "weight": "0.2", "weight_unit": "KG", "value_amount": 5}
BOX = {"weight": "1.5", "weight_unit": "KG", "length": 20, "width": 20, "height": 10, "dimension_unit": "CM"}


def sent(app: App, **changes: Any) -> Shipment:
    return bought(app, "ups", **{"parcels": [{**BOX, "items": [MUG, CUP]}], **changes})


def test_a_return_goes_from_the_recipient_to_the_sender_without_the_numbers_of_the_way_there(
    app: App,
) -> None:
    original = sent(app)
    body = describe_return(original)
    assert (body.shipper.city, body.recipient.city) == (original.recipient.city, original.shipper.city)
    (parcel,) = body.parcels
    assert parcel.reference_number is None
    assert [(item.sku, item.quantity, item.parent_id) for item in parcel.items] == [
        ("MUG-1", 2, None), ("CUP-1", 1, None),
    ]  # fmt: skip
    assert body.options == {"is_return": True}
    assert body.reference == "SO-1-R"
    assert body.metadata == {"return_of": original.id}


def test_what_has_an_address_for_returns_goes_there(app: App) -> None:
    back = {"person_name": "Returns", "address_line1": "9 Dock Rd", "city": "Newark", "state_code": "NJ",
            "postal_code": "07102", "country_code": "US"}  # fmt: skip
    assert describe_return(sent(app, return_address=back)).recipient.city == "Newark"


def test_only_the_named_articles_come_back_with_their_weight(app: App) -> None:
    body = describe_return(sent(app), ["CUP-1"])
    (parcel,) = body.parcels
    assert [item.sku for item in parcel.items] == ["CUP-1"]
    assert parcel.weight == Decimal("0.2")
    assert body.reference == "SO-1-R-CUP-1"


def test_an_article_that_was_not_sent_is_named_with_those_that_were(app: App) -> None:
    with pytest.raises(Invalid, match=r"holds no HAT-1; it holds MUG-1, CUP-1"):
        describe_return(sent(app), ["HAT-1"])


@pytest.mark.parametrize("status", ["draft", "cancelled", "needs_attention"])
def test_what_was_not_sent_can_not_come_back(app: App, status: str) -> None:
    unsent = sent(app).model_copy(update={"status": status})
    with pytest.raises(Conflict, match="nothing can come back"):
        describe_return(unsent)


def test_a_return_has_no_return(app: App) -> None:
    back = create_return(app, sent(app).id, ReturnData())
    assert not can_come_back(back.model_copy(update={"status": "purchased"}))


def test_returns_of_long_references_and_many_articles_have_names_of_their_own(app: App) -> None:
    original = sent(app)
    long = [original.model_copy(update={"reference": "X" * 33 + end}) for end in ("01", "02")]
    many = [["ARTICLE-NUMBER-ONE", "ARTICLE-NUMBER-TWO"], ["ARTICLE-NUMBER-ONE", "ARTICLE-NUMBER-SIX"]]
    names = [name_return(shipment, skus) for shipment in (*long, original) for skus in ([], *many)]
    assert len(set(names)) == 9
    assert all(len(name) <= 35 and "-R" in name for name in names)
    assert names[6] == "SO-1-R"
    assert names[7].startswith("SO-1-R-")


def test_one_return_has_one_reference_however_its_articles_are_named(app: App) -> None:
    original = sent(app)
    for skus in (["MUG-1", "CUP-1"], ["CUP-1", "MUG-1"], ["cup-1", "Mug-1", "MUG-1"]):
        body = describe_return(original, skus)
        assert body.reference == "SO-1-R-MUG-1-CUP-1"
        assert [item.sku for item in body.parcels[0].items] == ["MUG-1", "CUP-1"]


def test_the_draft_of_a_return_has_prices_of_carriers_that_take_returns_only(app: App) -> None:
    back = create_return(app, sent(app).id, ReturnData())
    carriers = {rate.carrier_name for rate in back.rates}
    assert {"ups", "fedex"} <= carriers
    assert not carriers & {"asendia_us", "roadie", "generic"}


def test_a_bought_return_is_a_shipment_with_a_tracker_of_its_own(app: App) -> None:
    original = sent(app)
    back = create_return(app, original.id, ReturnData(carrier_ids=["ups"]))
    label = buy(app, back, back.rates[0])
    assert label.status == "purchased"
    assert label.tracking_number != original.tracking_number
    assert label.tracker_id
    assert label.metadata["return_of"] == original.id
    assert shipments.get_shipment(app, original.id).status == "purchased"


def test_the_store_sells_no_second_return_of_the_same_goods(app: App) -> None:
    """Two benches may have asked at the same time, before either bought."""
    original = sent(app)
    part, whole = (
        create_return(app, original.id, ReturnData(skus=skus, carrier_ids=["ups"]))
        for skus in (["MUG-1"], [])
    )
    buy_rate(app, RatePurchase(draft=part, rate=part.rates[0]))
    with pytest.raises(AlreadyBought, match="MUG-1 comes back with SO-1-R-MUG-1 already"):
        buy_rate(app, RatePurchase(draft=whole, rate=whole.rates[0]))
    other = create_return(app, original.id, ReturnData(skus=["CUP-1"], carrier_ids=["ups"]))
    assert buy_rate(app, RatePurchase(draft=other, rate=other.rates[0])).status == "purchased"


def test_a_return_is_on_no_form_of_the_day_and_in_no_pickup(app: App) -> None:
    """It leaves from the customer, whom no carrier is sent to."""
    original = sent(app)
    back = create_return(app, original.id, ReturnData(carrier_ids=["ups"]))
    buy(app, back, back.rates[0])
    gateway = LocalGateway(app)
    days = [list_open_groups(gateway), read_open_day(gateway).groups]
    assert [[shipment.id for group in groups for shipment in group.shipments] for groups in days] == [
        [original.id], [original.id],
    ]  # fmt: skip
    assert [shipment.id for shipment in list_waiting(gateway, "ups")] == [original.id]


def test_each_parcel_comes_back_with_its_goods_alone_declared(app: App) -> None:
    there = {"person_name": "Zoé", "address_line1": "1 Rue A", "city": "Montreal", "state_code": "QC",
             "postal_code": "H3B1A1", "country_code": "CA", "phone_number": "5145550100"}  # fmt: skip
    mug, cup = ({**item, "origin_country": "US", "value_currency": "USD"} for item in (MUG, CUP))
    original = sent(
        app,
        recipient=there,
        parcels=[{**BOX, "items": [mug]}, {**BOX, "items": [cup]}],
        customs={"content_type": "merchandise", "commodities": [mug, cup]},
    )
    bodies = describe_return_of_each(original)
    assert [body.reference for body in bodies] == ["SO-1-R-1", "SO-1-R-2"]
    assert [[item.sku for item in body.customs.commodities] for body in bodies if body.customs] == [
        ["MUG-1"], ["CUP-1"],
    ]  # fmt: skip
    (alone,) = describe_return_of_each(original, ["CUP-1"])
    assert alone.reference == "SO-1-R-CUP-1"


def test_goods_that_come_back_across_a_border_are_declared_as_returned(app: App) -> None:
    there = {"person_name": "Zoé", "address_line1": "1 Rue A", "city": "Montreal", "state_code": "QC",
             "postal_code": "H3B1A1", "country_code": "CA", "phone_number": "5145550100"}  # fmt: skip
    goods = [{**MUG, "origin_country": "US", "value_currency": "USD"}]
    original = sent(app, recipient=there, customs={"content_type": "merchandise", "commodities": goods})
    body = describe_return(original)
    assert body.customs
    assert body.customs.content_type == "return_merchandise"
    assert [item.sku for item in body.customs.commodities] == ["MUG-1"]
