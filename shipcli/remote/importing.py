"""Files into another server: read and checked here, each good row sent as a request.

Which shipment a row became is kept in the store of this machine, so that the next run of the file goes on
where this one stopped. Every request carries a key made of the row's, for a run that was killed before it
could write that down.
"""

from __future__ import annotations

import csv
import hashlib
import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.batches import service as batches
from shipcli.features.connections import catalog as carriers
from shipcli.features.core.interruption import Interrupted, was_asked
from shipcli.features.core.row_results import (
    CheckResult,
    Outcome,
    Progress,
    Results,
    key_columns,
    refuse,
    show_nothing,
)
from shipcli.features.orders import service as orders
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.rate_selection import choose_rate
from shipcli.features.spreadsheets import invoice_import, order_import, shipment_import, tracker_import
from shipcli.features.spreadsheets.shipment_import import ImportItem, Plan, Result, RowResult, key_of, row_of
from shipcli.features.trackers import service as trackers
from shipcli.gateway.http import MOST
from shipcli.gateway.ship_defaults import active, name_connections
from shipcli.gateway.where import Where
from shipcli.imports.headers import BILLING
from shipcli.imports.orders import whole_order
from shipcli.imports.shipments import Parsed, ShipmentReader
from shipcli.imports.trackers import TrackerReader as TrackerReader
from shipcli.models import (
    BatchOperation,
    Conflict,
    ImportData,
    LimitReached,
    NotFound,
    OrderUpdateData,
    OutcomeUnknown,
    ShipcliError,
    Shipment,
    ShipmentRateData,
    Tracker,
    TrackingData,
    Unreachable,
)
from shipcli.operations import doors
from shipcli.remote.bench import purchase

if TYPE_CHECKING:
    from shipcli.features.spreadsheets.invoice_import import InvoicePlan
    from shipcli.features.spreadsheets.order_import import OrderPlan
    from shipcli.features.spreadsheets.tracker_import import TrackerPlan
    from shipcli.gateway.http import HttpGateway
    from shipcli.imports.tables import Rows

LOOK_S = 0.2
ALREADY = "Already shipped: not bought"
Row = Mapping[str, Any]


# -- shipments -------------------------------------------------------------------------------------


def check(
    remote: HttpGateway,
    table: Rows,
    plan: Plan,
    *,
    warn: bool = False,
    progress: Callable[[int], None] | None = None,
) -> CheckResult:
    """Read the whole file once and send nothing.

    Errors: Invalid when the file is not a table or lacks columns; those of the API.
    """
    reader = _reader(remote, table, plan)
    return _checked(remote, reader, table, plan, warn=warn, progress=progress)


def _checked(
    remote: HttpGateway, reader: ShipmentReader, table: Rows, plan: Plan, **more: Any
) -> CheckResult:
    return shipment_import.check_rows(reader, table, plan, partial(known_states, remote), **more)


def _reader(remote: HttpGateway, table: Rows, plan: Plan) -> ShipmentReader:
    """A reader that knows the server's connections and their services; rows keep to those of the plan."""
    every = active(remote)
    services = _services(remote, {str(row["carrier_name"]) for row in every})
    return shipment_import.reader_of(table, name_connections(every), services, plan)


def _services(remote: HttpGateway, slugs: Iterable[str]) -> set[str]:
    """The services of all carriers; none, which is any, when one has a sheet that only the server knows."""
    try:
        return {
            one
            for slug in slugs
            for one in remote.ask(carriers.get_services, slug) or carriers.known_services(slug)
        }
    except NotFound:
        return set()


def known_states(remote: HttpGateway, keys: Mapping[int, str]) -> dict[int, str]:
    """The states of the rows that were imported before."""
    rows = RemoteMemory(remote, keys.values()).rows
    return {number: str(rows[key]["state"]) for number, key in keys.items() if key in rows}


class RemoteMemory:
    """Which shipments of the server the rows of some keys became, kept in the store of this machine."""

    def __init__(self, remote: HttpGateway, keys: Iterable[str]) -> None:
        self._app = remote.own()
        self._resource = f"{shipment_import.RESOURCE} {remote.client.server.url}"
        self.rows = shipment_import.known_rows(self._app, keys, self._resource)

    def look_again(self, remote: HttpGateway) -> None:
        """See what became on the server of the shipments of these rows: paid, cancelled, or not known."""
        rows = {str(row["shipment_id"]): row for row in self.rows.values()}
        ids = iter(rows)
        while some := list(islice(ids, MOST)):
            for found in remote.each("shipment", Where({"id": some})):
                self._enter(rows[found["id"]], Shipment.model_validate(found))

    def keep(self, table: Rows, item: ImportItem, shipment: Shipment) -> None:
        """Write down what a row became."""
        self._enter({"key": item.key, "digest": table.digest, "row_number": item.number}, shipment)

    def _enter(self, row: Row, shipment: Shipment) -> None:
        rate = shipment.selected_rate
        entry = {
            **row,
            "test_mode": self._app.test_mode,
            "resource": self._resource,
            "shipment_id": shipment.id,
            "state": shipment.status,
            "total_charge": rate.total_charge if rate else None,
            "currency": rate.currency if rate else None,
            "updated_at": self._app.now(),
        }
        with self._app.store.transaction() as tx:
            tx.upsert("import_rows", entry)
        self.rows[entry["key"]] = entry


@dataclass(frozen=True)
class RemoteImport:
    """One run of a file."""

    remote: HttpGateway
    table: Rows
    plan: Plan
    memory: RemoteMemory
    reader: ShipmentReader
    carriers: list[str]


def import_shipments(
    remote: HttpGateway, table: Rows, plan: Plan, *, progress: Progress = show_nothing
) -> Result:
    """The file's rows as shipments of the server, bought when the plan says so.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is sent.
    """
    named = remote.known.named(plan.carriers)
    reader = _reader(remote, table, plan)
    checked = _checked(remote, reader, table, plan)
    if not plan.keep_good:
        refuse(checked)
    job = RemoteImport(remote, table, plan, RemoteMemory(remote, checked.keys.values()), reader, named)
    if plan.budget.limit:
        job.memory.look_again(remote)
    shipment_import.count_spent(plan.budget, job.memory.rows.values())
    result = Result(checked)
    for row in _rows(job, checked, result):
        result.rows.append(row)
        progress(len(result.rows), checked.good, row)
    return result


def _rows(job: RemoteImport, checked: CheckResult, result: Result) -> Iterator[RowResult]:
    names, bad = key_columns(job.table, job.plan.key), checked.bad
    for parsed in (job.reader.read(row) for row in job.table if row.number not in bad):
        item = _work(job, parsed, names)
        if was_asked():
            result.stopped = result.stopped or Interrupted()
        if result.stopped:
            yield RowResult(item.number, item.key, None, "waiting", item.shipment_id)
        elif parsed.shipped:
            yield RowResult(item.number, item.key, None, "shipped", message=ALREADY)
        else:
            try:
                yield _row(job, parsed, item)
            except LimitReached as error:
                result.stopped = error
                yield RowResult(item.number, item.key, None, "waiting", message=str(error))


def _work(job: RemoteImport, parsed: Parsed, names: tuple[str, ...]) -> ImportItem:
    key = key_of(job.table, parsed.row, names)
    known = job.memory.rows.get(key)
    return ImportItem(parsed.number, key, known["shipment_id"] if known else None)


def _row(job: RemoteImport, parsed: Parsed, item: ImportItem) -> RowResult:
    """What becomes of a row; LimitReached ends the run."""
    shipment: Shipment | None = None
    try:
        shipment = _draft(job, parsed, item)
        if shipment.status != "draft":
            job.memory.keep(job.table, item, shipment)
            return replace(row_of(item, shipment), earlier=True)
        done = _bought(job, item, shipment)
        job.memory.keep(job.table, item, done)
        return row_of(item, done)
    except LimitReached:
        raise
    except (OutcomeUnknown, Unreachable) as error:
        status = "needs_attention" if shipment else "failed"
        return replace(_told(item, shipment), status=status, message=str(error))
    except ShipcliError as error:
        return replace(_told(item, shipment), status="failed", message=error.message)


def _told(item: ImportItem, shipment: Shipment | None) -> RowResult:
    return row_of(item, shipment) if shipment else RowResult(item.number, item.key, None, "failed")


def _draft(job: RemoteImport, parsed: Parsed, item: ImportItem) -> Shipment:
    """The shipment of a row, with rates where it is a draft: a new one, or that of an earlier run.

    With `update` a draft of an earlier run is cancelled for a new one: the API does not change addresses.
    """
    remote, plan = job.remote, job.plan
    data = parsed.data
    assert data is not None
    body = data.changed(carrier_ids=shipment_import.narrow_connections(job.carriers, data.carrier_ids))
    if item.shipment_id:
        known: Shipment = remote.ask(shipments.get_shipment, item.shipment_id)
        if known.status != "draft":
            return known
        if plan.on_duplicate != "update":
            rated: Shipment = remote.ask(
                shipments.fetch_rates, known.id, ShipmentRateData(carrier_ids=body.carrier_ids)
            )
            return rated
        remote.ask(shipments.cancel_shipment, known.id)
    old = item.shipment_id or "new"
    key = hashlib.sha256(f"{item.key}\n{job.table.digest}\n{old}".encode()).hexdigest()[:40]
    made: Shipment = remote.ask_once(f"import-{key}", shipments.create_shipment, body)
    job.memory.keep(job.table, item, made)
    return made


def _bought(job: RemoteImport, item: ImportItem, draft: Shipment) -> Shipment:
    """The draft bought, when the plan says so."""
    plan = job.plan
    if plan.buy is None or (plan.buy == "service" and not draft.options.get("preferred_service")):
        return draft
    rate = choose_rate(draft, plan.buy, currency=plan.currency)
    with plan.budget.reserved(rate):
        return purchase(job.remote, draft, rate, f"import-{draft.id}")


def bought_shipments(remote: HttpGateway, rows: list[RowResult]) -> list[Shipment]:
    """The shipments of the rows that have a label, in file order."""
    ids = [row.shipment_id for row in rows if row.status == "purchased" and row.shipment_id]
    return [remote.ask(shipments.get_shipment, one) for one in ids]


# -- orders ----------------------------------------------------------------------------------------


def check_orders(remote: HttpGateway, table: Rows, plan: OrderPlan, *, warn: bool = False) -> CheckResult:
    """Read the whole file once and send nothing."""
    return order_import.check_order_rows(table, plan, partial(_order_known, remote), warn=warn)


def _order_known(remote: HttpGateway, number: str, source: str) -> tuple[str, str] | None:
    found = _order(remote, number, source)
    return (str(found["id"]), str(found["status"])) if found else None


def _order(remote: HttpGateway, number: str, source: str) -> Row | None:
    """The order of a number and source: one that is not cancelled before one that is."""
    rows = remote.each("order", Where({"order_id": number, "source": source}))
    found = [row for row in rows if (row["order_id"], row["source"]) == (number, source)]
    return min(found, key=lambda row: row["status"] == "cancelled", default=None)


def import_orders(
    remote: HttpGateway, table: Rows, plan: OrderPlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The orders of a file, stored on the server; of known ones it changes options and metadata only.

    Errors: Invalid naming every bad cell, unless the plan keeps good orders; then nothing is sent.
    """
    checked = check_orders(remote, table, plan)
    if not plan.keep_good:
        refuse(checked)
    results: Results[Outcome] = Results(checked)
    done = 0
    for lines in order_import.whole_orders(table, plan, checked):
        results.rows.append(_sent_order(remote, plan, lines))
        done += len(lines)
        progress(done, checked.good, results.rows[-1])
    results.rows.sort(key=lambda outcome: outcome.row)
    return results


def _sent_order(remote: HttpGateway, plan: OrderPlan, lines: list[Any]) -> Outcome:
    data, row = whole_order(lines), lines[0].number
    known = _order(remote, data.order_id, data.source)
    try:
        if known is None or (known["status"] == "cancelled" and plan.on_duplicate == "update"):
            return Outcome(row, data.order_id, "created", remote.ask(orders.create_order, data).id)
        if known["status"] == "cancelled":
            return Outcome(row, data.order_id, "cancelled", known["id"], order_import.CANCELLED)
        if plan.on_duplicate == "update" and known["status"] == "unfulfilled":
            return _updated(remote, data, known, row)
    except Conflict:  # another run stored it meanwhile
        known = _order(remote, data.order_id, data.source) or {}
    except ShipcliError as error:
        return Outcome(row, data.order_id, "failed", message=error.message)
    return Outcome(row, data.order_id, "existing", known.get("id"))


def _updated(remote: HttpGateway, data: Any, known: Row, row: int) -> Outcome:
    given = {"options": data.options, "metadata": data.metadata}
    news = {name: value for name, value in given.items() if not value.items() <= (known[name] or {}).items()}
    if not news:
        return Outcome(row, data.order_id, "existing", known["id"])
    remote.ask(orders.update_order, known["id"], OrderUpdateData.model_validate(news))
    return Outcome(row, data.order_id, "updated", known["id"])


# -- trackers --------------------------------------------------------------------------------------


def check_trackers(remote: HttpGateway, table: Rows, plan: TrackerPlan) -> CheckResult:
    """Read the whole file once and send nothing."""
    return _checked_trackers(remote, _tracker_reader(remote, table), table, plan)


def _checked_trackers(
    remote: HttpGateway, reader: TrackerReader, table: Rows, plan: TrackerPlan
) -> CheckResult:
    return tracker_import.check_rows(reader, table, plan, partial(_watched, remote))


def _tracker_reader(remote: HttpGateway, table: Rows) -> TrackerReader:
    """A reader that knows which of the server's carriers can be asked."""
    return tracker_import.reader_of(table, _trackable(remote))


def _trackable(remote: HttpGateway) -> dict[str, str]:
    able = [row for row in active(remote) if "tracking" in (row.get("capabilities") or ())]
    names = ("carrier_id", "carrier_name")
    return {str(row[name]): str(row["carrier_name"]) for row in able for name in names}


def _watched(remote: HttpGateway, number: str) -> Tracker | None:
    try:
        found: Tracker = remote.ask(doors.get_tracker, number)
    except NotFound:
        return None
    return found


def import_trackers(
    remote: HttpGateway, table: Rows, plan: TrackerPlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The trackers of a file; one the carrier knows nothing of yet waits for its first scan.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is sent.
    """
    reader = _tracker_reader(remote, table)
    checked = _checked_trackers(remote, reader, table, plan)
    if not plan.keep_good:
        refuse(checked)
    ways = tracker_import.TrackerGateway(partial(_watched, remote), partial(_added, remote))
    return tracker_import.add_rows(reader, table, plan, checked, ways, 1, progress)


def _added(remote: HttpGateway, data: TrackingData) -> Tracker:
    made: Tracker = remote.ask(trackers.add_tracker, data, pending_pickup=True)
    return made


# -- invoices --------------------------------------------------------------------------------------


def check_invoices(remote: HttpGateway, table: Rows, plan: InvoicePlan) -> CheckResult:
    """Read the whole file once and send nothing."""
    return invoice_import.check_invoice_rows(table)


def import_invoices(
    remote: HttpGateway, table: Rows, plan: InvoicePlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The good lines of a carrier's invoice, sent as one file; the server notes each with its shipment, once.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is sent.
    """
    checked = check_invoices(remote, table, plan)
    if not plan.keep_good:
        refuse(checked)
    results: Results[Outcome] = Results(checked)
    reader, bad = invoice_import.reader_for(table), checked.bad
    charges = [reader.read(row) for row in table if row.number not in bad]
    if not charges:
        return results
    sent = ImportData.model_validate({"resource_type": "billing"})
    batch: BatchOperation = remote.ask(batches.import_data, sent, "invoices.csv", _as_csv(charges))
    while not batches.is_over(batch):
        time.sleep(LOOK_S)
        batch = remote.ask(batches.get_batch, batch.id)
    for charge, one in zip(charges, batch.resources, strict=True):
        failed = one.status == "failed"
        told = _reason(one.errors) if failed else None
        status = "failed" if failed else "created"
        results.rows.append(Outcome(charge.row.number, charge.tracking_number, status, one.id, told))
        progress(len(results.rows), checked.good, results.rows[-1])
    return results


def _as_csv(charges: list[Any]) -> bytes:
    """Charges under the default headers."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(BILLING.values()))
    writer.writeheader()
    for charge in charges:
        facts = {"tracking_number": charge.tracking_number, "carrier": charge.carrier, **charge.line}
        writer.writerow({header: facts.get(name) for name, header in BILLING.items()})
    return text.getvalue().encode()


def _reason(errors: Mapping[str, Any] | None) -> str:
    said = [one.get("message") for one in (errors or {}).get("errors") or ()]
    return "; ".join(str(one) for one in said if one) or invoice_import.UNKNOWN
