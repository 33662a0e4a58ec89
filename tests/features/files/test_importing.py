"""Shipments from a file: whole, resumable, within a budget, and never twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.simulation.backend import SimulatorBackend
from shipcli.features.core.app import App
from shipcli.features.core.row_results import OnDuplicate, Results
from shipcli.features.files import engine, row_sales, shipment_changes, shipment_store
from shipcli.features.files.engine import ImportPlan
from shipcli.features.files.shipment_store import ShipmentsHere, make_shipment_rows
from shipcli.features.paper import labels
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.models import Conflict, Invalid, NotFound, Rate, Shipment, ShipmentUpdateData
from shipcli.readers.headers import SHIPMENTS
from shipcli.readers.tables import DataFile, Row
from tests.features.conftest import live_labels
from tests.features.files.rows import file_content, row, table
from tests.features.growth import steps_of
from tests.features.importing import check_shipments, import_shipments, labelled
from tests.features.losing import FirstSale, losing
from tests.features.shipments.purchases import Killed, dead, killed
from tests.shared import find_shared

SIDES = {"Parcel length": "12", "Parcel width": "8", "Parcel height": "6", "Parcel dimension unit": "IN"}


def of(app: App, result: Results[Any], number: int) -> Shipment:
    return shipments.get_shipment(app, str(result.rows[number].shipment_id))


def test_without_buy_every_row_is_a_rated_draft(app: App) -> None:
    result = import_shipments(app, table([row(n, Service="ups_ground") for n in range(3)]), ImportPlan())
    assert [one.status for one in result.rows] == ["draft"] * 3
    assert of(app, result, 0).rates
    assert of(app, result, 0).options["preferred_service"] == "ups_ground"
    assert live_labels(app) == {}


def test_the_cheapest_rate_of_every_row_is_bought_in_file_order(app: App) -> None:
    result = import_shipments(app, table([row(n) for n in range(5)]), ImportPlan(buy="cheapest"))
    assert [one.status for one in result.rows] == ["purchased"] * 5
    assert [one.reference for one in result.rows] == [f"SO-{n:04d}" for n in range(5)]
    for number in range(5):
        bought = of(app, result, number)
        assert bought.selected_rate is not None
        paid = bought.selected_rate
        alike = [rate.total_charge for rate in bought.rates if rate.currency == paid.currency]
        assert paid.total_charge == min(alike)
    assert result.exit_code == 0
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 5


def test_the_service_column_is_followed(app: App) -> None:
    rows = [row(0, Service="ups_next_day_air"), row(1)]
    result = import_shipments(app, table(rows), ImportPlan(buy="service"))
    assert [(one.status, one.service) for one in result.rows] == [
        ("purchased", "ups_next_day_air"), ("draft", None),
    ]  # fmt: skip


def test_a_second_run_buys_nothing_again(app: App) -> None:
    rows = [row(n) for n in range(3)]
    import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    before = live_labels(app)
    again = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    assert all(one.earlier for one in again.rows)
    assert again.exit_code == 0
    assert live_labels(app) == before


def test_drafts_of_an_earlier_run_are_bought_by_the_next(app: App) -> None:
    rows = [row(n) for n in range(3)]
    first = import_shipments(app, table(rows), ImportPlan())
    second = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    assert [one.shipment_id for one in second.rows] == [one.shipment_id for one in first.rows]
    assert second.count("purchased") == 3


CHANGES = pytest.mark.parametrize(
    "cells",
    [
        {"Recipient name": "Changed"}, {"Recipient address 2": "Apt 5"}, {"Parcel weight": "9"},
        {"Number of pieces": "2"}, {"Options": '{"signature_required": true}'}, {"Goods": "Mug:1:5USD"},
        {"Service": "ups_next_day_air"},
    ],
    ids=lambda cells: next(iter(cells)),
)  # fmt: skip


@CHANGES
def test_a_draft_of_an_earlier_file_that_says_otherwise_is_not_bought(
    app: App, cells: dict[str, str]
) -> None:
    empty = dict.fromkeys(("Recipient address 2", "Number of pieces", "Goods"), "")
    first = [row(0, **empty), row(1, **empty)]
    import_shipments(app, table(first), ImportPlan())
    changed = [row(0, **{**empty, **cells}), first[1]]
    kept, sold = import_shipments(app, table(changed), ImportPlan(buy="cheapest")).rows
    assert (kept.status, sold.status) == ("failed", "purchased")
    assert "--on-duplicate update" in str(kept.message)
    assert list(live_labels(app)) == ["SO-0001"]
    again = import_shipments(app, table(changed), ImportPlan(buy="cheapest", on_duplicate="update"))
    assert (again.count("purchased"), sorted(live_labels(app))) == (2, ["SO-0000", "SO-0001"])


def test_a_draft_of_a_file_in_another_order_is_bought(app: App) -> None:
    rows = [row(n, Goods="Mug:2:5USD:6912.00:CN", Options='{"declared_value": 5.50}') for n in range(3)]
    import_shipments(app, table(rows), ImportPlan())
    sold = import_shipments(app, table(rows[::-1]), ImportPlan(buy="cheapest"))
    assert (sold.count("purchased"), len(live_labels(app))) == (3, 3)


@CHANGES
@pytest.mark.parametrize("on_duplicate", ["skip", "update"])
def test_a_row_that_changed_after_it_was_bought_is_told_by_every_run(
    app: App, cells: dict[str, str], on_duplicate: OnDuplicate
) -> None:
    empty = dict.fromkeys(("Recipient address 2", "Number of pieces", "Goods"), "")
    first = [row(0, **empty), row(1, **empty)]
    import_shipments(app, table(first), ImportPlan(buy="cheapest"))
    before = live_labels(app)
    changed = table([row(0, **{**empty, **cells}), first[1]])
    for _ in range(2):
        result = import_shipments(app, changed, ImportPlan(buy="cheapest", on_duplicate=on_duplicate))
        assert [(one.status, one.earlier, one.differs) for one in result.rows] == [
            ("purchased", True, True), ("purchased", True, False),
        ]  # fmt: skip
        assert [shipment_changes.KEPT in str(one.message) for one in result.rows] == [True, False]
        assert result.exit_code == 0
    assert live_labels(app) == before


def test_bought_rows_in_another_order_have_not_changed(app: App) -> None:
    rows = [row(n, Goods="Mug:2:5USD:6912.00:CN", Options='{"declared_value": 5.50}') for n in range(5)]
    import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    again = import_shipments(app, table(rows[::-1]), ImportPlan(buy="cheapest"))
    assert [(one.status, one.differs) for one in again.rows] == [("purchased", False)] * 5


def test_a_row_whose_label_was_cancelled_has_no_label_that_could_differ(app: App) -> None:
    (made,) = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest")).rows
    shipments.cancel_shipment(app, str(made.shipment_id))
    changed = table([row(0, **{"Parcel weight": "9"})])
    (told,) = import_shipments(app, changed, ImportPlan(buy="cheapest")).rows
    assert (told.status, told.differs) == ("cancelled", False)


def test_a_draft_that_somebody_changed_is_bought_by_the_same_file(app: App) -> None:
    (made,) = import_shipments(app, table([row(0)]), ImportPlan()).rows
    change = ShipmentUpdateData.model_validate({"options": {"signature_required": True}})
    shipments.update_shipment(app, str(made.shipment_id), change)
    sold = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest"))
    assert sold.count("purchased") == 1


def test_update_changes_drafts_only(app: App) -> None:
    import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest"))
    import_shipments(app, table([row(1)]), ImportPlan())
    changed = [row(0, **{"Recipient name": "Changed"}), row(1, **{"Recipient name": "Changed"})]
    result = import_shipments(app, table(changed), ImportPlan(on_duplicate="update"))
    assert of(app, result, 0).recipient.person_name == "Person 0"
    assert of(app, result, 1).recipient.person_name == "Changed"


def test_known_rows_can_be_an_error(app: App) -> None:
    import_shipments(app, table([row(0)]), ImportPlan())
    with pytest.raises(Invalid, match="imported before"):
        import_shipments(app, table([row(0)]), ImportPlan(on_duplicate="error"))


def test_one_bad_cell_refuses_the_file_and_names_every_bad_cell(app: App) -> None:
    rows = [
        row(0),
        row(1, **{"Parcel weight": "heavy"}),
        row(2, **{"Recipient postal code": "1", "Options": "{"}),
    ]
    with pytest.raises(Invalid) as caught:
        import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    fields = {problem.field for problem in caught.value.problems}
    assert fields == {"row 3, Parcel weight", "row 4, Recipient postal code", "row 4, Options"}
    assert app.store.count("shipment") == 0


def test_good_rows_go_on_when_bad_ones_are_set_aside(app: App) -> None:
    rows = [row(0), row(1, **{"Recipient country": "Atlantis"}), row(2)]
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest", keep_good=True))
    assert result.count("purchased") == 2
    assert [bad.number for bad in result.checked.bad_rows] == [3]
    assert result.exit_code == 9


class CountedFile(DataFile):
    """A file that counts how often it is gone through."""

    readings = 0

    def __iter__(self) -> Iterator[Row]:
        self.readings += 1
        return super().__iter__()


@pytest.mark.parametrize(("held", "readings"), [(3, 1), (2, 2)])
def test_a_file_is_read_once_and_a_long_one_again_to_be_stored(
    app: App, monkeypatch: pytest.MonkeyPatch, held: int, readings: int
) -> None:
    monkeypatch.setattr(engine, "HELD", held)
    file = CountedFile("f.csv", file_content([row(n) for n in range(3)]))
    assert import_shipments(app, file, ImportPlan(buy="cheapest")).count("purchased") == 3
    assert file.readings == readings


def test_the_same_key_twice_is_an_error_on_both_rows(app: App) -> None:
    rows = [row(0), row(1, Reference="SO-0000"), row(2)]
    checked = check_shipments(app, table(rows), ImportPlan())
    found = {(one.row, one.column): one.reason for one in checked.wrong}
    assert set(found) == {(2, "Reference"), (3, "Reference")}
    assert found[2, "Reference"].endswith("row 3")
    assert found[3, "Reference"].endswith("row 2")


def test_a_row_without_reference_is_known_by_file_and_number(app: App) -> None:
    rows = [row(0, Reference=""), row(1, Reference="")]
    first = import_shipments(app, table(rows), ImportPlan())
    again = import_shipments(app, table(rows), ImportPlan())
    assert [one.shipment_id for one in again.rows] == [one.shipment_id for one in first.rows]


def test_other_columns_can_be_the_key(app: App) -> None:
    rows = [row(0, Reference="X"), row(1, Reference="X")]
    result = import_shipments(app, table(rows), ImportPlan(key=("Reference", "Recipient name")))
    assert len({one.shipment_id for one in result.rows}) == 2
    with pytest.raises(Invalid, match="no column"):
        check_shipments(app, table(rows), ImportPlan(key=("Nothing",)))


def test_the_budget_stops_before_the_purchase_that_would_pass_it(app: App) -> None:
    rows = [row(n) for n in range(4)]
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(30))))
    spent = sum((one.total_charge or Decimal(0) for one in result.rows), Decimal(0))
    assert result.exit_code == 11
    assert spent <= 30
    assert result.count("waiting") >= 1
    assert len(live_labels(app)) == result.count("purchased")


def test_a_row_dearer_than_what_is_left_is_passed_over_and_named(app: App) -> None:
    rows = [row(n, Carrier="ups", **{"Parcel weight": "60" if n == 0 else "1"}) for n in range(3)]
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(60))))
    assert [one.status for one in result.rows] == ["waiting", "purchased", "purchased"]
    assert "would exceed 60 USD: 0.00 of it is taken" in str(result.rows[0].message)
    assert result.exit_code == 11


def test_rows_that_the_budget_leaves_waiting_are_named_and_bought_by_a_run_with_more(app: App) -> None:
    rows = [row(n, Carrier="ups", **{"Recipient phone": "+1 602-555-0100"}) for n in range(4)]
    first = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(1))))
    assert [one.status for one in first.rows] == ["waiting"] * 4
    assert [(one.row, one.key) for one in first.rows] == [(n + 2, f"SO-{n:04d}") for n in range(4)]
    assert first.rows[0].message == str(first.stopped)
    assert [of(app, first, n).status for n in range(4)] == ["draft"] * 4
    more = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(1000))))
    assert [one.shipment_id for one in more.rows] == [one.shipment_id for one in first.rows]
    assert [(one.status, one.earlier) for one in more.rows] == [("purchased", False)] * 4


def test_the_result_of_a_row_is_what_stands_on_its_shipment(app: App) -> None:
    (found,) = import_shipments(
        app, table([row(0, Carrier="usps", **SIDES)]), ImportPlan(buy="cheapest")
    ).rows
    shipment = shipments.get_shipment(app, str(found.shipment_id))
    paid = shipment.selected_rate
    assert paid
    assert (found.row, found.key, found.reference, found.status) == (2, "SO-0000", "SO-0000", "purchased")
    assert (found.carrier, found.service) == ("usps", paid.service)
    assert (found.total_charge, found.currency) == (paid.total_charge, "USD")
    assert found.tracking_number == shipment.tracking_number
    assert found.message == ("; ".join(str(one.message) for one in shipment.messages) or None)
    assert found.earlier is False


def test_rows_of_a_dead_run_in_doubt_are_told_and_not_bought_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row(0, Carrier="fedex"), row(1, Carrier="fedex")]
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    dead(app)
    for _ in range(2):
        result = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
        assert [one.status for one in result.rows] == ["needs_attention", "purchased"]
        assert "outcome is unknown" in str(result.rows[0].message)
    assert {key: len(numbers) for key, numbers in live_labels(app).items()} == {"SO-0000": 1, "SO-0001": 1}


def test_the_budget_counts_what_earlier_runs_bought(app: App) -> None:
    rows = [row(n) for n in range(4)]
    first = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(30))))
    again = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(30))))
    assert again.count("purchased") == first.count("purchased")
    assert again.exit_code == 11


def test_a_row_that_can_not_be_bought_leaves_the_budget_to_the_others(app: App) -> None:
    """What its address lacks is found when it is to be bought, after its price was reserved."""
    rows = [row(0, **{"Recipient address 1": "", **SIDES}), row(1, **SIDES)]
    plan = ImportPlan(buy="cheapest", carriers=("usps",), budget=Budget.read("15USD"))
    result = import_shipments(app, table(rows), plan)
    assert [one.status for one in result.rows] == ["failed", "purchased"]
    assert "address_line1" in str(result.rows[0].message)
    assert plan.budget.spent == result.rows[1].total_charge


def test_a_cancelled_label_is_not_counted_by_the_next_run(app: App) -> None:
    rows = [row(0), row(1)]
    first = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(15))))
    assert [one.status for one in first.rows] == ["purchased", "waiting"]
    shipments.cancel_shipment(app, str(first.rows[0].shipment_id))
    again = import_shipments(app, table(rows), ImportPlan(buy="cheapest", budget=Budget(Decimal(15))))
    assert [one.status for one in again.rows] == ["cancelled", "purchased"]


def test_a_purchase_that_may_have_been_made_is_counted_by_the_next_run(app: App) -> None:
    rows = [row(0, Carrier="fedex"), row(1, Carrier="fedex")]
    drafts = import_shipments(app, table(rows), ImportPlan())
    lost = of(app, drafts, 0)
    with app.store.transaction() as tx:
        garbled = {**lost.metadata, "sandbox_scenario": "garbled"}
        tx.put("shipment", {**lost.model_dump(), "metadata": garbled})
    for _ in range(2):
        plan = ImportPlan(buy="cheapest", budget=Budget(Decimal(15)))
        result = import_shipments(app, table(rows), plan)
        assert [one.status for one in result.rows] == ["needs_attention", "waiting"]
        assert plan.budget.spent > 0


def test_a_row_already_shipped_is_never_bought(app: App) -> None:
    extra = {"Tracking number": "1Z999", "Status": ""}
    rows = [{**row(0), **extra}, {**row(1), "Tracking number": "", "Status": "delivered"}]
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    assert [one.status for one in result.rows] == ["shipped", "shipped"]
    assert {one.message for one in result.rows} == {"Already shipped: not bought"}
    assert [(one.row, one.key, one.shipment_id) for one in result.rows] == [
        (2, "SO-0000", None), (3, "SO-0001", None),
    ]  # fmt: skip
    assert (live_labels(app), app.store.count("shipment")) == ({}, 0)


def test_only_the_named_carriers_are_asked(app: App) -> None:
    result = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest", carriers=("ups",)))
    assert result.rows[0].carrier == "ups"
    by_cell = import_shipments(app, table([row(5, Carrier="usps", **SIDES)]), ImportPlan(buy="cheapest"))
    assert by_cell.rows[0].carrier == "usps"
    with pytest.raises(NotFound, match="Did you mean ups"):
        import_shipments(app, table([row(9)]), ImportPlan(buy="cheapest", carriers=("upss",)))


def test_a_row_that_asks_for_a_carrier_beside_the_named_ones_is_bad(app: App) -> None:
    rows = table([row(0, Carrier="usps"), row(1, Carrier="ups"), row(2)])
    with pytest.raises(Invalid, match="'usps' is not asked: only ups") as refused:
        import_shipments(app, rows, ImportPlan(buy="cheapest", carriers=("ups",)))
    assert len(refused.value.problems) == 1
    assert live_labels(app) == {}
    result = import_shipments(app, rows, ImportPlan(buy="cheapest", carriers=("ups",), keep_good=True))
    assert [one.carrier for one in result.rows] == ["ups", "ups"]


def test_a_draft_of_another_carrier_is_bought_from_the_named_one(app: App) -> None:
    import_shipments(app, table([row(0, Carrier="usps")]), ImportPlan(key=("Reference",)))
    again = table([row(0)])
    result = import_shipments(app, again, ImportPlan(buy="cheapest", key=("Reference",), carriers=("ups",)))
    assert [one.carrier for one in result.rows] == ["ups"]


def test_unknown_words_are_named_with_the_nearest(app: App) -> None:
    rows = [row(0, Carrier="upss", Service="ups_grond", **{"Parcel weight unit": "stone"})]
    checked = check_shipments(app, table(rows), ImportPlan())
    said = {one.column: one.reason for one in checked.wrong}
    assert "did you mean ups" in said["Carrier"]
    assert "did you mean ups_ground?" in said["Service"]
    assert "KG" in said["Parcel weight unit"]


def test_mixed_currencies_are_an_error_of_the_row(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    from shipcli.features.shipments.rate_selection import list_comparable
    from shipcli.models import Rate

    made = import_shipments(app, table([row(0)]), ImportPlan())
    shipment = of(app, made, 0)
    foreign = [Rate(carrier_name="x", carrier_id="x", currency=name) for name in ("CAD", "EUR")]
    with pytest.raises(Invalid, match="CAD, EUR"):
        list_comparable(shipment.model_copy(update={"rates": foreign}))
    mixed = shipment.model_copy(update={"rates": [*shipment.rates, *foreign]})
    assert {rate.currency for rate in list_comparable(mixed)} == {"USD"}
    assert {rate.currency for rate in list_comparable(mixed, "CAD")} == {"CAD"}


def test_address_warnings_refuse_nothing(app: App) -> None:
    rows = [row(0, **{"Recipient state": "NY"})]
    checked = check_shipments(app, table(rows), ImportPlan(), warn=True)
    assert not checked.wrong
    assert {one.column for one in checked.warnings} & {"Recipient postal code", "Recipient state"}


def test_an_address_warning_names_the_row_the_column_and_what_is_wrong(app: App) -> None:
    rows = [row(0), row(0, Reference="SO-2", **{"Recipient state": "NY"})]
    (warning, *_) = check_shipments(app, table(rows), ImportPlan(), warn=True).warnings
    assert (warning.row, warning.column) == (3, "Recipient postal code"), warning
    assert warning.reason


def test_what_the_carrier_of_a_row_would_refuse_is_told_by_its_column(app: App) -> None:
    much = {"Options": '{"insurance": 1234567890123456789012}'}
    rows = [row(0, Service="ups_ground", **much), row(1, Service="ups_ground"), row(2, **much)]
    warnings = check_shipments(app, table(rows), ImportPlan(), warn=True).warnings
    reason = "UPS takes at most 19 characters: it would be sent 25"
    assert [(one.row, one.column, one.reason) for one in warnings] == [(2, "Options", reason)]


def test_labels_are_of_the_rows_that_were_bought_in_this_mode_and_have_one(app: App) -> None:
    rows = import_shipments(app, table([row(0), row(5)]), ImportPlan(buy="cheapest")).rows
    ids = [str(one.shipment_id) for one in rows]
    unbought = [replace(rows[0], status="draft"), replace(rows[0], shipment_id=None)]
    gone = replace(rows[0], shipment_id="shp_gone")
    assert [one.id for one in labelled(app, [*unbought, gone, *rows])] == ids
    assert labelled(app.in_mode(False), rows) == []
    with app.store.transaction() as tx:
        stored = tx.get("shipment", ids[0])
        assert stored
        tx.put("shipment", {**stored, "label_url": None})
    assert [one.id for one in labelled(app, rows)] == ids[1:]


def test_labels_of_all_runs_merge_in_file_order(app: App) -> None:
    from shipcli.drawing import count_pages

    rows = [row(n) for n in range(4)]
    import_shipments(app, table(rows[2:]), ImportPlan(buy="cheapest"))
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    bought = labelled(app, result.rows)
    assert [one.reference for one in bought] == [f"SO-{n:04d}" for n in range(4)]
    assert count_pages(labels.merge_labels(app, bought)) == 4


def test_an_open_purchase_of_a_dead_run_is_settled_first(app: App, monkeypatch: pytest.MonkeyPatch) -> None:

    rows = [row(n, Carrier="generic") for n in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    dead(app)
    result = import_shipments(app, table(rows), ImportPlan(buy="cheapest"))
    assert result.count("purchased") == 3
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 3


def test_a_carrier_that_is_down_is_a_message_beside_the_others(app: App) -> None:
    from shipcli.features.connections import service as connections
    from shipcli.models import ConnectionPatch

    found = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})
    down = ConnectionPatch(config={"sandbox_scenario": "error"})
    connections.update_connection(app, found[0]["id"], down)
    result = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest"))
    assert result.rows[0].status == "purchased"
    assert "ups" in {message.carrier_id for message in of(app, result, 0).messages}


@pytest.mark.slow
def test_the_thousand_row_file_is_read_whole(app: App) -> None:
    path = find_shared("data/shipments_default_1000.csv")
    checked = check_shipments(app, DataFile.open(path), ImportPlan())
    assert (checked.rows, checked.good, checked.wrong) == (1000, 1000, ())


def test_every_default_header_is_known() -> None:
    assert len(SHIPMENTS) == 43
    assert len(set(SHIPMENTS.values())) == 43


# -- what it costs -------------------------------------------------------------------------------


def remember_rows(app: App, count: int) -> None:
    """Rows that runs of other files wrote down long ago."""
    old = {
        "test_mode": app.test_mode, "resource": "shipments", "digest": "0" * 64, "state": "purchased",
        "total_charge": "1.00", "currency": "USD", "updated_at": app.now(),
    }  # fmt: skip
    with app.store.transaction() as tx:
        tx.insert_many("import_rows", [
            {**old, "key": f"OLD-{number}", "row_number": number, "shipment_id": f"shp_{number}"}
            for number in range(count)
        ])  # fmt: skip


@pytest.mark.sqlite_only("counts the steps of its machine")
@pytest.mark.parametrize("on_duplicate", ["skip", "update", "error"])
def test_a_row_after_thousands_of_old_ones_costs_what_it_costs_in_an_empty_store(
    app: App, on_duplicate: Any
) -> None:
    def one_more(number: int) -> int:
        plan = ImportPlan(buy="cheapest", on_duplicate=on_duplicate, budget=Budget(Decimal(1000), "USD"))
        return steps_of(app, lambda: import_shipments(app, table([row(number)]), plan))

    one_more(0)
    before = one_more(5)
    remember_rows(app, 5000)
    assert one_more(10) < before * 1.2


def test_the_states_of_many_rows_are_found_by_their_keys(app: App) -> None:
    remember_rows(app, 1000)
    keys = {number: f"OLD-{number}" for number in range(0, 2000, 2)}
    states = make_shipment_rows(app, table([row(0)]), ImportPlan()).known_states(keys)
    assert states == dict.fromkeys(range(0, 1000, 2), "purchased")


# -- beside others ---------------------------------------------------------------------------------


def test_a_run_in_one_mode_says_nothing_of_the_rows_of_the_other(app: App) -> None:
    live = app.in_mode(False)
    for place in (app, live):
        result = import_shipments(place, table([row(0)]), ImportPlan(buy="cheapest"))
        assert [(one.status, one.earlier) for one in result.rows] == [("purchased", False)]
    assert [len(numbers) for numbers in live_labels(app).values()] == [2]


def test_two_runs_of_a_file_at_once_store_one_draft_for_a_row(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run stores the row after this one has looked who did."""
    look, others = shipment_store.find_known_rows, [ImportPlan()]

    def looked(*arguments: Any, **choices: Any) -> Any:
        found = look(*arguments, **choices)
        if others:
            import_shipments(app, table([row(0)]), others.pop())
        return found

    monkeypatch.setattr(shipment_store, "find_known_rows", looked)
    result = import_shipments(app, table([row(0)]), ImportPlan())
    assert app.store.count("shipment") == 1
    assert of(app, result, 0).reference == "SO-0000"


def test_what_became_of_a_row_is_written_down_with_its_price(app: App) -> None:
    import_shipments(app, table([row(0)]), ImportPlan())
    assert [one["state"] for one in app.store.select("import_rows")] == ["draft"]
    result = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest"))
    (kept,) = app.store.select("import_rows")
    paid = of(app, result, 0).selected_rate
    assert paid
    assert (kept["state"], Decimal(kept["total_charge"]), kept["currency"]) == (
        "purchased", paid.total_charge, "USD",
    )  # fmt: skip


@pytest.mark.parametrize("status", ["purchased", "draft"])
def test_a_row_that_another_run_is_at_is_waited_for_and_not_bought(
    app: App, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    """The other run buys the row, or finds that it can't, after this one has seen a draft."""
    first = import_shipments(app, table([row(0)]), ImportPlan())
    real, draft = shipment_store.buy, of(app, first, 0)

    def meanwhile(place: App, shipment: Shipment, rate: Rate) -> Shipment:
        if status == "purchased":
            real(place, shipment, rate)
        raise Conflict("A purchase of this shipment is under way")

    monkeypatch.setattr(shipment_store, "buy", meanwhile)
    result = import_shipments(app, table([row(0)]), ImportPlan(buy="cheapest"))
    (found,) = result.rows
    assert found.shipment_id == draft.id
    if status == "purchased":
        assert (found.status, found.earlier) == ("purchased", True)
        assert len(live_labels(app)["SO-0000"]) == 1
    else:
        assert (found.status, found.message) == ("failed", "A purchase of this shipment is under way")


def test_a_purchase_under_way_elsewhere_is_waited_for(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    (drafted,) = import_shipments(app, table([row(0, Carrier="generic")]), ImportPlan()).rows
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            import_shipments(app, table([row(0, Carrier="generic")]), ImportPlan(buy="cheapest"))
    with app.store.transaction() as tx:  # its process lives, as far as anybody can tell
        held = {"claimed_by": "elsewhere@boot/1/1", "claimed_until": app.store.steady() + 999}
        tx.update("intents", {"state": "open"}, held)
    waits: list[float] = []

    def meanwhile(seconds: float) -> None:
        waits.append(seconds)
        dead(app)
        purchase.settle_open(app)

    monkeypatch.setattr(shipment_store.time, "sleep", meanwhile)
    (found,) = import_shipments(app, table([row(0, Carrier="generic")]), ImportPlan(buy="cheapest")).rows
    assert (found.shipment_id, found.status, found.earlier) == (drafted.shipment_id, "purchased", True)
    assert len(waits) == 1
    assert len(live_labels(app)["SO-0000"]) == 1


def test_a_draft_that_is_being_bought_elsewhere_is_not_changed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    (drafted,) = import_shipments(app, table([row(0, Carrier="generic")]), ImportPlan()).rows
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            import_shipments(app, table([row(0, Carrier="generic")]), ImportPlan(buy="cheapest"))
    with app.store.transaction() as tx:  # its process lives, as far as anybody can tell
        held = {"claimed_by": "elsewhere@boot/1/1", "claimed_until": app.store.steady() + 999}
        tx.update("intents", {"state": "open"}, held)
    monkeypatch.setattr(shipment_store, "PATIENCE_S", 0)
    heavier = table([row(0, Carrier="generic", **{"Parcel weight": "9"})])
    import_shipments(app, heavier, ImportPlan(on_duplicate="update"))
    assert shipments.get_shipment(app, str(drafted.shipment_id)).parcels[0].weight == 1


def test_a_row_whose_shipment_is_removed_after_the_check_is_told_and_not_bought(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = import_shipments(app, table([row(0), row(1)]), ImportPlan()).rows
    real = ShipmentsHere.open

    def meanwhile(place: ShipmentsHere, item: row_sales.ImportItem) -> Shipment | None:
        with app.store.transaction() as tx:
            tx.delete("shipment", str(gone.shipment_id))
        return real(place, item)

    monkeypatch.setattr(ShipmentsHere, "open", meanwhile)
    told, bought = import_shipments(app, table([row(0), row(1)]), ImportPlan(buy="cheapest")).rows
    assert told.to_dict() == {
        **dict.fromkeys(told.to_dict()), "row": gone.row, "status": "failed",
        "message": "The shipment of this row was removed",
    }  # fmt: skip
    assert told.key == "SO-0000"
    assert (bought.shipment_id, bought.status) == (kept.shipment_id, "purchased")
    assert set(live_labels(app)) == {"SO-0001"}


def test_a_file_without_a_column_is_named_with_it(app: App) -> None:
    cells = row(0)
    del cells["Recipient country"]
    with pytest.raises(Invalid, match=r"spring\.csv"):
        import_shipments(app, table([cells], "spring.csv"), ImportPlan())


# -- money -------------------------------------------------------------------------------------


def alike(*numbers: int) -> DataFile:
    """Rows that cost the same."""
    return table([row(number * 35, Carrier="fedex") for number in numbers])


def price_of_one(app: App) -> Decimal:
    (found,) = import_shipments(app, alike(100), ImportPlan(buy="cheapest")).rows
    assert found.total_charge
    return found.total_charge


def test_the_price_of_a_doubtful_purchase_stays_spent(app: App) -> None:
    budget = Budget(price_of_one(app) * Decimal("2.5"))
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")):
        result = import_shipments(app, alike(0, 1, 2), ImportPlan(buy="cheapest", budget=budget))
    assert [one.status for one in result.rows] == ["needs_attention", "purchased", "waiting"]


def test_the_price_of_a_refused_purchase_is_free_again(app: App) -> None:
    budget = Budget(price_of_one(app) * Decimal("2.5"))
    with losing(app, "fedex", before=FirstSale("/ship/v1/shipments"), instead="rate_limited"):
        result = import_shipments(app, alike(0, 1, 2), ImportPlan(buy="cheapest", budget=budget))
    assert [one.status for one in result.rows] == ["failed", "purchased", "purchased"]


def test_a_label_that_was_cancelled_is_spent_no_longer(app: App) -> None:
    one = price_of_one(app)
    first = import_shipments(app, alike(0, 1), ImportPlan(buy="cheapest"))
    shipments.cancel_shipment(app, str(first.rows[0].shipment_id))
    budget = Budget(one * Decimal("2.5"))
    result = import_shipments(app, alike(0, 1, 2), ImportPlan(buy="cheapest", budget=budget))
    assert [row.status for row in result.rows] == ["cancelled", "purchased", "purchased"]


def test_a_row_that_is_billed_above_the_budget_is_voided_named_and_not_bought_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    price, budget = SimulatorBackend.price, price_of_one(app) * 2

    def bill(self: SimulatorBackend, booking: Any) -> Any:
        found = price(self, booking)
        offer = replace(found.offer, total=found.offer.total + budget, base=found.offer.base + budget)
        return replace(found, offer=offer) if "SO-0175" in (booking.reference, *booking.references) else found

    monkeypatch.setattr(SimulatorBackend, "price", bill)
    plans = [ImportPlan(buy="cheapest", budget=Budget(budget, "USD")) for _ in range(2)]
    first, second = (import_shipments(app, alike(5, 10), plan) for plan in plans)
    assert [one.status for one in first.rows] == ["failed", "purchased"]
    assert "the label was voided" in str(first.rows[0].message)
    assert first.stopped is None
    assert [one.status for one in second.rows] == ["cancelled", "purchased"]
    assert len(live_labels(app)) == 2, "with the one whose price was looked up"
    assert plans[0].budget.spent == plans[1].budget.spent == budget / 2
