"""Declared locks of transactions."""

from __future__ import annotations

import pytest

from shipcli.store.store import Store


def test_a_transaction_keeps_the_locks_it_declares(store: Store) -> None:
    with store.transaction(locks=("shipment/shp_1", "counter")) as tx:
        assert tx.locks == ("shipment/shp_1", "counter")
    with store.transaction(locks=()) as tx:
        assert tx.locks == ()
    with store.transaction() as tx:
        assert tx.locks is None, "undeclared: alone"


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
