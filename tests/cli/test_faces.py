"""The command line and the API are two faces of one store: they show the same, and see each other's work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.cli import command_table
from shipcli.cli.command_loader import list_own_options
from shipcli.cli.global_options import read_line
from shipcli.features.files.batches import service as batches
from tests.api.conftest import BASE, Client, body, client_of
from tests.api.operations.samples import bought
from tests.cli.conftest import Cli, Result
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

LISTED = ("addresses", "rates", "labels", "trackers", "pickups", "manifests", "batches", "import",
          "documents", "server", "worker")  # fmt: skip
PATHS = {
    "addresses": "addresses", "parcels": "parcels", "connections": "connections", "shipments": "shipments",
    "trackers": "trackers", "orders": "orders", "pickups": "pickups", "manifests": "manifests",
    "batches": "batches/operations", "webhooks": "webhooks", "templates": "documents/templates",
    "uploads": "documents/uploads",
}  # fmt: skip
WHEN = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00"}


@dataclass(frozen=True)
class World:
    """A sandbox behind its API, and an object of every kind in it."""

    home: Path
    api: Client
    ids: dict[str, str]


def filled(api: Client) -> dict[str, str]:
    """Make an object of every kind; their ids by noun."""
    sent, other = bought(api, carrier_ids=["usps"]), bought(api, carrier_ids=["ups"])
    numbers = {"tracking_numbers": [sent["tracking_number"]]}
    form = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    files = [{"doc_file": "JVBERi0=", "doc_name": "a.pdf"}]
    order = {"order_id": "F-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    made = {
        "addresses": api.made("/v1/addresses", RECIPIENT),
        "parcels": api.made("/v1/parcels", PARCEL),
        "shipments": api.made("/v1/shipments", body(reference="SO-9")),
        "orders": api.made("/v1/orders", order),
        "trackers": api.made("/v1/trackers", {"tracking_number": "SC0300000001", "carrier_name": "ups"}),
        "pickups": api.made("/v1/pickups/usps/schedule", {**WHEN, **numbers}),
        "manifests": api.made("/v1/manifests", form),
        "batches": api.made("/v1/batches/orders", {"orders": [{**order, "order_id": "F-2"}]}),
        "webhooks": api.made("/v1/webhooks", {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}),
        "templates": api.made("/v1/documents/templates", {"name": "N", "slug": "n", "template": "x"}),
        "uploads": api.made("/v1/documents/uploads", {"shipment_id": other["id"], "document_files": files}),
        "connections": api.get("/v1/connections?carrier_name=ups").json["results"][0],
    }
    return {noun: one["id"] for noun, one in made.items()}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("faces") / "home"
    app = open_app(home, sandbox=True, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        ids = filled(api)
        assert batches.run_here(app, ids["batches"])
        yield World(home, api, ids)
    app.close()


@pytest.fixture
def home(world: World) -> Path:
    return world.home


@pytest.fixture
def box(cli: Cli) -> Cli:
    """The command line in the sandbox."""
    return lambda *words, **more: cli("--sandbox", *words, **more)


# -- help --------------------------------------------------------------------------------------


def test_help_lists_what_there_is(cli: Cli) -> None:
    shown = cli("--help")
    words = {line.split()[0].strip("│") for line in shown.lines if line.split()}
    assert (shown.code, [noun for noun in LISTED if noun not in words]) == (0, [])


@pytest.mark.parametrize(
    "row", [row for row in command_table.NOUNS if row.singular], ids=lambda row: row.name
)
def test_the_singular_of_a_noun_means_the_same(cli: Cli, row: command_table.Noun) -> None:
    one, many = cli(row.singular, "--help"), cli(row.name, "--help")
    assert (one.code, one.out, one.err) == (0, many.out, "")
    assert row.verbs[0].name in one.out


def test_every_noun_in_the_plural_has_a_singular() -> None:
    many = [
        row
        for row in command_table.NOUNS
        if row.name in PATHS or row.name in ("rates", "labels", "documents")
    ]
    assert [row.name for row in many if not row.singular] == []


# -- the same answers --------------------------------------------------------------------------


@pytest.mark.parametrize("noun", PATHS)
def test_an_object_is_shown_as_the_api_shows_it(box: Cli, world: World, noun: str) -> None:
    id, path = world.ids[noun], PATHS[noun]
    in_clear = ("--reveal",) if noun in ("connections", "webhooks") else ()
    one, wanted = box(noun, "get", id, "--json", *in_clear), world.api.get(f"/v1/{path}/{id}").json
    listed = box(noun, "list", "--json", "--limit", "100", *in_clear).json
    rows = world.api.get(f"/v1/{path}?limit=100").json
    assert one.json == wanted
    assert (listed["count"], listed["results"]) == (rows["count"], rows["results"])


@pytest.mark.parametrize("noun", PATHS)
def test_a_list_without_json_is_a_table(box: Cli, world: World, noun: str) -> None:
    listed = box(noun, "list", "--limit", "100")
    header, *rows = [line.split("\t") for line in listed.lines]
    assert header[0] == "id"
    assert world.ids[noun] in [row[0] for row in rows]
    assert {len(row) for row in rows} == {len(header)}
    one = [line.split("\t") for line in box(noun, "get", world.ids[noun]).lines]
    assert any(world.ids[noun] in row for row in one)


def test_on_a_terminal_a_list_is_a_table(world: World, terminal: Callable[..., Result]) -> None:
    done = terminal("--sandbox", "orders", "list", NO_COLOR="1")
    assert [title for title in ("ORDER", "STATUS", "RECIPIENT") if title not in done.out] == []
    assert "{" not in done.out
    assert world.ids["orders"] not in done.out
    assert world.ids["orders"] in terminal("--sandbox", "orders", "list", "-v", NO_COLOR="1").out


def test_every_command_takes_json() -> None:
    paths = [(row.name, verb.name) for row in command_table.NOUNS for verb in row.verbs]
    for path in [*paths, *((row.name,) for row in command_table.NOUNS if not row.verbs)]:
        line = read_line([*path, "--json"], list_own_options)
        assert (line.path, line.options.format, line.rest) == (path, "json", []), path


def test_prices_carriers_and_references_are_those_of_the_api(box: Cli, world: World) -> None:
    assert box("carriers", "list", "--json").json == world.api.get("/v1/carriers").json
    quoted = box("quote", "85004", "--weight", "2lb", "--carrier", "ups", "--json").json
    asked = body(carrier_ids=["ups"], parcels=[{"weight": 2, "weight_unit": "LB"}])
    rates = world.api.post("/v1/proxy/rates", asked).json
    assert set(quoted) == set(rates)
    assert [set(rate) for rate in quoted["rates"]] == [set(rate) for rate in rates["rates"]]


def test_what_the_command_line_makes_is_seen_through_the_api(box: Cli, world: World) -> None:
    words = ("--to-name", "Ann", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
             "--to-postal-code", "02134", "--weight", "2lb", "--cheapest", "-y", "--json")  # fmt: skip
    sent = box("ship", *words).json
    assert world.api.get(f"/v1/shipments/{sent['id']}").json == sent
    assert world.api.get(sent["label_url"]).content.startswith(b"%PDF")
    address = box("addresses", "create", "-d", "country_code=DE", "--json").json
    assert world.api.get(f"/v1/addresses/{address['id']}").json == address
    world.api.patch(f"/v1/addresses/{address['id']}", {"city": "Berlin"})
    assert box("addresses", "get", address["id"], "--pick", "city").out == "Berlin\n"


# -- what will go away -------------------------------------------------------------------------


def test_a_deprecated_operation_is_warned_of(box: Cli, world: World) -> None:
    order = {"order_id": "F-3", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    made = world.api.made("/v1/orders", order)
    done = box("orders", "dismiss", made["id"], "-y", "--pick", "status")
    assert (done.code, done.out) == (0, "cancelled\n")
    assert "warning: shipcli orders dismiss is deprecated; use shipcli orders cancel" in done.err


@pytest.mark.parametrize("way", ["--option", "-d", "file", "batch", "ship"])
def test_a_deprecated_option_is_warned_of_once(box: Cli, tmp_path: Path, way: str) -> None:
    from shipcli.models import json

    old = "shipment_date=2031-05-06"
    row = body(options={"shipment_date": "2031-05-06"})
    (tmp_path / "rows.json").write_bytes(json.dump_bytes([row, row]))
    given = ("-d", f"recipient={json.dumps(RECIPIENT)}", "--weight", "1kg")
    lines = {
        "--option": ("shipments", "create", *given, "--option", old),
        "-d": ("shipments", "create", *given, "-d", f"options.{old}"),
        "file": ("shipments", "create", "--from-file", "rows.json"),
        "batch": ("batches", "shipments", "rows.json"),
        "ship": ("ship", *given, "--option", old, "--dry-run", "--cheapest"),
    }
    done = box(*lines[way])
    assert done.code == 0, done.err
    assert done.err.count("warning: the option shipment_date is deprecated; use shipping_date") == 1


def test_the_newer_option_is_not_warned_of(box: Cli) -> None:
    words = ("--option", "shipping_date=2031-05-06T10:00", "--weight", "1kg")
    done = box("shipments", "create", "-d", "recipient.country_code=US", *words)
    assert (done.code, "deprecated" in done.err) == (0, False)


# -- files and printers ------------------------------------------------------------------------


def test_one_command_writes_a_label_and_prints_it(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    words = ("--to-name", "Ann", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
             "--to-postal-code", "02134", "--weight", "2lb", "--cheapest", "-y", "--json")  # fmt: skip
    done = box("ship", *words, "--label", str(tmp_path / "a.zpl"), "--printer", "spool:spool")
    assert done.code == 0, done.err
    assert (tmp_path / "a.zpl").read_bytes().startswith(b"^XA")
    (printed,) = (tmp_path / "spool").iterdir()
    assert printed.stat().st_size > 0
