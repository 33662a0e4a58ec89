"""Labels: the order of one parcel, what is known of it, and the flows that buy, find and take back.

Source: shipment.xsd (v8); Create Shipment, Get Shipments, Void and Refund Shipment (REST).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier import (
    FIELD_ERROR,
    Bought,
    Call,
    CarrierError,
    Flow,
    Reply,
    RequestOptions,
    ask_all,
    ask_strictly,
    buy_each,
    combine_labels,
    make_label,
    read_cost,
)
from shipcli.carrier.wire.address_parts import cut_text, fit_email
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, element, every, find, first, require
from shipcli.models import Address, Confirmation, Invalid, Label, Parcel, Payment, ShipmentRequest

from . import parts, rates
from .customs import write_customs
from .documents import Paper, fetch_papers, follow, read_links, read_papers

if TYPE_CHECKING:
    from . import CanadaPost

SPACE = "http://www.canadapost.ca/ws/shipment-v8"
RETURN_SPACE = "http://www.canadapost.ca/ws/authreturn-v2"
READ, WRITE = {"Accept": parts.SHIPMENT}, parts.media(parts.SHIPMENT)
PIN = r"\d{16}"  # identifiers of shipments have 18 digits
COST_CENTRE, REFERENCE, GROUP = 30, 35, 32
SHEET, TRANSMITTED = "PDF_4x6", "transmitted"
PAPERS = "papers"  # in the `meta` of one parcel: where its label and its invoice are


def write_shipment(
    payer: parts.Payer,
    request: ShipmentRequest,
    parcel: Parcel,
    options: RequestOptions,
    *,
    key: str,
    group: str | None,
    sheet: Json,
) -> Element:
    """The order of one label: `key` finds it again, without a `group` it is transmitted at once."""
    body = {
        "customer-request-id": key,
        "group-id": group,
        "transmit-shipment": "" if group is None else None,
        "requested-shipping-point": parts.postal_code(request.shipper.postal_code),
        "expected-mailing-date": options.ship_date(),
        "provide-pricing-info": True,
        "delivery-spec": _delivery(payer, request, parcel, options) | {"print-preferences": sheet},
    }
    return element("shipment", body, SPACE)


def _delivery(payer: parts.Payer, request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    abroad = request.recipient.country_code not in (None, parts.CANADA)
    cost_centre = options.text("canadapost_cost_center") or payer.cost_centre or request.reference
    references = {
        "cost-centre": cut_text(cost_centre, COST_CENTRE),
        "customer-ref-1": cut_text(request.reference, REFERENCE),
    }
    return {
        "service-code": parts.CATALOGUE.services.code(request.service),
        "sender": parts.write_sender(request.shipper),
        "destination": parts.write_addressee(request.recipient),
        "options": parts.write_options(options, abroad=abroad),
        "parcel-characteristics": parts.write_parcel(parcel),
        "notification": parts.write_notification(options),
        "preferences": parts.CATALOGUE.table("preferences"),
        "references": references,
        "customs": write_customs(request, parcel, options),
        "settlement-info": parts.write_settlement(payer, request.payment or Payment()),
    }


def read_shipment(post: CanadaPost, root: Element, group: str | None = None) -> Label:
    """One parcel's label without its file; `meta` says where that is.

    Errors: LookupError when the answer holds no shipment.
    """
    info = first(root, "shipment-info")
    number = require(info, "shipment-id")
    pin, price = find(info, "tracking-pin") or number, info.find("shipment-price")
    read, name = rates.read_price, post.context.carrier_id
    paid = None if price is None else read_cost(read, price, rates.PAID, name)
    waits = find(info, "shipment-status") != TRANSMITTED
    return Label(
        tracking_number=pin,
        shipment_identifier=number,
        selected_rate=paid,
        meta={
            "manifest_required": waits,
            **({"group_id": group} if group and waits else {}),
            PAPERS: read_papers(info),
        },
    )


def read_group(root: Element) -> str | None:
    """The group a shipment waits in, from its details."""
    return next((node.text.strip() for node in every(root, "group-id") if node.text), None)


def _together(parcels: Sequence[Label], keys: Sequence[str]) -> tuple[Bought, list[Paper]]:
    """The shipment of the parcels bought under these keys, and where their papers are."""
    whole = combine_labels(parcels)
    papers = [paper for label in parcels for paper in label.meta[PAPERS]]
    meta = {name: value for name, value in whole.meta.items() if name != PAPERS}
    meta["customer_request_ids"] = list(keys)
    number, identifier = whole.tracking_number, whole.shipment_identifier
    return Bought(number, identifier, selected_rate=whole.selected_rate, meta=meta), papers


def ship(post: CanadaPost, request: ShipmentRequest) -> Flow[Label]:
    """One order per parcel, all together; when one is refused the others are taken back."""
    path, group = post.shipments_path(), _group(post, request)
    label_types = request.label_type, post.config.label_type
    sheet = parts.CATALOGUE.choose("label_sheets", *label_types, usual=SHEET)
    calls, keys = [], _keys(post, request)
    for key, parcel, options in zip(keys, request.parcels, post.options_of_each(request), strict=True):
        order = write_shipment(post.payer, request, parcel, options, key=key, group=group, sheet=sheet)
        calls.append(Call("POST", path, xml=order, headers=WRITE))
    email = _email(post, request)
    parcels = yield from buy_each(
        calls,
        lambda reply: read_shipment(post, reply.xml, group),
        lambda label: _undo(post, label, email),
    )
    bought, papers = _together(parcels, keys)
    yield bought
    return (yield from _complete(bought, papers))


def _keys(post: CanadaPost, request: ShipmentRequest) -> list[str]:
    return [post.reference(at) for at in range(len(request.parcels))]


def _group(post: CanadaPost, request: ShipmentRequest) -> str | None:
    """The group a shipment waits in for its manifest; None when it is transmitted at once."""
    usual = bool(post.config.transmit_shipment_by_default)
    if post.options_of(request).flag("canadapost_submit_shipment", default=usual):
        return None
    return f"{post.today_at(request.shipper):%Y%m%d}-{post.context.carrier_id}"[:GROUP]


def _email(post: CanadaPost, request: ShipmentRequest) -> str | None:
    return post.options_of(request).text("email") or request.shipper.email


def _complete(bought: Bought, papers: Sequence[Paper]) -> Flow[Label]:
    """The label of a bought shipment, with its files."""
    kind, files = yield from fetch_papers(papers)
    return make_label(bought, kind, files)


def fetch_label(post: CanadaPost, bought: Bought) -> Flow[Label]:
    """The label of a shipment whose number is known: asked for anew, links and all."""
    meta: dict[str, Any] = dict(bought.meta)
    if papers := meta.get(PAPERS):  # of a return, which can't be asked for again
        return (yield from _complete(bought, papers))
    ids = meta.get("shipment_identifiers") or [bought.shipment_identifier]
    calls = [Call("GET", post.shipments_path(f"/{identifier}"), headers=READ) for identifier in ids]
    replies = yield from ask_strictly(calls)
    papers = [paper for reply in replies for paper in read_shipment(post, reply.xml).meta[PAPERS]]
    return (yield from _complete(bought, papers))


def recover(post: CanadaPost, request: ShipmentRequest) -> Flow[Label | None]:
    """The label bought before, found by its customer-request-id.

    A purchase of which only some parcels were bought is taken back and counts as not made.
    Source: Get Shipments (REST), query `requestId`. Errors: CarrierError for a return, which has none.
    """
    if post.options_of(request).flag("is_return"):
        raise CarrierError()
    keys = _keys(post, request)
    parcels = yield from _find(post, keys)
    if parcels and len(parcels) < len(keys):
        yield from cancel(
            post, [str(parcel.shipment_identifier) for parcel in parcels], _email(post, request)
        )
    if len(parcels) < len(keys):
        return None
    bought, papers = _together(parcels, keys)
    return (yield from _complete(bought, papers))


def _find(post: CanadaPost, keys: Sequence[str]) -> Flow[list[Label]]:
    """The shipments made under these keys. Only an answer that says so means there is none."""
    path = post.shipments_path()
    answers = yield from ask_all([Call("GET", path, query={"requestId": key}, headers=READ) for key in keys])
    if any(not reply.ok and not post.is_unknown(reply) for reply in answers):
        raise CarrierError()
    links = [link for reply in answers if reply.ok for link in read_links(reply.xml, "shipment")]
    replies = yield from ask_strictly([follow(link) for link in links])
    group = (yield from _group_of(replies[0])) if replies else None
    return [read_shipment(post, reply.xml, group) for reply in replies]


def _group_of(reply: Reply) -> Flow[str | None]:
    """The group that a shipment waits in, from its details; nothing where they can't be had."""
    if find(reply.xml, "shipment-status") == TRANSMITTED:
        return None
    details = yield from ask_all([follow(link) for link in read_links(reply.xml, "details")])
    return next((read_group(detail.xml) for detail in details if detail.ok), None)


def void(post: CanadaPost, numbers: Iterable[str], email: str | None) -> Flow[Confirmation]:
    """Shipments that wait for their manifest are deleted, transmitted ones refunded."""
    ids = yield from _identify(post, list(dict.fromkeys(numbers)))
    yield from cancel(post, ids, email)
    return Confirmation(success=True, operation="Cancel Shipment")


def _identify(post: CanadaPost, numbers: Sequence[str]) -> Flow[list[str]]:
    """The identifiers of shipments, looked up for those that are named by their tracking PIN.

    Source: Get Shipments (REST), query `trackingPIN`.
    Errors: CarrierError when the carrier knows of no shipment with such a PIN.
    """
    identifiers = {number: number for number in numbers}
    for pin in (number for number in numbers if re.fullmatch(PIN, number)):
        reply = yield Call("GET", post.shipments_path(), query={"trackingPIN": pin}, headers=READ)
        links = read_links(reply.xml, "shipment")
        if not links:
            raise post.refuse("unknown_pin", f"Canada Post knows of no shipment with the PIN {pin}")
        identifiers[pin] = links[0].name
    return [identifiers[number] for number in numbers]


def cancel(post: CanadaPost, ids: Sequence[str], email: str | None) -> Flow[None]:
    """Cancel shipments; those that are gone already do not hinder the rest.

    Errors: CarrierError when one could not be cancelled.
    """
    calls = [Call("GET", post.shipments_path(f"/{identifier}"), headers=WRITE) for identifier in ids]
    replies = yield from ask_all(calls)
    there = [reply for reply in replies if reply.ok]
    if not there or any(not reply.ok and reply.status != 404 for reply in replies):
        raise CarrierError()
    yield from ask_strictly([_undo(post, read_shipment(post, reply.xml), email) for reply in there])


def _undo(post: CanadaPost, label: Label, email: str | None) -> Call:
    """A shipment that waits for its manifest is deleted; for a transmitted one a refund is requested."""
    path = post.shipments_path(f"/{label.shipment_identifier}")
    if label.meta["manifest_required"]:
        return Call("DELETE", path, headers=WRITE)
    if not email:
        problem = {"code": "required", "message": "The refund of a transmitted shipment needs an email"}
        raise post.refuse(FIELD_ERROR, "Invalid request payload", **{"options.email": problem})
    refund = element("shipment-refund-request", {"email": email}, SPACE)
    return Call("POST", f"{path}/refund", xml=refund, headers=WRITE)


# -- returns ---------------------------------------------------------------------------------------


def write_return(
    payer: parts.Payer, request: ShipmentRequest, parcel: Parcel, options: RequestOptions, sheet: Json
) -> Element:
    """The order of a return label inside Canada.

    Source: AuthorizedReturnType of authreturn.xsd.
    """
    cost_centre = options.text("canadapost_cost_center") or payer.cost_centre
    receiver = request.recipient
    body = {
        "service-code": parts.CATALOGUE.services.code(request.service),
        "returner": _write_returner(request.shipper, "shipper"),
        "receiver": {
            **_write_returner(receiver, "recipient"),
            "email": fit_email(receiver.email, parts.EMAIL),
            "receiver-voice-number": receiver.phone_number and parts.phone(receiver),
        },
        "parcel-characteristics": parts.write_parcel(parcel),
        "print-preferences": sheet,
        "settlement-info": {"paid-by-customer": payer.customer, "contract-id": payer.contract},
        "references": {
            "customer-ref-1": cut_text(request.reference, REFERENCE),
            "customer-ref-2": cut_text(cost_centre, REFERENCE),
        },
    }
    return element("authorized-return", body, RETURN_SPACE)


def _write_returner(address: Address, side: str) -> Json:
    """Errors: Invalid for an address outside Canada, or one that lacks its province or postal code."""
    if (address.country_code or parts.CANADA) != parts.CANADA:
        raise Invalid(f"{side}.country_code", "Canada Post sells return labels inside Canada only")
    place = parts.write_address(address, side)
    province, code = place.pop("prov-state"), place.pop("postal-zip-code")
    del place["country-code"]
    company = cut_text((address.company_name or "").strip(), parts.LINE) or None
    person = cut_text((address.person_name or "").strip(), parts.LINE) or company
    for name, value in (
        ("person_name", person),
        ("state_code", province),
        ("postal_code", code),
        ("city", place["city"]),
    ):
        if not value:
            raise Invalid(f"{side}.{name}", "Canada Post needs it for a return")
    return {
        "name": person,
        "company": company,
        "domestic-address": {**place, "province": province, "postal-code": code},
    }


def ship_return(post: CanadaPost, request: ShipmentRequest) -> Flow[Label]:
    """A return label, which is billed when it is scanned; one that is not used costs nothing."""
    label_types = request.label_type, post.config.label_type
    sheet = parts.CATALOGUE.choose("label_sheets", *label_types, usual=SHEET)
    (options,) = post.options_of_each(request)
    order = write_return(post.payer, request, request.parcels[0], options, sheet)
    path = post.shipments_path().replace("/shipment", "/authorizedreturn")
    reply = yield from post.ask("POST", path, xml=order, headers=parts.media(parts.RETURN))
    info = first(reply.xml, "authorized-return-info")
    pin = require(info, "tracking-pin")
    papers = [["label", *link] for link in read_links(info, "returnLabel")]
    bought = Bought(pin, pin, meta={"manifest_required": False, PAPERS: papers})
    yield bought
    return (yield from _complete(bought, papers))
