"""The names under which models are published, and how their published schemas differ from the models.

Models of responses validate nothing, so their maximum lengths and enumerated words are taken from the body
that creates such an object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from shipcli import models as m
from shipcli.models.answers import ProxyPickup
from shipcli.models.base import Model
from shipcli.models.basics import enums
from shipcli.models.batch import BatchOrderData, BatchResource, BatchShipmentData, BatchTrackerData
from shipcli.models.parts.payment import DutyData, PaymentData
from shipcli.models.sentences import find_sentence
from shipcli.operations.added_components import ADDED
from shipcli.operations.component import Component
from shipcli.operations.schema import (
    REFERENCE,
    Schema,
    allow_null,
    copy_limits,
    describe_schema,
    forbid_null,
    list_properties,
)

CREDENTIALS = "ConnectionCredentialsField"
LABEL_WORDS = (*enums.LABEL_TYPES, "")
TRACKING_WORDS = enums.CARRIER_TRACKING_STATUSES


_SHIPMENT = "created_at parcels recipient shipper test_mode"
_TRACKER = "carrier_id carrier_name test_mode tracking_number"
_SHIPMENT_WORDS = {"status": enums.SHIPMENT_STATUSES, "label_type": LABEL_WORDS}
_ACCOUNT = {"credentials": CREDENTIALS}

ANSWERS: tuple[Component, ...] = (
    Component("Address", m.Address, m.AddressData, required="country_code", filled="country_code", null="id"),
    Component("AddressValidation", m.AddressValidation),
    Component("BatchObject", BatchResource, required="status", filled="id",
              words={"status": enums.BATCH_STATUSES}),
    Component("BatchOperation", m.BatchOperation,
              required="created_at resource_type resources status test_mode updated_at",
              words={"status": enums.BATCH_STATUSES, "resource_type": enums.BATCH_RESOURCE_TYPES},
              moments="created_at updated_at"),
    Component("CarrierConnection", m.Connection, bare="display_name",
              required="active carrier_id carrier_name id is_system test_mode", references=_ACCOUNT),
    Component("CarrierDetails", m.CarrierDetails, filled="integration_status"),
    Component("Charge", m.Charge),
    Component("Commodity", m.Commodity, m.CommodityData, required="weight weight_unit",
              filled="weight weight_unit", null="id metadata", bare="metadata"),
    Component("Customs", m.Customs, m.CustomsData, filled="id", bare="commodities"),
    Component("DocumentDetails", m.UploadedDocument, filled="doc_id file_name"),
    Component("DocumentTemplate", m.DocumentTemplate, m.DocumentTemplateData, required="name slug template",
              bare="metadata options"),
    Component("DocumentUploadRecord", m.DocumentUploadRecord, m.DocumentUploadData, required=""),
    Component("Documents", m.Documents),
    Component("Duty", m.Duty, DutyData, filled="duty_billing_address"),
    Component("GeneratedDocument", m.GeneratedDocument, filled="template_id doc_format doc_name"),
    Component("Images", m.Images),
    Component("LineItem", m.LineItem, m.CommodityData, required="weight weight_unit",
              filled="id weight weight_unit", null="metadata", bare="metadata"),
    Component("Manifest", m.Manifest,
              required="address carrier_id carrier_name shipment_identifiers test_mode", paths="manifest_url",
              references={"address": "AddressData"}),
    Component("ManifestDetails", m.ProxyManifest, required="carrier_id carrier_name test_mode", null="id"),
    Component("ManifestDocument", m.ManifestDocument),
    Component("ManifestResponse", m.ManifestResponse, bare="messages", filled="manifest"),
    Component("Message", m.Message, filled="message code carrier_name carrier_id"),
    Component("Operation", m.OperationStatus),
    Component("OperationConfirmation", m.OperationConfirmation),
    Component("OperationResponse", m.OperationResponse, bare="messages", filled="confirmation"),
    Component("Order", m.Order, required="created_at line_items order_id shipping_to test_mode",
              null="options", bare="source options shipments", words={"status": enums.ORDER_STATUSES},
              references={"billing_address": "AddressData"}),
    Component("Parcel", m.Parcel, m.ParcelData, required="weight weight_unit", filled="weight weight_unit",
              null="id", bare="items"),
    Component("Payment", m.Payment, PaymentData),
    Component("Pickup", ProxyPickup, m.PickupData, null="options", bare="options",
              required="address carrier_id carrier_name confirmation_number parcels test_mode"),
    Component("PickupResponse", m.PickupResponse, bare="messages", filled="pickup",
              references={"pickup": "Pickup"}),
    Component("Rate", m.Rate, required="carrier_id carrier_name test_mode", bare="id", filled="currency"),
    Component("RateResponse", m.RateResponse, required="rates", bare="messages"),
    Component("Shipment", m.Shipment, required=_SHIPMENT, null="services carrier_ids", words=_SHIPMENT_WORDS,
              paths="tracking_url label_url invoice_url"),
    Component("ShippingResponse", m.ShippingResponse, required=_SHIPMENT, null="id services carrier_ids",
              words=_SHIPMENT_WORDS, paths="tracking_url"),
    Component("TokenPair", m.TokenPair),
    Component("TrackerDetails", m.TrackerDetails, required=_TRACKER, null="id events",
              bare="events delivered", words={"status": TRACKING_WORDS}),
    Component("TrackingEvent", m.TrackingEvent, filled="date description location"),
    Component("TrackingInfo", m.TrackingInfo),
    Component("TrackingResponse", m.TrackingResponse, bare="messages", filled="tracking"),
    Component("TrackingStatus", m.Tracker, required=_TRACKER, null="events", bare="events delivered",
              words={"status": TRACKING_WORDS}, paths="delivery_image_url signature_image_url"),
    Component("Webhook", m.Webhook, m.WebhookData, required="enabled_events secret test_mode url",
              bare="disabled", addresses="url", moments="last_event_at"),
)  # fmt: skip

_TEMPLATE = "metadata options"
_CHOICES = "services carrier_ids"
_IN_PLACE_OF_IDS: Schema = {
    "type": "array", "items": {"type": "string"},
}  # fmt: skip
_SECRET: Schema = {"type": "string", "writeOnly": True}
# The published bodies require a token that is marked as read-only: clients may leave it out.
_ANSWERED: dict[str, Schema] = {"access": {"type": "string", "readOnly": True}}
BODIES: tuple[Component, ...] = (
    Component("AddressData", m.AddressData),
    Component("BatchOrderData", BatchOrderData),
    Component("BatchShipmentData", BatchShipmentData),
    Component("BatchTrackerData", BatchTrackerData),
    Component("CarrierConnectionData", m.ConnectionData, references=_ACCOUNT),
    Component("CommodityData", m.CommodityData, null="metadata", bare="metadata"),
    Component("CustomsData", m.CustomsData),
    Component("DocumentData", m.DocumentData, filled="template_id template doc_format doc_name",
              bare="options"),
    Component("DocumentFileData", m.DocumentFileData),
    Component("DocumentTemplateData", m.DocumentTemplateData, filled="description", bare=_TEMPLATE),
    Component("DocumentUploadData", m.DocumentUploadData),
    Component("ManifestData", m.ManifestData, also={"shipment_identifiers": _IN_PLACE_OF_IDS}),
    Component("ManifestRequest", m.ManifestRequestData),
    Component("OrderData", m.OrderData, null="options", bare="options"),
    Component("OrderUpdateData", m.OrderUpdateData, null="options", bare="options metadata"),
    Component("ParcelData", m.ParcelData, bare="items"),
    Component("PatchedAddressData", m.AddressPatch, bare="country_code"),
    Component("PatchedCarrierConnectionData", m.ConnectionPatch, bare="carrier_name carrier_id credentials",
              references=_ACCOUNT),
    Component("PatchedDocumentTemplateData", m.DocumentTemplatePatch, filled="description",
              bare=f"name slug template {_TEMPLATE}"),
    Component("PatchedParcelData", m.ParcelPatch, bare="weight weight_unit items"),
    Component("PatchedWebhookData", m.WebhookPatch, bare="url enabled_events", addresses="url"),
    Component("PickupCancelData", m.PickupCancelData, filled="reason"),
    Component("PickupCancelRequest", m.PickupCancelRequestData, filled="address reason"),
    Component("PickupData", m.PickupData, filled="address", null="options", bare="options"),
    Component("PickupRequest", m.PickupRequestData, null="options", bare="options"),
    Component("PickupUpdateData", m.PickupUpdateData, required="confirmation_number", null="options",
              filled="pickup_date address confirmation_number", bare="options tracking_numbers",
              unlimited="instruction package_location", references={"address": "AddressData"}),
    Component("PickupUpdateRequest", m.PickupUpdateRequestData, null="options", bare="options",
              references={"address": "Address", "parcels": "Parcel"}),
    Component("RateRequest", m.RateRequestData, null=_CHOICES),
    Component("ShipmentCancelRequest", m.ShipmentCancelData, filled="carrier_id"),
    Component("ShipmentData", m.ShipmentData, filled="service", null=_CHOICES),
    Component("ShipmentDataReference", m.ShipmentDataReference, filled="service id", null=_CHOICES),
    Component("ShipmentPurchaseData", m.ShipmentPurchaseData, filled="payment", bare="metadata",
              unlimited="reference"),
    Component("ShipmentRateData", m.ShipmentRateData, null=_CHOICES, bare=f"{_CHOICES} metadata",
              unlimited="reference"),
    Component("ShipmentUpdateData", m.ShipmentUpdateData, filled="payment", bare="metadata",
              unlimited="reference"),
    Component("ShippingRequest", m.ShippingRequestData),
    Component("TokenObtainPair", m.TokenObtainPair, also={"email": _SECRET, "password": _SECRET}),
    Component("TokenRefresh", m.TokenRefresh, required="access refresh", also=_ANSWERED),
    Component("TokenVerify", m.TokenVerify, also={"token": _SECRET}),
    Component("TrackerUpdateData", m.TrackerUpdateData, bare="metadata"),
    Component("TrackingData", m.TrackingData),
    Component("VerifiedTokenObtainPair", m.VerifiedTokenObtainPair, required="access otp_token refresh",
              also=_ANSWERED),
    Component("WebhookData", m.WebhookData, addresses="url"),
    Component("WebhookTestRequest", m.WebhookTestData),
)  # fmt: skip

COMPONENTS: tuple[Component, ...] = (*ANSWERS, *BODIES, *ADDED)
# Models that are published under the name of another: their fields are the same to a client.
_ALIKE = {
    "PaymentData": "Payment", "DutyData": "Duty", "PostalAddress": "AddressData",
    "Pickup": "Pickup",
}  # fmt: skip


@cache
def gather_names() -> Mapping[str, str]:
    """The published names by the name of the model class."""
    return {row.model.__name__: row.name for row in COMPONENTS} | _ALIKE


def name_model(model: type[Model]) -> str:
    """The name under which a model is published."""
    return gather_names()[model.__name__]


def make_schema(row: Component, carriers: Sequence[str], trackable: Sequence[str]) -> Schema:
    """The published schema of a component."""
    like = list_properties(row.like) if row.like else {}
    required = _list_required(row)
    shown = {
        name: _convert_references(_make_property(row, name, schema, like.get(name), name in required))
        for name, schema in list_properties(row.model).items()
    }
    if "carrier_name" in shown and row.model in _KNOWN_CARRIERS:
        shown["carrier_name"]["enum"] = list(trackable if row.model is m.TrackingData else carriers)
    published: Schema = {"type": "object", "properties": _describe_fields(row, {**shown, **row.also})}
    return {**published, "required": sorted(required)} if required else published


_KNOWN_CARRIERS = (m.Connection, m.ConnectionData, m.ConnectionPatch, m.CarrierDetails, m.TrackingData)


def _list_required(row: Component) -> list[str]:
    if row.required is not None:
        return row.required.split()
    return [name for name, info in row.model.model_fields.items() if info.is_required()]


def _make_property(
    row: Component, name: str, schema: Schema, like: Schema | None, is_required: bool
) -> Schema:
    published = copy_limits(schema, like) if like else dict(schema)
    if name in row.references:
        published = _refer(published, row.references[name])
    if name in row.filled.split():
        published = forbid_null(published)
    if name in row.null.split():
        published = allow_null(published)
    if name in row.words:
        words = {"enum": list(row.words[name])}
        published = allow_null(published | words) if published.get("nullable") else published | words
    out = [("default", is_required or name in row.bare.split()), ("maxLength", name in row.unlimited.split())]
    published = {key: value for key, value in published.items() if (key, True) not in out}
    return published | _find_format(row, name)


def _find_format(row: Component, name: str) -> Schema:
    forms = {"uri-reference": row.paths, "uri": row.addresses, "date-time": row.moments}
    return next(({"format": form} for form, fields in forms.items() if name in fields.split()), {})


def _describe_fields(row: Component, properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """The properties with what they mean."""
    return {
        name: describe_schema(schema, find_sentence(row.model, name)) for name, schema in properties.items()
    }


def _refer(schema: Schema, name: str) -> Schema:
    """The same schema with a reference to another component."""
    target = {"$ref": REFERENCE + name}
    if schema.get("type") == "array":
        return {**schema, "items": target}
    remaining = {key: value for key, value in schema.items() if key in ("nullable", "default")}
    return {"allOf": [target], **remaining}


def _convert_references(schema: Schema) -> Schema:
    """Turn references to model classes into references to components."""
    converted = dict(schema)
    if "$ref" in converted:
        model = converted["$ref"].removeprefix(REFERENCE)
        converted["$ref"] = REFERENCE + gather_names().get(model, model)
    if "items" in converted:
        converted["items"] = _convert_references(converted["items"])
    if "allOf" in converted:
        converted["allOf"] = [_convert_references(part) for part in converted["allOf"]]
    return converted
