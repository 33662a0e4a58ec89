"""Lists that are read off an index: they say what the documents say, whatever changed before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from shipcli.models.basics.json import loads
from shipcli.store.query import Filter, any_of, equal, flag, one_of, pair, pair_key, pair_value, since
from shipcli.store.store import Store

Keep = Callable[..., str]
FILTERS: dict[str, list[Filter]] = {
    "one status": [one_of("status", ["draft"])],
    "several statuses": [one_of("status", ["draft", "purchased", "draft"])],
    "several statuses, later": [one_of("status", ["draft", "purchased"]), since("2026-03-01T12:05Z")],
    "a key": [pair_key("metadata", "order")],
    "a value": [pair_value("meta", "ups")],
    "a key and its value": [pair("metadata", "lane", "1")],
    "tracked": [flag("has_tracker", True)],
    "not in a manifest": [flag("has_manifest", False)],
    "sold by": [any_of(one_of("carrier_name", ["ups"]), one_of("rate_provider", ["ups"]))],
    "sold by several": [
        any_of(one_of("carrier_name", ["ups", "usps"]), one_of("rate_provider", ["ups", "usps"]))
    ],
    "either of two unlike": [any_of(one_of("carrier_name", ["ups"]), one_of("rate_provider", ["usps"]))],
}
HOLDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "one status": lambda each: each["status"] == "draft",
    "several statuses": lambda each: each["status"] in ("draft", "purchased"),
    "several statuses, later": lambda each: (
        each["created_at"] >= "2026-03-01T12:05" and each["status"] != "cancelled"
    ),
    "a key": lambda each: "order" in each["metadata"],
    "a value": lambda each: "ups" in each["meta"].values(),
    "a key and its value": lambda each: each["metadata"].get("lane") == "1",
    "tracked": lambda each: bool(each.get("tracker_id")),
    "not in a manifest": lambda each: True,
    "sold by": lambda each: "ups" in sellers(each),
    "sold by several": lambda each: bool({"ups", "usps"} & sellers(each)),
    "either of two unlike": lambda each: (
        each["carrier_name"] == "ups" or each["meta"].get("rate_provider") == "usps"
    ),
}


def sellers(document: dict[str, Any]) -> set[str]:
    return {document["carrier_name"], document["meta"].get("rate_provider")}


@pytest.fixture
def kept(store: Store, shipment: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    """Sixty shipments of a test account, newest last, some of the same moment, and others that are live."""
    documents = [shipment(**members(number)) for number in range(60)]
    with store.transaction() as tx:
        for document in documents:
            tx.put("shipment", document)
            tx.put("shipment", {**document, "id": store.new_id("shp_"), "test_mode": False})
    return documents


def members(number: int) -> dict[str, Any]:
    provider = ["ups", "usps", None, "hub"][number % 4]
    meta = {"rate_provider": provider, "ref": "ups"} if provider else {}
    return {
        "status": ["draft", "purchased", "cancelled"][number % 3],
        "carrier_name": ["ups", "usps", "hub", None, "fedex"][number % 5],
        "meta": meta,
        "metadata": {"order": number, "lane": str(number % 2)} if number % 7 else {},
        "tracker_id": "trk_1" if number % 2 else None,
        # Not in the order in which they are written.
        "created_at": f"2026-03-01T12:{number * 7 % 20:02}:00Z",
    }


def newest_first(documents: Sequence[dict[str, Any]]) -> list[str]:
    numbered = sorted(enumerate(documents), key=lambda each: (each[1]["created_at"], each[0]), reverse=True)
    return [document["id"] for _, document in numbered]


def paged(store: Store, where: Sequence[Filter], test_mode: bool | None = True) -> list[str]:
    """The ids of a list, read seven at a time; every page has to say the same count."""
    pages = [store.page("shipment", where, 7, start, test_mode) for start in range(0, 140, 7)]
    found = [loads(text)["id"] for page in pages for text in page.items]
    assert {page.count for page in pages} == {len(found)} == {store.count("shipment", where, test_mode)}
    return found


@pytest.mark.parametrize("name", FILTERS)
def test_pages_hold_what_fits_newest_first(store: Store, kept: list[dict[str, Any]], name: str) -> None:
    fitting = [document for document in kept if HOLDS[name](document)]
    assert len(fitting) > 0
    assert paged(store, FILTERS[name]) == newest_first(fitting)
    assert len(paged(store, FILTERS[name], None)) == 2 * len(fitting)


@pytest.mark.parametrize("name", FILTERS)
def test_pages_follow_what_is_changed_moved_and_deleted(
    store: Store, kept: list[dict[str, Any]], name: str
) -> None:
    with store.transaction() as tx:
        for number, document in enumerate(kept):
            later = members(number + 13)
            if number % 3 == 0:
                document |= {key: later[key] for key in ("status", "carrier_name", "meta", "metadata")}
                tx.put("shipment", document)
            elif number % 5 == 0:
                document["created_at"], document["tracker_id"] = later["created_at"], "trk_2"
                tx.put("shipment", document)
        for document in kept[1::10]:
            tx.delete("shipment", document["id"])
        for document in kept[2::10]:
            tx.put("shipment", document, test_mode=False)
    fitting = [
        document
        for number, document in enumerate(kept)
        if number % 10 not in (1, 2) and HOLDS[name](document)
    ]
    assert paged(store, FILTERS[name]) == newest_first(fitting)
    assert store.check() == []


def test_marked_documents_change_sides(store: Store, kept: list[dict[str, Any]]) -> None:
    some = [document["id"] for document in kept[:20]]
    with store.transaction() as tx:
        tx.mark("shipment", some, {"has_manifest": True})
        tx.mark("shipment", some[:15], {"has_manifest": True})
        tx.mark("shipment", some[15:], {"has_manifest": False})
    assert set(paged(store, [flag("has_manifest", True)])) == set(some[:15])
    assert len(paged(store, [flag("has_manifest", False)])) == 45
    assert store.check() == []


def test_a_value_under_two_keys_is_one_document(store: Store, keep: Keep) -> None:
    id = keep(metadata={"first": "x", "second": "x"})
    assert paged(store, [pair_value("metadata", "x")]) == [id]


def test_a_column_without_an_order_is_still_searched(store: Store, keep: Keep) -> None:
    id = keep(selected_rate={"service": "express"})
    keep()
    assert paged(store, [one_of("service", ["express", "slow"])]) == [id]
    assert paged(store, [any_of(equal("service", "express"), equal("status", "none"))]) == [id]


def test_counts_of_keys_that_are_gone_leave_no_rows(store: Store, keep: Keep) -> None:
    ids = [keep(metadata={f"key {number}": 1}) for number in range(3)]
    with store.transaction() as tx:
        for id in ids:
            tx.delete("shipment", id)
    assert store.count_rows("tallies") == 0 == store.count_rows("entries")
