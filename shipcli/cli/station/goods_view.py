"""What goes into the box, as text: what the customer asks for, what does not belong there, the articles."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import chop_cells
from rich.text import Text

from shipcli.features.book.methods import read_paid_method
from shipcli.models.parts.articles import find_title, find_variant
from shipcli.workflows.station.packing_check import name

if TYPE_CHECKING:
    from shipcli.workflows.station.loads import Load

NOTE_LINES, NARROWEST = 3, 20


def show_goods(load: Load | None, room: int, columns: int) -> Text:
    """The wishes of the customer, what does not belong there, and the lines of the order: how many are to be
    packed, and how many were scanned. Where there is no room for all, what is done is left out first, and the
    rest is counted.
    """
    if load is None:
        return Text("")
    top = [Text(f"▲ {stray}: take it out", style="bold red") for stray in load.goods.strays]
    top += [Text(line, style="bold yellow") for line in _list_wishes(load, columns)]
    if load.job.gap:
        top.append(Text(f"▲ customs (F6): {load.job.gap}", style="bold yellow"))
    return Text("\n").join([*top, *_fit_lines(load, max(room - len(top), 1))])


def _list_wishes(load: Load, columns: int) -> Iterator[str]:
    """The note of the order, in a few lines, and the method that its customer paid for."""
    order, width = load.job.order, max(columns, NARROWEST)
    note = str(((order.metadata if order else None) or {}).get("note") or "").strip()
    lines = [part for line in wrap(f"✎ {note}", width) for part in chop_cells(line, width)]
    if note:
        yield from lines[:NOTE_LINES]
        if len(lines) > NOTE_LINES:
            yield "  … (shipcli orders get)"
    method = read_paid_method(order.model_dump(include={"metadata"})) if order else None
    if method:
        yield f"✎ paid for: {method}"


def _fit_lines(load: Load, room: int) -> list[Text]:
    places = list(range(len(load.goods.lines)))
    if len(places) <= room:
        return [_show_line(load, place) for place in places]
    open_places = [place for place in places if load.goods.count_missing(load.goods.lines[place])]
    shown = open_places[: room - 1]
    rest = (len(open_places) - len(shown), "more"), (len(places) - len(open_places), "done")
    text = ", ".join(f"{count} {word}" for count, word in rest if count)
    return [*(_show_line(load, place) for place in shown), Text(f"  … {text}", style="bold")]


def _show_line(load: Load, place: int) -> Text:
    line = load.goods.lines[place]
    missing, ordered = load.goods.count_missing(line), line.unfulfilled_quantity
    sign, style = ("✔", "green") if missing == 0 else ("▲", "bold red") if missing < 0 else ("·", "")
    text = Text(f"{sign} {ordered - missing}/{ordered} ", style=style)
    title = find_title(line)
    known = ", ".join(filter(None, ("" if title == name(line) else title, find_variant(line))))
    return text.append(f"{name(line)}  {known}".rstrip(), style="bold" if missing > 0 else "dim")
