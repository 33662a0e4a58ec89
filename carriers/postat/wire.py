"""Between our models and the SOAP of the Post-Labelcenter. Pure.

Units: kilograms and centimetres to the hundredth, rounded up.
Source: schema of the row that ImportShipment takes; members stand in its order.
"""

from __future__ import annotations

from collections.abc import Mapping

from shipcli.carrier import Reply, RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure
from shipcli.carrier.wire.soap import SoapOperation, read_fault
from shipcli.carrier.wire.xml import Element, every, find
from shipcli.models import Address, Commodity, Invalid, Label, Message, Parcel, ShipmentRequest
from shipcli.models.basics.areas import crosses_customs

CATALOGUE = load_catalogue(__file__)
NAMESPACE, ACTION = "http://post.ondot.at", "http://post.ondot.at/IShippingService/"
IMPORT = SoapOperation("ImportShipment", NAMESPACE, f"{ACTION}ImportShipment", prefix="post")
CANCEL = SoapOperation("VoidShipment", NAMESPACE, f"{ACTION}CancelShipments", prefix="post")
NO_CODE, EUROS = "POSTAT_ERROR", "EUR"
USUAL_SIZE, USUAL_LAYOUT = "SIZE_100x150", "LAYOUT_2xA5inA4"
SIDES = ("length", "width", "height")


# -- the order -------------------------------------------------------------------------------------


def write_order(
    request: ShipmentRequest, options: RequestOptions, service: str, login: Json, printer: Json
) -> Json:
    """One shipment with all its parcels."""
    parcels = [write_parcel(request, parcel, options) for parcel in request.parcels]
    recipient = write_address(request.recipient)
    told = {
        "Email": options.text("postat_email_notification") or options.notify_email(),
        "Tel1": options.text("postat_sms_notification") or request.recipient.phone_number,
    }
    row = {
        **login,
        "DeliveryServiceThirdPartyID": service,
        "CustomDataBit1": False,
        "OUShipperReference1": request.reference or "",
        "ColloList": {"ColloRow": parcels},
        "OURecipientAddress": {**recipient, **told},
        "OUShipperAddress": write_address(request.shipper),
        "PrinterObject": printer,
    }
    return {"row": row}


def write_address(address: Address) -> Json:
    """Shapes: the house number has a member of its own, and stays out of the street."""
    number, street = split_street(address)
    return {
        "Name1": address.company_name or address.person_name,
        "Name2": address.person_name if address.company_name else None,
        "AddressLine1": street,
        "AddressLine2": address.address_line2,
        "HouseNumber": number,
        "PostalCode": address.postal_code,
        "City": address.city,
        "CountryID": address.country_code,
        "Tel1": address.phone_number,
        "Email": address.email,
        "VATID": address.federal_tax_id or address.state_tax_id,
    }


def write_parcel(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    sides = parcel.known_sides_in("CM")
    return {
        "Weight": round_measure(parcel.weight_in("KG")),
        **{name.title(): round_measure(sides[name]) for name in SIDES if name in sides},
        "ColloArticleList": write_articles(request, parcel, options),
    }


def write_articles(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    """What a parcel declares at a customs border; values and weights are of one piece."""
    if request.customs is None or not crosses_customs(request.shipper, request.recipient):
        return None
    currency = name_declared_currency(request, options, EUROS)
    goods = list_parcel_goods(request, parcel)
    return {"ColloArticleRow": [write_article(item, currency) for item in goods]}


def write_article(item: Commodity, currency: str | None) -> Json:
    weight, value = item.weight_in("KG"), item.value_amount
    return {
        "ArticleName": item.description or item.title,
        "ArticleNumber": item.sku,
        "Quantity": item.quantity,
        "ValueOfGoodsPerUnit": round_half_up(value) if value is not None else None,
        "CurrencyID": (item.value_currency or currency) if value is not None else None,
        "CountryOfOriginID": item.origin_country,
        "HSTariffNumber": item.hs_code,
        "ConsumerUnitNetWeight": round_measure(weight, THOUSANDTH) if weight else None,
    }


def write_printer(config: Mapping[str, str | None], options: RequestOptions, label_type: str | None) -> Json:
    """How the label is printed: as the connection says, else the request."""
    size = config["label_size"] or options.text("postat_label_size") or USUAL_SIZE
    layout = config["paper_layout"] or options.text("postat_paper_layout") or USUAL_LAYOUT
    return {
        "LabelFormatID": CATALOGUE.table("label_sizes")[size],
        "LanguageID": CATALOGUE.choose("label_formats", config["label_format"], label_type, usual="PDF"),
        "PaperLayoutID": CATALOGUE.table("paper_layouts")[layout],
    }


def check_service(slug: str) -> str:
    """Errors: Invalid for a service that the post does not have."""
    if slug not in CATALOGUE.services:
        raise Invalid("service", f"Austrian Post has no service {slug}")
    return CATALOGUE.services.code(slug)


# -- the answer ------------------------------------------------------------------------------------


def read_errors(reply: Reply) -> list[Message]:
    """Faults, the error of an order, and those of a cancellation."""
    ordered = [node.text for node in every(reply.xml, "errorMessage")]
    voided = [row for row in every(reply.xml, "VoidShipmentResult") if find(row, "Success") != "true"]
    return [
        *read_fault(reply),
        *(Message(code=NO_CODE, message=text.strip()) for text in ordered if text and text.strip()),
        *(Message(code=find(row, "ErrorCode", NO_CODE), message=find(row, "ErrorMessage")) for row in voided),
    ]


def read_label(answer: Element) -> Label:
    """The labels of all parcels in one file; each parcel has a number.

    Errors: LookupError when the answer names no parcel.
    """
    numbers = [code.text.strip() for code in every(answer, "Code") if code.text and code.text.strip()]
    if not numbers:
        raise LookupError("Code")
    printer, file = (read_text(answer, name) for name in ("zplLabelData", "pdfData"))
    label = (read_printer_file(printer) if printer else file) or None
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=numbers[0],
        label_type="ZPL" if printer else "PDF",
        docs={"label": label} if label else {},
        meta={"tracking_numbers": numbers},
    )


def read_text(answer: Element, name: str) -> str | None:
    return next((node.text.strip() for node in every(answer, name) if node.text), None)


def read_printer_file(text: str) -> str:
    """Printer language comes as it is, or in base64."""
    return text if decode_file(text) is not None else encode_file(text.encode())
