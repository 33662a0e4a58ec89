"""Objects are named in many ways."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result, address


def test_a_unique_prefix_is_enough(cli: Cli) -> None:
    id = address(cli)
    assert cli("addresses", "get", id[:8], "--ids").out.strip() == id
    assert cli("addresses", "get", id.removeprefix("adr_")[:9], "--ids").out.strip() == id


def test_the_number_of_no_order_is_not_taken_for_the_beginning_of_an_id(cli: Cli) -> None:
    id = address(cli)
    for word in ("0", "01", id.removeprefix("adr_")[:3]):
        assert cli("addresses", "delete", word, "-y").code == 3
    assert cli("addresses", "list", "--ids").out.strip() == id


def test_an_ambiguous_name_lists_the_candidates(cli: Cli) -> None:
    ids = [address(cli, person_name=name) for name in ("Ann", "Bob")]
    shown = cli("addresses", "get", "adr_")
    assert shown.code == 2
    assert "fits several" in shown.err
    assert all(f"{id} {name}" in shown.err for id, name in zip(ids, ("Ann", "Bob"), strict=True))


@pytest.mark.parametrize(("reference", "word"), [("#1042", "1042"), ("1042", "#1042")])
def test_a_shipment_is_named_by_the_number_of_its_order_with_or_without_its_sign(
    cli: Cli, reference: str, word: str
) -> None:
    body = (f"reference={reference}", "shipper.country_code=US", "recipient.country_code=US",
            "parcels[0].weight=1", "parcels[0].weight_unit=LB")  # fmt: skip
    words = [word for pair in body for word in ("-d", pair)]
    made = cli("--sandbox", "shipments", "create", *words, "--ids")
    assert cli("--sandbox", "shipments", "get", word, "--ids").out == made.out
    assert made.out.startswith("shp_")


def test_names_come_from_standard_input(cli: Cli) -> None:
    ids = [address(cli) for _ in range(2)]
    assert cli("addresses", "get", "-", "--ids", typed=f"{ids[0]}\n\n{ids[1]}\n").lines == ids


def test_one_object_is_taken_where_one_is_meant(cli: Cli) -> None:
    assert cli("addresses", "update", "-", "--city", "x", typed="a\nb\n").code == 2


def test_the_last_one_is_what_this_terminal_made_or_named(cli: Cli) -> None:
    first, second = address(cli), address(cli)
    assert cli("addresses", "get", "@last", "--ids").out.strip() == second
    cli("addresses", "get", first)
    assert cli("addresses", "get", "@last", "--ids").out.strip() == first
    assert cli("addresses", "get", "@-2", "--ids").out.strip() == second


def test_each_bench_has_its_own_last_one(cli: Cli) -> None:
    for bench in ("1", "2"):
        cli("addresses", "create", "--country", "US", "--city", f"b{bench}", "--bench", bench)
    assert cli("addresses", "get", "@last", "--pick", "city", "--bench", "1").out == "b1\n"


def test_a_new_terminal_takes_the_newest_and_says_so(cli: Cli) -> None:
    address(cli)
    newest = address(cli)
    shown = cli("addresses", "get", "@last", "--ids", "--bench", "new")
    assert shown.out.strip() == newest
    assert f"taking the newest, {newest}" in shown.err


def test_what_was_deleted_is_no_longer_last(cli: Cli) -> None:
    first, second = address(cli), address(cli)
    cli("addresses", "delete", second, "-y")
    assert cli("addresses", "get", "@last", "--ids").out.strip() == first


def test_going_back_too_far_is_told(cli: Cli) -> None:
    address(cli)
    assert "named only 1" in cli("addresses", "get", "@-9").err


def test_nothing_to_go_back_to_is_not_found(cli: Cli) -> None:
    assert cli("addresses", "get", "@last").code == 3


def test_terminals_are_told_apart(cli: Cli, terminal: Callable[..., Result]) -> None:
    first, _ = address(cli), address(cli)
    assert first in terminal("addresses", "get", first).out
    assert "taking the newest" in terminal("addresses", "get", "@last").out


@pytest.mark.parametrize("word", ["", "no such", "adr_" + "0" * 32, "adr_zz", "%"])
def test_a_name_of_nothing_is_not_found(cli: Cli, word: str) -> None:
    address(cli)
    assert cli("addresses", "get", word).code in (2, 3)


def test_a_connection_is_named_by_its_carrier_id(cli: Cli) -> None:
    cli("connections", "add", "generic", "--simulated", "--carrier-id", "dock-2")
    assert cli("connections", "get", "dock-2", "--pick", "carrier_id").out == "dock-2\n"


# -- shipments by the number of their order --------------------------------------------------------


@pytest.fixture
def order(cli: Cli) -> Cli:
    """The command line in a sandbox with an order #1042 and a printer."""
    box: Cli = lambda *words, **more: cli("--sandbox", *words, **more)  # noqa: E731
    to = {"person_name": "Ada Brooks", "address_line1": "12 Harbor St", "city": "Boston", "state_code": "MA",
          "postal_code": "02210", "country_code": "US"}  # fmt: skip
    lines = [{"title": "Lamp", "sku": "LAMP-1", "weight": 1, "weight_unit": "LB"}]
    body = {"order_id": "#1042", "shipping_to": to, "line_items": lines}
    assert box("orders", "create", "--from-file", "-", typed=json.dumps(body)).code == 0
    return box


@pytest.mark.parametrize("word", ["1042", "#1042"])
def test_the_number_of_an_order_bought_again_after_a_void_means_its_new_label(order: Cli, word: str) -> None:
    assert order("ship", "1042", "--service", "ups_ground", "-y").code == 0
    assert order("void", word, "-y").code == 0
    new = order("ship", "1042", "--service", "ups_ground", "-y", "--pick", "tracking_number").out
    assert order("shipments", "get", word, "--pick", "tracking_number").out == new
    assert order("track", word, "--pick", "tracking_number").out == new
    assert new.strip() in order("open", word).out
    assert order("void", word, "-y", "--pick", "tracking_number").out == new


def test_a_number_of_two_labels_that_both_count_lists_them(order: Cli) -> None:
    for again in ((), ("--again",)):
        fields = ("-d", "recipient.country_code=US", "-d", "recipient.postal_code=02210",
                  "-d", "recipient.city=Boston", "-d", "recipient.address_line1=12 Harbor St",
                  "-d", "recipient.person_name=Ada", "-d", "recipient.state_code=MA")  # fmt: skip
        line = (
            "ship",
            *fields,
            "--reference",
            "#7",
            "--weight",
            "2lb",
            "--service",
            "ups_ground",
            "-y",
            *again,
        )
        assert order(*line).code == 0
    for verb in ("track", "open", "void"):
        told = order(verb, "7")
        assert (told.code, "'7' fits several" in told.err) == (2, True), told.err


@pytest.mark.parametrize(
    "line",
    [
        ("print", "1042"),
        ("void", "1042", "-y"),
        ("track", "1042"),
        ("open", "#1042"),
        ("documents", "make", "invoice", "1042", "-o", "i.pdf"),
    ],
    ids=" ".join,
)
def test_an_order_without_a_shipment_is_told_as_that(order: Cli, line: tuple[str, ...]) -> None:
    told = order(*line)
    assert told.code == 3
    assert "The order #1042 has no shipment yet" in told.err
    assert "hint: shipcli ship 1042" in told.err
