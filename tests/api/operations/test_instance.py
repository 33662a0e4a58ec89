"""The instance, the references, the carriers."""

from __future__ import annotations

import json
from typing import Any

from shipcli.carrier import registry
from shipcli.operations.document import make_openapi_document
from tests.additions import (
    CARRIERS,
    CONTRACT_SIZE,
    drop_added,
    drop_capabilities,
    drop_carriers,
    drop_members,
)
from tests.api.conftest import Client
from tests.shared import find_shared

FLAGS = (
    "AUDIT_LOGGING", "ALLOW_SIGNUP", "ALLOW_ADMIN_APPROVED_SIGNUP", "ALLOW_MULTI_ACCOUNT", "ADMIN_DASHBOARD",
    "MULTI_ORGANIZATIONS", "ORDERS_MANAGEMENT", "APPS_MANAGEMENT", "DOCUMENTS_MANAGEMENT",
    "DATA_IMPORT_EXPORT", "CUSTOM_CARRIER_DEFINITION", "PERSIST_SDK_TRACING", "WORKFLOW_MANAGEMENT",
    "ORDER_DATA_RETENTION", "TRACKER_DATA_RETENTION", "SHIPMENT_DATA_RETENTION", "API_LOGS_DATA_RETENTION",
)  # fmt: skip

CODELESS = ("dhl_express_all", "dpdhl_retoure")  # all services in a quote; what comes back on its own label
PER_CARRIER = (
    "carriers", "services", "service_names", "options", "option_names", "connection_fields",
    "connection_configs", "carrier_capabilities", "packaging_types", "package_presets", "service_levels",
    "integration_status",
)  # fmt: skip


def test_the_instance_describes_itself(anybody: Client) -> None:
    reply = anybody.get("/")
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    said = reply.json
    assert said["VERSION"] == "2024.12.6"
    texts = ("VERSION", "APP_NAME", "APP_WEBSITE", "HOST", "ADMIN", "OPENAPI", "GRAPHQL")
    assert all(said[name] and isinstance(said[name], str) for name in texts)
    assert {name: type(said[name]) for name in FLAGS} == dict.fromkeys(FLAGS, bool)
    assert not any(said[name] for name in FLAGS if name.endswith("RETENTION"))


def test_addresses_of_the_instance_follow_the_host(anybody: Client) -> None:
    said = anybody.get("/", Host="localhost:8080").json
    host = "http://localhost:8080/"
    named = {"HOST": "", "ADMIN": "admin", "OPENAPI": "openapi", "GRAPHQL": "graphql"}
    assert {name: said[name] for name in named} == {name: host + end for name, end in named.items()}


def test_the_references_have_every_map(anybody: Client) -> None:
    reply = anybody.get("/v1/references")
    said = reply.json
    assert reply.status == 200
    assert set(anybody.get("/").json) <= set(said)
    maps = (
        "ADDRESS_AUTO_COMPLETE countries currencies carriers customs_content_type incoterms states services "
        "connection_configs service_names options option_names package_presets packaging_types "
        "payment_types carrier_capabilities service_levels integration_status"
    )
    assert all(isinstance(said[name], dict) for name in maps.split())
    assert "weight_units" not in said


def enumeration(schema: str, field: str) -> set[str]:
    """The words that the served document allows."""
    words = make_openapi_document()["components"]["schemas"][schema]["properties"][field]["enum"]
    return {word for word in words if word}


def test_the_words_of_the_references_are_those_that_bodies_take(anybody: Client) -> None:
    said = anybody.get("/v1/references").json
    assert set(said["countries"]) == enumeration("AddressData", "country_code")
    assert len(said["countries"]) == 240
    assert (said["countries"]["CA"], said["countries"]["DE"]) == ("Canada", "Germany")
    assert all(name and isinstance(name, str) for name in said["countries"].values())
    assert set(said["currencies"]) >= enumeration("CommodityData", "value_currency") > {"USD", "EUR", "CAD"}
    incoterms = "CFR CIF CIP CPT DAF DAP DDP DDU DEQ DES EXW FAS FCA FOB"
    assert sorted(said["incoterms"]) == incoterms.split()
    contents = {"documents", "gift", "sample", "merchandise", "return_merchandise", "other"}
    assert set(said["customs_content_type"]) == contents
    assert set(said["payment_types"]) == {"sender", "recipient", "third_party"}
    boxes = {"envelope", "pak", "tube", "pallet", "small_box", "medium_box", "your_packaging"}
    assert set(said["packaging_types"]["universal"]) == boxes


def test_services_have_codes_and_names_under_the_same_ids(anybody: Client) -> None:
    said = anybody.get("/v1/references").json
    assert said["services"]["ups"]["ups_ground"] == "UPS Ground"
    assert said["service_names"]["ups"]["ups_ground"] == "UPS GROUND"
    assert said["services"].keys() == said["service_names"].keys()
    for slug, rows in said["services"].items():
        names = said["service_names"][slug]
        assert rows.keys() == names.keys()
        assert all(
            code and isinstance(code, str) for service, code in rows.items() if service not in CODELESS
        )
        assert all(name == name.upper() for name in names.values())


def test_presets_have_sizes_with_their_unit(anybody: Client) -> None:
    presets = anybody.get("/v1/references").json["package_presets"]
    rows = [row for carrier in presets.values() for row in carrier.values()]
    assert len(rows) > 10
    assert all({"width", "height", "length", "dimension_unit"} <= set(row) for row in rows)


def test_the_whole_references_have_units_too(anybody: Client) -> None:
    said = anybody.get("/v1/references?reduced=false").json
    assert set(said) > set(anybody.get("/v1/references").json)
    assert set(said["weight_units"]) == {"KG", "LB", "OZ", "G"}
    assert set(said["dimension_units"]) == {"CM", "IN"}


def test_the_references_are_the_published_ones(anybody: Client) -> None:
    published = json.loads(find_shared("contract/references.json").read_text())["references"]
    ours = json.loads(anybody.get("/v1/references?reduced=false").content)
    for name in ("countries", "currencies", "states", "incoterms", "customs_content_type", "payment_types"):
        assert ours[name] == published[name], name
    assert ours["packaging_types"]["universal"] == published["packaging_types"]["universal"]
    for name in PER_CARRIER:
        assert drop_carriers(ours[name]).keys() == published[name].keys(), name
        for slug, wanted in published[name].items():
            assert comparable(name, slug, ours[name][slug]) == comparable(name, slug, wanted), (name, slug)


def comparable(name: str, slug: str, value: Any) -> Any:
    """Capabilities are a set; what is beside the contract is left out."""
    leave_out = {"connection_fields": drop_added, "carrier_capabilities": drop_capabilities}.get(name)
    return leave_out(slug, value) if leave_out else value


def test_every_carrier_is_described_as_the_references_do(anybody: Client) -> None:
    published = json.loads(find_shared("contract/references.json").read_text())["references"]
    rows = {row["carrier_name"]: row for row in json.loads(anybody.get("/v1/carriers").content)}
    assert rows.keys() >= CARRIERS
    assert drop_carriers(rows).keys() == published["carriers"].keys()
    assert len(published["carriers"]) == CONTRACT_SIZE
    for slug, row in drop_carriers(rows).items():
        capabilities = drop_capabilities(slug, row.pop("capabilities"))
        assert capabilities == set(published["carrier_capabilities"][slug]), slug
        row["connection_fields"] = drop_added(slug, row["connection_fields"])
        assert drop_members(row) == {
            "carrier_name": slug,
            "display_name": published["carriers"][slug],
            "integration_status": published["integration_status"][slug],
            "connection_fields": published["connection_fields"].get(slug, {}),
            "config_fields": published["connection_configs"].get(slug, {}),
        }
        services = json.loads(anybody.get(f"/v1/carriers/{slug}/services").content)
        assert services == published["services"].get(slug, {}), slug


def test_custom_carriers_are_shown_to_known_callers_only(api: Client, anybody: Client) -> None:
    credentials = {"display_name": "Our Vans", "custom_carrier_name": "our_vans"}
    api.made("/v1/connections", {"carrier_name": "generic", "carrier_id": "vans", "credentials": credentials})
    assert api.get("/v1/references").json["custom_carriers"]["our_vans"] == "Our Vans"
    assert anybody.get("/v1/references").json["custom_carriers"] == {}


def test_carriers_are_a_plain_list(anybody: Client) -> None:
    rows = anybody.get("/v1/carriers").json
    assert [row["carrier_name"] for row in rows] == list(registry.list_slugs())
    assert {"required", "type", "name"} <= set(rows[0]["connection_fields"].popitem()[1])


def test_one_carrier_is_described_as_in_the_list(anybody: Client) -> None:
    for row in anybody.get("/v1/carriers").json:
        assert anybody.get(f"/v1/carriers/{row['carrier_name']}").json == row
    unknown = anybody.get("/v1/carriers/canadpost")
    assert (unknown.status, unknown.error["code"]) == (404, "not_found")
    assert "canadapost" in unknown.error["message"]


def test_the_services_of_a_carrier_are_listed(anybody: Client) -> None:
    assert anybody.get("/v1/carriers/ups/services").json["ups_ground"] == "UPS Ground"
    assert anybody.get("/v1/carriers/nobody/services").error["code"] == "not_found"


def test_the_server_says_that_it_works(anybody: Client) -> None:
    said = {"database": "working", "server": "working", "worker": "not running"}
    assert anybody.get("/status/").json == said
