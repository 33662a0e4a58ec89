"""Labels of ShipEngine: one for all parcels of a shipment, its file in the answer. Pure but for the flows.

Source: ShipEngine API 1.1.202511061111 (published description): create_label, label.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import Bought, Call, CarrierError, Flow, ask_all, list_charges, make_label, read_cost
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.models import Label, Message, Quote, ShipmentRequest

from .parts import CATALOGUE, describe_provider, find_service
from .rates import find_rate

if TYPE_CHECKING:
    from . import Shipengine

LABELS, INLINE = "/v1/labels", {"label_download_type": "inline"}
FILE = "base64,"
BROKEN = ("error", "voided")


def choose_account(carrier: Shipengine, request: ShipmentRequest) -> Flow[str]:
    """The account that sells a service: that of the rate that was chosen, else the cheapest.

    Errors: CarrierError, definite, when none has the service.
    """
    if named := request.rate_meta.get("shipengine_carrier_id"):
        return str(named)
    body = yield from carrier.ask_rates(request, [request.service])
    if rate := find_rate(body, request.service):
        return str(rate["carrier_id"])
    text = f"ShipEngine has no rate of {request.service} for this shipment"
    raise CarrierError(Message(code="no_rate", message=text), definite=True)


def write_order(carrier: Shipengine, request: ShipmentRequest, account: str) -> Json:
    """Shapes: the external id is the key of the purchase, by which its label is found again."""
    shipment = {
        "carrier_id": account,
        "service_code": CATALOGUE.services.wire_code(request.service),
        "external_shipment_id": carrier.reference(),
        **carrier.write_shipment(request),
    }
    return {
        "shipment": shipment,
        "validate_address": "no_validation",
        "label_format": (request.label_type or "PDF").lower(),
        "label_layout": "4x6",
        **INLINE,
    }


def finish(body: Json) -> Flow[Label]:
    """The label of a shipment that was bought, with its papers.

    Errors: LookupError for an answer without a label.
    """
    bought = read_bought(body)
    yield bought
    label = body.get("label_download") or {}
    kind = str(body.get("label_format") or "pdf")
    files = {
        "label": label.get(kind) or label.get("href"),
        "invoice": (body.get("form_download") or {}).get("href"),
    }
    if not files["label"]:
        raise LookupError("the label has no file yet")
    docs = yield from read_files({name: link for name, link in files.items() if link})
    return make_label(bought, kind.upper(), docs)


def read_bought(body: Json) -> Bought:
    """Errors: LookupError for a label that was not made."""
    if body.get("status") in BROKEN:
        raise LookupError(f"the label is in status {body['status']}")
    numbers = [row["tracking_number"] for row in as_list(body.get("packages")) if row.get("tracking_number")]
    number = body.get("tracking_number") or body["label_id"]
    meta = {
        **describe_provider(body),
        "carrier_tracking_link": body.get("tracking_url"),
        "tracker_id": body["label_id"],
        "shipengine_shipment_id": body.get("shipment_id"),
        "tracking_numbers": numbers if len(numbers) > 1 else None,
    }
    cost = read_cost(read_price, body)
    return Bought(number, body["label_id"], selected_rate=cost, meta=drop_empty(meta))


def read_price(body: Json) -> Quote:
    costs = {name: body.get(f"{name}_cost") or {} for name in ("shipment", "insurance")}
    currency = str(body["shipment_cost"]["currency"]).upper()
    lines = [(name, Decimal(str(cost.get("amount") or 0))) for name, cost in costs.items()]
    return Quote(
        carrier_name="shipengine",
        service=find_service(body["service_code"], body.get("carrier_code")),
        total_charge=sum((amount for _, amount in lines), Decimal(0)),
        currency=currency,
        extra_charges=list_charges(lines, currency),
        meta=describe_provider(body),
    )


def read_files(links: dict[str, str]) -> Flow[dict[str, str]]:
    """The papers, which stand in the answer or behind a link; an invoice that can't be had spoils nothing.

    Errors: CarrierError for a label that can't be had; ValueError for one that is no file.
    """
    inline = {name: read_inline(link) for name, link in links.items() if FILE in link}
    outside = [name for name in links if name not in inline]
    replies = yield from ask_all([Call("GET", links[name], file=True, tolerant=True) for name in outside])
    fetched = {
        name: encode_file(reply.content) for name, reply in zip(outside, replies, strict=True) if reply.ok
    }
    if "label" in outside and "label" not in fetched:
        raise CarrierError(Message(code="no_label_file", message="ShipEngine did not hand over the label"))
    return {**inline, **fetched}


def read_inline(link: str) -> str:
    """Errors: ValueError for a paper that is no file."""
    content = decode_file(link.partition(FILE)[2])
    if not content:
        raise ValueError("a paper in the answer is no file")
    return encode_file(content)
