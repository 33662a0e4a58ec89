"""The end of the day of FedEx Ground: its parcels are closed together, and reported on a form. Pure.

A close takes all open Ground parcels of the account, whichever are named; FedEx Ground carries Ground Economy
as well. Source: Ship API 1.0.0, endofday.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.label_files import decode_file, merge_files
from shipcli.models import ManifestDetails, ManifestRequest

from .parts import CATALOGUE

OPTIONS = CATALOGUE.option_table("manifest_options")
CLOSE, REPRINT, GROUND, FORM = "GCDR", "RGCDR", "GROUND", "MANIFEST"
GROUND_SERVICES = frozenset(CATALOGUE.table("ground_services"))
PDF = b"%PDF"


def list_ground(request: ManifestRequest) -> list[str]:
    """The numbers that a close is for: those of Ground, and those of which nobody says the service."""
    services = {
        str(shipment.get("shipment_identifier")): shipment.get("service")
        for shipment in RequestOptions(OPTIONS, request.options).items("shipments")
    }
    return [
        number
        for number in request.shipment_identifiers
        if services.get(number) is None or services[number] in GROUND_SERVICES
    ]


def write_close(account: str | None, day: str) -> Json:
    return {
        "closeReqType": CLOSE,
        "accountNumber": {"value": account},
        "groundServiceCategory": GROUND,
        "closeDate": day,
        "closeDocumentSpecification": {"closeDocumentTypes": [FORM]},
    }


def write_reprint(account: str | None, day: str, number: str) -> Json:
    """The reports of the close that a parcel was in."""
    return {
        "closeReqType": REPRINT,
        "accountNumber": {"value": account},
        "groundServiceCategory": GROUND,
        "closeDate": day,
        "trackingNumber": number,
        "reprintOption": "BY_TRACKING_NUMBER",
        "closeDocumentSpecification": {"closeDocumentTypes": [FORM]},
    }


def read_close(body: Json) -> ManifestDetails:
    """The form, where it is a PDF; without one the form is drawn here.

    Errors: LookupError for an answer without output.
    """
    documents = [row for row in as_list(body["output"].get("closeDocuments")) if row.get("type") == FORM]
    images = [part.get("image") for row in documents for part in as_list(row.get("parts"))]
    files = [image for image in images if image and (decode_file(image) or b"").startswith(PDF)]
    return ManifestDetails(doc={"manifest": merge_files(files)} if files else {})
