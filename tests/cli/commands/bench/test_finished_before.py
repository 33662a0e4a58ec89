"""A line that is repeated after a crash, and had been finished, says so and ends well with the numbers."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli
from tests.factories import PARCEL, RECIPIENT

PICKUP = ("pickups", "schedule", "usps", "2031-05-08", "13:00-17:00", "--at", "Dock 2")


@pytest.fixture
def sold(box: Cli) -> None:
    """Three labels of a carrier that fetches parcels, SO-1 to SO-3."""
    bodies = [{"recipient": RECIPIENT, "parcels": [PARCEL], "reference": f"SO-{at}"} for at in (1, 2, 3)]
    line = ("ship", "--from-file", "-", "--carrier", "usps", "--cheapest", "-y")
    assert box(*line, typed=json.dumps(bodies)).code == 0


@pytest.mark.parametrize("line", ["void", "shipments cancel"])
def test_what_was_voided_is_named_and_the_rest_is_voided(
    box: Cli, bought: list[dict[str, Any]], line: str
) -> None:
    numbers = [one["tracking_number"] for one in bought[:2]]
    assert box(*line.split(), "SO-1", "-y").code == 0
    for _ in range(2):
        done = box(*line.split(), "SO-1", "SO-2", "-y", "--json")
        assert (done.code, [one["tracking_number"] for one in done.json]) == (0, numbers), done.err
        assert {one["status"] for one in done.json} == {"cancelled"}
        assert "before: SO-1" in done.err
    assert len([row for row in box("sandbox", "ledger", "--json").json if row["voided"]]) == 2


def test_nobody_is_asked_about_what_was_voided(box: Cli, bought: list[dict[str, Any]]) -> None:
    box("void", "SO-1", "-y")
    assert box("void", "SO-1", "--pick", "tracking_number").lines == [bought[0]["tracking_number"]]
    asked = box("void", "SO-1", "SO-2")
    assert (asked.code, "SO-1 (" in asked.err) == (2, False)
    assert bought[1]["tracking_number"] in asked.err


def test_a_reason_that_was_lost_is_kept_after_all(box: Cli, bought: list[dict[str, Any]]) -> None:
    box("shipments", "cancel", "SO-1", "-y")
    box("void", "SO-1", "--reason", "dry", "--dry-run")
    assert box("void", "SO-1", "--reason", "wrong box", "-y").code == 0
    box("void", "SO-1", "--reason", "another", "-y")
    assert box("shipments", "get", "SO-1", "--pick", "metadata.void_reason").lines == ["wrong box"]


def test_what_never_had_a_label_is_not_voided(box: Cli, bought: list[dict[str, Any]]) -> None:
    again = {name: bought[0][name] for name in ("recipient", "parcels")}
    made = box(
        "shipments", "create", "--from-file", "-", "--reference", "D-1", "--json", typed=json.dumps(again)
    )
    assert made.code == 0, made.err
    assert box("void", "D-1", "-y").code == 5
    assert box("shipments", "cancel", "D-1", "-y").code == 0
    assert box("void", "D-1", "-y").code == 5


# -- pickups ---------------------------------------------------------------------------------------


def test_a_pickup_that_was_booked_is_named_and_not_booked_again(box: Cli, sold: None) -> None:
    first = box(*PICKUP, "-y", "--json").json
    again = box(*PICKUP, "--json")
    assert (again.code, again.json) == (0, first), again.err
    assert f"booked before: {first['confirmation_number']}" in again.err
    assert box("pickups", "list", "--json=id").json["count"] == 1


def test_one_of_named_shipments_is_recognised_as_well(box: Cli, sold: None) -> None:
    line = (
        "pickups",
        "schedule",
        "usps",
        "2031-05-08",
        "9-12",
        "--shipments",
        "SO-1,SO-2",
        "-y",
        "--json=id",
    )
    first = box(*line)
    assert (first.code, box(*line).json) == (0, first.json)
    assert box(*line[:6], "SO-1,SO-2,SO-3", "-y").code == 6, "SO-3 is in no pickup"


@pytest.mark.parametrize(
    "words",
    ["usps 2031-05-09 13:00-17:00", "usps 2031-05-08 12:00-17:00", "usps 2031-05-08 13-17 --at Door",
     "ups 2031-05-08 13:00-17:00", "usps"],
)  # fmt: skip
def test_another_pickup_is_not_taken_for_it(box: Cli, sold: None, words: str) -> None:
    assert box(*PICKUP, "-y").code == 0
    assert box("pickups", "schedule", *words.split(), "-y").code != 0


def test_what_was_cancelled_is_not_booked_anymore(box: Cli, sold: None) -> None:
    first = box(*PICKUP, "-y", "--json").json
    assert box("pickups", "cancel", first["id"], "-y").code == 0
    again = box("pickups", "cancel", first["id"], "--json=confirmation_number")
    assert (again.code, again.json["confirmation_number"]) == (0, first["confirmation_number"]), again.err
    assert box(*PICKUP, "-y", "--json").json["id"] != first["id"]


def test_a_pickup_for_what_was_bought_since_is_a_new_one(box: Cli, sold: None) -> None:
    first = box(*PICKUP[:5], "--shipments", "SO-1", "-y", "--json").json
    second = box(*PICKUP[:5], "-y", "--json").json
    assert second["id"] != first["id"]


def test_nothing_to_fetch_is_an_error_as_before(box: Cli) -> None:
    done = box(*PICKUP, "-y")
    assert (done.code, "waits for a pickup" in done.err) == (6, True)


# -- others ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("SO-1", "SO-2", "SO-3")])
def test_manifests_and_changes_of_a_pickup_can_be_repeated(
    box: Cli, sold: None, words: tuple[str, ...]
) -> None:
    for _ in range(2):
        done = box("manifests", "create", "usps", *words, "-y")
        assert done.code == 0, done.err
    assert box("manifests", "list", "--json").json["count"] == 1
    booked = box(*PICKUP[:5], "--shipments", "SO-1", "-y", "--json").json
    for _ in range(2):
        assert box("pickups", "update", booked["id"], "--at", "Dock 3", "--add", "SO-2").code == 0


def test_what_was_taken_out_of_a_pickup_can_be_voided(box: Cli, sold: None) -> None:
    booked = box(*PICKUP[:5], "--shipments", "SO-1,SO-2", "-y", "--json").json
    assert box("void", "SO-2", "-y").code == 5
    assert box("pickups", "update", booked["id"], "--drop", "SO-2", "--dry-run").code == 0
    for times in range(2):
        done = box("pickups", "update", booked["id"], "--drop", "SO-2", "--json")
        assert (done.code, len(done.json["parcels"]), "taken out before" in done.err) == (0, 1, times == 1)
    changed = box("pickups", "update", booked["id"], "--add", "SO-3", "--drop", "SO-1", "--json").json
    assert len(changed["parcels"]) == 1
    assert box("void", "SO-1", "SO-2", "-y").code == 0
    assert box("pickups", "update", booked["id"], "--drop", "SO-3").code == 6
