"""The table says what the modules do."""

from __future__ import annotations

import inspect

import pytest

from shipcli.cli import command_loader, command_table
from tests.cli.conftest import Cli

EVERY = [(row.name, verb.name) for row in command_table.NOUNS for verb in row.verbs]
EVERY += [(row.name,) for row in command_table.NOUNS if not row.verbs]  # type: ignore[misc]  # a noun that is a command


def help_of(path: tuple[str, ...]) -> str:
    row = command_table.find_noun(path[0])
    assert row is not None
    verb = row.verb(path[1]) if len(path) > 1 else None
    return verb.help if verb else f"{row.help}."


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_row_has_its_command_with_the_same_sentence(path: tuple[str, ...]) -> None:
    command = command_loader.build(path)
    assert command is not None
    assert inspect.cleandoc(command.help or "").splitlines()[0] == help_of(path)


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
    rows = [
        one for one in command_table.NOUNS if one.path == row.path
    ]  # short verbs share a module with their noun
    names = ({verb.name for verb in one.verbs} or {one.name} for one in rows)
    assert set(module.verb) == set().union(*names)


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
