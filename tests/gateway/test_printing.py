"""Papers of a server on a printer of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.models import json
from tests.api.conftest import body
from tests.gateway.conftest import Line


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    folder = tmp_path / "spool"
    folder.mkdir()
    return folder


def buy(there: Line, tmp_path: Path, *more: str, reference: str) -> str:
    (tmp_path / "one.json").write_bytes(json.dump_bytes(body(carrier_ids=["usps"], reference=reference)))
    done = there("ship", "--from-file", str(tmp_path / "one.json"), "--cheapest", "-y", "--json", *more)
    assert done.code == 0, done.err
    return str(done.json["id"])


def test_a_label_of_the_server_is_printed_here_once(there: Line, tmp_path: Path, spool: Path) -> None:
    id = buy(there, tmp_path, reference="PAPER-1")
    printed = there("print", id, "--to", f"spool:{spool}", "--json")
    assert (printed.code, printed.json["object_id"], printed.json["copy"]) == (0, id, 1)
    (sheet,) = spool.iterdir()
    assert sheet.read_bytes()[:4] in (b"%PDF", b"^XA\n", b"\x89PNG")
    again = there("print", id, "--to", f"spool:{spool}")
    assert (again.code, len(list(spool.iterdir()))) == (5, 1)
    assert there("reprint", id, "--to", f"spool:{spool}").code == 0
    assert len(list(spool.iterdir())) == 2


def test_labels_of_the_server_come_out_again_after_a_jam(there: Line, tmp_path: Path, spool: Path) -> None:
    ids = [buy(there, tmp_path, reference=f"PAPER-{at}") for at in (21, 22, 23)]
    assert there("print", *ids, "--to", f"spool:{spool}").code == 0
    asked = there("reprint", "--last", "2")
    assert (asked.code, "this would reprint 2 documents" in asked.err) == (2, True)
    again = there("reprint", "--last", "2", "-y", "--json")
    assert again.code == 0, again.err
    assert [row["object_id"] for row in again.json] == ids[1:]
    assert len(list(spool.iterdir())) == 5


def test_a_dry_run_fetches_and_prints_nothing(there: Line, tmp_path: Path, spool: Path) -> None:
    id = buy(there, tmp_path, reference="PAPER-2")
    shown = there("print", id, "--to", f"spool:{spool}", "--dry-run")
    assert (shown.code, list(spool.iterdir())) == (0, [])
    assert "spool:" in shown.out


def test_a_voided_label_of_the_server_is_not_printed(there: Line, tmp_path: Path, spool: Path) -> None:
    id = buy(there, tmp_path, reference="PAPER-3")
    assert there("void", id, "-y").code == 0
    told = there("print", id, "--to", f"spool:{spool}")
    assert (told.code, list(spool.iterdir())) == (5, [])
    assert "was voided" in told.err


def test_what_is_bought_there_is_printed_here_by_the_same_line(
    there: Line, tmp_path: Path, spool: Path
) -> None:
    buy(there, tmp_path, "--printer", f"spool:{spool}", reference="PAPER-4")
    assert len(list(spool.iterdir())) == 1


def test_the_forms_of_a_day_are_printed_here(there: Line, tmp_path: Path, spool: Path) -> None:
    buy(there, tmp_path, reference="PAPER-5")
    there("eod", "--to", f"spool:{spool}", "-y")
    done = there("manifests", "list", "--json", "--limit", "1").json["results"][0]
    printed = len(list(spool.iterdir()))
    assert printed >= 1
    assert there("eod", "--to", f"spool:{spool}", "-y").code == 0
    assert len(list(spool.iterdir())) == printed  # they are on paper already
    assert there("manifests", "print", done["id"], "--to", f"spool:{spool}").code == 0
    assert len(list(spool.iterdir())) == printed + 1


def test_a_label_of_the_server_is_bought_for_the_printer_of_this_machine(
    there: Line, typed: Line, tmp_path: Path, spool: Path
) -> None:
    words = ("printers", "add", "zebra", "--to", f"spool:{spool}", "--format", "ZPL")
    assert typed("--home", str(tmp_path / "own"), *words).code == 0
    id = buy(there, tmp_path, "-p", reference="PAPER-9")
    assert there("shipments", "get", id, "--pick", "label_type").out == "ZPL\n"
    (sheet,) = spool.iterdir()
    assert sheet.read_bytes().startswith(b"^XA")


def test_a_slip_lies_with_a_label_of_the_server(
    there: Line, typed: Line, tmp_path: Path, spool: Path
) -> None:
    words = ("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "PDF")
    assert typed("--home", str(tmp_path / "own"), *words).code == 0
    id = buy(there, tmp_path, reference="PAPER-6")
    printed = there("print", id, "--slips", "--json").json
    assert [one["object_id"] for one in printed] == [id, f"{id}/slip"]
    assert [sheet.read_bytes()[:4] for sheet in spool.iterdir()] == [b"%PDF"] * 2
