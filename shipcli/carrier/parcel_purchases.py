"""Labels that are bought parcel by parcel: all of them or none, one label in the end, and voided so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.parcel_sums import sum_quotes
from shipcli.carrier.wire.calls import UNREADABLE, Bought, Call, Flow, Reply, ask, ask_all
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.models import Confirmation, Label


def buy_each(
    calls: Sequence[Call],
    read: Callable[[Reply], Label],
    undo: Callable[[Label], Call],
    looks: Sequence[Call] = (),
) -> Flow[list[Label]]:
    """Send one purchase for each parcel, together; when one is refused, take the others back.

    Every label is told as `Bought` before anything else happens.
    Shapes: `looks` has for each purchase the call that shows what became of it when its answer is lost, for
            carriers that name a shipment before it is paid; `read` refuses an answer that shows no label.
    Errors: CarrierError with what the carrier said, definite when nothing can be left at the carrier; what
            `read` says of an answer that makes no sense.
    """
    replies = yield from ask_all(calls)
    if looks:
        replies = yield from look_again(replies, read, looks)
    labels = [read_or_none(read, reply) for reply in replies]
    bought = [label for label in labels if label]
    for label in bought:
        yield Bought(label.tracking_number, label.shipment_identifier, part=True, meta=label.meta)
    if len(bought) == len(replies):
        return bought
    pairs = zip(labels, replies, strict=True)
    definite = all(label is not None or (reply.failed and reply.definite) for label, reply in pairs)
    undone = yield from ask_all([undo(label) for label in bought])
    for made, reply in zip(labels, replies, strict=True):
        if made is None and reply.ok:
            read(reply)  # what makes no sense is told as any reader's fault is
    raise CarrierError(definite=definite and all(reply.ok for reply in undone))


def ask_strictly(calls: Sequence[Call]) -> Flow[list[Reply]]:
    """Send several calls together; none may fail.

    Errors: CarrierError; what the carrier said of each is noted already.
    """
    replies = yield from ask_all(calls)
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    return replies


def take_back(labels: Sequence[Label], undo: Call, is_void: Callable[[Reply], bool]) -> Flow[None]:
    """Cancel the labels of an order that was taken in part only, if in any; `undo` names them all.

    `is_void` says of a good answer whether all of them are cancelled now.
    Errors: CarrierError, definite when nothing is left at the carrier; what it said of the order is noted.
    """
    if not labels:
        raise CarrierError()
    for label in labels:
        yield Bought(label.tracking_number, label.shipment_identifier, part=True, meta=label.meta)
    undone = yield from ask(replace(undo, tolerant=True))
    raise CarrierError(definite=undone.ok and is_void(undone))


def void_each(
    carrier: Carrier[Any, Any], calls: Sequence[Call], is_void: Callable[[Reply], bool] = lambda reply: True
) -> Flow[Confirmation]:
    """Cancel the labels of a shipment by one call for each; what was cancelled before counts as cancelled.

    `is_void` says of a good answer whether the label is cancelled now.
    Errors: CarrierError when none of the calls succeeded, and when an answer is lost: then nobody knows,
            whatever the others say.
    """
    replies = yield from ask_all(calls)
    if not any(reply.ok for reply in replies) or not all(reply.definite for reply in replies):
        raise CarrierError()
    done = [is_void(reply) if reply.ok else was_void(carrier, reply) for reply in replies]
    return Confirmation(success=all(done), operation="Cancel Shipment")


def was_void(carrier: Carrier[Any, Any], reply: Reply) -> bool:
    """Whether a refusal says that the label was cancelled before."""
    try:
        return carrier.says_done_before("void", carrier.read_messages(reply))
    except ValueError:  # not in the carrier's format
        return False


def look_again(
    replies: Sequence[Reply], read: Callable[[Reply], Label], looks: Sequence[Call]
) -> Flow[list[Reply]]:
    """The replies, each lost one replaced by what the carrier shows of its purchase, if that is a label.

    What is not bought by now may be bought in a moment: such a reply stays lost.
    """
    lost = [at for at, reply in enumerate(replies) if not reply.definite]
    seen = yield from ask_all([looks[at] for at in lost])
    found = {at: reply for at, reply in zip(lost, seen, strict=True) if read_or_none(read, reply)}
    return [found.get(at, reply) for at, reply in enumerate(replies)]


def read_or_none(read: Callable[[Reply], Label], reply: Reply) -> Label | None:
    """The label of a reply; None if it was refused or makes no sense, which must not keep others bought."""
    if reply.failed:
        return None
    try:
        return read(reply)
    except UNREADABLE:
        return None


def make_label(bought: Bought, kind: str | None, docs: Mapping[str, str]) -> Label:
    """The label of a shipment that was bought before: its papers, the label among them of a kind."""
    return Label(
        tracking_number=bought.tracking_number,
        shipment_identifier=bought.shipment_identifier,
        label_type=kind,
        docs=dict(docs),
        selected_rate=bought.selected_rate,
        meta=dict(bought.meta),
    )


def combine_labels(labels: Sequence[Label], kind: str | None = None) -> Label:
    """The labels of the parcels as the label of their shipment: files merged, prices added up.

    `kind` is that of the label file; other papers are PDF. Where the file of one parcel is missing there is
    no label file, as half a label looks like a whole one. The number and identifier are those of the first;
    `meta` has all of them when there are several.
    """
    first = labels[0]
    if len(labels) == 1:
        return first
    names = dict.fromkeys(name for label in labels for name in label.docs)
    files = {name: [label.docs[name] for label in labels if label.docs.get(name)] for name in names}
    files["label"] = list_files(label.docs.get("label") for label in labels)
    prices = [label.selected_rate for label in labels if label.selected_rate]
    several: dict[str, Any] = {
        "tracking_numbers": [label.tracking_number for label in labels],
        "shipment_identifiers": [label.shipment_identifier for label in labels],
    }
    return first.changed(
        docs=merge_papers(files, kind or first.label_type or "PDF"),
        selected_rate=sum_quotes(prices) if len(prices) == len(labels) else None,
        meta={**first.meta, **several},
    )
