"""Prices: what is asked of Amazon, and what each service will cost with what was chosen of it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from shipcli.carrier import RequestOptions, list_charges
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_day, read_moment
from shipcli.models import Address, Message, Quote

from .parts import CATALOGUE, Request, read_money, write_address, write_money, write_packages

SERVICE_IDS = CATALOGUE.table("service_ids")
SIGNATURE = "amazon_shipping_signature"
GST_COUNTRY = "IN"
NOTE = 256  # characters
UNCHARGED = ("OPTIONAL", "INCLUDED")  # lines of a price that add nothing to it
NOT_OFFERED = "UNSUPPORTED_VAS"


class Offer(NamedTuple):
    """A service at its price, as Amazon names it (`rate`), with the extras that are bought with it."""

    quote: Quote
    rate: Json
    extras: Sequence[Json]


def write_rates(request: Request, options: RequestOptions, each: Sequence[RequestOptions]) -> Json:
    day, collected = options.ship_date(), options.amount("cash_on_delivery")
    order = options.text("amazon_shipping_order_id")
    note, back = options.text("shipment_note"), request.return_address
    body = {
        "shipTo": write_address(request.recipient),
        "shipFrom": write_address(request.shipper),
        "returnTo": write_address(back) if back else None,
        "shipDate": f"{day}T00:00:00Z" if day else None,
        "shipperInstruction": {"deliveryNotes": cut_text(note, NOTE)},
        "taxDetails": write_taxes(request.shipper),
        "destinationAccessPointDetails": {"accessPointId": options.text("amazon_shipping_access_point")},
        "channelDetails": {
            "channelType": "AMAZON" if order else "EXTERNAL",
            "amazonOrderDetails": {"orderId": order} if order else None,
        },
        "valueAddedServices": {
            "collectOnDelivery": {"amount": write_money(collected, options.currency())} if collected else None
        },
    }
    return {**drop_empty(body), "packages": write_packages(request, each)}


def write_taxes(shipper: Address) -> list[Json]:
    """The number of the Indian tax on goods and services; there is no room for another."""
    number = shipper.federal_tax_id or shipper.state_tax_id
    if shipper.country_code != GST_COUNTRY or not number:
        return []
    return [{"taxType": "GST", "taxRegistrationNumber": number}]


def list_wanted_extras(options: RequestOptions) -> list[str]:
    """The ids of the value-added services that are asked for."""
    row = CATALOGUE.options.get(SIGNATURE)
    return [row.code] if row and options.signature() else []


def list_offers(result: Json, extras: Collection[str]) -> list[Offer]:
    """One offer of each service that has these extras, the cheapest first."""
    read = read_each(as_list(result.get("rates")), read_offer, extras)
    fitting = [offer for offer in read if offer]
    offers: dict[str | None, Offer] = {}
    for offer in sorted(fitting, key=lambda candidate: candidate.quote.total_charge):
        offers.setdefault(offer.quote.service, offer)
    return list(offers.values())


def read_offer(rate: Json, requested: Collection[str]) -> Offer | None:
    """A rate with what was wanted, None where it lacks that."""
    groups = as_list(rate.get("availableValueAddedServiceGroups"))
    extras = [extra for group in groups for extra in choose_extras(group, requested)]
    if not set(requested) <= {extra["id"] for extra in extras}:
        return None
    return Offer(read_quote(rate, extras), rate, extras)


def choose_extras(group: Json, requested: Collection[str]) -> list[Json]:
    """What is wanted of a group; of one that requires a choice else the cheapest."""
    extras = as_list(group.get("valueAddedServices"))
    chosen = [extra for extra in extras if extra["id"] in requested]
    if chosen or not (extras and group.get("isRequired")):
        return chosen
    return [min(extras, key=lambda extra: read_money(extra["cost"]))]


def read_quote(rate: Json, extras: Sequence[Json] = ()) -> Quote:
    """Days pass from the start of the window of collection to that of delivery."""
    collected = read_moment(get_path(rate, "promise/pickupWindow/start"))
    delivered = read_moment(get_path(rate, "promise/deliveryWindow/start"))
    money = rate["totalCharge"]
    return Quote(
        carrier_name="amazon_shipping",
        service=name_service(rate),
        total_charge=sum((read_money(extra["cost"]) for extra in extras), read_money(money)),
        currency=money["unit"],
        extra_charges=list_charges(list_lines(rate, extras), money["unit"]),
        transit_days=(delivered.date() - collected.date()).days if collected and delivered else None,
        estimated_delivery=read_day(get_path(rate, "promise/deliveryWindow/end")),
        meta={
            "rate_id": rate["rateId"],
            "carrier_id": rate.get("carrierId"),
            "carrier_name": rate.get("carrierName"),
            "service_id": rate["serviceId"],
            "service_name": rate.get("serviceName"),
        },
    )


def list_lines(rate: Json, extras: Iterable[Json]) -> list[tuple[str | None, Decimal | None]]:
    lines = [line for line in as_list(rate.get("rateItemList")) if line.get("rateItemType") not in UNCHARGED]
    return [
        *((name_line(line), read_amount(get_path(line, "rateItemCharge/value"))) for line in lines),
        *((extra.get("name"), read_amount(get_path(extra, "cost/value"))) for extra in extras),
    ]


def name_line(line: Json) -> str | None:
    return line.get("rateItemNameLocalization") or line.get("rateItemID")


def name_service(rate: Json) -> str:
    """Our word for a service; one that we have none for is called by its id."""
    return str(SERVICE_IDS.get(rate["serviceId"], rate["serviceId"]))


def explain_none(result: Json, extras: Sequence[str], services: Collection[str]) -> list[Message]:
    """Why nothing is offered: that it is not with what was wanted, else what Amazon says of each service."""
    if extras and result.get("rates"):
        text = "options.signature_confirmation: Amazon offers no service with it here"
        return [Message(code=NOT_OFFERED, message=text)]
    rows = as_list(result.get("ineligibleRates"))
    requested = [row for row in rows if not services or name_service(row) in services]
    reasons = [reason for row in requested for reason in as_list(row.get("ineligibilityReasons"))]
    texts_by_code = {reason.get("code"): reason.get("message") for reason in reasons}
    return [Message(code=code, message=text) for code, text in texts_by_code.items()]
