"""Orders from a file: checked whole, then stored, each with all its lines at once.

Rows with the same order number and source are one order; the first of them holds the order's own cells. An
order that is known already is used as it is. A run that was killed is finished by running it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.core.merge import merge_keys
from shipcli.features.core.row_results import (
    CheckResult,
    OnDuplicate,
    Outcome,
    Progress,
    Results,
    RowErrors,
    join_cells,
    key_columns,
    refuse,
    show_nothing,
)
from shipcli.features.orders.service import find_known_order, order_of, put, store_new
from shipcli.features.parts import nested as members
from shipcli.features.parts.addresses import problems_of
from shipcli.features.parts.lookup import list_order_shipments
from shipcli.imports.cells import Wrong
from shipcli.imports.headers import ORDERS, READ, columns
from shipcli.imports.orders import REQUIRED, SIDES, OrderReader, OrderRow, column_of, whole_order
from shipcli.imports.tables import Row, Rows
from shipcli.models import Invalid
from shipcli.models.units import KILOGRAMS, Units

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

Known = Callable[[str, str], "tuple[str, str] | None"]
CHUNK = 200
NUMBER = ORDERS["order_id"]
CANCELLED = "It was cancelled; --on-duplicate update makes it anew"
SHIPPING = "It is being shipped and was left as it is"


@dataclass(frozen=True)
class OrderPlan:
    """What to do with a file of orders; `key` names the columns that tell orders apart."""

    on_duplicate: OnDuplicate = "skip"
    keep_good: bool = False
    key: tuple[str, ...] = ()
    meta: Mapping[str, Any] | None = None  # of the orders it makes
    units: Units = KILOGRAMS  # of weights without one; None refuses them


def _columns(table: Rows) -> dict[str, str]:
    """Field to header of a file of orders.

    Errors: Invalid naming the columns that are missing; what sells seldom says what it weighs.
    """
    known = READ["orders"]
    if known["weight"] not in table.headers:
        reason = "No column holds weights: give them with --set weight=0.5kg or --products FILE."
        raise Invalid(table.name, reason)
    return columns(table.headers, known, REQUIRED, table.name, table.label)


def reader_for(table: Rows, units: Units = KILOGRAMS) -> OrderReader:
    """Errors: Invalid naming missing columns."""
    return OrderReader(_columns(table), units)


class _Reading:
    """One reading of the file: knows each row's order."""

    def __init__(self, table: Rows, plan: OrderPlan) -> None:
        self.reader = reader_for(table, plan.units)
        self._names = key_columns(table, plan.key)

    def key(self, row: Row) -> str:
        own = join_cells(row, self._names) if self._names else ""
        return own or "\x1f".join(self.reader.key(row))


# -- checking --------------------------------------------------------------------------------------


def check_orders(app: App, table: Rows, plan: OrderPlan, *, warn: bool = False) -> CheckResult:
    """Read the whole file once and store nothing. All rows of an order with a bad row are bad.

    Errors: Invalid when the file is not a table or lacks columns.
    """
    return check_order_rows(table, plan, partial(_known, app), warn=warn)


def _known(app: App, number: str, source: str) -> tuple[str, str] | None:
    return find_known_order(app.store, app, number, source)


def check_order_rows(table: Rows, plan: OrderPlan, known: Known, *, warn: bool = False) -> CheckResult:
    """The same; `known` gives id and status of the order that a store has under a number and source."""
    reading, found = _Reading(table, plan), RowErrors(table)
    orders: dict[str, tuple[str, str]] = {}
    for row in table:
        key = reading.key(row)
        line = reading.reader.read(row, first=key not in orders)
        orders.setdefault(key, line.key)
        found.enter(row.number, key, line.wrong)
        if warn and line.order:
            found.warnings += address_warnings(line)
    _blame_equal_numbers(found, orders)
    if plan.on_duplicate == "error":
        _blame_known(known, found, orders)
    _blame_companions(found)
    return found.checked()


def _blame_equal_numbers(found: RowErrors, orders: Mapping[str, tuple[str, str]]) -> None:
    """Orders that the chosen key tells apart must not have the same number and source."""
    first: dict[tuple[str, str], str] = {}
    for key, order in orders.items():
        other = first.setdefault(order, key)
        if other != key:
            reason = f"the same order number and source as row {found.rows[other][0]}, with another key"
            found.blame(found.rows[key][0], NUMBER, reason)


def _blame_known(known: Known, found: RowErrors, orders: Mapping[str, tuple[str, str]]) -> None:
    for key, order in orders.items():
        one = known(*order)
        if one:
            found.blame(found.rows[key][0], NUMBER, f"the order exists already: {one[0]}, {one[1]}")


def _blame_companions(found: RowErrors) -> None:
    bad = list(found.wrong)
    for key in {found.keys[number] for number in bad}:
        culprit = next(number for number in found.rows[key] if number in found.wrong)
        for number in found.rows[key]:
            if number not in found.wrong:
                found.blame(number, NUMBER, f"row {culprit} of the same order is wrong")


def address_warnings(line: OrderRow) -> Iterator[Any]:
    """What the postal rules say of a good order's addresses; they refuse nothing."""
    for field in SIDES:
        address = getattr(line.order, field)
        for problem in problems_of(address) if address else ():
            header = READ["orders"].get(column_of(f"{field}.{problem.field}"), problem.field)
            yield Wrong(line.number, header, problem.reason)


# -- storing ---------------------------------------------------------------------------------------


def import_orders(
    app: App, table: Rows, plan: OrderPlan, *, progress: Progress = show_nothing
) -> Results[Outcome]:
    """The orders of a file, stored.

    Errors: Invalid naming every bad cell, unless the plan keeps good orders; then nothing is stored.
    """
    checked = check_orders(app, table, plan)
    if not plan.keep_good:
        refuse(checked)
    results: Results[Outcome] = Results(checked)
    whole = whole_orders(table, plan, checked)
    done = 0
    while chunk := list(islice(whole, CHUNK)):
        results.rows += _store(app, plan, chunk)
        done += sum(len(lines) for lines in chunk)
        progress(done, checked.good, results.rows[-1])
    results.rows.sort(key=lambda outcome: outcome.row)
    return results


def whole_orders(table: Rows, plan: OrderPlan, checked: CheckResult) -> Iterator[list[OrderRow]]:
    """The lines of one order after another, each handed on with its last row."""
    reading, bad = _Reading(table, plan), checked.bad
    last = {key: number for number, key in checked.keys.items()}
    waiting: dict[str, list[OrderRow]] = {}
    for row in table:
        if row.number in bad:
            continue
        key = reading.key(row)
        line = reading.reader.read(row, first=key not in waiting)
        waiting.setdefault(key, []).append(line)
        if last[key] == row.number:
            yield waiting.pop(key)


def _store(app: App, plan: OrderPlan, chunk: Sequence[Sequence[OrderRow]]) -> list[Outcome]:
    orders = [(lines[0].number, order_of(app, whole_order(lines), plan.meta)) for lines in chunk]
    with app.store.transaction() as tx:
        return [take(app, tx, order, plan.on_duplicate, row=row) for row, order in orders]


def take(
    app: App, tx: Transaction, order: Mapping[str, Any], on_duplicate: OnDuplicate, *, row: int
) -> Outcome:
    """Store an order, unless there is one of its number and source."""
    number = order["order_id"]
    known = find_known_order(tx, app, number, order["source"])
    if known is None or (known[1] == "cancelled" and on_duplicate == "update"):
        store_new(app, tx, order)
        return Outcome(row, number, "created", order["id"])
    id, status = known
    if status == "cancelled":
        return Outcome(row, number, "cancelled", id, CANCELLED)
    if on_duplicate != "update":
        return Outcome(row, number, "existing", id)
    return _renew(app, tx, order, id, row)


def _renew(app: App, tx: Transaction, order: Mapping[str, Any], id: str, row: int) -> Outcome:
    """Write the file's order over a known one that nothing ships yet."""
    from shipcli.events import emit

    number, old = order["order_id"], tx.get("order", id) or {}
    if old["status"] != "unfulfilled" or list_order_shipments(tx, id):
        return Outcome(row, number, "existing", id, SHIPPING)
    both = {name: merge_keys(old.get(name) or {}, order[name]) for name in ("options", "metadata", "meta")}
    plain = {**order, "id": id, "created_at": old["created_at"], **both}
    if drop_ids(plain) == drop_ids(old):
        return Outcome(row, number, "existing", id)
    put(app, tx, plain)
    tx.remove("members", {"owner_id": id})
    members.enter(tx, "order", plain)
    emit(tx, app, "order_updated", plain)
    return Outcome(row, number, "updated", id)


def drop_ids(value: Any) -> Any:
    """A document without the ids in it, and without what rests elsewhere, to compare what it says."""
    if isinstance(value, Mapping):
        kept: Iterable[str] = (name for name in value if name not in ("id", "shipments"))
        return {name: drop_ids(value[name]) for name in kept}
    return [drop_ids(one) for one in value] if isinstance(value, list) else value
