"""Labels of Easyship: a shipment is made and its label bought in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.carrier import Bought, CarrierError, Flow, Reply, RequestOptions, read_cost
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, set_path
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.models import Address, Label, Message, ShipmentRequest

from .parts import (
    CATALOGUE,
    SHIPMENTS,
    behind,
    couriers_of,
    path_of,
    units_of,
    write_address,
    write_incoterm,
    write_insurance,
    write_parcels,
)
from .rates import choose, find_courier, read_rate

if TYPE_CHECKING:
    from . import Easyship, EasyshipConfig

FAILED, PAPER, INVOICE = "failed", "label", "commercial_invoice"
NO_EMAIL, NO_PHONE = "user@mail.com", "N/A"  # a purchase must have both; what the recorded requests say


def choose_courier(carrier: Easyship, request: ShipmentRequest) -> Flow[str]:
    """The courier that is named, else the only one that sells the service, else the one that was quoted.

    Errors: CarrierError when no courier offers the service now.
    """
    named, couriers = carrier.options_of(request).text("easyship_courier_id"), couriers_of(request.service)
    if named or len(couriers) == 1:
        return named or couriers[0]
    rates = yield from carrier.ask_rates(request)
    if courier := find_courier(rates, couriers):
        return courier
    text = f"Easyship has no rate of {request.service} for this shipment"
    raise CarrierError(Message(code="no_rate", message=text), definite=True)


def write_shipment(request: ShipmentRequest, carrier: Easyship, courier: str) -> Json:
    """Shapes: the order number holds the key of the purchase, by which it can be asked for."""
    options, sender = carrier.options_of(request), request.shipper
    back, email = request.return_address or sender, options.text("email_notification_to")
    config, label = carrier.config, CATALOGUE.table("label_formats")
    body = {
        "courier_selection": _write_selection(courier, options, config),
        "consignee_tax_id": request.recipient.federal_tax_id or request.recipient.state_tax_id,
        "destination_address": _write_reachable(request.recipient, email),
        "origin_address": _write_reachable(back, email),
        "return_address": _write_reachable(back, email),
        "sender_address": _write_reachable(sender, email),
        "incoterms": write_incoterm(request, options, "DDU"),
        "insurance": write_insurance(options),
        "metadata": dict(request.metadata),
        "order_data": {"platform_name": config.platform_name, "platform_order_number": carrier.reference()},
        "parcels": write_parcels(
            request, [carrier.options_of(request, parcel) for parcel in request.parcels]
        ),
        "return": options.value("is_return"),
        "set_as_residential": bool(request.recipient.residential),
        "shipping_settings": {
            "buy_label": True,
            "buy_label_synchronous": True,
            "printing_options": {
                "commercial_invoice": "A4",
                "format": label.get(request.label_type or "PDF", "pdf"),
                "label": "4x6",
                "remarks": request.reference,
            },
            "units": units_of(request).to_dict(),
        },
    }
    _write_identifiers(body, request)
    options.write(body, "ship")
    written: Json = drop_empty(body)
    return written


def _write_selection(courier: str, options: RequestOptions, config: EasyshipConfig) -> Json:
    fallback = options.value("easyship_allow_courier_fallback")
    return {
        "allow_courier_fallback": choose(fallback, config.allow_courier_fallback),
        "apply_shipping_rules": choose(
            options.value("easyship_apply_shipping_rules"), config.apply_shipping_rules
        ),
        "list_unavailable_couriers": options.flag("easyship_list_unavailable_couriers"),
        "selected_courier_id": courier,
    }


def _write_reachable(address: Address, email: str | None) -> Json:
    written = write_address(address)
    return {
        **written,
        "contact_email": address.email or email or NO_EMAIL,
        "contact_phone": address.phone_number or NO_PHONE,
    }


def _write_identifiers(body: Json, request: ShipmentRequest) -> None:
    """The numbers under which sender and buyer pay duties."""
    customs = request.customs
    if customs is None:
        return
    customs_options, payer = RequestOptions.of_customs(CATALOGUE, customs), customs.duty_billing_address
    customs_options.write(body, "ship")
    if payer:
        set_path(body, "buyer_regulatory_identifiers/ein", payer.federal_tax_id or payer.state_tax_id)
    set_path(body, "buyer_regulatory_identifiers/vat_number", customs_options.text("vat_registration_number"))


# -- what was sold ---------------------------------------------------------------------------------


def finish(carrier: Easyship, reply: Reply) -> Flow[Label]:
    """The label of a shipment that was just made; one that is not drawn yet is fetched by a call of its own.

    Errors: CarrierError with what was said beside the answer, when the courier refused to draw the label. It
            is no definite refusal: the shipment stands at Easyship, and may have been paid.
    """
    shipment = reply.json["shipment"]
    label = read_label(shipment)
    if label.docs.get(PAPER):
        return label
    if shipment.get("label_state") == FAILED:
        raise CarrierError(*(carrier.read_messages(reply) or _failures(shipment)))
    yield Bought(label.tracking_number, label.shipment_identifier, False, label.selected_rate, label.meta)
    shown = yield from carrier.ask("GET", path_of(SHIPMENTS, str(label.shipment_identifier)))
    return read_label(shown.json["shipment"])


def _failures(shipment: Json) -> list[Message]:
    """What the courier said of a label that it did not draw."""
    responses = as_list(shipment.get("last_failure_http_response_messages"))
    messages = [
        Message(code=response.get("code"), message=response.get("content") or response.get("message"))
        for response in responses
    ]
    return messages or [Message(code="label_failed", message="The courier did not draw the label")]


def find(carrier: Easyship, shipments: Sequence[Json]) -> Flow[Label | None]:
    """The label among shipments of one purchase; None when there is none, or its label was refused."""
    good = [
        shipment for shipment in shipments if shipment.get("label_state") not in (None, "not_created", FAILED)
    ]
    if not good:
        return None
    reply = yield from carrier.ask("GET", path_of(SHIPMENTS, good[0]["easyship_shipment_id"]))
    return read_label(reply.json["shipment"])


def read_label(shipment: Json) -> Label:
    """A bought shipment with its papers, if they are drawn.

    Shapes: a paper is a list of base64 texts, one for each page; the id stands for a number that is not
            known yet.
    """
    identifier, courier = shipment["easyship_shipment_id"], shipment.get("courier") or {}
    papers = {
        document.get("category"): document
        for document in as_list(shipment.get("shipping_documents"))
        if _pages(document)
    }
    numbers = [
        number
        for tracking in as_list(shipment.get("trackings"))
        if (number := tracking.get("tracking_number"))
    ]
    kind = _kind(papers[PAPER]) if PAPER in papers else None
    files = {"label": _pages(papers.get(PAPER, {})), "invoice": _pages(papers.get(INVOICE, {}))}
    names = {
        "shipment_ids": [identifier],
        "tracker_id": identifier,
        "tracking_numbers": numbers,
        "easyship_shipment_id": identifier,
        "easyship_courier_id": courier.get("id"),
        "easyship_courier_account_id": courier.get("id"),
        "carrier_tracking_link": shipment.get("tracking_page_url"),
    }
    rates = [rate for rate in as_list(shipment.get("rates")) if rate.get("courier_id") == courier.get("id")]
    return Label(
        tracking_number=numbers[0] if numbers else identifier,
        shipment_identifier=identifier,
        label_type=kind,
        docs=merge_papers(files, kind or "PDF"),
        selected_rate=read_cost(read_rate, rates[0]) if rates else None,
        meta=drop_empty({**((read_or_skip(behind, courier) or {}) if courier else {}), **names}),
    )


def _pages(paper: Json) -> list[str]:
    return list_files(as_list(paper.get("base64_encoded_strings")))


def _kind(paper: Json) -> str:
    """The kind of the label as we hand it out: several pictures become the pages of a PDF."""
    kind = str(paper.get("format") or "pdf").upper()
    return "PDF" if kind == "PNG" and len(_pages(paper)) > 1 else kind
