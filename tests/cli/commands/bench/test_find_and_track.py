"""What is looked for at the bench: orders by any word of them, and whose a number is that nobody knows."""

from __future__ import annotations

import pytest

from shipcli.carrier.number_forms import list_number_carriers
from shipcli.models import json
from shipcli.models.basics.barcodes import compress_number, read_barcode
from shipcli.models.basics.check_digits import compute_fedex_check_digit
from tests.cli.conftest import Cli

ADA = {"person_name": "Ada Brooks", "address_line1": "12 Harbor St", "city": "Boston", "state_code": "MA",
       "postal_code": "02210", "country_code": "US"}  # fmt: skip


@pytest.fixture
def box(cli: Cli) -> Cli:
    box: Cli = lambda *words, **more: cli("--sandbox", *words, **more)  # noqa: E731
    for number, sku in (("#W00150", "LAMP-1"), ("#W00151", "MUG-6")):
        lines = [{"title": sku.title(), "sku": sku, "weight": 1, "weight_unit": "LB"}]
        body = {"order_id": number, "shipping_to": ADA, "line_items": lines}
        assert box("orders", "create", "--from-file", "-", typed=json.dumps(body)).code == 0
    return box


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (("W00150",), ["#W00150"]),
        (("brooks", "boston"), ["#W00151", "#W00150"]),
        (("LAMP-1",), ["#W00150"]),
        (("brooks", "mug"), ["#W00151"]),
        (("nobody",), []),
    ],
)
def test_orders_are_found_by_number_customer_and_article(
    box: Cli, words: tuple[str, ...], numbers: list[str]
) -> None:
    found = box("find", *words, "--json").json
    assert [(row["kind"], row["number"]) for row in found] == [("order", one) for one in numbers]
    assert all((row["name"], row["status"]) == ("Ada Brooks", "unfulfilled") for row in found)


def test_the_shipment_of_an_order_comes_before_it(box: Cli) -> None:
    assert box("ship", "W00150", "--cheapest", "-y").code == 0
    assert [row["kind"] for row in box("find", "W00150", "--json").json] == ["shipment", "order"]


@pytest.mark.parametrize(
    ("number", "carriers"),
    [
        ("1Z999AA10123456784", ["ups"]),
        ("1z 999 aa1 01 2345 6784", ["ups"]),
        ("1Z999AA10123456785", []),
        ("9234690000004200000014", ["usps"]),
        ("4200221092346900000042000000 14", ["usps"]),
        ("7023210039414604", ["canadapost"]),
        ("RA123456785US", ["usps"]),
        ("RA123456785GB", ["royalmail"]),
        ("RA123456785FR", ["laposte", "colissimo", "chronopost"]),
        ("RA123456785CN", []),
        ("RA123456784US", []),
        ("JD014600006281230704", ["dhl_parcel_de", "dhl_express"]),
        (f"79464479013{compute_fedex_check_digit('79464479013')}", ["fedex"]),
        ("hello", []),
        ("1001921334250001000300779017972697", ["fedex"]),
        ("9622080430000000000000744668909687", ["fedex"]),
        ("9611020987654312345672", ["fedex"]),
        ("]C1420902109205590164917312751089", ["usps"]),
        ("420 90210-4521 9205 5901 6491 7312 7510 89", ["usps"]),
        ("9205590164917312751088", []),
        ("7016 0910 0001 0831 0009", ["usps"]),
        ("0307 1790 0005 2348 3741", ["usps"]),
        ("329014521622", ["purolator"]),
        ("329014521623", []),
        ("GE000003364GB", ["tnt"]),
        ("XP696982485FR", ["chronopost"]),
        ("0081827 0998 0000 0200 33 350 276 C", ["dpd"]),
        ("(00) 3 4043416109404255 7", ["dhl_parcel_de"]),
        ("00340434161094042557", ["dhl_parcel_de"]),
        ("ups 1z999aa1-0123456784, left at the door", ["ups"]),
    ],
)
def test_the_form_of_a_number_tells_its_carrier(number: str, carriers: list[str]) -> None:
    assert list_number_carriers(compress_number(read_barcode(number))) == carriers


def test_the_carrier_of_its_form_is_asked_about_an_unknown_number(box: Cli) -> None:
    done = box("track", "1z 999 aa1 01 2345 6784")
    assert "note: 1Z999AA10123456784 has the form of a number of ups" in done.err
    assert (done.code, "ups: [TW0001] Tracking Information Not Found" in done.err) == (7, True), done.err


def test_a_label_that_another_store_bought_is_watched_by_its_number(box: Cli, cli: Cli) -> None:
    bought = box("ship", "W00150", "--service", "ups_ground", "-y", "--json").json
    number = bought["tracking_number"]
    assert box("trackers", "remove", number, "-y").code == 0
    assert box("shipments", "cancel", "@last", "-y").code == 0
    done = box("track", number.lower(), "--json")
    assert (done.code, done.json["carrier_name"], done.json["tracking_number"]) == (0, "ups", number), (
        done.err
    )


def test_a_number_of_several_carriers_is_asked_about(box: Cli) -> None:
    done = box("track", "JD014600006281230704")
    assert (done.code, "it has the format of dhl_parcel_de or dhl_express" in done.err) == (3, True), done.err
    assert "--carrier dhl_parcel_de" in done.err
    assert box("trackers", "list", "--ids").out == ""


def test_a_number_of_a_carrier_without_an_account_names_it(cli: Cli) -> None:
    done = cli("track", "1Z999AA10123456784")
    assert (done.code, "hint: add an account to track it: shipcli connections add ups" in done.err) == (
        3,
        True,
    )


def test_a_number_of_nobody_stays_unknown(box: Cli) -> None:
    done = box("track", "1Z999AA10123456785")
    assert (done.code, "1Z999AA10123456785 is mistyped: it has the form of a number of ups" in done.err) == (
        3,
        True,
    )


def test_a_search_that_finds_more_than_it_shows_says_how_many(box: Cli) -> None:
    done = box("find", "brooks", "--limit", "1")
    assert len(done.out.splitlines()) == 2
    assert "1 of 2 (--limit 2)" in done.err
    assert "of 2" not in box("find", "brooks", "--limit", "2").err


def test_a_shipment_is_found_with_its_reference(box: Cli) -> None:
    assert box("ship", "W00150", "--cheapest", "-y").code == 0
    shipment = box("find", "W00150", "--json").json[0]
    assert (shipment["kind"], shipment["reference"]) == ("shipment", "#W00150")
