"""Carriers and the reference maps."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.features.connections import catalog
from shipcli.features.core.app import App
from shipcli.models import NotFound
from shipcli.models import json as plain_json
from tests.additions import drop_added, drop_capabilities, drop_carriers
from tests.shared import find_shared

BY_CARRIER = (
    "carriers", "carrier_hubs", "services", "service_names", "options", "option_names", "connection_fields",
    "connection_configs", "carrier_capabilities", "packaging_types", "package_presets", "service_levels",
    "integration_status",
)  # fmt: skip
SHARED_BY_ALL = (
    "countries", "currencies", "weight_units", "dimension_units", "states", "payment_types",
    "customs_content_type", "incoterms",
)  # fmt: skip
UNITS = {"weight_units", "dimension_units"}


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    return dict(plain_json.loads(find_shared("contract/references.json").read_bytes())["references"])


def comparable(name: str, value: Any) -> Any:
    """Capabilities are a set, without those beside the contract; everything else is compared as it is."""
    if name != "carrier_capabilities":
        return value
    return {slug: drop_capabilities(slug, names) for slug, names in value.items()}


# -- carriers ----------------------------------------------------------------------------------


def test_every_carrier_is_listed_with_what_it_needs(app: App) -> None:
    listed = {one.carrier_name: one for one in catalog.list_carriers(app)}
    assert set(listed) == {kind.slug for kind in registry.list_working()}
    known = {"paperless", "shipping", "tracking", "rating", "pickup", "manifest"}
    for one in listed.values():
        assert set(one.capabilities) <= known
        assert all({"name", "required", "type"} <= set(row) for row in one.connection_fields.values())
        assert all({"code", "name", "required", "type"} <= set(row) for row in one.config_fields.values())


def test_a_carrier_is_shown_by_its_slug(app: App) -> None:
    assert catalog.get_carrier(app, "ups").display_name == "UPS"


def test_services_are_slugs_and_codes(app: App) -> None:
    assert catalog.get_services(app, "ups")["ups_ground"] == "UPS Ground"
    assert catalog.get_services(app, "dhl_universal") == {}


def test_options_are_slugs_with_code_and_type(app: App) -> None:
    assert all(set(row) == {"code", "type"} for row in catalog.get_options(app, "canadapost").values())


@pytest.mark.parametrize("use", [catalog.get_carrier, catalog.get_services, catalog.get_options])
def test_an_unknown_slug_is_not_found_and_the_nearest_named(app: App, use: Any) -> None:
    with pytest.raises(NotFound, match="canadapost"):
        use(app, "canadpost")


# -- references --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHARED_BY_ALL)
def test_a_map_of_no_carrier_is_the_contracts(app: App, contract: dict[str, Any], name: str) -> None:
    found = catalog.list_references(app, reduced=False)[name]
    assert found == contract[name]
    assert list(found) == list(contract[name])


@pytest.mark.parametrize("name", BY_CARRIER)
def test_a_map_of_the_carriers_is_the_contracts(app: App, contract: dict[str, Any], name: str) -> None:
    found = catalog.list_references(app, reduced=False)[name]
    if name == "connection_fields":
        found = {slug: drop_added(slug, fields) for slug, fields in found.items()}
    assert comparable(name, drop_carriers(found)) == comparable(name, contract[name])


def test_the_reduced_maps_leave_out_units_only(app: App) -> None:
    whole, reduced = catalog.list_references(app, reduced=False), catalog.list_references(app)
    assert set(whole) - set(reduced) == UNITS
    assert {"options", "currencies", "incoterms", "payment_types", "option_names"} <= set(reduced)


def test_the_fixed_words_are_those_of_the_specification(app: App) -> None:
    maps = catalog.list_references(app)
    assert list(maps["payment_types"]) == ["sender", "recipient", "third_party"]
    assert set(maps["customs_content_type"]) == {
        "documents", "gift", "sample", "merchandise", "return_merchandise", "other",
    }  # fmt: skip
    assert len(maps["incoterms"]) == 14
    assert len(maps["countries"]) == 240
    assert set(maps["packaging_types"]["universal"]) == {
        "envelope", "pak", "tube", "pallet", "small_box", "medium_box", "your_packaging",
    }  # fmt: skip


def test_one_map_is_found_by_its_name(app: App) -> None:
    assert catalog.get_reference(app, "weight_units") == {"KG": "KG", "LB": "LB", "OZ": "OZ", "G": "G"}
    with pytest.raises(NotFound, match="countries"):
        catalog.get_reference(app, "contries")
