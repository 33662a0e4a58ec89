"""Prices: the question with its pieces, and the priced products. Pure."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    CarrierError,
    RequestOptions,
    holds_only_documents,
    is_dutiable,
    list_charges,
)
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.xml import Element, check_root, every, find
from shipcli.models import Address, Message, Parcel, Quote, RateRequest

from . import parts

ANY_NETWORK = "AL"  # both time and day definite
USUAL_BOX = "BOX"  # what a piece is when nothing is said of it
DOCUMENT_PRODUCT = " DOC"
DOCUMENTS_ONLY = "DHL Express offers products for documents only, and the parcels hold goods"
NO_PRODUCT = "1001"


def write_rate(request: RateRequest, options: RequestOptions, account: str | None, ready: datetime) -> Json:
    """The question for all products, or for those named. `ready` is the shipper's own time."""
    weight_unit, size_unit = parts.units_of(request.parcels, request.shipper.country_code)
    insured, currency = options.insurance(), parts.currency_of(request, options)
    pieces = [
        _write_piece(at, parcel, weight_unit, size_unit) for at, parcel in enumerate(request.parcels, 1)
    ]
    dutiable, declared = is_dutiable(request), options.amount("declared_value") or 1
    return {
        "From": _write_place(request.shipper),
        "BkgDetails": {
            "PaymentCountryCode": request.shipper.country_code,
            "Date": options.ship_date() or ready.date(),
            "ReadyTime": f"PT{ready:%H}H{ready:%M}M",
            "DimensionUnit": size_unit,
            "WeightUnit": weight_unit,
            "NumberOfPieces": len(request.parcels),
            "ShipmentWeight": parts.weigh(request.parcels, weight_unit),
            "Pieces": {"Piece": pieces},
            "PaymentAccountNumber": account,
            "IsDutiable": parts.YES if dutiable else parts.NO,
            "NetworkTypeCode": ANY_NETWORK,
            "QtdShp": _write_products(request, options),
            "InsuredValue": insured,
            "InsuredCurrency": currency if insured else None,
        },
        "To": _write_place(request.recipient),
        "Dutiable": {"DeclaredCurrency": currency, "DeclaredValue": declared} if dutiable else None,
    }


def _write_place(address: Address) -> Json:
    country, city = address.country_code, address.city or None
    return {"CountryCode": country, "Postalcode": address.postal_code or None, "City": city}


def _write_piece(at: int, parcel: Parcel, weight_unit: str, size_unit: str) -> Json:
    packaging = parts.CATALOGUE.packaging.get(parcel.packaging_type)
    code = packaging.code if packaging else USUAL_BOX
    return {
        "PieceID": at,  # digits only, so no identifier of ours. Source: schema, PieceType
        "PackageTypeCode": None if code == USUAL_BOX else code,
        **parts.measure_sides(parcel, size_unit),
        "Weight": parts.weigh([parcel], weight_unit),
    }


def _write_products(request: RateRequest, options: RequestOptions) -> list[Json]:
    """The products asked for, each with the special services; without a product DHL offers all it has,
    with these services too.
    """
    codes = [row.code for row in parts.CATALOGUE.services.list_chosen(request.services) if row.code]
    charges = [{"SpecialServiceType": service.code} for service in parts.special_services(request, options)]
    if not codes:
        return [{"QtdShpExChrg": charges}] if charges else []
    return [{"GlobalProductCode": code, "QtdShpExChrg": charges} for code in codes]


def check_served(answer: Element) -> None:
    """Errors: CarrierError when DHL has no product between two places.

    Source: DHL Customer Web Service developer guide, 5.1.1, error 1001.
    """
    for condition in every(answer, "Condition"):
        if find(condition, "ConditionCode") == NO_PRODUCT:
            raise CarrierError(
                Message(code=DESTINATION_NOT_SERVICED, message=find(condition, "ConditionData"))
            )


def read_rates(answer: Element, request: RateRequest, *, unfiltered: bool) -> list[Quote]:
    """One quote for each product with a price; for goods none that takes documents, unless unfiltered.

    Errors: CarrierError when there is no product, or none for goods; LookupError when this is no answer.
    """
    check_served(answer)
    check_root(answer, "DCTResponse")
    products = [product for product in every(answer, "QtdShp") if find(product, "ShippingCharge")]
    fitting = products
    if not unfiltered and not holds_only_documents(request.parcels):
        fitting = [product for product in products if not is_for_documents(product)]
    if products and not fitting:
        raise CarrierError(Message(code="documents_only", message=DOCUMENTS_ONLY))
    return list_first(quote for quote in read_each(fitting, _read_product) if quote.total_charge)


def is_for_documents(product: Element) -> bool:
    """Whether a product takes documents, and no goods."""
    return DOCUMENT_PRODUCT in find(product, "LocalProductName", "")


def _read_product(product: Element) -> Quote:
    currency, arrival = find(product, "CurrencyCode"), find(product, "DeliveryDate/DlvyDateTime", "")[:10]
    extras = product.findall("QtdShpExChrg")
    lines = [(find(extra, "LocalServiceTypeName", ""), read_amount(extra, "ChargeValue")) for extra in extras]
    return Quote(
        carrier_name="dhl_express",
        service=parts.CATALOGUE.services.find_slug(find(product, "GlobalProductCode", "")),
        total_charge=read_amount(product, "ShippingCharge"),
        currency=currency,
        transit_days=_days_between(find(product, "PricingDate"), arrival),
        estimated_delivery=arrival or None,
        extra_charges=list_charges([("Base charge", read_amount(product, "WeightCharge")), *lines], currency),
        meta={"service_name": f"DHL {find(product, 'LocalProductName', '')}".strip()},
    )


def _days_between(start: str | None, end: str | None) -> int | None:
    return (date.fromisoformat(end) - date.fromisoformat(start)).days if start and end else None


def read_amount(node: Element, path: str) -> Decimal:
    """An amount to the cent; 0 when there is none."""
    return round_half_up(Decimal(find(node, path, "0")))
