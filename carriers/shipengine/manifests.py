"""End-of-day forms of ShipEngine: one for each carrier of the labels that are closed. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): create_manifest.
"""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file, merge_files
from shipcli.models import ManifestDetails


def list_manifests(body: Json) -> list[Json]:
    """Errors: LookupError for an answer without a form."""
    rows = as_list(body.get("manifests")) or ([body] if body.get("manifest_id") else [])
    if not rows:
        raise LookupError("the answer holds no manifest")
    return rows


def list_links(body: Json) -> list[str]:
    links = (get_path(row, "manifest_download/href") for row in list_manifests(body))
    return [str(link) for link in links if link]


def read_manifest(body: Json, papers: Sequence[bytes]) -> ManifestDetails:
    rows = list_manifests(body)
    files = [encode_file(paper) for paper in papers]
    meta = {"id": rows[0]["manifest_id"], "manifest_ids": [row["manifest_id"] for row in rows]}
    return ManifestDetails(doc={"manifest": merge_files(files)} if files else {}, meta=meta)
