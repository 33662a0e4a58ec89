"""Prices: a question for each service, and the priced shipment. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import list_charges
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import find
from shipcli.models import Charge, Quote, RateRequest

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element

CURRENCY = "CAD"  # Canpar bills in it
NO_DISCOUNTS = ("apply_association_discount", "apply_individual_discount", "apply_invoice_discount")


def asked_services(request: RateRequest) -> list[str]:
    """The services that are named, else those that Canpar has for the destination."""
    chosen = [row.slug for row in parts.CATALOGUE.services.list_chosen(request.services)]
    usual = parts.CATALOGUE.table("usual_services")
    return chosen or usual.get(request.recipient.country_code or "CA", usual["*"])


def write_rate(shipment: Json) -> Json:
    return {**dict.fromkeys(NO_DISCOUNTS, False), "shipment": parts.write_inner(shipment)}


def read_price(shipment: _Element) -> Quote:
    """The price of a shipment: the sum of its charges and taxes."""
    days = find(shipment, "transit_time")
    slug = parts.CATALOGUE.services.slug(find(shipment, "service_type", ""))
    charges = _read_charges(shipment)
    return Quote(
        carrier_name="canpar",
        service=slug,
        total_charge=sum((charge.amount or Decimal(0) for charge in charges), Decimal(0)),
        currency=CURRENCY,
        transit_days=int(days) if days else None,
        extra_charges=charges,
        meta={"service_name": slug},
    )


def _read_charges(shipment: _Element) -> list[Charge]:
    """Everything that costs something; taxes are named by their codes."""
    lines = [(name, path) for path, name in parts.CATALOGUE.table("charges").items()]
    lines += [(f"{find(shipment, f'tax_code_{at}', '')} Tax Charge", f"tax_charge_{at}") for at in (1, 2)]
    return list_charges([(name, Decimal(find(shipment, path, "0"))) for name, path in lines], CURRENCY)
