"""The served document: what it declares, and that it lacks nothing of the published contract."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from shipcli.carrier import registry
from shipcli.events.envelope import make_headers, write_envelope
from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.operations import sentences
from shipcli.operations.added_components import ADDED
from shipcli.operations.document import make_openapi_document
from shipcli.operations.operation import Listing
from shipcli.operations.table import ADDITIONS, OPERATIONS, SERVED
from tests.additions import CARRIERS, drop_slugs
from tests.api.checking import conforms
from tests.api.conftest import Client
from tests.api.operations.samples import MORE_NULLS
from tests.shared import find_shared

SERVER_PATHS = {
    "label_url", "invoice_url", "tracking_url", "manifest_url", "delivery_image_url", "signature_image_url",
}  # fmt: skip
MORE_PROPERTIES = {
    "ErrorMessages": {"errors"},
    "BatchOperation": {"object_type", "messages"},
    "CarrierConnection": {"messages"},
    "DocumentUploadRecord": {"object_type"},
    "Duty": {"duty_billing_address"},
    "CarrierDetails": {"integration_status", "held_against", "held_on"},
    "ManifestData": {"shipment_identifiers"},
}
MORE_SCHEMAS = {"ShipmentList", "CustomsList", *(row.name for row in ADDED)}
MORE_STATUSES = {"400", "401", "404", "405", "413", "415", "429", "503", "507"}
MORE_STATUSES_OF = {
    "&&&&create": {"409"}, "$$$$$&upload": {"406", "409"}, "$$$$$$add": {"202"}, "$$$$$$create": {"202"},
    "$$$$$$$retrieve": {"200"},
}  # fmt: skip
MORE_FILTERS = {
    "&&&&list": {"address", "keyword", "id", "order_id", "source", "status", "option_key", "option_value",
                 "metadata_key", "metadata_value", "created_after", "created_before"},
    "$$$$&&list": {"id"}, "&&&&$list": {"resource_type", "status"},
}  # fmt: skip

# Files, the health of the server, and the document itself.
MORE_OPERATIONS = {
    ("get", end)
    for end in ("label.{format}", "invoice.{format}", "manifest.{format}", "delivery_image",
                "signature_image", "orders.{format}", "shipments.{format}", "trackers.{format}",
                "{id}.{slug}", "shipping-openapi", "")
}  # fmt: skip


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(find_shared("contract/openapi.json").read_text())
    return found


def operations(paths: dict[str, Any]) -> dict[tuple[str, str], Any]:
    return {(path, method): row for path, rows in paths.items() for method, row in rows.items()}


def test_every_operation_has_an_id_of_its_own() -> None:
    assert len({row.id for row in OPERATIONS}) == len(OPERATIONS)
    assert len({row.name for row in OPERATIONS}) == len(OPERATIONS)


def test_the_operations_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    published = {(*place, row["operationId"]) for place, row in operations(contract["paths"]).items()}
    ours = {(row.path, row.method.lower(), row.id) for row in OPERATIONS}
    assert ours == published
    served = {
        (*place, row.get("operationId"))
        for place, row in operations(make_openapi_document()["paths"]).items()
    }
    assert served >= published
    added = {(row.path, row.method.lower(), row.id) for row in ADDITIONS}
    assert not added & published
    others = served - published - added
    assert {(method, path.rpartition("/")[2]) for path, method, _ in others} == MORE_OPERATIONS


def test_additions_stand_under_a_tag_of_their_own(contract: dict[str, Any]) -> None:
    served = operations(make_openapi_document()["paths"])
    added = {place for place, row in served.items() if row["tags"] == ["Additions"]}
    assert added == {(row.path, row.method.lower()) for row in ADDITIONS}
    assert ("/v1/shipments/{id}/resolve", "post") in added
    assert not added & operations(contract["paths"]).keys()
    assert not [path for path, _ in served if path.startswith("/v1/steps")]


def test_what_is_deprecated_is_marked() -> None:
    marked = {
        place
        for place, row in operations(make_openapi_document()["paths"]).items()
        if row.get("deprecated", False)
    }
    assert marked == {
        ("/v1/proxy/tracking/{carrier_name}/{tracking_number}", "get"),
        ("/v1/trackers/{carrier_name}/{tracking_number}", "get"),
        ("/v1/orders/{id}", "delete"),
    }


def test_statuses_and_their_bodies_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    ours = operations(make_openapi_document()["paths"])
    for place, row in operations(contract["paths"]).items():
        mine, theirs = ours[place]["responses"], row["responses"]
        assert set(theirs) <= set(mine), place
        allowed = MORE_STATUSES | MORE_STATUSES_OF.get(row["operationId"], set())
        assert set(mine) - set(theirs) <= allowed, place
        for status, answer in theirs.items():
            if same_body(answer, mine[status]):
                continue
            assert (row["operationId"], status) == ("$$$$$list", "200"), place


def same_body(theirs: Any, ours: Any) -> bool:
    return bool(theirs["content"] == without_examples(ours["content"]))


def without_examples(content: dict[str, Any]) -> dict[str, Any]:
    return {
        media: {key: part for key, part in row.items() if key != "example"} for media, row in content.items()
    }


def test_parameters_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    ours = operations(make_openapi_document()["paths"])
    lists = {row.id for row in OPERATIONS if isinstance(row.answer, Listing)}
    for place, row in operations(contract["paths"]).items():
        mine, theirs = parameters(ours[place]), parameters(row)
        paging = {("query", "limit"), ("query", "offset")} if row["operationId"] in lists else set()
        more = {("query", name) for name in MORE_FILTERS.get(row["operationId"], ())} | paging
        reduced = {("query", "reduced")} if row["operationId"] == "&&data" else set()
        assert set(mine) - set(theirs) == more | reduced, place
        for name, schema in theirs.items():
            assert mine[name] == schema, (place, name)


def parameters(row: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """Place and name; whether it is required and its schema."""
    return {
        (one["in"], one["name"]): (one.get("required", False), with_sorted_words(one["schema"]))
        for one in row.get("parameters", [])
    }


def with_sorted_words(schema: dict[str, Any]) -> dict[str, Any]:
    """The order of an enumeration says nothing, and carriers are added to it."""
    return {**schema, "enum": sorted(drop_slugs(map(str, schema["enum"])))} if "enum" in schema else schema


def test_bodies_and_security_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    ours = operations(make_openapi_document()["paths"])
    for place, row in operations(contract["paths"]).items():
        assert ours[place].get("requestBody") == row.get("requestBody"), place
        assert ours[place].get("security") == row.get("security"), place


def test_schemas_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    assert (
        set(make_openapi_document()["components"]["schemas"]) - set(contract["components"]["schemas"])
        == MORE_SCHEMAS | CARRIERS
    )
    for name, theirs in contract["components"]["schemas"].items():
        if is_account(name, contract):
            continue
        mine = make_openapi_document()["components"]["schemas"][name]
        if "properties" not in theirs:
            continue
        assert sorted(mine.get("required", [])) == sorted(theirs.get("required", [])), name
        extra = set(mine["properties"]) - set(theirs["properties"])
        assert extra == MORE_PROPERTIES.get(name, set()), name
        for field, schema in theirs["properties"].items():
            assert plain(mine["properties"][field], name, field) == plain(schema, name, field), (name, field)


def plain(schema: dict[str, Any], name: str, field: str) -> dict[str, Any]:
    """A property without texts, and without what the document may say differently."""
    found = {key: value for key, value in with_sorted_words(schema).items() if key != "description"}
    if (name, field) in MORE_NULLS:
        found.pop("nullable", None)
    if field in SERVER_PATHS:
        assert found.pop("format") in ("uri", "uri-reference")
    if "enum" in found.get("items", {}):
        found["items"] = {**found["items"], "enum": sorted(found["items"]["enum"])}
    if list(found) == ["allOf"]:
        (found,) = found["allOf"]  # texts cannot stand beside a bare reference
    return found


def is_account(name: str, contract: dict[str, Any]) -> bool:
    choice = contract["components"]["schemas"]["ConnectionCredentialsField"]["oneOf"]
    return {"$ref": f"#/components/schemas/{name}"} in choice


def test_the_accounts_of_carriers_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    for slug in drop_slugs(registry.list_slugs()):
        theirs, mine = (
            contract["components"]["schemas"][slug],
            make_openapi_document()["components"]["schemas"][slug],
        )
        assert sorted(mine.get("required", [])) == sorted(theirs.get("required", [])), slug
        for field, schema in theirs["properties"].items():
            wanted = set(schema.get("enum", []))
            assert mine["properties"][field]["type"] == schema["type"], (slug, field)
            assert wanted <= set(mine["properties"][field].get("enum", wanted)), (slug, field)


def test_the_ways_to_log_in_are_those_of_the_contract(contract: dict[str, Any]) -> None:
    ours = make_openapi_document()["components"]["securitySchemes"]
    for name, theirs in contract["components"]["securitySchemes"].items():
        assert {key: ours[name][key] for key in theirs} == theirs


def test_limit_and_offset_are_declared_on_every_list_without_bounds() -> None:
    lists = [row for row in OPERATIONS if isinstance(row.answer, Listing)]
    assert len(lists) == 12
    for row in lists:
        said = {one["name"]: one for one in make_openapi_document()["paths"][row.path]["get"]["parameters"]}
        assert said["limit"]["schema"] == said["offset"]["schema"] == {"type": "integer"}
        assert "100" in said["limit"]["description"]


def test_metadata_is_said_to_be_no_place_for_secrets() -> None:
    schemas = make_openapi_document()["components"]["schemas"]
    fields = [
        row["properties"]["metadata"] for row in schemas.values() if "metadata" in row.get("properties", {})
    ]
    assert len(fields) > 20
    assert all("Sensitive data does not belong here" in field["description"] for field in fields)


def test_shipment_date_is_said_to_be_deprecated() -> None:
    options = make_openapi_document()["components"]["schemas"]["ShipmentData"]["properties"]["options"]
    assert "`shipment_date` is deprecated" in options["description"]


def says_something(text: str, name: str) -> bool:
    return len(text.split()) >= 3 and text.endswith(".") and text.rstrip(".").lower() != name.lower()


def test_every_property_has_a_sentence_of_its_own() -> None:
    for name, schema in make_openapi_document()["components"]["schemas"].items():
        texts = {field: row.get("description", "") for field, row in schema.get("properties", {}).items()}
        assert not [field for field, text in texts.items() if not says_something(text, field)], name
        assert len(set(texts.values())) == len(texts), name


def test_every_operation_and_parameter_has_a_sentence() -> None:
    rows = operations(make_openapi_document()["paths"])
    told = [row["description"] for row in rows.values() if row["tags"] != ["Files"]]
    assert len(set(told)) == len(told)
    for place, row in rows.items():
        assert says_something(row["description"], row["summary"]), place
        for parameter in row.get("parameters", ()):
            assert says_something(parameter["description"], parameter["name"]), (place, parameter["name"])


def test_no_sentence_is_left_of_what_is_gone() -> None:
    names = {row.name for row in SERVED}
    assert set(sentences.OPERATIONS) == names


def test_the_document_teaches_what_no_operation_says() -> None:
    document = make_openapi_document()
    for word in (
        "Authorization: Token",
        "X-Test-Mode",
        "Idempotency-Key",
        "Retry-After",
        "SC0300000001",
        "424",
    ):
        assert word in document["info"]["description"]
    assert document["servers"][0]["url"] == "/"
    assert all(tag["description"] for tag in document["tags"])


def test_every_event_is_a_callback_with_its_body_and_signature() -> None:
    callbacks = make_openapi_document()["paths"]["/v1/webhooks"]["post"]["callbacks"]
    assert set(callbacks) == set(EVENT_NAMES) - {"all"}
    sent = json.loads(write_envelope({"id": "evt_1", "type": "order_created"}))
    signed = set(make_headers("whsec_00", "evt_1", b"", 0)) - {"Content-Type", "User-Agent"}
    for name, addresses in callbacks.items():
        (event,) = (row["post"] for row in addresses.values())
        assert {row["name"] for row in event["parameters"]} == signed, name
        assert set(event["requestBody"]["content"]["application/json"]["schema"]["properties"]) == set(sent)


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(make_openapi_document())
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(make_openapi_document()["components"]["schemas"])


def test_the_document_is_served_as_yaml_and_as_json(anybody: Client) -> None:
    as_json = anybody.get("/shipping-openapi", Accept="application/json")
    as_yaml = anybody.get("/shipping-openapi")
    assert as_json.headers["content-type"] == "application/json"
    assert as_yaml.headers["content-type"] == "application/vnd.oai.openapi"
    assert json.loads(as_json.content) == yaml.safe_load(as_yaml.content) == make_openapi_document()
    served = json.loads(as_json.content)
    assert served["openapi"].startswith("3.")
    ids = [row["operationId"] for row in operations(served["paths"]).values() if "operationId" in row]
    assert {row.id for row in OPERATIONS} <= set(ids)
    assert len(OPERATIONS) == 80


def test_the_checks_of_answers_find_what_is_wrong() -> None:
    address = {"$ref": "#/components/schemas/Address"}
    good = {"country_code": "US", "id": None}
    conforms(good, address)
    for bad in ({**good, "country_code": None}, {**good, "shoe": 1}, {**good, "residential": "no"}, {}):
        with pytest.raises(AssertionError):
            conforms(bad, address)
