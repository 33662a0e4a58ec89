"""The same purchase again on another server: by mistake, and after its result was never seen."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shipcli.models import json
from tests.api.conftest import body
from tests.gateway.conftest import Line, Served
from tests.processes import PROGRAM

SHIP = ("ship", "--from-file", "parcel.json", "--cheapest", "-y", "--pick", "tracking_number")


def write(folder: Path, **changes: object) -> None:
    (folder / "parcel.json").write_bytes(json.dump_bytes(body(**changes)))


def test_a_reference_that_has_a_label_there_is_refused_with_5(there: Line, tmp_path: Path) -> None:
    write(tmp_path, reference="TWICE-1")
    number = there(*SHIP).out.strip()
    again = there(*SHIP)
    assert (again.code, again.out) == (5, "")
    assert number in again.err
    assert there("shipments", "list", "--reference", "TWICE-1", "--status", "draft", "--ids").out == ""
    another = there(*SHIP, "--again")
    assert another.code == 0
    assert another.out.strip() != number


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_what_was_bought_there_and_never_seen_is_shown_by_the_line_again(
    served: Served, there: Line, tmp_path: Path
) -> None:
    write(tmp_path)
    line = [*PROGRAM, "--home", str(tmp_path / "own"), "--api-url", served.url, *SHIP]
    with open("/dev/full", "w") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 1
    shown = there(*SHIP)
    assert shown.code == 0
    assert shown.out.strip() in done.stderr
    assert there(*SHIP).out.strip() not in done.stderr, "it was seen: this is another parcel"


def test_a_purchase_of_unknown_outcome_there_is_not_made_again_by_the_same_line(
    served: Served, there: Line, tmp_path: Path
) -> None:
    write(tmp_path, carrier_ids=["fedex"], metadata={"sandbox_scenario": "closed", "bin": "unknown-1"})
    line = [*PROGRAM, "--home", str(tmp_path / "own"), "--api-url", served.url, *SHIP]
    codes = [subprocess.run(line, capture_output=True, check=False).returncode for _ in range(2)]
    assert codes == [7, 7]
    found = there("shipments", "list", "--metadata-value", "unknown-1", "--ids").out.split()
    assert len(found) == 1
    assert there("shipments", "get", *found, "--pick", "status").out.strip() == "needs_attention"


def test_a_key_of_unknown_outcome_there_buys_no_other_rate(there: Line, tmp_path: Path) -> None:
    write(tmp_path, carrier_ids=["fedex"], metadata={"sandbox_scenario": "closed", "bin": "unknown-2"})
    told = [there(*SHIP, "--idempotency-key", "K-2") for _ in range(2)]
    assert [one.code for one in told] == [7, 7]
    assert "its outcome is unknown" in told[1].err
    assert len(there("shipments", "list", "--metadata-value", "unknown-2", "--ids").out.split()) == 1
