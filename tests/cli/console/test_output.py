"""Data out, in every form."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from shipcli.cli.console.cells import Raw
from shipcli.cli.console.formats import CommandResult, write_template
from shipcli.cli.console.stderr import escape_line, escape_text
from shipcli.cli.console.tables import draw
from shipcli.models import json
from tests.cli.conftest import Cli, Result, address
from tests.processes import PATIENCE_S, PROGRAM

EVIL = "\x1b]0;pwned\x07\u202eevil\x9b"


def test_a_list_in_a_pipe_is_tab_separated_and_whole(cli: Cli) -> None:
    id = address(cli, person_name="x" * 50)
    shown = cli("addresses", "list")
    assert shown.lines[0].split("\t")[:2] == ["id", "person_name"]
    assert shown.lines[1].split("\t")[:2] == [id, "x" * 50]


def test_tabs_and_line_breaks_stay_inside_their_cell(cli: Cli) -> None:
    address(cli)
    query = "select char(97, 9, 98, 10, 99, 92, 100) as word"
    assert cli("db", "query", query).lines == ["word", "a\\tb\\nc\\\\d"]


def test_an_object_in_a_pipe_is_lines_of_name_and_value(cli: Cli) -> None:
    id = address(cli)
    assert f"id\t{id}" in cli("addresses", "get", id).lines


def test_json_of_a_list_is_the_envelope_of_the_api(cli: Cli) -> None:
    ids = [address(cli) for _ in range(3)]
    page = cli("addresses", "list", "--json", "--limit", "1", "--offset", "1").json
    assert {**page, "results": [row["id"] for row in page["results"]]} == {
        "count": 3, "next": "?limit=1&offset=2", "previous": "?limit=1&offset=0", "results": [ids[1]],
    }  # fmt: skip


def test_all_puts_every_page_into_one(cli: Cli) -> None:
    ids = [address(cli) for _ in range(3)]
    page = cli("addresses", "list", "--json=id", "--limit", "1", "--all").json
    assert page == {
        "count": 3,
        "next": None,
        "previous": None,
        "results": [{"id": one} for one in reversed(ids)],
    }


def test_fields_are_selected_in_their_own_shape(cli: Cli) -> None:
    id = cli("parcels", "create", "--weight", "2.50kg", "-d", "options.a.b=1", "--ids").out.strip()
    assert (
        cli("parcels", "get", id, "--json=weight,options.a").out == '{"weight":2.5,"options":{"a":{"b":1}}}\n'
    )


def test_a_field_that_nothing_has_is_told(cli: Cli) -> None:
    id = address(cli)
    shown = cli("addresses", "get", id, "--json=citty")
    assert (shown.code, shown.out) == (2, "")
    assert "there is no field citty; did you mean city?" in shown.err


def test_ndjson_is_one_object_per_line(cli: Cli) -> None:
    ids = [address(cli) for _ in range(2)]
    lines = cli("addresses", "list", "--ndjson").lines
    assert [Result(0, line, "").json["id"] for line in lines] == ids[::-1]


def test_csv_is_quoted_where_needed(cli: Cli) -> None:
    address(cli, person_name='a, "b"')
    rows = list(
        csv.reader(io.StringIO(cli("addresses", "list", "--csv", "--columns", "person_name,city").out))
    )
    assert rows == [["person_name", "city"], ['a, "b"', "Boston"]]


def test_yaml_reads_back(cli: Cli) -> None:
    cli("parcels", "create", "--weight", "2.50kg")
    (row,) = yaml.safe_load(cli("parcels", "list", "--yaml").out)
    assert (row["weight"], row["weight_unit"]) == (2.5, "KG")


def test_ids_pick_and_template(cli: Cli) -> None:
    id = address(cli)
    assert cli("addresses", "list", "--ids").out == f"{id}\n"
    assert cli("addresses", "list", "--pick", "city").out == "Boston\n"
    assert cli("addresses", "list", "--template", "{city:>8}\\t{postal_code}").out == "  Boston\t02134\n"


@pytest.mark.parametrize("template", ["{id.__class__}", "{0}", "{}", "{id!r}", "{id:%}", "{id"])
def test_a_template_reaches_nothing_but_fields(template: str) -> None:
    from shipcli.cli.usage_errors import Usage

    try:
        shown = "".join(write_template(CommandResult([{"id": "a"}]), template))
    except Usage:
        return
    assert shown == "\n"


def test_a_pick_that_finds_nothing_names_the_fields(cli: Cli) -> None:
    shown = cli("addresses", "get", address(cli), "--pick", "town")
    assert shown.code == 2
    assert "city" in shown.err


def test_jq_takes_the_json_form(cli: Cli) -> None:
    address(cli)
    assert cli("addresses", "list", "--jq", ".results[0].city").out == "Boston\n"


def test_a_missing_jq_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    shown = cli("addresses", "list", "--jq", ".")
    assert shown.code == 2
    assert "needs the program jq" in shown.err


def test_a_file_gets_the_form_its_name_ends_in(cli: Cli, tmp_path: Path) -> None:
    address(cli)
    shown = cli("addresses", "list", "-o", "out.csv", "--columns", "city")
    assert (shown.out, (tmp_path / "out.csv").read_text()) == ("", "city\nBoston\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_standard_output_carries_data_only(cli: Cli) -> None:
    assert cli("shipments", "list", "--json").out == '{"count":0,"next":null,"previous":null,"results":[]}\n'


def test_output_is_utf_8_whatever_the_locale(program: Cli) -> None:
    environ = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    made = program(
        "addresses", "create", "-d", "country_code=PL", "-d", "city=Łódź", "--pick", "city", **environ
    )
    assert made.out == "Łódź\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("completion bash", "# Completion of shipcli for bash."), ("config get mode", "test\n"),
        ("db path", "shipcli.db\n"), ("version", "shipcli "), ("db schema", "CREATE TABLE"),
        ("api get /v1/addresses", '  "count": 1'), ("api get /v1/addresses --curl", "curl -sS -X GET"),
        ("--command-map", '"command": "ship"'),
    ],
)  # fmt: skip
def test_every_text_goes_where_the_line_says(cli: Cli, tmp_path: Path, line: str, said: str) -> None:
    address(cli)
    shown = cli(*line.split()).out
    assert said in shown
    done = cli(*line.split(), "-o", "out.txt")
    assert (done.code, done.out, (tmp_path / "out.txt").read_text()) == (0, "", shown)


def test_a_file_that_the_api_answers_with_goes_there_as_well(
    box: Cli, bought: list[dict[str, Any]], tmp_path: Path
) -> None:
    done = box("api", "get", bought[0]["label_url"], "-o", "label.pdf")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "label.pdf").read_bytes().startswith(b"%PDF")


def test_a_word_is_an_object_in_a_file_of_a_form(cli: Cli, tmp_path: Path) -> None:
    assert cli("config", "get", "mode", "-o", "mode.json").code == 0
    assert json.loads((tmp_path / "mode.json").read_bytes())["value"] == "test"


def test_every_text_is_utf_8_in_a_pipe(program: Cli, cli: Cli) -> None:
    address(cli, city="Łódź", country_code="PL", state_code="", postal_code="90-001")
    done = program("api", "get", "/v1/addresses", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.code, "Łódź" in done.out) == (0, True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "line", ["config get mode", "--version", "version", "completion bash", "addresses list", "--command-map"]
)
def test_output_that_is_full_is_said_in_one_line(home: Path, line: str) -> None:
    with open("/dev/full", "wb") as full:
        environ = {**os.environ, "SHIPCLI_HOME": str(home)}
        done = subprocess.run(
            [*PROGRAM, *line.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
            env=environ,
        )
    said = "error: the output can't be written: No space left on device [output]\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_a_closed_pipe_ends_quietly(home: Path, cli: Cli) -> None:
    for _ in range(3):
        address(cli)
    line = " ".join([*PROGRAM, "--home", str(home), "references get --ndjson --all-of-it 2>&1 | head -n 0"])
    line = line.replace(" --all-of-it", "")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# -- on a terminal ---------------------------------------------------------------------------------


def test_control_characters_are_written_out() -> None:
    assert escape_line(f"a{EVIL}\nb") == "a\\x1b]0;pwned\\x07\\u202eevil\\u009b\\nb"
    assert escape_text("a\tb\n\x1b[2J") == "a\tb\n\\x1b[2J"


def test_json_stays_json_when_it_is_made_safe() -> None:
    assert json.loads(escape_text(json.dumps({"a": EVIL}))) == {"a": EVIL}


def test_a_table_shows_whole_ids_and_no_empty_columns() -> None:
    rows = [{"id": "adr_1", "city": "Boston", "phone": None}, {"id": "adr_2", "city": EVIL, "phone": ""}]
    text = draw(CommandResult(rows, ("id", "city", "phone")), color=False, width=60)
    assert text == "ID     CITY\nadr_1  Boston\nadr_2  \\x1b]0;pwned\\x07\\u202eevil\\u009b\n"


def test_a_table_reads_stored_texts_and_takes_no_markup() -> None:
    text = draw(
        CommandResult([Raw('{"id":"a","name":"[bold]x[/bold]","n":1.50}')], ("id", "name", "n")),
        color=False,
        width=60,
    )
    assert text == "ID  NAME            N\na   [bold]x[/bold]  1.5\n"


def test_an_object_on_a_terminal_is_a_table_of_fields() -> None:
    row = {"id": "a", "recipient": {"city": "Boston"}, "rates": [{"a": 1}, {"a": 2}], "none": None}
    text = draw(CommandResult([row], single=True), color=False, width=60)
    assert text == "id              a\nrecipient.city  Boston\nrates           2 items\n"


@pytest.mark.parametrize("line", ["api get /v1/addresses", "addresses list"])
def test_what_a_terminal_cannot_show_is_a_question_mark(
    terminal: Callable[..., Result], cli: Cli, line: str
) -> None:
    address(cli, city="Łódź", country_code="PL", state_code="", postal_code="90-001")
    shown = terminal(*line.split(), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (shown.code, "?" in shown.out, "unexpected" in shown.out) == (0, True, False)


def test_the_heads_of_a_query_are_as_safe_as_its_cells(cli: Cli, terminal: Callable[..., Result]) -> None:
    address(cli)
    for form in ("--verbose", "--json", "--csv", "--tsv", "--yaml", "--pick=x"):
        shown = terminal("db", "query", f"select '{EVIL}' as '{EVIL}', 1 as x", form, NO_COLOR="1")
        assert (shown.code, "\x1b]0;" in shown.out, "\u202e" in shown.out) == (0, False, False), form
    table = terminal("db", "query", f"select 1 as '{EVIL}'", NO_COLOR="1").out
    assert table.splitlines()[0] == "\\x1b]0;PWNED\\x07\\u202eEVIL\\u009b"


def test_a_real_terminal_gets_a_table_and_safe_json(cli: Cli, terminal: Callable[..., Result]) -> None:
    address(cli, email=EVIL, city="Springfield")
    shown = terminal("addresses", "list", "--columns", "email", NO_COLOR="1")
    assert "EMAIL" in shown.out
    assert "\\x1b]0;pwned" in shown.out
    for form in ("--json", "--template={email}", "--csv"):
        assert "\x1b]0;" not in terminal("addresses", "list", form).out


def test_help_on_a_terminal_is_drawn(terminal: Callable[..., Result]) -> None:
    assert "╭" in terminal("--help").out


def test_no_colour_means_none(cli: Cli, terminal: Callable[..., Result]) -> None:
    address(cli)
    assert "\x1b[" in terminal("addresses", "list").out
    assert "\x1b[" not in terminal("addresses", "list", "--color", "never").out
    assert "\x1b[" not in terminal("addresses", "list", NO_COLOR="1").out
    assert "\x1b[" in cli("addresses", "gets", "--color", "always").err


def test_the_program_is_also_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shipcli", "version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "shipcli 0.1.0\n"


def test_a_pipe_that_is_named_as_the_file_stays_a_pipe(cli: Cli, tmp_path: Path) -> None:
    address(cli, person_name="Ada Brooks")
    named = tmp_path / "pipe"
    os.mkfifo(named)
    reading = subprocess.Popen(["cat", str(named)], stdout=subprocess.PIPE)
    assert cli("addresses", "list", "--csv", "-o", str(named)).code == 0
    assert b"Ada Brooks" in reading.communicate(timeout=PATIENCE_S)[0]
    assert named.is_fifo()
