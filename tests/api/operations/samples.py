"""Bodies and answers that tests of several operations share."""

from __future__ import annotations

from typing import Any

from tests.api.conftest import Client, body

LISTS = ("shipments", "trackers", "pickups", "manifests", "addresses", "parcels")


def stored(api: Client) -> list[int]:
    return [api.get(f"/v1/{name}").json["count"] for name in LISTS]


def bought(api: Client, **changes: Any) -> dict[str, Any]:
    draft = api.made("/v1/shipments", body(**changes))
    reply = api.post(f"/v1/shipments/{draft['id']}/purchase", {"selected_rate_id": draft["rates"][0]["id"]})
    assert reply.status == 200, reply.content
    return dict(reply.json)


MORE_NULLS = {
    *(
        (name, "id")
        for name in (
            "Address",
            "Parcel",
            "Commodity",
            "Pickup",
            "ShippingResponse",
            "TrackerDetails",
            "ManifestDetails",
        )
    ),
    *((name, "estimated_delivery") for name in ("TrackingStatus", "TrackerDetails")),
    ("Message", "details"),
    ("DocumentTemplate", "description"),
    # System connections hide both.
    ("CarrierConnection", "credentials"),
    ("CarrierConnection", "metadata"),
}
