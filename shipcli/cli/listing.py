"""Lists of stored objects: pages, all of them, or in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.cells import Raw, cell, plain
from shipcli.cli.context import current
from shipcli.cli.output import show_list
from shipcli.cli.paths import MISSING, look_up

if TYPE_CHECKING:
    from shipcli.store.query import Filter

Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="How many to show.")]
Offset = Annotated[int, typer.Option("--offset", min=0, metavar="N", help="How many to leave out first.")]
Every = Annotated[bool, typer.Option("--all", help="Show all, not one page.")]
Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="FIELD", help="Order by this field; -FIELD for the other way round."),
]
Change = Callable[[dict[str, Any]], Any]
PAGE = 20


@dataclass(frozen=True)
class Paging:
    """Which part of a list, and in which order."""

    limit: int = PAGE
    offset: int = 0
    every: bool = False
    sort: str | None = None


def show_page(
    kind: str,
    where: Sequence[Filter],
    columns: Sequence[str],
    paging: Paging,
    *,
    change: Change | None = None,
) -> None:
    """Print the list of a kind, newest first unless sorted; `change` turns a document into what is shown."""
    app = current().app
    store, mode = app.store, app.test_mode
    if paging.sort or paging.every:
        count = store.count(kind, where, mode)
        rows: Iterable[Any] = store.each(kind, where, mode)
        rows = _sorted(rows, paging.sort) if paging.sort else rows
        rows = rows if paging.every else list(rows)[paging.offset : paging.offset + paging.limit]
    else:
        page = store.page(kind, where, paging.limit, paging.offset, mode)
        count, rows = page.count, map(Raw, page.items)
    show_list(_changed(rows, change), columns, head=envelope(count, paging), tail="]}")


def _changed(rows: Iterable[Any], change: Change | None) -> Iterable[Any]:
    return rows if change is None else (change(plain(row)) for row in rows)


def _sorted(rows: Iterable[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Numbers by size, text by letters, what has no value last."""
    field, down = sort.removeprefix("-"), sort.startswith("-")

    def key(row: dict[str, Any]) -> tuple[bool, Any]:
        value = look_up(row, field)
        is_number = isinstance(value, int | Decimal)
        return not is_number, value if is_number else cell(value).casefold()

    found = [(look_up(row, field) in (None, MISSING), row) for row in rows]
    valued = sorted((row for empty, row in found if not empty), key=key, reverse=down)
    return [*valued, *(row for empty, row in found if empty)]


def envelope(count: int, paging: Paging) -> str:
    """The beginning of the API's envelope; the links are relative queries."""
    from shipcli.models.json import dumps

    following = paging.offset + paging.limit
    before = max(paging.offset - paging.limit, 0)
    forward = None if paging.every or following >= count else f"?limit={paging.limit}&offset={following}"
    back = None if paging.every or not paging.offset else f"?limit={paging.limit}&offset={before}"
    return f'{{"count":{count},"next":{dumps(forward)},"previous":{dumps(back)},"results":['
