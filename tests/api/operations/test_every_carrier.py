"""Every carrier through the API of a sandbox: whatever it lists, it answers, on a lane that it serves."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.drawing import find_label_kind
from tests.additions import CARRIERS, CONTRACT_SIZE, drop_carriers
from tests.api.conftest import Client
from tests.carriers.bench import address, customs, lane, parcel
from tests.carriers.errands import DELIVERED

KINDS = {kind.slug: kind for kind in registry.list_working()}
SELLERS = [slug for slug, kind in KINDS.items() if kind.can("rate") and kind.can("ship")]
TRACKERS = [slug for slug, kind in KINDS.items() if kind.can("track") and kind.trackable]
COLLECTORS = [slug for slug in SELLERS if "pickup" in KINDS[slug].capabilities()]
CLOSERS = [slug for slug in SELLERS if "manifest" in KINDS[slug].capabilities()]
READERS = [slug for slug in SELLERS if KINDS[slug].can("upload_document")]


def shipment(slug: str) -> dict[str, Any]:
    """The body of a shipment on a lane of the carrier."""
    origin, destination = lane(KINDS[slug])
    parcels = [parcel()]
    return {
        "shipper": address(origin, "Ann Sender").model_dump(exclude_unset=True),
        "recipient": address(destination, "Bo Receiver").model_dump(exclude_unset=True),
        "parcels": [one.model_dump(exclude_unset=True) for one in parcels],
        "customs": customs(origin, destination, parcels),
        "reference": f"every-{slug}",
        "carrier_ids": [slug],
    }


def bought(api: Client, slug: str) -> dict[str, Any]:
    """A label at the carrier's first price."""
    made = api.made("/v1/shipments", shipment(slug))
    assert made["rates"], made["messages"]
    path = f"/v1/shipments/{made['id']}/purchase"
    return api.made(path, {"selected_rate_id": made["rates"][0]["id"]})


def test_the_carriers_are_those_of_the_contract_and_the_additions() -> None:
    assert set(KINDS) >= CARRIERS
    assert len(drop_carriers(KINDS)) == CONTRACT_SIZE


@pytest.mark.parametrize("slug", SELLERS)
def test_a_label_is_priced_bought_read_and_voided(api: Client, slug: str) -> None:
    sold = bought(api, slug)
    assert (sold["status"], sold["carrier_name"]) == ("purchased", slug)
    assert sold["tracking_number"]
    assert sold["selected_rate"]["total_charge"] > 0
    file = api.get(sold["label_url"])
    assert file.status == 200
    assert find_label_kind(file.content) == sold["label_type"]
    if KINDS[slug].can("void"):
        voided = api.post(f"/v1/shipments/{sold['id']}/cancel")
        assert (voided.status, voided.json["status"]) == (200, "cancelled")


@pytest.mark.parametrize("slug", TRACKERS)
def test_a_number_is_followed_to_the_door(api: Client, slug: str) -> None:
    number = f"{DELIVERED[:4]}{TRACKERS.index(slug):08d}"  # a number is watched once, whoever carries it
    tracker = api.made("/v1/trackers", {"tracking_number": number, "carrier_name": slug})
    assert (tracker["carrier_name"], tracker["delivered"]) == (slug, True)
    assert tracker["events"]


@pytest.mark.parametrize("slug", COLLECTORS)
def test_a_pickup_is_booked_changed_and_called_off(api: Client, slug: str) -> None:
    sold = bought(api, slug)
    hours = {"pickup_date": "2030-05-06", "ready_time": "13:00", "closing_time": "17:00"}
    wanted = {**hours, "tracking_numbers": [sold["tracking_number"]], "package_location": "Front door"}
    made = api.made(f"/v1/pickups/{slug}/schedule", wanted)
    assert made["confirmation_number"]
    path = f"/v1/pickups/{made['id']}"
    if KINDS[slug].can("update_pickup"):
        changed = api.post(path, {"closing_time": "18:00"})
        assert (changed.status, changed.json["closing_time"]) == (200, "18:00"), changed.content
    if KINDS[slug].can("cancel_pickup"):
        assert api.post(f"{path}/cancel", {"reason": "Closed"}).status == 200


@pytest.mark.parametrize("slug", CLOSERS)
def test_a_day_is_closed(api: Client, slug: str) -> None:
    sold = bought(api, slug)
    place = address(lane(KINDS[slug])[0], "Ann Sender").model_dump(exclude_unset=True)
    made = api.made("/v1/manifests", {"carrier_name": slug, "address": place, "shipment_ids": [sold["id"]]})
    assert made["shipment_identifiers"]


@pytest.mark.parametrize("slug", READERS)
def test_a_paper_is_handed_in(api: Client, slug: str) -> None:
    sold = bought(api, slug)
    file = base64.b64encode(b"%PDF-1.4\n%%EOF").decode()
    papers = [{"doc_file": file, "doc_name": "invoice.pdf", "doc_type": "commercial_invoice"}]
    reply = api.post("/v1/documents/uploads", {"shipment_id": sold["id"], "document_files": papers})
    assert reply.status == 201, reply.content


def test_papers_that_go_with_the_purchase_only_are_refused_in_words(api: Client) -> None:
    sold = bought(api, "dhl_express")
    papers = [{"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}]
    reply = api.post("/v1/documents/uploads", {"shipment_id": sold["id"], "document_files": papers})
    assert reply.status == 406
    assert "options.doc_files" in reply.error["message"]
