"""No cell is cut, merged or dropped in silence: what it says has its place, or is named."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.models import OrderData
from shipcli.models.basics.plain_text import drop_unprintable, fit_lines, resolve_entities
from shipcli.models.basics.postal import find_lost_zeros
from shipcli.models.basics.units import Units
from shipcli.readers.headers import READ, find_columns
from shipcli.readers.mapping import MappedFile
from shipcli.readers.orders import OrderReader, OrderRow
from shipcli.readers.products import ProductReader
from shipcli.readers.shipments import ShipmentReader, ShipmentRow
from shipcli.readers.tables import DataFile, Row

ORDERS, SHIPMENTS = READ["orders"], READ["shipments"]
LONG = "123 Very Long Industrial Park Road North, Warehouse 17, Dock Door 42"
NO_UNITS = Units()


def read_order(**cells: str) -> OrderRow:
    good = {"order_id": "1", "shipping_to_country": "US", "shipping_to_state": "MA", "weight": "1lb"}
    row = Row(2, {ORDERS[name]: value for name, value in {**good, **cells}.items()})
    return OrderReader(ORDERS, NO_UNITS).read(row)


def read_shipment(units: Units = NO_UNITS, **cells: str) -> ShipmentRow:
    sides = {f"{side}_country": "US" for side in ("shipper", "recipient")}
    row = Row(2, {SHIPMENTS[name]: value for name, value in {**sides, **cells}.items()})
    return ShipmentReader(SHIPMENTS, units=units).read(row)


def get_order(**cells: str) -> OrderData:
    row = read_order(**cells)
    assert row.wrong == ()
    assert row.order
    return row.order


@pytest.mark.parametrize(
    ("lines", "fitting", "left"),
    [
        ([LONG], ["123 Very Long Industrial Park Road North,", "Warehouse 17, Dock Door 42"], ""),
        (["1 Main St", "Unit 9", "Gate C"], ["1 Main St, Unit 9, Gate C"], ""),
        (["1 Main St", "Unit 9"], ["1 Main St", "Unit 9"], ""),
        (["a " * 60], [("a " * 25).strip()] * 2, ("a " * 10).strip()),
        (["x" * 51], [], "x" * 51),
        (["街" * 60], ["街" * 50, "街" * 10], ""),
    ],
)
def test_lines_run_on_at_words_and_what_has_no_room_is_named(
    lines: list[str], fitting: list[str], left: str
) -> None:
    assert fit_lines(lines, 50, 2) == (fitting, left)


def test_a_long_line_goes_on_in_the_second() -> None:
    address = get_order(shipping_to_address1=LONG).shipping_to.model_dump()
    assert f"{address['address_line1']} {address['address_line2']}" == LONG


def test_a_third_line_and_line_breaks_find_their_place() -> None:
    address = get_order(
        shipping_to_address1="22 Oak Ave\r\nUnit 9",
        shipping_to_address3="Gate C",
        shipping_to_city="Bos\tton",
    ).shipping_to.model_dump()
    assert address["address_line1"] == "22 Oak Ave, Unit 9, Gate C"
    assert address["city"] == "Bos ton"


def test_words_without_room_refuse_the_row_by_name() -> None:
    (wrong,) = read_order(shipping_to_address1=LONG, shipping_to_address2="Behind " + LONG).wrong
    assert wrong.column == "Shipping address 2"
    assert "Dock Door 42" in wrong.reason
    (wrong,) = read_order(shipping_to_name="Ada " * 12 + "Brooks Byron").wrong
    assert "no room for 'ooks Byron'" in wrong.reason


def test_entities_are_resolved_once() -> None:
    assert (
        resolve_entities("4 King&#39;s Row &amp;lt; &copy &unknown; AT&T;")
        == "4 King's Row &lt; &copy &unknown; AT&T;"
    )


def test_pictures_and_controls_are_left_out_and_named() -> None:
    assert drop_unprintable("Ada 👩‍💻🎉 Bro\x07oks ❤️ ㈱ № 1️⃣") == ("Ada Brooks ㈱ № 1", "👩‍💻🎉, ❤️, ️⃣, U+0007")
    row = read_order(shipping_to_name="Ada Brooks 🎉")
    assert row.order
    assert row.order.shipping_to.model_dump()["person_name"] == "Ada Brooks"
    assert [(note.column, "🎉" in note.reason) for note in row.notes] == [("Shipping name", True)]


def test_placeholders_are_left_out_and_named() -> None:
    row = read_order(shipping_to_phone="0000000000", shipping_to_state="default", shipping_to_postal_code="-")
    assert row.order
    address = row.order.shipping_to.model_dump()
    assert (address["phone_number"], address["state_code"], address["postal_code"]) == (None, None, None)
    assert {note.column for note in row.notes} == {"Shipping phone", "Shipping state", "Shipping postal code"}


def test_a_long_title_and_sku_are_kept_whole_and_named() -> None:
    title, sku = "Personalized handmade ceramic coffee mug", "SKU-MUG-11-PERSONALIZED-CUSTOM-BLUE-LARGE"
    row = read_order(title=title, sku=sku, variant="Colour:Blue,Size:L")
    (item,) = row.items
    assert (item.title, item.sku) == ("Personalized handmade ceramic", sku[:35])
    assert item.metadata == {"title": title, "sku": sku, "variant": "Colour:Blue,Size:L"}
    assert item.description == f"{title} (Colour:Blue,Size:L)"
    assert {note.column for note in row.notes} == {"Item title", "Item sku"}


def test_a_billing_address_never_refuses_an_order() -> None:
    row = read_order(billing_name="Ann", billing_country="US", billing_postal_code="850", billing_state="AZ")
    assert row.order
    assert row.order.billing_address
    billing = row.order.billing_address.model_dump()
    assert (billing["person_name"], billing["postal_code"]) == ("Ann", None)
    assert [note.column for note in row.notes] == ["Billing postal code"]
    assert get_order(billing_name="Ann", billing_country="Atlantis").billing_address is None


@pytest.mark.parametrize(
    ("text", "country", "state", "padded"),
    [
        ("2134", "US", "MA", "02134"),
        ("2134-1234", "US", "MA", "02134-1234"),
        ("7001", "US", "NJ", "07001"),
        ("501", "US", "NY", "00501"),
        ("802", "VI", "", "00802"),
        ("8001", "ES", "B", "08001"),
        ("2134", "US", "CA", None),
        ("2134", "US", "", None),
        ("2134", "US", "XX", None),
        ("1010", "AT", "", None),
        ("12345", "US", "NY", None),
    ],
)
def test_lost_zeros_are_found_where_the_state_agrees(
    text: str, country: str, state: str, padded: str | None
) -> None:
    assert find_lost_zeros(text, country, state) == padded


@pytest.mark.parametrize(
    ("cell", "unit", "weight"),
    [
        ("2lb 6oz", "", ("2.375", "LB")),
        ("2 lbs. 6 oz.", "", ("2.375", "LB")),
        ("1,5 kg", "", ("1.5", "KG")),
        ("12 ounces", "", ("12", "OZ")),
        ("500 Gramm", "", ("500", "G")),
        ("2.5", "LBS", ("2.5", "LB")),
        ("2.5", "pounds", ("2.5", "LB")),
        ("2lb", "lb", ("2", "LB")),
    ],
)
def test_weights_say_their_unit_in_the_words_of_people(cell: str, unit: str, weight: tuple[str, str]) -> None:
    row = read_shipment(parcel_weight=cell, parcel_weight_unit=unit)
    assert row.data, row.wrong
    parcel = row.data.model_dump()["parcels"][0]
    assert (Decimal(parcel["weight"]), parcel["weight_unit"]) == (Decimal(weight[0]), weight[1])


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"parcel_weight": "2.5"}, "'2.5' what? KG, LB, OZ, G"),
        ({"parcel_weight": "2lb", "parcel_weight_unit": "KG"}, "is in LB, and the row says KG"),
        ({"parcel_weight": "2lb", "parcel_length": "12"}, "'12' what? CM, IN"),
        ({"parcel_weight": "2", "parcel_weight_unit": "stone"}, "not a known unit"),
        ({"parcel_weight": "1,250 kg"}, "not a number"),
    ],
)
def test_a_number_without_a_unit_or_with_two_is_refused(cells: dict[str, str], reason: str) -> None:
    assert reason in read_shipment(**cells).wrong[0].reason


def read_file(text: str, resource_type: str) -> MappedFile:
    return MappedFile(DataFile("own.csv", text.encode()), resource_type)


def test_products_have_the_headings_that_shops_use() -> None:
    table = read_file(
        "SKU,Weight (oz),Price,Currency,HS code,Origin\nM-1,12,$12.50,USD,6912.00,China\n", "products"
    )
    reader = ProductReader(find_columns(table.headers, READ["products"], ("sku",), table.name), NO_UNITS)
    (row,) = map(reader.read, table)
    assert row.data, row.wrong
    product = row.data.model_dump()
    assert (product["weight_unit"], product["hs_code"], product["origin_country"]) == ("OZ", "6912.00", "CN")
    assert (str(product["value_amount"]), product["value_currency"]) == ("12.50", "USD")


def test_a_heading_says_the_unit_of_its_column() -> None:
    heading = "Recipient country,Parcel weight (lb),Parcel length [in],parcel width in cm"
    table = read_file(f"{heading}\nUS,2.5,10,20\n", "shipments")
    (row,) = table
    assert row.cells["Parcel weight unit"] == "LB"
    assert row.cells["Parcel dimension unit"] == "IN"
