"""Models against the published schemas and the recorded exchanges."""

import ast
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from shipcli import models as m

RESPONSES: dict[str, type[BaseModel]] = {
    "Address": m.Address,
    "AddressValidation": m.AddressValidation,
    "BatchObject": m.BatchResource,
    "BatchOperation": m.BatchOperation,
    "CarrierConnection": m.Connection,
    "CarrierDetails": m.CarrierDetails,
    "Charge": m.Charge,
    "Commodity": m.Commodity,
    "Customs": m.Customs,
    "DocumentDetails": m.UploadedDocument,
    "DocumentTemplate": m.DocumentTemplate,
    "DocumentUploadRecord": m.DocumentUploadRecord,
    "Documents": m.Documents,
    "Duty": m.Duty,
    "GeneratedDocument": m.GeneratedDocument,
    "Images": m.Images,
    "LineItem": m.LineItem,
    "Manifest": m.Manifest,
    "ManifestDetails": m.ProxyManifest,
    "ManifestDocument": m.ManifestDocument,
    "ManifestResponse": m.ManifestResponse,
    "Message": m.Message,
    "Operation": m.OperationStatus,
    "OperationConfirmation": m.OperationConfirmation,
    "OperationResponse": m.OperationResponse,
    "Order": m.Order,
    "Parcel": m.Parcel,
    "Payment": m.Payment,
    "Pickup": m.Pickup,
    "PickupResponse": m.PickupResponse,
    "Rate": m.Rate,
    "RateResponse": m.RateResponse,
    "Shipment": m.Shipment,
    "ShippingResponse": m.ShippingResponse,
    "TrackerDetails": m.TrackerDetails,
    "TrackingEvent": m.TrackingEvent,
    "TrackingInfo": m.TrackingInfo,
    "TrackingResponse": m.TrackingResponse,
    "TrackingStatus": m.Tracker,
    "Webhook": m.Webhook,
}
BODIES: dict[str, type[BaseModel]] = {
    "AddressData": m.AddressData,
    "BatchOrderData": m.BatchOrderData,
    "BatchShipmentData": m.BatchShipmentData,
    "BatchTrackerData": m.BatchTrackerData,
    "CarrierConnectionData": m.ConnectionData,
    "CommodityData": m.CommodityData,
    "CustomsData": m.CustomsData,
    "DocumentData": m.DocumentData,
    "DocumentFileData": m.DocumentFileData,
    "DocumentTemplateData": m.DocumentTemplateData,
    "DocumentUploadData": m.DocumentUploadData,
    "ManifestData": m.ManifestData,
    "ManifestRequest": m.ManifestRequestData,
    "OrderData": m.OrderData,
    "OrderUpdateData": m.OrderUpdateData,
    "ParcelData": m.ParcelData,
    "PatchedAddressData": m.AddressPatch,
    "PatchedCarrierConnectionData": m.ConnectionPatch,
    "PatchedDocumentTemplateData": m.DocumentTemplatePatch,
    "PatchedParcelData": m.ParcelPatch,
    "PatchedWebhookData": m.WebhookPatch,
    "PickupCancelData": m.PickupCancelData,
    "PickupCancelRequest": m.PickupCancelRequestData,
    "PickupData": m.PickupData,
    "PickupRequest": m.PickupRequestData,
    "PickupUpdateData": m.PickupUpdateData,
    "PickupUpdateRequest": m.PickupUpdateRequestData,
    "RateRequest": m.RateRequestData,
    "ShipmentCancelRequest": m.ShipmentCancelData,
    "ShipmentData": m.ShipmentData,
    "ShipmentDataReference": m.ShipmentDataReference,
    "ShipmentPurchaseData": m.ShipmentPurchaseData,
    "ShipmentRateData": m.ShipmentRateData,
    "ShipmentUpdateData": m.ShipmentUpdateData,
    "ShippingRequest": m.ShippingRequestData,
    "TrackerUpdateData": m.TrackerUpdateData,
    "TrackingData": m.TrackingData,
    "WebhookData": m.WebhookData,
    "WebhookTestRequest": m.WebhookTestData,
}
# What our answers add to the published ones.
ADDED = {
    "BatchOperation": {"object_type", "messages"},
    "CarrierConnection": {"messages"},
    "CarrierDetails": {"integration_status", "held_against", "held_on"},
    "DocumentUploadRecord": {"object_type"},
    "Duty": {"duty_billing_address"},
}
# Optional in stored values, required by every body that makes one.
REQUIRED_BY_BODIES = {"country_code", "weight", "weight_unit"}
# Fields that may be null although the published schema does not say so.
NULLABLE = {
    *((kind, "id") for kind in ("Address", "Parcel", "Commodity", "Customs", "LineItem")),
    ("CarrierConnection", "credentials"),
    ("DocumentTemplate", "description"),
    ("Message", "details"),
    ("TrackerDetails", "estimated_delivery"),
    ("TrackingStatus", "estimated_delivery"),
}
REQUESTS: dict[str, type[BaseModel]] = {
    "rates": m.RateRequest,
    "shipment": m.ShipmentRequest,
    "cancel_shipment": m.CancelRequest,
    "tracking": m.TrackingRequest,
    "pickup": m.PickupRequest,
    "pickup_update": m.PickupUpdateRequest,
    "pickup_cancel": m.PickupCancelRequest,
    "manifest": m.ManifestRequest,
    "address_validation": m.AddressValidationRequest,
    "document_upload": m.DocumentUploadRequest,
}
RESULTS: dict[str, type[BaseModel]] = {
    "rates": m.Quote,
    "shipment": m.Label,
    "cancel_shipment": m.Confirmation,
    "tracking": m.Tracking,
    "pickup": m.PickupDetails,
    "pickup_update": m.PickupDetails,
    "pickup_cancel": m.Confirmation,
    "manifest": m.ManifestDetails,
    "address_validation": m.AddressValidationDetails,
    "document_upload": m.UploadDetails,
}


@pytest.mark.parametrize("name", sorted(RESPONSES))
def test_an_answer_has_the_published_properties(schemas: dict[str, Any], name: str) -> None:
    published = set(schemas[name]["properties"])
    assert set(RESPONSES[name].model_fields) == published | ADDED.get(name, set())


@pytest.mark.parametrize("name", sorted(RESPONSES))
def test_an_answer_is_null_only_where_it_may_be(schemas: dict[str, Any], name: str) -> None:
    for field, schema in schemas[name]["properties"].items():
        info = RESPONSES[name].model_fields[field]
        may_be_null = schema.get("nullable") or (name, field) in NULLABLE or field in REQUIRED_BY_BODIES
        assert may_be_null or info.exclude_if or info.is_required() or info.default is not None, field


@pytest.mark.parametrize("name", sorted(RESPONSES))
def test_an_answer_has_the_published_defaults(schemas: dict[str, Any], name: str) -> None:
    for field, schema in schemas[name]["properties"].items():
        if "default" in schema:
            default = RESPONSES[name].model_fields[field].get_default(call_default_factory=True)
            plain = default.model_dump() if isinstance(default, BaseModel) else default
            assert plain == schema["default"], field


@pytest.mark.parametrize("name", sorted(BODIES))
def test_a_body_takes_the_published_properties(schemas: dict[str, Any], name: str) -> None:
    assert set(BODIES[name].model_fields) == set(schemas[name]["properties"])


@pytest.mark.parametrize("name", sorted(BODIES))
def test_a_body_requires_what_is_published(schemas: dict[str, Any], name: str) -> None:
    # An absent confirmation number stands for the stored one.
    published = set(schemas[name].get("required", [])) - (
        {"confirmation_number"} if name == "PickupUpdateData" else set()
    )
    required = {field for field, info in BODIES[name].model_fields.items() if info.is_required()}
    assert required == published


@pytest.mark.parametrize("name", sorted(BODIES))
def test_a_body_has_the_published_maxima_and_words(schemas: dict[str, Any], name: str) -> None:
    ours = BODIES[name].model_json_schema()["properties"]
    for field, schema in schemas[name]["properties"].items():
        if "maxLength" in schema:
            assert _limit(ours[field], "maxLength") == schema["maxLength"], field
        words = set(schema.get("enum", [])) - {None}
        if words and field != "carrier_name":  # the carriers that exist are not the models' business
            assert set(_limit(ours[field], "enum") or [_limit(ours[field], "const")]) == words, field


@pytest.mark.parametrize("name", sorted(BODIES))
def test_a_body_has_the_published_defaults(schemas: dict[str, Any], name: str) -> None:
    for field, schema in schemas[name]["properties"].items():
        if "default" in schema:
            default = BODIES[name].model_fields[field].get_default(call_default_factory=True)
            plain = default.model_dump() if isinstance(default, BaseModel) else default
            assert plain == schema["default"], field


def test_every_recorded_request_is_read(cases: list[tuple[str, dict[str, Any]]]) -> None:
    for path, case in cases:
        if case["unified_request"] is not None:
            read = REQUESTS[case["operation"]].model_validate(case["unified_request"])
            assert _kept(case["unified_request"], read.model_dump()), path


def test_every_recorded_result_is_read(cases: list[tuple[str, dict[str, Any]]]) -> None:
    for path, case in cases:
        if case["parsed"] is not None and case["operation"] in RESULTS:
            rows = case["parsed"] if isinstance(case["parsed"], list) else [case["parsed"]]
            for row in rows:
                read = RESULTS[case["operation"]].model_validate(row)
                assert _kept(row, read.model_dump()), path


def test_every_recorded_message_is_read(cases: list[tuple[str, dict[str, Any]]]) -> None:
    for path, case in cases:
        for message in case.get("messages") or []:
            assert _kept(message, m.Message.model_validate(message).model_dump()), path


def _limit(schema: dict[str, Any], key: str) -> Any:
    """A limit of a property, or of one of its alternatives; the words of several alternatives together."""
    parts = [schema, *schema.get("anyOf", [])]
    found = [part[key] for part in parts if key in part]
    if key == "enum":
        return [word for words in found for word in words] + [
            part["const"] for part in parts if "const" in part
        ]
    return found[0] if found else None


def _kept(given: Any, read: Any) -> bool:
    """Whether every value that a model has a field for came through; numbers may have become text."""
    if isinstance(given, dict):
        return all(
            _kept(value, read[key]) for key, value in given.items() if key in read and value is not None
        )
    if isinstance(given, list):
        return len(given) == len(read) and all(map(_kept, given, read))
    return bool(given == read or str(given) == str(read) or str(read).startswith(str(given)))


def test_every_name_that_type_checkers_import_is_found_at_run_time() -> None:
    tree = ast.parse(Path(m.__file__).read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {
        alias.name
        for node in imports
        if str(node.module).startswith("shipcli.models")
        for alias in node.names
    }
    assert len(names) > 100
    assert [name for name in names if not hasattr(m, name)] == []
