"""The tables of a carrier come out of its data file, when they are needed."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.carrier import Catalogue, Service, ServiceTable, StatusMap, load_catalogue
from tests.carrier.stub import Stub

DATA: dict[str, Any] = {
    "services": [
        {"slug": "x_standard", "code": "X Standard", "wire": "11", "origins": ["US", "*"]},
        {"slug": "x_standard_de", "code": "X Standard DE", "wire": "11", "origins": ["DE"]},
        {"slug": "x_standard_eu", "code": "X Standard EU", "wire": "11", "origins": ["EU"]},
        {"slug": "x_far", "code": "FAR", "origins": ["DE"]},
        {"slug": "x_usps_first", "code": "First", "carrier": "USPS"},
        {"slug": "x_fedex_first", "code": "First", "carrier": "FedEx", "listed": False},
    ],
    "options": [
        {"slug": "x_insurance", "code": "INS", "type": "float", "aliases": ["insurance"]},
        {"slug": "x_saturday", "code": "SAT", "paths": {"ship": "Options/Saturday"}, "sent": "Y"},
        {"slug": "x_secret", "code": "SEC", "type": "string", "local": "used here only"},
    ],
    "packaging": [{"slug": "x_box", "code": "BX", "aliases": ["medium_box"]}],
    "presets": [{"slug": "x_box", "width": 10.5, "height": 5, "length": 20, "dimension_unit": "CM"}],
    "statuses": {"default": "in_transit", "codes": {"A": "pending", "B": "pending", "D": "delivered"}},
    "service_levels": [{"service_code": "x_far", "service_name": "Far", "currency": "EUR",
                        "zones": [{"rate": 5}]}],
    "tables": {"surcharges": {"FUE": "Fuel", "TOL": "Toll"}},
}  # fmt: skip


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    (tmp_path / "catalogue.json").write_text(json.dumps(DATA))
    (tmp_path / "sandbox").mkdir()
    return load_catalogue(str(tmp_path / "__init__.py"))


@pytest.mark.parametrize(
    ("origin", "slug"),
    [("US", "x_standard"), ("DE", "x_standard_de"), ("FR", "x_standard_eu"), ("JP", "x_standard")],
)
def test_one_wire_code_is_another_service_in_another_country(
    catalogue: Catalogue, origin: str, slug: str
) -> None:
    assert catalogue.services.find_slug("11", origin=origin) == slug
    assert catalogue.services.wire_code(slug) == "11"


@pytest.mark.parametrize(("carrier", "slug"), [("USPS", "x_usps_first"), ("FedEx", "x_fedex_first")])
def test_services_of_a_hub_are_known_by_their_carrier(catalogue: Catalogue, carrier: str, slug: str) -> None:
    assert catalogue.services.find_slug("First", carrier=carrier) == slug


def test_a_service_that_is_not_listed_is_sold_all_the_same(catalogue: Catalogue) -> None:
    assert "x_fedex_first" in catalogue.services
    assert "x_fedex_first" not in {**catalogue.services.codes(), **catalogue.services.names()}


def test_a_code_that_fits_nowhere_stands_for_itself(catalogue: Catalogue) -> None:
    assert catalogue.services.find_slug("FAR", origin="US") == "FAR"
    assert catalogue.services.find_slug("FAR", origin="DE") == "x_far"
    assert catalogue.services.find_slug("99") == "99"


def test_options_have_their_type_and_say_where_they_go(catalogue: Catalogue) -> None:
    chosen = catalogue.options.list_chosen({"insurance": "5.50", "x_saturday": True})
    assert [(one.code, one.value, one.sent) for one in chosen] == [
        ("INS", Decimal("5.50"), Decimal("5.50")),
        ("SAT", True, "Y"),
    ]
    assert chosen[1].row.paths == {"ship": "Options/Saturday"}


def test_the_other_tables_are_there_too(catalogue: Catalogue) -> None:
    assert catalogue.packaging.code("medium_box") == "BX"
    assert next(iter(catalogue.presets)).width == Decimal("10.5")
    assert catalogue.table("surcharges") == {"FUE": "Fuel", "TOL": "Toll"}
    assert [level.service_code for level in catalogue.service_levels] == ["x_far"]


def test_the_first_word_that_a_table_has_is_chosen(catalogue: Catalogue) -> None:
    assert catalogue.choose("surcharges", None, "XXX", "TOL", usual="FUE") == "Toll"
    assert catalogue.choose("surcharges", "XXX", usual="FUE") == "Fuel"


def test_an_attribute_in_a_rule_is_no_table(tmp_path: Path) -> None:
    row = ["@version", "required, one of 1|@sizes", "E1", "No version"]
    data = {"tables": {"sizes": {"2": "", "3": ""}}, "rules": {"ask": [row]}}
    (tmp_path / "catalogue.json").write_text(json.dumps(data))
    rules = load_catalogue(str(tmp_path / "__init__.py")).rules("ask")
    assert [len(list(rules.problems({"@version": one}))) for one in ("1", "3", "4")] == [0, 0, 1]


def test_the_modules_of_a_sandbox_read_the_same_file(catalogue: Catalogue, tmp_path: Path) -> None:
    assert (
        load_catalogue(str(tmp_path / "sandbox" / "__init__.py")).services.slugs()
        == catalogue.services.slugs()
    )


def test_a_word_that_no_row_has_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "catalogue.json").write_text('{"services": [{"slug": "a", "code": "1", "colour": "red"}]}')
    with pytest.raises(TypeError, match="colour"):
        _ = load_catalogue(str(tmp_path / "__init__.py")).services


def test_a_class_reads_its_tables_from_its_catalogue_unless_it_states_them(catalogue: Catalogue) -> None:
    class Own(Stub):
        pass

    Own.catalogue = catalogue
    assert Own.options is catalogue.options

    class Stated(Own):
        services = ServiceTable([Service(slug="own", code="1")])

    assert Stated.services.slugs() == ["own"]
    assert not Stub.services.slugs()


def test_a_status_has_a_code_to_say_it() -> None:
    statuses = StatusMap({"A": "pending", "B": "pending", "T": "in_transit"})
    assert (statuses.code("pending"), statuses.code("on_hold")) == ("A", "T")
    assert StatusMap({}).code("on_hold") == "on_hold"
