"""Lists of shipments: filters, pages, order; and shipments one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.store import Store
from tests.cli.conftest import Cli

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
CITIES = ("Boston", "Ottawa", "Lyon", "Oslo")


def shipment(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"shp_{number:032x}",
        "object_type": "shipment",
        "status": "draft",
        "carrier_name": None,
        "tracking_number": None,
        "reference": f"order-{number}",
        "recipient": {"person_name": f"P{number}", "city": CITIES[number % 4], "country_code": "US"},
        "options": {},
        "metadata": {},
        "meta": {},
        "test_mode": True,
        "created_at": (START + timedelta(days=number)).isoformat(),
        **fields,
    }


@pytest.fixture
def stored(home: Path) -> None:
    rows = [
        shipment(1, status="purchased", carrier_name="acme", tracking_number="1Z999", tracker_id="trk_1",
                 selected_rate={"service": "acme_air"}),
        shipment(2, meta={"rate_provider": "hub"}, carrier_name="zulu", metadata={"shop": "north"}),
        shipment(3, options={"insurance": 100}),
        shipment(4, test_mode=False),
    ]  # fmt: skip
    with Store.open(home / "shipcli.db", clock=lambda: START) as store, store.transaction() as tx:
        for row in rows:
            tx.put("shipment", row)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("", [3, 2, 1]),
        ("--live", [4]),
        ("--status purchased", [1]),
        ("--status purchased,draft --limit 2", [3, 2]),
        ("--status purchased --status draft", [3, 2, 1]),
        ("--carrier-name acme", [1]),
        ("--carrier-name hub", [2]),
        ("--service acme_air", [1]),
        ("--keyword 1z99", [1]),
        ("--address ottawa", [1]),
        ("--reference ORDER-2", [2]),
        ("--tracking-number z99", [1]),
        ("--has-tracker", [1]),
        ("--no-tracker", [3, 2]),
        ("--option-key insurance", [3]),
        ("--option-value 100", [3]),
        ("--metadata-key shop --metadata-value north", [2]),
        ("--meta-value hub", [2]),
        ("--created-after 2026-01-03", [3, 2]),
        ("--created-before 2026-01-03T12:00:00Z", [2, 1]),
        ("--sort recipient.city", [2, 3, 1]),
        ("--sort -reference --limit 1", [3]),
        ("--sort tracking_number", [1, 3, 2]),
        ("--offset 1 --limit 1", [2]),
        ("--all", [3, 2, 1]),
    ],
)
def test_the_list_is_filtered(cli: Cli, line: str, numbers: list[int]) -> None:
    shown = cli("shipments", "list", *line.split(), "--ids")
    assert [int(id[4:], 16) for id in shown.lines] == numbers, shown.err


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("line", ["--status bought", "--created-after yesterday"])
def test_a_filter_that_means_nothing_is_refused(cli: Cli, line: str) -> None:
    assert cli("shipments", "list", *line.split()).code == 6


@pytest.mark.usefixtures("stored")
def test_a_page_holds_the_stored_texts(cli: Cli, home: Path) -> None:
    shown = cli("shipments", "list", "--json", "--limit", "2")
    with Store.open(home / "shipcli.db", clock=lambda: START) as store:
        texts = store.page("shipment", limit=2, test_mode=True).items
    start = '{"count":3,"next":"?limit=2&offset=2","previous":null,"results":['
    assert shown.out == f"{start}{','.join(texts)}]}}\n"


@pytest.mark.usefixtures("stored")
def test_a_shipment_is_named_by_tracking_number_or_reference(cli: Cli) -> None:
    for name in ("1Z999", "order-1", "shp_" + "1".zfill(32)):
        assert cli("shipments", "get", name, "--pick", "status").out == "purchased\n"


@pytest.mark.usefixtures("stored")
def test_a_shipment_of_the_other_mode_is_not_there(cli: Cli) -> None:
    assert cli("shipment", "show", "order-4").code == 3
    assert cli("shipment", "show", "order-4", "--live").code == 0


@pytest.mark.usefixtures("stored")
def test_the_table_of_a_pipe(cli: Cli) -> None:
    assert cli(
        "shipments", "list", "--columns", "status,recipient.city,reference", "--sort", "reference"
    ).out == (
        "status\trecipient.city\treference\n"
        "purchased\tOttawa\torder-1\ndraft\tLyon\torder-2\ndraft\tOslo\torder-3\n"
    )


def test_a_label_that_cannot_be_read_is_a_mistake_in_the_line(cli: Cli) -> None:
    done = cli("shipments", "resolve", f"shp_{'0' * 32}", "--bought", "1Z9", "--label", "nowhere.pdf")
    assert (done.code, "nowhere.pdf can't be read" in done.err) == (2, True)
