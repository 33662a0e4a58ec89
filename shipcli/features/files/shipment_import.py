"""Shipments from a file: checked whole, stored as drafts, rated, bought, in a run that can be interrupted
anywhere.

Every row has a key (its reference, else the digest of the file and the row's number). The table `import_rows`
records the shipment of each key, so that the next run of the same file goes on where the last one stopped.
What a killed run left open with a carrier is settled first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

from shipcli.clocks import real_clock
from shipcli.features.book.addresses import list_problems
from shipcli.features.book.box_choice import FindProduct
from shipcli.features.book.boxes import Boxes
from shipcli.features.book.packed_parcels import pack_in_own_boxes
from shipcli.features.connections.account_names import Names
from shipcli.features.core.interruption import Interrupted
from shipcli.features.core.row_results import (
    CheckResult,
    Results,
    RowErrors,
    do_at_once,
    find_key_columns,
    join_cells,
)
from shipcli.features.files.engine import CHUNK, ImportPlan, RowHandler
from shipcli.features.files.row_sales import (
    ImportItem,
    RowResult,
    RowSale,
    ShipmentStore,
    make_row_result,
)
from shipcli.features.files.shipment_changes import CHANGED, KEPT
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.rule_choice import find_rule
from shipcli.features.shipments.sale import buy_draft
from shipcli.models import (
    BilledAbove,
    CommodityData,
    Conflict,
    CustomsData,
    LimitReached,
    ShipcliError,
    Shipment,
)
from shipcli.models.basics.areas import Place, crosses_customs
from shipcli.models.parts.goods import find_gap
from shipcli.models.purchase_steps import DraftRows, RowDraft
from shipcli.readers.cells import CellError
from shipcli.readers.headers import READ, SHIPMENTS, find_columns
from shipcli.readers.shipments import REQUIRED, SHIPPED_FROM_HERE, ShipmentReader, ShipmentRow, find_column
from shipcli.readers.tables import Row, Rows

RESOURCE = "shipments"
UNPAID = frozenset({"draft", "cancelled"})
ALREADY = "Already shipped: not bought"
REMOVED = "The shipment of this row was removed"


class ShipmentRows(RowHandler[ShipmentRow]):
    """The shipments of a file."""

    def __init__(
        self, table: Rows, plan: ImportPlan, reader: ShipmentReader, shipments: ShipmentStore
    ) -> None:
        super().__init__(table, plan, reader)
        self.shipments = shipments
        self._names = find_key_columns(table, plan.key) or (SHIPMENTS["reference"],)

    def key(self, row: Row) -> str:
        """The columns that the plan names, else the reference, else the file's digest and row's number."""
        return join_cells(row, self._names) or f"{self._own_key}{row.number}"

    @property
    def _own_key(self) -> str:
        """The start of the keys of rows without a name."""
        return f"{self.table.digest[:32]}:"

    def list_unnamed(self, keys: Mapping[int, str]) -> list[int]:
        """The rows without a reference, or the columns that the plan names."""
        return [number for number, key in keys.items() if key.startswith(self._own_key)]

    def list_notes(self, read: ShipmentRow) -> Iterable[CellError]:
        """What the reader changed or left out."""
        return read.notes

    def list_warnings(self, read: ShipmentRow) -> Iterator[CellError]:
        """The postal warnings about a row's addresses, and what the carrier of its service would refuse."""
        # Only a check asks for it: carriers take a while to load.
        from shipcli.features.files import carrier_warnings

        for side in ("shipper", "recipient"):
            for problem in list_problems(getattr(read.data, side)):
                header = SHIPMENTS.get(find_column(f"{side}.{problem.field}"), problem.field)
                yield CellError(read.number, header, problem.reason)
        if read.data and not read.shipped:
            for problem in carrier_warnings.list_refused_fields(read.data, real_clock()):
                field = problem.field.replace("[0]", "")
                header = SHIPMENTS.get(find_column(field), problem.field)
                yield CellError(read.number, header, problem.reason)

    def find_gap(self, read: ShipmentRow) -> str | None:
        """What customs require that the goods of a row lack."""
        data = read.data
        if data is None or read.shipped:
            return None
        if not crosses_customs(data.shipper, data.recipient):
            return None
        customs = data.customs.commodities if isinstance(data.customs, CustomsData) else []
        gap = find_gap([article for article in customs if isinstance(article, CommodityData)])
        return (
            f"{data.reference or 'no reference'} to {Place.of(data.recipient).country}: {gap}"
            if gap
            else None
        )

    def list_open(self, keys: Mapping[int, str]) -> list[int]:
        """The rows of these keys that no earlier run bought."""
        states = self.known_states(keys)
        return [number for number in keys if states.get(number, "draft") == "draft"]

    def compare(self, errors: RowErrors) -> None:
        """Check that every key occurs once, and in no earlier import if that is an error."""
        column = " + ".join(self.plan.key) or SHIPMENTS["reference"]
        for numbers in (numbers for numbers in errors.rows.values() if len(numbers) > 1):
            for number in numbers:
                others = ", ".join(str(other) for other in numbers if other != number)
                errors.blame(number, column, f"the same key as row {others}")
        if self.plan.on_duplicate == "error":
            for number, state in self.known_states(errors.keys).items():
                errors.blame(number, column, f"imported before, now {state}")

    def known_states(self, keys: Mapping[int, str]) -> dict[int, str]:
        """The states of the rows that were imported before."""
        rows = self.shipments.known_rows(keys.values())
        return {number: str(rows[key]["state"]) for number, key in keys.items() if key in rows}

    # -- buying --------------------------------------------------------------------------------

    def store(self, rows: Iterator[ShipmentRow], results: Results[Any]) -> Iterator[RowResult]:
        """Store row after row, in file order; several at once where carriers answer slowly.

        A row that is dearer than what is left of the budget is passed over; those behind it go on.
        """
        checked, bad = results.checked, results.checked.bad
        left = {number: key for number, key in checked.keys.items() if number not in bad}
        work, limit = self._prepare(rows, checked), None
        for item, outcome in do_at_once(
            work, self._do, self.shipments.workers, lambda: bool(results.stopped)
        ):
            del left[item.number]
            if isinstance(outcome, LimitReached):
                limit = limit or outcome
                results.stopped = results.stopped or (limit if self.plan.budget.is_spent else None)
                yield item.result("waiting", str(outcome))
            else:
                yield outcome
        if left:
            results.stopped = results.stopped or Interrupted()
        stored = self.shipments.known_rows(left.values())
        for number, key in left.items():
            yield RowResult(
                number, key, None, "waiting", stored[key]["shipment_id"] if key in stored else None
            )
        results.stopped = results.stopped or limit

    def _prepare(self, rows: Iterator[ShipmentRow], checked: CheckResult) -> Iterator[ImportItem]:
        """The rows to process: what an interrupted run left open is settled, every row has its draft, and the
        budget has counted what earlier runs paid.
        """
        shipped, changed = set[int](), set[int]()
        self.shipments.settle(self.shipments.known_rows(checked.keys.values()))
        while chunk := list(islice(rows, CHUNK)):
            shipped |= {parsed.number for parsed in chunk if parsed.shipped}
            changed |= self.shipments.store_drafts(self._make_drafts(chunk))
        stored, bad = self.shipments.known_rows(checked.keys.values()), checked.bad
        count_spent(self.plan.budget, stored.values())
        for number, key in checked.keys.items():
            if number not in bad:
                id = stored[key]["shipment_id"] if key in stored else None
                yield ImportItem(number, key, id, number in shipped, is_changed=number in changed)

    def _make_drafts(self, chunk: Sequence[ShipmentRow]) -> DraftRows:
        rows = [
            RowDraft(key=self.key(parsed.row), number=parsed.number, data=parsed.data)
            for parsed in chunk
            if parsed.data and not parsed.shipped
        ]
        return DraftRows(digest=self.table.digest, on_duplicate=self.plan.on_duplicate, rows=rows)

    def _do(self, item: ImportItem) -> RowResult | LimitReached:
        if item.is_shipped:
            return item.result("shipped", ALREADY)
        shipment: Shipment | None = None
        try:
            shipment = self.shipments.open(item)
            if shipment is None:
                return replace(item.result("failed", REMOVED), shipment_id=None)
            if shipment.status != "draft":
                return self._tell_earlier(item, shipment)
            return make_row_result(item, self._advance(item, shipment))
        except BilledAbove as error:
            return _end(item, shipment, "failed", error.message)
        except LimitReached as error:
            return error
        except self.shipments.unsure as error:
            return _end(item, shipment, "needs_attention" if shipment else "failed", error.describe())
        except Conflict as error:
            now = self.shipments.look_again(item)
            if now is None or now.status == "draft":
                return _end(item, now or shipment, "failed", error.message)
            return replace(make_row_result(item, now), earlier=True)
        except ShipcliError as error:
            return _end(item, shipment, "failed", error.describe())

    def _tell_earlier(self, item: ImportItem, shipment: Shipment) -> RowResult:
        """Report what an earlier run made of a row, and whether that still matches the row."""
        result = replace(make_row_result(item, shipment), earlier=True)
        if result.status != "purchased" or not item.is_changed:
            return result
        return replace(result, differs=True, message="; ".join(filter(None, (result.message, KEPT))))

    def _advance(self, item: ImportItem, draft: Shipment) -> Shipment:
        """Rate a draft, and buy it if the plan says so."""
        plan, draft = self.plan, self.shipments.rate(item, draft)
        names_service = draft.options.get("preferred_service") or find_rule(draft)
        if plan.buy is None or (plan.buy == "service" and not names_service):
            return self.shipments.keep(item, draft)
        if item.is_changed:
            raise Conflict(CHANGED)
        return buy_draft(RowSale(self.shipments, plan, item), draft)


def count_spent(budget: Budget, rows: Iterable[Mapping[str, Any]]) -> None:
    """Count what earlier runs paid, or may have paid, for these rows; cancelled labels are free.

    Errors: LimitReached if they paid in another currency than the budget's.
    """
    for row in rows:
        if row["total_charge"] and row["state"] not in UNPAID:
            budget.count_spent(Decimal(row["total_charge"]), row["currency"])


def _end(item: ImportItem, shipment: Shipment | None, status: str, message: str) -> RowResult:
    result = make_row_result(item, shipment) if shipment else item.result(status)
    return replace(result, status=status, message=message)


def make_reader(
    table: Rows,
    connections: Iterable[Names],
    services: Iterable[str],
    plan: ImportPlan,
    product: FindProduct,
    boxes: Boxes,
) -> ShipmentReader:
    """A reader that knows these connections, by all their names, and these services; rows keep to those of
    the plan.

    Errors: Invalid naming missing columns.
    """
    required = SHIPPED_FROM_HERE if plan.shipper else REQUIRED
    columns = find_columns(table.headers, READ[RESOURCE], required, table.name, table.label)
    carriers: dict[str, list[str]] = {}
    for carrier_id, names in connections:
        for name in names:
            carriers.setdefault(name, []).append(carrier_id)
    chosen = frozenset(carrier_id for name in plan.carriers for carrier_id in carriers.get(name, ()))
    return ShipmentReader(
        columns,
        carriers,
        frozenset(services),
        chosen,
        plan.units,
        plan.shipper,
        plan.label_type,
        product,
        partial(pack_in_own_boxes, boxes, product),
    )
