"""Manifests: each shipment is told again as it was labelled, with its numbers. Pure.

Source: the carrier's sample Print message 2.5, document type Manifest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions
from shipcli.carrier.preparation.requests import prepare
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import merge_files
from shipcli.carrier.wire.rows import read_each
from shipcli.models import ManifestDetails, ManifestRequest, ShipmentRequest

from .parts import CATALOGUE, pickup_day
from .shipments import Numbers, read_files, write_days, write_print

if TYPE_CHECKING:
    from . import Tge


def write_manifests(carrier: Tge, request: ManifestRequest) -> list[Json]:
    """A message for each shipment.

    Errors: CarrierError for a shipment of which only the number is known: TGE wants all of it again.
    """
    options = RequestOptions(CATALOGUE.option_table("manifest_options"), request.options)
    shipments = {
        str(shipment.get("shipment_identifier")): shipment for shipment in options.items("shipments")
    }
    pairs = [(name, shipments.get(name) or {}) for name in request.shipment_identifiers]
    lacking = [name for name, stored in pairs if not (stored.get("meta") or {}).get("ShipmentIDs")]
    if lacking:
        raise carrier.refuse(
            "unknown_shipment", f"TGE lists what was labelled here: not {', '.join(lacking)}"
        )
    title = options.text("manifest_id")
    return [_write_manifest(carrier, stored, title, index) for index, (_, stored) in enumerate(pairs)]


def _write_manifest(carrier: Tge, stored: Json, title: str | None, index: int) -> Json:
    fields = {name: stored[name] for name in ShipmentRequest.model_fields if stored.get(name) is not None}
    shipment = prepare(ShipmentRequest.model_validate(fields), carrier)
    options, meta = carrier.options_of(shipment), stored["meta"]
    despatch = f"{pickup_day(carrier, shipment.shipper, options)}T{carrier.now:%H:%M:%S}.000Z"
    numbers = Numbers(meta["ShipmentIDs"], meta["SSCCs"])
    body = write_print(carrier, shipment, numbers, "Manifest", despatch, index)
    body["TollMessage"]["Print"] |= {
        "ManifestID": {"Value": title or numbers.shipments[0]},
        "DatePeriodCollection": {"DatePeriod": write_days(options, despatch)},
    }
    return body


def read_manifests(answers: Sequence[Json]) -> ManifestDetails:
    """The forms of all shipments as one.

    Errors: LookupError when there is none.
    """
    files = [file for group in read_each(answers, read_files) for file in group]
    if not files:
        raise LookupError("the answers hold no form")
    return ManifestDetails(doc={"manifest": merge_files(files)})
