"""All 80 operations succeed, and what they answer is what the published contract says."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.operations.document import make_openapi_document
from tests.additions import CARRIERS
from tests.api.checking import conforms, documented
from tests.api.conftest import Client
from tests.api.journey import BY_NAME, Journey, Seen, objects
from tests.api.operations.samples import MORE_NULLS
from tests.shared import find_shared

CREATED = {
    "authenticate", "refreshToken", "getVerifiedToken", "createAddress", "createParcel",
    "addCarrierConnection", "generateDocument", "createDocumentTemplate", "uploadDocuments",
    "createManifest", "createOrder", "schedulePickup", "pickupSchedule", "createShipment", "createWebhook",
}  # fmt: skip
ACCEPTED = {"importFile", "voidLabel", "addTracker", "createTracker"}
PREFIXES = {
    "address": "adr_", "parcel": "pcl_", "commodity": "cdt_", "customs_info": "cst_", "shipment": "shp_",
    "rate": "rat_", "tracker": "trk_", "pickup": "pck_", "manifest": "manf_", "order": "ord_",
    "webhook": "weh_", "carrier-connection": "car_", "document-template": "doc_",
    "document-upload-record": "uprec_", "batch": "batch_",
}  # fmt: skip
# What the proxy was given is given back as it came, without ids.
PASSED_THROUGH = ("address", "parcel", "commodity", "pickup")


@pytest.fixture(scope="module")
def seen(app: App, http: TestClient, api: Client) -> list[Seen]:
    return Journey(app, http, api).walk()


def test_every_operation_succeeds_with_the_status_of_its_kind_and_no_other(seen: list[Seen]) -> None:
    found: dict[str, set[int]] = defaultdict(set)
    for one in seen:
        found[one.name].add(one.status)
    assert len(found) == 80
    assert found == {name: {201 if name in CREATED else 202 if name in ACCEPTED else 200} for name in BY_NAME}


# -- the published contract --------------------------------------------------------------------


@cache
def contract() -> Any:
    return json.loads(find_shared("contract/openapi.json").read_text())


def published(schema: Any) -> Any:
    """A schema of OpenAPI 3.0 as JSON Schema; further properties may stand beside those it names."""
    if isinstance(schema, list):
        return [published(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: value if key == "enum" else published(value) for key, value in schema.items()}
    if found.pop("nullable", False):
        return {"anyOf": [found, {"type": "null"}]}
    return found


@cache
def components() -> dict[str, Any]:
    schemas = json.loads(json.dumps(contract()["components"]["schemas"]))
    for name, field in MORE_NULLS:
        schemas[name]["properties"][field]["nullable"] = True
    choice = schemas["ConnectionCredentialsField"]
    # The accounts of several carriers have the same fields, so that one of them fits more than one.
    choice["anyOf"] = choice.pop("oneOf")
    for account in choice["anyOf"]:
        _with_nulls(schemas[account["$ref"].rpartition("/")[2]])
    return {"schemas": {name: published(schema) for name, schema in schemas.items()}}


def _with_nulls(account: dict[str, Any]) -> None:
    """Credentials that an account can do without come back as null."""
    for field in account["properties"].keys() - set(account.get("required", ())):
        account["properties"][field]["nullable"] = True


@cache
def promised(name: str) -> Draft202012Validator | None:
    """What the contract promises of a success; None for the list of shipments, which it declares as one."""
    row = BY_NAME[name]
    if name == "listShipments":
        return None
    answers = contract()["paths"][row.path][row.method.lower()]["responses"]
    (success,) = (answer for status, answer in answers.items() if status.startswith("2"))
    if "content" not in success:
        return None
    schema = success["content"]["application/json"]["schema"]
    return Draft202012Validator({**published(schema), "components": components()})


def test_every_answer_is_what_the_published_contract_says(seen: list[Seen]) -> None:
    checked = set()
    for one in seen:
        judge = promised(one.name)
        if judge:
            checked.add(one.name)
            said = [
                f"{error.json_path}: {error.message[:200]}"
                for error in judge.iter_errors(one.value)
                if error.validator != "enum" or error.instance not in CARRIERS
            ]
            assert not said, (one.name, said)
    assert set(BY_NAME) - checked <= {"listShipments", "ping", "references", "getServices", "verifyToken"}


def success_of(one: Seen) -> Any:
    operation = documented(one.method, one.path)
    assert operation
    return operation["responses"][str(one.status)]["content"]["application/json"]["schema"]


def test_every_answer_is_what_the_served_document_says_without_undeclared_nulls(seen: list[Seen]) -> None:
    for one in seen:
        conforms(one.value, success_of(one))


# -- what every object says of itself ----------------------------------------------------------


def declared(value: Any, schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Objects of an answer whose schema declares object_type, each with the name of its schema."""
    for choice in schema.get("allOf", []):
        yield from declared(value, choice)
    name = schema.get("$ref", "").rpartition("/")[2]
    known = make_openapi_document()["components"]["schemas"].get(name, schema)
    if isinstance(value, list):
        for one in value:
            yield from declared(one, known.get("items", {}))
    if not isinstance(value, dict):
        return
    fields = known.get("properties", {})
    if "object_type" in fields:
        yield name, value
    for key in fields.keys() & value.keys():
        yield from declared(value[key], fields[key])


def test_every_object_carries_its_type_where_that_is_declared(seen: list[Seen]) -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for one in seen:
        for name, value in declared(one.value, success_of(one)):
            assert value.get("object_type"), (one.name, name)
            kinds[name].add(value["object_type"])
    assert {kind for found in kinds.values() for kind in found} == set(PREFIXES)
    published_types = make_openapi_document()["components"]["schemas"]
    for name, found in kinds.items():
        default = published_types[name]["properties"]["object_type"].get("default")
        assert len(found) == 1, name
        assert default in (None, *found), name


def test_every_stored_object_has_a_type_and_an_id_with_its_prefix(app: App, seen: list[Seen]) -> None:
    kinds = set()
    for one in seen:
        for value in objects(one.value):
            kind = value.get("object_type")
            if kind is None or "id" not in value:
                continue
            if value["id"] is None and "/proxy/" in one.path and kind in PASSED_THROUGH:
                continue
            assert re.fullmatch(f"{PREFIXES[kind]}[0-9a-f]{{32}}", value["id"]), (one.name, kind, value["id"])
            kinds.add(kind)
    assert kinds == set(PREFIXES)
    events = [row["id"] for row in app.store.each("event")]
    assert events
    assert all(re.fullmatch("evt_[0-9a-f]{32}", found) for found in events)


def test_every_object_that_can_be_read_by_its_id_says_what_it_is(seen: list[Seen]) -> None:
    read = [one for one in seen if one.method == "GET" and BY_NAME[one.name].path.endswith("{id}")]
    assert len({one.name for one in read}) == 11
    for one in read:
        assert one.path.endswith(one.value["id"])
        assert one.value["object_type"]


def test_every_moment_is_in_utc(seen: list[Seen]) -> None:
    names = ("created_at", "updated_at", "last_event_at")
    said = {value[name] for one in seen for value in objects(one.value) for name in names if value.get(name)}
    assert len(said) > 10
    zones = {str(datetime.fromisoformat(moment).tzinfo) for moment in said}
    assert zones == {"UTC"}


DELETED = {
    "discardAddress", "discardParcel", "removeCarrierConnection", "removeTracker", "discardDocumentTemplate",
    "dismissOrder",
}  # fmt: skip


def test_a_deletion_answers_what_was_removed_with_its_id(seen: list[Seen]) -> None:
    removed = {one.name: one for one in seen if one.method == "DELETE"}
    assert set(removed) == DELETED | {"removeWebhook"}
    for name in DELETED:
        assert removed[name].path.endswith(removed[name].value["id"]), name
        assert removed[name].value["object_type"]


def test_what_was_removed_is_not_found_again(api: Client, seen: list[Seen]) -> None:
    gone = [one.path for one in seen if one.method == "DELETE" and one.name != "dismissOrder"]
    gone += [one.path.removesuffix("/cancel") for one in seen if one.name == "cancelPickup"]
    assert len(gone) == 7
    for path in gone:
        reply = api.get(path)
        assert (reply.status, reply.error["code"]) == (404, "not_found"), path
