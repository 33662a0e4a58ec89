"""Labels: the order of a shipment for each parcel, and what became of each. Pure.

Source: Geschaeftskundenversand 3.4.
bcs_base demands the `type` or `details` of some extras, which a yes does not say: the catalogue refuses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import round_sides
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.soap import SoapOperation
from shipcli.carrier.wire.xml import Element, every, find, first, require
from shipcli.models import Invalid, Label, Message, Parcel, ShipmentRequest

from . import customs, parts

if TYPE_CHECKING:
    from . import Dpdhl

SIDES = ("lengthInCM", "widthInCM", "heightInCM")  # whole centimetres (xs:integer)


def _operation(name: str, action: str) -> SoapOperation:
    spaces = {"cis": parts.CIS}
    return SoapOperation(name, parts.BCS, action, prefix="ns", namespaces=spaces, unqualified=True)


CREATE = _operation("CreateShipmentOrderRequest", "urn:createShipmentOrder")
DELETE = _operation("DeleteShipmentOrderRequest", "urn:deleteShipmentOrder")


def write_order(carrier: Dpdhl, request: ShipmentRequest, kind: str) -> Json:
    pairs = zip(request.parcels, carrier.options_of_each(request), strict=True)
    return {
        **parts.write_version(),
        "ShipmentOrder": [
            {"sequenceNumber": at, "Shipment": write_shipment(carrier, request, parcel, options)}
            for at, (parcel, options) in enumerate(pairs, 1)
        ],
        "labelResponseType": kind,
        "combinedPrinting": 0,
    }


def write_shipment(carrier: Dpdhl, request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    shipper, recipient = request.shipper, request.recipient
    station = options.text("dpdhl_packstation")
    names = parts.write_names("recipient", recipient.company_name, recipient.person_name)
    return {
        "ShipmentDetails": write_details(carrier, request, parcel, options),
        "Shipper": {
            "Name": parts.write_names(
                "shipper", shipper.company_name, shipper.person_name, shipper.address_line2
            ),
            "Address": parts.write_address(shipper),
            "Communication": parts.write_contact(shipper, shipper.person_name),
        },
        "Receiver": {
            "cis:name1": names.pop("cis:name1", None),
            "Address": parts.write_address(recipient, station, names),
            "Communication": parts.write_contact(recipient, recipient.name),
        },
        "ExportDocument": customs.write_customs(request, parcel, options) if request.customs else None,
    }


def write_details(carrier: Dpdhl, request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    product = parts.CATALOGUE.services.code(request.service)
    if not product:
        raise Invalid("service", f"{request.service} is no product to order a label of")
    suffix = carrier.config.service_suffix
    account = parts.write_account(carrier.account.account_number, product, options, suffix)
    notification = options.text("dpdhl_notification") or ""
    email = notification if "@" in notification else options.notify_email(parts.EMAIL)
    return {
        "product": product,
        "cis:accountNumber": account,
        "customerReference": cut_text(request.reference, 35),
        "shipmentDate": options.ship_date() or carrier.today_at(request.shipper),
        "costCentre": carrier.context.metadata.get("cost-reference"),
        "returnShipmentAccountNumber": account,
        "ShipmentItem": {
            "weightInKG": round_measure(parcel.weight_in("KG")),
            **dict(zip(SIDES, round_sides(parcel, "CM") or (), strict=False)),
        },
        "Service": write_services(request, options, email),
        "Notification": {"recipientEmailAddress": email} if email else None,
    }


def write_services(request: ShipmentRequest, options: RequestOptions, email: str | None) -> Json | None:
    """The chosen extras in the order of the schema; a service that is not wanted is left out."""
    chosen = {choice.code: choice.value for choice in options.list_chosen()}
    if chosen.get("ParcelOutletRouting"):
        chosen["ParcelOutletRouting"] = email or True
    if request.customs and read_terms(request.customs) == "DDP":
        chosen["PDDP"] = True
    if ident := options.value("dpdhl_identcheck"):
        chosen["IdentCheck"] = write_identity(ident)
    order = parts.CATALOGUE.table("service_order")
    return {name: write_service(name, value) for name in order if (value := chosen.get(name))} or None


def write_identity(identity: Json) -> Json:
    """Errors: Invalid for an identity without a name."""
    for name in ("surname", "givenName"):
        if not identity.get(name):
            raise Invalid("options.dpdhl_identcheck", f"lacks {name}")
    return {name: identity.get(name) for name in parts.CATALOGUE.table("ident_check")}


def write_service(name: str, value: Any) -> Json:
    """One extra: that it is active, and what it is in an attribute of its own, if it has one.

    Source: bcs_base, ShipmentService: no extra has text, all have the attribute `active`.
    """
    if name == "IdentCheck":
        return {"@active": 1, "Ident": value}
    detail = parts.CATALOGUE.table("service_details").get(name)
    return {"@active": 1} if detail is None or value is True else {"@active": 1, f"@{detail}": value}


def read_labels(answer: Element, kind: str) -> list[Label]:
    """The shipments that were taken, each with its label.

    Errors: LookupError when the answer tells of no shipment.
    """
    states = every(answer, "CreationState")
    if not states:
        raise LookupError("CreationState")
    taken = [(number, state) for state in states if (number := find(state, "shipmentNumber"))]
    return [_read_label(number, state, kind) for number, state in taken]


def list_deletions(answer: Element) -> list[Element]:
    """What became of each label that was to be taken back."""
    return every(answer, "DeletionState")


def read_deletion(answer: Element, number: str, count: int) -> Message | None:
    """What is wrong with a label that was to be taken back, of as many as were asked about; None for nothing.

    Errors: LookupError for an answer that does not say.
    """
    states = list_deletions(answer)
    named = [state for state in states if find(state, "shipmentNumber") == number]
    rows = named or (states if len(states) == count == 1 else [])
    status = first(rows[0], "Status")
    text = require(status, "statusText")
    return None if text == parts.FINE else parts.read_status(status)


def _read_label(number: str, state: Element, kind: str) -> Label:
    file = find(state, "LabelData/labelData") or find(state, "LabelData/zplLabelData")
    paper = find(state, "LabelData/exportLabelData")
    docs = {"label": file, "invoice": paper}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type="ZPL" if kind.startswith("ZPL") else "PDF",
        docs={name: text for name, text in docs.items() if text},
    )
