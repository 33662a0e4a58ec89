"""Prices with time in transit: what UPS is asked, and what it answers. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from shipcli.carrier import RequestOptions, holds_only_documents, list_charges
from shipcli.carrier.contents import choose_units
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Address, Location, Quote, RateRequest

from .locations import write_access_point
from .parts import (
    CATALOGUE,
    LINE,
    company_or_person,
    flag,
    iso_day,
    write_address,
    write_indications,
    write_options,
    write_package,
    write_value,
    write_weight,
)

DOCUMENTS, GOODS = "02", "03"
SATURDAY = "300"  # the surcharge for a delivery on that day


def write_rate(
    account: str | None,
    request: RateRequest,
    options: RequestOptions,
    of_parcels: Sequence[RequestOptions],
    day: date,
    point: Location | None = None,
) -> Json:
    """The body of a request for all services with their time in transit."""
    unit, _ = choose_units(request)
    papers = holds_only_documents(request.parcels)
    total = sum((parcel.weight_in(unit) for parcel in request.parcels), Decimal(0))
    head = {
        "RequestOption": "Shop",
        "SubVersion": "2205",
        "TransactionReference": {"CustomerContext": request.reference},
    }
    shipment: Json = {
        "Shipper": {**_party(request.shipper), "ShipperNumber": account},
        "ShipTo": _party(request.recipient, residential=True),
        "ShipFrom": _party(request.return_address or request.shipper),
        "PaymentDetails": {"ShipmentCharge": _billed(account)},
        "ShipmentTotalWeight": write_weight(total, unit, "Dimension"),
        "DocumentsOnlyIndicator": flag(papers),
        "Package": [
            write_package(request, parcel, parcel_options, "rate")
            for parcel, parcel_options in zip(request.parcels, of_parcels, strict=True)
        ],
        "ShipmentIndicationType": write_indications(options),
        "AlternateDeliveryAddress": write_priced_point(point) if point else None,
        "DeliveryTimeInformation": {
            "PackageBillType": DOCUMENTS if papers else GOODS,
            "Pickup": {"Date": f"{day:%Y%m%d}"},
        },
        **write_value(request, options),
    }
    write_options(shipment, request, options, "rate")
    return {"RateRequest": {"Request": drop_empty(head), "Shipment": drop_empty(shipment)}}


def write_priced_point(point: Location) -> Json:
    """The place where a shipment is held, as it is priced."""
    place = write_access_point(point, None)
    return {name: place[name] for name in ("Name", "Address")}


def _billed(account: str | None) -> list[Json]:
    return [{"Type": "01", "BillShipper": {"AccountNumber": account}}] if account else []


def _party(address: Address, *, residential: bool = False) -> Json:
    return {
        "Name": company_or_person(address),
        "AttentionName": cut_text(address.person_name, LINE),
        "Address": write_address(address, residential=residential),
    }


def read_rates(body: Json, origin: str | None, options: RequestOptions) -> list[Quote]:
    """One price of each service.

    Shapes: before a Saturday UPS prices a service with and without a delivery on it: what is ordered counts.
    """
    rows = as_list(get_path(body, "RateResponse/RatedShipment"))
    saturday = options.flag("ups_saturday_delivery_indicator")
    rows = sorted(rows, key=lambda rated: is_saturday(rated) != saturday)
    return list_first(read_each(rows, read_rate, origin))


def is_saturday(rated: Json) -> bool:
    charges = (rated.get("NegotiatedRateCharges") or rated).get("ItemizedCharges")
    return any(str(charge.get("Code")) == SATURDAY for charge in as_list(charges))


def read_rate(rated: Json, origin: str | None) -> Quote:
    """One priced service with its time in transit."""
    arrival = get_path(rated, "TimeInTransit/ServiceSummary/EstimatedArrival") or {}
    days = arrival.get("BusinessDaysInTransit")
    code = rated["Service"]["Code"]
    service = CATALOGUE.services.find_slug(code, origin=origin)
    return read_price(rated, service, code).model_copy(
        update={
            "transit_days": int(days) if days else None,
            "estimated_delivery": iso_day(get_path(arrival, "Arrival/Date")),
            "meta": {"service_name": service},
        }
    )


def read_price(rated: Json, service: str, code: str) -> Quote:
    """A price, of a quote or of a label: negotiated before published, with taxes before without.

    Shapes: NegotiatedRateCharges has TotalCharge where the shipment itself has TotalCharges; a total without
            an amount is passed over.
    """
    prices = rated.get("NegotiatedRateCharges") or rated
    names = ("TotalChargesWithTaxes", "TotalCharge", "TotalCharges")
    totals = [prices.get(name) for name in names] + [rated.get("TotalCharges")]
    total: Json = next((total for total in totals if total and total.get("MonetaryValue")), {})
    currency = get_path(rated, "TransportationCharges/CurrencyCode") or total.get("CurrencyCode")
    return Quote(
        carrier_name="ups",
        service=service,
        total_charge=Decimal(total["MonetaryValue"]),
        currency=currency,
        extra_charges=list_charges(
            list_lines(rated, prices, code, Decimal(total["MonetaryValue"])), currency
        ),
    )


def list_lines(rated: Json, prices: Json, code: str, total: Decimal) -> Iterable[tuple[str, Decimal]]:
    """The lines of a price; UPS names surcharges by codes.

    Of a negotiated price the base is not told: it is what the other lines leave.
    """
    lines = [(name, read_amount((row or {}).get("MonetaryValue")) or Decimal(0))
             for name, row in _rows(rated, prices, code)]  # fmt: skip
    base = read_amount((prices.get("BaseServiceCharge") or {}).get("MonetaryValue"))
    if base is None and prices is not rated:
        base = max(total - sum(amount for _, amount in lines), Decimal(0))
    return [("BASE CHARGE", base or Decimal(0)), *lines]


def _rows(rated: Json, prices: Json, code: str) -> Iterable[tuple[str, Json | None]]:
    rows: list[tuple[str, Json | None]] = [
        # The sum of the service options goes by the code of the service, as UPS gives it no name.
        (code, rated.get("ServiceOptionsCharges")),
        *((_surcharge(charge), charge) for charge in as_list(prices.get("ItemizedCharges"))),
        *((str(charge.get("Type")), charge) for charge in as_list(prices.get("TaxCharges"))),
    ]
    return rows


def _surcharge(item: Json) -> str:
    code = str(item.get("Code"))
    return str(CATALOGUE.table("surcharges").get(code, code)).replace("_", " ").upper()
