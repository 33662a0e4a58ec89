"""A file read through a data template: its rows appear under the default headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from shipcli.models import json
from shipcli.models.basics.plain_text import resolve_entities
from shipcli.models.basics.text import find_nearest
from shipcli.models.data_template import JOINED, DataTemplate, FieldSource, RowRules
from shipcli.readers.cells import DAY, CellError
from shipcli.readers.columns import Headings, find_headers
from shipcli.readers.headers import ORDERS, ORDERS_MORE, PRODUCTS, READ, find_columns
from shipcli.readers.measures import UNIT_FIELDS, split_heading
from shipcli.readers.packed_items import unpack_items
from shipcli.readers.tables import DataFile, Row
from shipcli.readers.transforms import is_cut, transform

# What belongs to one line of an order; all other columns belong to the order.
LINE = frozenset({
    "title", "description", "quantity", "sku", "hs_code", "value_amount", "value_currency", "weight",
    "weight_unit", "metadata", "origin_country", "variant", "items",
})  # fmt: skip
AMOUNTS = {name: UNIT_FIELDS[name] for name in ("weight", "value_amount")}  # and what each is counted in
ITEMS = ORDERS_MORE["items"]
MISNAMED = 0.85  # how like a default header a column is that was probably meant to be it
Products = Mapping[str, Mapping[str, str]]  # by SKU, the fields that are known of it


def read_products(file: DataFile) -> Products:
    """The goods of a product list.

    Errors: Invalid when it has no SKU column.
    """
    table = MappedFile(file, "products")
    columns = find_columns(table.headers, PRODUCTS, ("sku",), file.name)
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
    is_exact: bool = False  # default headers count as they are spelt only, as the contract of the API says
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
        names = dict.fromkeys([*READ[self.resource_type], *self._mapping, *self.given])
        sources = {name: self._source(name) for name in names}
        return {name: source for name, source in sources.items() if self._gives(name, source)}

    @cached_property
    def _headings(self) -> Headings:
        return Headings(self.table.headers)

    @cached_property
    def _mapping(self) -> dict[str, FieldSource]:
        """What the template says of each field, with the file's own column names."""
        mapping = self.template.fields_mapping if self.template else {}
        sources = (
            source if isinstance(source, FieldSource) else FieldSource(header=source)
            for source in mapping.values()
        )
        return dict(zip(mapping, map(self._headings.resolve_source, sources), strict=True))

    def _source(self, name: str) -> FieldSource:
        if name in self._mapping:
            return self._mapping[name]
        return FieldSource(header=self._own_headers.get(name, self._header(name)))

    @cached_property
    def _own_headers(self) -> dict[str, str]:
        """Field to column of the fields that the file's own headings name."""
        if self.is_exact:
            fields = READ[self.resource_type].items()
            return {name: header for name, header in fields if header in self.table.headers}
        taken = {header for source in self._mapping.values() for header in source.headers}
        return find_headers([name for name in self.table.headers if name not in taken], self.resource_type)

    def _gives(self, name: str, source: FieldSource) -> bool:
        has_value = source.constant is not None or source.default is not None or name in self.given
        from_list = self.products and name in PRODUCTS
        return bool(has_value or from_list or any(header in self.table.headers for header in source.headers))

    @cached_property
    def headers(self) -> list[str]:
        """The default headers that are filled, and the columns of the file that no field reads."""
        units = (UNIT_FIELDS[name] for name, _, _ in self._units_in_headings)
        filled = dict.fromkeys(self._header(name.partition(".")[0]) for name in (*self.sources, *units))
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
        missing = [
            header for name, header in READ[self.resource_type].items() if name not in self._own_headers
        ]
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
        source = self._source(name)
        there = (header for header in source.headers if header in self.table.headers)
        return next(there, next(iter(source.headers), header))

    def list_own_rows(self) -> Iterable[Row]:
        """Every row in the file's own columns, with what it takes from the first row of its order."""
        return self._inherit(self.table)

    @cached_property
    def rules(self) -> RowRules:
        """Which rows count."""
        return self._headings.resolve_rules(self.template.rows) if self.template else RowRules()

    def __iter__(self) -> Iterator[Row]:
        days: dict[str, str] = {}
        for row in self._one_each(self._select_counting(self._inherit(self.table))):
            cells = self._fill(row.cells)
            if self._is_recent(cells, days):
                yield row.with_cells(cells, self._list_cuts(row.cells))
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
        self._fill_units(filled, cells)
        if packed := filled.get(ITEMS):
            filled[ITEMS] = self._unpack(packed)
        return filled

    def _unpack(self, packed: str) -> str:
        """Goods in one cell as a list of their cells, with what is known of their articles."""
        items = unpack_items(packed)
        for item in items:
            article = self.products.get(item.get("sku", ""), {})
            units = {unit for amount, unit in AMOUNTS.items() if amount in item}
            for name in article.keys() - units - item.keys():
                item[name] = article[name]
        return json.dumps(items) if items else packed

    def _fill_units(self, filled: dict[str, str], cells: Mapping[str, str]) -> None:
        """Units that the headings of amounts name, where a row names none."""
        for name, header, unit in self._units_in_headings:
            is_from_here = cells.get(header) and filled[self._header(name)] == cells[header]
            if is_from_here and not self._value(UNIT_FIELDS[name], cells):
                filled[self._header(UNIT_FIELDS[name])] = unit

    @cached_property
    def _units_in_headings(self) -> list[tuple[str, str, str]]:
        """Amounts whose headings name a unit: the field, its column and the unit."""
        amounts = [(name, source) for name, source in self.sources.items() if name in UNIT_FIELDS]
        headings = [(name, header) for name, source in amounts for header in source.headers]
        units = [(name, header, split_heading(name, header)[1]) for name, header in headings]
        return [(name, header, unit) for name, header, unit in units if unit and header in self.table.headers]

    def _list_cuts(self, cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """What the transforms of a template cut off a row's cells."""
        for name in self._cutting:
            text, source = self._read_raw(self.sources[name], cells), self.sources[name]
            whole = transform(text, [word for word in source.transforms if not is_cut(word)])
            cut = transform(text, source.transforms)
            if left := whole.removeprefix(cut).strip():
                yield name.partition(".")[0], f"{cut!r} is without {left!r}, which the template cuts off"

    @cached_property
    def _cutting(self) -> list[str]:
        return [name for name, source in self.sources.items() if any(map(is_cut, source.transforms))]

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
        return transform(self._read_raw(source, cells), source.transforms) or source.default or ""

    def _read_raw(self, source: FieldSource, cells: Mapping[str, str]) -> str:
        """The text of the columns of a field, without what HTML makes of signs."""
        texts = (_join_columns(word, source.join or " ", cells) for word in source.words)
        raw = next(filter(None, texts), "")
        return raw if raw.startswith(("{", "[")) else resolve_entities(raw)

    # -- rows ----------------------------------------------------------------------------------

    def _inherit(self, rows: Iterator[Row] | DataFile) -> Iterator[Row]:
        """Follow-up rows of an order with the cells of its first row, where they are empty."""
        by = self.rules.inherit_by
        if not by:
            yield from rows
            return
        latest, first, first_rows = "", dict[str, str](), dict[str, dict[str, str]]()
        for row in rows:
            cells, order = row.cells, self._find_order(row.cells)
            if order != latest:
                latest, first = order, first_rows.get(order, {})
            if order and first:
                yield row.with_cells({name: value or first.get(name, "") for name, value in cells.items()})
                continue
            first = {name: value for name, value in cells.items() if name not in self._line_headers}
            if order in self._scattered:
                first_rows[order] = first
            yield row

    def _find_order(self, cells: Mapping[str, str]) -> str:
        """What rows of one order share; where its column is empty, what else stands for an order's number."""
        return cells.get(self.rules.inherit_by or "", "") or self._value("order_id", cells)

    @cached_property
    def _scattered(self) -> frozenset[str]:
        """The orders with rows of others between theirs: of these alone the first row is kept to the end."""
        latest, seen, scattered = "", set[str](), set[str]()
        for row in self.table:
            order = self._find_order(row.cells)
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
            value = self._find_order(row.cells) if by else ""
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


def _join_columns(word: str, separator: str, cells: Mapping[str, str]) -> str:
    """The cell of a column, or of several columns."""
    if word in cells or JOINED not in word:
        return cells.get(word, "")
    return separator.join(dict.fromkeys(filter(None, (cells.get(name, "") for name in word.split(JOINED)))))


def _join(text: str, values: Mapping[str, str]) -> str:
    """A JSON cell with more keys; a cell that is no JSON object stays, so that the reader names it."""
    try:
        value = json.loads(text) if text else {}
    except ValueError:
        return text
    return json.dumps({**value, **values}) if isinstance(value, dict) else text
