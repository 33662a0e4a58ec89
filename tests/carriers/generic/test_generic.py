"""The custom carrier: rates from its sheet, labels drawn here, and what its sandbox remembers."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from shipcli.carriers.generic import Generic
from shipcli.carriers.generic.sandbox import GenericSandbox

from shipcli.carrier import FIELD_ERROR, Context
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sheet_rows import read_sheet
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.carrier.wire.calls import Reply, Request
from shipcli.drawing import convert, count_pages, find_label_kind
from shipcli.models import CancelRequest, Invalid, Label, RateRequest, ShipmentRequest
from tests.memory_ledger import MemoryLedger

NOW = datetime(2025, 3, 4, 9, 30, tzinfo=UTC)
KEY = "0a" * 16
ACCOUNT = {"display_name": "Night Owl", "custom_carrier_name": "night_owl"}
SHIPPER = {
    "company_name": "Depot", "address_line1": "1 Dock Road", "city": "Memphis", "state_code": "TN",
    "postal_code": "38103", "country_code": "US",
}  # fmt: skip
RECIPIENT = {
    "person_name": "Zoë Ångström", "address_line1": "5 Elm St", "city": "Austin", "state_code": "TX",
    "postal_code": "78701", "country_code": "US",
}  # fmt: skip


class NoNetwork:
    async def send(self, request: Request) -> Reply:
        raise AssertionError(f"{request.url} was called")


@pytest.fixture
def driver() -> Iterator[Driver]:
    one = Driver(lambda _: NoNetwork())
    yield one
    one.close()


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


def opened(account: dict[str, Any] | None = None, **values: Any) -> Generic:
    config = values.pop("config", {})
    context = Context(**{"now": NOW, "key": KEY, "carrier_id": "owl-1", **values})
    return Generic.open({**ACCOUNT, **(account or {})}, config, context)


def order(*references: str | None, **values: Any) -> ShipmentRequest:
    parcels = [
        {"weight": 3, "weight_unit": "KG", "reference_number": one} for one in references or ("OWL-77",)
    ]
    return ShipmentRequest.model_validate(
        {
            "shipper": SHIPPER,
            "recipient": RECIPIENT,
            "service": "standard_service",
            "parcels": parcels,
            **values,
        }
    )


def asked(request: ShipmentRequest, **values: Any) -> RateRequest:
    return RateRequest(
        shipper=request.shipper, recipient=request.recipient, parcels=request.parcels, **values
    )


def ship(driver: Driver, carrier: Generic, request: ShipmentRequest) -> FlowOutcome[Label]:
    return driver.run(CarrierJob.of(carrier, "ship", request))


def bought(driver: Driver, carrier: Generic, request: ShipmentRequest) -> Label:
    outcome = ship(driver, carrier, request)
    assert outcome.result is not None, outcome.messages
    return outcome.result


def refusal(driver: Driver, carrier: Generic, request: ShipmentRequest) -> tuple[str | None, str]:
    outcome = ship(driver, carrier, request)
    assert outcome.result is None
    return outcome.messages[0].code, outcome.messages[0].message or ""


def content(label: Label) -> bytes:
    return base64.b64decode(label.docs["label"])


def barcodes(label: Label) -> list[str]:
    import pypdfium2
    import zxingcpp

    document = pypdfium2.PdfDocument(convert(content(label), "PDF"))
    pictures = [page.render(scale=203 / 72).to_pil() for page in document]
    return [code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)]


def words(label: Label) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(content(label))
    return "\n".join(page.get_textpage().get_text_range() for page in document)


# -- labels ----------------------------------------------------------------------------------------


def test_a_label_shows_from_afar_where_to_and_which_parcel_and_has_the_phone(driver: Driver) -> None:
    request = order("OWL-1", "OWL-2", recipient={**RECIPIENT, "phone_number": "+1 512-555-0199"})
    lines = words(bought(driver, opened(), request)).split("\r\n")
    assert [line for line in lines if "OF 2" in line] == ["78701 1 OF 2", "78701 2 OF 2"]
    assert lines.count("+1 512-555-0199") == 2


# -- connection ------------------------------------------------------------------------------------


def test_a_connection_without_services_has_the_default_one() -> None:
    assert [one.model_dump() for one in opened().levels()] == [
        {
            "service_name": "Standard Service", "service_code": "standard_service", "currency": "USD",
            "transit_days": 1, "active": True, "metadata": {}, "zones": [{"label": "Zone 1", "rate": 0}],
        }
    ]  # fmt: skip
    assert opened({"services": None}).levels() == opened().levels()


def test_the_description_of_the_services_field_shows_the_default() -> None:
    field = Generic.connection_fields()["services"]
    assert (field["type"], field["required"], field["default"][0]["service_code"]) == (
        "list", False, "standard_service",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["Night Owl", "owl-1", "", "OWL", "owl\n"])
def test_a_carrier_name_has_small_letters_digits_and_underscores(name: str) -> None:
    with pytest.raises(Invalid, match="custom_carrier_name"):
        opened({"custom_carrier_name": name})


def test_a_colour_is_checked() -> None:
    assert opened(config={"brand_color": "#0af"}).config.brand_color == "#0af"
    with pytest.raises(Invalid, match="brand_color"):
        opened(config={"brand_color": "sky"})


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ({"template_type": "SVG", "template": "<svg/>"}, "SVG can't be drawn"),
        ({"template_type": "ZPL", "template": "hello"}, "from \\^XA to \\^XZ"),
        ({"template_type": "ZPL", "template": "^XA^FD{{ colour }}^FS^XZ"}, "nothing called {{ colour }}"),
        ({"template_type": "ZPL", "template": "^XA^FD{{ shipper.shoe }}^FS^XZ"}, "nothing called"),
        ({"template_type": "ZPL", "template": "^XA^FD{{ shipper.model_dump }}^FS^XZ"}, "nothing called"),
    ],
)
def test_a_template_that_can_not_be_filled_is_refused_at_once(template: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        opened({"label_template": template})


def test_a_wrong_service_is_named_by_its_field() -> None:
    services = [
        {"service_code": "van", "service_name": "Van", "currency": "EUR", "zones": [{"rate": "free"}]}
    ]
    with pytest.raises(Invalid, match="services.0.zones.0.rate"):
        opened({"services": services})


# -- rates -----------------------------------------------------------------------------------------


def test_rates_come_under_the_name_of_the_carrier(driver: Driver) -> None:
    services = [
        {"service_code": "van", "service_name": "Van", "currency": "EUR", "zones": [{"rate": "7.25"}]}
    ]
    carrier = opened({"services": services})
    outcome = driver.run(CarrierJob.of(carrier, "rate", asked(order("a", "b"))))
    assert [one.model_dump() for one in outcome.result or ()] == [
        {
            "carrier_name": "night_owl", "carrier_id": "owl-1", "service": "van", "currency": "EUR",
            "total_charge": Decimal("14.50"), "transit_days": None, "estimated_delivery": None,
            "extra_charges": [], "meta": {"service_name": "Van"},
        }
    ]  # fmt: skip


def test_a_rate_sheet_bound_to_the_connection_goes_before_its_services(driver: Driver) -> None:
    sheet = read_sheet([{"service_code": "standard_service", "currency": "USD", "rate": "3.10"}])
    carrier = opened(rate_sheet=tuple(sheet))
    outcome = driver.run(CarrierJob.of(carrier, "rate", asked(order())))
    assert [one.total_charge for one in outcome.result or ()] == [Decimal("3.10")]
    assert carrier.list_offered() == ["standard_service"]


def test_a_shipment_that_no_service_takes_gets_a_reason(driver: Driver) -> None:
    carrier = opened({"services": [{**Generic.sample_account["services"][0]}]})
    request = asked(order(recipient={**RECIPIENT, "country_code": "FR"}))
    outcome = driver.run(CarrierJob.of(carrier, "rate", request))
    assert outcome.result is None
    assert outcome.messages[0].message == "No service fits: standard_service does not go outside the country"


def test_the_sample_sheet_prices_home_and_abroad(driver: Driver) -> None:
    carrier = Generic.open(Generic.sample_account, {}, Context(now=NOW))
    prices = {}
    for country in ("US", "CA", "FR", "JP"):
        request = asked(order(recipient={**RECIPIENT, "country_code": country}))
        outcome = driver.run(CarrierJob.of(carrier, "rate", request))
        prices[country] = {one.service: one.total_charge for one in outcome.result or ()}
    assert prices["US"] == {"standard_service": Decimal("12.90"), "express_service": Decimal("31.40")}
    standard = [prices[country]["standard_international"] for country in ("CA", "FR", "JP")]
    assert standard == [Decimal("25.00"), Decimal("40.70"), Decimal("46.20")]
    assert all(prices[c]["express_international"] > prices[c]["standard_international"] for c in ("CA", "FR"))


@pytest.mark.parametrize(("weight", "total"), [(1, "10.90"), ("2.1", "12.90"), (6, "14.90"), (70, "174.90")])
def test_the_sample_sheet_goes_by_two_kilograms_up_to_seventy(
    driver: Driver, weight: Any, total: str
) -> None:
    carrier = Generic.open(Generic.sample_account, {}, Context(now=NOW))
    request = asked(order(parcels=[{"weight": weight, "weight_unit": "KG"}]), services=["standard_service"])
    outcome = driver.run(CarrierJob.of(carrier, "rate", request))
    assert [one.total_charge for one in outcome.result or ()] == [Decimal(total)]


def test_the_sample_sheet_has_no_price_of_nothing() -> None:
    carrier = Generic.open(Generic.sample_account, {}, Context(now=NOW))
    assert min(zone.rate for level in carrier.levels() for zone in level.zones) > 0


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG"])
def test_a_label_scans_in_every_format(driver: Driver, kind: str) -> None:
    label = bought(driver, opened(), order("OWL-77", label_type=kind))
    assert (label.label_type, find_label_kind(content(label))) == (kind, kind)
    assert barcodes(label) == ["OWL-77"]


def test_a_label_without_a_wish_is_a_pdf_with_both_addresses(driver: Driver) -> None:
    label = bought(driver, opened(), order(reference="SO-1"))
    text = words(label)
    assert label.label_type == "PDF"
    assert all(one in text for one in ("Night Owl", "Standard Service", "Zoë Ångström", "5 Elm St", "SO-1"))


def test_the_parcel_reference_is_the_tracking_number(driver: Driver) -> None:
    label = bought(driver, opened(), order("2975565"))
    assert (label.tracking_number, label.shipment_identifier) == ("2975565", "2975565")


def test_the_option_goes_before_the_parcel_reference(driver: Driver) -> None:
    request = order("2975565", options={"tracking_number_reference": "OWL-1"})
    assert bought(driver, opened(), request).tracking_number == "OWL-1"


def test_a_parcel_without_reference_gets_digits_that_belong_to_the_purchase(driver: Driver) -> None:
    first, again, other = (
        bought(driver, opened(key=key), order(None)).tracking_number for key in (KEY, KEY, "0b" * 16)
    )
    assert first == again != other
    assert (len(first), first.isdigit()) == (16, True)


def test_several_parcels_have_numbers_of_their_own_in_one_file(driver: Driver) -> None:
    label = bought(driver, opened(), order("A-1", None, "A-1"))
    numbers = label.meta["tracking_numbers"]
    assert (numbers[0], len(set(numbers))) == ("A-1", 3)
    assert label.meta["shipment_identifiers"] == numbers
    assert (count_pages(content(label)), barcodes(label)) == (3, numbers)


def test_several_parcels_give_several_zpl_labels(driver: Driver) -> None:
    label = bought(driver, opened(), order("A-1", "A-2", label_type="ZPL"))
    assert content(label).count(b"^XZ") == 2


def test_several_parcels_in_one_png_are_refused(driver: Driver) -> None:
    said = refusal(driver, opened(), order("A-1", "A-2", label_type="PNG"))
    assert said == (FIELD_ERROR, "A PNG holds one label; several parcels come as PDF or ZPL")


def test_another_format_is_refused(driver: Driver) -> None:
    said = refusal(driver, opened(), order(label_type="EPL"))
    assert said[1] == "label_type must be PDF, ZPL or PNG, not EPL"


@pytest.mark.parametrize("number", ["Ångström", "x" * 36])
def test_a_reference_that_no_barcode_holds_is_refused(driver: Driver, number: str) -> None:
    assert "can't be a tracking number" in refusal(driver, opened(), order(number))[1]


def test_a_character_without_a_font_is_a_refusal_that_names_it(driver: Driver) -> None:
    request = order(recipient={**RECIPIENT, "person_name": "Ann \U0001d11e"})
    code, text = refusal(driver, opened(), request)
    assert (code, "recipient.person_name: has " in text, "U+1D11E" in text) == ("validation", True, True)


def test_the_price_comes_from_the_sheet(driver: Driver) -> None:
    services = [{"service_code": "van", "service_name": "Van", "currency": "EUR", "zones": [{"rate": 7}]}]
    label = bought(driver, opened({"services": services}), order("a", "b", service="van"))
    assert label.selected_rate is not None
    assert (label.selected_rate.total_charge, label.meta["service_name"]) == (14, "Van")


def test_a_service_outside_the_sheet_prints_without_a_price(driver: Driver) -> None:
    label = bought(driver, opened(), order(service="by_hand"))
    assert (label.selected_rate, label.meta["service_name"]) == (None, "by_hand")


def test_the_plain_form_of_a_label_holds_no_more_than_a_label(driver: Driver) -> None:
    assert set(bought(driver, opened(), order()).model_dump()) == set(Label.model_fields)


def test_a_sandbox_label_says_sample(driver: Driver) -> None:
    assert "SAMPLE" in words(bought(driver, opened(sample=True), order()))
    assert "SAMPLE" not in words(bought(driver, opened(), order()))


def test_the_brand_colour_is_on_the_label(driver: Driver) -> None:
    plain = bought(driver, opened(), order())
    branded = bought(driver, opened(config={"brand_color": "#cc0000"}), order())
    assert content(plain) != content(branded)


def test_recovering_a_purchase_gives_the_same_label(driver: Driver) -> None:
    label = bought(driver, opened(), order(None, None))
    carrier = opened()
    outcome = driver.run(CarrierJob.of(carrier, "recover", order(None, None)))
    assert outcome.result is not None
    assert outcome.result.model_dump() == label.model_dump()


def test_cancelling_succeeds_here(driver: Driver) -> None:
    carrier = opened()
    request = CancelRequest(shipment_identifier="OWL-77")
    outcome = driver.run(CarrierJob.of(carrier, "void", request))
    assert outcome.result is not None
    assert outcome.result.model_dump() == {"success": True, "operation": "Cancel Shipment"}


# -- templates -------------------------------------------------------------------------------------

TEMPLATE = (
    "^XA^FO20,20^A0N,30,30^FD{{recipient.name}}^FS"
    "^FO20,80^A0N,30,30^FD{{ metadata.PO }}/{{piece}}/{{pieces}}^FS"
    "^FO20,200^BY2^BCN,150,N,N,N^FD{{ tracking_number }}^FS^XZ"
)


def templated(**values: Any) -> Generic:
    return opened({"label_template": {"template_type": "ZPL", "template": TEMPLATE}}, **values)


def test_a_zpl_template_is_filled_in(driver: Driver) -> None:
    label = bought(driver, templated(), order("A-1", "A-2", metadata={"PO": "4711"}))
    text = content(label).decode()
    assert label.label_type == "ZPL"
    assert "^FDZoë Ångström^FS" in text
    assert ("^FD4711/1/2^FS" in text, "^FD4711/2/2^FS" in text, "^FDA-2^FS" in text) == (True, True, True)


def test_a_filled_template_says_how_its_letters_are_encoded(driver: Driver) -> None:
    assert content(bought(driver, templated(), order())).startswith(b"^XA^CI28^FO")


def test_what_a_field_of_the_template_does_not_know_prints_nothing(driver: Driver) -> None:
    assert b"^FD/1/1^FS" in content(bought(driver, templated(), order()))


def test_a_value_can_not_start_a_printer_command(driver: Driver) -> None:
    sly = {**RECIPIENT, "person_name": "Ann^FS^XZ^XA~JR\nBob {{ tracking_number }}"}
    text = content(bought(driver, templated(), order(recipient=sly))).decode()
    assert "^FDAnn FS XZ XA JR Bob {{ tracking_number }}^FS" in text
    assert text.count("^XZ") == 1


def test_a_sandbox_template_label_says_sample(driver: Driver) -> None:
    assert b"^FDSAMPLE^FS^XZ" in content(bought(driver, templated(sample=True), order()))


def test_a_plain_template_comes_as_pdf_when_asked(driver: Driver) -> None:
    template = "^XA^FO20,20^A0N,60,60^FD{{ tracking_number }}^FS^XZ"
    carrier = opened({"label_template": {"template_type": "ZPL", "template": template}})
    label = bought(driver, carrier, order("OWL-77", label_type="PDF"))
    assert (label.label_type, find_label_kind(content(label)), "OWL-77" in words(label)) == (
        "PDF",
        "PDF",
        True,
    )


def test_a_template_that_can_not_be_drawn_stays_zpl_and_says_so(driver: Driver) -> None:
    template = "^XA^FO20,20^GD200,100,4,B,R^FS^FO20,200^B3N,N,90,Y,N^FD{{ tracking_number }}^FS^XZ"
    carrier = opened({"label_template": {"template_type": "ZPL", "template": template}})
    label = bought(driver, carrier, order("OWL-77", label_type="PDF"))
    assert (label.label_type, find_label_kind(content(label))) == ("ZPL", "ZPL")


# -- sandbox ---------------------------------------------------------------------------------------


def watched(ledger: MemoryLedger) -> tuple[Driver, GenericSandbox]:
    sandbox = GenericSandbox(ledger, lambda: NOW)

    def observe(job: CarrierJob[Any], result: Any) -> None:
        sandbox.observe(job.verb, job.carrier, result)

    return Driver(lambda _: NoNetwork(), observe=observe), sandbox


@pytest.fixture
def shop(ledger: MemoryLedger) -> Iterator[Driver]:
    driver, _ = watched(ledger)
    yield driver
    driver.close()


def sample(key: str = KEY) -> Generic:
    return Generic.open(Generic.sample_account, {}, Context(now=NOW, key=key, sample=True))


def test_what_is_sold_is_entered_with_its_price(shop: Driver, ledger: MemoryLedger) -> None:
    bought(shop, sample(), order("S-1", "S-2", reference="SO-9"))
    entry = ledger.get("generic", LABEL, "S-2")
    assert entry is not None
    wanted = {
        "number": "S-2", "identifier": "S-1", "reference": "SO-9", "key": KEY, "service": "standard_service",
        "total": Decimal("12.90"), "currency": "USD", "bought_at": NOW.isoformat(), "voided_at": None,
    }  # fmt: skip
    assert {name: entry[name] for name in wanted} == wanted
    assert len(ledger.find("generic", LABEL)) == 2


def test_a_recovered_label_is_entered_once(shop: Driver, ledger: MemoryLedger) -> None:
    bought(shop, sample(), order(None))
    carrier = sample()
    shop.run(CarrierJob.of(carrier, "recover", order(None)))
    assert len(ledger.find("generic", LABEL)) == 1


def test_a_voided_label_is_entered_as_voided_with_all_its_pieces(shop: Driver, ledger: MemoryLedger) -> None:
    bought(shop, sample(), order("S-1", "S-2"))
    carrier = sample()
    shop.run(CarrierJob.of(carrier, "void", CancelRequest(shipment_identifier="S-1")))
    assert [one["voided_at"] for one in ledger.find("generic", LABEL)] == [NOW.isoformat()] * 2


def test_recovering_a_voided_purchase_does_not_revive_it(shop: Driver, ledger: MemoryLedger) -> None:
    bought(shop, sample(), order("S-1"))
    carrier = sample()
    shop.run(CarrierJob.of(carrier, "void", CancelRequest(shipment_identifier="S-1")))
    shop.run(CarrierJob.of(carrier, "recover", order("S-1")))
    assert [one["voided_at"] for one in ledger.find("generic", LABEL)] == [NOW.isoformat()]


def test_a_void_of_an_unknown_number_enters_nothing(shop: Driver, ledger: MemoryLedger) -> None:
    carrier = sample()
    shop.run(CarrierJob.of(carrier, "void", CancelRequest(shipment_identifier="nobody")))
    assert ledger.find("generic", LABEL) == []
