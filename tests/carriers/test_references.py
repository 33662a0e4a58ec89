"""What `/v1/references` says of a carrier comes out of its class, row for row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.carrier.api_state import API_SOURCES, API_STATES
from shipcli.models import json as plain_json
from tests import additions
from tests.additions import CAPABILITIES, CREDENTIALS, drop_added, drop_capabilities
from tests.carriers.bench import AnyCarrier
from tests.shared import find_shared


def services(carrier: AnyCarrier) -> dict[str, Any]:
    return carrier.services.codes() if carrier.references_services else {}


def service_names(carrier: AnyCarrier) -> dict[str, Any]:
    return carrier.services.names() if carrier.references_services else {}


def service_levels(carrier: AnyCarrier) -> list[Any]:
    return [level.model_dump() for level in carrier.service_levels] if carrier.references_levels else []


def options(carrier: AnyCarrier) -> dict[str, Any]:
    rows = carrier.options if carrier.references_options else ()
    return {row.slug: (row.code, row.type_name) for row in rows if row.listed}


def expected_options(rows: Mapping[str, Any]) -> dict[str, Any]:
    return {slug: (row["code"], row["type"]) for slug, row in rows.items()}


def presets(carrier: AnyCarrier) -> dict[str, Any]:
    return {row.slug: row.to_dict() for row in carrier.presets} if carrier.references_presets else {}


MAPS: dict[str, Callable[[AnyCarrier], Any]] = {
    "carriers": lambda carrier: carrier.name,
    "services": services,
    "service_names": service_names,
    "options": options,
    "connection_fields": lambda carrier: drop_added(carrier.slug, carrier.connection_fields()),
    "connection_configs": lambda carrier: carrier.config_fields(),
    "carrier_capabilities": lambda carrier: drop_capabilities(carrier.slug, carrier.capabilities()),
    "packaging_types": lambda carrier: carrier.packaging.codes() if carrier.references_packaging else {},
    "package_presets": presets,
    "service_levels": service_levels,
    "integration_status": lambda carrier: carrier.integration_status,
}
READ: dict[str, Callable[[Any], Any]] = {"options": expected_options, "carrier_capabilities": set}
ORDERED = (
    "services", "options", "connection_fields", "connection_configs", "packaging_types", "package_presets",
)  # fmt: skip


@cache
def references() -> dict[str, Any]:
    return dict(plain_json.loads(find_shared("contract/references.json").read_bytes())["references"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "slug" in metafunc.fixturenames:
        wanted = metafunc.config.getoption("--carrier")
        built = [one.slug for one in registry.list_working() if not wanted or one.slug in wanted]
        metafunc.parametrize("slug", built)


def expected(slug: str, name: str) -> Any:
    if slug not in references()["carriers"]:
        pytest.skip("the contract does not have this carrier")
    found = references()[name].get(slug)
    return READ.get(name, lambda value: value)(found if found is not None else {})


@pytest.mark.parametrize("name", MAPS)
def test_the_references_of_a_carrier_come_from_its_class(slug: str, name: str) -> None:
    assert (MAPS[name](registry.get(slug)) or {}) == (expected(slug, name) or {})


@pytest.mark.parametrize("name", ORDERED)
def test_the_references_of_a_carrier_are_in_order(slug: str, name: str) -> None:
    assert list(MAPS[name](registry.get(slug))) == list(expected(slug, name))


@pytest.mark.parametrize("added", CREDENTIALS)
def test_credentials_beside_the_contract_are_there_and_not_required_by_it(added: str) -> None:
    fields = registry.get(added).connection_fields()
    assert {name for name in CREDENTIALS[added] if not fields[name]["required"]} == CREDENTIALS[added]


@pytest.mark.parametrize("added", CAPABILITIES)
def test_capabilities_beside_the_contract_are_there(added: str) -> None:
    assert CAPABILITIES[added] <= set(registry.get(added).capabilities())


def test_hubs_are_marked() -> None:
    hubs = {one.slug for one in registry.list_working() if one.hub}
    assert hubs - additions.CARRIERS == set(references()["carrier_hubs"])


def test_a_state_of_an_api_says_when_and_by_what_it_was_checked(carrier_class: AnyCarrier) -> None:
    api = carrier_class.api
    assert api.state in API_STATES
    if api.state == "local":
        assert (api.checked, api.source) == (None, None)
        return
    assert api.checked
    assert api.source in API_SOURCES
    assert datetime.strptime(api.checked, "%Y-%m").year >= 2026
