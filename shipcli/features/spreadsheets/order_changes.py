"""An update from a file keeps those parts of a known order for which the file has no column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shipcli.readers.cells import ADDRESS
from shipcli.readers.mapping import LINE
from shipcli.readers.orders import SIDES

Plain = Mapping[str, Any]
Has = Callable[[str], bool]  # whether a file has a column for a field


def keep_unsaid(order: Plain, known: Plain, has: Has) -> dict[str, Any]:
    """An order of a file, completed from the known one where the file has no column."""
    sides = {field: _merge_side(order[field], known[field], side, has) for field, side in SIDES.items()}
    date = order if has("order_date") else known
    lines = [_merge_line(line, known["line_items"], has) for line in order["line_items"]]
    return {**order, **sides, "order_date": date["order_date"], "line_items": lines}


def _merge_side(new: Plain | None, old: Plain | None, side: str, has: Has) -> Plain | None:
    """An address; the known one if the file has no column of it."""
    unsaid = [name for part, name in ADDRESS.items() if not has(f"{side}_{part}")]
    if len(unsaid) == len(ADDRESS):
        return old
    return {**new, **{name: old[name] for name in unsaid}} if new and old else new


def _merge_line(new: Plain, known: Sequence[Plain], has: Has) -> Plain:
    """A line item, completed from the known one of the same article."""
    names = [name for name in ("sku", "title") if has(name)]
    same = (old for old in known if names and all(old[name] == new[name] for name in names))
    old = next(same, new)
    line = {**new, **{name: old[name] for name in LINE if not has(name)}}
    return {**line, "unfulfilled_quantity": line["quantity"]}
