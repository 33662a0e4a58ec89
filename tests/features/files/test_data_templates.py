"""Data templates: made, changed, used, and the ready-made ones beside them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.core.app import App
from shipcli.features.files import data_templates
from shipcli.features.files.engine import ImportPlan
from shipcli.models import Conflict, Invalid, NotFound
from shipcli.models.data_template import DataTemplate, DataTemplateData, DataTemplatePatch
from shipcli.readers.ready_made import list_ready_made
from shipcli.readers.tables import DataFile
from tests.features.importing import check_orders, import_shipments


def body(**changes: Any) -> dict[str, Any]:
    fields = {"order_id": "No"}
    return {"slug": "till", "name": "The till", "resource_type": "order", "fields_mapping": fields, **changes}


def made(app: App, **changes: Any) -> DataTemplate:
    return data_templates.create_template(app, DataTemplateData.model_validate(body(**changes)))


def patch(**changes: Any) -> DataTemplatePatch:
    return DataTemplatePatch.model_validate(changes)


def test_a_template_comes_back_as_it_was_made(app: App) -> None:
    fields = {"order_id": "No", "weight": {"header": "Kg", "transforms": ["amount"]}}
    template = made(app, fields_mapping=fields, metadata={"by": "me"})
    assert template.id.startswith("data_")
    assert template.resource_type == "orders"
    found = data_templates.get_template(app, "till").model_dump()
    assert found["fields_mapping"] == fields
    assert found == data_templates.get_template(app, template.id).model_dump()


@pytest.mark.parametrize(
    "wrong",
    [
        {"slug": "The Till"},
        {"slug": "x" * 26},
        {"name": "x" * 51},
        {"resource_type": "x"},
        {"fields_mapping": {}},
    ],
)
def test_a_wrong_template_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DataTemplateData.model_validate(body(**wrong))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"order_no": "No"}, "did you mean order_id"),
        ({"weight": {"header": "Kg", "transforms": ["amuont"]}}, "Did you mean amount"),
        ({"weight": {"transforms": ["amount"]}}, "neither a header"),
    ],
)
def test_unknown_fields_and_transforms_are_named(app: App, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        made(app, fields_mapping=fields)


def test_a_slug_is_taken_once(app: App) -> None:
    made(app)
    other = made(app, slug="other")
    with pytest.raises(Invalid, match="already"):
        made(app)
    with pytest.raises(Invalid, match="already"):
        data_templates.update_template(app, other.slug, patch(slug="till"))


def test_a_change_merges_the_mapping_and_null_unmaps(app: App) -> None:
    made(app)
    changed = data_templates.update_template(
        app, "till", patch(fields_mapping={"title": "What", "order_id": None}, name="Other")
    )
    assert changed.fields_mapping == {"title": "What"}
    assert (changed.name, changed.resource_type) == ("Other", "orders")


def test_a_template_is_removed(app: App) -> None:
    made(app)
    data_templates.discard_template(app, "till")
    with pytest.raises(NotFound, match="Known: amazon"):
        data_templates.get_template(app, "till")


def test_ready_made_templates_are_listed_and_stay(app: App) -> None:
    slugs = [one.slug for one in data_templates.list_templates(app)]
    assert slugs == list(list_ready_made())
    with pytest.raises(Conflict, match="--like shopify"):
        data_templates.discard_template(app, "shopify")


def test_a_stored_template_goes_before_a_ready_made_one(app: App) -> None:
    made(app, slug="shopify")
    assert data_templates.get_template(app, "shopify").name == "The till"
    assert [one.slug for one in data_templates.list_templates(app)].count("shopify") == 1


def test_both_modes_share_templates(app: App) -> None:
    made(app)
    assert data_templates.get_template(app.in_mode(False), "till").slug == "till"


def test_an_unknown_template_or_one_for_something_else_is_refused(app: App) -> None:
    table = DataFile("x.csv", b"No\n1\n")
    with pytest.raises(Invalid, match="Did you mean shopify"):
        data_templates.map_file(app, table, "orders", template="shopfy")
    with pytest.raises(Invalid, match="is for orders, not for trackers"):
        data_templates.map_file(app, table, "trackers", template="shopify")
    with pytest.raises(Invalid, match="did you mean weight"):
        data_templates.map_file(app, table, "orders", constants={"wieght": "1"})


def test_errors_name_the_columns_of_the_file(app: App) -> None:
    fields = {"order_id": "No", "weight": "Kg", "shipping_to_country": "Land"}
    made(app, fields_mapping=fields)
    table = DataFile("x.csv", b"No,Kg,Land\n1,heavy,US\n")
    checked = check_orders(app, data_templates.map_file(app, table, "orders", template="till"), ImportPlan())
    assert [(one.row, one.column) for one in checked.wrong] == [(2, "Kg")]
    assert [row.cells for row in checked.bad_rows] == [{"No": "1", "Kg": "heavy", "Land": "US"}]
    short = data_templates.map_file(app, DataFile("x.csv", b"No,Kg\n1,1\n"), "orders", template="till")
    with pytest.raises(Invalid, match="lacks the column 'Land'"):
        check_orders(app, short, ImportPlan())


def test_shipments_are_imported_through_a_template_too(app: App) -> None:
    fields = {
        "reference": "Ref", "parcel_weight": "Kg",
        "recipient_country": {"header": "To", "transforms": ["country"]},
        "shipper_country": {"constant": "US"}, "recipient_name": "Who",
    }  # fmt: skip
    made(app, slug="parcels", resource_type="shipment", fields_mapping=fields)
    table = DataFile("x.csv", b"Ref,Kg,To,Who\nA,2,United States,Ana\n")
    rows = data_templates.map_file(app, table, "shipments", template="parcels")
    (row,) = import_shipments(app, rows, ImportPlan(key=("Ref",))).rows
    assert (row.key, row.reference) == ("A", "A")
    (shipment,) = app.store.each("shipment")
    assert shipment["recipient"]["country_code"] == "US"
