"""`shipcli db tables|schema|query|export`: a look into the store that can't change it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, address


@pytest.fixture
def kept(cli: Cli) -> str:
    """The id of the one address in the store."""
    return address(cli)


def test_tables_are_listed_with_their_rows(cli: Cli, kept: str) -> None:
    rows = {row["table"]: row["rows"] for row in cli("db", "tables", "--json").json}
    assert (rows["addresses"], rows["shipments"]) == (1, 0)
    assert not [name for name in rows if name.endswith(("_content", "_docsize"))]


def test_the_schema_of_a_table_makes_that_table(cli: Cli, kept: str) -> None:
    sql = cli("db", "schema", "addresses").out
    with closing(sqlite3.connect(":memory:")) as other:
        other.executescript(sql)
        assert other.execute("select count(*) from addresses").fetchone() == (0,)
    assert "create table shipments" in cli("db", "schema").out.lower()


def test_a_query_is_shown_in_every_form(cli: Cli, kept: str) -> None:
    sql = "select id, test_mode from addresses where id = ?"
    assert cli("db", "query", sql, kept, "--ndjson").json["id"] == kept
    assert cli("db", "query", sql, kept, "--ids").lines == [kept]
    assert cli("db", "query", sql, kept, "--csv").lines[0] == "id,test_mode"
    assert cli("db", "query", sql, "adr_none", "--json").json == []


@pytest.mark.parametrize(
    "sql",
    [
        "delete from addresses", "drop table addresses", "update addresses set test_mode = 0 returning id",
        "insert into locks (name) values ('x') returning name", "attach 'other.db' as other",
        "vacuum into 'other.db'", "create temp table mine (a)", "select 1; delete from addresses",
    ],
)  # fmt: skip
def test_what_would_change_something_is_refused(
    cli: Cli, kept: str, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("db", "query", sql).code == 6
    assert cli("addresses", "list", "--ids").lines == [kept]
    assert not (tmp_path / "other.db").exists()


def test_sql_that_is_wrong_is_explained(cli: Cli, kept: str) -> None:
    shown = cli("db", "query", "select * from adresses")
    assert (shown.code, "no such table: adresses" in shown.err) == (6, True)


def test_a_table_is_exported_as_csv_or_to_a_file_of_another_form(cli: Cli, kept: str, tmp_path: Path) -> None:
    lines = cli("db", "export", "addresses").lines
    assert lines[0].startswith("seq,id,")
    assert kept in lines[1]
    assert cli("db", "export", "addresses", "-o", str(tmp_path / "a.ndjson")).code == 0
    assert kept in (tmp_path / "a.ndjson").read_text()


def test_an_empty_table_has_its_columns(cli: Cli, kept: str) -> None:
    assert cli("db", "export", "schedules").lines == ["name,queue,job,args,every_s,next_at,last_at"]


def test_bytes_are_shown_as_base64(cli: Cli, kept: str) -> None:
    assert cli("db", "query", "select x'00ff' as content", "--ndjson").json == {"content": "AP8="}


def test_the_nearest_table_is_named(cli: Cli, kept: str) -> None:
    assert "Did you mean addresses?" in cli("db", "export", "adresses").err


def test_looking_makes_no_store(cli: Cli, home: Path) -> None:
    assert cli("db", "tables").code != 0
    assert not (home / "shipcli.db").exists()
