"""The form that ends the day. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import merge_files
from shipcli.models import ManifestDetails


def read_manifest(body: Json) -> ManifestDetails:
    """The manifests that were published, as one file.

    Errors: LookupError when there is none.
    """
    found = body["OutboundManifest"]
    numbers = [one["ManifestNumber"] for one in found]
    files = [one["ManifestContent"] for one in found if one.get("ManifestContent")]
    return ManifestDetails(
        doc=drop_empty({"manifest": merge_files(files) if files else None}),
        meta={
            "ManifestNumber": numbers[0],
            "ManifestNumbers": numbers,
            "ManifestConnotes": [number for one in found for number in one.get("ManifestedConnotes") or ()],
        },
    )
