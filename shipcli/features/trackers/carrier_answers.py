"""Ask carriers about tracking numbers: a single one, or many trackers; shipments follow what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.features.connections import accounts
from shipcli.features.connections.accounts import Account
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import check_magic_number, find_answer, read_scenario
from shipcli.features.trackers.status_rules import SHIPMENT_STATUS, STATUS_EVENTS
from shipcli.models import Message, Refused, Tracker, Tracking, TrackingData, TrackingRequest
from shipcli.models.basics.errors import Throttled

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

UNWATCHED = frozenset({"draft", "cancelled"})


def link_shipment(app: App, tx: Transaction, tracker: Tracker) -> Tracker:
    """Link the tracker to the purchased shipment with its number and carrier that has no tracker, if any.

    This happens if the shipment's earlier tracker was removed, or if the connection that bought the label
    does not track, so that it never had one.
    """
    meta = tracker.meta or {}
    if "shipment_id" in meta:
        return tracker
    rows = tx.select("shipments", {"tracking_number": tracker.tracking_number})
    for id in (row["id"] for row in rows if row["status"] not in UNWATCHED):
        shipment = tx.get("shipment", id, app.test_mode)
        sold = (shipment or {}).get("meta") or {}
        is_its_carrier = tracker.carrier_name in (sold.get("ext"), sold.get("rate_provider"))
        if shipment and is_its_carrier and not shipment["tracker_id"]:
            save(app, tx, "shipment", {**shipment, "tracker_id": tracker.id}, "noted")
            return tracker.model_copy(update={"meta": {**meta, "shipment_id": id}})
    return tracker


def update_shipment_status(app: App, tx: Transaction, tracker: Tracker) -> None:
    """Set a shipment's status from its tracker's and emit the event of the new status."""
    from shipcli.events import emit

    status = SHIPMENT_STATUS.get(tracker.status)
    shipment_id = (tracker.meta or {}).get("shipment_id")
    document = tx.get("shipment", shipment_id) if status and shipment_id else None
    if document is None or document["status"] in (status, "cancelled", "draft"):
        return
    document["status"] = status
    save(app, tx, "shipment", document, "tracked")
    if status in STATUS_EVENTS:
        emit(tx, app, STATUS_EVENTS[status], document)


NOT_FOUND, RETRY_AFTER_S = 404, 60

# -- one number ------------------------------------------------------------------------------------


def ask_about_number(
    app: App, account: Account, data: TrackingData, hub: str | None
) -> FlowOutcome[list[Tracking]]:
    """Ask the carrier about a number; a hub is also given the carrier behind it."""
    check_magic_number(app, data.tracking_number)
    details = {"account_number": data.account_number, "reference": data.reference}
    options = {key: value for key, value in details.items() if value}
    carrier = {"carrier": data.carrier_name} if hub else {}
    scenario = read_scenario(app, metadata=data.metadata)
    return app.driver.run(_make_job(app, account, {data.tracking_number: options | carrier}, None, scenario))


def find_tracking(number: str, outcome: FlowOutcome[list[Tracking]]) -> Tracking | None:
    """Return the tracking found for a number; a lone result is accepted even if it spells it differently."""
    results = outcome.result or []
    exact = next((tracking for tracking in results if tracking.tracking_number == number), None)
    return exact or (results[0] if len(results) == 1 else None)


def explain_not_found(app: App, number: str, outcome: FlowOutcome[Any]) -> Refused | Throttled:
    """Build the error for a number that is not known, or that stands for trouble in a sandbox."""
    note = Message(code="not_found", message=f"{number} was not found")
    status = find_answer(app, number) or NOT_FOUND
    return (
        Throttled(RETRY_AFTER_S)
        if status == Throttled.status
        else Refused(outcome.messages or [note], status)
    )


# -- trackers --------------------------------------------------------------------------------------


def group_by_connection(trackers: Iterable[Tracker]) -> list[list[Tracker]]:
    groups: dict[str, list[Tracker]] = {}
    for tracker in trackers:
        groups.setdefault((tracker.meta or {}).get("connection_id") or tracker.carrier_id, []).append(tracker)
    return list(groups.values())


def find_account(app: App, tracker: Tracker) -> Account:
    """Return the account used to ask a tracker's carrier.

    Errors: NoConnection.
    """
    meta = tracker.meta or {}
    name = meta.get("ext") or tracker.carrier_name
    return accounts.find_named_account(app, meta.get("connection_id"), tracker.carrier_id, "tracking", name)


def make_known_options(account: Account, tracker: Tracker) -> dict[str, Any]:
    """Return what is sent for an existing tracker besides its number, such as the hub's own id for it."""
    meta = tracker.meta or {}
    options = {key: meta[key] for key in ("account_number", "reference", "tracker_id") if meta.get(key)}
    return options | ({"carrier": tracker.carrier_name} if account.kind.hub else {})


def ask_account(
    app: App, account: Account, trackers: Sequence[Tracker]
) -> tuple[dict[str, Tracking], list[Message]]:
    """Return what the carrier knows, keyed by tracker id, and its messages about the others.

    Each number is a separate call, all made in parallel, unless the carrier takes several per call.
    Errors: any error on our own side.
    """
    most = account.kind.numbers_per_call
    groups = [trackers[start : start + most] for start in range(0, len(trackers), most)]
    outcomes = app.driver.run_all([_make_group_job(app, account, group) for group in groups])
    for outcome in outcomes:
        if outcome.ours:
            raise outcome.ours
    pairs = list(zip(groups, outcomes, strict=True))
    answers = {id: tracking for group, outcome in pairs for id, tracking in _match(group, outcome).items()}
    silent = [outcome for group, outcome in pairs if any(tracker.id not in answers for tracker in group)]
    return answers, _drop_repetitions(message for outcome in silent for message in outcome.messages)


def _make_group_job(app: App, account: Account, group: Sequence[Tracker]) -> CarrierJob[list[Tracking]]:
    numbers = {tracker.tracking_number: make_known_options(account, tracker) for tracker in group}
    return _make_job(app, account, numbers, group[0].id if len(group) == 1 else None)


def _make_job(
    app: App,
    account: Account,
    numbers: Mapping[str, Mapping[str, Any]],
    object_id: str | None = None,
    scenario: str | None = None,
) -> CarrierJob[list[Tracking]]:
    options = {number: dict(details) for number, details in numbers.items() if details}
    request = TrackingRequest(tracking_numbers=list(numbers), options=options)
    return CarrierJob.of(account.open(app, scenario=scenario), "track", request, object_id)


def _match(group: Sequence[Tracker], outcome: FlowOutcome[list[Tracking]]) -> dict[str, Tracking]:
    """Return results by tracker id; with one tracker, a lone result may spell the number differently."""
    if len(group) == 1:
        only = find_tracking(group[0].tracking_number, outcome)
        return {group[0].id: only} if only else {}
    answers = {tracking.tracking_number: tracking for tracking in outcome.result or []}
    return {
        tracker.id: answers[tracker.tracking_number]
        for tracker in group
        if tracker.tracking_number in answers
    }


def _drop_repetitions(messages: Iterable[Message]) -> list[Message]:
    unique: list[Message] = []
    for message in messages:
        if message not in unique:
            unique.append(message)
    return unique
