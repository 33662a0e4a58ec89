"""What an option costs is in the price: of the quote, of the budget, and of the label."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.features.connections.option_names import list_unsent
from shipcli.features.core.app import App
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.rate_selection import Rule, choose_rate, list_cheapest_first
from shipcli.models import Invalid, LimitReached, Rate, Refused, ShipmentPurchaseData, ShippingRequestData
from tests.factories import ABROAD, ITEM, PARCEL, draft


def rate_of(app: App, service: str, **changes: object) -> Rate:
    made = shipments.create_shipment(app, draft(carrier_ids=[service.partition("_")[0]], **changes))
    return next(rate for rate in made.rates if rate.service == service)


def test_insurance_is_in_the_total_of_usps(app: App) -> None:
    plain, insured = (
        rate_of(app, "usps_ground_advantage", options=options) for options in ({}, {"insurance": 400})
    )
    assert insured.total_charge == plain.total_charge + Decimal("2.60")
    assert sum(charge.amount for charge in insured.extra_charges) == insured.total_charge


def test_every_parcel_is_insured_in_the_total(app: App) -> None:
    parcel = {**PARCEL, "weight": 1, "weight_unit": "KG"}
    plain, insured = (
        rate_of(app, "usps_ground_advantage", parcels=[parcel, parcel], options=options)
        for options in ({}, {"signature_confirmation": True})
    )
    assert insured.total_charge == plain.total_charge + 2 * Decimal("3.70")


def test_insurance_abroad_is_in_the_total(app: App) -> None:
    def of(options: dict[str, int]) -> list[Decimal]:
        goods = {"commodities": [{**ITEM, "value_amount": 9, "value_currency": "USD"}]}
        changes = {"recipient": ABROAD, "carrier_ids": ["usps_international"], "options": options}
        made = shipments.create_shipment(app, draft(**changes, customs=goods))
        return [rate.total_charge for rate in made.rates]

    assert all(insured > plain for insured, plain in zip(of({"insurance": 400}), of({}), strict=True))


def test_insurance_counts_in_a_budget_and_in_what_is_bought(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"], options={"insurance": 400}))
    cheapest = made.rates[0]
    with pytest.raises(LimitReached):
        Budget(cheapest.total_charge - Decimal("0.01")).reserve(cheapest)
    wanted = ShipmentPurchaseData(selected_rate_id=cheapest.id)
    bought = shipments.purchase_shipment(app, made.id, wanted)
    assert bought.selected_rate
    assert bought.selected_rate.total_charge == cheapest.total_charge


def test_a_purchase_names_the_options_that_its_carrier_was_not_sent(app: App) -> None:
    given = {"usps_label_delivery_service": True, "colour": "red", "saturday_delivery": False}
    both = "usps_label_delivery_service, colour"
    for service, unsent in (("ups_ground", both), ("usps_ground_advantage", "colour")):
        made = shipments.create_shipment(app, draft(service=service, options=given))
        (note,) = [one for one in made.messages if one.code == "option_not_sent"]
        assert str(note.message).endswith(f": {unsent}")
        assert note.carrier_id == service.partition("_")[0]
    plain = shipments.create_shipment(app, draft(service="ups_ground", options={"currency": "USD"}))
    assert plain.messages == []


@pytest.mark.parametrize("rule", ["cheapest", "fastest"])
def test_what_is_priced_and_can_not_be_bought_is_never_chosen(app: App, rule: Rule) -> None:
    options = {"saturday_delivery": True, "currency": "USD"}
    made = shipments.create_shipment(app, draft(carrier_ids=["seko", "ups"], options=options))
    unsold = [rate for rate in made.rates if rate.carrier_name == "seko"]
    assert {rate.priced_only for rate in unsold} == {
        "options.seko_is_saturday_delivery: SEKO prices it, an order has no place for it"
    }
    assert [(one.carrier_id, one.message) for one in made.messages if one.code == "priced_only"] == [
        (unsold[0].carrier_id, f"These prices can't be bought: {unsold[0].priced_only}")
    ]
    one_cent = [
        rate.model_copy(update={"total_charge": Decimal("0.01"), "transit_days": 0}) for rate in unsold
    ]
    others = [rate for rate in made.rates if rate.carrier_name == "ups"]
    made = made.model_copy(update={"rates": [*one_cent, *others]})
    assert choose_rate(made, rule, currency="USD").carrier_name == "ups"
    assert {rate.carrier_name for rate in list_cheapest_first(made)} == {"ups"}
    with pytest.raises(Invalid, match="SEKO prices it"):
        choose_rate(made.model_copy(update={"rates": unsold}), rule)


@pytest.mark.parametrize(
    ("slug", "word"),
    [
        ("ups", "insurance"), ("ups", "signature_confirmation"), ("ups", "email_notification_to"),
        ("ups", "saturday_delivery"), ("usps", "insurance"), ("usps_international", "insurance"),
        ("canadapost", "insurance"), ("canadapost", "cash_on_delivery"), ("canadapost", "email_notification"),
    ],
)  # fmt: skip
def test_what_a_carrier_is_sent_is_never_said_to_be_left_out(slug: str, word: str) -> None:
    assert list_unsent(registry.get(slug), {word: "1"}) == []


def test_options_of_parcels_are_named_as_well(app: App) -> None:
    parcels = [
        {**PARCEL, "weight": 1, "weight_unit": "KG", "options": {"usps_label_delivery_service": True}}
        for _ in range(2)
    ]
    made = shipments.create_shipment(app, draft(service="ups_ground", parcels=parcels))
    (note,) = [one for one in made.messages if one.code == "option_not_sent"]
    assert str(note.message).endswith("not sent it: usps_label_delivery_service")
    insured = shipments.create_shipment(app, draft(service="usps_ground_advantage", parcels=parcels))
    assert insured.messages == []


def test_a_label_without_a_stored_shipment_names_them_as_well(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    body = {**draft().model_dump(exclude_unset=True), "options": {"colour": "red"}}
    wanted = {"rates": made.rates, "selected_rate_id": made.rates[0].id}
    answer = proxy.buy_label(app, ShippingRequestData.model_validate({**body, **wanted}))
    assert [one.code for one in answer.messages] == ["option_not_sent"]


TORONTO = {
    "person_name": "Bo Roy", "address_line1": "1 Front St W", "city": "Toronto", "state_code": "ON",
    "postal_code": "M5J 2X2", "country_code": "CA", "phone_number": "4165550100",
}  # fmt: skip
MUG = {"weight": 1, "weight_unit": "KG", "quantity": 2, "title": "Mug", "value_amount": 9}


@pytest.mark.parametrize("goods", [
    {"customs": {"commodities": [MUG]}},
    {"parcels": [{**PARCEL, "items": [MUG]}]},
    {"parcels": [{**PARCEL, "content": "Mugs"}]},
])  # fmt: skip
def test_eshipper_prices_goods_abroad_once_it_would_sell_them(app: App, goods: dict[str, Any]) -> None:
    lane = {"recipient": TORONTO, "carrier_ids": ["eshipper"]}
    with pytest.raises(Refused, match="each has a description and a quantity"):
        shipments.create_shipment(app, draft(**lane))
    made = shipments.create_shipment(app, draft(**lane, **goods))
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    assert shipments.purchase_shipment(app, made.id, chosen).status == "purchased"
