"""Lines, files and objects that tests of several commands share."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tests.cli.conftest import Cli


def write(path: Path, rows: list[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), "utf-8")
    return str(path)


def older(home: Path) -> None:
    """A store as an older program left it."""
    home.mkdir()
    with closing(sqlite3.connect(home / "shipcli.db")) as database:
        database.execute(f"pragma application_id = {0x53484950}")
        database.execute("create table unrelated (a)")
        database.commit()


def made(box: Cli, tmp_path: Path, text: str = "Hello {{ data.name }}", **flags: str) -> str:
    """The id of a new template `hello`."""
    (tmp_path / "hello.html").write_text(text, encoding="utf-8")
    words = [word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", value)]
    given = ("--name", "Hello", "--slug", "hello", "--html", "hello.html")
    done = box("templates", "create", *given, *words, "--ids")
    assert done.code == 0, done.err
    return done.out.strip()


SHIPPED = Path(__file__).parents[2] / "completions"
