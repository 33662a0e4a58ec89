"""Scales on the command line, and the weights that they give to shipments."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli
from tests.scales.lines import play_scale

NEW = ("--to-name", "Ana Ruiz", "--to-line1", "1 Central Ave", "--to-city", "Phoenix", "--to-state", "AZ",
       "--to-postal-code", "85004", "--service", "ups_ground")  # fmt: skip


@pytest.fixture
def sandbox(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def test_a_scale_is_added_listed_and_removed(sandbox: Cli) -> None:
    assert sandbox("scales", "add", "bench", "--to", "serial:/dev/ttyUSB0", "--protocol", "nci").code == 0
    (row,) = sandbox("scales", "list", "--json").json
    assert row == {"name": "bench", "kind": "serial", "place": "/dev/ttyUSB0", "protocol": "nci",
                   "line": "9600,7E1", "unit": None, "is_default": True}  # fmt: skip
    assert sandbox("scales", "add", "bench", "--to", "typed:").code == 5
    assert sandbox("scales", "remove", "bench", "-y").code == 0
    assert sandbox("scales", "list", "--json").json == []


def test_the_unit_of_a_scale_that_does_not_say_it_is_asked_for(sandbox: Cli) -> None:
    words = ("scales", "add", "till", "--to", "serial:/dev/ttyUSB0", "--protocol", "8217")
    refused = sandbox(*words)
    assert (refused.code, "unit" in refused.err) == (6, True), refused.err
    assert sandbox(*words, "--unit", "lb").code == 0
    (row,) = sandbox("scales", "list", "--json").json
    assert row["unit"] == "LB"


def test_the_rule_of_udev_is_shown_for_a_usb_scale(sandbox: Cli) -> None:
    added = sandbox("scales", "add", "dymo", "--to", "hid:0922:8003")
    assert 'ATTRS{idVendor}=="0922"' in added.err


def test_nothing_is_stored_by_a_dry_run(sandbox: Cli) -> None:
    assert sandbox("scales", "add", "bench", "--to", "typed:", "--dry-run").code == 0
    assert sandbox("scales", "list", "--json").json == []


def test_a_parcel_is_shipped_at_the_weight_on_the_scale(sandbox: Cli) -> None:
    with play_scale(b"S S      1.250 kg\r\n", b"SI\r\n") as scale:
        sandbox("scales", "add", "bench", "--to", f"serial:{scale.place}?line=9600,7E1")
        shown = sandbox("scales", "test", "--json").json
        bought = sandbox("ship", *NEW, "--weight", "scale", "--json", "-y")
    assert (shown["weight"], shown["state"]) == (1.25, "stable")
    assert bought.code == 0, bought.err
    (parcel,) = bought.json["parcels"]
    assert (parcel["weight"], parcel["weight_unit"]) == (1.25, "KG")


@pytest.mark.parametrize("state", ["silent", "overload", "underload"])
def test_nothing_is_bought_at_what_is_no_weight(sandbox: Cli, state: str) -> None:
    sandbox("scales", "add", "bench", "--to", f"simulated:1kg,{state}")
    failed = sandbox("ship", *NEW, "--weight", "scale", "-y")
    assert failed.code == 10
    assert "cale" in failed.err
    assert sandbox("shipments", "list", "--json").json["count"] == 0


def test_without_a_scale_the_way_to_one_is_said(sandbox: Cli) -> None:
    failed = sandbox("ship", *NEW, "--weight", "scale", "-y")
    assert failed.code == 10
    assert "shipcli scales add NAME" in failed.err


def test_one_of_several_scales_is_named(sandbox: Cli) -> None:
    for name, weight in (("left", "1kg"), ("right", "2kg")):
        sandbox("scales", "add", name, "--to", f"simulated:{weight}")
    assert sandbox("scales", "test").code == 10
    sandbox("config", "set", "scale", "right")
    assert sandbox("scales", "test", "--json").json["weight"] == 2
    quoted = sandbox("ship", *NEW, "--weight", "scale=left", "--dry-run")
    assert "(1 kg)" in quoted.err
