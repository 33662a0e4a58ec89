"""Lists of stored objects: a page, all of them, or in another order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.console.cells import Raw, convert_to_plain, format_cell
from shipcli.cli.console.field_names import check_fields, list_declared_fields
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_list
from shipcli.cli.console.paths import MISSING, look_up
from shipcli.cli.current_run import get_run
from shipcli.models.basics.json import dumps

if TYPE_CHECKING:
    from shipcli.cli.stored_noun_table import Change
    from shipcli.gateway.where import ListFilter

Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="How many to show.")]
StopAfter = Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="Stop after this many.")]
Offset = Annotated[int, typer.Option("--offset", min=0, metavar="N", help="How many to skip.")]
Every = Annotated[bool, typer.Option("--all", help="Show all, not one page.")]
Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="FIELD", help="Sort by this field; -FIELD reverses the order."),
]
PAGE = 20


@dataclass(frozen=True)
class Paging:
    """The part of a list to show, and its order."""

    limit: int = PAGE
    offset: int = 0
    every: bool = False
    sort: str | None = None
    oldest: bool = False  # first, by the day of an order


def show_page(
    kind: str,
    where: ListFilter,
    columns: Sequence[str],
    paging: Paging,
    *,
    change: Change | None = None,
    hide: Change | None = None,
) -> int:
    """Print the list of a kind, newest first unless sorted; the number of all that match.

    Shapes: `change` turns a stored document into its REST form, `hide` that form into what may be shown.
    """
    count, rows = _find(kind, where, paging)
    if not get_run().api_url:
        rows = _change_each((Raw(row) if isinstance(row, str) else row for row in rows), change)
    head, view = write_envelope_head(count, paging), VIEWS.get(kind, ())
    show_list(_change_each(rows, hide), columns, head=head, tail="]}", total=count, view=view)
    return count


def _find(kind: str, where: ListFilter, paging: Paging) -> tuple[int, Iterable[Any]]:
    """How many rows there are, and those to show, in the requested order."""
    gateway = get_run().gateway
    if not (paging.sort or paging.every or paging.oldest):
        return gateway.page(kind, where, paging.limit, paging.offset)
    count, rows = gateway.every(kind, where)
    if paging.sort:
        rows = _sort(rows, paging.sort)
    elif paging.oldest:
        rows = list(rows)
        rows.reverse()  # of one day the first stored comes first
        rows.sort(key=measure_day)
    return count, rows if paging.every else list(rows)[paging.offset : paging.offset + paging.limit]


def measure_day(order: Any) -> str:
    """The day of an order, to sort by."""
    return str(look_up(order, "order_date") or look_up(order, "created_at"))[:10]


def _change_each(rows: Iterable[Any], change: Change | None) -> Iterable[Any]:
    return rows if change is None else (change(convert_to_plain(row)) for row in rows)


def _sort(rows: Iterable[Any], sort: str) -> list[Any]:
    """Sort numbers by size and text alphabetically; rows without a value come last.

    Errors: Usage for a field that the rows lack.
    """
    field, down = sort.removeprefix("-"), sort.startswith("-")

    def key(row: Any) -> tuple[bool, Any]:
        value = look_up(row, field)
        is_number = isinstance(value, int | Decimal)
        return not is_number, value if is_number else format_cell(value).casefold()

    rows = list(rows)
    sample = rows[0] if rows else list_declared_fields(get_run().path)
    if sample:
        check_fields(sample, [field], "--sort")
    filled = [row for row in rows if look_up(row, field) not in (None, MISSING)]
    empty = [row for row in rows if look_up(row, field) in (None, MISSING)]
    return [*sorted(filled, key=key, reverse=down), *empty]


def write_envelope_head(count: int, paging: Paging) -> str:
    """The beginning of the API's envelope; the links are relative queries."""
    following = paging.offset + paging.limit
    before = max(paging.offset - paging.limit, 0)
    forward = None if paging.every or following >= count else f"?limit={paging.limit}&offset={following}"
    back = None if paging.every or not paging.offset else f"?limit={paging.limit}&offset={before}"
    return f'{{"count":{count},"next":{dumps(forward)},"previous":{dumps(back)},"results":['
