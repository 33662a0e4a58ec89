"""What an option costs is in the price: of the quote, of the budget, and of the label."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.models import LimitReached, Rate, ShipmentPurchaseData
from shipcli.services import shipments
from shipcli.services.app import App
from shipcli.services.choice import Budget
from tests.services.conftest import ABROAD, draft


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
    parcel = {"weight": 1, "weight_unit": "KG"}
    plain, insured = (
        rate_of(app, "usps_ground_advantage", parcels=[parcel, parcel], options=options)
        for options in ({}, {"signature_confirmation": True})
    )
    assert insured.total_charge == plain.total_charge + 2 * Decimal("3.70")


def test_insurance_abroad_is_in_the_total(app: App) -> None:
    def of(options: dict[str, int]) -> list[Decimal]:
        changes = {"recipient": ABROAD, "carrier_ids": ["usps_international"], "options": options}
        made = shipments.create_shipment(app, draft(**changes))
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
