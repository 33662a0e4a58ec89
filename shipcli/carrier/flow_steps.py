"""Steps that the flows of several carriers share.

Prices of parcels are added up; labels are bought parcel by parcel (all or none, one label in the end) and
voided so; a pickup that can't be changed is cancelled and booked anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.wire.calls import UNREADABLE, Bought, Call, Flow, Reply, ask, ask_all
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rows import UNREADABLE_ROW, note_message, read_or_skip
from shipcli.models import Charge, Confirmation, Label, Message, PickupDetails, Quote


def sum_parcels(parcels: Sequence[Sequence[Quote]]) -> list[Quote]:
    """Return shipment prices from parcel prices: a service is offered only if every parcel was quoted."""
    if not parcels:
        return []
    prices = [{quote.service: quote for quote in quotes} for quotes in parcels]
    common = [service for service in prices[0] if all(service in quotes for quotes in prices)]
    return [sum_quotes([quotes[service] for quotes in prices]) for service in common]


def list_cheapest(quotes: Iterable[Quote]) -> list[Quote]:
    """Return one quote of each service, the cheapest first: a hub may offer it from several accounts."""
    cheapest: dict[str | None, Quote] = {}
    for quote in sorted(quotes, key=lambda candidate: candidate.total_charge):
        cheapest.setdefault(quote.service, quote)
    return list(cheapest.values())


def list_first(quotes: Iterable[Quote]) -> list[Quote]:
    """Return one quote of each service, the first of those that the carrier lists."""
    return list({quote.service: quote for quote in reversed(list(quotes))}.values())[::-1]


def read_cost(read: Callable[..., Quote | None], *arguments: Any) -> Quote | None:
    """Return what a label cost, or None where that can't be read: the label is bought all the same."""
    return read_or_skip(read, *arguments)


def list_charges(lines: Iterable[tuple[str | None, Decimal | None]], currency: str | None) -> list[Charge]:
    """Return the lines of a price that are not 0."""
    return [Charge(name=name, amount=amount, currency=currency) for name, amount in lines if amount]


def sum_quotes(quotes: Sequence[Quote]) -> Quote:
    """Return one price from those of the parcels: charges added up by name, the longest transit time."""
    if len(quotes) == 1:
        return quotes[0]
    charges: dict[tuple[str | None, str | None], Any] = {}
    for charge in (charge for quote in quotes for charge in quote.extra_charges):
        existing = charges.get((charge.name, charge.currency))
        amount = (
            (charge.amount or Decimal(0)) + (existing.amount or Decimal(0)) if existing else charge.amount
        )
        charges[charge.name, charge.currency] = charge.model_copy(update={"amount": amount})
    days = [quote.transit_days for quote in quotes if quote.transit_days is not None]
    return quotes[0].model_copy(
        update={
            "total_charge": sum((quote.total_charge for quote in quotes), Decimal(0)),
            "extra_charges": list(charges.values()),
            "transit_days": max(days) if days else None,
        }
    )


def buy_each(
    calls: Sequence[Call],
    read: Callable[[Reply], Label],
    undo: Callable[[Label], Call],
    looks: Sequence[Call] = (),
) -> Flow[list[Label]]:
    """Send one purchase for each parcel, together; when one is refused, take the others back.

    Every label is yielded as `Bought` before anything else happens.
    Shapes: `looks` has for each purchase the call that shows what became of it when its reply is lost, for
            carriers that name a shipment before it is paid; `read` refuses a reply without a label.
    Errors: CarrierError with what the carrier said, definite when nothing can be left at the carrier; the
            error of `read` for a reply that it can't read.
    """
    replies = yield from ask_all(calls)
    if looks:
        replies = yield from _look_again(replies, read, looks)
    labels = [read_or_none(read, reply) for reply in replies]
    bought = [label for label in labels if label]
    for label in bought:
        yield Bought(label.tracking_number, label.shipment_identifier, part=True, meta=label.meta)
    missing = [reply for label, reply in zip(labels, replies, strict=True) if label is None]
    if not missing:
        return bought
    undo_replies = yield from ask_all([undo(label) for label in bought])
    for reply in missing:
        if reply.ok:
            read(reply)  # raises the error that was left aside
    definite = all(reply.failed and reply.definite for reply in missing)
    raise CarrierError(definite=definite and all(reply.ok for reply in undo_replies))


def ask_strictly(calls: Sequence[Call]) -> Flow[list[Reply]]:
    """Send several calls together; none may fail.

    Errors: CarrierError; the driver already has the messages of each call.
    """
    replies = yield from ask_all(calls)
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    return replies


def take_back(labels: Sequence[Label], undo: Call, is_void: Callable[[Reply], bool]) -> Flow[None]:
    """Cancel the labels of an order that was accepted in part, if any; `undo` is the call that cancels all.

    `is_void` tells from its reply whether all of them are cancelled now.
    Errors: CarrierError, always; definite when nothing is left at the carrier.
    """
    if not labels:
        raise CarrierError()
    for label in labels:
        yield Bought(label.tracking_number, label.shipment_identifier, part=True, meta=label.meta)
    reply = yield from ask(replace(undo, tolerant=True))
    raise CarrierError(definite=reply.ok and is_void(reply))


def keep_whole(
    labels: Sequence[Label], number: int, undo: Callable[[Label], Call]
) -> Flow[list[Label] | None]:
    """Return what was found of a purchase of so many parcels; what was bought in part is taken back first.

    A purchase that was made in part, or not at all, counts as not made: None.
    Errors: CarrierError when one of the labels can't be taken back.
    """
    if len(labels) == number:
        return list(labels)
    if labels:
        yield from ask_strictly([undo(label) for label in labels])
    return None


def void_each(
    carrier: Carrier[Any, Any], calls: Sequence[Call], is_void: Callable[[Reply], bool] = lambda reply: True
) -> Flow[Confirmation]:
    """Cancel the labels of a shipment by one call for each; what was cancelled before counts as cancelled.

    `is_void` tells from a reply whether the label is cancelled now; of a reply that can't be read a message
    says so, and its label counts as not cancelled.
    Errors: CarrierError when none of the calls succeeded, or when a reply is lost: the outcome is unknown
            then, whatever the other replies say. ValueError when no reply can be read.
    """
    replies = yield from ask_all(calls)
    if not any(reply.ok for reply in replies) or not all(reply.definite for reply in replies):
        raise CarrierError()
    states = [read_or_skip(is_void, reply) if reply.ok else _was_void(carrier, reply) for reply in replies]
    return confirm_void(states)


def confirm_void(states: Sequence[bool | None]) -> Confirmation:
    """Whether all labels of a shipment are cancelled, by what is said of each; None is for nothing.

    Errors: ValueError when nothing is said of any of them.
    """
    if all(state is None for state in states):
        raise ValueError("the answer does not say what became of any label")
    return Confirmation(success=all(states), operation="Cancel Shipment")


def read_voids(numbers: Sequence[str], read: Callable[[str], bool]) -> Confirmation:
    """Whether all labels are cancelled, by one answer about their numbers.

    `read` returns what it says of a number. A number that it leaves out, or says nothing readable of, is
    named in a message and counts as not cancelled.
    Errors: ValueError when it says nothing of any of them.
    """
    return confirm_void([_read_void(number, read) for number in numbers])


def confirm_void_at_once(carrier: Carrier[Any, Any], reply: Reply) -> Confirmation:
    """Whether all labels are cancelled, by an answer that does not tell one from another."""
    left = carrier.read_messages(reply)
    done = not left or carrier.says_done_before("void", left)
    return Confirmation(success=done, operation="Cancel Shipment")


def _read_void(number: str, read: Callable[[str], bool]) -> bool | None:
    try:
        return read(number)
    except UNREADABLE:
        text = f"The answer does not say what became of {number}"
        note_message(Message(code=UNREADABLE_ROW, message=text, details={"tracking_number": number}))
        return None


def _was_void(carrier: Carrier[Any, Any], reply: Reply) -> bool:
    """Whether a refusal says that the label was cancelled before."""
    try:
        return carrier.says_done_before("void", carrier.read_messages(reply))
    except ValueError:  # not in the carrier's format
        return False


def _look_again(
    replies: Sequence[Reply], read: Callable[[Reply], Label], looks: Sequence[Call]
) -> Flow[list[Reply]]:
    """Return the replies, lost ones replaced by what the carrier shows of their purchase, if that is a label.

    What is not bought by now may be bought in a moment: such a reply stays lost.
    """
    lost = [at for at, reply in enumerate(replies) if not reply.definite]
    later = yield from ask_all([looks[at] for at in lost])
    answers = {at: reply for at, reply in zip(lost, later, strict=True) if read_or_none(read, reply)}
    return [answers.get(at, reply) for at, reply in enumerate(replies)]


def read_or_none(read: Callable[[Reply], Label], reply: Reply) -> Label | None:
    """Return the label of a reply, or None if it was refused or can't be read."""
    if reply.failed:
        return None
    try:
        return read(reply)
    except UNREADABLE:
        return None


def make_label(bought: Bought, kind: str | None, docs: Mapping[str, str]) -> Label:
    """Build the label of a shipment that was bought before from its documents; `kind` is its format."""
    return Label(
        tracking_number=bought.name,
        shipment_identifier=bought.shipment_identifier,
        label_type=kind,
        docs=dict(docs),
        selected_rate=bought.selected_rate,
        meta=dict(bought.meta),
    )


def combine_labels(labels: Sequence[Label], kind: str | None = None) -> Label:
    """Return the labels of the parcels as one label of their shipment: files merged, prices added up.

    `kind` is that of the label file; other papers are PDF. Where the file of one parcel is missing there is
    no label file, as half a label looks like a whole one. Number and identifier are those of the first;
    `meta` has all of them when there are several.
    """
    first = labels[0]
    if len(labels) == 1:
        return first
    names = dict.fromkeys(name for label in labels for name in label.docs)
    files = {name: [label.docs[name] for label in labels if label.docs.get(name)] for name in names}
    files["label"] = list_files(label.docs.get("label") for label in labels)
    prices = [label.selected_rate for label in labels if label.selected_rate]
    numbers = {
        "tracking_numbers": [label.tracking_number for label in labels],
        "shipment_identifiers": [label.shipment_identifier for label in labels],
    }
    return first.model_copy(
        update={
            "docs": merge_papers(files, kind or first.label_type or "PDF"),
            "selected_rate": sum_quotes(prices) if len(prices) == len(labels) else None,
            "meta": {**first.meta, **numbers},
        }
    )


def rebook_pickup(
    carrier: Carrier[Any, Any], number: str, cancel: Flow[Confirmation], book: Flow[PickupDetails]
) -> Flow[PickupDetails]:
    """Cancel the pickup `number`, then book another in its place.

    It may be cancelled already, by a change that failed half-way.
    Errors: CarrierError; when the booking fails, with a message that the old pickup is cancelled.
    """
    try:
        yield from cancel
    except CarrierError as error:
        if not carrier.says_done_before("cancel_pickup", error.messages):
            raise
    try:
        return (yield from book)
    except CarrierError as error:
        text = f"Pickup {number} is cancelled, and the one in its place is not confirmed"
        raise CarrierError(*error.messages, Message(code="pickup_not_replaced", message=text)) from error
