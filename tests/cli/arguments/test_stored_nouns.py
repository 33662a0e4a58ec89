"""Lists, single objects and deletions are the same for every stored noun."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.cli import command_loader, command_table
from shipcli.cli.stored_noun_table import STORED_NOUNS, StoredNoun
from shipcli.cli.stored_nouns import load
from shipcli.operations import adapters
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.operation import Listing, Operation
from shipcli.operations.table import OPERATIONS
from tests.cli.conftest import Cli, address

BY_NAME = {row.name: row for row in OPERATIONS}
PAGING = {"limit", "offset", "every", "sort"}
LISTS = [
    (row.name, BY_NAME[verb.calls])
    for row in command_table.NOUNS
    for verb in row.verbs
    if verb.name == "list" and verb.calls in BY_NAME and isinstance(BY_NAME[verb.calls].answer, Listing)
]


def test_every_paged_list_of_the_api_has_its_command() -> None:
    listed = {row.name for row in OPERATIONS if isinstance(row.answer, Listing)}
    assert listed == {operation.name for _, operation in LISTS}


# What is compared with the rows that were read, as the API has no filter for it.
OWN = {"orders": ("sku", "method", "country", "age", "single_item")}


@pytest.mark.parametrize(("noun", "operation"), LISTS, ids=[noun for noun, _ in LISTS])
def test_the_options_of_a_list_are_the_filters_of_the_api(noun: str, operation: Operation) -> None:
    assert isinstance(operation.answer, Listing)
    command = command_loader.build((noun, "list"))
    assert command is not None
    options = {str(param.name) for param in command.params}
    published = {name for name, rule in operation.answer.filters.items() if rule.published}
    assert options - {"reveal", *OWN.get(noun, ())} == PAGING | published


@pytest.mark.parametrize(("noun", "operation"), LISTS, ids=[noun for noun, _ in LISTS])
def test_every_filter_says_what_it_is(noun: str, operation: Operation) -> None:
    command = command_loader.build((noun, "list"))
    assert command is not None
    assert [param.name for param in command.params if not getattr(param, "help", "")] == []


def test_a_carrier_is_named_by_its_short_option_and_the_older_one(cli: Cli) -> None:
    for noun in ("shipments", "trackers", "manifests", "connections"):
        for option in ("--carrier", "--carrier-name"):
            assert cli(noun, "list", option, "ups", "--json").json["count"] == 0


def test_several_objects_are_deleted_after_one_question(cli: Cli) -> None:
    ids = [address(cli), address(cli)]
    refused = cli("addresses", "delete", *ids)
    assert refused.code == 2
    assert f"this would delete address {', '.join(ids)}; say --yes" in refused.err
    assert cli("addresses", "delete", *ids, "--yes", "--ids").lines == ids
    assert cli("addresses", "list", "--json").json["count"] == 0


def test_nothing_is_deleted_when_one_of_several_is_unknown(cli: Cli) -> None:
    id = address(cli)
    assert cli("addresses", "delete", id, f"adr_{'0' * 32}", "--yes").code == 3
    assert cli("addresses", "list", "--ids").lines == [id]


@pytest.mark.parametrize("noun", STORED_NOUNS.values(), ids=lambda noun: noun.name)
def test_every_command_asks_the_use_case_of_its_operation(noun: StoredNoun) -> None:
    rows = {**BY_NAME, **{row.name: row for row in CONTROL}}
    asked = {"get": noun.get} | ({noun.removal.verb: noun.removal.use} if noun.removal else {})
    for verb, place in asked.items():
        for call in command_table.list_calls((noun.name, verb)):
            assert rows[call].use in (load(place), doors_of(load(place)))


def doors_of(use: Any) -> Any:
    """What the API calls in its place, to read the path its own way."""
    return getattr(adapters, use.__name__, use)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("shipments", "--carrier", "upss"), "note: no carrier is called upss. Did you mean ups?"),
        (("trackers", "--carrier", "ups,fedx"), "note: no carrier is called fedx. Did you mean fedex?"),
        (("manifests", "--carrier-name", "upss"), "note: no carrier is called upss. Did you mean ups?"),
        (("connections", "--carrier", "upss"), "note: no carrier is called upss. Did you mean ups?"),
        (
            ("shipments", "--service", "ups_grond"),
            "note: no carrier has a service ups_grond. Did you mean ups_ground?",
        ),
    ],
)
def test_an_empty_list_says_which_name_in_its_filters_there_is_not(
    cli: Cli, words: tuple[str, ...], told: str
) -> None:
    noun, *filters = words
    listed = cli(noun, "list", *filters, "--json")
    assert listed.json["count"] == 0
    assert listed.err.strip() == told


def test_an_empty_list_names_the_carrier_of_a_connection(cli: Cli) -> None:
    cli("connections", "add", "ups", "--simulated", "--carrier-id", "east")
    listed = cli("shipments", "list", "--carrier", "east")
    assert listed.err.strip() == "note: east is a connection; its carrier is ups"
    assert cli("shipments", "list", "--carrier", "ups").err == ""


def test_an_empty_list_knows_your_own_carriers_and_their_services(cli: Cli) -> None:
    own = ("-d", "display_name=Van", "-d", "custom_carrier_name=van")
    level = ("-d", "services[0].service_code=van_local", "-d", "services[0].service_name=Van")
    added = cli("connections", "add", "generic", *own, *level, "-d", "services[0].currency=USD")
    assert added.code == 0, added.err
    assert cli("shipments", "list", "--carrier", "van", "--service", "van_local").err == ""
