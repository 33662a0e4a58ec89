"""A sandbox is put back as it was, store, ledger, clock and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.book.addresses import create_address
from shipcli.features.core.app import App
from shipcli.features.sandbox import snapshots
from shipcli.features.sandbox.conductor import advance_clock
from shipcli.features.sandbox.ledger_rows import list_ledger_rows
from shipcli.models import AddressData, Conflict, Invalid, NotFound
from shipcli.models.sandbox_time import ClockAdvanceData
from tests.factories import RECIPIENT
from tests.features.sandbox.conftest import MONDAY, buy


def describe(app: App) -> tuple[object, ...]:
    kinds = ("shipment", "tracker", "address", "event")
    return (*(app.store.count(kind) for kind in kinds), len(list_ledger_rows(app)), app.now().isoformat())


@pytest.mark.sqlite_only("a snapshot copies its files")
def test_everything_is_put_back(app: App) -> None:
    buy(app)
    before = describe(app)
    snapshots.save_snapshot(app, "paid")
    buy(app)
    advance_clock(app, ClockAdvanceData(by="61h"))
    create_address(app, AddressData.model_validate(RECIPIENT))
    assert describe(app) != before
    assert snapshots.restore_snapshot(app, "paid").now == MONDAY
    assert describe(app) == before
    assert app.store.check() == []
    assert buy(app).status == "purchased"


@pytest.mark.sqlite_only("a snapshot copies its files")
def test_another_process_sees_what_was_put_back(app: App, tmp_path: Path) -> None:
    snapshots.save_snapshot(app, "empty")
    other = open_app(tmp_path / "home", sandbox=True, environ={})
    shipment = buy(other)
    snapshots.restore_snapshot(app, "empty")
    assert other.store.get("shipment", shipment.id) is None
    assert buy(other).tracking_number == shipment.tracking_number, "its carrier counts from there too"
    other.close()


@pytest.mark.sqlite_only("a snapshot copies its files")
def test_a_reset_goes_back_to_the_start(app: App) -> None:
    with pytest.raises(Conflict, match="start was not saved"):
        snapshots.reset(app)
    before = describe(app)
    snapshots.save_start(app)
    for _ in range(2):
        buy(app)
        snapshots.reset(app)
        assert describe(app) == before


@pytest.mark.sqlite_only("a snapshot copies its files")
def test_a_snapshot_is_saved_again_listed_and_removed(app: App) -> None:
    snapshots.save_snapshot(app, "one")
    buy(app)
    snapshots.save_snapshot(app, "one")
    snapshots.restore_snapshot(app, "one")
    assert app.store.count("shipment") == 1
    assert [snapshot.name for snapshot in snapshots.list_snapshots(app)] == ["one"]
    snapshots.remove_snapshot(app, "one")
    assert snapshots.list_snapshots(app) == []
    with pytest.raises(NotFound):
        snapshots.restore_snapshot(app, "one")


@pytest.mark.parametrize("name", ["", "..", "a/b", "start", ".hidden", "x" * 41])
def test_a_name_that_is_none_is_refused(app: App, name: str) -> None:
    with pytest.raises(Invalid):
        snapshots.save_snapshot(app, name)
