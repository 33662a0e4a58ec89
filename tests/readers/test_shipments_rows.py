"""Rows of a shipments file as bodies, every wrong cell named by its column."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.models import Invalid, ShipmentData
from shipcli.readers.headers import SHIPMENTS, find_columns
from shipcli.readers.shipments import REQUIRED, ShipmentReader, ShipmentRow
from shipcli.readers.tables import Row

GOOD = {
    "Shipper name": "Dock Two", "Shipper address 1": "2600 Benjamin Franklin Pkwy",
    "Shipper city": "Philadelphia", "Shipper state": "PA", "Shipper postal code": "19130",
    "Shipper country": "US", "Recipient name": "Ana Ruiz",
    "Recipient address 1": "1625 N Central Ave", "Recipient city": "Phoenix", "Recipient state": "AZ",
    "Recipient postal code": "85004", "Recipient country": "US", "Parcel weight": "2.5",
}  # fmt: skip


def parsed(reader: ShipmentReader | None = None, **cells: str) -> ShipmentRow:
    line = {**dict.fromkeys(SHIPMENTS.values(), ""), **GOOD, **cells}
    return (reader or ShipmentReader(SHIPMENTS)).read(Row(7, line))


def data(**cells: str) -> ShipmentData:
    found = parsed(**cells)
    assert found.wrong == ()
    assert found.data
    return found.data


def wrong(reader: ShipmentReader | None = None, **cells: str) -> dict[str, str]:
    found = parsed(reader, **cells)
    assert found.data is None
    assert {one.row for one in found.wrong} == {7}
    return {one.column: one.reason for one in found.wrong}


def parcel(**cells: str) -> Any:
    return data(**cells).parcels[0]


def test_a_good_row_is_a_shipment_in_kilograms_and_centimetres() -> None:
    one = parcel()
    assert (one.weight, one.weight_unit, one.dimension_unit) == (Decimal("2.5"), "KG", "CM")


def test_a_box_alone_keeps_the_unit_of_its_own_sizes() -> None:
    assert parcel(**{"Parcel package preset": "usps_box"}).dimension_unit is None


def test_sizes_are_centimetres_unless_said_otherwise() -> None:
    sizes = {"Parcel width": "10", "Parcel height": "20", "Parcel length": "30"}
    assert parcel(**sizes).dimension_unit == "CM"
    assert parcel(**sizes, **{"Parcel dimension unit": "in"}).dimension_unit == "IN"


def test_one_size_alone_is_wrong() -> None:
    assert "required together" in wrong(**{"Parcel width": "10"})["Parcel length"]


@pytest.mark.parametrize("text", ["1,5", "1.5", " 1.50 ".strip()])
def test_a_decimal_comma_is_read(text: str) -> None:
    assert parcel(**{"Parcel weight": text}).weight == Decimal("1.5")


@pytest.mark.parametrize("text", ["abc", "1,234", "1.2.3", "1e999", "NaN", "0", "-1"])
def test_a_weight_that_is_no_positive_number_is_wrong(text: str) -> None:
    assert set(wrong(**{"Parcel weight": text})) == {"Parcel weight"}


def test_a_missing_weight_is_wrong() -> None:
    assert set(wrong(**{"Parcel weight": ""})) == {"Parcel weight"}


@pytest.mark.parametrize("text", ["0", "100", "-1", "two", "1.5", "²", "9" * 5000])
def test_a_number_of_pieces_out_of_range_is_wrong(text: str) -> None:
    assert set(wrong(**{"Number of pieces": text})) == {"Number of pieces"}


def test_pieces_are_parcels() -> None:
    assert len(data(**{"Number of pieces": "3"}).parcels) == 3


@pytest.mark.parametrize("text", ["us", "US", "United States"])
def test_a_country_is_a_code_or_a_name(text: str) -> None:
    assert data(**{"Recipient country": text}).recipient.country_code == "US"


def test_an_unknown_country_is_wrong_and_the_nearest_is_named() -> None:
    found = wrong(**{"Recipient country": "Germny"})
    assert set(found) == {"Recipient country"}
    assert "Germany" in found["Recipient country"]


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("Recipient postal code", "8500"), ("Recipient phone", "nobody"), ("Recipient name", "x" * 51),
        ("Recipient residential", "perhaps"), ("Parcel weight unit", "stone"), ("Payor", "santa"),
        ("Currency", "DOLLARS"), ("Options", "{"), ("Options", "[1]"), ("Reference", "x" * 36),
        ("Recipient city", "=VLOOKUP(A1)"), ("Parcel width", "wide"), ("Shipper address 1", "x" * 51),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_by_its_column(column: str, text: str) -> None:
    assert column in wrong(**{column: text})


def test_all_wrong_cells_of_a_row_are_named() -> None:
    cells = {
        "Recipient country": "Germny",
        "Parcel weight": "abc",
        "Shipper postal code": "1",
        "Options": "{",
    }
    assert set(wrong(**cells)) == set(cells)


def test_a_service_is_asked_for_as_the_preferred_one() -> None:
    assert data(Service="ups_ground").options["preferred_service"] == "ups_ground"


def test_unknown_services_and_carriers_are_wrong_where_they_are_known() -> None:
    reader = ShipmentReader(SHIPMENTS, {"ups": ["ups-main"]}, frozenset({"ups_ground"}))
    found = wrong(reader, Service="ups_grund", Carrier="upps")
    assert "ups_ground" in found["Service"]
    assert "ups" in found["Carrier"]
    assert "ups_ground" in wrong(reader, Options='{"preferred_service": "ups_grund"}')["Options"]
    fine = parsed(reader, Service="ups_ground", Carrier="ups").data
    assert fine
    assert fine.carrier_ids == ["ups-main"]


def test_options_and_currency_are_read() -> None:
    made = data(Options='{"insurance": 100.10}', Currency="usd", Payor="Recipient")
    assert made.options == {"insurance": Decimal("100.10"), "currency": "USD"}
    assert (made.payment.paid_by, made.payment.currency) == ("recipient", "USD")


@pytest.mark.parametrize("cells", [{"Tracking number": "1Z1"}, {"Status": "purchased"}])
def test_a_row_that_is_under_way_is_marked_as_shipped(cells: dict[str, str]) -> None:
    assert parsed(**cells).shipped


@pytest.mark.parametrize("status", ["", "draft", "Draft"])
def test_a_draft_is_not_shipped(status: str) -> None:
    assert not parsed(Status=status).shipped


def test_missing_columns_are_named_with_what_the_file_has_instead() -> None:
    with pytest.raises(Invalid, match="'Parcel weight'.*it has 'Parcel wieght'"):
        find_columns(["Shipper country", "Recipient country", "Parcel wieght"], SHIPMENTS, REQUIRED, "f.csv")


def test_columns_are_matched_by_their_exact_text_in_any_order() -> None:
    headers = ["Parcel weight", "unknown", "Recipient country", "Shipper country"]
    assert set(find_columns(headers, SHIPMENTS, REQUIRED, "f.csv")) == set(REQUIRED)
