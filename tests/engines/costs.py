"""CPU time of this process for what the store does, one engine beside the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

from shipcli.store.query import contains, text
from shipcli.store.store import Store
from tests.engines import work
from tests.engines.places import MeasuredPlace


def measure_costs(place: MeasuredPlace, times: int) -> dict[str, float]:
    """Microseconds of CPU time by what is done; PostgreSQL's own processes are not counted."""
    with closing(work.open_measured(place.home, place.environ)) as app:
        ids = [app.store.new_id("shp_") for _ in range(times)]
        costs: dict[str, float] = {}
        for name, run in _list_work(app.store, ids).items():
            began = time.process_time()
            for number in range(times):
                run(number)
            costs[name] = (time.process_time() - began) / times * 1e6
        return costs


def _list_work(store: Store, ids: list[str]) -> dict[str, Callable[[int], object]]:
    def put(number: int) -> None:
        with store.transaction() as tx:
            tx.put("shipment", work.write_shipment(ids[number]))

    def change(number: int) -> None:
        with store.transaction() as tx:
            tx.put("shipment", work.write_shipment(ids[number], 1))

    return {
        "new document": put,
        "change": change,
        "get": lambda number: store.get("shipment", ids[number]),
        "page of 20": lambda number: store.page("shipment", [], test_mode=True),
        "by reference": lambda number: store.page(
            "shipment", [contains("reference", ids[number])], test_mode=True
        ),
        "by keyword": lambda number: store.page("shipment", [text("ruiz")], test_mode=True),
    }
