"""The flow of a manifest: transmit the groups of shipments, fetch the forms this makes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from carriers.canadapost import closing, shipments
from carriers.canadapost.purchase import READ, document, follow
from carriers.canadapost.wire import MANIFEST
from shipcli.carrier import Call, CarrierError, Flow, Reply, ask, ask_all
from shipcli.models import ManifestDetails, ManifestRequest

if TYPE_CHECKING:
    from carriers.canadapost import CanadaPost


LATELY = timedelta(days=7)  # how far back a manifest is looked for


def manifest(post: CanadaPost, request: ManifestRequest) -> Flow[ManifestDetails]:
    """Transmit the groups of the shipments, then fetch the manifests this makes."""
    groups = yield from _groups(post, request)
    if not groups:
        raise post.refuse("no_group", "None of these shipments waits for a manifest")
    media = {"Accept": MANIFEST, "Content-Type": MANIFEST}
    body = closing.write_manifest(request, groups)
    made = yield from ask(Call("POST", post.manifests_path(), xml=body, headers=media))
    links = shipments.read_links(made.xml, "manifest")
    manifests = yield from _fetch_all([follow(link) for link in links])
    form = yield from _form(manifests)
    meta = {"group_ids": groups, "links": [link.href for link in links]}
    return ManifestDetails(doc={"manifest": form}, meta=meta)


def recover(post: CanadaPost, request: ManifestRequest) -> Flow[ManifestDetails | None]:
    """The form of the lately made manifests that list any of these shipments.

    Source: Get Manifests (REST), by day; Get Manifest, link `manifestShipments`; Get Manifest Shipments.
    """
    since = post.today_at(request.address) - LATELY
    query, media = {"start": f"{since:%Y%m%d}"}, {"Accept": MANIFEST}
    listed = yield from ask(Call("GET", post.manifests_path(), query=query, headers=media))
    links = shipments.read_links(listed.xml, "manifest")
    manifests = yield from _fetch_all([follow(link) for link in links])
    named = [shipments.read_links(reply.xml, "manifestShipments") for reply in manifests]
    lists = yield from _fetch_all([follow(link) for some in named for link in some[:1]])
    wanted = set(request.shipment_identifiers)
    found = [at for at, reply in enumerate(lists) if wanted & _ids(reply)]
    if not found:
        return None
    form = yield from _form([manifests[at] for at in found])
    return ManifestDetails(doc={"manifest": form}, meta={"links": [links[at].href for at in found]})


def _ids(reply: Reply) -> set[str]:
    """The shipments that a list links to."""
    return {link.href.rpartition("/")[2] for link in shipments.read_links(reply.xml, "shipment")}


def _form(manifests: Sequence[Reply]) -> Flow[str]:
    """The papers of manifests, as one."""
    papers = [link for reply in manifests for link in shipments.read_links(reply.xml, "artifact")]
    files = yield from _fetch_all([follow(link) for link in papers])
    if not files:
        raise CarrierError()
    return document(files, "PDF")


def _fetch_all(calls: Sequence[Call]) -> Flow[list[Reply]]:
    """All of them, or none."""
    replies = yield from ask_all(list(calls))
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    return list(replies)


def _groups(post: CanadaPost, request: ManifestRequest) -> Flow[list[str]]:
    """The groups to transmit: as stated, else as kept with the shipments, else as the carrier says."""
    stated = closing.listed(request.options.get("group_ids"))
    if stated:
        return closing.unique(stated)
    known = closing.known_groups(request)
    asked = [one for one in request.shipment_identifiers if one not in known]
    calls = [Call("GET", post.shipments_path(f"/{one}/details"), headers=READ) for one in asked]
    replies = yield from _fetch_all(calls)
    found = (closing.read_group(reply.xml) for reply in replies)
    groups = known | dict(zip(asked, found, strict=True))
    return closing.unique(groups[one] for one in request.shipment_identifiers)
