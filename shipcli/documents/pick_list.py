"""The pick list: what to pick for many orders, article by article, then what each order gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shipcli.documents import facts
from shipcli.drawing.elements import Page
from shipcli.drawing.page_layout import PageLayout, wrap_text
from shipcli.drawing.paper import PLAIN, Letterhead
from shipcli.drawing.table import Cell, TableColumn, draw_table, measure_room
from shipcli.models import Commodity
from shipcli.models.basics.text import count_text
from shipcli.models.parts.articles import identify_article

Wanted = Sequence[tuple[str, Sequence[Commodity]]]
MOST_LINES = 6  # of order numbers in one row; what follows stands in a row below it
FOR = TableColumn("For", 32, lines=MOST_LINES, narrow=0)
ARTICLES = (
    TableColumn("", 5, narrow=8),
    TableColumn("SKU", 20, lines=24, narrow=28),
    TableColumn("Article", 32, lines=9, narrow=46),
    TableColumn("Quantity", 11, "R", narrow=18),
    FOR,
)
ORDERS = (
    TableColumn("", 5, narrow=8),
    TableColumn("Order", 55, lines=3),
    TableColumn("Articles", 20, "R"),
    TableColumn("Pieces", 20, "R"),
)


class Need(NamedTuple):
    """An article to pick: how many in all, and how many for each order."""

    sku: str
    title: str
    more: tuple[str, ...]
    quantity: int
    wanted: tuple[tuple[str, int], ...]


def list_needs(orders: Wanted) -> list[Need]:
    """The combined articles of many shipments or orders, sorted by SKU.

    Articles are the same if SKU, title and variant are.
    """
    names: dict[tuple[str, str, str], Commodity] = {}
    numbers: dict[tuple[str, str, str], Counter[str]] = {}
    for name, items in orders:
        for item in items:
            key = identify_article(item)
            names.setdefault(key, item)
            numbers.setdefault(key, Counter())[name] += item.quantity
    return sorted(
        Need(key[0], *facts.describe_item(names[key]), by.total(), tuple(by.items()))
        for key, by in numbers.items()
    )


def draw_pick_list(orders: Wanted, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """The pick list of many shipments or orders; `orders` are their names and items.

    An order without items is on no line and is not counted.
    """
    needs = list_needs(orders)
    names = list(dict.fromkeys(name for name, items in orders if items))
    book = PageLayout(stationery, footer=f"Pick list {stationery.day}".strip())
    book.heading("Pick list")
    pieces = count_text(sum(need.quantity for need in needs), "piece")
    articles, whose = count_text(len(needs), "article"), count_text(len(names), "order")
    book.line("   ".join(filter(None, [stationery.day, articles, pieces, f"for {whose}"])))
    book.y += book.gap // 2
    draw_table(book, ARTICLES, [row for need in needs for row in _list_article_rows(book, need)])
    book.y += book.gap
    draw_table(book, ORDERS, _list_order_rows(needs, names))
    return book.pages()


def _list_article_rows(book: PageLayout, need: Need) -> list[list[str | Cell]]:
    """An article in as many rows as its order numbers need: none of them may be cut off."""
    several = len(need.wanted) > 1
    names = (f"{name} ({n})" if several else name for name, n in need.wanted)
    first, *further = _join_in_rows(names, *measure_room(book, ARTICLES, FOR))
    title = Cell(need.title, need.more)
    row: list[str | Cell] = ["[  ]", Cell(need.sku, bold=True), title, Cell(str(need.quantity), bold=True)]
    rows: list[list[str | Cell]] = [["", "", "", "", text] for text in further]
    return [[*row, first], *rows]


def _join_in_rows(names: Iterable[str], room: int, size: int) -> list[str]:
    """Names with commas between them, in pieces that a cell of this width holds whole."""
    rows: list[list[str]] = []
    for name in names:
        if rows and len(wrap_text(", ".join([*rows[-1], name]), room, size)) <= MOST_LINES:
            rows[-1].append(name)
        else:
            rows.append([name])
    return [", ".join(row) for row in rows]


def _list_order_rows(needs: Sequence[Need], names: Sequence[str]) -> list[list[str | Cell]]:
    """Rows with the number of articles and pieces of every order."""
    articles, pieces = Counter[str](), Counter[str]()
    for need in needs:
        for name, number in need.wanted:
            articles[name] += 1
            pieces[name] += number
    return [["[  ]", Cell(name, bold=True), str(articles[name]), str(pieces[name])] for name in names]
