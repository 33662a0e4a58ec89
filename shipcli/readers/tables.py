"""Rows of a CSV, XLSX, XLS or ODS file as text, one at a time, whatever the program that wrote it was set to.

CSV: UTF-8 with or without a mark, UTF-16, CP1252; comma, semicolon, tab or bar. Spreadsheets: the first
sheet that is not hidden, or the one named; formulas by their computed value, or as they stand when they have
none; dates as ISO text; whole numbers without ".0", with the zeros that their cell shows before them (not in
XLS files); merged cells hold their text in each of their rows. The header is the first row that is no title.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from pathlib import Path
from typing import Protocol

from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.models.basics.text import unguard_formula
from shipcli.readers.header_rows import FEWEST_COLUMNS, MOST_LOOKED_AT, TableHeader, find_header
from shipcli.readers.spreadsheets.reading import OLE, ZIP, SpreadsheetRows

SEPARATORS, END_MARK = ",;\t|", "\x1a"
QUOTED = re.compile('"[^"]*"')
SEPARATOR_LINE = re.compile("sep=([,;\t|])[\r\n]")  # a first line that names it to spreadsheets
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a")  # bytes that no text holds
MOST_CONTROLS = 20  # one in so many bytes
PIECE = 1 << 20  # bytes
csv.field_size_limit(10_000_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number in the file, counted from 1, and its cells by header, stripped.

    Shapes: `place` counts from 0 the rows below the header that are not empty; `notes` are fields, and
            what of their cells was left out when they were mapped.
    """

    number: int
    cells: dict[str, str]
    place: int = 0
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        return not any(self.cells.values())

    def select(self, columns: Mapping[str, str]) -> dict[str, str]:
        """The cells of fields, by the header of each; empty where the file lacks it."""
        return {name: self.cells.get(header, "") for name, header in columns.items()}

    def with_cells(self, cells: dict[str, str], notes: Iterable[tuple[str, str]] = ()) -> Row:
        """The same row with other cells."""
        return Row(self.number, cells, self.place, tuple(notes))


class Rows(Protocol):
    """What imports read: a file as it is, or under other column names."""

    @property
    def name(self) -> str:
        """The file, as errors name it."""

    @property
    def digest(self) -> str:
        """What tells this file from every other."""

    @property
    def headers(self) -> list[str]:
        """The column names by which rows hold their cells."""

    @property
    def source(self) -> DataFile:
        """The file as it is."""

    def label(self, header: str) -> str:
        """What the file itself calls a column."""

    def list_own_rows(self) -> Iterable[Row]:
        """Every row in the file's own columns, with what it takes from the first row of its order."""

    def __iter__(self) -> Iterator[Row]:
        """Every row that is not empty."""


class DataFile:
    """A file with a header line. It can be read more than once.

    Errors: NotFound for a missing file; Invalid naming the file (and the row and column where there is one)
            when it is no table, has no header, or names a column twice.
    """

    def __init__(
        self, name: str, content: bytes, sheet: str | None = None, header_row: str | None = None
    ) -> None:
        self.name, self._content, self._sheet_name, self._header_row = name, content, sheet, header_row
        if not content.strip():
            raise Invalid(name, "The file is empty.")
        self._is_spreadsheet = content.startswith((ZIP, OLE))
        if sheet and not self._is_spreadsheet:
            raise Invalid("sheet", f"{name} is not a spreadsheet and has no sheet {sheet!r}.")

    @classmethod
    def open(cls, path: Path, sheet: str | None = None, header_row: str | None = None) -> DataFile:
        if not path.exists():
            raise NotFound("file", str(path), message=f"There is no file {path}")
        if path.is_dir():
            raise Invalid(str(path), "This is a folder, not a file.")
        try:
            return cls(str(path), path.read_bytes(), sheet, header_row)
        except OSError as error:
            raise Invalid(str(path), f"The file can't be read: {error.strerror}.") from None

    @property
    def source(self) -> DataFile:
        """This file."""
        return self

    def label(self, header: str) -> str:
        """The column's own name."""
        return header

    def list_own_rows(self) -> Iterable[Row]:
        """Every row."""
        return self

    @cached_property
    def digest(self) -> str:
        """What tells this file from every other."""
        return hashlib.sha256(self._content).hexdigest()

    @cached_property
    def headers(self) -> list[str]:
        """The column names, stripped, in file order; columns without a name are left out."""
        number, values = self._head
        names = [name.strip() for name in values]
        twice = [name for name, count in Counter(name for name in names if name).items() if count > 1]
        if twice:
            where = ", ".join(f"{name!r}" for name in twice)
            raise Invalid(self.name, f"Row {number} names these columns more than once: {where}.")
        return names

    @cached_property
    def _head(self) -> TableHeader:
        """The row that names the columns, and its number."""
        head = find_header(self._lines(), self._header_row)
        if head is None:
            raise Invalid(self.name, f"There is no row with column names{self._where}.")
        return head

    @property
    def header_row(self) -> int:
        """The number of the row that names the columns."""
        return self._head[0]

    @property
    def sheets(self) -> list[str]:
        """The names of its sheets, that of the one read first; none of a text file."""
        return self._sheet_rows.sheets if self._is_spreadsheet else []

    @property
    def _where(self) -> str:
        first, *others = self.sheets or [""]
        return f" in the sheet {first!r}; there are: {', '.join(others)}" if others else ""

    def __iter__(self) -> Iterator[Row]:
        """Every row that is not empty."""
        names, head, index = self.headers, self._head[0], 0
        for number, values in self._lines():
            if number <= head:
                continue
            row = Row(number, self._cells(number, names, values), index)
            if not row.empty:
                index += 1
                yield row

    def _cells(self, number: int, names: Sequence[str], values: Sequence[str]) -> dict[str, str]:
        extra = [value for value in values[len(names) :] if value.strip()]
        if extra:
            raise Invalid(
                self.name,
                f"Row {number} has more cells ({len(values)}) than row {self._head[0]} has columns "
                f"({len(names)}): "
                "a separator inside a cell needs quotes around the cell.",
            )
        padded = [*values, *[""] * (len(names) - len(values))]
        return {name: tidy(value) for name, value in zip(names, padded, strict=False) if name}

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        return iter(self._sheet_rows) if self._is_spreadsheet else self._csv_lines()

    @cached_property
    def _sheet_rows(self) -> SpreadsheetRows:
        return SpreadsheetRows(self.name, self._content, self._sheet_name)

    # -- text files ----------------------------------------------------------------------------

    @cached_property
    def encoding(self) -> str:
        for mark, name in MARKS:
            if self._content.startswith(mark):
                return name
        head = self._content[:4000]
        if head.count(0) > len(head) // 4:
            return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
        return "utf-8" if _is_utf8(self._content) else "cp1252"

    @cached_property
    def separator(self) -> str:
        """The one that the file names itself, else the one that the first line with any uses most, outside
        quotes.
        """
        if self._named_separator:
            return self._named_separator[1]
        bare = QUOTED.sub('""', self._text().read(PIECE))
        lines = [line for line in bare.splitlines()[:MOST_LOOKED_AT] if line.strip()] or [""]
        titles = list(takewhile(lambda line: not any(map(line.count, SEPARATORS)), lines))
        below = next(iter(lines[len(titles) :]), "")
        is_table = max(map(below.count, SEPARATORS)) >= FEWEST_COLUMNS - 1
        return max(SEPARATORS, key=below.count if is_table else lines[0].count)

    @cached_property
    def _named_separator(self) -> re.Match[str] | None:
        return SEPARATOR_LINE.match(self._text().read(10))

    def _text(self) -> io.TextIOWrapper:
        # a byte that CP1252 does not define is kept visible rather than refused
        return io.TextIOWrapper(io.BytesIO(self._content), self.encoding, errors="replace", newline="")

    def _csv_lines(self) -> Iterator[tuple[int, list[str]]]:
        if "16" not in self.encoding and _is_binary(self._content[:4000]):
            raise Invalid(self.name, "This is neither a text file nor a spreadsheet.")
        reader = csv.reader(self._text(), delimiter=self.separator, strict=True)
        try:
            yield from islice(enumerate(reader, start=1), 1 if self._named_separator else 0, None)
        except csv.Error as error:
            raise Invalid(self.name, f"Line {reader.line_num} is not CSV: {error}.") from None


def _is_binary(head: bytes) -> bool:
    """Whether bytes are no text; a few controls, which people copy with it, make text no less of one."""
    controls = sum(map(head.count, map(bytes, ([code] for code in CONTROLS))))
    return 0 in head or controls * MOST_CONTROLS > len(head)


def _is_utf8(content: bytes) -> bool:
    """Whether bytes are UTF-8, looked at in pieces: the text of all would take several times their size."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for start in range(0, len(content), PIECE):
            decode(content[start : start + PIECE])
        decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def tidy(value: str) -> str:
    """A cell without the blanks around it, the mark by which old programs end a file, the `="..."` by which
    spreadsheets keep leading zeros, and the apostrophe that keeps text from being a formula.
    """
    value = value.rstrip(END_MARK).strip()
    if value.startswith("'"):
        return unguard_formula(value)
    if value.startswith('="') and value.endswith('"'):
        value = value[2:-1].strip()
    return value
