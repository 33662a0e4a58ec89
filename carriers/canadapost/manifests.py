"""Manifests: transmit the groups that shipments wait in, and find the forms of a day again.

Source: manifest.xsd (v8); Transmit Shipments, Get Manifests, Get Manifest, Get Manifest Shipments (REST).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from shipcli.carrier import Call, CarrierError, Flow, Reply, ask_strictly
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, element
from shipcli.models import Address, ManifestDetails, ManifestRequest

from . import parts
from .documents import follow, merge_replies, read_links
from .shipments import READ, read_group

if TYPE_CHECKING:
    from . import CanadaPost

SPACE = "http://www.canadapost.ca/ws/manifest-v8"
LATELY = timedelta(days=7)  # how far back a manifest is looked for
REFERENCE, ACCOUNT = 12, "Account"
NUMBERS = ("tracking_number", "shipment_identifier", "id")


def write_manifest(request: ManifestRequest, groups: Sequence[str]) -> Element:
    """The order to transmit groups of shipments and to make their manifests."""
    options = parts.desk_options(request)
    excluded = options.items("excluded_shipments")
    point = options.text("requested_shipping_point") or request.address.postal_code
    body = {
        "group-ids": {"group-id": list(groups)},
        "cpc-pickup-indicator": options.flag("cpc_pickup_indicator") or None,
        "requested-shipping-point": parts.postal_code(point),
        "shipping-point-id": options.text("shipping_point_id"),
        "detailed-manifests": options.flag("detailed_manifests", default=True),
        "method-of-payment": options.text("method_of_payment") or ACCOUNT,
        "manifest-address": _manifest_address(request.address),
        "customer-reference": cut_text(request.reference, REFERENCE),
        "excluded-shipments": {"shipment-id": excluded} if excluded else None,
    }
    return element("transmit-set", body, SPACE)


def _manifest_address(address: Address) -> Json:
    contact = address.person_name or address.company_name
    return {
        "manifest-company": cut_text(address.company_name or contact, parts.LINE) or "N/A",
        "manifest-name": cut_text(contact, parts.LINE),
        "phone-number": parts.phone(address),
        "address-details": parts.write_address(address, "address"),
    }


def manifest(post: CanadaPost, request: ManifestRequest) -> Flow[ManifestDetails]:
    """Transmit the groups of the shipments, then fetch the manifests this makes."""
    groups = yield from _groups(post, request)
    if not groups:
        raise post.refuse("no_group", "None of these shipments waits for a manifest")
    body = write_manifest(request, groups)
    made = yield from post.ask("POST", post.manifests_path(), xml=body, headers=parts.media(parts.MANIFEST))
    links = read_links(made.xml, "manifest")
    manifests = yield from ask_strictly([follow(link) for link in links])
    form = yield from _form(manifests)
    meta = {"group_ids": groups, "links": [link.href for link in links]}
    return ManifestDetails(doc={"manifest": form}, meta=meta)


def _groups(post: CanadaPost, request: ManifestRequest) -> Flow[list[str]]:
    """The groups to transmit: as stated, else as kept with the shipments, else as the carrier says."""
    if stated := parts.desk_options(request).items("group_ids"):
        return _unique(stated)
    stored = _known_groups(request)
    missing = [identifier for identifier in request.shipment_identifiers if identifier not in stored]
    calls = [
        Call("GET", post.shipments_path(f"/{identifier}/details"), headers=READ) for identifier in missing
    ]
    replies = yield from ask_strictly(calls)
    fetched = (read_group(reply.xml) for reply in replies)
    groups = stored | dict(zip(missing, fetched, strict=True))
    return _unique(groups[identifier] for identifier in request.shipment_identifiers)


def _known_groups(request: ManifestRequest) -> dict[str, str | None]:
    """The group of each identifier that the request itself tells of; None for one that is in no group."""
    groups: dict[str, str | None] = {}
    for shipment in parts.desk_options(request).items("shipments"):
        group = (shipment.get("meta") or {}).get("group_id")
        groups.update({str(shipment[name]): group for name in NUMBERS if shipment.get(name)})
    return groups


def _unique(values: Iterable[str | None]) -> list[str]:
    """What is there, once each, in order."""
    return list(dict.fromkeys(value for value in values if value))


def _form(manifests: Sequence[Reply]) -> Flow[str]:
    """The papers of manifests, as one."""
    papers = [link for reply in manifests for link in read_links(reply.xml, "artifact")]
    files = yield from ask_strictly([follow(link, file=True) for link in papers])
    if not files:
        raise CarrierError()
    return merge_replies(files, "PDF")


def recover(post: CanadaPost, request: ManifestRequest) -> Flow[ManifestDetails | None]:
    """The form of the lately made manifests that list any of these shipments."""
    since = post.today_at(request.address) - LATELY
    query, headers = {"start": f"{since:%Y%m%d}"}, {"Accept": parts.MANIFEST}
    listed = yield from post.ask("GET", post.manifests_path(), query=query, headers=headers)
    links = read_links(listed.xml, "manifest")
    manifests = yield from ask_strictly([follow(link) for link in links])
    named = [read_links(reply.xml, "manifestShipments") for reply in manifests]
    lists = yield from ask_strictly([follow(link) for some in named for link in some[:1]])
    identifiers = set(request.shipment_identifiers)
    positions = [at for at, reply in enumerate(lists) if identifiers & _ids(reply)]
    if not positions:
        return None
    form = yield from _form([manifests[at] for at in positions])
    return ManifestDetails(doc={"manifest": form}, meta={"links": [links[at].href for at in positions]})


def _ids(reply: Reply) -> set[str]:
    """The shipments that a list links to."""
    return {link.name for link in read_links(reply.xml, "shipment")}
