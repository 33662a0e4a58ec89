"""The labels and manifests that the simulator draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lxml.etree import _Element

from carriers.canadapost.replies import Record, title
from shipcli.carrier.xml import find, parse

if TYPE_CHECKING:
    from shipcli.drawing import Block


def draw(record: Record) -> bytes:
    """The label of a shipment, in the encoding it was ordered in."""
    from shipcli.drawing import LabelSpec, draw_label

    spec = parse(record["order"]).find("delivery-spec")
    assert spec is not None
    reference = find(spec, "references/customer-ref-1")
    lines = [
        f"Weight: {record['weight']} kg",
        f"Ref: {reference}" if reference else "",
        record["group"] or "",
    ]
    label = LabelSpec(
        carrier="Canada Post",
        service=title(record["service"]),
        sender=_block("From", spec, "sender"),
        recipient=_block("To", spec, "destination"),
        tracking_number=record["number"],
        references=tuple(line for line in lines if line),
        code2d=("datamatrix", f"{record['postal_code']} {record['number']} {record['service']}"),
        sample=True,
        routing=record["postal_code"] or None,
    )
    return draw_label(label, record["encoding"])


def _block(heading: str, spec: _Element, who: str) -> Block:
    from shipcli.drawing import Block

    place = f"{who}/address-details"
    names = [find(spec, f"{who}/{name}") for name in ("name", "company")]
    streets = [find(spec, f"{place}/address-line-{at}") for at in (1, 2)]
    town = [
        find(spec, f"{place}/{name}") for name in ("city", "prov-state", "postal-zip-code", "country-code")
    ]
    lines = [*dict.fromkeys(names), *streets, " ".join(part for part in town if part)]
    return Block(heading, tuple(line for line in lines if line))


def draw_manifest(record: Record, shipments: Sequence[Record]) -> bytes:
    """The form the driver signs."""
    from shipcli.drawing import draw_form

    rows = [
        (one["number"], title(one["service"]), f"{one['weight']} kg", str(one["total"])) for one in shipments
    ]
    return draw_form(
        "Canada Post manifest",
        rows,
        columns=("Item", "Service", "Weight", "Amount CAD"),
        details=(("PO number", record["po"]), ("Items", str(len(rows)))),
        sample=True,
    )
