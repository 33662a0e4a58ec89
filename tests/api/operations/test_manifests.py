"""Manifests over HTTP: made of bought shipments, read, downloaded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.factories import SHIPPER


def sent(api: Client, carrier: str = "usps") -> dict[str, Any]:
    return bought(api, carrier_ids=[carrier])


def wanted(*ids: str, name: str = "shipment_ids", **changes: Any) -> dict[str, Any]:
    return {"carrier_name": "usps", "address": SHIPPER, name: list(ids), **changes}


def with_manifest(api: Client) -> set[str]:
    return {one["id"] for one in api.get("/v1/shipments?has_manifest=true&limit=100").json["results"]}


def test_shipments_are_listed_on_a_form_once(api: Client, anybody: Client) -> None:
    one, two, left = sent(api), sent(api), sent(api)
    reply = api.post("/v1/manifests", wanted(one["id"], two["id"]))
    made = reply.json
    assert (reply.status, made["id"][:5], made["object_type"]) == (201, "manf_", "manifest")
    assert made["shipment_identifiers"] == [one["shipment_identifier"], two["shipment_identifier"]]
    assert made["manifest_url"] == f"/v1/manifests/{made['id']}/manifest.pdf"
    file = anybody.get(made["manifest_url"])
    assert (file.status, file.headers["content-type"], file.content[:4]) == (200, "application/pdf", b"%PDF")
    assert {one["id"], two["id"]} <= with_manifest(api)
    assert left["id"] not in with_manifest(api)
    read, page = api.get(f"/v1/manifests/{made['id']}"), api.get("/v1/manifests")
    assert (read.status, read.json, page.status) == (200, made, 200)
    assert page.json["results"][0] == made


@pytest.mark.parametrize("field", ["carrier_name", "address", "shipment_ids"])
def test_carrier_place_and_shipments_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in wanted("shp_1").items() if name != field}
    reply = api.post("/v1/manifests", given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


def test_what_can_not_be_listed_makes_no_manifest(api: Client) -> None:
    listed = sent(api)
    api.made("/v1/manifests", wanted(listed["id"]))
    draft, foreign = api.made("/v1/shipments", body(carrier_ids=["usps"])), sent(api, "ups")
    before = api.get("/v1/manifests").json["count"]
    bad = ["shp_nothing", draft["id"], foreign["id"], listed["id"]]
    for ids in ([bad[0]], [bad[1]], [bad[2]], [bad[3]], bad):
        reply = api.post("/v1/manifests", wanted(*ids))
        assert (reply.status, set(reply.error["details"])) == (400, {"shipment_ids"})
    assert api.get("/v1/manifests").json["count"] == before


@pytest.mark.parametrize("name", ["shipment_ids", "shipment_identifiers"])
def test_either_name_takes_ids_and_tracking_numbers(api: Client, name: str) -> None:
    one, two = sent(api), sent(api)
    reply = api.post("/v1/manifests", wanted(one["id"], two["tracking_number"], name=name))
    assert reply.status == 201
    assert reply.json["shipment_identifiers"] == [one["shipment_identifier"], two["shipment_identifier"]]
