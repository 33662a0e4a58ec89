"""The flow of a manifest: transmit the groups of shipments, fetch the forms this makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carriers.canadapost import closing, shipments
from carriers.canadapost.purchase import READ, document, follow
from carriers.canadapost.wire import MANIFEST
from shipcli.carrier import Call, CarrierError, Flow, ask, ask_all
from shipcli.models import ManifestDetails, ManifestRequest

if TYPE_CHECKING:
    from carriers.canadapost import CanadaPost


def manifest(post: CanadaPost, request: ManifestRequest) -> Flow[ManifestDetails]:
    """Transmit the groups of the shipments, then fetch the manifests this makes."""
    groups = yield from _groups(post, request)
    if not groups:
        raise post.refuse("no_group", "None of these shipments waits for a manifest")
    media = {"Accept": MANIFEST, "Content-Type": MANIFEST}
    body = closing.write_manifest(request, groups)
    made = yield from ask(Call("POST", post.manifests_path(), xml=body, headers=media))
    links = shipments.read_links(made.xml, "manifest")
    manifests = yield from ask_all([follow(link) for link in links])
    read = [reply for reply in manifests if reply.ok]
    papers = [link for reply in read for link in shipments.read_links(reply.xml, "artifact")]
    files = yield from ask_all([follow(link) for link in papers])
    if not files or not all(reply.ok for reply in [*manifests, *files]):
        raise CarrierError()
    meta = {"group_ids": groups, "links": [link.href for link in links]}
    return ManifestDetails(doc={"manifest": document(files, "PDF")}, meta=meta)


def _groups(post: CanadaPost, request: ManifestRequest) -> Flow[list[str]]:
    """The groups to transmit: as stated, else as kept with the shipments, else as the carrier says."""
    stated = closing.listed(request.options.get("group_ids"))
    if stated:
        return closing.unique(stated)
    known = closing.known_groups(request)
    asked = [one for one in request.shipment_identifiers if one not in known]
    calls = [Call("GET", post.shipments_path(f"/{one}/details"), headers=READ) for one in asked]
    replies = yield from ask_all(calls)
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    found = (closing.read_group(reply.xml) for reply in replies)
    groups = known | dict(zip(asked, found, strict=True))
    return closing.unique(groups[one] for one in request.shipment_identifiers)
