"""Lists on a terminal: one line for each row, as wide as it may be, and no word broken."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli.console.formats import CommandResult
from shipcli.cli.console.list_views import VIEWS, format_order_age
from shipcli.cli.console.tables import draw, draw_list
from tests.cli.conftest import Cli, Result

ADDRESS = {
    "id": "adr_01a20397c6ab00000070960b20ff5f74",
    "person_name": "Ada Brooks", "address_line1": "12 Harbor St",
    "city": "Boston", "state_code": "MA", "postal_code": "02210", "country_code": "US",
}  # fmt: skip
PARCEL = {"id": "pcl_01a20397c6ab00000070960b20ff5f74", "weight": 2.5, "weight_unit": "LB", "length": 12,
          "width": 8, "height": 4, "dimension_unit": "IN", "package_preset": "ups_medium_express_box",
          "content": "Mugs"}  # fmt: skip
TODAY = datetime.now(UTC).date().isoformat()
OLD = (datetime.now(UTC) - timedelta(hours=3, minutes=5)).isoformat()
ROWS: dict[str, dict[str, Any]] = {
    "shipment": {
        "reference": "SO-1003", "status": "purchased", "service": "usps_ground_advantage",
        "tracking_number": "9234690000004200000038", "recipient": ADDRESS, "created_at": OLD,
        "selected_rate": {"total_charge": 1105.5, "currency": "USD"},
    },
    "paper": {
        "reference": "SO-1003", "tracking_number": "9234690000004200000038",
        "service": "usps_ground_advantage",
        "recipient": "Ada Brooks, Boston MA", "kind": "label", "printer": "dock2",
    },
    "found": {
        "kind": "order", "id": "ord_01a20397c6ab00000070960b20ff5f74", "number": "1042",
        "name": "Ada Brooks", "status": "unfulfilled",
    },
    "purchase": {
        "reference": "SO-1003", "status": "purchased", "carrier_id": "usps",
        "service": "usps_ground_advantage",
        "tracking_number": "9234690000004200000038", "recipient": ADDRESS,
        "selected_rate": {"total_charge": 6.15, "currency": "USD"},
    },
    "fulfilment": {
        "order_number": "1042", "source": "shopify", "order_id": "ord_01a20397c6ab00000070960b20ff5f74",
        "status": "failed", "shipment_id": None, "carrier": "usps", "service": "usps_ground_advantage",
        "total_charge": "6.15", "currency": "USD", "tracking_number": None,
        "message": "USPS: the postal code does not belong to the state",
    },
    "print job": {
        "number": 187, "state": "waiting", "kind": "label",
        "object_id": "shp_01a20397c6ab00000070960b20ff5f74",
        "title": "9234690000004200000038", "printer": "dock2", "format": "ZPL", "copy": 1,
        "reason": "dock2 does not answer",
    },
    "order": {
        "order_id": "1042", "status": "partial", "source": "shopify", "order_date": TODAY,
        "shipping_to": ADDRESS, "created_at": OLD,
        "line_items": [{"quantity": 3, "unfulfilled_quantity": 1},
                       {"quantity": 2, "unfulfilled_quantity": 2}],
    },
    "tracker": {
        "tracking_number": "1Z999AA10123456784", "carrier_name": "ups", "status": "in_transit",
        "estimated_delivery": "2026-11-24", "info": {"customer_name": "Ada Brooks"},
        "events": [{"description": "Arrived at the facility", "location": "Newark, NJ"}],
    },
    "pickup": {
        "confirmation_number": "29D55D8C1BF", "carrier_id": "ups", "pickup_date": "2026-11-24",
        "ready_time": "13:00", "closing_time": "17:00", "parcels": [PARCEL] * 3, "package_location": "Dock 2",
    },
    "manifest": {"id": "manf_01a20397c6ab00000070960b20ff5f74", "carrier_id": "usps", "address": ADDRESS,
                 "shipment_identifiers": ["1", "2"], "reference": "day 1"},
    "address": ADDRESS,
    "parcel": PARCEL,
    "preset": {"carrier_name": "ups", "preset": "ups_medium_express_box", "dimension_unit": "IN",
               "width": 11, "height": 16, "length": 3, "weight": 30, "weight_unit": "LB"},
    "finding": {"check": "printers", "state": "notice", "detail": "there is none",
                "hint": "shipcli printers add NAME --to tcp://HOST --format ZPL"},
    "connection field": {"name": "client_secret", "type": "string", "required": True, "secret": True,
                         "default": None, "enum": ["a", "b"], "of": "credentials"},
    "rate": {"carrier_id": "ups", "service": "ups_ground", "total_charge": "10.2", "currency": "USD",
             "transit_days": 3, "estimated_delivery": "2026-11-26",
             "id": "rat_01a20397c6ab00000070960b20ff5f74"},
    "carrier": {"carrier_name": "canadapost", "display_name": "Canada Post", "api": "presumed",
                "services": 23, "operations": "rate, ship, track, pickup, manifest"},
    "day line": {"state": "no_label", "carrier_id": "usps", "count": 12, "manifest_id": None,
                 "origin": "Harbour Goods, 2600 Benjamin Franklin Pkwy, 19130 Philadelphia",
                 "detail": "order W00004: unfulfilled, Iris van Dijk, St. Louis"},
}  # fmt: skip
SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("kind", VIEWS)
def test_a_list_reads_as_its_snapshot(kind: str, width: int) -> None:
    """The files under snapshots/ were read by a person."""
    text = draw_list([ROWS[kind]], VIEWS[kind], color=False, width=width)
    kept = SNAPSHOTS / f"{kind.replace(' ', '_')}-{width}.txt"
    steady = text.replace(TODAY, "2026-11-20") if kind == "order" else text
    assert steady == kept.read_text("utf-8")


def test_the_age_of_an_order_is_that_of_its_day_not_of_its_import() -> None:
    placed = (datetime.now(UTC) - timedelta(days=2)).date().isoformat()
    assert format_order_age({**ROWS["order"], "order_date": placed}) == "2 d"


@pytest.mark.parametrize("width", range(20, 130, 7))
@pytest.mark.parametrize("kind", VIEWS)
def test_every_row_is_one_line_that_fits_and_keeps_its_first_column(kind: str, width: int) -> None:
    lines = draw_list([ROWS[kind]] * 3, VIEWS[kind], color=False, width=width).splitlines()
    first = VIEWS[kind][0].title
    assert len(lines) == 4 or VIEWS[kind][-1].open
    assert all(len(line) <= max(width, 37) for line in lines)
    assert lines[0].startswith(first)


def test_the_fields_of_one_object_go_on_below_and_keep_links_whole() -> None:
    link = "https://tools.usps.com/go/TrackConfirmAction?tLabels=9234690000004200000014"
    text = draw(
        CommandResult([{"link": link, "note": "one two three " * 6}], single=True), color=False, width=50
    )
    assert link in text
    assert [line.strip() for line in text.splitlines()[1:]] == [
        "note  one two three one two three one two three",
        "one two three one two three one two three",
    ]


def test_a_word_longer_than_any_terminal_stays_whole() -> None:
    word = "x" * 20_000
    assert word in draw(CommandResult([{"file": word}], single=True), color=False, width=80)


def test_headings_and_names_are_bold_in_colour_only() -> None:
    row = {"id": "adr_1", "name": "[red]Ada[/red] :smile:"}
    shown = draw(CommandResult([row], ("id", "name")), color=True, width=80)
    assert shown.splitlines()[0].startswith("\x1b[1mID")
    assert "[red]Ada[/red] :smile:" in shown
    assert "\x1b" not in draw(CommandResult([row], single=True), color=False, width=80)


def test_a_list_on_a_terminal_says_how_many_there_are(cli: Cli, terminal: Callable[..., Result]) -> None:
    for number in range(3):
        cli("addresses", "create", "-d", f"person_name=P{number}", "-d", "address_line1=1 Main St",
                "-d", "city=Boston", "-d", "postal_code=02134", "-d", "country_code=US")  # fmt: skip
    assert terminal("addresses", "list", "--limit", "2").out.splitlines()[-1] == "2 of 3 (--all)"
    assert "of 3" not in terminal("addresses", "list").out
    piped = cli("addresses", "list", "--limit", "2")
    assert "2 of 3 (--all)" in piped.err
    assert "2 of 3" not in piped.out


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_shows_what_is_wrong(width: int) -> None:
    rows = [{"state": "no_label", "count": 1, "detail": "order 1044: unfulfilled, Dan Tremblay, Toronto"}]
    shown = draw_list(rows, VIEWS["day line"], color=False, width=width)
    assert all(word in shown for word in ("order 1044", "Tremblay", "Toronto"))
    assert max(map(len, shown.splitlines())) <= width
