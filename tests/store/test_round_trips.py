"""How many statements a document costs in PostgreSQL, where each is a way to the server and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from shipcli.bootstrap import open_app
from shipcli.features.orders.service import create_order
from shipcli.models import Conflict, OrderData
from shipcli.models.basics.json import dumps, loads
from shipcli.store.queries import ResultPage
from shipcli.store.query import Filter, equal, flag, one_of, pair_key, pair_value, present, text
from shipcli.store.store import Store
from tests.factories import ITEM, RECIPIENT

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
    with counted.transaction(locks=[f"shipment/{made['id']}"]) as tx:
        with asking(1):
            assert tx.put("shipment", made)
        with asking(2):
            assert not tx.put("shipment", {**changed, "metadata": {"shop": "us", "old": "1", "new": "2"}})
        with asking(2):
            assert not tx.put("shipment", made, extra={"printed": True})
    with asking(3), counted.transaction() as tx:  # with begin and commit
        assert tx.put("shipment", shipment())
    assert counted.check() == []


def test_a_new_order_takes_seven_with_its_event(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(psycopg, "connect", CountedConnection.connect)
    orders = [
        OrderData.model_validate({"order_id": number, "shipping_to": RECIPIENT, "line_items": [ITEM]})
        for number in ("1", "2", "2")
    ]
    home = tmp_path / "home"
    with closing(open_app(home, sandbox=True, test_mode=True, environ={}, carriers=None)) as app:
        create_order(app, orders[0])
        with asking(7):  # begin, who has the number, order, its parts, who listens, event, commit
            create_order(app, orders[1])
        with pytest.raises(Conflict, match="exists already"):
            create_order(app, orders[2])


@pytest.mark.parametrize(
    "where",
    [
        [], [equal("status", "draft")], [one_of("carrier_name", ["ups", "dhl"])], [text("straße")],
        [pair_key("metadata", "shop")], [flag("printed", False)], [present("reference")],
    ],
)  # fmt: skip
def test_a_page_of_a_list_takes_one_statement(
    counted: Store, shipment: Shipment, where: list[Filter]
) -> None:
    made = [shipment(metadata={"shop": 1}, reference="R", carrier_name="ups") for _ in range(3)]
    with counted.transaction() as tx:
        for document in made:
            tx.put("shipment", document)
    with asking(1):
        page = counted.page("shipment", where, 2, 0, test_mode=True)
    assert (page.count, [loads(item)["id"] for item in page.items]) == (3, [made[2]["id"], made[1]["id"]])
    assert counted.page("shipment", where, 2, 2, test_mode=True).items == [dumps(made[0])]
    assert counted.page("shipment", where, 2, 4, test_mode=True) == ResultPage(3, [])


def test_a_few_rows_take_one_statement(counted: Store) -> None:
    rows = [{"name": name, "value": value} for name, value in (("a", 1), ("b", "\0"), ("a", 3))]
    with counted.transaction() as tx:
        with asking(1):
            tx.upsert_many("store_facts", rows)
        with asking(1):
            tx.insert_many("store_facts", [{"name": "c", "value": 4}])
        with pytest.raises(LookupError):
            tx.upsert_many("totals", rows)
        tx.insert_many("store_facts", [{"name": f"n{number}", "value": number} for number in range(40)])
    facts = {row["name"]: row["value"] for row in counted.select("store_facts")}
    assert (facts["a"], facts["c"], facts["n39"], len(facts)) == (3, 4, 39, 43)


def test_whether_others_wrote_is_asked_once_in_a_while(
    counted: Store, place: str, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = counted.changes()
    with asking(0):
        assert counted.changes() == first
    with counted.transaction() as tx:
        tx.upsert("store_facts", {"name": "a", "value": 1})
    second = counted.changes()
    assert second != first, "at once after a write of this process"
    with Store.open(place, clock=clock) as other, other.transaction() as tx:
        tx.upsert("store_facts", {"name": "a", "value": 2})
    monkeypatch.setattr(counted.pool, "_changes_until", 0.0)
    assert counted.changes() != second, "and later after one of others"


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
