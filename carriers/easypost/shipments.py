"""Labels: draft, purchase, files, refund. EasyPost sells a label for each parcel and links to its file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING
from urllib.parse import quote

from carriers.easypost.parts import CATALOGUE, HUNDREDTH, behind
from carriers.easypost.rates import find_rate, read_rate
from shipcli.carrier import Bought, Call, CarrierError, Flow, Reply, ask_all, buy_each, combine_labels
from shipcli.carrier.json_paths import Json, as_list
from shipcli.carrier.label_files import encode_file
from shipcli.models import Confirmation, Label, Message, ShipmentRequest

if TYPE_CHECKING:
    from carriers.easypost import Easypost

# A label that is billed when it is scanned has nothing to be refunded. Source: EasyPost API, refund_status.
REFUNDED = frozenset({"submitted", "refunded", "not_applicable"})
INVOICE = "commercial_invoice"


# -- buying ----------------------------------------------------------------------------------------


def ship(carrier: Easypost, request: ShipmentRequest) -> Flow[Label]:
    """Buy all parcels or none; nothing is paid before every parcel has the service."""
    drafts = yield from ask_all(carrier.drafts(request, request.reference or carrier.reference()))
    if not all(reply.ok for reply in drafts):
        raise CarrierError(definite=True)
    insurance = carrier.options_of(request).insurance()
    calls = [_buy(carrier, reply, request.service, _share(insurance, len(drafts))) for reply in drafts]
    looks = [_look(reply.json["id"]) for reply in drafts]
    sold = yield from buy_each(calls, _read_reply, lambda one: refund(str(one.shipment_identifier)), looks)
    whole = combine_labels(sold)
    yield Bought(whole.tracking_number, whole.shipment_identifier, False, whole.selected_rate, whole.meta)
    return (yield from _add_files(carrier, sold))


def fetch_label(carrier: Easypost, bought: Bought) -> Flow[Label]:
    """The files of a shipment bought before; its links are asked for anew."""
    ids = bought.meta.get("shipment_identifiers") or [bought.shipment_identifier]
    replies = yield from ask_all([_look(str(one)) for one in ids])
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    return (yield from _add_files(carrier, [_read_reply(reply) for reply in replies]))


def _buy(carrier: Easypost, draft: Reply, service: str, insurance: Decimal | None) -> Call:
    """The call that pays.

    Errors: CarrierError when the service is not among the rates, with what was said of it.
    """
    rate = find_rate(draft.json, service)
    if rate is None:
        said = carrier.read_messages(draft)
        missing = Message(code="no_rate", message=f"EasyPost has no rate of {service} for this shipment")
        raise CarrierError(missing, *said, definite=True)
    body = {"rate": {"id": rate["id"]}, **({"insurance": insurance} if insurance else {})}
    return Call("POST", f"{_path(draft.json['id'])}/buy", json=body)


def _share(amount: Decimal | None, count: int) -> Decimal | None:
    """What each parcel is insured for: an equal part of the whole."""
    return (amount / count).quantize(HUNDREDTH, ROUND_HALF_UP) if amount else None


def _look(identifier: str) -> Call:
    return Call("GET", _path(identifier))


def _path(identifier: str) -> str:
    return f"/shipments/{quote(identifier, safe='.')}"


# -- what was bought -------------------------------------------------------------------------------


def _read_reply(reply: Reply) -> Label:
    return read_sold(reply.json)


def read_sold(shipment: Json) -> Label:
    """A bought shipment without its files.

    Shapes: a service without tracking has no tracking code: the shipment's id names it.
    Errors: LookupError for a shipment that is not bought.
    """
    paper, rate = shipment["postage_label"] or {}, shipment["selected_rate"]
    if not paper or not rate:
        raise LookupError("the shipment is not bought")
    kind, form = paper.get("label_file_type"), _invoice_of(shipment)
    return Label(
        tracking_number=shipment.get("tracking_code") or shipment["id"],
        shipment_identifier=shipment["id"],
        label_type=CATALOGUE.table("label_types").get(str(kind), "PDF"),
        selected_rate=read_rate(rate),
        meta={
            "carrier_tracking_link": (shipment.get("tracker") or {}).get("public_url"),
            **behind(rate),
            "label_url": paper.get("label_url"),
            **({"invoice_url": form} if form else {}),
            **({"fees": fees} if (fees := shipment.get("fees")) else {}),
        },
    )


def _invoice_of(shipment: Json) -> str | None:
    forms = as_list(shipment.get("forms"))
    return next((one.get("form_url") for one in forms if one.get("form_type") == INVOICE), None)


def _add_files(carrier: Easypost, sold: Sequence[Label]) -> Flow[Label]:
    """The labels with their files, as one. The links lead to a storage host, which is told no credentials.

    Errors: CarrierError when a label can't be had; an invoice that can't be had spoils nothing.
    """
    labels, invoices = _links(sold, "label_url"), _links(sold, "invoice_url")
    if len(labels) < len(sold):
        raise carrier.refuse("no_label_yet", "EasyPost has not drawn the label yet")
    replies = yield from ask_all([Call("GET", link, file=True) for link in [*labels, *invoices]])
    files, papers = replies[: len(labels)], [one for one in replies[len(labels) :] if one.ok]
    if not all(reply.ok for reply in files):
        raise CarrierError()
    whole = [
        label.changed(docs={"label": encode_file(file.content)})
        for label, file in zip(sold, files, strict=True)
    ]
    label = combine_labels(whole)
    invoice = {"invoice": encode_file(papers[0].content)} if papers else {}
    return label.changed(docs={**label.docs, **invoice})


def _links(sold: Sequence[Label], name: str) -> list[str]:
    return [str(link) for one in sold if (link := one.meta.get(name))]


# -- refunds ---------------------------------------------------------------------------------------


def refund(identifier: str) -> Call:
    return Call("POST", f"{_path(identifier)}/refund")


def read_refunds(carrier: Easypost, replies: Sequence[Reply]) -> Confirmation:
    """Errors: CarrierError when a label is not taken back."""
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    words = [reply.json.get("refund_status") for reply in replies]
    if any(word not in REFUNDED for word in words):
        raise carrier.refuse(
            "refund_rejected", f"EasyPost did not take the label back: {', '.join(map(str, words))}"
        )
    return Confirmation(success=True, operation="Cancel Shipment")
