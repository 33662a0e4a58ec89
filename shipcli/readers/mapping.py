"""A file read through a data template: its rows appear under the default headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from shipcli.models import json
from shipcli.models.basics.text import find_nearest
from shipcli.models.data_template import DataTemplate, FieldSource, RowRules
from shipcli.readers.cells import DAY, CellError
from shipcli.readers.headers import ORDERS, PRODUCTS, READ, find_columns
from shipcli.readers.tables import DataFile, Row
from shipcli.readers.transforms import transform

# What belongs to one line of an order; all other columns belong to the order.
LINE = frozenset({
    "title", "description", "quantity", "sku", "hs_code", "value_amount", "value_currency", "weight",
    "weight_unit", "metadata", "origin_country",
})  # fmt: skip
AMOUNTS = {"weight": "weight_unit", "value_amount": "value_currency"}  # and what each is counted in
MISNAMED = 0.85  # how like a default header a column is that was probably meant to be it
Products = Mapping[str, Mapping[str, str]]  # by SKU, the fields that are known of it


def read_products(table: DataFile) -> Products:
    """The goods of a product list.

    Errors: Invalid when it has no SKU column.
    """
    columns = find_columns(table.headers, PRODUCTS, ("sku",), table.name)
    rows = (
        {name: row.cells[header] for name, header in columns.items() if row.cells[header]} for row in table
    )
    return {row["sku"]: row for row in rows if "sku" in row}


@dataclass
class MappedFile:
    """The rows of a file as mapped by a template and by the options of the command line.

    Shapes: `given` are values for fields that a row leaves empty; `since` is a field and its first day to be
            read. `skipped` and `newest` describe the last reading: how many rows did not count, and the last
            day that occurred.
    """

    table: DataFile
    resource_type: str
    template: DataTemplate | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    products: Products = field(default_factory=dict)
    since: tuple[str, str] | None = None
    skipped: int = 0
    newest: str = ""

    @property
    def name(self) -> str:
        """The file, as errors name it."""
        return self.table.name

    @property
    def digest(self) -> str:
        """The digest that tells this file from every other."""
        return self.table.digest

    @property
    def source(self) -> DataFile:
        """The file as it is."""
        return self.table

    @cached_property
    def sources(self) -> dict[str, FieldSource]:
        """Where every field comes from: the template first, then the default headers."""
        mapping = self.template.fields_mapping if self.template else {}
        names = dict.fromkeys([*READ[self.resource_type], *mapping, *self.given])
        sources = {name: self._source(name, mapping.get(name)) for name in names}
        return {name: source for name, source in sources.items() if self._gives(name, source)}

    def _source(self, name: str, mapping: str | FieldSource | None) -> FieldSource:
        if isinstance(mapping, FieldSource):
            return mapping
        return FieldSource(header=mapping or self._header(name))

    def _gives(self, name: str, source: FieldSource) -> bool:
        has_value = source.constant is not None or source.default is not None or name in self.given
        from_list = self.products and name in PRODUCTS
        return bool(has_value or from_list or any(header in self.table.headers for header in source.headers))

    @cached_property
    def headers(self) -> list[str]:
        """The default headers that are filled, and the columns of the file that no field reads."""
        filled = dict.fromkeys(self._header(name.partition(".")[0]) for name in self.sources)
        return [*filled, *self._others]

    @cached_property
    def _others(self) -> list[str]:
        """Columns that no field reads: rows keep them, as they may be known by them."""
        read = {header for source in self.sources.values() for header in source.headers}
        return [name for name in self.table.headers if name and name not in read]

    def list_misnamed(self) -> Iterator[CellError]:
        """Columns that nothing reads and whose names resemble a default header that the file lacks.

        The columns of a template's file are its program's own: nobody misspelt those.
        """
        if self.template:
            return
        missing = [header for header in READ[self.resource_type].values() if header not in self.table.headers]
        for column in self._others:
            if near := find_nearest(column, missing, MISNAMED):
                reason = f"nothing reads this column; did you mean {near!r}?"
                yield CellError(self.table.header_row, column, reason)

    def _header(self, name: str) -> str:
        """The default header of a field."""
        return READ[self.resource_type].get(name, name)

    def label(self, header: str) -> str:
        """The file's own name of the column behind a default header."""
        field_of = {default: name for name, default in READ[self.resource_type].items()}
        name = field_of.get(header, header)
        source = self._source(name, self.template.fields_mapping.get(name) if self.template else None)
        there = (header for header in source.headers if header in self.table.headers)
        return next(there, next(iter(source.headers), header))

    def list_own_rows(self) -> Iterable[Row]:
        """Every row in the file's own columns, with what it takes from the first row of its order."""
        return self._inherit(self.table)

    @property
    def rules(self) -> RowRules:
        """Which rows count."""
        return self.template.rows if self.template else RowRules()

    def __iter__(self) -> Iterator[Row]:
        days: dict[str, str] = {}
        for row in self._one_each(self._select_counting(self._inherit(self.table))):
            cells = self._fill(row.cells)
            if self._is_recent(cells, days):
                yield row.with_cells(cells)
            else:
                self.skipped += 1

    def _is_recent(self, cells: Mapping[str, str], days: dict[str, str]) -> bool:
        """Whether a row is of the day wanted or later; one without a day has that of its order.

        A day that can't be read is refused by the reader.
        """
        if self.since is None:
            return True
        order, day = cells.get(ORDERS["order_id"], ""), cells.get(self._header(self.since[0]), "")
        if order:
            day = days[order] = day or days.get(order, "")
        if not DAY.fullmatch(day):
            return True
        self.newest = max(self.newest, day)
        return day >= self.since[1]

    def _fill(self, cells: Mapping[str, str]) -> dict[str, str]:
        filled = {name: cells[name] for name in self._others}
        objects: dict[str, dict[str, str]] = {}
        article, units = self._look_up(cells) if self.products else ({}, {})
        for name in self.sources:
            value = (
                units.get(name) or self._value(name, cells) or article.get(name) or self.given.get(name, "")
            )
            whole, dot, key = name.partition(".")
            if not dot:
                filled[self._header(name)] = value
            elif value:
                objects.setdefault(whole, {})[key] = value
        for whole, values in objects.items():
            header = self._header(whole)
            filled[header] = _join(filled.get(header, ""), values)
        return filled

    def _look_up(self, cells: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """What is known of a row's article, and the units of those amounts that the row does not give."""
        article = dict(self.products.get(self._value("sku", cells), {}))
        units = {}
        for amount, unit in AMOUNTS.items():
            product_unit = article.pop(unit, "")  # a row's own amount is not in the unit of the product's
            if article.get(amount) and product_unit and not self._value(amount, cells):
                units[unit] = product_unit
        return article, units

    def _value(self, name: str, cells: Mapping[str, str]) -> str:
        source = self.sources.get(name)
        if source is None:
            return ""
        if source.constant is not None:
            return source.constant
        raw = next((cells[header] for header in source.headers if cells.get(header)), "")
        return transform(raw, source.transforms) or source.default or ""

    # -- rows ----------------------------------------------------------------------------------

    def _inherit(self, rows: Iterator[Row] | DataFile) -> Iterator[Row]:
        """Follow-up rows of an order with the cells of its first row, where they are empty."""
        by = self.rules.inherit_by
        if not by:
            yield from rows
            return
        latest, first, first_rows = "", dict[str, str](), dict[str, dict[str, str]]()
        for row in rows:
            cells, order = row.cells, row.cells.get(by, "")
            if order != latest:
                latest, first = order, first_rows.get(order, {})
            if order and first:
                yield row.with_cells({name: value or first.get(name, "") for name, value in cells.items()})
                continue
            first = {name: value for name, value in cells.items() if name not in self._line_headers}
            if order in self._scattered:
                first_rows[order] = first
            yield row

    @cached_property
    def _scattered(self) -> frozenset[str]:
        """The orders with rows of others between theirs: of these alone the first row is kept to the end."""
        latest, seen, scattered = "", set[str](), set[str]()
        for row in self.table:
            order = row.cells.get(self.rules.inherit_by or "", "")
            if order and order != latest:
                (scattered if order in seen else seen).add(order)
            latest = order
        return frozenset(scattered)

    @cached_property
    def _line_headers(self) -> frozenset[str]:
        """Columns that say something of a line, not of its order."""
        lines, shared = set(self.rules.own), set[str]()
        for name, source in self.sources.items():
            (lines if name in LINE else shared).update(source.headers)
        return frozenset(lines - shared)

    def _one_each(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Of rows that belong together the first, where each is to be a shipment of its own."""
        by, seen = self.rules.inherit_by if self.resource_type == "shipments" else None, set[str]()
        for row in rows:
            value = row.cells.get(by, "") if by else ""
            if value in seen:
                self.skipped += 1
            else:
                seen |= {value} if value else set()
                yield row

    def _select_counting(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows that count; `skipped` is how many did not in this reading."""
        self.skipped = 0
        for row in rows:
            if self._counts(row.cells):
                yield row
            else:
                self.skipped += 1

    def _counts(self, cells: Mapping[str, str]) -> bool:
        rules = self.rules
        if any(cells.get(header) for header in rules.skip_when_filled):
            return False
        if rules.skip_when_empty and not any(cells.get(header) for header in rules.skip_when_empty):
            return False
        return not any(cells.get(name, "").casefold() in values for name, values in self._unwanted.items())

    @cached_property
    def _unwanted(self) -> dict[str, frozenset[str]]:
        words = self.rules.skip_values.items()
        return {header: frozenset(value.casefold() for value in values) for header, values in words}


def _join(text: str, values: Mapping[str, str]) -> str:
    """A JSON cell with more keys; a cell that is no JSON object stays, so that the reader names it."""
    try:
        value = json.loads(text) if text else {}
    except ValueError:
        return text
    return json.dumps({**value, **values}) if isinstance(value, dict) else text
