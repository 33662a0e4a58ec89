"""The options of a shipment, and of the parcels in it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import Option, OptionTable
from shipcli.carrier.preparation.refusals import check_dangerous
from shipcli.carrier.request_options import UNIFIED, RequestOptions, share_amounts
from shipcli.models import Address, Invalid, Parcel, ShipmentRequest
from tests.carrier.stub import Stub, make_stub


class Insured(Stub):
    options = OptionTable([Option(slug="stub_cover", code="C", type=Decimal, aliases=("insurance",))])


def order(*parcels: dict[str, Any], **options: Any) -> ShipmentRequest:
    boxes = [Parcel(options=own) for own in parcels]
    return ShipmentRequest(
        shipper=Address(), recipient=Address(), service="s", parcels=boxes, options=options
    )


def test_an_amount_of_the_shipment_is_shared_by_parcels_that_are_orders_of_their_own() -> None:
    each = make_stub(Insured).options_of_each(order({}, {}, {}, insurance=100, cash_on_delivery="0.05"))
    assert [one.insurance() for one in each] == [Decimal("33.34"), Decimal("33.33"), Decimal("33.33")]
    collected = [one.amount("cash_on_delivery") or Decimal(0) for one in each]
    assert sum(collected) == Decimal("0.05")


def test_an_amount_of_a_parcel_is_its_own_and_other_options_hold_for_all() -> None:
    request = order({"insurance": 70}, {}, insurance=100, saturday_delivery=True, currency="EUR")
    each = make_stub(Insured).options_of_each(request)
    assert [one.insurance() for one in each] == [Decimal(70), Decimal(50)]
    assert all(one.flag("saturday_delivery") and one.text("currency") == "EUR" for one in each)


def test_a_plain_yes_is_nothing_to_share_and_a_wrong_amount_is_named() -> None:
    table = Insured.options
    assert share_amounts(table, {"insurance": True}, 2) == [{"insurance": True}] * 2
    with pytest.raises(Invalid, match="stub_cover"):
        share_amounts(table, {"insurance": "much"}, 2)


@pytest.mark.parametrize("said", [[True, False], [False, True], [True, "no"], [True, None], ["yes", ""]])
def test_a_flag_that_one_parcel_asks_for_stands_whatever_another_says(said: list[Any]) -> None:
    whole = make_stub(Insured).options_of(order(*({"dangerous_good": one} for one in said)))
    assert whole.flag("dangerous_good")
    with pytest.raises(Invalid, match="dangerous_good"):
        whole.refuse({"dangerous_good": "is not carried"})


def test_a_parcel_that_says_nothing_of_a_flag_has_that_of_the_shipment() -> None:
    mixed = order({"dangerous_good": False}, {}, dangerous_good=True)
    assert make_stub(Insured).options_of(mixed).flag("dangerous_good")
    assert not make_stub(Insured).options_of(mixed, mixed.parcels[0]).flag("dangerous_good")
    none = order({"dangerous_good": False}, {"dangerous_good": False}, dangerous_good=True)
    assert not make_stub(Insured).options_of(none).flag("dangerous_good")


@pytest.mark.parametrize(("said", "cover"), [([70, 0], 70), ([70, None, "5"], 75), ([0, 0], None)])
def test_the_cover_of_one_parcel_is_not_taken_back_by_another_without(
    said: list[Any], cover: int | None
) -> None:
    assert make_stub(Insured).options_of(order(*({"insurance": one} for one in said))).insurance() == cover


@pytest.mark.parametrize(
    ("said", "value"), [([70, False], 70), ([True, 0], True), ([True, 70], 70), ([False, False], False)]
)
def test_where_a_plain_yes_is_an_amount_too_no_other_parcel_takes_it_back(
    said: list[Any], value: Decimal | bool
) -> None:
    class Covering(Stub):
        options = OptionTable([Option(slug="cover", code="C", type=Decimal, or_flag=True)])

    assert make_stub(Covering).options_of(order(*({"cover": one} for one in said))).value("cover") == value


def test_a_parcel_that_says_nothing_leaves_the_amount_of_the_shipment() -> None:
    assert make_stub(Insured).options_of(order({"insurance": None}, insurance=100)).insurance() == 100


def test_an_address_among_the_options_is_read_or_named() -> None:
    name = "hold_at_location_address"

    def place(given: Any) -> Address | None:
        return RequestOptions(UNIFIED, {"hold_at_location_address": given}).address(
            "hold_at_location_address"
        )

    assert place(None) is None
    assert place({"city": "Ghent"}) == Address(city="Ghent")
    for wrong in ("Ghent", {"city": {"name": "Ghent"}}):
        with pytest.raises(Invalid, match=name):
            place(wrong)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"shipping_date": "2025-03-04T13:30"}, datetime(2025, 3, 4, 13, 30)),
        ({"shipment_date": "2025-03-04"}, datetime(2025, 3, 4, 10, 0)),
        ({}, None),
    ],
)
def test_a_day_without_a_time_is_its_morning(options: dict[str, str], wanted: datetime | None) -> None:
    assert RequestOptions(OptionTable(), options).ship_time() == wanted


def test_a_time_that_is_none_is_refused_by_its_name() -> None:
    with pytest.raises(Invalid, match=r"options\.shipping_date"):
        RequestOptions(OptionTable(), {"shipping_date": "soon"}).ship_time()


def test_a_list_of_papers_is_taken_whole_or_refused() -> None:
    table = OptionTable([Option(slug="papers", code="", type=dict)])
    assert RequestOptions(table, {"papers": [{"doc_id": "7"}]}).objects("papers", "doc_id") == [
        {"doc_id": "7"}
    ]
    assert RequestOptions(table, {}).objects("papers", "doc_id") == []
    for wrong in ({"doc_id": "7"}, ["7"], [{"doc_id": "7"}, {}]):
        with pytest.raises(Invalid, match="papers"):
            RequestOptions(table, {"papers": wrong}).objects("papers", "doc_id")


def test_dangerous_goods_that_every_parcel_denies_are_refused() -> None:
    denied = order({"dangerous_good": False}, dangerous_good=True)
    with pytest.raises(Invalid, match="no parcel holds any"):
        check_dangerous(denied)
    check_dangerous(order({"dangerous_good": False}, {}, dangerous_good=True))
    check_dangerous(order({"dangerous_good": False}))


def test_a_fraction_is_no_whole_number() -> None:
    row = Option(slug="minutes", code="M", type=int)
    assert row.read("90.0") == 90
    with pytest.raises(Invalid, match="not a whole number"):
        row.read("164.5")
