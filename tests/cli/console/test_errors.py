"""Every error is a line, a hint and an exit code."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.cli.console import error_report
from shipcli.cli.global_options import Options
from shipcli.cli.main import main
from shipcli.cli.opening import open_store
from shipcli.cli.session import Run
from shipcli.models import (
    Conflict,
    Invalid,
    InvalidRows,
    LimitReached,
    Message,
    NoConnection,
    NotAuthorised,
    NotFound,
    OutcomeUnknown,
    Refused,
    ShipcliError,
    Unreachable,
    json,
)
from tests.cli.conftest import Cli

HEARD = Message(message="No such place", code="E7", carrier_name="acme", carrier_id="acme-1")


@pytest.mark.parametrize(
    ("error", "code"),
    [(NotFound("shipment", "x"), 3), (NotAuthorised("who?"), 4), (Conflict("no"), 5), (Invalid("a", "b"), 6),
     (Refused([HEARD]), 7), (Unreachable("down"), 8), (LimitReached("50"), 11), (error_report.Usage("u"), 2)],
)  # fmt: skip
def test_every_kind_has_its_exit_code(
    error: ShipcliError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert error_report.report_error(error, Run(Options(), open_store)) == code
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert f" [{error.code}]\n" in said


@pytest.mark.parametrize(
    ("line", "code", "named"),
    [
        ("addresses list", 0, ""),
        ("addresses list --nope", 2, "usage"),
        ("shipments get shp_nobody", 3, "not_found"),
        ("shipments buy {cancelled} --cheapest -y", 5, ""),
        ("addresses create -d country_code=XX", 6, "validation"),
        ("trackers add 1ZNOPE --carrier ups", 7, ""),
        ("--api-url {nobody} --api-key-file {key} addresses list", 8, "unreachable"),
    ],
)  # fmt: skip
def test_a_command_that_fails_so_ends_with_that_code(
    cli: Cli, tmp_path: Path, line: str, code: int, named: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
    (tmp_path / "key").write_text("key_1")
    words = {"nobody": nobody, "key": str(tmp_path / "key"), "cancelled": cancelled(cli)}
    done = cli("--sandbox", *(word.format(**words) for word in line.split()))
    assert done.code == code, done.err
    assert f"[{named}" in done.err if code else not done.err


def cancelled(cli: Cli) -> str:
    """The id of a shipment that was cancelled."""
    address = {"country_code": "US", "person_name": "A", "city": "Phoenix", "postal_code": "85004"}
    body = {"shipper": address, "recipient": address, "parcels": [{"weight": 1, "weight_unit": "KG"}]}
    done = cli("--sandbox", "shipments", "create", "--from-file", "-", "--pick", "id", typed=json.dumps(body))
    assert done.code == 0, done.err
    id = done.out.strip()
    assert cli("--sandbox", "shipments", "cancel", id, "-y").code == 0
    return id


def told(error: Exception) -> error_report.ErrorReport:
    return error_report.make_report(error, Run(Options(), open_store))


def test_each_wrong_field_has_its_line() -> None:
    assert told(Invalid.many([("a", "is required"), ("b[0].c", "is wrong")])).lines == [
        "a: is required", "b[0].c: is wrong",
    ]  # fmt: skip


def test_each_carrier_message_has_its_line() -> None:
    assert told(Refused([HEARD, Message(message="Late")])).lines == ["acme-1: [E7] No such place", "Late"]


def test_what_a_carrier_lists_beside_its_message_is_shown_with_it() -> None:
    details = {"timestamp": "2026-01-15", "details": ["Weight is too high", "Postal code is unknown"]}
    refused = Refused([Message(code="400", message="Invalid shipment", details=details)])
    assert told(refused).lines == ["[400] Invalid shipment (Weight is too high; Postal code is unknown)"]


def test_wrong_rows_are_counted_from_one() -> None:
    rows = [Invalid("city", "is required", index=0), Invalid("weight", "is required", index=4)]
    assert told(InvalidRows(rows)).lines == ["row 1: city: is required", "row 5: weight: is required"]


def test_hints_name_the_next_command() -> None:
    assert told(NotFound("address", "x")).hint == "shipcli addresses list"
    assert "shipcli connections add" in told(NoConnection()).hint
    assert "look with the carrier" in told(OutcomeUnknown([HEARD])).hint


@pytest.mark.parametrize("words", [("--home", "~nosuch-user/x", "db", "path"), ("db", "path")])
def test_a_home_of_somebody_unknown_is_a_mistake_in_the_line(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHIPCLI_HOME", "~nosuch-user/x")
    assert main(words) == 2
    assert "error: the home folder can't be found" in capsys.readouterr().err


def test_a_hint_follows_the_error(cli: Cli) -> None:
    shown = cli("addresses", "get", "adr_ff")
    assert shown.code == 3
    assert shown.err.splitlines() == [
        "error: Address adr_ff not found [not_found]",
        "hint: shipcli addresses list",
    ]


def test_with_json_the_error_is_an_object_on_standard_error(cli: Cli) -> None:
    shown = cli("addresses", "create", "--country", "XX", "--json")
    assert (shown.code, shown.out) == (6, "")
    body = json.loads(shown.err)["error"]
    assert list(body) == ["code", "message", "field", "hint", "request_id", "exit_code"]
    assert (body["field"], body["exit_code"]) == ("country_code", 6)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("adresses list", "did you mean addresses?"),
        ("addresses lisst", "did you mean list?"),
        ("doc", "did you mean documents or doctor?"),
        ("retrun", "did you mean return?"),
        ("fulfill", "did you mean orders fulfil?"),
        ("addresses list --limmit 2", "did you mean --limit?"),
        ("addresses list --jsn", "did you mean --json?"),
        ("--jsn addresses list", "did you mean --json?"),
        ("addresses list --limit two", "not a valid"),
        ("addresses list --limit 0", "range"),
        ("addresses get", "ID...: is required"),
        ("addresses list extra", "extra"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_2(cli: Cli, line: str, said: str) -> None:
    shown = cli(*line.split())
    assert (shown.code, shown.out) == (2, "")
    assert said in shown.err
    assert shown.err.startswith("error: ")


def test_a_usage_error_is_json_when_json_was_asked_for(cli: Cli) -> None:
    shown = cli("addresses", "list", "--limmit", "2", "--json")
    assert json.loads(shown.err)["error"]["code"] == "usage"


def test_nothing_in_an_error_steers_the_terminal(cli: Cli) -> None:
    assert "\x1b" not in cli("addresses", "get", "\x1b[2J").err


def broken(cli: Cli, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str]:
    """A run in which the program itself is wrong: the store module can't do what it must."""
    from shipcli.store.store import Store

    monkeypatch.delattr(Store, "info")
    shown = cli("db", "info", *words)
    return shown.code, shown.err


def test_the_unexpected_is_one_line_and_a_record(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    code, said = broken(cli, monkeypatch)
    (record,) = (home / "logs").iterdir()
    assert code == 1
    assert "Traceback" not in said
    assert f"trace {record.stem}" in said
    assert str(record) in said
    assert "AttributeError" in record.read_text()
    assert record.stat().st_mode & 0o777 == 0o600


def test_the_record_does_not_hold_the_words_of_the_line(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    broken(cli, monkeypatch, "--columns", "hunter2")
    (record,) = (home / "logs").iterdir()
    assert "hunter2" not in record.read_text()


def test_a_traceback_is_shown_when_everything_is_asked_for(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Traceback" in broken(cli, monkeypatch, "-vv")[1]


def test_an_interrupt_ends_with_130(home: Path) -> None:
    probe = (
        "import sys, shipcli.cli.commands.home.db\n"
        "from shipcli.cli.main import main\n"
        "def stop(): raise KeyboardInterrupt\n"
        "shipcli.cli.commands.home.db.verb['path'] = stop\n"
        "sys.exit(main(['db', 'path']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False, env=os.environ
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert "Traceback" not in done.stderr


def test_a_damaged_store_is_a_clear_error(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "shipcli.db").write_bytes(b"this is no database" * 100)
    shown = cli("addresses", "list")
    assert shown.code == 1
    assert "is not a store" in shown.err


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("quote 02134", 6, "--weight (parcels): is required"),
        ("ship --to-name A --weight 2lb --cheapest -y", 6, "--to-city (recipient.city): is required"),
        ("addresses create --country Canad", 6, "--country (country_code): 'CANAD' is not known; did you"),
        ("pickups schedule bpost today 14-17 -y", 6, "error: bpost takes no pickups through shipcli; "),
        ("pickups schedule upss today 14-17 -y", 3, "Did you mean ups?"),
        ("parcels create", 6, "error: --weight: is required [validation]\n"),
        ("trackers add 1Z1", 2, "--carrier: is required"),
        ("addresses list -o /nonexist/x.csv", 2, "-o: there is no folder /nonexist"),
    ],
)  # fmt: skip
def test_an_error_says_what_a_person_can_type(cli: Cli, line: str, code: int, said: str) -> None:
    done = cli("--sandbox", *line.split())
    assert (done.code, said in done.err) == (code, True), done.err


def test_help_is_a_command_as_well(cli: Cli) -> None:
    assert cli("help", "track").out == cli("track", "--help").out
    assert cli("help").out == cli("--help").out


def ship_to_boston(cli: Cli, reference: str) -> None:
    place = "--to-name Ann --to-line1 Harbor --to-city Boston --to-state MA --to-postal-code"
    words = [*place.split(), "02134", "--weight", "2lb", "--size", "12x8x4in",
             "--carrier", "usps", "--cheapest", "-y"]  # fmt: skip
    assert cli("--sandbox", "ship", *words, "--reference", reference).code == 0


def test_what_is_wrong_with_a_shipment_is_said_by_its_reference(cli: Cli) -> None:
    ship_to_boston(cli, "SO-7")
    booked = cli("--sandbox", "pickups", "schedule", "usps", "tomorrow", "9-17", "-y", "--json")
    assert booked.code == 0, booked.err
    held = cli("--sandbox", "void", "SO-7", "-y")
    assert held.code == 5
    assert "The shipment SO-7 is in a pickup" in held.err
    assert f"shipcli pickups cancel {booked.json['id']}" in held.err
    assert "usps.com" in cli("--sandbox", "open", "SO-7").out
    assert "usps.com" in cli("--sandbox", "track", "SO-7", "--pick", "info.carrier_tracking_link").out
    unknown = cli("--sandbox", "open", "SO-8")
    assert (unknown.code, "shipcli track SO-8" in unknown.err) == (3, True)
    number = booked.json["confirmation_number"]
    gone = cli("--sandbox", "pickups", "cancel", number, "-y", "--json")
    assert (gone.code, gone.json["meta"]["status"]) == (0, "cancelled"), gone.err
    assert cli("--sandbox", "pickups", "list", "--columns", "confirmation_number,meta.status").lines[1:] == [
        f"{number}\tcancelled"
    ]
    assert cli("--sandbox", "pickups", "get", number, "--pick", "meta.status").out == "cancelled\n"
    again = cli("--sandbox", "pickups", "cancel", number, "-y")
    assert (again.code, f"cancelled before: {number}" in again.err) == (0, True)
    assert cli("--sandbox", "void", "SO-7", "-y").code == 0
    again = cli("--sandbox", "void", "SO-7", "-y")
    assert (again.code, "voided before: SO-7" in again.err) == (0, True)


def test_of_several_shipments_those_that_were_voided_before_are_named_by_reference(cli: Cli) -> None:
    ship_to_boston(cli, "SO-7"), ship_to_boston(cli, "SO-8")
    assert cli("--sandbox", "shipments", "cancel", "SO-7", "-y").code == 0
    both = cli("--sandbox", "void", "SO-7", "SO-8", "-y")
    assert both.code == 0
    assert "voided before: SO-7" in both.err
    assert "shp_" not in both.err
