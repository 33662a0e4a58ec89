"""Declared locks of transactions."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from shipcli.store.queries import Reader
from shipcli.store.store import Store


def test_a_transaction_keeps_the_locks_it_declares(store: Store) -> None:
    with store.transaction(locks=("shipment/shp_1", "counter")) as tx:
        assert tx.locks == ("shipment/shp_1", "counter")
    with store.transaction(locks=()) as tx:
        assert tx.locks == ()
    with store.transaction() as tx:
        assert tx.locks is None, "undeclared: alone"


@pytest.mark.postgres_only
def test_locks_that_are_found_by_reading_cover_what_others_have_just_written(
    store: Store, place: str, clock: Any
) -> None:
    links, asked = {"shipment_id": "shp_1"}, []

    def find(reader: Reader) -> list[str]:
        names = [f"order/{row['order_id']}" for row in reader.select("order_shipments", links)]
        asked.append(names)
        if len(asked) == 1:  # before they are held, another process links an order
            with Store.open(place, clock=clock) as other, other.transaction() as tx:
                tx.add("order_shipments", {"order_id": "ord_1", **links})
        return names

    with store.transaction(locks=find) as tx:
        assert tx.locks == ("order/ord_1",)
        tx.remove("order_shipments", links)
    assert asked == [[], ["order/ord_1"], ["order/ord_1"]]


@pytest.mark.postgres_only
def test_a_transaction_whose_locks_change_again_and_again_is_alone(store: Store) -> None:
    numbers = count()
    with store.transaction(locks=lambda reader: [f"order/{next(numbers)}"]) as tx:
        assert tx.locks is None


@pytest.mark.postgres_only
def test_a_transaction_may_name_more_than_the_server_has_room_for(store: Store) -> None:
    with store.transaction(locks=[f"shipment/shp_{number}" for number in range(40_000)]) as tx:
        tx.upsert("store_facts", {"name": "a", "value": 1})
    assert store.count_rows("store_facts", {"name": "a"}) == 1


def test_nothing_begins_if_the_locks_cannot_be_found(store: Store) -> None:
    def fail(reader: Reader) -> list[str]:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"), store.transaction(locks=fail) as tx:
        tx.upsert("store_facts", {"name": "a", "value": 1})
    with store.transaction() as tx:
        assert tx.select("store_facts", {"name": "a"}) == []


@pytest.mark.parametrize("locks", ["shipment/shp_1", [""], ["/shp_1"], ["shipment/"], ["Shipment"]])
def test_a_lock_is_a_name_or_a_kind_and_an_id(store: Store, locks: list[str]) -> None:
    with pytest.raises(ValueError, match="a kind and an id"):
        store.transaction(locks=locks)


def test_a_declared_transaction_that_writes_after_an_unnamed_read_fails_in_tests(store: Store) -> None:
    with store.transaction(locks=("shipment/shp_1",)) as tx:
        tx.get("shipment", "shp_1")
        tx.upsert("store_facts", {"name": "a", "value": 1})
        tx.get("shipment", "shp_2")
        with pytest.raises(AssertionError, match="writes after reading .'shipment/shp_2'"):
            tx.upsert("store_facts", {"name": "a", "value": 2})
