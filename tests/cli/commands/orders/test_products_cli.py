"""`shipcli products`, and what they fill: orders, imports and goods on the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result
from tests.factories import ABROAD, SHIPPER

FILE = """SKU,Title,Weight,Weight unit,HS tariff number,Origin country,Value,Value currency
MUG-11,Stoneware mug,12,OZ,6912.00,China,12.50,USD
LAMP-2,Desk lamp,2.5,LB,9405.21,DE,40,EUR
"""


@pytest.fixture
def box(cli: Cli, tmp_path: Path) -> Cli:
    """The command line in a sandbox with two products."""

    def run(*words: str, **more: Any) -> Result:
        return cli("--sandbox", *words, **more)

    made = [word for name, value in SHIPPER.items() for word in ("-d", f"{name}={value}")]
    assert run("addresses", "create", *made).code == 0
    assert run("addresses", "default", "@last", "-y").code == 0
    (tmp_path / "products.csv").write_text(FILE)
    done = run("products", "import", "products.csv", "--json")
    assert (done.code, done.json["stored"]) == (0, 2), done.err
    return run


def test_a_list_of_products_is_imported_and_listed(box: Cli) -> None:
    rows = {row["sku"]: row for row in box("products", "list", "--json").json["results"]}
    mug = rows["MUG-11"]
    assert (str(mug["weight"]), mug["weight_unit"], mug["origin_country"]) == ("12", "OZ", "CN")
    assert box("products", "get", "LAMP-2", "--pick", "hs_code").lines == ["9405.21"]


def test_what_is_set_is_written_over_what_was_known_and_the_rest_stays(box: Cli) -> None:
    done = box("products", "set", "MUG-11", "--value", "13USD", "--origin", "pt", "--json")
    assert done.code == 0, done.err
    assert (str(done.json["value_amount"]), done.json["origin_country"]) == ("13", "PT")
    assert (done.json["hs_code"], str(done.json["weight"])) == ("6912.00", "12")
    assert box("products", "list", "--ids").out.count("prd_") == 2
    assert box("products", "delete", "MUG-11", "-y").code == 0
    assert box("products", "get", "MUG-11").code == 3


def test_a_barcode_is_imported_as_shops_write_it(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("Variant SKU,Variant Barcode\nCUP-1,'0012345678905\n")
    assert box("products", "import", "more.csv").code == 0
    assert box("products", "get", "CUP-1", "--pick", "barcode").lines == ["0012345678905"]
    assert box("products", "set", "CUP-1", "--barcode", "9506000134352", "--pick", "barcode").lines == [
        "9506000134352"
    ]


@pytest.mark.parametrize(("words", "code", "said"), [
    (("set", "PEN"), 2, "say what is known of it"),
    (("set", "PEN", "--value", "2"), 6, "2 of which money? Say 2USD"),
    (("set", "PEN", "--origin", "XX"), 6, "origin_country"),
    (("set", "PEN", "--weight", "2"), 6, "2 what?"),
])  # fmt: skip
def test_what_is_wrong_with_a_product_is_named(
    box: Cli, words: tuple[str, ...], code: int, said: str
) -> None:
    done = box("products", *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_a_wrong_list_is_refused_whole_and_every_cell_is_named(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(
        "SKU,Weight,Weight unit,Origin country,Value\n"
        "A,heavy,KG,DE,\n,1,KG,DE,\nB,1,KG,Atlantis,2\nB,1,KG,DE,\n"
    )
    done = box("products", "import", "bad.csv")
    assert done.code == 6
    for said in ("'heavy' is not a number", "row 3, SKU", "'Atlantis' is not a country",
                 "is required with value_amount", "the same SKU as row 4"):  # fmt: skip
        assert said in done.err, done.err
    assert box("products", "list", "--ids").out.count("prd_") == 2
    assert box("products", "import", "bad.csv", "--check").code == 6


def test_sizes_are_imported_with_the_units_of_their_headings(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "sizes.csv").write_text(
        "SKU,Length (cm),Width (cm),Höhe cm,Title\nMUG-11,10,9.5,12,Mug\nX,,,,X\n"
    )
    assert box("products", "import", "sizes.csv").code == 0
    mug = box("products", "get", "MUG-11", "--json").json
    assert [mug[name] for name in ("length", "width", "height", "dimension_unit")] == [10, 9.5, 12, "CM"]
    assert box("products", "get", "X", "--json").json["dimension_unit"] is None
    (tmp_path / "bad.csv").write_text("SKU,Length,Width,Dimension unit\nMUG-11,10,9,IN\nX,a,1,IN\n")
    done = box("products", "import", "bad.csv")
    assert done.code == 6
    assert "row 2, Height: length, width and height are required together" in done.err
    assert "row 3, Length: 'a' is not a number" in done.err


def test_products_belong_to_this_machine(cli: Cli) -> None:
    assert cli("--api-url", "http://127.0.0.1:9", "products", "list").code == 2


# -- what they fill --------------------------------------------------------------------------------


def test_goods_on_the_line_may_be_a_sku(box: Cli) -> None:
    to = ("--to-name", "Zoe", "--to-line1", "Pariser Platz 1", "--to-city", "Berlin",
          "--to-postal-code", "10117", "--to-country", "DE", "--weight", "4lb")  # fmt: skip
    done = box("shipments", "create", *to, "--goods", "MUG-11:2", "--goods", "LAMP-2:1:45EUR", "--json")
    assert done.code == 0, done.err
    mug, lamp = done.json["customs"]["commodities"]
    assert (mug["title"], mug["sku"], mug["quantity"], mug["hs_code"]) == (
        "Stoneware mug", "MUG-11", 2, "6912.00",
    )  # fmt: skip
    assert (str(mug["weight"]), mug["weight_unit"]) == ("12", "OZ")
    assert (str(lamp["value_amount"]), lamp["origin_country"]) == ("45", "DE")


def test_imported_orders_get_what_their_file_leaves_out(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text(
        "Order number,Item sku,Item quantity,Item price,Item weight,Shipping name,Shipping address 1,"
        "Shipping city,Shipping postal code,Shipping country\n"
        "W1,MUG-11,2,9,,Zoe,Pariser Platz 1,Berlin,10117,DE\n"
        "W2,LAMP-2,1,,1,Zoe,Pariser Platz 1,Berlin,10117,DE\n"
    )
    assert box("config", "set", "weight_unit", "KG").code == 0
    done = box("import", "orders", "orders.csv")
    assert done.code == 0, done.err
    (mug,) = box("orders", "get", "W1", "--json").json["line_items"]
    assert (str(mug["weight"]), mug["weight_unit"], mug["hs_code"]) == ("12", "OZ", "6912.00")
    assert (str(mug["value_amount"]), mug["origin_country"]) == ("9", "CN")
    (lamp,) = box("orders", "get", "W2", "--json").json["line_items"]
    assert (str(lamp["weight"]), lamp["weight_unit"]) == ("1", "KG")  # its own, not a number of the product's
    assert (str(lamp["value_amount"]), lamp["value_currency"]) == ("40", "EUR")


def test_orders_that_are_stored_already_are_fulfilled_with_what_is_known_since(box: Cli) -> None:
    line = {"sku": "MUG-11", "quantity": 2, "weight": 0, "weight_unit": "LB"}
    body = {"order_id": "W1", "shipping_to": ABROAD, "line_items": [line]}
    assert box("orders", "create", "--from-file", "-", typed=json.dumps(body)).code == 0
    done = box("orders", "fulfil", "W1", "--cheapest", "-y")
    assert (done.code, "customs may ask" in done.err) == (0, False), done.err
    (shipment,) = box("orders", "get", "W1", "--json").json["shipments"]
    (goods,) = shipment["customs"]["commodities"]
    assert (goods["title"], goods["hs_code"], str(goods["value_amount"])) == (
        "Stoneware mug",
        "6912.00",
        "12.5",
    )
    assert str(shipment["parcels"][0]["weight"]) == "24"


def test_the_size_of_a_product_is_shown(cli: Cli) -> None:
    done = cli("products", "set", "MUG-9", "--weight", "12oz", "--size", "4x4x5in")
    assert (done.code, "length\t4" in done.out, "dimension_unit\tIN" in done.out) == (0, True, True)
    assert cli("products", "list", "--csv").lines[0].endswith("length,width,height,dimension_unit")
