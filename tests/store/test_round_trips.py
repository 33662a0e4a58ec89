"""How many statements a document costs in PostgreSQL, where each is a way to the server and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from shipcli.store.query import equal, pair_key, pair_value, text
from shipcli.store.store import Store

pytestmark = pytest.mark.postgres_only
Shipment = Callable[..., dict[str, Any]]


class CountedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that notes what it is asked."""

    asked: list[str] = []

    def execute(self, query: Any, *values: Any, **options: Any) -> Any:
        self.asked.append(str(query))
        return super().execute(query, *values, **options)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, place: str, clock: Any) -> Iterator[Store]:
    monkeypatch.setattr(psycopg, "connect", CountedConnection.connect)
    with Store.open(place, clock=clock) as opened:
        yield opened


@contextmanager
def asking(number: int) -> Iterator[None]:
    CountedConnection.asked.clear()
    yield
    assert len(CountedConnection.asked) == number, CountedConnection.asked


def test_a_new_document_takes_one_statement_and_a_change_two(counted: Store, shipment: Shipment) -> None:
    made = shipment(metadata={"shop": "eu", "old": "1"}, reference="R-1")
    changed = {**made, "status": "purchased", "metadata": {"shop": "us", "new": "2"}, "reference": "R-2"}
    with counted.transaction(locks=()) as tx:
        with asking(1):
            assert tx.put("shipment", made)
        with asking(2):
            assert not tx.put("shipment", {**changed, "metadata": {"shop": "us", "old": "1", "new": "2"}})
        with asking(2):
            assert not tx.put("shipment", made, extra={"printed": True})
    with asking(3), counted.transaction() as tx:  # with begin and commit
        assert tx.put("shipment", shipment())
    assert counted.check() == []


def test_search_values_and_counts_follow_every_change(counted: Store, shipment: Shipment) -> None:
    made = shipment(metadata={"a": "1", "b": "2"}, reference="Straße 1")
    states: list[dict[str, Any]] = [
        {"metadata": {"a": "2"}},
        {"metadata": {}, "reference": None},
        {"metadata": {"a": "1", "c": "\0x"}, "status": "purchased"},
        {"test_mode": False, "metadata": {"c": "3"}, "reference": "STRASSE 2"},
    ]
    with counted.transaction() as tx:
        tx.put("shipment", made)
    for members in states:
        document = made | members
        with counted.transaction() as tx:
            assert not tx.put("shipment", document, test_mode=document["test_mode"])
        assert counted.check() == [], members
        for key, value in document["metadata"].items():
            for filter in (pair_key("metadata", key), pair_value("metadata", value)):
                assert counted.count("shipment", [filter], document["test_mode"]) == 1
    assert counted.count("shipment", [pair_key("metadata", "a")]) == 0
    assert counted.count("shipment", [text("strasse 2")]) == 1
    with counted.transaction() as tx:
        assert tx.delete("shipment", made["id"])
    assert (counted.check(), counted.count("shipment")) == ([], 0)


def test_the_mode_of_a_stored_document_needs_not_be_said_again(counted: Store, shipment: Shipment) -> None:
    made = shipment()
    nameless = {name: value for name, value in made.items() if name != "test_mode"}
    with counted.transaction() as tx:
        with pytest.raises(ValueError, match="say the mode"):
            tx.put("shipment", nameless)
        tx.put("shipment", made)
        assert not tx.put("shipment", {**nameless, "status": "purchased"})
    assert counted.count("shipment", [equal("status", "purchased")], test_mode=True) == 1
