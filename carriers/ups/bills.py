"""What the simulated UPS charges, as it writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from carriers.ups.bookings import Booking
from carriers.ups.shapes import Json, listed, within
from carriers.ups.tariffs import PER_DOLLAR, currency_of
from shipcli.carrier.simulator import CENT, Offer

# Negotiated prices are the price list; published ones are a quarter dearer.
PUBLISHED = Decimal("1.25")
FUEL, RESIDENTIAL, REMOTE, SATURDAY, SIGNATURE = "375", "270", "376", "300", "120"


def rated(booking: Booking, offer: Offer, pickup: str) -> Json:
    arrival = _workday(datetime.strptime(pickup, "%Y%m%d").date(), offer.days)
    kilograms = sum(booking.weights, Decimal(0)).quantize(Decimal("0.1"))
    weight = {"UnitOfMeasurement": {"Code": "KGS"}, "Weight": str(kilograms)}
    estimated = {
        "Arrival": {"Date": f"{arrival:%Y%m%d}", "Time": "233000"},
        "BusinessDaysInTransit": str(offer.days),
        "Pickup": {"Date": pickup, "Time": "180000"},
    }
    return {
        "Service": {"Code": offer.code, "Description": ""},
        "RatingMethod": "01",
        "BillingWeight": weight,
        **_charges(booking, offer),
        "TimeInTransit": {"PickupDate": pickup, "ServiceSummary": {"EstimatedArrival": estimated}},
    }


def summed(offers: list[Offer], per_dollar: Decimal) -> Offer:
    base = _cents(sum((one.base for one in offers), Decimal(0)) * per_dollar)
    fuel = _cents(sum((one.fuel for one in offers), Decimal(0)) * per_dollar)
    return Offer(offers[0].code, base + fuel, base, fuel, max(one.days for one in offers))


def _surcharges(booking: Booking) -> Iterable[tuple[str, Decimal]]:
    """What the options and the place add, in dollars."""
    to, options = booking.shipment["ShipTo"]["Address"], booking.shipment.get("ShipmentServiceOptions") or {}
    lines, count = listed(to.get("AddressLine")), len(booking.packages)
    if to.get("ResidentialAddressIndicator") or "4 RESIDENTIAL WAY" in lines:
        yield RESIDENTIAL, Decimal("1.10")
    if "5 REMOTE WAY" in lines:
        yield REMOTE, Decimal("6.20") * count
    if options.get("SaturdayDeliveryIndicator"):
        yield SATURDAY, Decimal("16.00")
    signed = any(within(one, "PackageServiceOptions/DeliveryConfirmation") for one in booking.packages)
    if signed or options.get("DeliveryConfirmation"):
        yield SIGNATURE, Decimal("6.60") * count


def _lines(booking: Booking, offer: Offer) -> list[tuple[str, Decimal]]:
    rate = PER_DOLLAR[currency_of(booking.origin)]
    return [(FUEL, offer.fuel), *((code, _cents(amount * rate)) for code, amount in _surcharges(booking))]


def total_of(booking: Booking, offer: Offer) -> Decimal:
    return offer.base + sum((amount for _, amount in _lines(booking, offer)), Decimal(0))


def _charges(booking: Booking, offer: Offer) -> Json:
    """Published prices, and the negotiated ones where an account is named."""
    money = _coin(currency_of(booking.origin))
    factor = PUBLISHED if booking.account else Decimal(1)
    lines = _lines(booking, offer)
    charges = {
        "TransportationCharges": money(offer.total, factor),
        "BaseServiceCharge": money(offer.base, factor),
        "ItemizedCharges": [{"Code": code, **money(amount, factor)} for code, amount in lines],
        "ServiceOptionsCharges": money(Decimal(0), factor),
        "TotalCharges": money(total_of(booking, offer), factor),
    }
    if not booking.account:
        return charges
    negotiated = {
        "BaseServiceCharge": money(offer.base, Decimal(1)),
        "ItemizedCharges": [{"Code": code, **money(amount, Decimal(1))} for code, amount in lines],
        "TotalCharge": money(total_of(booking, offer), Decimal(1)),
    }
    return {**charges, "NegotiatedRateCharges": negotiated}


def bill(booking: Booking, offer: Offer) -> Json:
    charges = _charges(booking, offer)
    negotiated = charges.pop("NegotiatedRateCharges", None)
    return {"ShipmentCharges": charges, "NegotiatedRateCharges": negotiated}


def _coin(currency: str) -> Callable[[Decimal, Decimal], Json]:
    return lambda amount, factor: {"CurrencyCode": currency, "MonetaryValue": str(_cents(amount * factor))}


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def _workday(start: date, days: int) -> date:
    while days:
        start += timedelta(days=1)
        days -= start.weekday() < 5
    return start
