"""A row of the store that can't be read is named, and whatever lists others goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.cli.conftest import Cli, address


@pytest.fixture
def damaged(cli: Cli) -> str:
    """The id of the second of three addresses, whose text was cut off."""
    _, id, _ = (address(cli, city=city) for city in ("Boston", "Salem", "Lynn"))
    with closing(sqlite3.connect(cli("db", "path").out.strip())) as file, file:
        changed = file.execute(
            "update addresses_json set json = substr(json, 1, 40) "
            "where seq = (select seq from addresses where id = ?)",
            (id,),
        )
        assert changed.rowcount == 1
    return id


@pytest.mark.parametrize(
    "form", ["", "--json", "--ndjson", "--csv", "--ids", "--all --json", "--sort city --json"]
)
def test_a_list_goes_on_and_names_the_row(cli: Cli, damaged: str, form: str) -> None:
    done = cli("addresses", "list", *form.split())
    assert (done.code, "damaged_row" in done.err, damaged in done.err) == (9, True, True), done.err
    assert "shipcli db check" in done.err
    assert damaged not in done.out
    if form != "--ids":
        assert ("Boston" in done.out, "Lynn" in done.out) == (True, True)


def test_a_search_goes_on_and_names_the_row(cli: Cli, damaged: str) -> None:
    done = cli("addresses", "find", "Doe", "--json")
    assert (done.code, damaged in done.err, "Lynn" in done.out) == (9, True, True), done.err


def test_the_row_itself_is_named_and_not_shown(cli: Cli, damaged: str) -> None:
    for form in ("--json", "--csv"):
        done = cli("addresses", "get", damaged, form)
        assert (done.code, done.out, damaged in done.err) == (1, "", True), done.err


def test_the_check_names_the_row(cli: Cli, damaged: str) -> None:
    done = cli("db", "check")
    assert (done.code, damaged in done.out) == (1, True), done.out


def test_the_api_answers_no_page_in_part_and_its_log_names_the_row(cli: Cli, damaged: str) -> None:
    for path in ("/v1/addresses", f"/v1/addresses/{damaged}"):
        done = cli("api", "get", path)
        assert (done.code, done.out, "answered 500" in done.err, damaged in done.err) == (8, "", True, True)
    assert cli("api", "get", "/v1/addresses?limit=1").code == 0
