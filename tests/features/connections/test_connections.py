"""Connections: what they need, what they hide, what becomes of them."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli import carriers
from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.connections import accounts, catalog
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Conflict,
    Connection,
    ConnectionData,
    ConnectionPatch,
    Invalid,
    NoConnection,
    NotFound,
    Refused,
    ShipmentCancelData,
    ShipmentPurchaseData,
)
from shipcli.store.query import equal
from tests.factories import draft
from tests.features.conftest import live_labels
from tests.features.connections.samples import UPS

MEANWHILE_S = 0.5
CUSTOM = {"display_name": "Bike Courier", "custom_carrier_name": "bikes"}


def body(**fields: Any) -> ConnectionData:
    return ConnectionData.model_validate(
        {"carrier_name": "ups", "carrier_id": "ups-main", "credentials": UPS, **fields}
    )


def added(app: App, **fields: Any) -> Connection:
    return connections.add_connection(app, body(**fields))


def custom(app: App) -> Connection:
    return added(app, carrier_name="generic", carrier_id="bike-1", credentials=CUSTOM)


def patched(app: App, connection: Connection, **fields: Any) -> Connection:
    return connections.update_connection(app, connection.id, ConnectionPatch.model_validate(fields))


def refused(app: App, **fields: Any) -> set[str]:
    with pytest.raises(Invalid) as caught:
        added(app, **fields)
    return {problem.field for problem in caught.value.problems}


def everything(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


# -- added -------------------------------------------------------------------------------------


def test_a_new_connection_is_active_and_empty_where_nothing_was_said(app: App) -> None:
    made = added(app)
    assert made.id.startswith("car_")
    assert (made.is_system, made.active, made.config, made.metadata) == (False, True, {}, {})
    assert made.test_mode is True
    assert made.display_name == "UPS"
    assert connections.get_connection(app, made.id) == made


def test_missing_credentials_are_named_bare(app: App) -> None:
    assert refused(app, credentials={"client_id": "me"}) == {"client_secret", "account_number"} - {
        name for name, row in registry.get("ups").connection_fields().items() if not row["required"]
    }


def test_unknown_credentials_are_dropped_and_missing_optional_ones_null(app: App) -> None:
    credentials = added(app, credentials={**UPS, "colour": "brown"}).credentials or {}
    assert "colour" not in credentials
    assert credentials["account_country_code"] is None


def test_a_number_given_for_a_text_is_text(app: App) -> None:
    assert (added(app, credentials={**UPS, "account_number": 123456}).credentials or {})[
        "account_number"
    ] == "123456"


AMAZON = {"carrier_name": "amazon_shipping", "carrier_id": "amz"}
OF_V1 = {"seller_id": "S1", "developer_id": "D1", "mws_auth_token": "amzn.mws.1"}
OF_V2 = {"client_id": "app", "client_secret": "hush", "refresh_token": "Atzr|1"}


def test_a_connection_of_an_api_that_is_gone_is_kept_and_filled_in(app: App) -> None:
    assert refused(app, **AMAZON, credentials={"client_id": "app"}) == {"client_secret", "refresh_token"}
    old = added(app, **AMAZON, credentials=OF_V1)
    with pytest.raises(Refused) as caught:
        connections.check_connection(app, old.id)
    assert "client_id, client_secret, refresh_token: shipcli connections update amz" in str(caught.value)
    new = patched(app, old, credentials=OF_V2).credentials or {}
    assert new == {**OF_V1, **OF_V2, "aws_region": "us-east-1", **dict.fromkeys(
        ("account_country_code", "shipping_business_id")
    )}  # fmt: skip


@pytest.mark.parametrize("name", ["upss", "", "UPS"])
def test_an_unknown_carrier_is_refused(app: App, name: str) -> None:
    assert refused(app, carrier_name=name) == {"carrier_name"}


def test_a_blank_name_is_refused(app: App) -> None:
    assert refused(app, carrier_id=" ") == {"carrier_id"}


@pytest.mark.parametrize("wanted", [None, []])
def test_no_capabilities_asked_for_means_all(app: App, wanted: Any) -> None:
    assert added(app, capabilities=wanted).capabilities == registry.get("ups").capabilities()


def test_capabilities_are_limited_to_those_of_the_carrier(app: App) -> None:
    assert added(app, capabilities=["rating", "manifest", "flying"]).capabilities == ["rating"]


def test_a_connection_that_can_do_nothing_is_asked_for_nothing(app: App) -> None:
    made = added(app, capabilities=["flying"])
    found = {account.id for account in accounts.choose(app, "rating", carrier_name="ups")}
    assert made.id not in found


def test_two_connections_may_share_a_name_and_the_newest_serves(app: App) -> None:
    first, second = added(app), added(app)
    chosen = accounts.find_named_account(app, None, "ups-main", "shipping")
    assert first.id != second.id
    assert chosen.id == second.id


def test_what_another_process_does_to_connections_is_seen_by_the_next_request(app: App) -> None:
    def known() -> set[str]:
        return {account.carrier_id for account in accounts.list_accounts(app)}

    def elsewhere(act: Callable[[App], object]) -> set[str]:
        """What is known before another process acts, told apart from what is known after."""
        before, child = known(), multiprocessing.get_context("fork").Process(target=acting, args=(app, act))
        child.start()
        child.join()
        assert child.exitcode == 0
        return before ^ known()

    def acting(inherited: App, act: Callable[[App], object]) -> None:
        other = open_app(inherited.home.parent, sandbox=True, environ={})
        act(other)
        other.close()

    assert elsewhere(lambda other: added(other, carrier_id="new")) == {"new"}
    made = accounts.find_named_account(app, None, "new", "shipping")
    shut, opened = ConnectionPatch(active=False), ConnectionPatch(active=True)
    assert elsewhere(lambda other: connections.update_connection(other, made.id, shut)) == {"new"}
    assert elsewhere(lambda other: connections.update_connection(other, made.id, opened)) == {"new"}
    assert elsewhere(lambda other: connections.remove_connection(other, made.id)) == {"new"}


def test_a_carrier_that_is_broken_does_not_keep_others_from_being_named(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_text("import no_such_module")
    monkeypatch.setattr(carriers, "__path__", [*carriers.__path__, str(tmp_path)])
    for cached in (registry.list_slugs, registry._find_folders):
        cached.cache_clear()
    made = added(app)
    with app.store.transaction() as tx:
        odd = {
            **made.model_dump(),
            "id": "car_odd",
            "carrier_name": "odd",
            "carrier_id": "odd",
            "credentials": None,
        }
        tx.put("connection", odd, test_mode=True)
        accounts.mark_changed(app, tx, "car_odd")
    try:
        assert [one.slug for one in accounts.choose(app, "shipping", carrier_name="ups")][:1] == ["ups"]
    finally:
        registry.list_slugs.cache_clear()
        registry._find_folders.cache_clear()


def updated_while(
    app: App, monkeypatch: pytest.MonkeyPatch, connection: Connection, act: Callable[[], object]
) -> None:
    """Change the name in the middle of what another thread does, which may have to wait for the end of it."""
    other, check = threading.Thread(target=act), connections.check_name

    def checking(carrier_id: str) -> str:
        other.start()
        other.join(MEANWHILE_S)
        return check(carrier_id)

    monkeypatch.setattr(connections, "check_name", checking)
    patched(app, connection, carrier_id="renamed")
    other.join()


def test_changes_of_a_connection_at_the_same_time_are_both_kept(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = added(app)
    updated_while(app, monkeypatch, made, lambda: patched(app, made, credentials={"account_number": "Z9"}))
    found = connections.get_connection(app, made.id)
    assert (found.carrier_id, found.credentials) == (
        "renamed",
        {**(made.credentials or {}), "account_number": "Z9"},
    )


def test_a_change_does_not_bring_a_removed_connection_back(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    made = added(app)
    updated_while(app, monkeypatch, made, lambda: connections.remove_connection(app, made.id))
    with pytest.raises(NotFound):
        connections.get_connection(app, made.id)


def test_a_removal_that_came_to_nothing_is_not_remembered(app: App) -> None:
    def known() -> set[str]:
        return {account.id for account in accounts.list_accounts(app)}

    def remove_in_vain(connection_id: str) -> None:
        with app.store.transaction() as tx:
            tx.delete("connection", connection_id)
            accounts.mark_changed(app, tx, connection_id)
            assert connection_id not in known()
            raise ZeroDivisionError

    before = known()
    with pytest.raises(ZeroDivisionError):
        remove_in_vain(min(before))
    assert known() == before


def test_a_name_shared_by_two_carriers_is_not_mixed_up(app: App) -> None:
    added(app, carrier_id="main")
    other = added(app, carrier_name="generic", carrier_id="main", credentials=CUSTOM)
    assert accounts.find_named_account(app, None, "main", "shipping", "ups").slug == "ups"
    assert accounts.find_named_account(app, None, "main", "shipping", "bikes").id == other.id


def test_a_simulated_connection_is_for_test_mode(tmp_path: Path) -> None:
    app = open_app(tmp_path / "real", environ={})
    try:
        assert added(app, config={"sandbox": True}).config == {"sandbox": True}
        assert refused(app.in_mode(False), config={"sandbox": True}) == {"config.sandbox"}
    finally:
        app.close()


# -- checked -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [kind.slug for kind in registry.list_working()])
def test_the_credentials_of_the_simulated_account_pass_the_check(app: App, slug: str) -> None:
    data = body(carrier_name=slug, carrier_id="checked", credentials=registry.get(slug).sample_account)
    assert connections.add_connection(app, data, check=True).carrier_id == "checked"


@pytest.mark.parametrize(
    ("slug", "field"), [("ups", "client_id"), ("usps", "client_id"), ("canadapost", "username")]
)
def test_refused_credentials_store_nothing(app: App, slug: str, field: str) -> None:
    credentials = {**registry.get(slug).sample_account, field: "denied"}
    before = (
        app.store.count("connection"),
        len(app.store.select("secrets")),
        len(app.store.select("tokens")),
    )
    with pytest.raises(Refused) as caught:
        connections.add_connection(app, body(carrier_name=slug, credentials=credentials), check=True)
    assert caught.value.status == 424
    assert caught.value.messages
    after = (app.store.count("connection"), len(app.store.select("secrets")), len(app.store.select("tokens")))
    assert after == before


def test_a_stored_connection_is_checked_anew_whatever_token_is_kept(app: App) -> None:
    row = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})[0]
    shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    connections.check_connection(app, row["id"])
    stored = connections.get_connection(app, row["id"])
    connections.store(
        app, stored.model_copy(update={"credentials": {**(stored.credentials or {}), "client_id": "expired"}})
    )
    with pytest.raises(Refused):
        connections.check_connection(app, row["id"])


# -- changed -----------------------------------------------------------------------------------


def test_a_setting_that_the_carrier_does_not_have_is_refused_with_the_nearest(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        added(app, config={"cost_centre": "A", "server_url": "https://own.example"})
    reasons = {problem.field: problem.reason for problem in caught.value.problems}
    assert reasons.keys() == {"config.cost_centre", "config.server_url"}
    assert "did you mean cost_center?" in reasons["config.cost_centre"]
    assert added(app, config={"timezone": "Europe/Oslo", "sandbox_scenario": None}).config
    made = added(app, carrier_id="ups-2")
    with pytest.raises(Invalid, match="label_type"):
        patched(app, made, config={"labeltype": "ZPL_6x4"})


def test_credentials_and_config_are_merged_and_null_removes(app: App) -> None:
    made = added(
        app,
        credentials={**UPS, "account_country_code": "US"},
        config={"label_type": "ZPL_6x4", "cost_center": "A"},
    )
    changed = patched(
        app,
        made,
        credentials={"client_id": "you", "account_country_code": None},
        config={"cost_center": None, "merchant_id": "B"},
        metadata={"new": True},
    )
    assert changed.credentials == {**UPS, "client_id": "you", "account_country_code": None}
    assert changed.config == {"label_type": "ZPL_6x4", "merchant_id": "B"}
    assert changed.metadata == {"new": True}
    assert connections.get_connection(app, made.id) == changed


def test_a_required_credential_can_not_be_removed(app: App) -> None:
    made = added(app)
    with pytest.raises(Invalid) as caught:
        patched(app, made, credentials={"client_secret": None})
    assert [problem.field for problem in caught.value.problems] == ["client_secret"]


def test_the_carrier_can_not_be_changed(app: App) -> None:
    assert patched(app, added(app), carrier_name="usps").carrier_name == "ups"


def test_other_credentials_forget_the_tokens_of_the_old_ones(app: App) -> None:
    row = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})[0]
    shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    assert app.store.select("tokens", {"connection_id": row["id"]})
    stored = connections.get_connection(app, row["id"])
    patched(app, stored, credentials={"client_id": "denied"})
    assert app.store.select("tokens", {"connection_id": row["id"]}) == []
    with pytest.raises(Refused):
        shipments.create_shipment(app, draft(carrier_ids=["ups"]))


def test_a_custom_carriers_display_name_follows_its_credentials(app: App) -> None:
    made = custom(app)
    assert made.display_name == "Bike Courier"
    assert patched(app, made, credentials={"display_name": "Cargo Bikes"}).display_name == "Cargo Bikes"


# -- system connections ------------------------------------------------------------------------


def test_a_system_connection_hides_credentials_and_metadata_everywhere(app: App) -> None:
    made = connections.add_connection(app, body(metadata={"a": 1}), is_system=True)
    seen = [made, connections.get_connection(app, made.id), patched(app, made, active=True)]
    seen += [
        connections.reveal_connection(app, one)
        for one in app.store.each("connection", [equal("id", made.id)])
    ]
    seen.append(connections.remove_connection(app, made.id))
    assert {(one.credentials, one.metadata) for one in seen} == {(None, None)}


def test_a_change_of_a_system_connection_keeps_what_it_hides(app: App) -> None:
    made = connections.add_connection(app, body(metadata={"a": 1}), is_system=True)
    patched(app, made, carrier_id="renamed")
    stored = app.store.get("connection", made.id) or {}
    assert stored["metadata"] == {"a": 1}
    assert accounts.read_credentials(app, made.id)["client_secret"] == UPS["client_secret"]


# -- removed -----------------------------------------------------------------------------------


def test_what_was_bought_stays_when_its_connection_is_removed(app: App) -> None:
    made = custom(app)
    shipment = shipments.create_shipment(app, draft(carrier_ids=["bike-1"], service="standard_service"))
    gone = connections.remove_connection(app, made.id)
    assert [message.message for message in gone.messages or ()] == [
        "1 label of bike-1 can't be voided, tracked or collected without a connection: "
        "add one to generic with the carrier_id bike-1 again, and it takes them over"
    ]
    again = shipments.get_shipment(app, shipment.id)
    assert (again.carrier_name, again.carrier_id) == ("bikes", "bike-1")
    assert app.store.select("secrets", {"id": made.id}) == []
    with pytest.raises(NotFound):
        connections.get_connection(app, made.id)


def test_a_connection_that_a_pickup_needs_stays(app: App) -> None:
    made = custom(app)
    pickup = {"id": "pck_1", "carrier_name": "generic", "meta": {"connection_id": made.id}}
    with app.store.transaction() as tx:
        tx.put("pickup", pickup, test_mode=True)
    with pytest.raises(Conflict):
        connections.remove_connection(app, made.id)


def test_the_other_mode_does_not_see_a_connection(app: App) -> None:
    made = added(app)
    for call in (connections.get_connection, connections.remove_connection, connections.check_connection):
        with pytest.raises(NotFound):
            call(app.in_mode(False), made.id)


# -- custom carriers ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Bikes", "bi kes", "bi-kes", ""])
def test_a_custom_carriers_name_is_letters_digits_and_lines(app: App, name: str) -> None:
    wrong = {**CUSTOM, "custom_carrier_name": name}
    assert refused(app, carrier_name="generic", credentials=wrong) == {"custom_carrier_name"}


def test_a_custom_carrier_shows_its_name_on_rates_and_shipments(app: App) -> None:
    custom(app)
    made = shipments.create_shipment(app, draft(carrier_ids=["bike-1"]))
    assert {(rate.carrier_name, rate.carrier_id) for rate in made.rates} == {("bikes", "bike-1")}
    done = shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert (done.carrier_name, done.carrier_id) == ("bikes", "bike-1")
    assert (done.meta or {})["carrier"] == "bikes"
    assert (done.meta or {})["service_name"] == "STANDARD SERVICE"
    assert catalog.list_custom_carriers(app)["bikes"] == "Bike Courier"


def test_a_custom_carrier_is_filtered_by_the_slug(app: App) -> None:
    made = custom(app)
    found = [
        json.loads(text)["id"]
        for text in app.store.page("connection", [equal("carrier_name", "generic")]).items
    ]
    assert made.id in found
    assert app.store.page("connection", [equal("carrier_name", "bikes")]).count == 0


def test_a_custom_carrier_that_calls_itself_like_a_real_one_does_not_take_its_place(app: App) -> None:
    shipment = shipments.create_shipment(app, draft(service="ups_ground", carrier_ids=["ups"]))
    added(app, carrier_name="generic", credentials={**CUSTOM, "custom_carrier_name": "ups"})
    proxy.void_label(app, "ups", ShipmentCancelData(shipment_identifier=str(shipment.shipment_identifier)))
    assert live_labels(app) == {}


# -- sealed ------------------------------------------------------------------------------------


def test_no_secret_stands_in_clear_in_any_file(tmp_path: Path) -> None:
    home = tmp_path / "sealed"
    app = open_app(home, sandbox=True, environ={})
    try:
        made = connections.add_connection(app, body(), check=True)
        shipments.create_shipment(app, draft(carrier_ids=["ups-main"]))
        assert UPS["client_secret"].encode() not in everything(home)
        tokens = app.store.select("tokens", {"connection_id": made.id})
        assert tokens
        value = app.driver.tokens.get(made.id, tokens[0]["name"])
        assert value
        assert value.value.encode() not in everything(home)
    finally:
        app.close()
    assert UPS["client_secret"].encode() not in everything(home)


def test_the_first_connection_of_a_new_store_makes_its_key(tmp_path: Path) -> None:
    app = open_app(tmp_path / "fresh", environ={})
    try:
        assert added(app, config={"sandbox": True}).id
    finally:
        app.close()


def test_what_a_carrier_never_does_is_told_of_its_connection_by_any_name(app: App) -> None:
    made = ConnectionData(
        carrier_name="aramex", carrier_id="gulf", credentials=registry.get("aramex").sample_account
    )
    connections.add_connection(app, made)
    for name in ("gulf", "aramex"):
        with pytest.raises(NoConnection) as failed:
            accounts.choose(app, "rating", carrier_ids=[name])
        assert failed.value.details == {name: "Aramex tells no prices through shipcli"}
