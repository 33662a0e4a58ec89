"""A shipment on a terminal."""

from __future__ import annotations

from typing import Any

from shipcli.cli.console.shipment_card import write_shipment_card
from tests.cli.conftest import Cli

SHIP = ("ship", "--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state",
        "MA", "--to-postal-code", "02134", "--piece", "2lb:8x6x4in", "--carrier", "ups")  # fmt: skip


def test_a_shipment_is_a_card_on_a_terminal(box: Cli, terminal: Any) -> None:
    sold = box(*SHIP, "--reference", "C-1", "--cheapest", "-y", "--json").json
    shown = terminal("--sandbox", "shipments", "get", "C-1", COLUMNS="200", NO_COLOR="1").out
    lines = dict(line.split("  ", 1) for line in shown.splitlines() if "  " in line)
    lines = {name: text.strip() for name, text in lines.items()}
    assert lines["shipment"] == "C-1, purchased"
    assert lines["service"] == f"{sold['service']} of ups"
    assert lines["tracking"] == sold["tracking_number"]
    assert lines["to"] == "Ann Smith, 5 Main Street, Boston MA 02134, US"
    assert lines["parcel"] == "2 LB, 8 x 6 x 4 IN"
    assert "selected_rate" not in shown
    whole = terminal("--sandbox", "shipments", "get", "C-1", "-v", COLUMNS="200", NO_COLOR="1").out
    assert "selected_rate" in whole


def test_the_card_of_a_draft_has_its_cheapest_rates_and_its_goods() -> None:
    address = {"person_name": "Ann", "city": "Boston", "country_code": "US"}
    rates = [
        {"service": f"s{n}", "carrier_id": "ups", "total_charge": 9 - n, "currency": "USD"} for n in range(7)
    ]
    goods = {
        "quantity": 2,
        "title": "Mug",
        "value_amount": 12.5,
        "value_currency": "USD",
        "hs_code": "6912.00",
    }
    draft = {"id": "shp_1", "status": "draft", "shipper": address, "recipient": address, "rates": rates,
             "customs": {"commodities": [goods]},
             "parcels": [{"weight": 1, "weight_unit": "KG", "items": [goods]}],
             "metadata": {"order_id": "1042", "order_source": "shop"}}  # fmt: skip
    card = write_shipment_card(draft)
    assert next(text for title, text in card if title == "rate") == "s6 of ups, 3.00 USD"
    assert ("", "and 2 more rates") in card
    assert ("order", "1042 of shop") in card
    assert ("parcel", "1 KG, 2 x Mug") in card
    assert ("declared", "2 x Mug, 12.50 USD, 6912.00") in card
