"""A command for several objects: what one of them does not stop is done, shown, and remembered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.models import ConnectionData, ConnectionPatch, json
from tests.cli.conftest import Cli, address
from tests.factories import PARCEL, RECIPIENT

PARTLY = 9


@contextmanager
def sandbox_of(home: Path) -> Iterator[App]:
    app = open_app(home, sandbox=True, environ={})
    yield app
    app.close()


def connection_of(app: App, carrier: str) -> str:
    return str(app.store.select("connections", {"carrier_name": carrier, "test_mode": True})[0]["id"])


def buy(box: Cli, *words: str) -> str:
    fields = [word for name, value in RECIPIENT.items() for word in ("-d", f"recipient.{name}={value}")]
    done = box("ship", *fields, "--weight", "2lb", "--size", "12x8x4in", "--cheapest", "-y", "--ids", *words)
    assert done.code == 0, done.err
    return done.out.strip()


def test_what_was_deleted_is_shown_when_another_is_in_use(box: Cli) -> None:
    assert box("shipments", "create", "--to", address(box), "--weight", "2lb").code == 0
    held = box("shipments", "list", "--pick", "recipient.id").out.strip()
    good = address(box)
    done = box("addresses", "delete", good, held, "-y", "--ids")
    assert (done.code, done.lines) == (PARTLY, [good])
    assert held in done.err
    assert box("addresses", "get", good).code == 3


def test_pickups_that_were_cancelled_are_shown_when_another_carrier_fails(box: Cli, home: Path) -> None:
    booked = []
    for carrier in ("fedex", "usps"):
        buy(box, "--carrier", carrier)
        booked += box("pickups", "schedule", carrier, "tomorrow", "13:00-17:00", "-y", "--pick", "id").lines
    with sandbox_of(home) as app:
        down = ConnectionPatch(config={"sandbox_scenario": "error"})
        connections.update_connection(app, connection_of(app, "usps"), down)
    done = box("pickups", "cancel", *booked, "-y", "--json=id,meta.status")
    assert done.code == PARTLY, done.err
    assert done.json == {"id": booked[0], "meta": {"status": "cancelled"}}


def test_a_manifest_that_was_made_is_shown_when_another_fails(box: Cli, home: Path) -> None:
    buy(box, "--carrier", "usps")
    with sandbox_of(home) as app:
        kept = app.store.get("connection", connection_of(app, "usps")) or {}
        secrets = connections.reveal_connection(app, kept).credentials
        east = {"carrier_name": "usps", "carrier_id": "usps-east", "credentials": secrets}
        other = connections.add_connection(app, ConnectionData.model_validate(east))
    buy(box, "--carrier", "usps-east")
    with sandbox_of(home) as app:
        connections.remove_connection(app, str(other.id))
    done = box("manifests", "create", "usps", "-y", "--pick", "id")
    assert done.code == PARTLY, done.err
    assert box("manifests", "get", "@last", "--pick", "id").lines == done.lines == box(
        "manifests", "list", "--ids"
    ).lines  # fmt: skip


BAD_ADDRESS = {"person_name": "Bo", "country_code": "US", "validate_location": True}
BAD_PARCEL = {"weight": 1, "weight_unit": "KG", "items": [{"id": f"cdt_{'0' * 32}"}]}


@pytest.mark.parametrize(
    ("noun", "rows"),
    [
        ("addresses", [{"person_name": "Ann", "country_code": "US"}, BAD_ADDRESS]),
        ("parcels", [{"weight": 1, "weight_unit": "KG"}, BAD_PARCEL]),
    ],
)
def test_rows_that_were_stored_are_shown_when_another_is_refused(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noun: str, rows: list[dict[str, object]]
) -> None:
    monkeypatch.setenv("SHIPCLI_ADDRESS_VALIDATION", "offline")
    (tmp_path / "two.json").write_bytes(json.dump_bytes(rows))
    done = cli(noun, "create", "--from-file", "two.json", "--ids")
    assert done.code == PARTLY, done.err
    assert done.lines == cli(noun, "list", "--ids").lines
    assert cli(noun, "get", "@last", "--ids").lines == done.lines


def test_a_nickname_that_can_be_none_is_refused_before_the_address_is_stored(cli: Cli) -> None:
    assert cli("addresses", "create", "--name", "Ann", "--country", "US", "--nickname", "@x").code == 6
    assert cli("addresses", "list", "--ids").out == ""


def test_what_is_named_twice_is_done_once(box: Cli, spool: Path) -> None:
    one = buy(box, "-d", "reference=SO-7", "-d", f"parcels=[{json.dumps(PARCEL)}]")
    assert box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "PDF").code == 0
    assert box("print", one, "SO-7").code == 0
    assert len(list(spool.iterdir())) == 1
    assert box("reprint", one, one, "-y").code == 0
    assert len(list(spool.iterdir())) == 2


def test_a_draft_that_is_named_twice_is_bought_once(box: Cli) -> None:
    fields = [word for name, value in RECIPIENT.items() for word in ("-d", f"recipient.{name}={value}")]
    made = box("shipments", "create", *fields, "--weight", "2lb", "--reference", "SO-8", "--ids").out.strip()
    done = box("ship", made, "SO-8", "--cheapest", "-y", "--ids")
    assert (done.code, done.lines) == (0, [made])


@pytest.mark.parametrize("yes", [(), ("-y",)])
@pytest.mark.parametrize(
    "line",
    [
        "orders cancel -",
        "labels void -",
        "shipments cancel -",
        "pickups cancel -",
        "orders fulfil -",
        "ship - --cheapest",
        "shipments buy - --cheapest",
        "addresses delete -",
        "print -",
        "reprint -",
        "manifests create ups",
    ],
)
def test_of_nothing_named_comes_an_empty_list_and_nothing_is_asked(
    box: Cli, line: str, yes: tuple[str, ...]
) -> None:
    done = box(*line.split(), *yes, "--json", typed="")
    assert (done.code, done.json) == (0, []), done.err
