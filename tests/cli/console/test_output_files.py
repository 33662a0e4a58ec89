"""Where a command writes is known before it does anything; `-` is standard output, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli.main import main
from tests.cli.conftest import Cli

TO_ANN = ("--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
          "--to-postal-code", "02134", "--weight", "2lb", "--cheapest")  # fmt: skip


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (("import", "shipments", "s.csv", "--buy", "cheapest", "--merge", "-"), "--merge"),
        (("import", "shipments", "s.csv", "--buy", "cheapest", "--rejects", "-"), "--rejects"),
        (("import", "shipments", "s.csv", "--buy", "cheapest", "--summary", "-"), "--summary"),
        (("orders", "fulfil", "--unfulfilled", "--cheapest", "--merge", "-"), "--merge"),
        (("ship", *TO_ANN, "--label", "-"), "--label"),
        (("eod", "--summary", "-"), "--summary"),
    ],
)
def test_standard_output_is_no_file_where_the_answer_goes_there(
    box: Cli, tmp_path: Path, line: Sequence[str], option: str
) -> None:
    (tmp_path / "s.csv").write_text("person_name,line1,city,state,postal_code,country,weight\n"
                                    "Ann,5 Main Street,Boston,MA,02134,US,2lb\n")  # fmt: skip
    done = box(*line, "-y")
    assert (done.code, done.out) == (2, "")
    assert f"{option} names a file" in done.err
    assert box("shipments", "list", "--ids").out == ""


@pytest.mark.parametrize("place", ["nowhere/eod.json", "."])
def test_a_day_is_not_closed_when_its_summary_cannot_be_written(
    box: Cli, bought: list[Any], place: str
) -> None:
    assert box("eod", "-y", "--summary", place).code == 2
    assert box("manifests", "list", "--ids").out == ""
    assert len(box("shipments", "list", "--no-manifest", "--ids").lines) == len(bought)


@pytest.mark.usefixtures("bought")
def test_forms_of_manifests_go_to_standard_output_or_to_a_file_as_it_is_named(
    box: Cli, home: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert box("eod", "-y").code == 0
    assert main(["--home", str(home), "--sandbox", "manifests", "print", "@last", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"%PDF")
    assert not (tmp_path / "-").exists()
    assert box("manifests", "print", "@last", "-o", "form.png").code == 0
    assert (tmp_path / "form.png").read_bytes().startswith(b"\x89PNG")
    assert box("manifests", "print", "@last", "-o", "form.txt").code == 2
    assert box("manifests", "print", "@last", "-o", "nowhere/form.pdf").code == 2
    asked = box("manifests", "print", "@last", "-o", "other.pdf", "--dry-run")
    assert (asked.code, "would write 1 manifest to other.pdf" in asked.err) == (0, True)
