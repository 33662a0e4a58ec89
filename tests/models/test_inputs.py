"""What callers send: lengths, words, rules, references to stored objects."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from shipcli.models import (
    AddressData,
    AddressPatch,
    BatchTrackerData,
    CommodityData,
    ConnectionData,
    CustomsData,
    DocumentData,
    DocumentFileData,
    DocumentTemplateData,
    ImportData,
    Invalid,
    ManifestData,
    ManifestRequestData,
    OrderData,
    ParcelData,
    ParcelPatch,
    PickupData,
    PickupUpdateData,
    ShipmentData,
    ShipmentUpdateData,
    StoredReference,
    WebhookData,
    list_dimension_problems,
    list_references,
    resolve_references,
)
from tests.models.samples import ADDRESS, ITEM, PARCEL, SHIPMENT

PICKUP: dict[str, Any] = {
    "pickup_date": "2024-12-06",
    "ready_time": "09:00",
    "closing_time": "17:30",
    "tracking_numbers": ["1Z"],
}
MANIFEST: dict[str, Any] = {"carrier_name": "acme", "address": ADDRESS}


def fields_refused(model: type[BaseModel], body: dict[str, Any]) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return [problem.field for problem in Invalid.from_pydantic(caught.value).problems]


@pytest.mark.parametrize(
    ("code", "stored"), [("e1c 4z8", "E1C4Z8"), ("H2X-1Y4", "H2X1Y4"), ("k1a_0b1", "K1A0B1"), ("", "")]
)
def test_a_canadian_postal_code_is_normalised(code: str, stored: str) -> None:
    assert AddressData.model_validate(ADDRESS | {"postal_code": code}).postal_code == stored


@pytest.mark.parametrize("code", ["12345", "12345-6789", "1234 5"])
def test_an_american_postal_code_is_accepted(code: str) -> None:
    address = AddressData(country_code="US", postal_code=code)
    assert address.postal_code == code.replace(" ", "")


@pytest.mark.parametrize(
    ("country", "code"), [("CA", "12345"), ("CA", "E1C4Z"), ("US", "1234"), ("US", "123456789")]
)
def test_a_wrong_postal_code_is_refused(country: str, code: str) -> None:
    assert fields_refused(AddressData, {"country_code": country, "postal_code": code}) == ["postal_code"]


def test_postal_codes_of_other_countries_are_left_alone() -> None:
    assert AddressData(country_code="FR", postal_code="75 001").postal_code == "75 001"


@pytest.mark.parametrize(
    ("country", "number", "stored"),
    [
        ("CA", "514 000 0000", "+1 514-000-0000"),
        ("CA", "+1 514-000-0000", "+1 514-000-0000"),
        ("FR", "01 42 68 53 00", "+33 1 42 68 53 00"),
        ("CA", "(514) 000-0000 x1234", "+15140000000 x1234"),
        ("CA", "+15140000000 x1234", "+15140000000 x1234"),
        ("KV", "044 123 456", "+383 44 123 456"),
        ("CA", "", ""),
    ],
)
def test_a_phone_number_is_kept_in_international_form(country: str, number: str, stored: str) -> None:
    assert AddressData(country_code=country, phone_number=number).phone_number == stored


@pytest.mark.parametrize("number", ["call me", "1", "x"])
def test_a_phone_number_that_cannot_be_read_is_refused(number: str) -> None:
    assert fields_refused(AddressData, ADDRESS | {"phone_number": number}) == ["phone_number"]


@pytest.mark.parametrize(
    ("field", "length"),
    [
        *dict.fromkeys(
            ("federal_tax_id", "state_tax_id", "state_code", "street_number", "phone_number"), 20
        ).items(),
        *dict.fromkeys(("person_name", "company_name", "address_line1", "address_line2"), 50).items(),
        ("city", 30),
        ("postal_code", 10),
    ],
)
def test_address_texts_have_their_maxima(field: str, length: int) -> None:
    assert fields_refused(AddressData, ADDRESS | {field: "1" * (length + 1)}) == [field]
    assert fields_refused(AddressPatch, {field: "1" * (length + 1)}) == [field]


@pytest.mark.parametrize("code", ["ZZ", "ca", "", None])
def test_a_country_outside_the_list_is_refused(code: str | None) -> None:
    assert fields_refused(AddressData, {"country_code": code}) == ["country_code"]


def test_address_texts_may_be_null_or_empty() -> None:
    names = [name for name in AddressData.model_fields if name not in ("country_code", "residential")]
    texts = [name for name in names if name != "validate_location"]
    for empty in (None, ""):
        AddressData.model_validate(ADDRESS | dict.fromkeys(texts, empty))


def test_a_patch_knows_what_was_given() -> None:
    assert AddressPatch.model_validate({"city": None, "unknown": 1}).model_dump(exclude_unset=True) == {
        "city": None
    }
    assert ShipmentUpdateData.model_validate({"metadata": {"a": None}}).model_dump(exclude_unset=True) == {
        "metadata": {"a": None}
    }


def test_a_patch_cannot_clear_the_country() -> None:
    assert fields_refused(AddressPatch, {"country_code": None}) == ["country_code"]


@pytest.mark.parametrize(
    ("sizes", "field"),
    [
        ({"width": 1}, "dimensions"),
        ({"width": 1, "height": 1, "dimension_unit": "CM"}, "dimensions"),
        ({"width": 1, "height": 1, "length": 1}, "dimension_unit"),
    ],
)
def test_sizes_are_refused_unless_they_are_complete(sizes: dict[str, Any], field: str) -> None:
    assert fields_refused(ParcelData, PARCEL | sizes) == [field]


def test_a_preset_may_complete_the_sizes_later() -> None:
    parcel = ParcelData.model_validate(PARCEL | {"width": 1, "package_preset": "acme_box"})
    assert [problem.field for problem in list_dimension_problems(parcel)] == ["dimensions"]


def test_a_parcel_patch_may_name_one_size() -> None:
    assert (
        ParcelPatch.model_validate({"width": "2.5"}).model_dump(exclude_unset=True)["width"]
        == ParcelPatch(width="2.5").width
    )  # type: ignore[arg-type]  # read from text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weight", None),
        ("weight", -1),
        ("weight_unit", "ST"),
        ("dimension_unit", "FT"),
        ("packaging_type", "x" * 51),
        ("package_preset", "x" * 51),
        ("description", "x" * 251),
        ("content", "x" * 101),
        ("reference_number", "x" * 101),
        ("freight_class", "x" * 7),
    ],
)
def test_parcel_fields_are_checked(field: str, value: Any) -> None:
    assert fields_refused(ParcelData, PARCEL | {field: value}) == [field]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "x" * 36),
        ("sku", "x" * 36),
        ("hs_code", "x" * 36),
        ("description", "x" * 101),
        ("origin_country", "ZZ"),
        ("value_currency", "XXX"),
        ("quantity", True),
        ("quantity", -1),
        ("weight_unit", None),
    ],
)
def test_item_fields_are_checked_wherever_items_stand(field: str, value: Any) -> None:
    item = ITEM | {field: value}
    assert fields_refused(CommodityData, item) == [field]
    assert fields_refused(ParcelData, PARCEL | {"items": [item]}) == [f"items[0].{field}"]
    assert fields_refused(CustomsData, {"commodities": [item]}) == [f"commodities[0].{field}"]
    assert fields_refused(OrderData, {"order_id": "1", "shipping_to": ADDRESS, "line_items": [item]}) == [
        f"line_items[0].{field}"
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("invoice", "x" * 51),
        ("signer", "x" * 51),
        ("invoice_date", ""),
        ("invoice_date", "06/12/2024"),
        ("invoice_date", "2024-02-30"),
        ("incoterm", "XXX"),
        ("content_type", "toys"),
    ],
)
def test_customs_fields_are_checked(field: str, value: Any) -> None:
    assert fields_refused(CustomsData, {"commodities": [ITEM], field: value}) == [field]


def test_customs_accept_empty_words_where_the_contract_does() -> None:
    duty = {"paid_by": "", "currency": ""}
    customs = CustomsData.model_validate({"commodities": [ITEM], "content_type": "", "duty": duty})
    assert (customs.content_type, customs.duty.currency if customs.duty else None) == ("", "")


def test_duty_words_are_checked() -> None:
    body = {"commodities": [ITEM], "duty": {"paid_by": "nobody", "currency": "XXX"}}
    assert fields_refused(CustomsData, body) == ["duty.paid_by", "duty.currency"]


def test_the_duty_address_may_stand_in_either_place() -> None:
    customs = CustomsData.model_validate({"commodities": [ITEM], "duty": {"duty_billing_address": ADDRESS}})
    assert (
        customs.model_dump()["duty_billing_address"] == customs.model_dump()["duty"]["duty_billing_address"]
    )
    assert (
        "duty_billing_address"
        not in CustomsData.model_validate({"commodities": [ITEM], "duty": {}}).model_dump()["duty"]
    )


def test_a_shipment_has_its_defaults() -> None:
    plain = ShipmentData.model_validate(
        SHIPMENT | {"services": None, "carrier_ids": None, "options": None}
    ).model_dump()
    assert plain["payment"] == {"paid_by": "sender", "currency": None, "account_number": None}
    assert (plain["label_type"], plain["services"], plain["carrier_ids"]) == ("PDF", [], [])
    assert (plain["options"], plain["metadata"], plain["customs"]) == ({}, {}, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [("label_type", "GIF"), ("reference", "x" * 36), ("payment", {"paid_by": "me"}), ("parcels", [])],
)
def test_shipment_fields_are_checked(field: str, value: Any) -> None:
    (found,) = fields_refused(ShipmentData, SHIPMENT | {field: value})
    assert found.startswith(field)


@pytest.mark.parametrize("field", ["shipper", "recipient", "parcels"])
def test_a_shipment_needs_both_ends_and_parcels(field: str) -> None:
    assert fields_refused(ShipmentData, {key: SHIPMENT[key] for key in SHIPMENT if key != field}) == [field]


def test_an_id_stands_for_a_stored_object() -> None:
    body = SHIPMENT | {"shipper": {"id": "adr_1", "city": "ignored"}, "customs": {"id": "cst_1"}}
    shipment = ShipmentData.model_validate(body)
    assert shipment.shipper == StoredReference(id="adr_1", kind="address", extra={"city": "ignored"})
    found = [(ref.path, ref.stored.id, ref.stored.kind) for ref in list_references(shipment)]
    assert found == [("shipper", "adr_1", "address"), ("customs", "cst_1", "customs")]


def test_an_empty_id_is_none() -> None:
    assert isinstance(
        ShipmentData.model_validate(SHIPMENT | {"shipper": ADDRESS | {"id": None}}).shipper, AddressData
    )


def test_references_are_replaced_by_copies_without_their_id() -> None:
    parcels = [PARCEL, PARCEL | {"items": [{"id": "cdt_1"}]}]
    shipment = ShipmentData.model_validate(SHIPMENT | {"shipper": {"id": "adr_1"}, "parcels": parcels})
    plain = resolve_references(
        shipment, lambda reference: {"id": reference.stored.id, "from": reference.path}
    )
    assert plain["shipper"] == {"from": "shipper"}
    assert plain["parcels"][1]["items"] == [{"from": "parcels[1].items[0]"}]
    assert plain["recipient"]["city"] == "Moncton"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pickup_date", "06-12-2024"),
        ("ready_time", "9:00"),
        ("closing_time", "24:00"),
        ("instruction", "x" * 51),
        ("package_location", "x" * 51),
        ("address", {"country_code": "ZZ"}),
    ],
)
def test_pickup_fields_are_checked(field: str, value: Any) -> None:
    (found,) = fields_refused(PickupData, PICKUP | {field: value})
    assert found.startswith(field)
    assert fields_refused(PickupUpdateData, {field: value}) == [found]


def test_a_pickup_update_may_name_one_key_of_the_address() -> None:
    assert PickupUpdateData.model_validate({"address": {"city": "Dieppe"}}).model_dump(
        exclude_unset=True
    ) == {"address": {"city": "Dieppe"}}


@pytest.mark.parametrize("model", [ManifestData, ManifestRequestData])
@pytest.mark.parametrize("name", ["shipment_ids", "shipment_identifiers"])
def test_a_manifest_takes_its_shipments_under_either_name(model: type[BaseModel], name: str) -> None:
    assert ["shp_1"] in model.model_validate(MANIFEST | {name: ["shp_1"]}).model_dump().values()


def test_a_manifest_without_shipments_names_the_field() -> None:
    assert fields_refused(ManifestData, MANIFEST) == ["shipment_ids"]
    assert fields_refused(ManifestRequestData, MANIFEST) == ["shipment_identifiers"]


def test_an_empty_order_date_counts_as_none() -> None:
    order = {"order_id": 1042, "shipping_to": ADDRESS, "line_items": [ITEM]}
    read = OrderData.model_validate(order | {"order_date": ""})
    assert (read.order_id, read.order_date, read.source) == ("1042", None, "API")
    assert fields_refused(OrderData, order | {"order_date": "tomorrow"}) == ["order_date"]
    assert fields_refused(OrderData, order | {"line_items": []}) == ["line_items.non_field_errors"]


@pytest.mark.parametrize(
    "url", ["ftp://x", "localhost", "http://", "http://a b", "", "http://[", "javascript:1"]
)
def test_a_webhook_needs_a_web_address(url: str) -> None:
    assert fields_refused(WebhookData, {"url": url, "enabled_events": []}) == ["url"]


def test_an_unknown_event_is_reported_by_position() -> None:
    body = {"url": "http://localhost:9000/hook", "enabled_events": ["all", "order_lost"]}
    assert fields_refused(WebhookData, body) == ["enabled_events[1]"]


def test_a_connection_needs_its_credentials_and_hides_them_in_print() -> None:
    assert fields_refused(ConnectionData, {"carrier_name": "acme", "carrier_id": "a"}) == ["credentials"]
    data = ConnectionData(carrier_name="acme", carrier_id="a", credentials={"key": "hush"})
    assert "hush" not in repr(data)


@pytest.mark.parametrize("slug", ["", "Invoice", "a-b", "é", "x" * 256])
def test_a_template_slug_is_checked(slug: str) -> None:
    assert fields_refused(DocumentTemplateData, {"name": "n", "template": "t", "slug": slug}) == ["slug"]


def test_a_generated_document_needs_a_template() -> None:
    assert fields_refused(DocumentData, {"data": {}}) == ["template"]


@pytest.mark.parametrize("text", ["not base64!", "", "QQ=", "QUFB" * 1_800_000])
def test_a_file_must_be_base64_of_at_most_5_mib(text: str) -> None:
    assert fields_refused(DocumentFileData, {"doc_file": text, "doc_name": "a.pdf"}) == ["doc_file"]


def test_a_file_may_be_broken_into_lines() -> None:
    file = DocumentFileData(doc_file="QUFB\nQUFB\n", doc_name="a.pdf")
    assert (file.doc_file, file.doc_type) == ("QUFBQUFB", "other")


@pytest.mark.parametrize(
    ("given", "kept"), [("order", "orders"), ("shipments", "shipments"), ("billing", "billing")]
)
def test_an_import_takes_either_number_of_its_type(given: str, kept: str) -> None:
    assert ImportData.model_validate({"resource_type": given}).resource_type == kept


def test_an_import_of_another_type_is_refused() -> None:
    assert fields_refused(ImportData, {"resource_type": "parcels"}) == ["resource_type"]


def test_an_empty_batch_is_refused() -> None:
    assert fields_refused(BatchTrackerData, {"trackers": []}) == ["trackers.non_field_errors"]
    assert fields_refused(BatchTrackerData, {}) == ["trackers"]
