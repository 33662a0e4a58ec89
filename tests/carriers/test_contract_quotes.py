"""What every carrier promises of its prices: a quote is what its label will be billed at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from shipcli.carrier import Option
from shipcli.carrier.request_options import UNIFIED
from shipcli.carrier.simulation.bookings import LABEL
from shipcli.models import RateRequest, ShipmentRequest
from shipcli.models.rate import PRICED_ONLY
from tests.carriers.bench import AnyCarrier, Bench, lane, parcel
from tests.carriers.errands import lane_abroad
from tests.carriers.promises import needs

VALUES: Mapping[str, tuple[Any, ...]] = {
    "boolean": (True,), "float": (55,), "integer": (7,), "string": ("7",), "list": (["7"],), "object": (),
}  # fmt: skip
# Local words: they name no extra of a label.
PLAIN = frozenset({"currency", "shipment_date", "shipping_date", "invoice_date", "shipment_identifiers"})


class Wish(NamedTuple):
    """A variation of the usual shipment: options, how many parcels, in what, and the label's format."""

    name: str
    options: Mapping[str, Any] = {}
    parcels: int = 1
    packaging: str | None = None
    label_type: str = "PDF"


def list_values(row: Option) -> tuple[Any, ...]:
    return row.values[:4] or VALUES[row.type_name if row.type_name in VALUES else "object"]


def list_wishes(carrier_class: AnyCarrier) -> Iterator[Wish]:
    yield from (Wish("one parcel"), Wish("two parcels", parcels=2))
    yield from (Wish(row.slug, packaging=row.slug) for row in carrier_class.packaging)
    yield from (Wish(kind, label_type=kind) for kind in carrier_class.label_formats)
    rows = {row.slug: row for row in [*UNIFIED, *carrier_class.options]}
    for row in rows.values():
        if row.local is None and row.slug not in PLAIN:
            yield from (Wish(f"{row.slug}={value}", {row.slug: value}) for value in list_values(row))
    for name, value in {"insurance": 100, "signature_confirmation": True, "cash_on_delivery": 100}.items():
        yield Wish(f"{name} of two", {name: value}, 2)


class QuotedShipment:
    """One variation on one lane: priced by the carrier, bought at a service, and billed by it."""

    def __init__(self, carrier_class: AnyCarrier, where: tuple[str, str], wish: Wish) -> None:
        self.bench, self.wish = Bench(carrier_class, where), wish
        box = {"packaging_type": wish.packaging} if wish.packaging else {}
        shipment = self.bench.shipment(*(parcel(**box) for _ in range(wish.parcels)))
        self.body = {**shipment, "options": {**shipment["options"], **wish.options}}

    def price(self) -> dict[str, Decimal]:
        """The prices that the carrier itself gave; those of a rate sheet of ours are no quote of its."""
        quotes = self.bench.ask("rate", RateRequest.model_validate(self.body)).result or []
        own = self.bench.carrier().levels()
        sold = [one for one in quotes if not own and PRICED_ONLY not in (one.meta or {})]
        return {str(one.service): one.total_charge for one in sorted(sold, key=lambda one: -one.total_charge)}

    def bill(self, service: str) -> tuple[Decimal, Decimal | None] | None:
        """What the carrier bills, and what it says the label costs; None if it refuses to sell."""
        slug, ledger = self.bench.carrier_class.slug, self.bench.ledger
        before = len(ledger.find(slug, LABEL))
        request = {**self.body, "service": service, "label_type": self.wish.label_type}
        self.bench.purchases += 1
        key = f"{self.bench.purchases:032x}"
        outcome = self.bench.ask("ship", ShipmentRequest.model_validate(request), key=key)
        if outcome.result is None:
            return None
        told = outcome.result.selected_rate
        rows = ledger.find(slug, LABEL)[before:]
        billed = sum((Decimal(str(row["total"])) for row in rows), Decimal(0))
        return billed, told and told.total_charge

    def list_differences(self) -> list[str]:
        prices = self.price()
        services = list(prices) if self.wish == Wish("one parcel") else list(prices)[-1:]
        differing = []
        for service in services:
            paid = self.bill(service)
            if paid and set(paid) - {None} != {prices[service]}:
                differing.append(f"{self.bench.lane} {self.wish.name}, {service}: {prices[service]} {paid}")
        self.bench.close()
        return differing


@needs("rate", "ship", network=True)
def test_a_quote_is_what_is_billed(carrier_class: AnyCarrier) -> None:
    """With every option, packaging and label format, one parcel or two, at home and abroad."""
    lanes = filter(None, (lane(carrier_class), lane_abroad(carrier_class)))
    pairs = product(lanes, list(list_wishes(carrier_class)))
    differing = [
        text
        for where, wish in pairs
        for text in QuotedShipment(carrier_class, where, wish).list_differences()
    ]
    assert differing == []
