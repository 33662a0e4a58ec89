"""A rate sheet as rows of a table: one row is one service, zone and weight bracket.

Reading the file (CSV, XLSX) is done elsewhere; here rows are plain dicts of column and cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier.service_level import ServiceLevel, Zone
from shipcli.models import Invalid, find_nearest, read_decimal
from shipcli.models.basics.reference import list_countries, list_currencies

Row = Mapping[str, Any]
Problems = list[tuple[str, str]]
FIRST_ROW = 2  # the row below the header, as a spreadsheet numbers it
MANY = re.compile(r"[,;|\n]")


class SheetColumn(NamedTuple):
    """One column: how its cell is read, and whether it belongs to the service or to the zone."""

    read: Callable[[str], Any]
    of_zone: bool
    required: bool = False


def _read_number(cell: str) -> Decimal:
    value = read_decimal(cell)
    if value < 0:
        raise ValueError("must not be negative")
    return value


def _read_whole(cell: str) -> int:
    value = _read_number(cell)
    if value != value.to_integral_value():
        raise ValueError("must be a whole number")
    return int(value)


def _read_boolean(cell: str) -> bool:
    word = cell.lower()
    if word in {"true", "yes", "y", "1", "x"}:
        return True
    if word in {"false", "no", "n", "0"}:
        return False
    raise ValueError("must be yes or no")


def _make_unit_reader(*units: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        if cell.upper() not in units:
            raise ValueError(f"must be one of {', '.join(units)}")
        return cell.upper()

    return read


def _read_currency(cell: str) -> str:
    if cell.upper() not in list_currencies():
        raise ValueError(f"{cell!r} is not a currency code such as EUR")
    return cell.upper()


def _split_cell(cell: str) -> list[str]:
    return [word.strip() for word in MANY.split(cell) if word.strip()]


def _read_countries(cell: str) -> list[str]:
    codes = [word.upper() for part in _split_cell(cell) for word in part.split()]
    wrong = [code for code in codes if code not in list_countries()]
    if wrong:
        raise ValueError(f"{', '.join(wrong)}: not a country code such as FR")
    return codes


COLUMNS: Mapping[str, SheetColumn] = {
    "service_code": SheetColumn(str, False, True),
    "service_name": SheetColumn(str, False),
    "carrier_service_code": SheetColumn(str, False),
    "currency": SheetColumn(_read_currency, False, True),
    "active": SheetColumn(_read_boolean, False),
    "domicile": SheetColumn(_read_boolean, False),
    "international": SheetColumn(_read_boolean, False),
    "weight_unit": SheetColumn(_make_unit_reader("KG", "LB", "OZ", "G"), False),
    "max_length": SheetColumn(_read_number, False),
    "max_width": SheetColumn(_read_number, False),
    "max_height": SheetColumn(_read_number, False),
    "dimension_unit": SheetColumn(_make_unit_reader("CM", "IN"), False),
    "zone": SheetColumn(str, True),
    "country_codes": SheetColumn(_read_countries, True),
    "postal_codes": SheetColumn(_split_cell, True),
    "cities": SheetColumn(_split_cell, True),
    "min_weight": SheetColumn(_read_number, True),
    "max_weight": SheetColumn(_read_number, True),
    "transit_days": SheetColumn(_read_whole, True),
    "rate": SheetColumn(_read_number, True, True),
}


def read_sheet(rows: Iterable[Row], *, first_row: int = FIRST_ROW) -> list[ServiceLevel]:
    """Return the service levels of a table, in the order in which their codes appear.

    Shapes: the columns are `COLUMNS`; "Service Code" is service_code. Items of a list are separated by commas
            or semicolons. What a later row of a service leaves blank is as in its first row; empty rows are
            counted and skipped.
    Errors: Invalid naming every wrong cell by row and column.
    """
    table = [(number, _name_cells(row)) for number, row in enumerate(rows, first_row)]
    filled = [(number, row) for number, row in table if any(row.values())]
    problems = _check_header(filled, first_row - 1)
    if problems:
        raise Invalid.many(problems)
    read = [(number, *_read_row(number, row, problems)) for number, row in filled]
    levels = _gather_services(read, problems) if not problems else []
    if problems:
        raise Invalid.many(problems)
    return levels


def _name_cells(row: Row) -> dict[str, str]:
    return {
        re.sub(r"[\s_-]+", "_", str(name).strip().lower()): _read_text(cell) for name, cell in row.items()
    }


def _read_text(cell: Any) -> str:
    """Return a cell as text, an empty one and NaN as ""."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _check_header(rows: Sequence[tuple[int, Row]], header: int) -> Problems:
    if not rows:
        return [(f"row {header + 1}", "the sheet has no rows")]
    names = dict.fromkeys(name for _, row in rows for name in row)
    missing = [name for name, column in COLUMNS.items() if column.required and name not in names]
    unknown = [name for name in names if name not in COLUMNS]
    return [
        *((_name_place(header, name), "the column is missing") for name in missing),
        *((_name_place(header, name or "(blank)"), _describe_unknown(name)) for name in unknown),
    ]


def _describe_unknown(name: str) -> str:
    near = find_nearest(name, COLUMNS)
    return f"there is no such column{f'; did you mean {near}?' if near else ''}"


def _name_place(row: int, column: str) -> str:
    return f"row {row}, {column}"


def _read_row(number: int, row: Row, problems: Problems) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the cells of a row for its service and for its zone; add a problem for each wrong cell."""
    service: dict[str, Any] = {}
    zone: dict[str, Any] = {}
    for name, column in COLUMNS.items():
        cell = row.get(name, "")
        if not cell:
            if column.required and name != "currency":
                problems.append((_name_place(number, name), "is required"))
            continue
        try:
            (zone if column.of_zone else service)[name] = column.read(cell)
        except ValueError as error:
            problems.append((_name_place(number, name), str(error)))
    if zone.get("min_weight", 0) > zone.get("max_weight", Decimal("Infinity")):
        problems.append((_name_place(number, "max_weight"), "must not be less than min_weight"))
    return service, zone


def _gather_services(
    rows: Sequence[tuple[int, dict[str, Any], dict[str, Any]]], problems: Problems
) -> list[ServiceLevel]:
    services: dict[str, dict[str, Any]] = {}
    zones: dict[str, list[dict[str, Any]]] = {}
    seen: dict[tuple[Any, ...], int] = {}
    for number, service, zone in rows:
        code = service["service_code"]
        _check_agreement(number, services.setdefault(code, service), service, problems)
        first = seen.setdefault(_identify_zone(code, zone), number)
        if first != number:
            problems.append((_name_place(number, "zone"), f"is the same zone and bracket as row {first}"))
        zones.setdefault(code, []).append(zone)
    for code, service in services.items():
        if "currency" not in service:
            number = next(number for number, row, _ in rows if row["service_code"] == code)
            problems.append((_name_place(number, "currency"), "is required"))
    return [] if problems else [_make_level(service, zones[code]) for code, service in services.items()]


def _check_agreement(number: int, first: dict[str, Any], row: dict[str, Any], problems: Problems) -> None:
    """Add a problem for each cell of a service that differs from the first row of that service."""
    for name, value in row.items():
        if name not in first:
            reason = f"must stand in the first row of {first['service_code']}"
        elif first[name] != value:
            reason = f"is {value}, but the first row of {first['service_code']} says {first[name]}"
        else:
            continue
        problems.append((_name_place(number, name), reason))


def _identify_zone(code: str, zone: Mapping[str, Any]) -> tuple[Any, ...]:
    area = (tuple(sorted(zone.get(name, ()))) for name in ("country_codes", "postal_codes", "cities"))
    return code, *area, zone.get("min_weight"), zone.get("max_weight")


def _make_level(service: Mapping[str, Any], zones: Sequence[Mapping[str, Any]]) -> ServiceLevel:
    name = service["service_code"].replace("_", " ").title()
    parts = [Zone(label=zone.get("zone"), **{k: v for k, v in zone.items() if k != "zone"}) for zone in zones]
    return ServiceLevel(**{"service_name": name, **service}, zones=parts)
