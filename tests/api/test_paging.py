"""Every list has the same pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.operations.operation import Listing
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import BASE, Client, body, client_of
from tests.api.samples import ACCOUNT, NUMBER, manifested, picked_up
from tests.factories import ITEM, PARCEL, RECIPIENT

LISTS = [row.path for row in OPERATIONS if isinstance(row.answer, Listing)]
PAGE = 20
MORE = PAGE + 2
HOOK = {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}


def order(number: int) -> dict[str, Any]:
    return {"order_id": f"P-{number}", "shipping_to": RECIPIENT, "line_items": [ITEM]}


def uploaded(api: Client) -> dict[str, Any]:
    sent = api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    file = {"doc_file": "JVBERi0=", "doc_name": "invoice.pdf"}
    return api.made("/v1/documents/uploads", {"shipment_id": sent["id"], "document_files": [file]})


# Those that are quickly made are made one by one; of the others one is made and stored again under other ids.
MADE: dict[str, Callable[[Client, int], Any]] = {
    "/v1/addresses": lambda api, n: api.made("/v1/addresses", RECIPIENT),
    "/v1/parcels": lambda api, n: api.made("/v1/parcels", PARCEL),
    "/v1/connections": lambda api, n: api.made("/v1/connections", ACCOUNT),
    "/v1/orders": lambda api, n: api.made("/v1/orders", order(n)),
    "/v1/webhooks": lambda api, n: api.made("/v1/webhooks", HOOK),
    "/v1/batches/operations": lambda api, n: api.made("/v1/batches/orders", {"orders": [order(n)]}),
    "/v1/documents/templates": lambda api, n: api.made(
        "/v1/documents/templates", {"name": "Note", "slug": f"note_{n}", "template": "x"}
    ),
}
COPIED: dict[str, tuple[str, Callable[[Client], Any]]] = {
    "/v1/shipments": ("shipment", lambda api: api.made("/v1/shipments", body())),
    "/v1/trackers": ("tracker", lambda api: api.made("/v1/trackers", NUMBER)),
    "/v1/pickups": ("pickup", picked_up),
    "/v1/manifests": ("manifest", manifested),
    "/v1/documents/uploads": ("upload", uploaded),
}


def copies(app: App, kind: str, id: str) -> list[str]:
    """The same object some more times; the ids in the order of their making."""
    stored = dict(app.store.get(kind, id) or {})
    ids = [f"{id.partition('_')[0]}_{number:032x}" for number in range(MORE)]
    with app.store.transaction() as tx:
        for one in ids:
            now = {"created_at": app.stamp()} if "created_at" in stored else {}
            tx.put(kind, {**stored, **now, "id": one})
    return ids


@dataclass(frozen=True)
class Stock:
    """A sandbox with more objects of each kind than a page holds; by list, their ids as they were made."""

    api: Client
    made: dict[str, list[str]]

    def get(self, path: str) -> Any:
        return self.api.get(path).json


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stock]:
    app = open_app(tmp_path_factory.mktemp("stocked") / "home", sandbox=True, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        made = {path: [make(api, number)["id"] for number in range(MORE)] for path, make in MADE.items()}
        made |= {path: copies(app, kind, first(api)["id"]) for path, (kind, first) in COPIED.items()}
        yield Stock(api, made)
    app.close()


def test_the_stock_holds_every_list() -> None:
    assert {*MADE, *COPIED} == set(LISTS)
    assert len(LISTS) == 12


@pytest.mark.parametrize("path", LISTS)
def test_a_list_starts_with_twenty_and_says_where_the_rest_is(stocked: Stock, path: str) -> None:
    page = stocked.get(path)
    assert set(page) == {"count", "next", "previous", "results"}
    assert (len(page["results"]), page["previous"]) == (PAGE, None)
    assert page["count"] >= MORE
    assert page["next"] == f"{BASE}{path}?limit=20&offset=20"
    last = stocked.get(f"{path}?offset={page['count'] - 1}")
    assert (len(last["results"]), last["next"]) == (1, None)
    assert last["previous"].startswith(f"{BASE}{path}?limit=20&offset=")


@pytest.mark.parametrize("path", LISTS)
def test_a_page_has_the_size_asked_for(stocked: Stock, path: str) -> None:
    count = stocked.get(path)["count"]
    sizes = {"limit=1": 1, "limit=100": count, "limit=1000": count, "limit=0": PAGE, "limit=-1": PAGE,
             "limit=x": PAGE}  # fmt: skip
    assert {query: len(stocked.get(f"{path}?{query}")["results"]) for query in sizes} == sizes


@pytest.mark.parametrize("path", LISTS)
def test_following_next_visits_every_object_once_and_the_newest_first(stocked: Stock, path: str) -> None:
    found: list[str] = []
    at = f"{path}?limit=7"
    while at:
        page = stocked.get(at)
        found += [row["id"] for row in page["results"]]
        at = (page["next"] or "").removeprefix(BASE)
    assert len(found) == len(set(found)) == page["count"]
    made = stocked.made[path]
    assert [one for one in found if one in made] == made[::-1]
