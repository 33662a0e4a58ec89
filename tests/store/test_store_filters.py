"""Every filter, and how filters meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from shipcli.models.basics.json import loads
from shipcli.store.query import (
    Filter,
    any_of,
    at_least,
    at_most,
    below,
    contains,
    differs,
    equal,
    flag,
    one_of,
    pair,
    pair_key,
    pair_value,
    since,
    starts,
    text,
    until,
)
from shipcli.store.store import Store

Keep = Callable[..., str]
Ids = Callable[[Sequence[Filter]], list[str]]


@pytest.fixture
def ids(store: Store) -> Ids:
    def found(filters: Sequence[Filter]) -> list[str]:
        page = store.page("shipment", filters, test_mode=True)
        names = [loads(item)["id"] for item in page.items]
        assert page.count == len(names)
        assert [document["id"] for document in store.each("shipment", filters, test_mode=True)] == names
        return names

    return found


def test_equal_and_one_of_read_a_column(keep: Keep, ids: Ids) -> None:
    a, b, c = keep(carrier_name="ups"), keep(carrier_name="fedex"), keep()
    assert ids([equal("carrier_name", "ups")]) == [a]
    assert ids([equal("carrier_name", None)]) == [c]
    assert ids([one_of("carrier_name", ["ups", "fedex"])]) == [b, a]
    assert ids([one_of("carrier_name", [])]) == []
    assert ids([differs("carrier_name", "ups")]) == [b]


def test_one_of_reads_ids(keep: Keep, ids: Ids) -> None:
    a, _, c = keep(), keep(), keep()
    assert ids([one_of("id", [a, c, "shp_none"]), equal("status", "draft")]) == [c, a]


def test_columns_come_from_inside_the_document(keep: Keep, ids: Ids) -> None:
    a = keep(selected_rate={"service": "express"}, meta={"rate_provider": "other"}, tracker_id="trk_1")
    b = keep()
    assert ids([equal("service", "express")]) == [a]
    assert ids([equal("rate_provider", "other")]) == [a]
    assert (ids([flag("has_tracker", True)]), ids([flag("has_tracker", False)])) == ([a], [b])


def test_contains_ignores_case_beyond_ascii(keep: Keep, ids: Ids) -> None:
    a = keep(reference="Commande ÉTÉ-42")
    keep(reference="other")
    assert ids([contains("reference", "été")]) == [a]
    assert ids([contains("reference", "te")]) == []
    assert ids([contains("reference", "É-")]) == [a]
    assert len(ids([contains("reference", "")])) == 2


def test_contains_reads_columns_without_a_text_index(keep: Keep, ids: Ids) -> None:
    a = keep(carrier_name="ÉCLAIR_1")
    keep(carrier_name="éclairs1")
    assert ids([contains("carrier_name", "éclair_")]) == [a]


def test_keyword_looks_further_than_address(keep: Keep, ids: Ids) -> None:
    a = keep(tracking_number="1Z999AA10123456784")
    assert ids([text("aa1012")]) == [a]
    assert ids([text("aa1012", "address")]) == []
    assert ids([text(a[4:], "address")]) == [a]


@pytest.mark.parametrize(
    "words", ["besançon", "BESANÇON", "STRASSE", "zoë s", "zo", "ß", "25", "Besanc\u0327on"]
)
def test_address_search_finds_any_part_in_any_case(keep: Keep, ids: Ids, words: str) -> None:
    a = keep()
    assert ids([text(words, "address")]) == [a]


@pytest.mark.parametrize(
    "words", ["oë Straße\nFR", "%", "o_", '"', "zo%", "a AND b", "recipient:x", "25000 fr"]
)
def test_search_text_is_never_a_pattern(keep: Keep, ids: Ids, words: str) -> None:
    keep()
    assert ids([text(words)]) == []


def test_quotes_and_wildcards_are_found_as_themselves(keep: Keep, ids: Ids) -> None:
    a, b = keep(reference='5" pipe'), keep(reference="50%_off")
    assert (ids([text('5" p')]), ids([text("0%_")]), ids([text("%_")])) == ([a], [b], [b])


def test_a_search_a_kind_does_not_have_is_refused(store: Store) -> None:
    with pytest.raises(LookupError, match="webhooks have no keyword search"):
        store.page("webhook", [text("x")])


def test_times_are_compared_as_moments(keep: Keep, ids: Ids, clock: Any) -> None:
    a = keep()
    clock.advance(hours=2)
    b = keep(created_at="2026-03-01T15:00:00+01:00")
    assert ids([since("2026-03-01T14:00:00Z")]) == [b]
    assert ids([since("2026-03-01T12:00:00.000001")]) == [b]
    assert ids([until(datetime(2026, 3, 1, 12, tzinfo=UTC))]) == [a]
    assert ids([since("2026-03-01"), until("2026-03-01")]) == []


def test_a_moment_without_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        store.page("shipment", [since(datetime(2026, 3, 1))])


def test_pairs_are_found_by_key_by_value_and_by_both(keep: Keep, ids: Ids) -> None:
    a = keep(metadata={"order": "77", "lane": "b"})
    b = keep(metadata={"order": "78", "other": "77"})
    assert ids([pair_key("metadata", "lane")]) == [a]
    assert ids([pair_key("metadata", "order")]) == [b, a]
    assert ids([pair_value("metadata", "77")]) == [b, a]
    assert ids([pair("metadata", "order", "77")]) == [a]
    assert ids([pair_key("options", "order")]) == []


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (10, "10"),
        (Decimal("10.50"), "10.5"),
        (Decimal("1E+2"), "100"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ("10.50", "10.50"),
        ([1, "a"], '[1,"a"]'),
        ("x" * 3000, "x" * 3000),
    ],
)
def test_pair_values_compare_by_their_text(keep: Keep, ids: Ids, value: Any, word: str) -> None:
    a = keep(options={"key": value})
    keep(options={"key": "x" * 2999})
    assert ids([pair("options", "key", word)]) == [a] == ids([pair_value("options", value)])


def test_pairs_a_kind_does_not_have_are_refused(store: Store) -> None:
    with pytest.raises(LookupError, match="orders have no searchable meta"):
        store.page("order", [pair_key("meta", "x")])


def test_any_of_joins_conditions_by_or_and_the_rest_by_and(keep: Keep, ids: Ids) -> None:
    a, b = keep(carrier_name="ups"), keep(carrier_name="other", meta={"rate_provider": "ups"})
    keep(carrier_name="other")
    keep(carrier_name="ups", status="cancelled")
    either = any_of(one_of("carrier_name", ["ups"]), one_of("rate_provider", ["ups"]))
    assert ids([either, equal("status", "draft")]) == [b, a]
    assert ids([any_of(contains("reference", "x"), text("besan")), equal("status", "cancelled")]) != []


def test_filters_on_rows_compare_numbers_and_moments(store: Store, clock: Any) -> None:
    with store.transaction() as tx:
        for number in (1, 2, 3):
            tx.insert("intents", {"key": f"k{number}", "state": "open", "claimed_until": float(number)})
    keys = [
        [row["key"] for row in store.select("intents", [filter], order="key")]
        for filter in (below("claimed_until", 2), at_most("claimed_until", 2), at_least("claimed_until", 3.0))
    ]
    assert keys == [["k1"], ["k1", "k2"], ["k3"]]
    assert len(store.select("intents", [starts("key", "k")])) == 3


def test_a_beginning_takes_nothing_that_begins_otherwise(store: Store) -> None:
    with store.transaction() as tx:
        for key in ("job_0", "job_1", "job_1z", "job_1\U0010ffff", "job_2", "job_3"):
            tx.insert("intents", {"key": key})
    found = {row["key"] for row in store.select("intents", [starts("key", "job_1")])}
    assert found == {"job_1", "job_1z", "job_1\U0010ffff"}


def test_an_unknown_column_is_named(store: Store) -> None:
    with pytest.raises(LookupError, match="shipments has no column colour"):
        store.page("shipment", [equal("colour", "red")])
    with pytest.raises(LookupError, match="intents has no column"):
        store.select("intents", order="key; drop table files")


def test_an_object_is_found_by_the_names_people_use(store: Store, keep: Keep) -> None:
    a, b = keep(tracking_number="1Z1", reference="PO-1"), keep(reference="PO-1")
    found = [
        [hit.id for hit in store.find_prefix(["order", "shipment"], word, True)]
        for word in ("1Z1", "PO-1", a)
    ]
    assert found == [[a], [b, a], [a]]


def test_an_object_is_found_by_the_start_of_its_id(store: Store, keep: Keep) -> None:
    a, b = keep(), keep()
    assert {hit.id for hit in store.find_prefix(["shipment"], "shp_0", limit=1)} == {b}
    assert {hit.id for hit in store.find_prefix(["shipment"], a[:-1], True)} == {a}
    assert {hit.id for hit in store.find_prefix(["shipment", "tracker"], a[4:-2], True)} == {a}
    assert store.find_prefix(["shipment"], a[:-1], test_mode=False) == []
    assert store.find_prefix(["shipment"], "") == []
