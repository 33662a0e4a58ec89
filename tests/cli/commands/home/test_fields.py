"""`shipcli fields`, and options that say what the reference says of their field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import shipcli.cli.commands
from shipcli.cli.help_pages import read_help_text, say_field
from shipcli.models import OrderData
from shipcli.models.sentences import find_sentence
from tests.cli.conftest import Cli

SAID = re.compile(r'say_field\(\s*"([^"]+)"')


def test_the_fields_are_those_that_data_sets(cli: Cli) -> None:
    rows = {row["field"]: row for row in json.loads(cli("fields", "orders", "create", "--json").out)}
    assert set(OrderData.model_fields) <= set(rows)
    assert rows["order_id"]["required"]
    assert not rows["source"]["required"]
    assert rows["source"]["description"] == find_sentence(OrderData, "source")
    assert rows["line_items[0].weight_unit"]["type"] == "KG | LB | OZ | G"
    assert rows["shipping_from"]["description"].endswith("Its fields are those of shipping_to.")


def test_the_noun_alone_means_create(cli: Cli) -> None:
    assert cli("fields", "address", "--json").out == cli("fields", "addresses", "create", "--json").out


@pytest.mark.parametrize(
    ("words", "why"), [(("rules", "move"), "has no -d"), (("nothing",), "no command 'nothing'")]
)
def test_a_command_without_fields_is_refused(cli: Cli, words: tuple[str, ...], why: str) -> None:
    refused = cli("fields", *words)
    assert refused.code == 2
    assert why in refused.err


def test_every_option_that_names_a_field_has_its_sentence(cli: Cli) -> None:
    folder = Path(shipcli.cli.commands.__file__).parent
    names = {name for path in folder.rglob("*.py") for name in SAID.findall(path.read_text("utf-8"))}
    assert len(names) > 10
    for name in names:
        assert read_help_text(say_field(name)).endswith("."), name
    assert "Street and house number" in cli("addresses", "create", "--help").out
