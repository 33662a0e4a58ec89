"""Consent before anything is lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from shipcli.cli import opening
from shipcli.cli.console import prompts
from shipcli.cli.global_options import Options
from tests.cli.conftest import Cli, Result, address
from tests.processes import PROGRAM

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


def test_ctrl_d_at_a_hidden_question_is_no(terminal: Terminal) -> None:
    shown = terminal("users", "create", "bo@example.com", answers=[("password", "\x04")])
    assert shown.code == 1
    assert "nothing was done [declined]" in shown.out


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes descriptors")
@pytest.mark.parametrize(
    ("words", "code"),
    [("addresses delete {id}", 2), ("addresses delete - --json", 0), ("addresses create --from-file -", 2)],
)
def test_input_that_is_closed_is_empty_and_nobody_to_ask(cli: Cli, home: Path, words: str, code: int) -> None:
    id = address(cli)
    line = f"{' '.join(PROGRAM)} --home {home} {words.format(id=id)} <&-"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False, text=True)
    assert "unexpected" not in done.stderr
    assert (done.returncode, done.stdout) == (code, "" if code else "[]\n")
    assert cli("addresses", "list", "--ids").lines == [id]


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
    opening.start(Options())
    assert prompts._format_question("buy a label", "12.40 USD") == "buy a label for 12.40 USD"


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
