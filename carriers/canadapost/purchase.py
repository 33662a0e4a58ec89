"""The flows of buying: order labels, find them again, take them back."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from carriers.canadapost import closing, shipments
from carriers.canadapost.catalogue import OPTIONS
from carriers.canadapost.wire import SHIPMENT
from shipcli.carrier import FIELD_ERROR, Call, CarrierError, Flow, Reply, ask_all
from shipcli.models import Label, ShipmentRequest

if TYPE_CHECKING:
    from carriers.canadapost import CanadaPost

PIN = r"\d{16}"  # identifiers of shipments have 18 digits
READ, WRITE = {"Accept": SHIPMENT}, {"Accept": SHIPMENT, "Content-Type": SHIPMENT}


def ship(post: CanadaPost, request: ShipmentRequest) -> Flow[Label]:
    """One order per parcel, all together; when one is refused the others are taken back."""
    parcels = post.checked(request.shipper, request.parcels)
    path, group = post.shipments_path(), _group(post, request)
    ids = _request_ids(post, len(parcels))
    form = shipments.label_form(request, post.config.label_type)
    orders = [
        shipments.write_shipment(post.payer(group), request, parcel, request_id, form)
        for parcel, request_id in zip(parcels, ids, strict=True)
    ]
    replies = yield from ask_all([Call("POST", path, xml=order, headers=WRITE) for order in orders])
    if not all(reply.ok for reply in replies):
        raise (yield from _undone(post, request, replies))
    sold = [shipments.read_sold(reply.xml) for reply in replies]
    return (yield from _label(post, sold, form.encoding, ids, group))


def recover(post: CanadaPost, request: ShipmentRequest) -> Flow[Label | None]:
    """The label bought before, found by its customer-request-id.

    A purchase of which only some parcels were bought is taken back and counts as not made.
    Source: Get Shipments (REST), query `requestId`.
    """
    ids = _request_ids(post, len(request.parcels))
    sold = yield from _bought(post, ids)
    if len(sold) < len(ids):
        if sold:
            yield from cancel(post, [one.id for one in sold], _email(request))
        return None
    group = yield from _group_of(sold[0])
    zpl = any("zpl" in link.media_type for link in sold[0].labels)
    return (yield from _label(post, sold, "ZPL" if zpl else "PDF", ids, group))


def _bought(post: CanadaPost, ids: Sequence[str]) -> Flow[list[shipments.Sold]]:
    """The shipments made under these request ids. Only an answer that says so means there is none."""
    path = post.shipments_path()
    found = yield from ask_all([Call("GET", path, query={"requestId": one}, headers=READ) for one in ids])
    if any(not reply.ok and not _unknown(post, reply) for reply in found):
        raise CarrierError()
    links = [link for reply in found if reply.ok for link in shipments.read_links(reply.xml, "shipment")]
    replies = yield from ask_all([follow(link) for link in links])
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    return [shipments.read_sold(reply.xml) for reply in replies]


def _unknown(post: CanadaPost, reply: Reply) -> bool:
    """Whether the carrier itself, no gateway on the way, says that there is no such thing."""
    return reply.status == 404 and bool(post.read_messages(reply))


def _group_of(sold: shipments.Sold) -> Flow[str | None]:
    if sold.transmitted or not sold.details:
        return None
    replies = yield from ask_all([follow(sold.details[0])])
    return closing.read_group(replies[0].xml) if replies[0].ok else None


def _request_ids(post: CanadaPost, count: int) -> list[str]:
    return [post.reference(at) for at in range(count)]


def _group(post: CanadaPost, request: ShipmentRequest) -> str | None:
    """The group a shipment waits in for its manifest; None when it is transmitted at once."""
    submit = post.config.transmit_shipment_by_default
    if request.options.get("canadapost_submit_shipment") not in (None, ""):
        submit = OPTIONS.value("canadapost_submit_shipment", request.options, False)
    if submit:
        return None
    return f"{post.today_at(request.shipper):%Y%m%d}-{post.context.carrier_id}"[:32]


def follow(link: shipments.Link) -> Call:
    """The call that fetches what a link offers."""
    return Call("GET", link.href, headers={"Accept": link.media_type})


def _label(
    post: CanadaPost, sold: Sequence[shipments.Sold], encoding: str, ids: Sequence[str], group: str | None
) -> Flow[Label]:
    """Fetch the files of bought shipments. An invoice that can't be had spoils nothing."""
    links = [link for one in sold for link in one.labels]
    papers = [link for one in sold for link in one.invoices]
    replies = yield from ask_all([follow(link) for link in [*links, *papers]])
    labels, invoices = replies[: len(links)], [one for one in replies[len(links) :] if one.ok]
    if not labels or not all(reply.ok for reply in labels):
        raise CarrierError()
    invoice = {"invoice": document(invoices, "PDF")} if invoices else {}
    return Label(
        tracking_number=sold[0].pin,
        shipment_identifier=sold[0].id,
        label_type=encoding,
        docs={"label": document(labels, encoding), **invoice},
        meta=_meta(post, sold, ids, group),
    )


def _meta(
    post: CanadaPost, sold: Sequence[shipments.Sold], ids: Sequence[str], group: str | None
) -> dict[str, Any]:
    several = {
        "tracking_numbers": [one.pin for one in sold],
        "shipment_identifiers": [one.id for one in sold],
    }
    return {
        "carrier_tracking_link": post.link(sold[0].pin),
        "customer_request_ids": list(ids),
        "manifest_required": group is not None,
        **({"group_id": group} if group else {}),
        **(several if len(sold) > 1 else {}),
    }


def document(replies: Sequence[Reply], kind: str) -> str:
    """One document as base64 text; several become one, in order."""
    contents = [reply.content for reply in replies]
    if len(contents) == 1:
        return base64.b64encode(contents[0]).decode()
    from shipcli.drawing import merge

    return base64.b64encode(merge(contents, kind)).decode()


# -- taking back -------------------------------------------------------------------------------


def _undone(post: CanadaPost, request: ShipmentRequest, replies: Sequence[Reply]) -> Flow[CarrierError]:
    """Take back the parcels of a half-bought shipment.

    Definite when nothing can be left at the carrier: every refusal was one, every bought parcel is cancelled.
    """
    refused = [reply for reply in replies if not reply.ok]
    messages = [message for reply in refused for message in post.read_messages(reply)]
    definite = all(reply.status < 500 for reply in refused)
    try:
        bought = [shipments.read_sold(reply.xml).id for reply in replies if reply.ok]
        if bought:
            yield from cancel(post, bought, _email(request))
    except (CarrierError, LookupError, ValueError):
        definite = False
    return CarrierError(*messages, definite=definite)


def _email(request: ShipmentRequest) -> str | None:
    return request.options.get("email") or request.shipper.email


def ids_of(post: CanadaPost, numbers: Sequence[str]) -> Flow[list[str]]:
    """The identifiers of shipments, looked up for those that are named by their tracking PIN.

    Source: Get Shipments (REST), query `trackingPIN`.
    Errors: CarrierError when the carrier knows of no shipment with such a PIN.
    """
    found = {one: one for one in numbers}
    for pin in (one for one in numbers if re.fullmatch(PIN, one)):
        reply = yield Call("GET", post.shipments_path(), query={"trackingPIN": pin}, headers=READ)
        links = shipments.read_links(reply.xml, "shipment")
        if not links:
            raise post.refuse("unknown_pin", f"Canada Post knows of no shipment with the PIN {pin}")
        found[pin] = links[0].href.rpartition("/")[2]
    return [found[one] for one in numbers]


def cancel(post: CanadaPost, ids: Sequence[str], email: str | None) -> Flow[None]:
    """Cancel shipments; parcels of a shipment that are gone already do not hinder the rest.

    Errors: CarrierError when one could not be cancelled.
    """
    calls = [Call("GET", post.shipments_path(f"/{one}"), headers=WRITE) for one in ids]
    found = yield from ask_all(calls)
    there = [(one, reply) for one, reply in zip(ids, found, strict=True) if reply.ok]
    if not there or any(not reply.ok and reply.status != 404 for reply in found):
        raise CarrierError()
    undo = [_undo(post, one, shipments.read_sold(reply.xml).transmitted, email) for one, reply in there]
    replies = yield from ask_all(undo)
    if not all(reply.ok for reply in replies):
        raise CarrierError()


def _undo(post: CanadaPost, shipment_id: str, transmitted: bool, email: str | None) -> Call:
    """A shipment that waits for its manifest is deleted; for a transmitted one a refund is requested."""
    if not transmitted:
        return Call("DELETE", post.shipments_path(f"/{shipment_id}"), headers=WRITE)
    if not email:
        problem = {"code": "required", "message": "The refund of a transmitted shipment needs an email"}
        raise post.refuse(FIELD_ERROR, "Invalid request payload", **{"options.email": problem})
    body = shipments.write_refund(email)
    return Call("POST", post.shipments_path(f"/{shipment_id}/refund"), xml=body, headers=WRITE)
