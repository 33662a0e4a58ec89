"""Consent before anything is lost."""

from __future__ import annotations

from collections.abc import Callable

from shipcli.cli import session
from shipcli.cli.console import prompts
from shipcli.cli.global_options import Options
from tests.cli.conftest import Cli, Result, address

Terminal = Callable[..., Result]


def test_without_a_terminal_the_flag_is_named(cli: Cli) -> None:
    id = address(cli)
    shown = cli("addresses", "delete", id)
    assert shown.code == 2
    assert f"this would delete address {id}; say --yes" in shown.err
    assert cli("addresses", "get", id).code == 0


def test_yes_skips_the_question(cli: Cli) -> None:
    id = address(cli)
    assert cli("addresses", "delete", id, "-y").code == 0
    assert cli("addresses", "get", id).code == 3


def test_no_is_taken_for_an_answer(cli: Cli, terminal: Terminal) -> None:
    id = address(cli)
    shown = terminal("addresses", "delete", id, answers=[("[y/N]", "n")])
    assert shown.code == 1
    assert "nothing was done" in shown.out
    assert cli("addresses", "get", id).code == 0


def test_yes_may_be_typed(cli: Cli, terminal: Terminal) -> None:
    id = address(cli)
    assert terminal("addresses", "delete", id, answers=[("[y/N]", "y")]).code == 0
    assert cli("addresses", "get", id).code == 3


def test_live_mode_is_tagged_in_red(cli: Cli, terminal: Terminal) -> None:
    id = address(cli)
    asked = terminal("--live", "addresses", "delete", id, answers=[("[y/N]", "n")])
    assert "\x1b[31mLIVE\x1b[0m Delete address" in asked.out
    assert "LIVE" not in terminal("addresses", "delete", id, answers=[("[y/N]", "n")]).out


def test_no_input_asks_nobody(cli: Cli, terminal: Terminal) -> None:
    shown = terminal("--no-input", "addresses", "delete", address(cli))
    assert shown.code == 2
    assert "say --yes" in shown.out


def test_the_amount_is_stated() -> None:
    session.start(Options())
    assert prompts._question("buy a label", "12.40 USD") == "buy a label for 12.40 USD"


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(cli: Cli) -> None:
    id = address(cli)
    for words in (["delete", id], ["update", id, "--city", "Salem"], ["create", "--country", "US"]):
        shown = cli("addresses", *words, "--dry-run")
        assert (shown.code, shown.out) == (0, "")
        assert shown.err.startswith("dry run: would ")
    assert cli("addresses", "list", "--pick", "city").out == "Boston\n"


def test_a_dry_run_still_refuses_wrong_data(cli: Cli) -> None:
    assert cli("addresses", "create", "--country", "XX", "--dry-run").code == 6


def test_quiet_leaves_the_notes_out(cli: Cli) -> None:
    assert cli("config", "set", "mode", "live").err.startswith("note: ")
    assert cli("config", "set", "mode", "test", "-q").err == ""
