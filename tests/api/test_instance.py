"""The instance, the references, the carriers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.models.reference import countries
from tests.api.conftest import Client

REFERENCES = Path(__file__).parents[3] / "shared" / "contract" / "references.json"
FLAGS = (
    "AUDIT_LOGGING", "ALLOW_SIGNUP", "ALLOW_ADMIN_APPROVED_SIGNUP", "ALLOW_MULTI_ACCOUNT", "ADMIN_DASHBOARD",
    "MULTI_ORGANIZATIONS", "ORDERS_MANAGEMENT", "APPS_MANAGEMENT", "DOCUMENTS_MANAGEMENT",
    "DATA_IMPORT_EXPORT", "CUSTOM_CARRIER_DEFINITION", "PERSIST_SDK_TRACING", "WORKFLOW_MANAGEMENT",
    "ORDER_DATA_RETENTION", "TRACKER_DATA_RETENTION", "SHIPMENT_DATA_RETENTION", "API_LOGS_DATA_RETENTION",
)  # fmt: skip


def test_the_instance_describes_itself(anybody: Client) -> None:
    said = anybody.get("/").json
    assert said["VERSION"] == "2024.12.6"
    assert all(isinstance(said[name], str) for name in ("APP_NAME", "APP_WEBSITE"))
    assert {name: type(said[name]) for name in FLAGS} == dict.fromkeys(FLAGS, bool)
    assert not any(said[name] for name in FLAGS if name.endswith("RETENTION"))


def test_addresses_of_the_instance_follow_the_host(anybody: Client) -> None:
    said = anybody.get("/", Host="ship.example:8080").json
    host = "http://ship.example:8080/"
    named = {"HOST": "", "ADMIN": "admin", "OPENAPI": "openapi", "GRAPHQL": "graphql"}
    assert {name: said[name] for name in named} == {name: host + end for name, end in named.items()}


def test_the_references_have_every_map(anybody: Client) -> None:
    said = anybody.get("/v1/references").json
    assert set(anybody.get("/").json) <= set(said)
    maps = (
        "ADDRESS_AUTO_COMPLETE countries currencies carriers customs_content_type incoterms states services "
        "connection_configs service_names options option_names package_presets packaging_types "
        "payment_types carrier_capabilities service_levels integration_status"
    )
    assert all(isinstance(said[name], dict) for name in maps.split())
    assert set(said["countries"]) == set(countries())
    assert len(said["incoterms"]) == 14
    assert "weight_units" not in said


def test_the_whole_references_have_units_too(anybody: Client) -> None:
    said = anybody.get("/v1/references?reduced=false").json
    assert set(said["weight_units"]) == {"KG", "LB", "OZ", "G"}
    assert set(said["dimension_units"]) == {"CM", "IN"}


def test_the_references_are_the_published_ones(anybody: Client) -> None:
    if not REFERENCES.is_file():
        pytest.skip("the published references beside the checkout are absent")
    text = REFERENCES.read_text()
    published = json.loads(text)
    published = published.get("references", published)
    ours = json.loads(anybody.get("/v1/references").content)
    for name in ("countries", "currencies", "states", "incoterms", "customs_content_type", "payment_types"):
        assert ours[name] == published[name], name


def test_custom_carriers_are_shown_to_known_callers_only(api: Client, anybody: Client) -> None:
    credentials = {"display_name": "Our Vans", "custom_carrier_name": "our_vans"}
    api.made("/v1/connections", {"carrier_name": "generic", "carrier_id": "vans", "credentials": credentials})
    assert api.get("/v1/references").json["custom_carriers"]["our_vans"] == "Our Vans"
    assert anybody.get("/v1/references").json["custom_carriers"] == {}


def test_carriers_are_a_plain_list(anybody: Client) -> None:
    rows = anybody.get("/v1/carriers").json
    assert [row["carrier_name"] for row in rows] == list(registry.slugs())
    assert {"required", "type", "name"} <= set(rows[0]["connection_fields"].popitem()[1])


def test_the_services_of_a_carrier_are_listed(anybody: Client) -> None:
    assert anybody.get("/v1/carriers/ups/services").json["ups_ground"] == "UPS Ground"
    assert anybody.get("/v1/carriers/nobody/services").error["code"] == "not_found"


def test_the_server_says_that_it_works(anybody: Client) -> None:
    assert anybody.get("/status/").json == {"database": "working", "server": "working"}
