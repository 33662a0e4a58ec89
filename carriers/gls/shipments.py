"""Orders of labels at GLS, and the labels. Pure.

Source: ShipIT-Farm v1: ShipmentRequestData, ShipmentService, UnitService, CreatedShipment.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, RequestOptions
from shipcli.carrier.contents import choose_terms, join_words
from shipcli.carrier.duties import read_terms
from shipcli.carrier.preparation.returns import turn_around
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import list_files, merge_files
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Invalid, Label, Parcel, ShipmentRequest
from shipcli.models.basics.reference import list_eu_countries

from .parts import CATALOGUE, write_address, write_volume

CURRENCY, PDF = "EUR", "PDF"
# The label for the way back alone, and one beside the label of a parcel that is sent.
SHOP_RETURN: Json = {"ShopReturn": {"ServiceName": "service_shopreturn", "NumberOfLabels": 1}}
RETURN_LABEL: Json = {"Service": {"ServiceName": "service_shopreturn"}}
COLLECTED = "PickAndReturn"  # the courier brings the label for the way back
CANCELLED = ("CANCELLED", "CANCELLATION_PENDING")
NO_TEMPLATE = "NONE"


def write_shipment(request: ShipmentRequest, each: Sequence[RequestOptions]) -> Json:
    """The order of a shipment; `each` are the options of its parcels."""
    options = each[0]
    product = find_product(CATALOGUE.services.wire_code(request.service))
    named = product.pop("ServiceName", None)
    services = [*([{"Service": {"ServiceName": named}}] if named else []), *write_services(request, options)]
    address = write_address(request.recipient, options.notify_email())
    body = {
        "Product": product["Product"],
        "ShippingDate": write_moment(options.ship_date()),
        "IncotermCode": write_incoterm(request),
        "Shipper": {"Address": write_address(request.shipper, request.shipper.email)},
        "Consignee": {"Category": product.get("Category"), "Address": address},
        "Service": list({str(service): service for service in services}.values()),
        "Return": {"Address": write_address(home, home.email)} if (home := request.return_address) else None,
    }
    units = zip(request.parcels, each, strict=True)
    return {**drop_empty(body), "ShipmentUnit": [write_unit(request, *unit) for unit in units]}


def find_product(code: str) -> Json:
    """What a service is on the wire; a word that is none of ours goes out as it is, to be refused."""
    products = CATALOGUE.table("products")
    return dict(products.get(code) or {"Product": code})


def write_return(request: ShipmentRequest, each: Sequence[RequestOptions]) -> Json:
    """The order of a return: the customer is the consignee, and hands the parcel in, or has it collected.

    Source: public connectors of GLS, whose returns name the customer so: GLS exchanges the ends.
    """
    shipment = write_shipment(turn_around(request), each)
    services = [service for service in shipment.get("Service", ()) if service != RETURN_LABEL]
    is_collected = any(COLLECTED in service for service in services)
    return {**shipment, "Service": services if is_collected else [*services, SHOP_RETURN]}


def write_moment(day: date | None) -> str | None:
    return datetime.combine(day, time(), UTC).isoformat().replace("+00:00", "Z") if day else None


def write_incoterm(request: ShipmentRequest) -> str | None:
    """Who pays the duties, where there are any.

    Errors: Invalid for terms that GLS does not have.
    """
    terms = CATALOGUE.table("incoterms")
    union = list_eu_countries()
    within = {request.shipper.country_code, request.recipient.country_code} <= union
    if within or request.customs is None or request.shipper.country_code == request.recipient.country_code:
        return None
    return choose_terms("GLS", terms, read_terms(request.customs), terms["DAP"])


def write_unit(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    reference = parcel.reference_number or request.reference
    body = {
        "ShipmentUnitReference": [reference] if reference else None,
        "Weight": round_measure(parcel.weight_in("KG")),
        "Note1": options.text("shipment_note"),
        "Service": write_unit_services(request, parcel, options),
    }
    volume = write_volume(parcel)
    return {**drop_empty(body), **({"Volume": volume} if volume else {})}


# -- services --------------------------------------------------------------------------------------


def write_services(request: ShipmentRequest, options: RequestOptions) -> list[Json]:
    """What is done with the whole shipment.

    Source: public connectors of GLS, of the label for the way back: with a number of labels it is ordered
            alone, and nothing is sent.
    Errors: Invalid for a service that lacks what it needs.
    """
    plain = [name for slug, name in CATALOGUE.table("plain_services").items() if options.flag(slug)]
    if clock := options.text("gls_time_definite_service"):
        plain.append(f"service_{clock}")
    details = [
        write_deposit(options), write_shop(options), write_pin(options), write_collection(request, options)
    ]  # fmt: skip
    returned = options.flag("gls_shop_return") or options.flag("gls_return_enabled")
    named: list[Json] = [{"Service": {"ServiceName": name}} for name in plain]
    return [*named, *(one for one in details if one), *([RETURN_LABEL] if returned else [])]


def write_deposit(options: RequestOptions) -> Json | None:
    place = options.text("gls_deposit_description")
    if not (place or options.flag("gls_deposit_service")):
        return None
    if not place:
        raise Invalid("options.gls_deposit_service", "needs the place: gls_deposit_description")
    return {"Deposit": {"ServiceName": "service_deposit", "PlaceOfDeposit": place}}


def write_shop(options: RequestOptions) -> Json | None:
    shop = options.text("gls_shop_id")
    if not (shop or options.flag("gls_shop_delivery")):
        return None
    if not shop:
        raise Invalid("options.gls_shop_delivery", "needs the shop: gls_shop_id")
    return {"ShopDelivery": {"ServiceName": "service_shopdelivery", "ParcelShopID": shop}}


def write_pin(options: RequestOptions) -> Json | None:
    pin = options.text("gls_ident_pin")
    if not (pin or options.flag("gls_ident_pin_service")):
        return None
    if not pin:
        raise Invalid("options.gls_ident_pin_service", "needs the PIN: gls_ident_pin")
    return {"IdentPin": {"ServiceName": "service_identpin", "Pin": pin}}


def write_collection(request: ShipmentRequest, options: RequestOptions) -> Json | None:
    """A collection at the consignee, who sends a parcel back."""
    if not options.flag("gls_pick_and_return"):
        return None
    if options.ship_date() is None:
        raise Invalid("options.gls_pick_and_return", "needs the day of the collection: shipping_date")
    day = write_moment(options.ship_date())
    return {COLLECTED: {"ServiceName": "service_pickandreturn", "PickupDate": day}}


def write_unit_services(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> list[Json]:
    """What is done with one parcel: its insurance, what is collected for it, its dangerous goods."""
    currency = options.currency(CURRENCY)
    services: list[Json] = []
    if cash := options.amount("gls_cash"):
        reason = options.text("gls_cod_reference") or request.reference or "Cash on delivery"
        money = {"Reason": reason, "Amount": cash, "Currency": currency}
        services.append({"Cash": {"ServiceName": "service_cash", **money}})
    insured = options.insurance()
    if options.flag("gls_add_on_liability") and not insured:
        raise Invalid("options.gls_add_on_liability", "needs an amount: insurance")
    if insured:
        money = {"Amount": insured, "Currency": currency, "ParcelContent": describe(parcel)}
        services.append({"AddonLiability": {"ServiceName": "service_addonliability", **money}})
    text = options.text("gls_limited_quantity_weight")
    weight = Decimal(text) if text else None
    if weight or options.flag("gls_limited_quantity"):
        services.append({"LimitedQuantities": {"ServiceName": "service_limitedquantities", "Weight": weight}})
    return services


def describe(parcel: Parcel) -> str | None:
    return parcel.description or join_words([item.title or item.description for item in parcel.items])


# -- printing and the answer -----------------------------------------------------------------------


def write_printing(kind: str | None, template: str | None) -> Json:
    wire = CATALOGUE.table("label_formats").get((kind or PDF).upper(), kind or PDF)
    usual = CATALOGUE.table("templates").get(wire, NO_TEMPLATE)
    return {"ReturnLabels": {"TemplateSet": template or usual, "LabelFormat": wire}}


def read_label(body: Json) -> Label:
    """The label of a shipment: files of all parcels as one, numbers of all parcels.

    Shapes: that of the description, else the one that others recorded.
    """
    return read_created(body["CreatedShipment"]) if "CreatedShipment" in body else read_recorded(body)


def read_created(body: Json) -> Label:
    """Source: ShipIT-Farm v1, CreatedShipment."""
    parcels, papers = body["ParcelData"], as_list(body.get("PrintData"))
    numbers = [str(parcel["TrackID"]) for parcel in parcels]
    kind = read_kind(papers[0].get("LabelFormat") if papers else None)
    files = list_files(file for paper in papers for file in as_list(paper.get("Data")))
    meta = {
        "customer_id": body.get("CustomerID"),
        "parcel_numbers": [parcel.get("ParcelNumber") for parcel in parcels],
        "shipment_identifiers": numbers if len(numbers) > 1 else None,
        "tracking_numbers": numbers,
    }
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=numbers[0],
        label_type=kind,
        docs={"label": merge_files(files, kind)} if files else {},
        meta=drop_empty(meta),
    )


def read_kind(wire: Any) -> str:
    """Our word for a format of labels."""
    kinds = {code: kind for kind, code in CATALOGUE.table("label_formats").items()}
    return str(kinds.get(wire, wire or PDF))


def read_recorded(body: Json) -> Label:
    """The answer as it was recorded by others, before the description was published."""
    numbers = [str(number) for number in body["trackingNumbers"]]
    labels = as_list(body.get("labels"))
    kind = read_kind(labels[0].get("labelFormat") if labels else None)
    files = list_files(label.get("labelData") for label in labels)
    parcels = [
        {
            "parcel_id": row.get("parcelId"),
            "tracking_number": row.get("trackingNumber"),
            "weight": row.get("weight"),
        }
        for row in as_list(body.get("parcels"))
    ]
    meta = {
        "created_at": body.get("createdAt"),
        "parcels": parcels,
        "shipment_id": body.get("shipmentId"),
        "shipping_date": body.get("shippingDate"),
        "status": body.get("status"),
        "tracking_numbers": numbers,
    }
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=str(body["shipmentId"]),
        label_type=kind,
        docs={"label": merge_files(files, kind)} if files else {},
        meta=drop_empty(meta),
    )


def is_cancelled(reply: Reply) -> bool:
    return str(reply.json["Result"]).upper() in CANCELLED
