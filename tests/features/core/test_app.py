"""The surroundings of the use-cases: homes, modes, clocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.book import parcels
from shipcli.features.connections import accounts
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import Invalid, Refused
from tests.factories import draft
from tests.features.conftest import Clock


def test_a_sandbox_is_a_place_of_its_own(tmp_path: Path) -> None:
    sandbox, real = open_app(tmp_path, sandbox=True, environ={}), open_app(tmp_path, environ={})
    assert sandbox.home == tmp_path / "sandbox"
    assert real.home == tmp_path
    assert sandbox.store.count("connection") > 0
    assert real.store.count("connection") == 0
    sandbox.close()
    real.close()


def test_a_sandbox_has_a_connection_of_every_carrier_in_both_modes(app: App) -> None:
    slugs = [
        {account.slug for account in accounts.list_accounts(app.in_mode(mode))} for mode in (True, False)
    ]
    assert slugs[0] == slugs[1] >= {"ups", "usps", "canadapost", "generic"}


def test_a_sandbox_is_made_ready_once(tmp_path: Path) -> None:
    counts = []
    for _ in range(2):
        app = open_app(tmp_path, sandbox=True, environ={})
        counts.append(app.store.count("connection"))
        app.close()
    assert counts[0] == counts[1]


@pytest.mark.parametrize("mode", [True, False])
def test_in_a_sandbox_both_modes_buy_offline(app: App, mode: bool) -> None:
    made = shipments.create_shipment(app.in_mode(mode), draft(service="ups_ground", carrier_ids=["ups"]))
    assert (made.status, made.test_mode) == ("purchased", mode)


def test_the_mode_is_test_unless_settings_or_the_caller_say_otherwise(tmp_path: Path) -> None:
    modes = []
    for environ, chosen in (({}, None), ({"SHIPCLI_MODE": "live"}, None), ({"SHIPCLI_MODE": "live"}, True)):
        app = open_app(tmp_path, environ=environ, test_mode=chosen)
        modes.append(app.test_mode)
        app.close()
    assert modes == [True, False, True]


def test_a_wrong_setting_opens_nothing(tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        open_app(tmp_path / "home", environ={"SHIPCLI_MODE": "prod"})
    assert not (tmp_path / "home").exists()


def test_copies_in_another_mode_share_everything_else(app: App) -> None:
    live = app.in_mode(False)
    assert live.in_mode(True).test_mode
    assert app.in_mode(True) is app
    assert live.driver is app.driver
    assert live.vault is app.vault


def test_time_is_the_clocks(timed: App, clock: Clock) -> None:
    made = shipments.create_shipment(timed, draft(carrier_ids=["generic"]))
    assert made.created_at == "2031-05-07 14:30:00.000000+00:00"
    row = timed.store.select("shipments", {"id": made.id})[0]
    assert row["created_at"] == clock.now
    clock.advance(days=1)
    later = shipments.create_shipment(timed, draft(carrier_ids=["generic"]))
    assert later.created_at.startswith("2031-05-08")


def test_dates_follow_the_clock_at_the_shippers_place(timed: App, clock: Clock) -> None:
    berlin = {"country_code": "DE", "postal_code": "10117", "city": "Berlin"}
    inside = shipments.create_shipment(timed, draft(shipper=berlin, carrier_ids=["generic"]))
    assert inside.options["shipping_date"] == "2031-05-07T16:30"
    clock.advance(hours=1)
    after = shipments.create_shipment(timed, draft(shipper=berlin, carrier_ids=["generic"]))
    assert after.options["shipping_date"] == "2031-05-08T10:00"
    clock.advance(days=2)
    friday = shipments.create_shipment(timed, draft(shipper=berlin, carrier_ids=["generic"]))
    assert friday.options["shipping_date"] == "2031-05-12T10:00"


def test_ids_have_their_prefix_and_32_digits(app: App) -> None:
    made = app.new_id("shp_")
    assert made.startswith("shp_")
    assert len(made) == 36
    assert int(made[4:], 16)


def test_tracing_can_be_switched_off(tmp_path: Path) -> None:
    app = open_app(tmp_path, sandbox=True, environ={"SHIPCLI_TRACING": "off"})
    shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    assert app.store.select("traces") == []
    app.close()


def test_traces_are_filed_under_their_shipment(app: App) -> None:
    made = shipments.create_shipment(app, draft(service="ups_ground", carrier_ids=["ups"]))
    verbs = {row["verb"] for row in app.store.select("traces", {"object_id": made.id})}
    assert verbs >= {"rate", "ship"}


def test_a_connection_that_can_not_be_read_does_not_stop_the_others(app: App) -> None:
    row = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})[0]
    with app.store.transaction() as tx:
        sealed = app.vault.seal(row["id"], b"{}")
        tx.upsert("secrets", {"id": row["id"], "name": "credentials", "sealed": sealed})
    made = shipments.create_shipment(app, draft())
    assert "usps" in {rate.carrier_id for rate in made.rates}
    assert "ups" not in {rate.carrier_id for rate in made.rates}
    with pytest.raises(Invalid):
        accounts.open_account(app, row["id"])


def test_a_lost_carrier_is_a_refusal_and_no_crash(app: App) -> None:
    with pytest.raises(Refused):
        shipments.create_shipment(app, draft(options={"sandbox_scenario": "closed"}, carrier_ids=["usps"]))


def test_a_closed_app_has_let_go(tmp_path: Path) -> None:
    from shipcli.models import ParcelData

    app = open_app(tmp_path, sandbox=True, environ={})
    parcels.create_parcel(app, ParcelData(weight=1, weight_unit="KG"))
    app.close()
    again = open_app(tmp_path, sandbox=True, environ={})
    assert again.store.count("parcel") == 1
    again.close()
