"""The table says what the modules do."""

from __future__ import annotations

import inspect

import pytest

from shipcli.cli import command_loader, command_table
from shipcli.cli.help_index import FILE
from shipcli.cli.stored_noun_table import STORED_NOUNS
from tests.cli.conftest import Cli
from tests.cli.help_index import write_index

EVERY = [(row.name, verb.name) for row in command_table.NOUNS for verb in row.verbs]
EVERY += [(row.name,) for row in command_table.NOUNS if not row.verbs]  # type: ignore[misc]  # a noun that is a command


def test_the_index_of_help_says_what_the_docstrings_say() -> None:
    assert FILE.read_text("utf-8") == write_index(), "run: python -m tests.cli.help_index"


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_help_shows_no_names_of_types_and_no_braces(path: tuple[str, ...]) -> None:
    command = command_loader.build(path)
    assert command is not None
    with command.make_context(path[-1], [], resilient_parsing=True) as context:
        assert "<str>" not in command.get_help(context)
        assert "{" not in command.get_usage(context)


@pytest.mark.parametrize("row", command_table.NOUNS, ids=lambda row: row.name)
def test_every_command_of_a_module_has_its_row(row: command_table.Noun) -> None:
    __import__(row.path)
    module = inspect.importlib.import_module(row.path)  # type: ignore[attr-defined]  # a module like any other
    # short verbs share a module with their noun
    rows = [noun for noun in command_table.NOUNS if noun.path == row.path]
    names = {
        name for noun in rows for name in ([verb.name for verb in noun.verbs] or [noun.name])
        if noun.name not in STORED_NOUNS or name not in STORED_NOUNS[noun.name].verbs
    }  # fmt: skip
    assert set(module.verb) == names


def test_no_word_names_two_nouns() -> None:
    assert len(command_table.list_words()) == len(set(command_table.list_words()))


def test_help_may_stand_before_the_noun(cli: Cli) -> None:
    assert cli("-h", "addresses", "list").out == cli("addresses", "list", "--help").out


def test_a_line_without_words_shows_the_nouns(cli: Cli) -> None:
    shown = cli()
    assert shown.code == 0
    assert "addresses" in shown.out


def test_a_noun_without_a_verb_is_a_mistake(cli: Cli) -> None:
    shown = cli("addresses")
    assert (shown.code, shown.out) == (2, "")
    assert "list, get, create" in shown.err


def test_a_deprecated_verb_names_its_successor(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        row._replace(verbs=tuple(verb._replace(instead="shipcli db info") for verb in row.verbs))
        if row.name == "db"
        else row
        for row in command_table.NOUNS
    ]
    monkeypatch.setattr(command_table, "NOUNS", tuple(rows))
    command_loader.build.cache_clear()
    shown = cli("db", "path")
    command_loader.build.cache_clear()
    assert shown.code == 0
    assert "warning: shipcli db path is deprecated; use shipcli db info" in shown.err


@pytest.mark.parametrize("noun", [row.name for row in command_table.NOUNS if row.verbs])
@pytest.mark.parametrize("option", ["", "--map", "--command-map", "--version"])
def test_an_unknown_verb_is_never_taken_for_something_else(cli: Cli, noun: str, option: str) -> None:
    row = command_table.find_noun(noun)
    done = cli(noun, *(["get"] if row and row.default == "get" else []), "zzz", *filter(None, [option]))
    assert (done.code in (2, 3), done.out) == (True, "")
    assert done.code == 2 or noun == "references"


def test_the_map_of_commands_stands_alone(cli: Cli) -> None:
    done = cli("orders", "list", "--command-map")
    assert (done.code, done.out, "--command-map stands alone" in done.err) == (2, "", True)
