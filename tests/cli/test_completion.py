"""Completion: the shipped scripts are current, and the program answers them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.cli.commands.home.completion import SHELLS
from shipcli.cli.completion_engine import list_choices
from tests.cli.conftest import Cli
from tests.cli.samples import SHIPPED


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shipped_script_is_current(shell: str, cli: Cli) -> None:
    assert cli("completion", shell).out == (SHIPPED / SHELLS[shell].file).read_text()


def values(*words: str) -> list[str]:
    return [value for value, _ in list_choices(words)]


def test_nouns_verbs_and_options_are_offered() -> None:
    assert "addresses" in values("")
    assert values("addr") == ["addresses"]
    assert values("addresses", "del") == ["delete"]
    assert values("--json", "address", "li") == ["list"]
    assert values("parcels", "create", "--wei") == ["--weight"]
    assert "--ndjson" in values("parcels", "list", "--")
    assert values("--color", "al") == ["always"]
    assert values("addresses", "get", "@") == ["@last", "@-2"]


def test_nothing_is_offered_where_anything_may_stand() -> None:
    assert values("addresses", "get", "") == []
    assert values("nonsense", "x") == []
    assert values("--home", "x", "--json", "--csv", "") == []


def test_names_of_printers_are_offered(cli: Cli, home: Path, tmp_path: Path) -> None:
    for name in ("dock1", "dock2", "office"):
        assert cli("printers", "add", name, "--to", f"spool:{tmp_path}", "--format", "PDF").code == 0
    here = ("--home", str(home))
    assert values(*here, "print", "SO-1", "--to", "do") == ["dock1", "dock2"]
    assert values(*here, "reprint", "--last", "3", "--on", "") == ["dock1", "dock2", "office"]
    assert values(*here, "printers", "remove", "o") == ["office"]
    assert values(*here, "printers", "default", "o") == ["office"]
    assert values(*here, "printers", "add", "") == []
    assert values(*here, "printers", "remove", "office", "") == []
    assert values(*here, "print", "SO-1", "--format", "") == ["PDF", "ZPL", "PNG"]
    assert ("dock1", f"spool:{tmp_path}") in list_choices([*here, "eod", "--to", "d"])


def test_no_store_is_made_for_a_completion(home: Path) -> None:
    assert values("--home", str(home), "print", "--to", "") == []
    assert not home.exists()


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    (tmp_path / "shipcli").write_text(f'#!/bin/sh\nexec {sys.executable} -m shipcli "$@"\n')
    (tmp_path / "shipcli").chmod(0o755)
    script = (
        f"source {SHIPPED / 'shipcli.bash'}; COMP_WORDS=(shipcli parcels cr); COMP_CWORD=2; _shipcli; "
        'echo "${COMPREPLY[@]}"; COMP_WORDS=(shipcli config ""); _shipcli; echo "${COMPREPLY[@]}"'
    )
    environ = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout == "create\nshow set get unset\n"


def test_a_script_is_installed_where_the_shell_looks(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert cli("completion", "install").code == 0
    assert "__shipcli_choices" in (tmp_path / ".config/fish/completions/shipcli.fish").read_text()
    assert cli("completion", "install", "tcsh").code == 2
