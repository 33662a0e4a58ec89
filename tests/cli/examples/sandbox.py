"""A folder with files and the home of a sandbox in which some things have been done already."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

import pytest

from shipcli.cli.main import main
from tests.cli.typed import Typed

PRINTER_FAILED = 10
FILES = Path(__file__).parent / "files"


def list_example_commands(lines: Iterable[str]) -> list[list[str]]:
    """The words of each example, as a shell would read them, without `shipcli` and comments."""
    commands = (shlex.split(line, comments=True) for line in lines)
    return [words[1:] for words in commands if words]


def prepare(folder: Path) -> None:
    """Carry out the lines of `prepare.txt` in a folder that gets the files."""
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    lines = (FILES / "prepare.txt").read_text().splitlines()
    with pytest.MonkeyPatch.context() as patch:
        enter(folder, patch)
        for words in list_example_commands(lines):
            assert main(["--yes", *words]) == 0, words
        assert main(["print", "1003", "--to", "file:off/printer"]) == PRINTER_FAILED  # it waits now
        assert main(["labels", "save", "1002", "-o", "label.pdf"]) == 0
    write_offer(folder)
    write_pickup(folder)


def write_offer(folder: Path) -> None:
    """A request for prices with the prices, one of them chosen."""
    request, answer = (json.loads((folder / name).read_text()) for name in ("rate.json", "rates.json"))
    offer = {**request, "rates": answer["rates"], "selected_rate_id": answer["rates"][0]["id"]}
    (folder / "offer.json").write_text(json.dumps(offer))


def write_pickup(folder: Path) -> None:
    """A request for a collection on the next Monday: whenever that is, carriers come."""
    path, today = folder / "pickup.json", date.today()
    day = today + timedelta(days=7 - today.weekday())
    path.write_text(json.dumps({**json.loads(path.read_text()), "pickup_date": day.isoformat()}))


def enter(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Work there from now on, with nobody at the keyboard."""
    patch.chdir(folder)
    patch.setenv("SHIPCLI_HOME", str(folder / "home"))
    patch.setenv("SHIPCLI_SANDBOX", "1")
    patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    patch.setattr(sys, "stdin", Typed(""))
