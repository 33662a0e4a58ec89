"""Shipments from a file: checked whole, stored as drafts, rated, bought, in a run that can be interrupted
anywhere.

Every row has a key (its reference, else the digest of the file and the row's number). The table `import_rows`
says which shipment a key became, so that the next run of the same file goes on where the last one stopped.
What a killed run left open with a carrier is settled first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.accounts import all_accounts, services_of
from shipcli.features.core.interruption import Interrupted
from shipcli.features.core.row_results import (
    WORKERS,
    CheckResult,
    OnDuplicate,
    Progress,
    Results,
    RowErrors,
    do_at_once,
    join_cells,
    key_columns,
    refuse,
    show_nothing,
)
from shipcli.features.intents.states import is_being_bought
from shipcli.features.parts.addresses import problems_of
from shipcli.features.parts.drafts import draft_of
from shipcli.features.shipments.defaults import Names, find_connections
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.rate_selection import Budget, Rule, choose_rate
from shipcli.features.shipments.service import put_draft, rate_draft, store_rates
from shipcli.imports.cells import Wrong
from shipcli.imports.headers import SHIPMENTS, columns
from shipcli.imports.shipments import REQUIRED, SHIPPED_FROM_HERE, Parsed, ShipmentReader, column_of
from shipcli.imports.tables import Row, Rows
from shipcli.models import Conflict, LimitReached, OutcomeUnknown, ShipcliError, Shipment
from shipcli.models.units import KILOGRAMS, Units
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

PATIENCE_S = 60.0  # for a purchase that another run has under way
RESOURCE = "shipments"
CHUNK = 200
SUMMARY = (
    "row", "reference", "shipment_id", "status", "carrier", "service", "total_charge", "currency",
    "tracking_number", "message",
)  # fmt: skip
UNPAID = frozenset({"draft", "cancelled"})
BOUGHT = frozenset({"purchased", "shipped", "in_transit", "out_for_delivery", "delivered", "delivery_failed"})


@dataclass(frozen=True)
class Plan:
    """What to do with a file."""

    buy: Rule | None = None
    key: tuple[str, ...] = ()
    on_duplicate: OnDuplicate = "skip"
    carriers: tuple[str, ...] = ()
    currency: str | None = None
    budget: Budget = field(default_factory=Budget, compare=False)
    keep_good: bool = False  # good rows go on although others are bad
    units: Units = KILOGRAMS  # of weights and sizes without one
    shipper: Mapping[str, Any] | None = None  # of rows that name none


NO_PLAN = Plan()


@dataclass(frozen=True)
class RowResult:
    """What became of a row."""

    row: int
    key: str
    reference: str | None
    status: str  # as the shipment's, or failed, shipped, waiting
    shipment_id: str | None = None
    carrier: str | None = None
    service: str | None = None
    total_charge: Decimal | None = None
    currency: str | None = None
    tracking_number: str | None = None
    message: str | None = None
    earlier: bool = False  # was finished before this run

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in SUMMARY}


Result = Results[RowResult]


# -- checking ----------------------------------------------------------------------------------


def reader_for(app: App, table: Rows, plan: Plan = NO_PLAN) -> ShipmentReader:
    """A reader that knows this app's carriers, connections and services; rows keep to those of the plan.

    Errors: Invalid naming missing columns.
    """
    every = all_accounts(app)
    names = ((one.carrier_id, {one.slug, one.carrier_id, one.shown_name}) for one in every)
    return reader_of(table, names, {service for one in every for service in services_of(one)}, plan)


def reader_of(
    table: Rows, connections: Iterable[Names], services: Iterable[str], plan: Plan
) -> ShipmentReader:
    """A reader that knows these connections, by all their names, and these services.

    Errors: Invalid naming missing columns.
    """
    required = SHIPPED_FROM_HERE if plan.shipper else REQUIRED
    found = columns(table.headers, SHIPMENTS, required, table.name, table.label)
    carriers: dict[str, list[str]] = {}
    for carrier_id, names in connections:
        for name in names:
            carriers.setdefault(name, []).append(carrier_id)
    asked = frozenset(one for name in plan.carriers for one in carriers.get(name, ()))
    return ShipmentReader(found, carriers, frozenset(services), asked, plan.units, plan.shipper)


def key_of(table: Rows, row: Row, names: Sequence[str]) -> str:
    """The columns given, else the reference, else the file's digest and the row's number."""
    return join_cells(row, names or (SHIPMENTS["reference"],)) or f"{table.digest[:32]}:{row.number}"


def check(
    app: App, table: Rows, plan: Plan, *, warn: bool = False, progress: Callable[[int], None] | None = None
) -> CheckResult:
    """Read the whole file once and store nothing.

    Errors: Invalid when the file is not a table or lacks columns.
    """
    known = partial(known_states, app)
    reader = reader_for(app, table, plan)
    return check_rows(reader, table, plan, known, warn=warn, progress=progress)


def check_rows(
    reader: ShipmentReader,
    table: Rows,
    plan: Plan,
    known: Callable[[Mapping[int, str]], Mapping[int, str]],
    *,
    warn: bool = False,
    progress: Callable[[int], None] | None = None,
) -> CheckResult:
    """The same by a reader; `known` gives the states of rows that were imported before."""
    names = key_columns(table, plan.key)
    found = RowErrors(table)
    for row in table:
        parsed = reader.read(row)
        found.enter(row.number, key_of(table, row, names), parsed.wrong)
        if warn and parsed.data:
            found.warnings += address_warnings(parsed)
        if progress:
            progress(row.number)
    column = " + ".join(plan.key) or SHIPMENTS["reference"]
    for numbers in (numbers for numbers in found.rows.values() if len(numbers) > 1):
        for number in numbers:
            others = ", ".join(str(other) for other in numbers if other != number)
            found.blame(number, column, f"the same key as row {others}")
    if plan.on_duplicate == "error":
        for number, state in known(found.keys).items():
            found.blame(number, column, f"imported before, now {state}")
    return found.checked()


def address_warnings(parsed: Parsed) -> list[Wrong]:
    """What the postal rules say of a good row's addresses; they refuse nothing."""
    found = []
    for side in ("shipper", "recipient"):
        for problem in problems_of(getattr(parsed.data, side)):
            header = SHIPMENTS.get(column_of(f"{side}.{problem.field}"), problem.field)
            found.append(Wrong(parsed.number, header, problem.reason))
    return found


def known_states(app: App, keys: Mapping[int, str]) -> dict[int, str]:
    rows = known_rows(app, keys.values())
    return {number: str(rows[key]["state"]) for number, key in keys.items() if key in rows}


def known_rows(app: App, keys: Iterable[str], resource: str = RESOURCE) -> dict[str, dict[str, Any]]:
    """What earlier runs did with the rows of these keys, by key; of other rows nothing is read."""
    mine = [equal("test_mode", app.test_mode), equal("resource", resource)]
    wanted = iter(dict.fromkeys(keys))
    found: dict[str, dict[str, Any]] = {}
    while some := list(islice(wanted, CHUNK)):
        rows = app.store.select("import_rows", [*mine, one_of("key", some)])
        found |= {row["key"]: row for row in rows}
    return found


# -- storing -----------------------------------------------------------------------------------


def import_shipments(app: App, table: Rows, plan: Plan, *, progress: Progress = show_nothing) -> Result:
    """The file's rows as shipments, bought when the plan says so.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is stored.
    """
    find_connections(app, plan.carriers)
    checked = check(app, table, plan)
    if not plan.keep_good:
        refuse(checked)
    keys = checked.keys.values()
    known = known_rows(app, keys)
    settle_open(app, {row["shipment_id"] for row in known.values()})
    bad = checked.bad
    ready = [(number, key) for number, key in checked.keys.items() if number not in bad]
    shipped = store_drafts(app, table, plan, bad, known)
    result = Result(checked)
    known = known_rows(app, keys)
    count_spent(plan.budget, known.values())
    work = [
        ImportItem(number, key, known[key]["shipment_id"] if key in known else None) for number, key in ready
    ]
    for done, row in enumerate(process(app, plan, work, shipped, result), start=1):
        result.rows.append(row)
        progress(done, len(work), row)
    return result


def store_drafts(
    app: App, table: Rows, plan: Plan, bad: set[int], known: Mapping[str, Mapping[str, Any]]
) -> set[int]:
    """Store a draft for every good row that has none yet; the numbers of rows that are shipped already."""
    reader, shipped = reader_for(app, table, plan), set[int]()
    good = (reader.read(row) for row in table if row.number not in bad)
    while chunk := list(islice(good, CHUNK)):
        shipped |= {parsed.number for parsed in chunk if parsed.shipped}
        _store_chunk(app, table, plan, [parsed for parsed in chunk if not parsed.shipped], known)
    return shipped


def _store_chunk(
    app: App, table: Rows, plan: Plan, chunk: Iterable[Parsed], known: Mapping[str, Mapping[str, Any]]
) -> None:
    drafts = []
    names = key_columns(table, plan.key)
    for parsed in chunk:
        key = key_of(table, parsed.row, names)
        old = known.get(key)
        if old is None or plan.on_duplicate == "update":
            assert parsed.data is not None
            drafts.append((parsed, key, old, draft_of(app, parsed.data)))
    if not drafts:
        return
    with app.store.transaction() as tx:
        for parsed, key, old, draft in drafts:
            if old is None:
                # Another run of the same file may have stored the row meanwhile: then its draft is the row's.
                if tx.add("import_rows", _known_row(app, table, parsed, key, draft.id)):
                    put_draft(app, tx, draft)
            else:
                current = tx.get("shipment", old["shipment_id"], app.test_mode)
                if current and current["status"] == "draft":
                    put_draft(app, tx, draft.changed(id=current["id"], created_at=current["created_at"]))


def _known_row(app: App, table: Rows, parsed: Parsed, key: str, shipment_id: str) -> dict[str, Any]:
    return {
        "test_mode": app.test_mode,
        "resource": RESOURCE,
        "key": key,
        "digest": table.digest,
        "row_number": parsed.number,
        "shipment_id": shipment_id,
        "state": "draft",
        "total_charge": None,
        "currency": None,
        "updated_at": app.now(),
    }


# -- buying ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ImportItem:
    """A row whose shipment is to be rated and, when the plan says so, bought."""

    number: int
    key: str
    shipment_id: str | None


def process(
    app: App, plan: Plan, work: Sequence[ImportItem], shipped: set[int], result: Result
) -> Iterator[RowResult]:
    """Row after row, in file order; several under way at once where carriers are far away."""

    def one(item: ImportItem) -> RowResult | LimitReached:
        if item.number in shipped:
            return RowResult(item.number, item.key, None, "shipped", message="Already shipped: not bought")
        try:
            return _process_row(app, plan, item)
        except LimitReached as error:
            return error

    pending = iter(work)
    for item, outcome in do_at_once(
        pending, one, 1 if app.sandbox else WORKERS, lambda: bool(result.stopped)
    ):
        if isinstance(outcome, LimitReached):
            result.stopped = outcome
            yield RowResult(item.number, item.key, None, "waiting", item.shipment_id, message=str(outcome))
        else:
            yield outcome
    for item in pending:
        result.stopped = result.stopped or Interrupted()
        yield RowResult(item.number, item.key, None, "waiting", item.shipment_id)


def _process_row(app: App, plan: Plan, item: ImportItem) -> RowResult:
    document = app.store.get("shipment", item.shipment_id or "", app.test_mode)
    if document is None:
        return RowResult(
            item.number, item.key, None, "failed", message="The shipment of this row was removed"
        )
    shipment = Shipment.model_validate(document)
    if shipment.status != "draft":
        return replace(row_of(item, shipment), earlier=True)
    try:
        return row_of(item, _advance(app, plan, shipment))
    except LimitReached:
        raise
    except OutcomeUnknown as error:
        return replace(row_of(item, shipment), status="needs_attention", message=str(error))
    except Conflict as error:
        return _settled_elsewhere(app, item, error)
    except ShipcliError as error:
        return replace(row_of(item, shipment), status="failed", message=error.message)


def _settled_elsewhere(app: App, item: ImportItem, error: Conflict) -> RowResult:
    """What another run that had taken this row made of it; its purchase is waited for, not repeated."""
    shipment_id, give_up = item.shipment_id or "", time.monotonic() + PATIENCE_S
    while is_being_bought(app.store, shipment_id) and time.monotonic() <= give_up:
        time.sleep(0.05)
    shipment = Shipment.model_validate(app.store.get("shipment", shipment_id, app.test_mode))
    if shipment.status == "draft":
        return replace(row_of(item, shipment), status="failed", message=error.message)
    return replace(row_of(item, shipment), earlier=True)


def _advance(app: App, plan: Plan, shipment: Shipment) -> Shipment:
    """Rate a draft, and buy it when the plan says so."""
    names = carrier_ids(app, plan, shipment)
    shipment = rate_draft(app, shipment, carrier_ids=names)
    if plan.buy is None or (plan.buy == "service" and not shipment.options.get("preferred_service")):
        return store_rates(app, shipment)
    rate = choose_rate(shipment, plan.buy, currency=plan.currency)
    with plan.budget.reserved(rate):
        return buy(app, shipment, rate)


def carrier_ids(app: App, plan: Plan, shipment: Shipment) -> list[str]:
    """The connections a row may use: its own Carrier cell's, among those the command names.

    Errors: NotFound when a named carrier has no connection.
    """
    named = find_connections(app, plan.carriers) if plan.carriers else []
    return narrow_connections(named, shipment.carrier_ids)


def narrow_connections(named: Sequence[str], own: Sequence[str]) -> list[str]:
    """A row's own connections among the named ones; where there are no such, these, else its own.

    A draft of an earlier run may have been made for another cell than the named ones allow.
    """
    return [name for name in named if name in own] or list(named or own)


def row_of(item: ImportItem, shipment: Shipment) -> RowResult:
    rate = shipment.selected_rate
    notes = [str(m.message) for m in shipment.messages if m.message and shipment.status != "draft"]
    return RowResult(
        item.number,
        item.key,
        shipment.reference,
        "purchased" if shipment.status in BOUGHT else shipment.status,
        shipment.id,
        rate.carrier_name if rate else None,
        rate.service if rate else None,
        rate.total_charge if rate else None,
        rate.currency if rate else None,
        shipment.tracking_number,
        "; ".join(notes) or None,
    )


def count_spent(budget: Budget, known: Iterable[Mapping[str, Any]]) -> None:
    """Count what earlier runs paid for these rows, or may have paid; a cancelled label is free.

    Errors: LimitReached when they paid in another currency than the budget's.
    """
    for row in known:
        if row["total_charge"] and row["state"] not in UNPAID:
            budget.count_spent(Decimal(row["total_charge"]), row["currency"])


def bought_shipments(app: App, rows: Iterable[RowResult]) -> list[Shipment]:
    """The shipments of the rows that have a label, in file order."""
    ids = [row.shipment_id for row in rows if row.status == "purchased" and row.shipment_id]
    found = (app.store.get("shipment", shipment_id, app.test_mode) for shipment_id in ids)
    return [Shipment.model_validate(one) for one in found if one and one["label_url"]]
