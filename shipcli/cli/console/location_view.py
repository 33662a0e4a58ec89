"""How places of carriers are shown on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from shipcli.cli.console.cells import format_cell
from shipcli.cli.console.list_views import ListColumn
from shipcli.models.basics.enums import WEEKDAYS

Row = Mapping[str, Any]
ALWAYS = ("00:00", "23:59")


def format_distance(row: Row) -> str:
    """0.4 km."""
    if row.get("distance") is None:
        return ""
    return f"{format_cell(row['distance'])} {str(row.get('distance_unit') or '').lower()}"


def format_purposes(row: Row) -> str:
    """What may be done there."""
    words = {"drop off": row.get("drop_off"), "pick up": row.get("pick_up")}
    return ", ".join(word for word, can in words.items() if can)


def format_place(row: Row) -> str:
    """12 Mill Road, 10115 Berlin."""
    address = row.get("address") or {}
    town = " ".join(str(address[name]) for name in ("postal_code", "city", "state_code") if address.get(name))
    return ", ".join(part for part in (address.get("address_line1"), town) if part)


def format_opening_hours(row: Row) -> str:
    """Mon-Fri 09:00-18:00, Sat 10:00-14:00; a place that never closes is open 24 hours."""
    spans = _list_spans(row.get("hours") or ())
    if len(spans) == len(WEEKDAYS) and all(span == [ALWAYS] for span in spans.values()):
        return "24 hours"
    runs = groupby(WEEKDAYS, key=lambda day: spans.get(day, []))
    return ", ".join(_format_run([*days], times) for times, days in runs if times)


def _list_spans(hours: Sequence[Row]) -> dict[str, list[tuple[str, str]]]:
    spans: dict[str, list[tuple[str, str]]] = {}
    for span in hours:
        spans.setdefault(span["day"], []).append((span["opens"], span["closes"]))
    return spans


def _format_run(days: Sequence[str], times: Sequence[tuple[str, str]]) -> str:
    first, last = days[0][:3].capitalize(), days[-1][:3].capitalize()
    clock = " ".join(f"{opens}-{closes}" for opens, closes in times)
    return f"{first if first == last else f'{first}-{last}'} {clock}"


LOCATION_VIEW: Sequence[ListColumn] = (
    ListColumn("DISTANCE", format_distance, right=True),
    ListColumn("ID", lambda row: str(row.get("id") or "")),
    ListColumn("CARRIER", lambda row: str(row.get("carrier_id") or "")),
    ListColumn("NAME", lambda row: str(row.get("name") or ""), least=12),
    ListColumn("KIND", lambda row: str(row.get("kind") or ""), rank=4, least=10),
    ListColumn("CAN", format_purposes, rank=2),
    ListColumn("ADDRESS", format_place, rank=3, least=16),
    ListColumn("OPEN", format_opening_hours, rank=5, least=20),
)
