"""Pickups, manifests and the end of the day, as typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import Shipment, ShipmentPurchaseData, json
from tests.cli.conftest import Cli, Result
from tests.factories import CANADA, FARTHER, SHIPPER, draft
from tests.features.paper.samples import ordered

Buy = Callable[..., Shipment]


@pytest.fixture
def buy(home: Path) -> Buy:
    """A bought shipment in the sandbox of the command line."""

    def bought(carrier: str = "usps", **changes: Any) -> Shipment:
        app = open_app(home, sandbox=True, environ={})
        try:
            made = shipments.create_shipment(app, draft(carrier_ids=[carrier], **changes))
            wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
            return shipments.purchase_shipment(app, made.id, wanted)
        finally:
            app.close()

    return bought


@pytest.fixture
def sandbox(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def forget(home: Path, shipment: Shipment) -> None:
    """Make the carrier know nothing of a label."""
    app: App = open_app(home, sandbox=True, environ={})
    app.ledger.remove(str(shipment.carrier_name), "label", str(shipment.tracking_number))
    app.close()


def rows(result: Result) -> list[dict[str, Any]]:
    return list(result.json)


# -- eod ---------------------------------------------------------------------------------------------


def test_a_check_lists_what_is_open_and_changes_nothing(sandbox: Cli, buy: Buy) -> None:
    for carrier in ("usps", "usps", "ups"):
        buy(carrier)
    done = sandbox("eod", "--check")
    place = "Harbour Goods, 2600 Benjamin Franklin Pkwy, 19130 Philadelphia"
    assert done.code == 0, done.err
    assert done.lines == [
        "state\tcarrier_id\torigin\tcount\tmanifest_id\tpickup_id\tdetail",
        f"open\tusps\t{place}\t2\t\t\t",
        f"open\tups\t{place}\t1\t\t\t",
    ]
    assert sandbox("manifests", "list", "--ids").out == ""


def test_a_check_ends_with_9_while_something_lacks_a_label(sandbox: Cli, home: Path) -> None:
    app = open_app(home, sandbox=True, environ={})
    waiting = shipments.create_shipment(app, draft(carrier_ids=["usps"], reference="SO-7"))
    app.close()
    done = sandbox("eod", "--check", "--json")
    assert done.code == 9
    (row,) = rows(done)
    assert (row["state"], row["shipments"], row["detail"]) == (
        "no_label",
        [waiting.id],
        "shipment SO-7: draft, Ana Ruiz",
    )
    assert "1 shipment without a label" in done.err


def test_a_check_names_orders_first(sandbox: Cli, home: Path, buy: Buy, tmp_path: Path) -> None:
    buy()
    app = open_app(home, sandbox=True, environ={})
    for number in ("W00001", "W00002"):
        ordered(app, order_id=number, shipping_from=SHIPPER)
    shipments.create_shipment(app, draft(reference="SO-7"))
    app.close()
    done = sandbox("eod", "--check")
    assert done.code == 9
    assert [line.split("\t")[-1] for line in done.lines[1:]] == [
        "order W00001: unfulfilled, Ana Ruiz, Phoenix",
        "order W00002: unfulfilled, Ana Ruiz, Phoenix",
        "shipment SO-7: draft, Ana Ruiz",
        "",
    ]
    assert "warning: 2 orders and 1 shipment without a label" in done.err
    closed = sandbox("eod", "-y", "--json", "--summary", str(tmp_path / "eod.json"))
    assert (closed.code, [row["state"] for row in rows(closed)]) == (0, ["closed", "no_label"])
    assert json.loads((tmp_path / "eod.json").read_bytes())["orders_without_label"] == 2
    quiet = sandbox("eod", "--carrier", "ups", "--quiet-if-nothing", "-y")
    assert "2 orders and 1 shipment without a label" in quiet.err


def test_orders_alone_are_no_news_for_cron(sandbox: Cli, home: Path) -> None:
    app = open_app(home, sandbox=True, environ={})
    ordered(app, order_id="W00001", shipping_from=SHIPPER)
    app.close()
    done = sandbox("eod", "--all", "--quiet-if-nothing", "-y")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "warning: 1 order without a label" in sandbox("eod", "-y").err


def test_a_day_is_closed_carrier_by_carrier_and_place_by_place(sandbox: Cli, buy: Buy) -> None:
    buy(), buy("ups"), buy("canadapost", shipper=CANADA, recipient=FARTHER)
    buy(shipper={**SHIPPER, "address_line1": "1 Other St", "postal_code": "19103"})
    done = sandbox("eod", "-y", "--json")
    assert done.code == 0, done.err
    found = rows(done)
    assert [row["carrier_id"] for row in found] == ["usps", "ups", "canadapost", "usps"]
    assert {row["state"] for row in found} == {"closed"}
    listed = sandbox("manifests", "list", "--ids").lines
    assert sorted(listed) == sorted(row["manifest_id"] for row in found)
    assert sandbox("shipments", "list", "--no-manifest", "--ids").out == ""


def test_a_closed_day_is_quiet_for_cron(sandbox: Cli, buy: Buy) -> None:
    buy()
    assert sandbox("eod", "-y").code == 0
    again = sandbox("eod", "--quiet-if-nothing")
    assert (again.code, again.out, again.err) == (0, "", "")
    assert "nothing to close" in sandbox("eod").err


def test_closing_asks_first(sandbox: Cli, buy: Buy) -> None:
    buy()
    done = sandbox("eod")
    assert done.code == 2
    assert "close 1 shipment with usps" in done.err
    assert "--yes" in done.err
    dry = sandbox("eod", "--dry-run")
    assert dry.code == 0
    assert "would close 1 shipment with usps" in dry.err
    assert sandbox("manifests", "list", "--ids").out == ""


def test_what_fails_is_told_and_the_rest_is_closed(
    sandbox: Cli, buy: Buy, home: Path, tmp_path: Path
) -> None:
    forget(home, buy())
    buy("ups")
    done = sandbox("eod", "-y", "--json", "--summary", str(tmp_path / "eod.json"))
    assert done.code == 9
    failed, closed = rows(done)
    assert (failed["state"], closed["state"]) == ("failed", "closed")
    assert "not a label of this account" in failed["detail"]
    summary = json.loads((tmp_path / "eod.json").read_text())
    assert {key: summary[key] for key in ("exit_code", "closed", "failed", "open", "no_label")} == {
        "exit_code": 9, "closed": 1, "failed": 1, "open": 0, "no_label": 0,
    }  # fmt: skip
    assert summary["lines"] == [failed, closed]
    assert sandbox("eod", "-y").code == 7


def test_one_carrier_is_closed_alone(sandbox: Cli, buy: Buy) -> None:
    buy(), buy("ups")
    done = sandbox("eod", "--carrier", "ups", "-y", "--json")
    assert [row["carrier_id"] for row in rows(done)] == ["ups"]
    assert sandbox("eod", "--carrier", "ups", "--all").code == 2


def test_manifests_are_printed(sandbox: Cli, buy: Buy, tmp_path: Path) -> None:
    buy(), buy("ups")
    paper = tmp_path / "printer.pdf"
    done = sandbox("eod", "-y", "--print", "--to", f"file:{paper}")
    assert done.code == 0, done.err
    assert paper.read_bytes().startswith(b"%PDF")


def test_forms_of_a_day_that_was_closed_and_not_printed_are_printed_once(
    sandbox: Cli, buy: Buy, tmp_path: Path
) -> None:
    buy()
    assert sandbox("eod", "-y").code == 0
    paper, again = tmp_path / "printer.pdf", tmp_path / "again.pdf"
    done = sandbox("eod", "-y", "--print", "--to", f"file:{paper}")
    assert (done.code, paper.read_bytes()[:4]) == (0, b"%PDF"), done.err
    assert sandbox("eod", "-y", "--print", "--to", f"file:{again}").code == 0
    assert not again.exists()


def test_a_printer_that_is_off_leaves_the_day_closed(sandbox: Cli, buy: Buy, tmp_path: Path) -> None:
    buy()
    done = sandbox("eod", "-y", "--print", "--to", f"spool:{tmp_path / 'nowhere'}", "--json")
    assert done.code == 10
    (row,) = rows(done)
    assert row["state"] == "closed"
    assert "its job waits, then: shipcli printers resume" in done.err
    assert row["manifest_id"] in sandbox("printers", "queue", "--pick", "object_id").out
    again = sandbox("manifests", "print", row["manifest_id"], "--to", f"file:{tmp_path / 'x.pdf'}")
    assert again.code == 0
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


def test_a_printer_that_is_none_is_found_before_anything_is_closed(sandbox: Cli, buy: Buy) -> None:
    buy()
    assert sandbox("eod", "-y", "--print", "--to", "dock2").code == 10
    assert sandbox("eod", "-y", "--print").code == 10
    assert sandbox("manifests", "list", "--ids").out == ""


def test_wrong_hours_are_found_before_anything_is_closed(sandbox: Cli, buy: Buy) -> None:
    buy()
    done = sandbox("eod", "-y", "--pickup", "noon")
    assert done.code == 6
    assert "hours" in done.err
    assert sandbox("manifests", "list", "--ids").out == ""


# -- pickups -----------------------------------------------------------------------------------------


def test_a_pickup_is_booked_for_all_that_waits(sandbox: Cli, buy: Buy) -> None:
    one, two = buy(), buy()
    done = sandbox("pickups", "schedule", "usps", "monday", "14:00-17:00", "--at", "Dock 2", "-y", "--json")
    assert done.code == 0, done.err
    made = done.json
    assert (made["ready_time"], made["closing_time"], made["package_location"]) == (
        "14:00",
        "17:00",
        "Dock 2",
    )
    assert [parcel["id"] for parcel in made["parcels"]] == [one.parcels[0].id, two.parcels[0].id]
    shown = sandbox("pickup", "show", "@last", "--json").json
    assert shown == made
    assert sandbox("pickups", "list", "--ids").lines == [made["id"]]
    names, cells = (line.split("\t") for line in sandbox("pickups", "list").lines)
    assert (names[-1], cells[-1]) == ("parcels", "2")
    assert sandbox("pickups", "list", "--columns", "parcels").lines[1].startswith('[{"')


def test_shipments_of_a_pickup_can_be_named(sandbox: Cli, buy: Buy) -> None:
    one, _, three = buy(), buy(), buy()
    words = ("--shipments", f"{one.tracking_number},{three.id}")
    done = sandbox("pickups", "schedule", "usps", "monday", "9-17", *words, "-y", "--json")
    assert len(done.json["parcels"]) == 2


def test_booking_asks_first_and_says_what(sandbox: Cli, buy: Buy) -> None:
    buy()
    done = sandbox("pickups", "schedule", "usps", "2099-01-05", "9-17")
    assert done.code == 2
    assert "book a usps pickup of 1 shipment on 2099-01-05, 09:00 to 17:00" in done.err
    assert sandbox("pickups", "schedule", "usps", "2099-01-05", "9-17", "--dry-run").code == 0
    assert sandbox("pickups", "list", "--ids").out == ""


def test_a_pickup_is_changed(sandbox: Cli, buy: Buy) -> None:
    buy()
    sandbox("pickups", "schedule", "usps", "monday", "14:00-17:00", "-y")
    done = sandbox(
        "pickups", "update", "@last", "--hours", "9-12", "-d", "address.person_name=Gate 4", "--json"
    )
    assert done.code == 0, done.err
    assert (done.json["ready_time"], done.json["address"]["person_name"]) == ("09:00", "Gate 4")


def test_a_cancelled_pickup_frees_its_shipments(sandbox: Cli, buy: Buy) -> None:
    buy()
    made = sandbox("pickups", "schedule", "usps", "monday", "14:00-17:00", "-y", "--json").json
    assert sandbox("pickups", "cancel", "@last").code == 2
    done = sandbox("pickups", "cancel", made["confirmation_number"], "--reason", "Snow", "-y", "--ids")
    assert done.lines == [made["id"]]
    assert sandbox("pickups", "get", made["id"], "--pick", "meta.status").out == "cancelled\n"
    assert sandbox("pickups", "schedule", "usps", "monday", "14:00-17:00", "-y").code == 0


@pytest.mark.parametrize(
    ("carrier", "code", "said"),
    [
        ("usps", 6, "waits for a pickup"),
        ("bpost", 6, "error: bpost takes no pickups through shipcli; these do: canadapost"),
    ],
)
def test_what_cannot_be_booked_says_why(sandbox: Cli, carrier: str, code: int, said: str) -> None:
    done = sandbox("pickups", "schedule", carrier, "monday", "14:00-17:00", "-y")
    assert done.code == code
    assert said in done.err


def test_a_day_that_is_none_is_named(sandbox: Cli, buy: Buy) -> None:
    buy()
    done = sandbox("pickups", "schedule", "usps", "someday", "14:00-17:00", "-y")
    assert done.code == 6
    assert "pickup_date: 'someday'" in done.err


# -- manifests ---------------------------------------------------------------------------------------


def test_a_manifest_of_named_shipments(sandbox: Cli, buy: Buy) -> None:
    one, two = buy(), buy()
    done = sandbox("manifests", "create", "usps", str(one.tracking_number), "-y", "--json")
    assert done.code == 0, done.err
    assert done.json["shipment_identifiers"] == [one.shipment_identifier]
    both = sandbox("manifests", "create", "usps", one.id, two.id, "-y", "--json")
    assert both.json["shipment_identifiers"] == [two.shipment_identifier]
    assert "already" in both.err
    again = sandbox("manifests", "create", "usps", one.id, "-y", "--json")
    assert (again.code, again.json["id"]) == (0, done.json["id"])
    assert f"closed before: {done.json['id']}" in again.err
    assert len(sandbox("manifests", "list", "--ids").lines) == 2


def test_a_manifest_of_all_that_waits(sandbox: Cli, buy: Buy) -> None:
    buy(), buy("ups")
    asked = sandbox("manifests", "create", "usps")
    assert asked.code == 2
    assert "close 1 shipment with usps on 1 manifest" in asked.err
    assert sandbox("manifests", "create", "usps", "-y").code == 0
    assert "nothing of usps" in sandbox("manifests", "create", "usps", "-y").err
    assert len(sandbox("manifests", "list", "--carrier-name", "usps", "--ids").lines) == 1
    assert sandbox("manifests", "list", "--carrier-name", "ups", "--ids").out == ""


def test_forms_are_written_to_one_file(sandbox: Cli, buy: Buy, tmp_path: Path) -> None:
    buy(), buy("ups")
    sandbox("eod", "-y")
    done = sandbox("manifests", "print", "@last", "@-2", "-o", str(tmp_path / "day.pdf"))
    assert done.code == 0, done.err
    assert (tmp_path / "day.pdf").read_bytes().startswith(b"%PDF")


def test_the_end_of_the_day_as_a_program_of_its_own(program: Cli, buy: Buy) -> None:
    buy("ups")
    done = program("--sandbox", "eod", "--yes", "--pick", "manifest_id")
    assert done.code == 0, done.err
    assert done.out.startswith("manf_")


@pytest.mark.parametrize(
    "line", ["locations 10115 --country DE --carrier upss", "manifests create upss", "eod --carrier upss"]
)
def test_a_carrier_that_is_misspelt_is_told_which_was_meant(cli: Cli, line: str) -> None:
    assert "did you mean ups?" in cli("--sandbox", *line.split()).err


def test_a_carrier_that_is_known_is_no_slip(cli: Cli) -> None:
    done = cli("--sandbox", "manifests", "create", "ups")
    assert done.err.splitlines() == ["note: nothing of ups waits for a manifest"]


def test_a_name_that_nobody_has_is_said_to_be_none(cli: Cli) -> None:
    said = cli("--sandbox", "locations", "10115", "--country", "DE", "--carrier", "nope").err
    assert ("nope: no carrier and no active connection has this name" in said, "as before" in said) == (
        True,
        False,
    )
