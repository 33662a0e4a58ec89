"""Labels of Teleship: one for each parcel, with its papers in the answer. Pure.

Source: Teleship API 1.0.0 (published description): CreateLabelDto, ShippingLabelDto.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, read_cost
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Label, Parcel, ShipmentRequest

from .parts import CATALOGUE
from .rates import read_quote, write_order

VOID = frozenset({"cancelled", "voided"})
LABEL, INVOICE, USUAL_FORMAT = "LABEL", "INVOICE", "PDF"


def write_shipment(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    code = CATALOGUE.services.wire_code(request.service)
    return {"serviceCode": code, **write_order(request, parcel, options)}


def read_label(body: Json, kind: str | None) -> Label:
    """The label in the format that was asked for where the answer has it, else in the first that it has.

    Errors: LookupError for an answer without a shipment.
    """
    shipment = body["shipment"]
    papers = as_list(shipment.get("documents"))
    label = choose_paper(papers, LABEL, kind)
    files = {"label": label, "invoice": choose_paper(papers, INVOICE, USUAL_FORMAT)}
    meta = {name: shipment.get(key) for name, key in CATALOGUE.table("label_meta").items()}
    rate = shipment.get("rate")
    return Label(
        tracking_number=shipment["trackingNumber"],
        shipment_identifier=shipment["shipmentId"],
        label_type=(label or {}).get("format") or USUAL_FORMAT,
        docs={name: paper["base64String"] for name, paper in files.items() if paper},
        selected_rate=read_cost(read_quote, rate) if rate else None,
        meta=drop_empty(meta),
    )


def choose_paper(papers: list[Json], name: str, kind: str | None) -> Json | None:
    """The paper of a name in a format, else in the first one that has a file."""
    files = [paper for paper in papers if paper.get("type") == name and paper.get("base64String")]
    return next((paper for paper in files if paper.get("format") == kind), files[0] if files else None)


def is_void(body: Json) -> bool:
    return str(body.get("status")).lower() in VOID
