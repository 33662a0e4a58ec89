"""Every page of help has examples, and every example works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from shipcli.cli import command_loader, command_table
from shipcli.cli.help_pages import list_example_commands
from shipcli.cli.main import main
from tests.cli.conftest import Cli
from tests.cli.examples.sandbox import enter

LACKING = (Path(__file__).parent / "examples" / "lacking.txt").read_text().splitlines()
WIDEST = 78  # on a terminal of 80 columns, two of them before the example

EVERY = [
    (row.name, verb.name) if verb else (row.name,)
    for row in command_table.NOUNS
    for verb in row.verbs or (None,)
]


def find_examples(path: tuple[str, ...]) -> tuple[str, ...]:
    command = command_loader.build(path)
    assert command is not None
    return command.examples


LINES = {line: path for path in EVERY for line in find_examples(path) if not line.startswith("#")}


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_page_has_two_or_three_examples(path: tuple[str, ...]) -> None:
    count = len(list_example_commands(find_examples(path)))
    if " ".join(path) in LACKING:
        assert count == 0, "it has examples now: take it off examples/lacking.txt"
    else:
        assert 2 <= count <= 3


@pytest.mark.parametrize("line", LINES)
def test_every_example_is_one_line_of_our_own_on_a_narrow_terminal(line: str) -> None:
    assert line.startswith("shipcli ")
    assert len(line) <= WIDEST


@pytest.mark.parametrize("line", LINES)
def test_every_example_works(
    line: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    enter(tmp_path, monkeypatch)
    (words,) = list_example_commands((line,))
    assert main(["--yes", *words]) == 0  # a person would be asked, and agree


def test_the_global_options_are_explained_on_one_page_and_named_on_every_other(cli: Cli) -> None:
    explained = cli("options").out
    for words in ([], ["addresses"], ["addresses", "list"], ["find"]):
        assert "shipcli options" in cli(*words, "--help").out.splitlines()[-1]
    assert "--api-key-file FILE\tThe key for that server" in explained
