"""Pages, links and filters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.models import ConnectionData
from tests.api.conftest import BASE, Client, body
from tests.factories import ITEM, RECIPIENT, SHIPPER

COUNT = 7


@pytest.fixture(scope="module")
def addresses(api: Client) -> list[str]:
    """The ids of some addresses, newest first."""
    made = [api.made("/v1/addresses", {"country_code": "US", "city": f"C{n}"})["id"] for n in range(COUNT)]
    return made[::-1]


def walk(api: Client, path: str, step: str = "next") -> Iterator[dict[str, Any]]:
    """The pages from a path on, by their own links."""
    while path:
        page = api.get(path).json
        yield page
        path = (page[step] or "").removeprefix(BASE)


def ids(api: Client, path: str) -> list[str]:
    return [row["id"] for row in api.get(path).json["results"]]


def test_a_list_is_newest_first_with_its_count(api: Client, addresses: list[str]) -> None:
    page = api.get("/v1/addresses").json
    assert set(page) == {"count", "next", "previous", "results"}
    assert [row["id"] for row in page["results"]] == addresses
    assert (page["count"], page["next"], page["previous"]) == (COUNT, None, None)


def test_following_the_links_visits_each_object_once(api: Client, addresses: list[str]) -> None:
    pages = list(walk(api, "/v1/addresses?limit=3"))
    assert [row["id"] for page in pages for row in page["results"]] == addresses
    back = list(walk(api, f"/v1/addresses?limit=3&offset={COUNT - 1}", "previous"))
    assert back[-1]["previous"] is None


def test_the_way_back_from_beyond_the_end_leads_to_the_last_objects(
    api: Client, addresses: list[str]
) -> None:
    beyond = api.get("/v1/addresses?limit=3&offset=1000").json
    assert (beyond["results"], beyond["next"]) == ([], None)
    back = api.get(beyond["previous"].removeprefix(BASE)).json
    assert [row["id"] for row in back["results"]] == addresses[-3:]


def test_links_are_absolute_and_keep_the_filters(api: Client) -> None:
    for number in range(3):
        api.made("/v1/orders", {"order_id": f"L-{number}", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    page = api.get("/v1/orders?status=unfulfilled&limit=1&offset=1&source=API").json
    assert page["next"] == f"{BASE}/v1/orders?status=unfulfilled&source=API&limit=1&offset=2"
    assert page["previous"] == f"{BASE}/v1/orders?status=unfulfilled&source=API&limit=1"


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("", 7),
        ("limit=1", 1),
        ("limit=100", 7),
        ("limit=0", 7),
        ("limit=-1", 7),
        ("limit=x", 7),
        ("limit=", 7),
        ("limit=999999999999999999999999999999999", 7),
        ("limit=2.5", 7),
        ("offset=5", 2),
        ("offset=-1", 7),
        ("offset=x", 7),
        ("offset=99", 0),
        ("offset=99999999999999999999999999", 0),
        ("limit=٣", 7),
    ],
)
def test_odd_sizes_fall_back(api: Client, addresses: list[str], query: str, size: int) -> None:
    assert len(api.get(f"/v1/addresses?{query}").json["results"]) == size


def test_no_page_is_larger_than_a_hundred(fresh: tuple[Any, Client]) -> None:
    app, api = fresh
    with app.store.transaction() as tx:
        for number in range(120):
            tx.put("address", {"id": f"adr_{number:032x}", "object_type": "address", "country_code": "US"})
    page = api.get("/v1/addresses?limit=500").json
    assert (page["count"], len(page["results"])) == (120, 100)
    assert page["next"] == f"{BASE}/v1/addresses?limit=100&offset=100"
    assert len(api.get("/v1/addresses").json["results"]) == 20


# -- filters of shipments ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipments(api: Client) -> dict[str, dict[str, Any]]:
    """A draft, and a shipment bought with another carrier."""
    draft = body(reference="Draft-1", metadata={"team": "red", "n": 10}, options={"insurance": 25})
    sold = body(
        carrier_ids=["ups"],
        service="ups_ground",
        reference="SOLD_2",
        metadata={"team": "blue"},
        recipient={**RECIPIENT, "person_name": "Zoë Ångström"},
    )
    return {"draft": api.made("/v1/shipments", draft), "sold": api.made("/v1/shipments", sold)}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status=draft", "draft"), ("status=purchased", "sold"), ("status=purchased,draft", "both"),
        ("status=purchased&status=draft", "both"), ("status=cancelled", ""),
        ("carrier_name=ups", "sold"), ("carrier_name=nobody", ""), ("service=ups_ground,x", "sold"),
        ("reference=draft", "draft"), ("reference=D_2", "sold"), ("reference=%25", ""),
        ("keyword=sold", "sold"), ("keyword=phoenix", "both"), ("address=ångström", "sold"),
        ("address=central+ave", "both"), ("address=Philadelphia", ""), ("tracking_number=1z", "sold"),
        ("metadata_key=n", "draft"), ("metadata_key=team", "both"), ("metadata_key=team,n", "draft"),
        ("metadata_value=blue", "sold"), ("metadata_value=10", "draft"),
        ("option_key=insurance", "draft"), ("option_value=25", "draft"), ("option_value=2", ""),
        ("meta_key=carrier", "sold"), ("meta_value=ups", "sold"),
        ("has_tracker=true", "sold"), ("has_tracker=FALSE", "draft"), ("has_tracker=1", "sold"),
        ("has_manifest=bogus", "both"), ("has_manifest=true", ""), ("has_manifest=", "both"),
        ("has_manifest=false", "both"), ("keyword=1z", "sold"),
        ("status=draft&metadata_value=red", "draft"), ("status=draft&metadata_value=blue", ""),
        ("created_after=2020-01-01", "both"), ("created_before=2020-01-01T00:00:00Z", ""),
        ("keyword=", "both"), ("unknown=1", "both"), ("carrier_name=", "both"), ("status=", "both"),
        ("status=,&status=", "both"), ("status=draft&status=", "draft"), ("id=", "both"),
        ("reference=", "both"), ("created_after=", "both"),
        ("created_before=&status=draft", "draft"), ("metadata_key=", "both"),
    ],
)  # fmt: skip
def test_shipments_are_filtered(
    api: Client, shipments: dict[str, dict[str, Any]], query: str, found: str
) -> None:
    wanted = ["sold", "draft"] if found == "both" else [found] * bool(found)
    page = api.get(f"/v1/shipments?{query}").json
    assert [row["id"] for row in page["results"]] == [shipments[name]["id"] for name in wanted]
    assert page["count"] == len(wanted)


def test_shipments_are_found_by_one_id_and_by_several(api: Client, shipments: dict[str, Any]) -> None:
    first, second = shipments["draft"]["id"], shipments["sold"]["id"]
    assert ids(api, f"/v1/shipments?id={first}") == [first]
    assert set(ids(api, f"/v1/shipments?id={first},{second}")) == {first, second}


def test_both_ends_of_a_time_belong_to_it(api: Client, shipments: dict[str, Any]) -> None:
    made = shipments["draft"]["created_at"].replace(" ", "T").replace("+00:00", "Z")
    assert ids(api, f"/v1/shipments?created_after={made}&created_before={made}") == [shipments["draft"]["id"]]
    zone = (datetime.fromisoformat(made) + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%S.%f") + "%2B02:00"
    assert ids(api, f"/v1/shipments?created_before={zone}") == [shipments["draft"]["id"]]


@pytest.mark.parametrize(
    "query", ["created_after=soon", "created_before=2024-13-01", "status=lost", "status=draft,x"]
)
def test_what_can_not_be_read_is_refused(api: Client, query: str) -> None:
    reply = api.get(f"/v1/shipments?{query}")
    assert (reply.status, reply.error["code"]) == (400, "validation")
    assert set(reply.error["details"]) == {query.partition("=")[0]}


# -- the other lists ---------------------------------------------------------------------------


def test_trackers_are_filtered(api: Client, shipments: dict[str, Any]) -> None:
    tracker = [shipments["sold"]["tracker_id"]]
    number = shipments["sold"]["tracking_number"][3:9]
    for query in (
        "carrier_name=ups,usps",
        "status=pending",
        f"tracking_number={number}",
        "created_after=2020-01-01",
        "created_before=2999-01-01",
        "status=delivered,pending",
    ):
        assert ids(api, f"/v1/trackers?{query}") == tracker
    for query in (
        "carrier_name=usps",
        "status=delivered",
        "tracking_number=nope",
        "created_before=2020-01-01",
    ):
        assert ids(api, f"/v1/trackers?{query}") == []


def test_orders_are_filtered(api: Client) -> None:
    given = {"order_id": "F-1", "source": "shop", "shipping_to": {**RECIPIENT, "city": "Yuma"},
             "line_items": [ITEM], "options": {"gift": True}, "metadata": {"m": "x", "n": 1}}  # fmt: skip
    made = api.made("/v1/orders", given)["id"]
    today = datetime.now(UTC).date().isoformat()
    for query in (
        f"id={made}",
        f"id={made},x",
        "order_id=F-1,zz",
        "source=shop",
        "source=zz&source=shop",
        "source=shop&status=cancelled,unfulfilled",
        "source=shop&created_before=2999-01-01",
        "address=yuma",
        "keyword=f-1",
        "keyword=SHOP",
        "keyword=YUMA",
        "option_key=gift",
        "option_value=true",
        "metadata_key=m,n",
        "metadata_value=1",
        f"source=shop&created_after={today}",
        "source=shop&status=unfulfilled",
    ):
        assert ids(api, f"/v1/orders?{query}") == [made], query
    for query in (
        "id=x",
        "metadata_key=m,zz",
        "source=shop&status=delivered",
        "created_before=2020-01-01",
        "created_after=2999-01-01",
        "option_key=zz",
        "option_value=zz",
        "metadata_value=zz",
        "order_id=zz",
        "keyword=zz",
        "address=zz",
    ):
        assert ids(api, f"/v1/orders?{query}") == [], query


def test_connections_are_filtered(app: App, api: Client) -> None:
    account = {"client_id": "a", "client_secret": "b"}
    given = {"carrier_name": "ups", "carrier_id": "ups2", "credentials": account, "metadata": {"team": "x"}}
    made = api.made("/v1/connections", given)["id"]
    for query in ("metadata_key=team", "metadata_value=x", "carrier_name=ups&metadata_key=team&active=true"):
        assert ids(api, f"/v1/connections?{query}") == [made]
    for query in ("metadata_key=x", "metadata_value=y", "carrier_name=usps&metadata_key=team"):
        assert ids(api, f"/v1/connections?{query}") == []
    api.patch(f"/v1/connections/{made}", {"active": False})
    assert ids(api, "/v1/connections?active=false") == [made]
    assert ids(api, "/v1/connections?system_only=true") == []
    shared = connections.add_connection(app, ConnectionData.model_validate(given), is_system=True)
    (shown,) = api.get("/v1/connections?system_only=true").json["results"]
    assert (shown["id"], shown["credentials"], shown["metadata"]) == (shared.id, None, None)
    assert len(ids(api, "/v1/connections?system_only=false")) > 1


def test_uploads_are_filtered(api: Client, shipments: dict[str, Any]) -> None:
    file = {"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}
    given = {"shipment_id": shipments["sold"]["id"], "document_files": [file]}
    made = api.made("/v1/documents/uploads", given)["id"]
    today = datetime.now(UTC).date()
    tomorrow = today + timedelta(days=1)
    for query in (
        f"shipment_id={given['shipment_id']}", f"created_after={today}", f"created_before={tomorrow}",
    ):  # fmt: skip
        assert ids(api, f"/v1/documents/uploads?{query}") == [made]
    for query in ("shipment_id=x", f"created_after={tomorrow}", "created_before=2020-01-01"):
        assert ids(api, f"/v1/documents/uploads?{query}") == []


def test_manifests_are_filtered(api: Client) -> None:
    sent = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    made = api.made("/v1/manifests", given)["id"]
    for query in (f"id={made}", "carrier_name=usps", "created_after=2020-01-01", "created_before=2999-01-01"):
        assert ids(api, f"/v1/manifests?{query}") == [made]
    for query in ("id=x", "carrier_name=ups", "created_before=2020-01-01", "created_after=2999-01-01"):
        assert ids(api, f"/v1/manifests?{query}") == []
