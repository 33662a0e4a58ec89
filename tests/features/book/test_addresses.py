"""Addresses: made, changed, refused, and bound to what holds them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.bootstrap import open_app
from shipcli.features.book import addresses, customs, parcels
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import AddressData, AddressPatch, Conflict, CustomsPatch, Invalid, NotFound, ParcelPatch
from tests.factories import PARCEL, RECIPIENT, draft

MEANWHILE_S = 0.5


def made(app: App, **fields: Any) -> Any:
    return addresses.create_address(app, AddressData.model_validate({"country_code": "US", **fields}))


def refused(**fields: Any) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        AddressData.model_validate({"country_code": "US", **fields})
    return {problem.field for problem in Invalid.from_pydantic(caught.value).problems}


@pytest.fixture
def checking(tmp_path: Path) -> Any:
    """An app whose addresses are validated offline."""
    flags = {"address_validation": "offline"}
    opened = open_app(tmp_path / "checking", sandbox=True, environ={}, flags=flags)
    yield opened
    opened.close()


# -- made --------------------------------------------------------------------------------------


def test_a_country_is_enough(app: App) -> None:
    address = made(app)
    assert address.id.startswith("adr_")
    assert address.object_type == "address"
    assert addresses.get_address(app, address.id) == address


def test_every_field_is_shown_and_flags_are_false(app: App) -> None:
    plain = made(app).model_dump()
    assert (plain["residential"], plain["validate_location"]) == (False, False)
    assert plain["validation"] is None
    assert {"federal_tax_id", "state_tax_id", "email", "street_number"} <= set(plain)


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("postal_code", 10), ("city", 30), ("federal_tax_id", 20), ("state_tax_id", 20), ("state_code", 20),
        ("street_number", 20), ("person_name", 50), ("company_name", 50), ("address_line1", 50),
        ("address_line2", 50),
    ],
)  # fmt: skip
def test_a_text_holds_so_many_characters(field: str, most: int) -> None:
    AddressData.model_validate({"country_code": "GB", field: "x" * most})
    assert refused(country_code="GB", **{field: "x" * (most + 1)}) == {field}


@pytest.mark.parametrize("fields", [{"country_code": None}, {"country_code": "XX"}, {"country_code": ""}])
def test_a_country_is_required_and_known(fields: dict[str, Any]) -> None:
    assert refused(**fields) == {"country_code"}


def test_a_canadian_postal_code_is_normalised(app: App) -> None:
    assert made(app, country_code="CA", postal_code="e1c 4z8").postal_code == "E1C4Z8"


@pytest.mark.parametrize(
    ("country", "code"), [("CA", "12345"), ("US", "E1C4Z8"), ("US", "1234"), ("US", "123456")]
)
def test_a_wrong_postal_code_is_refused(country: str, code: str) -> None:
    assert refused(country_code=country, postal_code=code) == {"postal_code"}


def test_a_phone_number_becomes_international(app: App) -> None:
    assert made(app, country_code="CA", phone_number="514 000 0000").phone_number == "+1 514-000-0000"
    assert refused(phone_number="call me") == {"phone_number"}


# -- validated ---------------------------------------------------------------------------------


def test_without_a_validation_service_the_address_is_stored_with_a_warning(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert made(app, validate_location=True).validation is None
    assert "no validation service" in caplog.text


def test_the_offline_rules_say_yes_with_success_and_meta(checking: App) -> None:
    validation = made(checking, **{**RECIPIENT, "validate_location": True}).validation
    assert validation.success is True
    assert validation.meta["provider"] == "offline"


def test_the_offline_rules_say_no_naming_the_field(checking: App) -> None:
    with pytest.raises(Invalid) as caught:
        made(checking, **{**RECIPIENT, "state_code": "NY", "validate_location": True})
    assert caught.value.code == "invalid_address"
    assert "postal_code" in {problem.field for problem in caught.value.problems}
    assert checking.store.count("address") == 0


def test_an_embedded_address_that_asks_is_validated_too(checking: App) -> None:
    bad = {**RECIPIENT, "state_code": "NY", "validate_location": True}
    with pytest.raises(Invalid) as caught:
        shipments.create_shipment(checking, draft(recipient=bad))
    assert "recipient.postal_code" in {problem.field for problem in caught.value.problems}


def test_a_change_beside_the_place_keeps_the_validation(checking: App) -> None:
    address = made(checking, **{**RECIPIENT, "validate_location": True})
    kept = addresses.update_address(checking, address.id, AddressPatch(email="a@example.com"))
    assert kept.validation == address.validation


# -- changed -----------------------------------------------------------------------------------


def test_a_patch_changes_the_given_fields_only_and_null_clears(app: App) -> None:
    address = made(app, **RECIPIENT, email="ana@example.com")
    changed = addresses.update_address(app, address.id, AddressPatch(city="Tempe", email=None))
    assert changed == address.model_copy(update={"city": "Tempe", "email": None})
    assert addresses.get_address(app, address.id) == changed


def test_changes_of_an_address_at_the_same_time_are_both_kept(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, check = made(app, **RECIPIENT), addresses.check_address
    second = threading.Thread(
        target=lambda: addresses.update_address(app, address.id, AddressPatch(email="ana@example.com"))
    )

    def checking(plain: Mapping[str, Any]) -> AddressData:
        monkeypatch.setattr(addresses, "check_address", check)
        second.start()
        second.join(MEANWHILE_S)  # it may have to wait for the end of this change
        return check(plain)

    monkeypatch.setattr(addresses, "check_address", checking)
    addresses.update_address(app, address.id, AddressPatch(city="Tempe"))
    second.join()
    found = addresses.get_address(app, address.id)
    assert (found.city, found.email) == ("Tempe", "ana@example.com")


def test_the_rules_of_the_country_hold_for_the_merged_address(app: App) -> None:
    address = made(app, country_code="GB", postal_code="SW1A 1AA")
    with pytest.raises(Invalid) as caught:
        addresses.update_address(app, address.id, AddressPatch(country_code="US"))
    assert {problem.field for problem in caught.value.problems} == {"postal_code"}
    moved = addresses.update_address(app, address.id, AddressPatch(country_code="CA", postal_code="e1c 4z8"))
    assert moved.postal_code == "E1C4Z8"


def test_an_id_in_a_patch_is_ignored(app: App) -> None:
    address = made(app)
    patch = AddressPatch.model_validate({"id": "adr_other", "city": "Tempe"})
    assert addresses.update_address(app, address.id, patch).id == address.id


def test_an_unknown_address_is_not_found(app: App) -> None:
    for call in (
        lambda: addresses.get_address(app, "adr_no"),
        lambda: addresses.update_address(app, "adr_no", AddressPatch(city="x")),
        lambda: addresses.discard_address(app, "adr_no"),
    ):
        with pytest.raises(NotFound):
            call()


# -- bound -------------------------------------------------------------------------------------


def test_a_change_without_influence_on_prices_keeps_the_rates(app: App) -> None:
    shipment = shipments.create_shipment(app, draft())
    same = AddressPatch(phone_number="602-262-4636", city=shipment.recipient.city)
    addresses.update_address(app, str(shipment.recipient.id), same)
    again = shipments.get_shipment(app, shipment.id)
    assert again.rates == shipment.rates
    assert again.recipient.phone_number == "+1 602-262-4636"


@pytest.mark.parametrize(
    "change",
    [{"address_line1": "2 Elm"}, {"address_line2": "B"}, {"postal_code": "85003"}, {"city": "Mesa"},
     {"country_code": "MX"}, {"residential": True}],
)  # fmt: skip
def test_a_change_of_place_empties_the_rates(app: App, change: dict[str, Any]) -> None:
    shipment = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    addresses.update_address(app, str(shipment.shipper.id), AddressPatch.model_validate(change))
    again = shipments.get_shipment(app, shipment.id)
    assert (again.rates, again.messages, again.selected_rate) == ([], [], None)


def test_an_address_of_a_bought_shipment_can_not_be_changed(app: App) -> None:
    shipment = shipments.create_shipment(app, draft(service="standard_service", carrier_ids=["generic"]))
    with pytest.raises(Conflict):
        addresses.update_address(app, str(shipment.recipient.id), AddressPatch(city="Tempe"))


def test_a_stand_alone_address_is_deleted(app: App) -> None:
    address = made(app)
    assert addresses.discard_address(app, address.id) == address
    with pytest.raises(NotFound):
        addresses.get_address(app, address.id)


def test_an_address_of_a_shipment_can_not_be_deleted(app: App) -> None:
    shipment = shipments.create_shipment(app, draft())
    with pytest.raises(Conflict):
        addresses.discard_address(app, str(shipment.shipper.id))


def test_only_stand_alone_addresses_are_listed(app: App) -> None:
    address = made(app)
    shipments.create_shipment(app, draft(recipient={"id": address.id}))
    page = app.store.page("address")
    assert page.count == 1
    assert address.id in page.items[0]


def test_both_modes_see_an_address(app: App) -> None:
    assert addresses.get_address(app.in_mode(False), made(app).id)


def test_what_is_nested_in_a_draft_of_the_other_mode_is_read_but_not_changed(app: App) -> None:
    goods = {"weight": 1, "weight_unit": "KG", "title": "Mug"}
    given = draft(parcels=[PARCEL, PARCEL], customs={"commodities": [goods]})
    shipment = shipments.create_shipment(app.in_mode(False), given)
    address, parcel, declaration = shipment.recipient, shipment.parcels[0], shipment.customs
    assert declaration is not None
    assert addresses.get_address(app, str(address.id)) == address
    for change in (
        lambda: addresses.update_address(app, str(address.id), AddressPatch(city="Elsewhere")),
        lambda: parcels.update_parcel(app, str(parcel.id), ParcelPatch(weight=9)),
        lambda: parcels.discard_parcel(app, str(parcel.id)),
        lambda: customs.update_declaration(app, str(declaration.id), CustomsPatch(invoice="7")),
        lambda: customs.discard_declaration(app, str(declaration.id)),
    ):
        with pytest.raises(NotFound, match=shipment.id):
            change()
    assert shipments.get_shipment(app.in_mode(False), shipment.id) == shipment
