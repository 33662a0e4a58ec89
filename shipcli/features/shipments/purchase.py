"""Buy a label exactly once.

An intent with the whole draft is committed to disk before the carrier is called; the result (label,
shipment, tracker, events, log, remembered response) is committed in one transaction. An intent that a crash
left open is claimed by one process and settled: by a lookup if the carrier supports it, otherwise the
shipment needs attention and a person resolves it, unless the carrier answers first when the worker asks it
again (`asking_again`). It is never automatically bought again. A store that is away, or that has lost the
intent, is seen to by `purchase_records`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.carrier.duties import check_terms
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sending.messages import drop_lost_answers
from shipcli.carrier.wire.calls import Bought
from shipcli.features.connections import accounts
from shipcli.features.connections.intent_actions import CarrierAction, make_row
from shipcli.features.connections.intent_states import DONE, RESOLVED, UNDER_WAY
from shipcli.features.connections.intents import (
    Intent,
    announce,
    close_refused,
    end_intent,
    free_key,
    guard_purchase,
    leave_in_doubt,
    record_bought,
    take_over,
)
from shipcli.features.connections.option_names import check_customs_names, list_unsent_options
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import SOLD_AS, check_expired, find_scenario
from shipcli.features.core.shipment_lookup import find_order_ids, list_shipment_locks
from shipcli.features.paper import purchase_invoice
from shipcli.features.paper.label_files import store_documents
from shipcli.features.paper.label_requests import LABEL_MISSING, build_label_request, list_numbers
from shipcli.features.rules.decision import keep_decision
from shipcli.features.shipments.budget import check_ceiling
from shipcli.features.shipments.price_ceiling import (
    announce_void,
    compare_prices,
    list_warnings,
    plan_void,
    undo_over_ceiling,
)
from shipcli.features.shipments.purchase_records import keep_record, plan_orphan_void, undo_orphan
from shipcli.features.shipments.rating import keep_days, make_rate
from shipcli.features.shipments.requirements import (
    check_purchase,
    list_address_notes,
    list_carrier_notes,
    list_customs_notes,
)
from shipcli.features.shipments.stored import read_shipment
from shipcli.features.shipments.voids import MUST_END
from shipcli.features.trackers.service import make_label_tracker, store_new
from shipcli.models import (
    BilledAbove,
    Label,
    Message,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
    make_refusal,
)
from shipcli.models.basics.errors import PurchaseUndone
from shipcli.store.errors import CommitUnknown

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

UNKNOWN = OutcomeUnknown.code
NAMES = ("ext", "carrier", "rate_provider", "service_name")


def buy(
    app: App, shipment: Shipment, rate: Rate, *, is_stored: bool = True, once: IdempotencyKey | None = None
) -> Shipment:
    """Buy the label of a shipment at a rate and store the shipment with everything that results from it.

    One that `is_stored` has to be in the store when it is bought.
    Errors: Invalid naming what an address lacks; Conflict if it is being bought or has been, or an order in
            it is cancelled; NoConnection; Refused with the carrier's messages (nothing was bought);
            LimitReached if it costs more than it may; BilledAbove if it was billed at more, and voided;
            PurchaseUndone if the store lost its record meanwhile, and it was voided;
            OutcomeUnknown (the shipment needs attention).
    """
    check_purchase(shipment)
    check_terms(shipment.customs)
    check_customs_names(shipment.customs)
    check_ceiling(shipment, rate)
    account = accounts.find_account_of_rate(app, rate, "shipping")
    scenario = find_scenario(app, shipment, rate) or (
        account.config.sandbox_scenario if app.sandbox else None
    )
    if scenario == "expired_rate":
        check_expired(app, shipment, rate)
    warnings = list_warnings(shipment, rate, can_void=account.kind.can("void"))
    shipment = shipment.model_copy(update={"messages": [*shipment.messages, *warnings]})
    paper = purchase_invoice.make_before_purchase(app, shipment, rate, account)
    intent = Intent(app.new_id(""), shipment, rate, once, paper, is_stored=is_stored)
    try:
        intent = announce(app, intent, account)
    except CommitUnknown:  # if it was saved all the same, nothing was sent
        close_refused(app, intent, ())
        free_key(app, once)
        raise
    try:
        outcome = ask_for_label(app, intent, account, scenario)
    except ShipcliError:  # our own error: nothing was sent
        close_refused(app, intent, ())
        free_key(app, intent.once)
        raise
    with guard_purchase(app, intent.key):
        return conclude(app, intent, account, outcome)


def conclude(app: App, intent: Intent, account: accounts.Account, outcome: FlowOutcome[Label]) -> Shipment:
    if outcome.result is not None:
        return finish(app, intent, account, outcome.result, outcome.messages)
    intent = replace(intent, bought=outcome.bought)
    if outcome.unknown or outcome.bought:
        return settle(app, intent, account, outcome.messages)
    close_refused(app, intent, outcome.messages)
    raise make_refusal(outcome.messages)


def ask_for_label(
    app: App, intent: Intent, account: accounts.Account, scenario: str | None = None
) -> FlowOutcome[Label]:
    """Request the label from the carrier, recording each label as soon as it is bought."""
    carrier = account.open(app, key=intent.key, scenario=scenario)
    request = build_label_request(app, intent, account)
    record = partial(record_bought, app, intent)
    return app.driver.run(CarrierJob.of(carrier, "ship", request, intent.shipment.id, record))


def recover_label(app: App, intent: Intent, account: accounts.Account) -> FlowOutcome[Label]:
    """Ask the carrier about a purchase whose answer was lost."""
    carrier = account.open(app, key=intent.key, sent_at=intent.sent_at)
    request = build_label_request(app, intent, account)
    return app.driver.run(CarrierJob.of(carrier, "recover", request, intent.shipment.id))


# -- the result --------------------------------------------------------------------------------


def finish(
    app: App, intent: Intent, account: accounts.Account, label: Label, messages: Sequence[Message]
) -> Shipment:
    """Store the purchase and everything that results from it.

    Errors: BilledAbove and PurchaseUndone when the label is voided.
    """
    again = None if label.meta.get(RESOLVED) else account  # what a person resolved is in the store
    stored = keep_record(
        app, intent, again, lambda known: _store_outcome(app, known, account, label, messages)
    )
    if stored is None:
        return read_shipment(app.store, intent.shipment.id, app.test_mode)
    bought, undo = stored
    if undo and undo.details.get(MUST_END):
        raise undo_orphan(app, bought, undo)
    if undo:
        return undo_over_ceiling(app, intent, bought, undo)
    return bought if intent.invoice else purchase_invoice.add_invoice(app, bought, intent.once)


def _store_outcome(
    app: App, intent: Intent, account: accounts.Account, label: Label, messages: Sequence[Message]
) -> tuple[Shipment, CarrierAction | None]:
    """Store the purchase in one durable transaction; with it the void of a label that is not to be kept.

    Errors: RecordLost.
    """
    if intent.invoice:
        label = label.model_copy(update={"docs": {**label.docs, purchase_invoice.INVOICE: intent.invoice}})
    tracker = None
    if label.tracking_number:
        tracker = make_label_tracker(app, intent.shipment, intent.rate, account, label)
    bought = complete_shipment(app, intent, account, label, messages)
    if tracker:
        bought = bought.model_copy(update={"tracker_id": tracker.id})
    undo = _plan_undo(app, intent, bought, account)
    # What a person resolved may replace an earlier answer: that is alone.
    locks = None if label.meta.get(RESOLVED) else partial(_list_locks, intent=intent)
    with app.store.transaction(durable=True, locks=locks) as tx:
        if label.meta.get(RESOLVED):
            forget_answer(tx, bought.id)
        store_bought(app, tx, bought, label)
        if tracker:
            store_new(app, tx, tracker)
        _end(app, tx, intent, label)
        if undo:
            announce_void(tx, intent, bought, make_row(app, undo, account))
        elif intent.once:
            intent.once.remember(tx, bought.model_dump(), 201)
    return bought, undo


def _plan_undo(app: App, intent: Intent, bought: Shipment, account: accounts.Account) -> CarrierAction | None:
    """The void of a label that is not to be kept; a person who resolved a purchase has decided to."""
    if (bought.meta or {}).get(RESOLVED):
        return None
    return plan_orphan_void(app, bought, account) if intent.is_orphan else plan_void(app, bought, account)


def _list_locks(reader: Reader, intent: Intent) -> list[str]:
    """What storing a purchase reads."""
    return [f"intent/{intent.key}", *list_shipment_locks(reader, intent.shipment, intent.once)]


def _end(app: App, tx: Transaction, intent: Intent, label: Label) -> None:
    """Close the intent of a purchase; if a person resolved it, the draft is kept in case of a correction."""
    over = {"state": RESOLVED} if label.meta.get(RESOLVED) else {"state": DONE, "draft": None}
    end_intent(app, tx, intent.key, **over)


def forget_answer(tx: Transaction, shipment_id: str) -> None:
    """Delete what resulted from a wrong resolution: the tracker and the label file."""
    before = tx.get("shipment", shipment_id) or {}
    if before.get("tracker_id"):
        tx.delete("tracker", before["tracker_id"])
    tx.remove("files", {"owner_id": shipment_id, "name": "label"})


def store_bought(app: App, tx: Transaction, shipment: Shipment, label: Label | None) -> None:
    save(app, tx, "shipment", shipment.model_dump(), "outcome")
    if label:
        store_documents(app, tx, shipment, label)


def complete_shipment(
    app: App, intent: Intent, account: accounts.Account, label: Label, messages: Sequence[Message]
) -> Shipment:
    """Build the shipment as it is after the purchase."""
    shipment, rate = intent.shipment, intent.rate
    if label.selected_rate:  # the carrier's own price may differ from its quote
        price = label.selected_rate
        carrier_names = {key: value for key, value in (rate.meta or {}).items() if key in (*NAMES, SOLD_AS)}
        price = price.model_copy(update={"meta": {**carrier_names, **(price.meta or {})}})
        kept = {"id": rate.id, "service": rate.service, **keep_days(price, rate)}
        rate = make_rate(app, account, price).model_copy(update=kept)
    kind = shipment.label_type or label.label_type or "PDF"
    has_label = label.docs.get("label") or label.meta.get(LABEL_MISSING)  # if missing, fetched on request
    unsent = list_unsent_options(account.kind, shipment, rate)
    notes = [
        *list_address_notes(shipment),
        *list_customs_notes(shipment, rate),
        *list_carrier_notes(account.kind, shipment, rate),
    ]
    names = {key: value for key, value in (rate.meta or {}).items() if key in NAMES and value}
    bought = shipment.model_copy(
        update={
            "status": "purchased",
            "shipment_identifier": label.shipment_identifier,
            "carrier_name": rate.carrier_name,
            "carrier_id": rate.carrier_id,
            "service": rate.service,
            "selected_rate": rate,
            "selected_rate_id": rate.id,
            "label_type": kind,
            "meta": {**label.meta, **names, **find_order_links(app, shipment), **keep_decision(shipment)},
            "label_url": f"/v1/shipments/{shipment.id}/label.{kind.lower()}" if has_label else None,
            "invoice_url": f"/v1/shipments/{shipment.id}/invoice.pdf" if label.docs.get("invoice") else None,
            **list_numbers(shipment, account, label, rate),
            "messages": [*shipment.messages, *messages, *notes, *unsent],
        }
    )
    prices = compare_prices(intent.rate, bought, can_void=account.kind.can("void"))
    return bought.model_copy(update={"messages": [*bought.messages, *prices]})


def find_order_links(app: App, shipment: Shipment) -> dict[str, str]:
    """Return meta with the ids of the orders whose lines are in the shipment; empty if there are none."""
    order_ids = find_order_ids(app.store, shipment.order_line_ids)
    return {"orders": ",".join(sorted(order_ids))} if order_ids else {}


# -- when it goes wrong ------------------------------------------------------------------------


def settle(
    app: App, intent: Intent, account: accounts.Account | None, messages: Sequence[Message] = ()
) -> Shipment:
    """Find out the outcome of a purchase whose answer was lost.

    Errors: Refused if the carrier has no such purchase (nothing was bought, the draft stays); OutcomeUnknown
            if the outcome cannot be found out: the shipment needs attention.
    """
    bought = find_paid(intent.bought)
    if account and bought:
        return finish(
            app,
            intent,
            account,
            make_empty_label(bought),
            [*messages, describe_missing_label(account, intent)],
        )
    if account is None or not account.kind.can("recover"):
        return needs_attention(app, intent, account, messages)
    outcome = recover_label(app, intent, account)
    if outcome.result is not None:
        return finish(app, intent, account, outcome.result, [*drop_lost_answers(messages), *outcome.messages])
    if outcome.failed:
        return needs_attention(app, intent, account, [*messages, *outcome.messages], ask_again=True)
    close_refused(app, intent, messages)
    reason = Message(code="not_purchased", message="The carrier knows of no such purchase")
    raise Refused(list(messages) or [reason])


def needs_attention(
    app: App,
    intent: Intent,
    account: accounts.Account | None,
    messages: Sequence[Message],
    *,
    ask_again: bool = False,
) -> Shipment:
    """Leave a purchase to a person, and until one says what happened to the worker, which asks again."""
    unknown = keep_record(
        app, intent, account, lambda known: _store_doubt(app, known, messages, ask_again=ask_again)
    )
    if unknown is None:
        return read_shipment(app.store, intent.shipment.id, app.test_mode)
    raise unknown


def _store_doubt(app: App, intent: Intent, messages: Sequence[Message], *, ask_again: bool) -> OutcomeUnknown:
    """Errors: RecordLost."""
    shipment = intent.shipment
    numbers = ", ".join(bought.name for bought in intent.bought)
    part = f" These were bought and not voided: {numbers}." if numbers else ""
    again = "; until then a worker asks the carrier again, for some hours" if ask_again else ""
    note = Message(
        code=UNKNOWN,
        message=f"The purchase was sent and its outcome is unknown.{part} Look it up with the carrier, then "
        f"run: shipcli shipments resolve {shipment.id} --bought TRACKING or --not-bought "
        f"(POST /v1/shipments/{shipment.id}/resolve){again}",
        carrier_name=intent.rate.carrier_name,
        carrier_id=intent.rate.carrier_id,
    )
    marked = shipment.model_copy(
        update={
            "status": "needs_attention",
            "carrier_name": intent.rate.carrier_name,
            "carrier_id": intent.rate.carrier_id,
            "selected_rate": intent.rate,
            "selected_rate_id": intent.rate.id,
            "service": intent.rate.service,
            "messages": [*shipment.messages, *messages, note],
        }
    )
    unknown = OutcomeUnknown([*messages, note])
    with app.store.transaction(durable=True) as tx:
        save(app, tx, "shipment", marked.model_dump(), "outcome", error=unknown)
        leave_in_doubt(app, tx, intent.key, ask_again=ask_again)
        if intent.once:
            intent.once.remember(tx, unknown.body(), unknown.status)
    return unknown


def find_paid(bought: Sequence[Bought]) -> Bought | None:
    """Return the purchase of the whole shipment; None if only single parcels of it were bought."""
    return next((purchase for purchase in reversed(bought) if not purchase.part), None)


def make_empty_label(bought: Bought) -> Label:
    """Build a label whose file could not be fetched yet, and perhaps its number neither ("")."""
    return Label(
        tracking_number=bought.tracking_number or "",
        shipment_identifier=bought.shipment_identifier,
        selected_rate=bought.selected_rate,
        meta={**bought.meta, LABEL_MISSING: True},
    )


def describe_missing_label(account: accounts.Account, intent: Intent) -> Message:
    return Message(
        code=LABEL_MISSING,
        message="The shipment was bought, but its label could not be fetched yet. Ask for it again: "
        f"shipcli labels save {intent.shipment.word}",
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )


def settle_open(app: App, shipment_ids: Iterable[str] | None = None) -> list[str]:
    """Settle the intents that dead processes left open, for these shipments or for all, and return the ids of
    the shipments settled.

    Each intent is claimed by one process. Afterwards the shipment is purchased, draft or needs_attention.
    """
    ids = set(shipment_ids) if shipment_ids is not None else None
    rows = app.store.select("intents", {**UNDER_WAY, "test_mode": app.test_mode})
    matches = (row for row in rows if ids is None or row["shipment_id"] in ids)
    return [row["shipment_id"] for row in matches if claim_and_settle(app, row)]


def settle_once(app: App, once: IdempotencyKey) -> bool:
    """Settle what a dead process left open for a keyed request; False if another process has claimed it."""
    rows = app.store.select("intents", {**UNDER_WAY, "test_mode": once.test_mode})
    return all(claim_and_settle(app, row) for row in rows if row["draft"]["once"] == once.to_dict())


def claim_and_settle(app: App, row: dict[str, Any]) -> bool:
    """Claim an open intent and settle it; False if another process has claimed it."""
    if not take_over(app, row):
        return False
    intent = Intent.of_row(row)
    try:
        with guard_purchase(app, intent.key):
            settle(app, intent, accounts.open_account(app, row["connection_id"]))
    except OutcomeUnknown:
        return True  # recorded in the shipment, and for a keyed request
    except (BilledAbove, PurchaseUndone):
        return True  # recorded in the shipment, and for a keyed request
    except Refused:
        free_key(app, intent.once)
    return True
