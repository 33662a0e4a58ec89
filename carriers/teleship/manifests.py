"""End-of-day forms of Teleship, which have no paper. Pure.

Shapes: the address of a form is flat, unlike all others.
"""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import ManifestDetails, ManifestRequest

from .parts import CATALOGUE, write_place


def write_manifest(request: ManifestRequest) -> Json:
    body = {
        "shipmentIds": list(request.shipment_identifiers),
        "reference": request.reference,
        "address": write_place(request.address) if request.address else None,
    }
    return dict(drop_empty(body))


def read_manifest(body: Json) -> ManifestDetails:
    """Errors: LookupError for an answer that names no form."""
    meta = {name: body.get(key) for name, key in CATALOGUE.table("manifest_meta").items()}
    return ManifestDetails(meta={"id": body["id"], **drop_empty(meta)})
