"""Orders from a file: checked as a whole, then stored, each with all its lines at once.

Rows with the same order number and source are one order; the first of them holds the order's own cells. An
order that is known already is used as it is. A run that was killed is finished by running it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from shipcli.events import emit
from shipcli.features.book import nested
from shipcli.features.book.addresses import list_problems
from shipcli.features.core.merge import drop_ids, merge_keys
from shipcli.features.core.row_results import (
    OnDuplicate,
    Outcome,
    Results,
    RowErrors,
    find_key_columns,
    join_cells,
)
from shipcli.features.core.shipment_lookup import list_order_shipments
from shipcli.features.files.engine import CHUNK, ImportPlan, RowHandler, store_in_chunks
from shipcli.features.orders.changes import BEFORE_EDIT, EDITED
from shipcli.features.orders.fulfilment import MARK
from shipcli.features.orders.origins import COMBINED_FROM, SPLIT
from shipcli.features.orders.service import (
    find_host,
    find_known_order,
    find_or_store,
    is_being_bought,
    list_number_locks,
    make_order,
    put,
)
from shipcli.models import OrderData
from shipcli.models.basics.problems import Problem
from shipcli.models.parts.articles import identify_article
from shipcli.models.parts.parcel import Goods
from shipcli.models.purchase_steps import ImportedOrders, SavedOrder, SavedOrders
from shipcli.readers.addresses import ADDRESS, LINES
from shipcli.readers.cells import CellError
from shipcli.readers.headers import ORDERS, READ, find_columns
from shipcli.readers.mapping import LINE
from shipcli.readers.orders import REQUIRED, SIDES, OrderReader, OrderRow, find_column, join_order_lines
from shipcli.readers.tables import Row, Rows

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

NUMBER = ORDERS["order_id"]
CANCELLED = "It was cancelled; --on-duplicate update makes it anew"
BY_HAND = "It was edited by hand, the file says what it said before: left as it is"
PARTED = "It was split or combined and was left as it is"
SHIPPING = "It is being shipped and was left as it is"
Plain = Mapping[str, Any]
Has = Callable[[str], bool]  # whether a file has a column for a field


class ReadOrder(NamedTuple):
    """An order of a file, and the rows that make it up."""

    data: OrderData
    lines: Sequence[OrderRow]

    @property
    def row(self) -> int:
        """The number of its first row."""
        return self.lines[0].number

    def has(self, field: str) -> bool:
        """Whether its file has a column for a field."""
        return READ["orders"][field] in self.lines[0].row.cells

    def list_fields(self) -> list[str]:
        """The fields that its file has a column for."""
        return [field for field in READ["orders"] if self.has(field)]

    def tell(self, saved: SavedOrder) -> Outcome:
        """What became of it."""
        return Outcome(self.row, self.data.order_id, saved.status, saved.id, saved.message, len(self.lines))


class OrderStore(Protocol):
    """Where orders are stored."""

    def find(self, number: str, source: str) -> tuple[str, str] | None:
        """Id and status of the order with a number and source."""

    def save(self, orders: Sequence[ReadOrder], on_duplicate: OnDuplicate) -> Iterable[Outcome]:
        """Store orders, unless orders with their numbers and sources exist."""


class OrderRows(RowHandler[OrderRow]):
    """The line items of a file of orders.

    Errors: Invalid naming missing columns.
    """

    def __init__(self, table: Rows, plan: ImportPlan, orders: OrderStore) -> None:
        columns = find_columns(table.headers, READ["orders"], REQUIRED, table.name, table.label)
        self._lines, self._orders = OrderReader(columns, plan.units), orders
        super().__init__(table, plan, self._lines)
        self._names = find_key_columns(table, plan.key)
        self._numbers: dict[str, tuple[str, str]] = {}  # order number and source by key, as read so far

    def read(self, rows: Iterable[Row]) -> Iterator[OrderRow]:
        """The line items of rows, with the order at the first of them."""
        self._numbers = {}
        for row in rows:
            key = self.key(row)
            line = self._lines.read(row, first=key not in self._numbers)
            self._numbers.setdefault(key, line.key)
            yield line

    def key(self, row: Row) -> str:
        """The columns that the plan names, else order number and source."""
        return join_cells(row, self._names) or "\x1f".join(self._lines.key(row))

    def list_notes(self, read: OrderRow) -> Iterable[CellError]:
        """What the reader changed or left out."""
        return read.notes

    def list_warnings(self, read: OrderRow) -> Iterator[CellError]:
        """The postal warnings about an order's addresses, the same one only once."""
        seen = set[Problem]()
        for field in SIDES if read.order else ():
            address = getattr(read.order, field)
            for problem in list_problems(address) if address else ():
                if problem not in seen:
                    header = READ["orders"].get(find_column(f"{field}.{problem.field}"), problem.field)
                    yield CellError(read.number, header, problem.reason)
                seen.add(problem)

    def compare(self, errors: RowErrors) -> None:
        """Check that order numbers are unique, and new if the plan says so; an order's rows fail together."""
        first: dict[tuple[str, str], str] = {}
        for key, order in self._numbers.items():
            other = first.setdefault(order, key)
            if other != key:
                reason = f"the same order number and source as row {errors.rows[other][0]}, with another key"
                errors.blame(errors.rows[key][0], NUMBER, reason)
            existing = self._orders.find(*order) if self.plan.on_duplicate == "error" else None
            if existing:
                errors.blame(
                    errors.rows[key][0], NUMBER, f"the order exists already: {existing[0]}, {existing[1]}"
                )
        _blame_companions(errors)

    def store(self, rows: Iterator[OrderRow], results: Results[Any]) -> Iterator[Outcome]:
        """Store complete orders; one in the middle of which the run was stopped is left out."""
        last = {key: number for number, key in results.checked.keys.items()}
        orders = (ReadOrder(join_order_lines(lines), lines) for lines in self._whole(rows, last))
        return store_in_chunks(orders, lambda some: self._orders.save(some, self.plan.on_duplicate), CHUNK)

    def group(self, rows: Iterable[OrderRow]) -> Iterator[list[OrderRow]]:
        """The lines of one order after another, each given with its last row."""
        return self._whole(rows, {self.key(row): row.number for row in self.table})

    def _whole(self, rows: Iterable[OrderRow], last: Mapping[str, int]) -> Iterator[list[OrderRow]]:
        waiting: dict[str, list[OrderRow]] = {}
        for line in rows:
            key = self.key(line.row)
            waiting.setdefault(key, []).append(line)
            if last[key] == line.number:
                yield waiting.pop(key)


def _blame_companions(errors: RowErrors) -> None:
    bad = list(errors.wrong)
    for key in {errors.keys[number] for number in bad}:
        culprit = next(number for number in errors.rows[key] if number in errors.wrong)
        for number in errors.rows[key]:
            if number not in errors.wrong:
                errors.blame(number, NUMBER, f"row {culprit} of the same order is wrong")


# -- here ------------------------------------------------------------------------------------------


def make_order_rows(app: App, table: Rows, plan: ImportPlan) -> OrderRows:
    """Make the rows of a file of orders, for this store."""
    return OrderRows(table, plan, OrdersHere(app))


class OrdersHere:
    """The orders of this store."""

    def __init__(self, app: App) -> None:
        self._app = app

    def find(self, number: str, source: str) -> tuple[str, str] | None:
        """Id and status of the order with a number and source."""
        return find_known_order(self._app.store, self._app, number, source)

    def save(self, orders: Sequence[ReadOrder], on_duplicate: OnDuplicate) -> list[Outcome]:
        """Store orders in one transaction."""
        saved = store_orders(self._app, [(order.data, order.has) for order in orders], on_duplicate)
        return [order.tell(result) for order, result in zip(orders, saved, strict=True)]


def save_orders(app: App, data: ImportedOrders) -> SavedOrders:
    """Store orders of a file that another machine has read."""
    orders = [(order.data, frozenset(order.fields).__contains__) for order in data.orders]
    return SavedOrders(orders=store_orders(app, orders, data.on_duplicate))


def store_orders(
    app: App, orders: Sequence[tuple[OrderData, Has]], on_duplicate: OnDuplicate
) -> list[SavedOrder]:
    """Store orders in one transaction, each with what tells the fields that its file has a column for."""
    made = [(make_order(app, data), has) for data, has in orders]
    new = [order for order, _ in made]
    with app.store.transaction(locks=lambda reader: list_number_locks(app, reader, new)) as tx:
        return [_save(app, tx, order, has, on_duplicate) for order, has in made]


def _save(
    app: App, tx: Transaction, order: Mapping[str, Any], has: Has, on_duplicate: OnDuplicate
) -> SavedOrder:
    id, status = find_or_store(app, tx, order, anew=on_duplicate == "update")
    if status is None:
        return _tell("created", id)
    if status == "cancelled":
        host = find_host(tx, id)
        text = f"It was combined with {host} and was left as it is" if host else CANCELLED
        return _tell("existing" if host else "cancelled", id, text)
    if on_duplicate != "update":
        return _tell("existing", id)
    return _renew(app, tx, order, has, id)


def _tell(status: str, id: str, message: str | None = None) -> SavedOrder:
    return SavedOrder(status=status, id=id, message=message)


def _renew(app: App, tx: Transaction, order: Mapping[str, Any], has: Has, id: str) -> SavedOrder:
    """Replace a known order that has no live shipment; fields without a column stay, and so do the changes
    of a person, until the file says something else than before.
    """
    old = tx.get("order", id) or {}
    meta = old.get("meta") or {}
    if old["status"] != "unfulfilled" or _has_draft(tx, id) or is_being_bought(tx, id):
        return _tell("existing", id, SHIPPING)
    merged = keep_unsaid(order, {**old, **meta.get(BEFORE_EDIT, {})}, has)
    if BEFORE_EDIT in meta:
        if any(drop_ids(merged[name]) != meta[BEFORE_EDIT][name] for name in EDITED) and not _is_parted(meta):
            meta = {name: value for name, value in meta.items() if name != BEFORE_EDIT}
        else:
            return _tell("existing", id, PARTED if _is_parted(meta) else BY_HAND)
    plain = _join_known(merged, {**old, "meta": meta}, id)
    if drop_ids(plain) == drop_ids(old):
        return _tell("existing", id)
    put(app, tx, plain)
    nested.leave_all(tx, id)
    nested.enter(tx, "order", plain)
    emit(tx, app, "order_updated", plain)
    return _tell("updated", id)


def _has_draft(tx: Transaction, id: str) -> bool:
    """Whether a person keeps a draft of an order; those that a run left, it makes anew."""
    drafts = (shipment for shipment in list_order_shipments(tx, id) if shipment["status"] == "draft")
    return any((draft.get("meta") or {}).get(MARK) != id for draft in drafts)


def _is_parted(meta: Plain) -> bool:
    """Whether a person split an order or combined it with others: its file knows nothing of its lines now."""
    return SPLIT in meta or COMBINED_FROM in meta


def _join_known(order: Plain, old: Plain, id: str) -> dict[str, Any]:
    """An order of a file with what the known one has beside it; lines of the same article keep their ids."""
    objects = {name: merge_keys(old.get(name) or {}, order[name]) for name in ("options", "metadata", "meta")}
    known = list(old["line_items"])
    lines = [_take_id(line, known) for line in order["line_items"]]
    return {**order, "id": id, "created_at": old["created_at"], **objects, "line_items": lines}


def _take_id(line: Plain, known: list[Any]) -> dict[str, Any]:
    """A line with the id of the known one of its article, which is taken off the list."""
    same = (old for old in known if all(old[name] == line[name] for name in ("sku", "title")))
    old = next(same, None)
    if old:
        known.remove(old)
    return {**line, "id": old["id"] if old else line["id"]}


# -- what a file has no column for -----------------------------------------------------------------


def keep_unsaid(order: Plain, existing: Plain, has: Has) -> dict[str, Any]:
    """An order of a file, completed from the known one where the file has no column."""
    sides = {field: _merge_side(order[field], existing[field], side, has) for field, side in SIDES.items()}
    date = order if has("order_date") else existing
    lines = [_merge_line(line, existing["line_items"], has) for line in order["line_items"]]
    return {**order, **sides, "order_date": date["order_date"], "line_items": lines}


def _merge_side(new: Plain | None, old: Plain | None, side: str, has: Has) -> Plain | None:
    """An address; the known one if the file has no column of it. A line may stand in the next one's field."""
    has_lines = any(has(f"{side}_{part}") for part in LINES)
    parts = {name: has_lines if part in LINES else has(f"{side}_{part}") for part, name in ADDRESS.items()}
    unsaid = [name for name, is_said in parts.items() if not is_said]
    if len(unsaid) == len(ADDRESS):
        return old
    return {**new, **{name: old[name] for name in unsaid}} if new and old else new


def _merge_line(new: Plain, existing: Sequence[Plain], has: Has) -> Plain:
    """A line item, completed from the known one of the same article."""
    told = [has("sku"), has("title"), has("variant") or has("metadata")]
    same = (old for old in existing if any(told) and _identify(old, told) == _identify(new, told))
    old = next(same, new)
    line = {**new, **{name: old[name] for name in LINE if name in new and not has(name)}}
    metadata = {**(old["metadata"] or {}), **(new["metadata"] or {})}
    return {**line, "metadata": metadata, "unfulfilled_quantity": line["quantity"]}


def _identify(line: Plain, told: Sequence[bool]) -> list[str]:
    """What tells the article of a line from others, as far as a file tells it."""
    return list(compress(identify_article(Goods.model_validate(line)), told))
