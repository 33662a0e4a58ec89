"""A row of a file costs what it costs in an empty store, however much was imported before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.files.batches import service as batches
from shipcli.features.files.engine import ImportPlan
from shipcli.features.shipments import service as shipments
from shipcli.readers.tables import DataFile
from tests.factories import draft
from tests.features.files.batch_samples import csv_of, load
from tests.features.files.rows import charge, line
from tests.features.growth import steps_of
from tests.features.importing import import_invoices, import_orders, import_trackers

OLD = 2000


def tracker_row(number: str) -> dict[str, str]:
    return {"Tracking Number": number, "Carrier": "usps"}


def fill(app: App) -> None:
    """Orders, trackers and shipments that were stored long ago."""
    made = {
        "order": {"order_id": "OLD", "source": "API"}, "tracker": {"tracking_number": "OLD"},
        "shipment": {"tracking_number": "OLD", "status": "purchased"},
    }  # fmt: skip
    models = {kind: next(app.store.each(kind)) for kind in made}
    with app.store.transaction() as tx:
        for kind, fields in made.items():
            for number in range(OLD):
                own = (
                    {"order_id": f"OLD-{number}"} if kind == "order" else {"tracking_number": f"OLD{number}"}
                )
                document = {**models[kind], **fields, **own, "id": app.new_id(f"{models[kind]['id'][:4]}")}
                tx.put(kind, document, test_mode=app.test_mode)


def imported(app: App, kind: str, number: int, known: str) -> None:
    """One more row of a kind; invoices charge a known shipment."""
    name = f"SC1{number:09d}"
    if kind == "orders":
        import_orders(app, DataFile("o.csv", csv_of([line(name)])), ImportPlan(on_duplicate="update"))
    elif kind == "trackers":
        import_trackers(app, DataFile("t.csv", csv_of([tracker_row(name)])), ImportPlan())
    elif kind == "invoices":
        row = charge(known, **{"Invoice number": name})
        import_invoices(app, DataFile("i.csv", csv_of([row])), ImportPlan())
    else:
        assert batches.run_here(app, load(app, kind.removeprefix("batch of "), [BATCHED[kind](name)]).id)


BATCHED: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "batch of orders": line, "batch of trackers": tracker_row, "batch of billing": charge,
}  # fmt: skip


@pytest.mark.sqlite_only("counts the steps of its machine")
@pytest.mark.parametrize("kind", ["orders", "trackers", "invoices", *BATCHED])
def test_a_row_costs_what_it_costs_in_an_empty_store(app: App, kind: str) -> None:
    sold = shipments.create_shipment(app, draft(carrier_ids=["usps"], service="usps_ground_advantage"))
    known = str(sold.tracking_number)
    import_orders(app, DataFile("o.csv", csv_of([line("1")])), ImportPlan())
    for number in range(2):
        imported(app, kind, number, known)
    before = steps_of(app, lambda: imported(app, kind, 3, known))
    fill(app)
    assert steps_of(app, lambda: imported(app, kind, 4, known)) < before * 1.3 + 20
