"""Prices: the question for one service or for all, and the estimates. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, holds_only_documents, list_charges
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.xml import Element, check_root, every, find
from shipcli.models import Charge, Quote, RateRequest

from . import parts

CURRENCY = "CAD"  # Purolator bills in it, wherever the parcel goes
ALTERNATIVES = "purolator_show_alternative_services"
USUAL, USUAL_US, USUAL_ABROAD = "purolator_express", "purolator_express_us", "purolator_express_international"


def write_rate(request: RateRequest, options: RequestOptions, account: str) -> Json:
    """One service is asked for by name; the others come as its alternatives."""
    chosen = parts.CATALOGUE.services.list_chosen(request.services)
    alternatives = options.flag(ALTERNATIVES, default=len(chosen) != 1)
    code = chosen[0].code if chosen else parts.CATALOGUE.services.code(usual_service(request))
    abroad = {"DocumentsOnlyIndicator": holds_only_documents(request.parcels)}
    shipment = {
        "SenderInformation": parts.write_party(request.shipper),
        "ReceiverInformation": parts.write_party(request.recipient),
        "ShipmentDate": options.ship_date(),
        "PackageInformation": parts.write_package(request, code, options),
        "InternationalInformation": abroad if parts.is_abroad(request) else None,
        "PaymentInformation": {
            "PaymentType": "Receiver" if options.flag("is_return") else "Sender",
            "RegisteredAccountNumber": account,
        },
        "PickupInformation": {"PickupType": "DropOff"},
        "TrackingReferenceInformation": parts.write_reference(request.reference),
    }
    return {"Shipment": shipment, "ShowAlternativeServicesIndicator": alternatives}


def usual_service(request: RateRequest) -> str:
    """What is asked for when nothing is: the service that has all others as alternatives."""
    if not parts.is_abroad(request):
        return USUAL
    return USUAL_US if request.recipient.country_code == "US" else USUAL_ABROAD


def read_rates(answer: Element) -> list[Quote]:
    """One quote for each service, the first of its estimates.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "GetFullEstimateResponse")
    return list_first(read_each(every(answer, "ShipmentEstimate"), _read_estimate))


def _read_estimate(estimate: Element) -> Quote:
    days = find(estimate, "EstimatedTransitDays")
    slug = parts.CATALOGUE.services.find_slug(find(estimate, "ServiceID", ""))
    return Quote(
        carrier_name="purolator",
        service=slug,
        total_charge=Decimal(find(estimate, "TotalPrice", "")),
        currency=CURRENCY,
        transit_days=int(days) if days else None,
        estimated_delivery=find(estimate, "ExpectedDeliveryDate"),
        extra_charges=_read_charges(estimate),
        meta={"service_name": slug},
    )


def _read_charges(estimate: Element) -> list[Charge]:
    """The base, taxes, surcharges and options that cost something."""
    lines = [("Base charge", find(estimate, "BasePrice", "0"))]
    for path in ("Taxes/Tax", "Surcharges/Surcharge", "OptionPrices/OptionPrice"):
        lines += [
            (find(charge, "Description", ""), find(charge, "Amount", "0"))
            for charge in estimate.findall(path)
        ]
    return list_charges([(name, Decimal(amount)) for name, amount in lines], CURRENCY)
