"""Labels on disk and on paper, trackers, and what the simulated carriers hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.features.paper.print_samples import Listener
from tests.processes import PATIENCE_S

ONE = {"recipient": RECIPIENT, "parcels": [PARCEL]}


@pytest.fixture
def box(cli: Cli) -> Cli:
    """The command line in a sandbox."""
    return lambda *words, **more: cli("--sandbox", *words, **more)


@pytest.fixture
def bought(box: Cli, tmp_path: Path) -> list[dict[str, Any]]:
    """Two labels, SO-1 and SO-2."""
    (tmp_path / "two.json").write_bytes(
        json.dump_bytes([{**ONE, "reference": f"SO-{number}"} for number in (1, 2)])
    )
    done = box("ship", "--from-file", "two.json", "--cheapest", "-y", "--ndjson")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.lines]


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


# -- files


def test_labels_are_saved_under_their_numbers(box: Cli, bought: list[dict[str, Any]], tmp_path: Path) -> None:
    done = box("labels", "save", "SO-1", "SO-2", "--format", "zpl", "--dir", str(tmp_path))
    assert done.lines[0] == "shipment_id\ttracking_number\tformat\tpath"
    for one in bought:
        assert (tmp_path / f"label_{one['tracking_number']}.zpl").read_bytes().startswith(b"^XA")


def test_a_label_goes_to_a_named_file_or_to_standard_output(
    box: Cli, bought: list[Any], tmp_path: Path
) -> None:
    assert box("labels", "save", "SO-1", "-o", "one.png").code == 0
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    assert box("labels", "save", "SO-1", "-o", "-", "--format", "ZPL").out.startswith("^XA")


def test_labels_are_merged_in_the_order_named(box: Cli, bought: list[dict[str, Any]], tmp_path: Path) -> None:
    assert box("labels", "merge", "SO-2", "SO-1", "-o", "all.pdf").code == 0
    book = pypdfium2.PdfDocument(tmp_path / "all.pdf")
    pages = [page.get_textpage().get_text_bounded().replace(" ", "") for page in book]
    book.close()
    assert [one["tracking_number"] in page for one, page in zip(reversed(bought), pages, strict=True)] == [
        True,
        True,
    ]
    assert box("labels", "merge", "-", "-o", "all.zpl", typed="SO-2\nSO-1\n").code == 0
    assert (tmp_path / "all.zpl").read_bytes().count(b"^XA") == 2


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("save", "SO-1", "SO-2", "-o", "x.pdf"), 2, "labels merge"),
        (("save", "SO-1", "--format", "doc"), 2, "PDF, ZPL, PNG"),
        (("save", "SO-1", "--dir", "none"), 2, "mkdir -p"),
        (("merge", "SO-1"), 2, "-o labels.pdf"),
        (("merge", "SO-1", "-o", "x.png"), 2, ".pdf or .zpl"),
        (("save", "nope"), 3, "nope"),
    ],
)
def test_a_wrong_request_for_labels_says_why(
    box: Cli, bought: list[Any], words: tuple[str, ...], code: int, said: str
) -> None:
    done = box("labels", *words)
    assert (done.code, said in done.err) == (code, True)


def test_a_shipment_without_a_label_is_named_and_the_others_are_saved(box: Cli, bought: list[Any]) -> None:
    draft = box(
        "shipments", "create", "-d", f"recipient={json.dumps(RECIPIENT)}", "--weight", "1kg", "--ids"
    ).out
    done = box("labels", "save", "SO-1", draft.strip(), "--pick", "path")
    assert (done.code, len(done.lines)) == (9, 1)
    assert "has no label" in done.err


# -- paper


def test_a_label_is_printed_to_a_folder_and_again(box: Cli, bought: list[Any], tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    one = box("print", "SO-1", "--to", "spool:spool", "--format", "zpl", "--json")
    assert (one.code, one.json["copy"], one.json["format"]) == (0, 1, "ZPL")
    two = box("reprint", "@last", "--printer", "spool:spool", "--reason", "jam", "--json")
    assert (two.json["copy"], two.err) == (2, "")
    three = box("labels", "print", bought[0]["tracking_number"], "--to", "spool:spool")
    assert (three.code, f"shipcli reprint {bought[0]['tracking_number']}" in three.err) == (5, True)
    assert len(list((tmp_path / "spool").iterdir())) == 2
    prints = box("printers", "queue", "--of", "SO-1", "--json").json
    assert [(one["state"], one["copy"], one["reason"]) for one in prints] == [
        ("printed", 2, "jam"), ("printed", 1, None),
    ]  # fmt: skip


def test_the_usual_printer_and_its_format_are_settings(box: Cli, listener: Listener) -> None:
    box("config", "set", "printer", f"tcp://127.0.0.1:{listener.port}")
    box("config", "set", "printer_format", "ZPL")
    done = box(
        "ship", "-d", f"recipient={json.dumps(RECIPIENT)}", "--weight", "1kg", "--cheapest", "-y", "-p"
    )
    assert done.code == 0, done.err
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert listener.jobs[0].startswith(b"^XA")


def test_a_printer_that_fails_never_loses_the_label(box: Cli) -> None:
    words = ("ship", "-d", f"recipient={json.dumps(RECIPIENT)}", "--weight", "1kg", "--cheapest", "-y")
    done = box(*words, "--printer", "spool:none", "--json")
    assert done.code == 10
    assert done.json["status"] == "purchased"
    told = json.loads(done.err.splitlines()[-1])["error"]
    assert told["code"] == "printer"
    assert "its job waits, then: shipcli printers resume" in told["hint"]
    assert box("labels", "save", "@last", "-o", "kept.pdf").code == 0


def test_several_labels_stop_at_the_printers_first_failure(box: Cli, bought: list[Any]) -> None:
    done = box("print", "SO-1", "SO-2", "--to", "spool:none")
    assert (done.code, done.out) == (10, "")
    assert done.err.count("error:") == 1


# -- taking back


def test_a_label_is_voided_after_consent_and_not_printed_anymore(
    box: Cli, bought: list[dict[str, Any]]
) -> None:
    asked = box("void", "SO-1", "--reason", "wrong box")
    assert (asked.code, bought[0]["tracking_number"] in asked.err) == (2, True)
    done = box("void", "SO-1", "--reason", "wrong box", "-y", "--json")
    assert (done.json["status"], done.json["metadata"]["void_reason"]) == ("cancelled", "wrong box")
    assert box("void", "SO-1").code == 0
    assert box("print", "SO-1", "--to", "file:printer").code == 5


@pytest.mark.parametrize("words", [("void",), ("shipments", "cancel")])
def test_a_label_that_its_carrier_does_not_take_back_is_said_to_be_billed(
    box: Cli, tmp_path: Path, words: tuple[str, ...]
) -> None:
    here = {**SHIPPER, "city": "Berlin", "postal_code": "10115", "country_code": "DE", "state_code": None}
    there = {**here, "city": "Hamburg", "postal_code": "20095"}
    body = {"shipper": here, "recipient": there, "parcels": [PARCEL], "reference": "H-1"}
    (tmp_path / "one.json").write_bytes(json.dump_bytes(body))
    ship = box(
        "ship", "--from-file", "one.json", "--carrier", "hermes,gls", "--service", "hermes_standard", "-y"
    )
    assert ship.code == 0, ship.err
    text = "note: hermes takes no label back: H-1 is cancelled here alone, and may be billed"
    assert box(*words, "H-1", "--dry-run").err.startswith(text)
    done = box(*words, "H-1", "-y")
    assert (done.code, done.err.strip()) == (0, text)
    assert text not in box(*words, "H-1", "-y").err


def test_a_label_that_its_carrier_takes_back_is_voided_without_a_word(box: Cli, bought: list[Any]) -> None:
    assert box("void", "SO-1", "-y").err == ""


def test_the_ledger_shows_what_was_bought_and_voided(
    box: Cli, cli: Cli, bought: list[dict[str, Any]]
) -> None:
    box("void", "SO-2", "-y")
    held = cli("sandbox", "ledger", "--json").json
    assert [(row["reference"], bool(row["bought"]), bool(row["voided"])) for row in held] == [
        ("SO-1", True, False),
        ("SO-2", True, True),
    ]
    assert [row["number"] for row in held] == [one["tracking_number"] for one in bought]
    table = cli("sandbox", "ledger")
    assert table.lines[0].startswith("slug\tnumber\treference\t")


# -- straight through


def rates(box: Cli, tmp_path: Path) -> str:
    body = {"shipper": SHIPPER, **ONE}
    (tmp_path / "rate.json").write_bytes(json.dump_bytes(body))
    found = box("quote", "--from-file", "rate.json", "--json").json["rates"]
    (tmp_path / "buy.json").write_bytes(
        json.dump_bytes({**body, "rates": found, "selected_rate_id": found[0]["id"]})
    )
    return "buy.json"


def test_a_label_is_bought_without_a_shipment(box: Cli, tmp_path: Path) -> None:
    file = rates(box, tmp_path)
    refused = box("labels", "buy", "--from-file", file)
    assert (refused.code, " USD" in refused.err) == (2, True)
    assert box("labels", "buy", "--from-file", file, "--max-total", "1", "-y").code == 11
    done = box("labels", "buy", "--from-file", file, "-y", "--json")
    assert done.code == 0, done.err
    number = done.json["tracking_number"]
    assert (tmp_path / f"label_{number}.pdf").read_bytes().startswith(b"%PDF")
    assert box("shipments", "list", "--ids").out == ""
    assert [row["number"] for row in box("sandbox", "ledger", "--json").json] == [number]


def test_a_price_that_a_file_makes_up_is_neither_agreed_to_nor_within_a_limit(
    box: Cli, tmp_path: Path
) -> None:
    file = tmp_path / rates(box, tmp_path)
    offer = json.loads(file.read_bytes())
    real = offer["rates"][0]["total_charge"]
    offer["rates"][0]["total_charge"] = 0.5
    file.write_bytes(json.dump_bytes(offer))
    assert box("labels", "buy", "--from-file", str(file), "--max-total", "1USD", "-y").code == 11
    asked = box("labels", "buy", "--from-file", str(file), "--dry-run")
    assert f"{real:.2f} USD" in asked.err + asked.out
    assert box("sandbox", "ledger", "--json").json == []


def test_a_rate_that_was_not_offered_is_refused(box: Cli, tmp_path: Path) -> None:
    done = box("labels", "buy", "--from-file", rates(box, tmp_path), "--rate", "rat_x", "-y")
    assert (done.code, "selected_rate_id" in done.err) == (6, True)


# -- trackers


def test_a_number_is_watched_told_changed_and_forgotten(box: Cli) -> None:
    asked = box("track", "SC0300000001")
    assert (asked.code, "shipcli track SC0300000001 --carrier CARRIER" in asked.err) == (3, True)
    made = box("track", "SC0300000001", "--carrier", "ups", "--json").json
    assert (made["status"], made["object_type"]) == ("delivered", "tracker")
    assert box("track", "SC0300000001", "--json").json == made
    assert box("trackers", "get", "@last", "--json").json == made
    changed = box(
        "trackers", "update", "SC0300000001", "-d", "info.note=hurry", "--metadata", "a=1", "--json"
    ).json
    assert (changed["info"]["note"], changed["metadata"]) == ("hurry", {"a": 1})
    assert box("trackers", "list", "--status", "delivered", "--ids").out.strip() == made["id"]
    assert box("trackers", "list", "--status", "lost").code == 6
    assert box("trackers", "refresh", "SC0300000001", "--pick", "status").out == "delivered\n"
    assert box("trackers", "remove", "SC0300000001").code == 2
    assert box("trackers", "remove", "SC0300000001", "-y").code == 0
    assert box("trackers", "list", "--ids").out == ""


def test_a_round_asks_about_what_is_due(box: Cli, bought: list[dict[str, Any]]) -> None:
    assert box("trackers", "refresh").code == 2
    assert box("trackers", "refresh", "--due", "--json").json["asked"] == 0
    box("config", "set", "tracking_interval", "1")
    time.sleep(1.1)
    done = box("trackers", "refresh", "--due", "--json")
    assert (done.code, done.json["asked"], done.json["failed"]) == (0, 2, 0)


def test_a_number_that_nobody_knows_is_refused_or_awaited(box: Cli) -> None:
    assert box("trackers", "add", "1ZNOPE", "--carrier", "ups").code == 7
    done = box("trackers", "add", "1ZNOPE", "--carrier", "ups", "--pending-pickup", "--pick", "status")
    assert (done.code, done.out) == (0, "pending\n")
    wrong = box("trackers", "add", "1", "--carrier", "upss")
    assert (wrong.code, "Did you mean ups?" in wrong.err) == (6, True)


def test_a_shipment_is_tracked_by_what_is_on_its_slip(box: Cli, bought: list[dict[str, Any]]) -> None:
    found = {
        box("track", word, "--pick", "id").out
        for word in ("SO-1", bought[0]["id"], bought[0]["tracking_number"])
    }
    assert found == {f"{bought[0]['tracker_id']}\n"}
    assert box("track", "@last", "--pick", "status").out == "pending\n"


def test_anything_is_found_by_its_words(box: Cli, bought: list[dict[str, Any]]) -> None:
    done = box("find", "ruiz phoenix", "--json").json
    assert [row["kind"] for row in done] == ["shipment", "shipment"]
    row = box("find", bought[0]["tracking_number"])
    assert row.lines[0] == "kind\tid\tnumber\treference\tname\tstatus"
    assert row.lines[1].split("\t") == [
        "shipment", bought[0]["id"], bought[0]["tracking_number"], "SO-1", "Ana Ruiz", "purchased",
    ]  # fmt: skip
    assert row.lines[2].startswith(f"tracker\t{bought[0]['tracker_id']}\t")


def test_a_terminal_gets_a_table(bought: list[dict[str, Any]], terminal: Callable[..., Result]) -> None:
    shown = terminal("--sandbox", "find", "phoenix", NO_COLOR="1").out
    assert shown.splitlines()[0].split() == ["KIND", "NUMBER", "REFERENCE", "NAME", "STATUS", "ID"]
    assert "Ana Ruiz" in shown
