"""The row that names the columns of a file: the first, one below a title, or two rows together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import fold_text
from shipcli.readers.headers import ALSO, READ
from shipcli.readers.ready_made import list_ready_made

MOST_LOOKED_AT = 15  # rows that are filled
FEWEST_COLUMNS = 3  # of a row of headings that stands below a title
LONGEST_GAP = 2  # rows of headings
_WHICH = re.compile(r"(\d{1,7})(?:\s*-\s*(\d{1,7}))?")
Line = tuple[int, list[str]]


class TableHeader(NamedTuple):
    """The names of the columns, and the number of the last row that has them."""

    number: int
    names: list[str]


def find_header(lines: Iterable[Line], which: str | None = None) -> TableHeader | None:
    """The header of a file from its lines; `which` are the numbers of its rows, `3` or `2-3`.

    Errors: Invalid on `header_row`.
    """
    if which:
        return _take_rows(lines, which)
    filled = list(islice((line for line in lines if any(map(str.strip, line[1]))), MOST_LOOKED_AT))
    if not filled:
        return None
    first = _skip_titles([values for _, values in filled])
    headers = list(_list_headers(filled[first:]))
    if _count_known(headers[0].names):  # it is a header, alone or with the row below it
        headers = [header for header in headers[:2] if header.number <= filled[first:][:2][-1][0]]
    known = [_count_known(header.names) for header in headers]
    most = max(known)
    return headers[known.index(most)] if most >= FEWEST_COLUMNS else headers[0]


def _list_headers(filled: Sequence[Line]) -> Iterator[TableHeader]:
    """What could be the header: every row, and every row with gaps together with the one below it."""
    below = [*filled[1:], (0, [""])]
    for (number, names), (next_number, next_names) in zip(filled, below, strict=True):
        yield TableHeader(number, names)
        if next_number and any(not name.strip() for name in names):
            yield TableHeader(next_number, _join_rows(names, next_names))


def _take_rows(lines: Iterable[Line], which: str) -> TableHeader:
    match = _WHICH.fullmatch(which.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (0 < first <= last < first + LONGEST_GAP):
        raise Invalid(
            "header_row", f"{which!r} is not the number of a row, such as 3, or of two, such as 2-3."
        )
    rows = [values for number, values in islice(lines, last) if first <= number <= last]
    if not rows or not any(map(str.strip, rows[-1])):
        raise Invalid("header_row", f"Row {last} is empty or beyond the end of the file.")
    return TableHeader(last, _join_rows(*rows) if len(rows) > 1 else rows[0])


def _skip_titles(rows: Sequence[Sequence[str]]) -> int:
    """The place of the first row below titles, which fill one cell above a table of several columns."""
    counts = [sum(1 for value in row if value.strip()) for row in rows]
    widest = next((at for at, count in enumerate(counts) if count >= FEWEST_COLUMNS), 0)
    return widest if set(counts[:widest]) == {1} else 0


def _join_rows(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Names in two rows: a name above counts for the columns to its right, up to the next name."""
    names, above = [], ""
    padded = [*upper, *[""] * (len(lower) - len(upper))]
    for at, name in enumerate(padded):
        above = name.strip() or above
        below = lower[at].strip() if at < len(lower) else ""
        names.append(f"{above} {below}".strip() if below else name.strip())
    return names


def _count_known(row: Sequence[str]) -> int:
    return sum(1 for value in row if value.strip() and fold_text(value) in _list_known())


@cache
def _list_known() -> frozenset[str]:
    """All headings that are known, folded."""
    default = [header for fields in READ.values() for header in fields.values()]
    also = [name for fields in ALSO.values() for names in fields.values() for name in names]
    sources = [
        source for template in list_ready_made().values() for source in template.fields_mapping.values()
    ]
    shops = [name for source in sources for name in ([source] if isinstance(source, str) else source.headers)]
    return frozenset(map(fold_text, (*default, *also, *shops)))
