"""Labels that are bought parcel by parcel: all of them or none, and one label in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shipcli.carrier.base import CarrierError
from shipcli.carrier.label_files import merge_files
from shipcli.carrier.parcel_sums import sum_quotes
from shipcli.carrier.wire import Bought, Call, Flow, Reply, ask_all
from shipcli.models import Label


def buy_each(
    calls: Sequence[Call], read: Callable[[Reply], Label], undo: Callable[[Label], Call]
) -> Flow[list[Label]]:
    """Send one purchase for each parcel, together; when one is refused, take the others back.

    Every label is told as `Bought` before anything else happens.
    Errors: CarrierError with what the carrier said; definite when nothing can be left at the carrier.
    """
    replies = yield from ask_all(calls)
    labels = [read_or_none(read, reply) for reply in replies]
    bought = [label for label in labels if label]
    for label in bought:
        yield Bought(label.tracking_number, label.shipment_identifier, part=True, meta=label.meta)
    if len(bought) == len(replies):
        return bought
    pairs = zip(labels, replies, strict=True)
    definite = all(label is not None or (reply.failed and reply.definite) for label, reply in pairs)
    undone = yield from ask_all([undo(label) for label in bought])
    raise CarrierError(definite=definite and all(reply.ok for reply in undone))


def read_or_none(read: Callable[[Reply], Label], reply: Reply) -> Label | None:
    """The label of a reply; None if it was refused or makes no sense, which must not keep others bought."""
    if reply.failed:
        return None
    try:
        return read(reply)
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def combine_labels(labels: Sequence[Label], kind: str | None = None) -> Label:
    """The labels of the parcels as the label of their shipment: files merged, prices added up.

    `kind` is that of the label file; other papers are PDF. The number and identifier are those of the first;
    `meta` has all of them when there are several.
    """
    first = labels[0]
    if len(labels) == 1:
        return first
    names = dict.fromkeys(name for label in labels for name in label.docs)
    files = {name: [label.docs[name] for label in labels if label.docs.get(name)] for name in names}
    prices = [label.selected_rate for label in labels if label.selected_rate]
    several: dict[str, Any] = {
        "tracking_numbers": [label.tracking_number for label in labels],
        "shipment_identifiers": [label.shipment_identifier for label in labels],
    }
    return first.changed(
        docs={
            name: merge_files(texts, (kind or first.label_type or "PDF") if name == "label" else "PDF")
            for name, texts in files.items()
        },
        selected_rate=sum_quotes(prices) if len(prices) == len(labels) else None,
        meta={**first.meta, **several},
    )
