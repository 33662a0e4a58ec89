"""Labels of SAPIENT: one call for all packages of a shipment. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import holds_only_documents, join_words
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Label, Parcel, ShipmentRequest

from .customs import write_customs, write_items
from .parts import (
    CATALOGUE,
    carrier_of,
    kilograms,
    write_address,
    write_enhancements,
    write_package,
)

if TYPE_CHECKING:
    from . import Sapient

GOODS, SERVICE_LEVEL, POUNDS = 70, "02", "GBP"


def write_shipment(carrier: Sapient, request: ShipmentRequest, options: RequestOptions, day: str) -> Json:
    """Shapes: `options` are those of the whole request; `day` is an office day, YYYY-MM-DD."""
    parcels, sender, back = request.parcels, request.shipper, request.return_address
    formats = CATALOGUE.table("label_formats")
    body = {
        "ShipmentInformation": {
            "ContentType": "DOX" if holds_only_documents(parcels) else "NDX",
            "Action": "Process",
            "LabelFormat": formats.get(request.label_type or "PDF", "PDF"),
            "ServiceCode": _service_code(carrier, request.service),
            "DescriptionOfGoods": _describe(parcels)[:GOODS],
            "ShipmentDate": day,
            "CurrencyCode": name_declared_currency(request, options, POUNDS),
            "WeightUnitOfMeasure": "KG",
            "DimensionsUnitOfMeasure": "CM",
            "DeclaredWeight": sum(kilograms(parcel) for parcel in parcels),
        },
        "Shipper": {
            "Address": write_address(sender),
            "ShippingAccountId": carrier.account.shipping_account_id,
            "Reference1": request.reference,
            "VatNumber": sender.federal_tax_id or sender.state_tax_id,
        },
        "Destination": {
            "Address": write_address(request.recipient),
            "VatNumber": request.recipient.federal_tax_id or request.recipient.state_tax_id,
        },
        "CarrierSpecifics": {
            "ServiceLevel": carrier.config.service_level or SERVICE_LEVEL,
            "ServiceEnhancements": write_enhancements(options),
        },
        "ReturnToSender": {"Address": write_address(back)} if back else None,
        "Packages": [write_package(parcel, at, len(parcels)) for at, parcel in enumerate(parcels, 1)],
        "Items": write_items(request),
    }
    options.write(body, "ship")
    write_customs(body, request)
    written: Json = drop_empty(body)
    return written


def _service_code(carrier: Sapient, service: str) -> str:
    """The code of a service, which a level of the account may name; an unknown one stands for itself."""
    codes = (level.carrier_service_code for level in carrier.levels() if level.service_code == service)
    return next((code for code in codes if code), CATALOGUE.services.wire_code(service))


def _describe(parcels: Sequence[Parcel]) -> str:
    items = [item for parcel in parcels for item in parcel.items]
    described = [parcel.description for parcel in parcels]
    held = [item.description or item.title for item in items]
    return join_words(described, held) or "N/A"


# -- what was sold ---------------------------------------------------------------------------------


def read_shipment(body: Json, code: str) -> Label:
    """Shapes: one file for all packages; each package has the id of its shipment, and a number unless its
            service is not tracked.

    Errors: LookupError when no package is there.
    """
    packages = as_list(body["Packages"])
    ids = list(dict.fromkeys(package["ShipmentId"] for package in packages))
    numbers = [package.get("TrackingNumber") or package["ShipmentId"] for package in packages]
    kind = str(body.get("LabelFormat") or "PDF")
    first, file = packages[0], body.get("Labels")
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=ids[0],
        label_type="ZPL" if kind.startswith("ZPL") else kind,
        docs={"label": file} if file else {},
        meta=drop_empty(
            {
                "carrier_tracking_link": first.get("CarrierTrackingUrl") or first.get("TrackingUrl"),
                "rate_provider": carrier_of(code),
                "sapient_carrier_code": code,
                "sapient_shipment_id": ids[0],
                "shipment_ids": ids,
                "shipment_identifiers": ids if len(ids) > 1 else None,
                "tracking_numbers": numbers,
            }
        ),
    )
