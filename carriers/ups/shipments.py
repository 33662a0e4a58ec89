"""Labels: the order, the answer with its files, and the void. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from shipcli.carrier import RequestOptions, holds_only_documents, read_cost
from shipcli.carrier.wire.address_parts import cut_text, fit_email
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path, set_path
from shipcli.carrier.wire.label_files import convert_files, decode_file, encode_file, list_files
from shipcli.models import Address, Duty, Invalid, Label, Location, Payment, Quote, ShipmentRequest

from .customs import write_forms
from .locations import write_access_point
from .parts import (
    CATALOGUE,
    EMAIL,
    LINE,
    YES,
    company_or_person,
    describe,
    flag,
    lane,
    write_address,
    write_indications,
    write_options,
    write_package,
    write_phone,
    write_value,
)
from .rates import read_price

TRANSPORT, DUTIES = "01", "02"
DELIVERY_MAIL, ARRIVAL_MAIL = "8", "012"  # at the door, at an access point
RETURN_LABEL = "9"  # the return label that the shipper prints
TOTALS = ("TotalCharges", "NegotiatedRateCharges/TotalCharge")
# Lanes on which UPS takes references of packages; on all others it takes those of the shipment.
# Source: Shipping API, ReferenceNumber of Shipment and of Package.
PACKAGE_REFERENCES = frozenset({("US", "US"), ("PR", "PR")})

VENDOR_NUMBERS = frozenset({"ioss", "voec", "hmrc"})


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A label as UPS is asked for it. Units: inches."""

    image: str
    height: int
    width: int

    @property
    def kind(self) -> str:
        """What the caller gets: UPS draws pictures, which become PDF pages."""
        return "ZPL" if self.image == "ZPL" else "PDF"


def label_sheet(*names: str | None) -> LabelSheet:
    """The sheet of the first name that UPS knows."""
    return LabelSheet(**CATALOGUE.choose("label_sheets", *names, usual="PDF"))


# -- the order -------------------------------------------------------------------------------------


def write_shipment(
    account: str | None,
    request: ShipmentRequest,
    options: RequestOptions,
    of_parcels: Sequence[RequestOptions],
    *,
    day: date,
    reference: str | None,
    key: str,
    sheet: LabelSheet,
    cost_center: str | None = None,
    point: Location | None = None,
) -> Json:
    """The body of a purchase. `reference` is the caller's; by `key` the purchase is found again; it is held
    at `point`, where there is one.
    """
    code, is_return = CATALOGUE.services.wire_code(request.service), _is_return(options)
    # The account that pays is that of the shop, where a return goes to. Source: Shipping API, Shipper.
    payer = request.recipient if is_return else request.shipper
    by_package = lane(request) in PACKAGE_REFERENCES
    head = {
        "RequestOption": "validate",
        "SubVersion": "2205",
        "TransactionReference": {"CustomerContext": reference or key},
    }
    shipment: Json = {
        "Description": describe(request),
        "DocumentsOnlyIndicator": flag(holds_only_documents(request.parcels)),
        "Shipper": {
            **_party(payer),
            "ShipperNumber": account,
            "EMailAddress": fit_email(payer.email, EMAIL),
        },
        "ShipTo": {
            **_party(request.recipient, residential=True),
            "EMailAddress": fit_email(request.recipient.email, EMAIL),
        },
        "ShipFrom": {
            **_party(request.shipper if is_return else _find_origin(request)),
            "VendorInfo": write_vendor(request),
        },
        "PaymentInformation": {"ShipmentCharge": list(write_charges(account, request))},
        "ReferenceNumber": [] if by_package else write_references(reference, key),
        "Service": {"Code": code, "Description": cut_text(CATALOGUE.services.code(request.service), LINE)},
        "NumOfPiecesInShipment": str(sum(item.quantity for p in request.parcels for item in p.items)),
        "CostCenter": cost_center,
        "CostCenterBarcodeIndicator": flag(bool(cost_center)),
        "ShipmentIndicationType": write_indications(options),
        "AlternateDeliveryAddress": write_access_point(point, request.recipient.name) if point else None,
        "ShipmentDate": f"{day:%Y%m%d}",
        "ReturnService": {"Code": RETURN_LABEL} if is_return else None,
        "Package": [
            write_package(request, parcel, parcel_options, "ship")
            | {
                "ReferenceNumber": write_references(parcel.reference_number or reference, key)
                if by_package
                else []
            }
            for parcel, parcel_options in zip(request.parcels, of_parcels, strict=True)
        ],
        **write_value(request, options),
    }
    set_path(shipment, "ShipmentServiceOptions/Notification", _notices(options, point))
    set_path(shipment, "ShipmentServiceOptions/InternationalForms", write_forms(request, options, day))
    write_options(shipment, request, options, "ship")
    return {
        "ShipmentRequest": {
            "Request": drop_empty(head),
            "Shipment": drop_empty(shipment),
            "LabelSpecification": {
                "LabelImageFormat": {"Code": sheet.image, "Description": "label format"},
                "LabelStockSize": {"Height": str(sheet.height), "Width": str(sheet.width)},
                **write_character_set(request),
            },
        }
    }


def write_character_set(request: ShipmentRequest) -> Json:
    """The letters that the label needs; without this UPS prints those of English.

    Source: Shipping API, LabelSpecification/CharacterSet.
    """
    people = (request.shipper, request.recipient, request.return_address)
    text = "".join(str(value) for person in people if person for value in person.model_dump().values())
    for encoding, name in CATALOGUE.table("character_sets").items():
        if _can_write(text, encoding):
            return {"CharacterSet": name} if name else {}
    return {}


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def write_charges(account: str | None, request: ShipmentRequest) -> Iterable[Json]:
    """Who pays the transport, and who the duties (the sender when nothing is said of them)."""
    duty = (request.customs.duty if request.customs else None) or Duty()
    address = request.customs.duty_billing_address if request.customs else None
    yield _charge(TRANSPORT, account, request.payment or Payment(), request.billing_address)
    yield _charge(DUTIES, account, duty, address or duty.duty_billing_address or request.billing_address)


def _charge(kind: str, account: str | None, payment: Payment | Duty, billing: Address | None) -> Json:
    payer = {"AccountNumber": payment.account_number}
    if payment.paid_by == "third_party":
        return {"Type": kind, "BillThirdParty": {**payer, "Address": _billing(billing, country=True)}}
    if payment.paid_by == "recipient" and payment.account_number:
        return {"Type": kind, "BillReceiver": {**payer, "Address": _billing(billing)}}
    if payment.paid_by == "recipient":
        return {"Type": kind, "ConsigneeBilledIndicator": YES}
    return {"Type": kind, "BillShipper": {"AccountNumber": payment.account_number or account}}


def _billing(address: Address | None, *, country: bool = False) -> Json | None:
    if address is None:
        return None
    return {"PostalCode": address.postal_code, "CountryCode": address.country_code if country else None}


def _party(address: Address, *, residential: bool = False) -> Json:
    return {
        "Name": company_or_person(address),
        "AttentionName": cut_text(address.person_name or address.company_name, LINE),
        "CompanyDisplayableName": cut_text(address.company_name, LINE),
        "TaxIdentificationNumber": address.federal_tax_id or address.state_tax_id,
        "Phone": write_phone(address.phone_number),
        "Address": write_address(address, residential=residential),
    }


def _find_origin(request: ShipmentRequest) -> Address:
    """Where the parcels come from, with a number to call: UPS wants one for what goes abroad.

    Source: Shipping API, ShipFrom/Phone.
    """
    origin = request.return_address or request.shipper
    is_abroad = origin.country_code != request.recipient.country_code
    if origin.phone_number or not is_abroad:
        return origin
    return origin.model_copy(update={"phone_number": request.shipper.phone_number})


def write_vendor(request: ShipmentRequest) -> Json | None:
    """The number under which the seller has collected the taxes of import; UPS takes one.

    Source: Shipping API, ShipFrom/VendorInfo.
    Errors: Invalid for a second one.
    """
    customs = request.customs
    named = RequestOptions.of_customs(CATALOGUE, customs).list_chosen() if customs else []
    chosen = [choice for choice in named if choice.slug in VENDOR_NUMBERS]
    if len(chosen) > 1:
        raise Invalid(
            f"customs.options.{chosen[1].slug}", f"UPS takes no other number beside {chosen[0].slug}"
        )
    codes = [
        {"VendorCollectIDTypeCode": choice.code, "VendorCollectIDNumber": choice.value} for choice in chosen
    ]
    return codes[0] if codes else None


def write_references(*numbers: str | None) -> list[Json]:
    """The references of a shipment or of a package; UPS prints two."""
    return [{"Value": number[:LINE]} for number in dict.fromkeys(filter(None, numbers))]


def _is_return(options: RequestOptions) -> bool:
    return options.flag("ups_return_service") or options.flag("is_return")


def _notices(options: RequestOptions, point: Location | None) -> list[Json]:
    to = options.notify_email(EMAIL)
    codes = [DELIVERY_MAIL, *([ARRIVAL_MAIL] if point else [])]
    return [{"NotificationCode": code, "EMail": {"EMailAddress": [to]}} for code in codes] if to else []


# -- the label -------------------------------------------------------------------------------------


def read_shipment(body: Json, request: ShipmentRequest, sheet: LabelSheet, kind: str) -> Label:
    """The bought label with its price: one document for all packages.

    `kind` is what the caller wants.
    """
    results = body["ShipmentResponse"]["ShipmentResults"]
    packages = as_list(results.get("PackageResults"))
    numbers = [text for package in packages if (text := package.get("TrackingNumber"))]
    number = results.get("ShipmentIdentificationNumber") or numbers[0]
    images = list_files(get_path(package, "ShippingLabel/GraphicImage") for package in packages)
    label, got = read_images(images, sheet, kind)
    docs = {"label": label, "invoice": get_path(results, "Form/Image/GraphicImage")}
    if sheet.image == "ZPL" and got != "ZPL":
        docs["zpl_label"] = convert_files(images, "ZPL")
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=got,
        docs={name: text for name, text in docs.items() if text},
        selected_rate=read_cost(_paid, results, request.service),
        meta={"tracking_numbers": numbers},
    )


def _paid(results: Json, service: str) -> Quote | None:
    """The price of the label, which may differ from the quote; UPS leaves it out for some payers."""
    charges = {
        **(results.get("ShipmentCharges") or {}),
        "NegotiatedRateCharges": results.get("NegotiatedRateCharges"),
    }
    totals = (get_path(charges, f"{way}/MonetaryValue") for way in TOTALS)
    return read_price(charges, service, CATALOGUE.services.wire_code(service)) if any(totals) else None


def read_images(images: list[str], sheet: LabelSheet, kind: str) -> tuple[str | None, str]:
    """The labels of all packages as one file in base64, and its kind.

    Pictures become PDF pages. Printer language becomes PDF where it can be drawn here, else it stays.
    """
    from shipcli.drawing import find_label_kind, merge

    if not images:
        return None, sheet.kind
    files = [decode_file(image) for image in images]
    if not all(file and find_label_kind(file) for file in files):
        return images[0], sheet.kind
    if sheet.image != "ZPL":
        pages = [_page(file, sheet) for file in files if file]
        return encode_file(pages[0] if len(pages) == 1 else merge(pages)), "PDF"
    merged = convert_files(images, kind)
    return merged, find_label_kind(decode_file(merged) or b"") or kind


def _page(picture: bytes, sheet: LabelSheet) -> bytes:
    """A label picture as an upright PDF page: UPS draws labels lying on their side."""
    from shipcli.drawing import convert, find_label_kind

    if find_label_kind(picture) == "PDF":
        return picture
    turn = 90 if _lies(picture) else 0
    return convert(picture, "PDF", size_in=(sheet.width, sheet.height), turn=turn)


def _lies(picture: bytes) -> bool:
    """Whether a PNG or GIF is wider than high."""
    if picture.startswith(b"\x89PNG"):
        return int.from_bytes(picture[16:20], "big") > int.from_bytes(picture[20:24], "big")
    return int.from_bytes(picture[6:8], "little") > int.from_bytes(picture[8:10], "little")


def write_recovery(account: str | None, key: str, sheet: LabelSheet) -> Json:
    """The body of a look-up of the labels that have a reference."""
    return {
        "LabelRecoveryRequest": {
            "Request": {"RequestOption": "Non_Validate"},
            "LabelSpecification": {
                "LabelImageFormat": {"Code": sheet.kind},
                "LabelStockSize": {"Height": str(sheet.height), "Width": str(sheet.width)},
            },
            "ReferenceValues": {"ReferenceNumber": {"Value": key}, "ShipperNumber": account},
        }
    }


def read_recovery(body: Json, sheet: LabelSheet, kind: str) -> Label:
    """The labels of one shipment; those of a PDF are one file, which the first package has."""
    answer = body["LabelRecoveryResponse"]
    packages = as_list(answer["LabelResults"])
    number = answer.get("ShipmentIdentificationNumber") or packages[0]["TrackingNumber"]
    pictures = [package["LabelImage"] for package in packages if package.get("LabelImage")]
    label, got = read_images(list_files(picture.get("GraphicImage") for picture in pictures), sheet, kind)
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=got,
        docs={"label": label} if label else {},
        meta={"tracking_numbers": [package["TrackingNumber"] for package in packages]},
    )


def read_void(body: Json) -> bool:
    return bool(get_path(body, "VoidShipmentResponse/Response/ResponseStatus/Code") == "1")
