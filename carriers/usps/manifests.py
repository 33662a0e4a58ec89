"""SCAN forms, which close the day. Pure."""

from __future__ import annotations

from shipcli.carrier import Option, RequestOptions
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import ManifestDetails, ManifestRequest

from .parts import split_zip, write_place, write_who


def write_scan_form(request: ManifestRequest, options: RequestOptions, mailing_date: str) -> Json:
    """The end-of-day form 5630 of labels."""
    address = request.address
    sender = {**write_place(address), **write_who(address), "state": address.state_code}
    body = {
        "form": "5630",
        "imageType": "PDF",
        "labelType": "8.5x11LABEL",
        "mailingDate": mailing_date,
        "overwriteMailingDate": _is_on(options, "usps_overwrite_mailing_date"),
        "entryFacilityZIPCode": split_zip(address.postal_code)[0],
        "destinationEntryFacilityType": options.text("usps_destination_entry_facility_type") or "NONE",
        "shipment": {"trackingNumbers": list(request.shipment_identifiers)},
        "fromAddress": {**sender, "ignoreBadAddress": _is_on(options, "usps_ignore_bad_address")},
    }
    return dict(drop_empty(body))


def _is_on(options: RequestOptions, name: str) -> bool:
    """An option of this form alone, which stands in no table."""
    return bool(Option(slug=name, code="").read(options.text(name) or False))


def read_scan_form(body: Json) -> ManifestDetails:
    facts = body.get("SCANFormMetaData") or body.get("SCANFormMetadata") or body
    names = ("manifestNumber", "trackingNumbers")
    meta = drop_empty({name: facts.get(name) for name in names})
    return ManifestDetails(doc={"manifest": body["SCANFormImage"]}, meta=meta)
