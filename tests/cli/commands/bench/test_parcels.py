"""`shipcli parcels`, `shipcli references`."""

from __future__ import annotations

import pytest

from shipcli.carrier import registry
from tests.cli.conftest import Cli


def test_a_parcel_takes_weight_and_size_with_units(cli: Cli) -> None:
    made = cli("parcels", "create", "--weight", "1lb 4oz", "--size", "12x8x4in", "--json").json
    assert (str(made["weight"]), made["weight_unit"], made["length"], made["dimension_unit"]) == (
        "1.25",
        "LB",
        12,
        "IN",
    )


def test_a_parcel_is_changed_and_deleted(cli: Cli) -> None:
    id = cli("parcels", "create", "--weight", "2kg", "--ids").out.strip()
    assert cli("parcels", "update", id, "--weight", "3.50kg", "--pick", "weight").out == "3.5\n"
    assert cli("parcels", "delete", id, "-y").code == 0
    assert cli("parcels", "list", "--ids").out == ""


def test_a_size_that_is_none_is_refused(cli: Cli) -> None:
    shown = cli("parcels", "create", "--weight", "2kg", "--size", "big")
    assert shown.code == 6
    assert shown.err.startswith("error: --size (dimensions): ")


def boxed() -> str:
    return next((kind.slug for kind in registry.list_working() if len(kind.presets)), "")


def test_the_boxes_of_a_carrier_can_be_used(cli: Cli) -> None:
    slug = boxed()
    if not slug:
        pytest.skip("no carrier has boxes")
    name = cli("parcels", "presets", "--carrier", slug, "--template", "{preset}").lines[0]
    made = cli("parcels", "create", "--weight", "1kg", "--preset", name, "--json").json
    assert made["length"] is not None


def test_references_alone_names_the_maps(cli: Cli) -> None:
    assert "countries\t" in cli("references").out
    assert cli("references", "countries", "--json").json["CA"] == "Canada"
    assert "CA\tCanada" in cli("references", "get", "countries").lines


def test_an_unknown_map_has_a_nearest(cli: Cli) -> None:
    shown = cli("references", "get", "contries")
    assert shown.code == 3
    assert "countries" in shown.err
