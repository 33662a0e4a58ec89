"""The label of a consignment: its data are asked for, and rendered by a third call. Pure.

Source: label_request.xsd, label_common_definitions.xsd.
"""

from __future__ import annotations

from datetime import date

from shipcli.carrier import Bought, RequestOptions
from shipcli.carrier.wire.address_parts import cut_text, fit_phone, wrap_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Address, Parcel, Payment, ShipmentRequest

from . import parts

NAME, LINE, LINES, POSTCODE, MOST_OPTIONS = 40, 30, 3, 9, 5
AT_HOME, ABROAD = 1, 2  # lines of business
NO_GROUP = 0
ROUTING_LABEL = {"documentType": "routingLabel", "contentType": "pdf"}


def write_label(
    request: ShipmentRequest, options: RequestOptions, bought: Bought, day: date, account: Json | None
) -> Json:
    price = bought.selected_rate
    consignment = {
        "@key": "1",
        "consignmentIdentity": {
            "consignmentNumber": bought.tracking_number,
            "customerReference": request.reference,
        },
        "collectionDateTime": f"{day}T00:00:00",
        "sender": _write_address(request.shipper),
        "delivery": _write_address(request.recipient),
        "contact": _write_contact(request.shipper),
        "product": _write_product(request, options),
        "account": account,
        "cashAmount": price.total_charge if price else None,
        "cashCurrency": price.currency if price else None,
        "bulkShipment": "N",
        "customControlled": "Y" if request.customs else "N",
        "termsOfPayment": parts.CATALOGUE.table("payers").get((request.payment or Payment()).paid_by),
        "totalNumberOfPieces": len(request.parcels),
        "pieceLine": [_write_line(at, parcel, request) for at, parcel in enumerate(request.parcels, 1)],
    }
    return {"consignment": [consignment]}


def _write_address(address: Address) -> Json:
    lines = dict(enumerate(wrap_lines(address.lines, LINE, LINES), 1))
    return {
        "name": cut_text(address.name, NAME),
        **{f"addressLine{at}": cut_text(lines.get(at), LINE) for at in range(1, LINES + 1)},
        "town": cut_text(address.city, NAME),
        "province": cut_text(address.state_code, LINE),
        "postcode": cut_text(address.postal_code, POSTCODE),
        "country": address.country_code,
    }


def _write_contact(address: Address) -> Json:
    return {
        "name": cut_text(address.person_name, LINE),
        "telephoneNumber": fit_phone(address.phone_number, LINE),
        "emailAddress": address.email or None,
    }


def _write_product(request: ShipmentRequest, options: RequestOptions) -> Json:
    at_home = request.shipper.country_code == request.recipient.country_code
    return {
        "lineOfBusiness": AT_HOME if at_home else ABROAD,
        "groupId": NO_GROUP,
        "subGroupId": NO_GROUP,
        "id": parts.CATALOGUE.services.code(request.service),
        "type": parts.contents_of(request),
        "option": [extra.code for extra in parts.extras_of(options)][:MOST_OPTIONS],
    }


def _write_line(at: int, parcel: Parcel, request: ShipmentRequest) -> Json:
    """A piece of its own; it is named by its reference, or what it holds."""
    codes = (item.sku or item.hs_code for item in parcel.items)
    name = parcel.reference_number or next((code for code in codes if code), None) or request.reference
    return {
        "identifier": at,
        "goodsDescription": cut_text(parts.describe(parcel), LINE),
        "barcodeForCustomer": "Y",
        "pieceMeasurements": parts.write_measures(parcel),
        "pieces": [{"sequenceNumbers": str(at), "pieceReference": name or str(at)}],
    }
