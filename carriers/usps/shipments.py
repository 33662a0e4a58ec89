"""Labels: the order of one parcel, the answer with its files and its price. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from shipcli.carrier import Reply, read_cost
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Invalid, Label, Quote, ShipmentRequest

from .customs import is_declared, write_customs_at_home
from .locations import write_held
from .parts import Piece, read_body, write_address, write_measures, write_size
from .rates import name_charges, read_price

LONGEST_REFERENCE = 30
SEVERAL_PAGES = frozenset({"PDF", "ZPL203DPI", "ZPL300DPI"})  # label files that hold more than one label
PICTURES = frozenset({"PNG", "JPG", "GIF", "SVG"})  # which labels with declarations are not
UNPRINTED = frozenset({"LABEL_BROKER", "NONE"})
LABEL_TYPE = "4X6LABEL"
OUTBOUND = frozenset({"holdForPickup", "parcelLockerDelivery", "facilityId"})  # of a recipient, not of a shop
# The rate indicators that return labels have.
RETURN_INDICATORS = frozenset({
    "CP", "DN", "DR", "E4", "E6", "FA", "FB", "FE", "FP", "FS", "OS", "P5", "P6", "P7", "P8", "P9", "PA",
    "PL", "PM", "Q0", "Q6", "Q7", "Q8", "Q9", "SP",
})  # fmt: skip
RETURNED = frozenset({
    "weightUOM", "weight", "dimensionsUOM", "length", "height", "width", "girth", "mailClass",
    "rateIndicator", "processingCategory", "hasNonstandardCharacteristics", "packageOptions",
    "customerReference", "extraServices",
})  # fmt: skip
META = ("SKU", "postage", "routingInformation", "labelBrokerID")


def image_type(request: ShipmentRequest, types: Mapping[str, str]) -> str:
    """The carrier's word for the label file; several labels, and forms, need a file that has pages."""
    kind = str(types.get((request.label_type or "PDF").upper(), "PDF"))
    fits = len(request.parcels) < 2 and (kind not in PICTURES or not is_declared(request))
    return kind if fits or kind in SEVERAL_PAGES else "PDF"


def write_reprint(image: str) -> Json:
    """A question for a label that was made before."""
    kind = "PDF" if image in UNPRINTED else image
    return {"imageInfo": {"imageType": kind, "labelType": LABEL_TYPE}}


# -- the order -------------------------------------------------------------------------------------


def write_label(request: ShipmentRequest, piece: Piece, mail_class: str, image: str, reference: Json) -> Json:
    """A label inside the United States."""
    options, shipper = piece.options, write_address(request.shipper, piece.options)
    back, facility = request.return_address, options.text("usps_facility_id")
    package = {
        **write_package(piece, mail_class, reference),
        "inductionZIPCode": shipper["ZIPCode"],
        "hasNonstandardCharacteristics": piece.is_nonstandard or None,
        "carrierRelease": options.flag("usps_carrier_release") or None,
        "physicalSignatureRequired": options.flag("usps_physical_signature_required") or None,
    }
    recipient = {
        **write_address(request.recipient, options),
        **write_held(facility, is_held=options.flag("usps_hold_for_pickup")),
    }
    body = {
        "imageInfo": {"imageType": image, "labelType": LABEL_TYPE, "receiptOption": "SEPARATE_PAGE"},
        "toAddress": recipient,
        "fromAddress": shipper,
        "senderAddress": shipper,
        "returnAddress": write_address(back, options) if back else None,
        "packageDescription": package,
        "customsForm": write_customs_at_home(piece),
    }
    return dict(drop_empty(body))


def write_return(label: Json, classes: Mapping[str, str]) -> Json:
    """The order of a return label, from that of a label the same way. The shop is its sender.

    A return is handed in anywhere on any day, and signed for by nobody in particular.
    Source: Labels API v3, ReturnLabelRequest. Errors: Invalid for a packaging that has no return labels.
    """
    if label["packageDescription"]["rateIndicator"] not in RETURN_INDICATORS:
        raise Invalid("parcels", "This packaging has no return labels")
    package = {name: value for name, value in label["packageDescription"].items() if name in RETURNED}
    recipient = {name: value for name, value in label["toAddress"].items() if name not in OUTBOUND}
    return {
        "imageInfo": label["imageInfo"],
        "toAddress": recipient,
        "fromAddress": label["fromAddress"],
        "senderAddress": recipient,
        "packageDescription": {**package, "mailClass": classes[package["mailClass"]]},
    }


def write_reference(reference: str | None, key: str) -> Json:
    """The caller's reference, printed; without one the purchase key, which is not for people."""
    printed = {"referenceNumber": cut_text(reference, LONGEST_REFERENCE), "printReferenceNumber": True}
    return printed if reference else {"referenceNumber": key, "printReferenceNumber": False}


def write_package(piece: Piece, mail_class: str, reference: Json) -> Json:
    """The parcel of a label."""
    options = piece.options
    return {
        "weightUOM": "lb",
        "dimensionsUOM": "in",
        **write_measures(piece.parcel),
        "girth": write_size(measure_girth(piece)),
        "mailClass": mail_class,
        "rateIndicator": piece.indicator_of(mail_class),
        "processingCategory": piece.category_of(mail_class),
        "destinationEntryFacilityType": options.text("usps_destination_facility_type") or "NONE",
        "packageOptions": {"packageValue": piece.value or None},
        "customerReference": [reference],
        "extraServices": piece.extra_services,
        "mailingDate": piece.mailing_date,
    }


def measure_girth(piece: Piece) -> Decimal | None:
    """Around the two smaller sides, in inches; None where a side is not known."""
    sides = piece.parcel.sides_in("IN")
    return 2 * sum(sorted(sides)[:2], Decimal(0)) if sides else None


# -- the label -------------------------------------------------------------------------------------


def read_label(reply: Reply, carrier: str, service: str) -> Label:
    """One parcel's label with what it cost.

    Shapes: labels abroad name their number `internationalTrackingNumber`, some of them `trackingNumber`.
            Of several parts the facts are one; an answer in one piece has them beside the files.
    Errors: LookupError when the answer has no tracking number.
    """
    body = read_body(reply)
    facts = body.get("labelMetadata") or body.get("returnLabelMetadata") or body
    number = facts.get("internationalTrackingNumber") or facts["trackingNumber"]
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        docs=drop_empty(
            {
                "label": body.get("labelImage") or body.get("returnLabelImage"),
                "invoice": body.get("receiptImage") or body.get("returnReceiptImage"),
            }
        ),
        selected_rate=read_cost(_read_paid, facts, carrier, service) if facts.get("postage") else None,
        meta=drop_empty({name: facts.get(name) for name in META}),
    )


def _read_paid(facts: Json, carrier: str, service: str) -> Quote:
    """What was paid: the postage, fees and extra services apart from it."""
    extras = name_charges([*(facts.get("fees") or ()), *(facts.get("extraServices") or ())])
    total = sum((amount for _, amount in extras), facts["postage"])
    return read_price(carrier, service, total, [("Postage", facts["postage"]), *extras])


def name_file_kind(image: str) -> str:
    return "ZPL" if image.startswith("ZPL") else image
