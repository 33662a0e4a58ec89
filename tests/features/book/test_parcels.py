"""Parcels: sizes, presets, numbers, items, and the shipments they belong to."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.book import nested, parcels
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, Invalid, NotFound, ParcelData, ParcelPatch
from tests.factories import PARCEL, draft

ITEM = {"weight": 1, "weight_unit": "KG", "title": "Mug"}
BOX = {"weight": 1, "weight_unit": "KG"}


def made(app: App, **fields: Any) -> Any:
    return parcels.create_parcel(app, ParcelData.model_validate({**BOX, **fields}))


def patched(app: App, parcel_id: Any, **fields: Any) -> Any:
    return parcels.update_parcel(app, str(parcel_id), ParcelPatch.model_validate(fields))


def refused(**fields: Any) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        ParcelData.model_validate({**BOX, **fields})
    return {problem.field for problem in Invalid.from_pydantic(caught.value).problems}


# -- made --------------------------------------------------------------------------------------


def test_weight_and_unit_are_enough(app: App) -> None:
    parcel = made(app)
    assert parcel.id.startswith("pcl_")
    assert (parcel.is_document, parcel.options, parcel.items) == (False, {}, [])
    assert parcels.get_parcel(app, parcel.id) == parcel


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"weight": None}, "weight"), ({"weight_unit": None}, "weight_unit"),
        ({"weight_unit": "ST"}, "weight_unit"),
        ({"dimension_unit": "FT"}, "dimension_unit"), ({"width": 1}, "dimensions"),
        ({"width": 1, "height": 1, "length": 1}, "dimension_unit"),
        ({"packaging_type": "x" * 51}, "packaging_type"),
        ({"package_preset": "x" * 51}, "package_preset"), ({"description": "x" * 251}, "description"),
        ({"content": "x" * 101}, "content"), ({"reference_number": "x" * 101}, "reference_number"),
        ({"freight_class": "x" * 7}, "freight_class"),
        ({"items": [{**ITEM, "title": "x" * 36}]}, "items[0].title"),
        ({"items": [{**ITEM, "sku": "x" * 36}]}, "items[0].sku"),
        ({"items": [{**ITEM, "description": "x" * 101}]}, "items[0].description"),
        ({"items": [{"title": "Mug"}]}, "items[0].weight"),
        ({"items": [{**ITEM, "origin_country": "XX"}]}, "items[0].origin_country"),
        ({"items": [{**ITEM, "value_currency": "XXX_"}]}, "items[0].value_currency"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_refused_by_name(fields: dict[str, Any], wrong: str) -> None:
    assert wrong in refused(**fields)


@pytest.mark.parametrize("unit", ["KG", "LB", "OZ", "G"])
def test_every_weight_unit_is_taken(app: App, unit: str) -> None:
    assert made(app, weight_unit=unit).weight_unit == unit


def test_items_get_ids_and_a_quantity(app: App) -> None:
    (item,) = made(app, items=[ITEM]).items
    assert str(item.id).startswith("cdt_")
    assert item.quantity == 1


def test_options_are_kept_as_given(app: App) -> None:
    options = {"insurance": Decimal("100.10"), "insured_by": "carrier", "anything": [1, None]}
    assert made(app, options=options).options == options


# -- presets -----------------------------------------------------------------------------------


def test_a_preset_fills_the_sizes(app: App) -> None:
    parcel = made(app, package_preset="canadapost_mailing_box")
    sizes = (parcel.width, parcel.height, parcel.length, parcel.dimension_unit)
    assert sizes == (Decimal("10.2"), Decimal("15.2"), Decimal("1.0"), "CM")


def test_what_the_caller_says_stands_and_the_rest_comes_in_its_unit(app: App) -> None:
    parcel = made(app, package_preset="canadapost_mailing_box", width=5, dimension_unit="IN")
    sizes = (parcel.width, parcel.height, parcel.length, parcel.dimension_unit)
    assert sizes == (Decimal(5), Decimal("5.98"), Decimal("0.39"), "IN")


def test_an_unknown_preset_is_kept_and_fills_nothing(app: App) -> None:
    parcel = made(app, package_preset="shoebox")
    assert (parcel.package_preset, parcel.width) == ("shoebox", None)


def test_an_unknown_preset_does_not_excuse_a_missing_size(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        made(app, package_preset="shoebox", width=1)
    assert caught.value.problems[0].field == "dimensions"


def test_a_missing_size_in_a_shipment_is_named_with_its_parcel(app: App) -> None:
    bad = {**BOX, "package_preset": "shoebox", "width": 1}
    with pytest.raises(Invalid) as caught:
        shipments.create_shipment(app, draft(parcels=[PARCEL, bad]))
    assert caught.value.problems[0].field == "parcels[1].dimensions"


# -- numbers -----------------------------------------------------------------------------------


def test_a_missing_reference_number_is_ten_digits_and_grows(app: App) -> None:
    first, second = made(app).reference_number, made(app).reference_number
    assert len(first) == 10
    assert int(second) == int(first) + 1


def test_a_given_reference_number_stays(app: App) -> None:
    assert made(app, reference_number="BOX-1").reference_number == "BOX-1"


def test_a_number_is_not_used_again_after_a_deletion(app: App) -> None:
    first = made(app)
    parcels.discard_parcel(app, first.id)
    assert made(app).reference_number > first.reference_number


def test_two_processes_never_give_the_same_number(app: App, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom shipcli.models import ParcelData\n"
        "from shipcli.bootstrap import open_app\n"
        "from shipcli.features.book.parcels import create_parcel\n"
        "app = open_app(Path(sys.argv[1]), sandbox=True, environ={})\n"
        "one = ParcelData(weight=1, weight_unit='KG')\n"
        "for _ in range(20): print(create_parcel(app, one).reference_number)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "home")]
    with ThreadPoolExecutor(2) as both:
        done = list(both.map(lambda _: subprocess.check_output(command, text=True), range(2)))
    lists = [numbers.split() for numbers in done]
    assert [len(numbers) for numbers in lists] == [20, 20]
    assert all(numbers == sorted(numbers) for numbers in lists)
    assert len({*lists[0], *lists[1]}) == 40


# -- changed -----------------------------------------------------------------------------------


def test_a_patch_changes_the_given_fields_and_merges_options(app: App) -> None:
    parcel = made(app, options={"a": 1, "b": 2}, description="old")
    changed = patched(app, parcel.id, options={"a": None, "c": 3}, description=None)
    assert changed == parcel.model_copy(update={"options": {"b": 2, "c": 3}, "description": None})
    assert parcels.get_parcel(app, parcel.id) == changed


def test_the_sizes_of_the_merged_parcel_belong_together(app: App) -> None:
    parcel = made(app)
    with pytest.raises(Invalid) as caught:
        patched(app, parcel.id, width=1)
    assert caught.value.problems[0].field == "dimensions"


@pytest.mark.parametrize("fields", [{"weight": None}, {"weight_unit": None}, {"weight": -1}])
def test_a_weight_can_not_be_taken_away(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ParcelPatch.model_validate(fields)


def test_an_item_is_changed_by_its_id_and_others_are_added(app: App) -> None:
    parcel = made(app, items=[ITEM, {**ITEM, "title": "Cup"}])
    first, second = parcel.items
    changed = patched(app, parcel.id, items=[{"id": first.id, "quantity": 3}, {**ITEM, "title": "Jug"}])
    assert [item.title for item in changed.items] == ["Mug", "Cup", "Jug"]
    assert changed.items[0] == first.model_copy(update={"quantity": 3})
    assert changed.items[1] == second
    assert nested.find(app, "commodity", str(changed.items[2].id))


def test_a_wrong_item_is_named_by_its_place(app: App) -> None:
    parcel = made(app, items=[ITEM])
    with pytest.raises(Invalid) as caught:
        patched(app, parcel.id, items=[{"id": parcel.items[0].id, "weight_unit": "ST"}])
    assert caught.value.problems[0].field == "items[0].weight_unit"


def test_an_empty_list_removes_all_items(app: App) -> None:
    parcel = made(app, items=[ITEM])
    assert patched(app, parcel.id, items=[]).items == []


@pytest.mark.parametrize(
    "fields", [{"weight": 9}, {"length": 20}, {"weight_unit": "KG"}, {"is_document": True}]
)
def test_a_change_of_weight_or_size_empties_a_drafts_rates(app: App, fields: dict[str, Any]) -> None:
    shipment = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    patched(app, shipment.parcels[0].id, **fields)
    again = shipments.get_shipment(app, shipment.id)
    assert again.rates == []
    assert again.parcels[0].model_dump() | fields == again.parcels[0].model_dump()


def test_another_description_keeps_the_rates(app: App) -> None:
    shipment = shipments.create_shipment(app, draft())
    patched(app, shipment.parcels[0].id, description="Mugs", weight=PARCEL["weight"])
    assert shipments.get_shipment(app, shipment.id).rates == shipment.rates


def test_a_new_item_of_an_embedded_parcel_can_be_found(app: App) -> None:
    shipment = shipments.create_shipment(app, draft())
    changed = patched(app, shipment.parcels[0].id, items=[ITEM])
    assert nested.find(app, "commodity", changed.items[0].id) == changed.items[0].model_dump()


def test_a_parcel_of_a_bought_shipment_can_not_be_changed(app: App) -> None:
    shipment = shipments.create_shipment(app, draft(service="standard_service", carrier_ids=["generic"]))
    with pytest.raises(Conflict):
        patched(app, shipment.parcels[0].id, description="no")


# -- deleted -----------------------------------------------------------------------------------


def test_a_stand_alone_parcel_is_deleted_with_its_items(app: App) -> None:
    parcel = made(app, items=[ITEM])
    assert parcels.discard_parcel(app, parcel.id) == parcel
    with pytest.raises(NotFound):
        parcels.get_parcel(app, parcel.id)
    assert nested.find(app, "commodity", str(parcel.items[0].id)) is None


def test_the_only_parcel_of_a_shipment_can_not_be_deleted(app: App) -> None:
    shipment = shipments.create_shipment(app, draft())
    with pytest.raises(Conflict):
        parcels.discard_parcel(app, str(shipment.parcels[0].id))


def test_one_of_several_parcels_is_taken_out_of_a_draft(app: App) -> None:
    shipment = shipments.create_shipment(app, draft(parcels=[PARCEL, {**PARCEL, "items": [ITEM]}]))
    gone = shipment.parcels[1]
    parcels.discard_parcel(app, str(gone.id))
    again = shipments.get_shipment(app, shipment.id)
    assert ([one.id for one in again.parcels], again.rates) == ([shipment.parcels[0].id], [])
    assert nested.find(app, "parcel", str(gone.id)) is None
    assert nested.find(app, "commodity", str(gone.items[0].id)) is None


def test_only_parcels_outside_of_shipments_are_listed(app: App) -> None:
    parcel = made(app)
    shipment = shipments.create_shipment(app, draft(parcels=[{"id": parcel.id}]))
    assert shipment.parcels[0].id != parcel.id
    assert app.store.page("parcel").count == 1
