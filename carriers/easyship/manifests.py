"""Forms of Easyship that end the day of one courier. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import ManifestDetails


def read_manifest(form: Json, paper: bytes) -> ManifestDetails:
    """Errors: LookupError for a form without its file."""
    if not paper:
        raise LookupError("the file of the manifest is empty")
    return ManifestDetails(
        doc={"manifest": encode_file(paper)},
        meta={
            "courier_umbrella_name": form.get("courier_umbrella_name"),
            "courier_account_id": form.get("courier_account_id"),
            "manifest_url": form["document"]["url"],
            "reference": form.get("ref_number"),
            "manifest_id": form.get("id"),
        },
    )
