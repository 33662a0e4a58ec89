"""Labels: draft, purchase, files, refund. EasyPost sells a label for each parcel and links to its file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import quote

from shipcli.carrier import (
    Bought,
    Call,
    CarrierError,
    Flow,
    Reply,
    ask_all,
    ask_strictly,
    buy_each,
    combine_labels,
    read_cost,
)
from shipcli.carrier.wire.json_paths import as_list
from shipcli.carrier.wire.label_files import encode_file, merge_papers
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.models import Label, Message, ShipmentRequest

from .parts import CATALOGUE, behind, measure
from .rates import find_rate, read_rate

if TYPE_CHECKING:
    from . import Easypost
INVOICE = "commercial_invoice"


def ship(carrier: Easypost, request: ShipmentRequest) -> Flow[Label]:
    """Buy all parcels or none; nothing is paid before every parcel has the service."""
    drafts = yield from ask_strictly(carrier.drafts(request, request.reference or carrier.reference()))
    pairs = zip(drafts, carrier.options_of_each(request), strict=True)
    calls = [_buy(carrier, reply, request.service, options.insurance()) for reply, options in pairs]
    looks = [_look(reply.json["id"]) for reply in drafts]
    sold = yield from buy_each(calls, read_sold, lambda label: refund(str(label.shipment_identifier)), looks)
    whole = combine_labels(sold)
    yield Bought(whole.tracking_number, whole.shipment_identifier, False, whole.selected_rate, whole.meta)
    return (yield from _add_files(carrier, sold))


def fetch_label(carrier: Easypost, bought: Bought) -> Flow[Label]:
    """The files of a shipment bought before; its links are asked for anew."""
    ids = bought.meta.get("shipment_identifiers") or [bought.shipment_identifier]
    replies = yield from ask_strictly([_look(str(identifier)) for identifier in ids])
    return (yield from _add_files(carrier, [read_sold(reply) for reply in replies]))


def _buy(carrier: Easypost, draft: Reply, service: str, insured: Decimal | None) -> Call:
    """The call that pays, and insures a parcel.

    Errors: CarrierError when the service is not among the rates, with what was said of it.
    """
    rate = find_rate(draft.json, service)
    if rate is None:
        messages = carrier.read_messages(draft)
        missing = Message(code="no_rate", message=f"EasyPost has no rate of {service} for this shipment")
        raise CarrierError(missing, *messages, definite=True)
    body = {"rate": {"id": rate["id"]}, **({"insurance": measure(insured)} if insured else {})}
    return Call("POST", f"{_path(draft.json['id'])}/buy", json=body)


def _look(identifier: str) -> Call:
    """Show a shipment; what was said of it before (a refund that was rejected) is no refusal now."""
    return Call("GET", _path(identifier), partial=True)


def _path(identifier: str) -> str:
    return f"/shipments/{quote(identifier, safe='.')}"


def read_sold(reply: Reply) -> Label:
    """A bought shipment without its files.

    Shapes: a service without tracking has no tracking code: the shipment's id names it.
    Errors: LookupError for a shipment that is not bought.
    """
    shipment = reply.json
    paper, rate = shipment.get("postage_label"), shipment.get("selected_rate")
    if not paper or not rate:
        raise LookupError("the shipment is not bought")
    forms = {form.get("form_type"): form.get("form_url") for form in as_list(shipment.get("forms"))}
    tracker = shipment.get("tracker") or {}
    extras = {
        "tracker_id": tracker.get("id"),
        "invoice_url": forms.get(INVOICE),
        "fees": shipment.get("fees"),
    }
    return Label(
        tracking_number=shipment.get("tracking_code") or shipment["id"],
        shipment_identifier=shipment["id"],
        label_type=CATALOGUE.table("label_types").get(str(paper.get("label_file_type")), "PDF"),
        selected_rate=read_cost(read_rate, rate),
        meta={
            "carrier_tracking_link": tracker.get("public_url"),
            **(read_or_skip(behind, rate) or {}),
            "label_url": paper.get("label_url"),
            **{name: value for name, value in extras.items() if value},
        },
    )


def _add_files(carrier: Easypost, sold: Sequence[Label]) -> Flow[Label]:
    """The labels with their files, as one. The links lead to a storage host, which is told no credentials.

    Errors: CarrierError when a label can't be had; an invoice that can't be had spoils nothing.
    """
    labels, invoices = _links(sold, "label_url"), _links(sold, "invoice_url")
    if len(labels) < len(sold):
        raise carrier.refuse("no_label_yet", "EasyPost has not drawn the label yet")
    replies = yield from ask_all([Call("GET", link, file=True) for link in [*labels, *invoices]])
    files, papers = replies[: len(labels)], [reply for reply in replies[len(labels) :] if reply.ok]
    if not all(reply.ok for reply in files):
        raise CarrierError()
    whole = [
        label.model_copy(update={"docs": {"label": encode_file(file.content)}})
        for label, file in zip(sold, files, strict=True)
    ]
    label = combine_labels(whole)
    invoice = merge_papers({"invoice": [encode_file(paper.content) for paper in papers]})
    return label.model_copy(update={"docs": {**label.docs, **invoice}})


def _links(sold: Sequence[Label], name: str) -> list[str]:
    return [str(link) for label in sold if (link := label.meta.get(name))]


def refund(identifier: str) -> Call:
    """Take a label back; of one that is billed when it is scanned nothing is refunded, and it is gone too."""
    return Call("POST", f"{_path(identifier)}/refund")
