"""The same line again: after a crash, after output that failed, and by mistake."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.shipments import second_labels, ship
from shipcli.models import json
from tests.cli.conftest import Cli
from tests.factories import PARCEL, RECIPIENT
from tests.features.conftest import live_labels
from tests.processes import PROGRAM

SHIP = ("ship", "--from-file", "parcel.json", "--service", "standard_service", "-y")


@pytest.fixture
def box(cli: Cli, tmp_path: Path) -> Cli:
    write(tmp_path, reference="SO-1")
    return lambda *words, **more: cli("--sandbox", *words, **more)


def write(folder: Path, **changes: Any) -> None:
    body = {"recipient": RECIPIENT, "parcels": [PARCEL], **changes}
    (folder / "parcel.json").write_bytes(json.dump_bytes(body))


def sold(home: Path) -> int:
    app = open_app(home, sandbox=True, environ={})
    found = sum(len(numbers) for numbers in live_labels(app).values())
    app.close()
    return found


def run_with_stdout(home: Path, target: str) -> tuple[int, str]:
    """The line as a program whose output goes there, and what it says of that."""
    line = " ".join([*PROGRAM, "--sandbox", "--home", str(home), *SHIP])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{line} {target}"], stderr=subprocess.PIPE, check=False, text=True
    )
    return done.returncode, done.stderr


def test_a_reference_that_has_a_label_is_refused_with_5(box: Cli, home: Path) -> None:
    number = box(*SHIP, "--pick", "tracking_number").out.strip()
    again = box(*SHIP)
    assert (again.code, again.out) == (5, "")
    assert number in again.err
    assert "--again" in again.err
    assert box(*SHIP, "--dry-run").code == 5
    assert sold(home) == 1


def test_again_buys_another_label_for_a_reference(box: Cli, home: Path) -> None:
    assert box(*SHIP).code == 0
    assert box(*SHIP, "--again").code == 0
    assert sold(home) == 2


def test_a_voided_label_makes_room_for_another(box: Cli, home: Path) -> None:
    assert box(*SHIP).code == 0
    assert box("void", "SO-1", "-y").code == 0
    assert box(*SHIP).code == 0
    assert sold(home) == 1


def test_drafts_of_one_reference_are_bought_once(box: Cli, home: Path) -> None:
    ids = [box("shipments", "create", "--from-file", "parcel.json", "--ids").out.strip() for _ in range(2)]
    done = box("shipments", "buy", *ids, "--cheapest", "-y")
    assert done.code == 9
    assert ids[1] in done.err
    assert box("ship", ids[1], "--cheapest", "-y").code == 5
    assert box("shipments", "buy", ids[1], "--cheapest", "-y", "--again").code == 0
    assert sold(home) == 2


def test_parcels_without_a_reference_are_bought_as_often_as_they_are_asked_for(
    box: Cli, tmp_path: Path, home: Path
) -> None:
    write(tmp_path)
    assert [box(*SHIP).code for _ in range(2)] == [0, 0]
    assert sold(home) == 2


@pytest.mark.parametrize("target", [">/dev/full", ">&-"])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_fails_says_what_was_bought_and_the_line_again_shows_it(
    box: Cli, tmp_path: Path, home: Path, target: str
) -> None:
    write(tmp_path)
    code, said = run_with_stdout(home, target)
    assert code == 1
    assert "unexpected" not in said
    again = box(*SHIP, "--pick", "tracking_number")
    assert again.code == 0
    assert again.out.strip() in said
    assert "nothing was bought now" in again.err
    assert sold(home) == 1
    assert box(*SHIP).code == 0, "it was seen now: the next one is another parcel"
    assert sold(home) == 2


def test_a_reader_who_leaves_is_told_what_was_bought(box: Cli, tmp_path: Path, home: Path) -> None:
    write(tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    line = [*PROGRAM, "--sandbox", "--home", str(home), *SHIP]
    done = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, check=False, text=True)
    os.close(writing)
    assert done.returncode == 1
    assert box(*SHIP, "--pick", "tracking_number").out.strip() in done.stderr
    assert sold(home) == 1


def test_what_was_resolved_as_not_bought_is_bought_by_the_same_line(
    box: Cli, program: Cli, tmp_path: Path
) -> None:
    """The outcome of the next purchase is unknown as well: that it was made is the point."""
    write(tmp_path, metadata={"sandbox_scenario": "closed"})
    words = ("--sandbox", "ship", "--from-file", "parcel.json", "--service", "fedex_ground", "-y")
    assert [program(*words).code for _ in range(2)] == [7, 7]
    (only,) = box("shipments", "list", "--ids").lines
    assert box("shipments", "resolve", only, "--not-bought").code == 0
    assert program(*words).code == 7
    statuses = [one["status"] for one in box("shipments", "list", "--json").json["results"]]
    assert sorted(statuses) == ["draft", "needs_attention"]


def test_a_sale_at_the_same_moment_for_one_reference_is_refused(box: Cli, home: Path) -> None:
    app = open_app(home, sandbox=True, environ={})
    draft = ship.make_rated_draft(app, ship.ShipmentData.model_validate({**_body(), "reference": "SO-1"}))
    with second_labels.hold_reference(app, draft):
        assert box(*SHIP).code == 5
    app.close()
    assert box(*SHIP).code == 0


def _body() -> dict[str, Any]:
    return {"recipient": RECIPIENT, "shipper": RECIPIENT, "parcels": [PARCEL]}
