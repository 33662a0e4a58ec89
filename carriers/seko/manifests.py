"""The form that ends the day. Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import merge_files
from shipcli.carrier.wire.rows import read_each
from shipcli.models import ManifestDetails


def read_manifest(body: Json) -> ManifestDetails:
    """The manifests that were published, as one file.

    Errors: LookupError when there is none.
    """
    manifests = body["OutboundManifest"]
    numbers = read_each(manifests, lambda row: row["ManifestNumber"])
    files = [file for file in read_each(manifests, lambda row: row.get("ManifestContent")) if file]
    if not numbers and not files:
        raise LookupError("the answer holds no manifest")
    groups = read_each(manifests, lambda row: list(row.get("ManifestedConnotes") or ()))
    return ManifestDetails(
        doc=drop_empty({"manifest": merge_files(files) if files else None}),
        meta={
            "ManifestNumber": next(iter(numbers), None),
            "ManifestNumbers": numbers,
            "ManifestConnotes": [number for group in groups for number in group],
        },
    )
