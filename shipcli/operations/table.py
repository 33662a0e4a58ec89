"""The rows of the operation table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from shipcli import models as m
from shipcli.carrier import registry
from shipcli.features.admin import instance
from shipcli.features.book import addresses, customs, parcels
from shipcli.features.connections import address_checks, catalog, locations
from shipcli.features.connections import filters as connection_filters
from shipcli.features.connections import service as connections
from shipcli.features.core import filters as lists
from shipcli.features.core.filters import Lister, Rules
from shipcli.features.customers import links as customer_links
from shipcli.features.customers import outbox as customer_mails
from shipcli.features.files import export, order_import, shipment_store
from shipcli.features.files import filters as batch_filters
from shipcli.features.files.batches import service as batches
from shipcli.features.identity import jwt as tokens
from shipcli.features.orders import changes as order_changes
from shipcli.features.orders import filters as order_filters
from shipcli.features.orders import fulfilment, rule_trials
from shipcli.features.orders import service as orders
from shipcli.features.paper import documents, templates, uploads
from shipcli.features.paper import filters as upload_filters
from shipcli.features.pickups import bookings, manifest_creation, manifests
from shipcli.features.pickups import filters as pickup_filters
from shipcli.features.pickups import proxy as proxy_pickups
from shipcli.features.pickups import service as pickups
from shipcli.features.reports import service as reports
from shipcli.features.rules import service as shipping_rules
from shipcli.features.shipments import filters as shipment_filters
from shipcli.features.shipments import price_ceiling, proxy, returns, ship
from shipcli.features.shipments import resolution as purchase_resolution
from shipcli.features.shipments import service as shipments
from shipcli.features.shops import waiting as shop_numbers
from shipcli.features.trackers import filters as tracker_filters
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.models import purchase_steps as steps
from shipcli.models.address_check import AddressCheck, AddressCheckData
from shipcli.models.answers import (
    ManifestResponse,
    OperationResponse,
    OperationStatus,
    PickupResponse,
    RateResponse,
    TrackingResponse,
)
from shipcli.models.customers import Mail, MailList, TrackingLink
from shipcli.models.location import LocationList
from shipcli.models.rule import (
    Explanation,
    RuleData,
    RuleList,
    RulePatch,
    RuleSet,
    RuleTrial,
    RuleTrialRequest,
    ShippingRule,
)
from shipcli.operations import adapters
from shipcli.operations.operation import (
    Anything,
    Auth,
    Content,
    IdempotencyPolicy,
    Listing,
    Many,
    Operation,
    Parameter,
    RunsOn,
    Words,
)
from shipcli.operations.steps import find_ids, list_steps

STATE, CARRIER = 409, 424


def list_carrier_slugs() -> list[str]:
    """All carriers that can be loaded."""
    return [facts.slug for facts in registry.list_facts()]


def list_trackable_carriers() -> list[str]:
    """The carriers whose numbers can be tracked under their own name."""
    return [facts.slug for facts in registry.list_facts() if facts.trackable]


def list_import_types() -> list[str]:
    """What a file may hold by the published contract; the resource types of batches are accepted as well."""
    return ["billing", "order", "shipment", "trackers"]


def _read_flag(text: str) -> bool:
    return lists.read_bool(text) is not False


GET, POST, PUT, PATCH, DELETE = (
    partial(Operation, method=verb) for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")
)
Row = Callable[..., Operation]


def of(tag: str, *rows: Operation) -> tuple[Operation, ...]:
    """Tag the rows of a resource."""
    return tuple(replace(row, tag=tag) for row in rows)


def row(
    verb: Row,
    path: str,
    id: str,
    name: str,
    summary: str,
    use: Callable[..., Any],
    answer: Any,
    **settings: Any,
) -> Operation:
    """Make a row; its tag is set by `of`."""
    return verb(path=path, id=id, name=name, summary=summary, use=use, answer=answer, tag="", **settings)


def page(
    path: str,
    id: str,
    name: str,
    item: type[m.Model],
    envelope: str,
    use: Lister,
    filters: Rules | None = None,
    **settings: Any,
) -> Operation:
    """Make the row of a paged list."""
    summary = f"List {path.rpartition('/')[2]}, newest first"
    declared = {"lane": RunsOn.READER, "errors": (404,), **settings}
    return row(GET, path, id, name, summary, use, Listing(envelope, item, filters or {}), **declared)


HUB = Parameter("hub", read=lambda text: text or None)  # an empty one counts as none
CARRIERS: dict[str, Words] = {"carrier_name": list_carrier_slugs}
TRACKABLE: dict[str, Words] = {"carrier_name": list_trackable_carriers}

API = of(
    "API",
    row(GET, "/", "&&ping", "ping", "Say which instance this is", instance.describe, Anything, auth=Auth.OPEN,
        lane=RunsOn.READER, from_request=("host",), declares_500=False),
    row(GET, "/v1/references", "&&data", "references", "List the reference maps", adapters.list_references,
        Anything, auth=Auth.OPEN, lane=RunsOn.READER, from_request=("host",), declares_500=False,
        query=(Parameter("reduced", _read_flag, "boolean"),)),
)  # fmt: skip

LOG_IN: dict[str, Any] = {"auth": Auth.OPEN, "policy": IdempotencyPolicy.NEVER, "declares_500": False}

AUTH = of(
    "Auth",
    row(POST, "/api/token", "&&authenticate", "authenticate", "Log in with e-mail address and password",
        tokens.obtain, m.TokenPair, body=m.TokenObtainPair, status=201, from_request=("peer",), **LOG_IN),
    row(POST, "/api/token/refresh", "&&refresh_token", "refreshToken", "Get a new pair of tokens",
        tokens.refresh, m.TokenPair, body=m.TokenRefresh, status=201, **LOG_IN),
    row(POST, "/api/token/verified", "&&get_verified_token", "getVerifiedToken",
        "Take the second step of a log-in", tokens.verify_second_step, m.TokenPair,
        body=m.VerifiedTokenObtainPair, status=201, **LOG_IN),
    row(POST, "/api/token/verify", "&&verify_token", "verifyToken", "Say whether a token is good",
        tokens.verify, Anything, body=m.TokenVerify, **LOG_IN),
)  # fmt: skip

ADDRESSES = of(
    "Addresses",
    page("/v1/addresses", "$list", "listAddresses", m.Address, "AddressList", lists.list_stored("address")),
    row(POST, "/v1/addresses", "$create", "createAddress", "Store an address", addresses.create_address,
        m.Address, body=m.AddressData, status=201, policy=IdempotencyPolicy.IN_TRANSACTION,
        lane=RunsOn.WRITER),
    row(GET, "/v1/addresses/{id}", "$retrieve", "retrieveAddress", "Read an address", addresses.get_address,
        m.Address, stored="address", lane=RunsOn.READER, errors=(400, 404)),
    row(PATCH, "/v1/addresses/{id}", "$update", "updateAddress", "Change an address",
        addresses.update_address, m.Address, body=m.AddressPatch, errors=(404, STATE), lane=RunsOn.WRITER),
    row(DELETE, "/v1/addresses/{id}", "$discard", "discardAddress", "Remove an address",
        addresses.discard_address, m.Address, errors=(404, STATE), lane=RunsOn.WRITER),
)  # fmt: skip

PARCELS = of(
    "Parcels",
    page("/v1/parcels", "$$$list", "listParcels", m.Parcel, "ParcelList", lists.list_stored("parcel")),
    row(POST, "/v1/parcels", "$$$create", "createParcel", "Store a parcel", parcels.create_parcel, m.Parcel,
        body=m.ParcelData, status=201, errors=(404,), policy=IdempotencyPolicy.IN_TRANSACTION,
        lane=RunsOn.WRITER),
    row(GET, "/v1/parcels/{id}", "$$$retrieve", "retrieveParcel", "Read a parcel", parcels.get_parcel,
        m.Parcel, stored="parcel", lane=RunsOn.READER, errors=(404,)),
    row(PATCH, "/v1/parcels/{id}", "$$$update", "updateParcel", "Change a parcel", parcels.update_parcel,
        m.Parcel, body=m.ParcelPatch, errors=(404, STATE), lane=RunsOn.WRITER),
    row(DELETE, "/v1/parcels/{id}", "$$$discard", "discardParcel", "Remove a parcel", parcels.discard_parcel,
        m.Parcel, errors=(404, STATE), lane=RunsOn.WRITER),
)  # fmt: skip

CARRIER_LISTS = of(
    "Carriers",
    row(GET, "/v1/carriers", "&&list", "listCarriers", "List all carriers", catalog.list_carriers,
        Many(m.CarrierDetails), auth=Auth.OPEN, lane=RunsOn.READER),
    row(GET, "/v1/carriers/{carrier_name}/services", "&&get_services", "getServices",
        "List the services of a carrier", catalog.get_services, Anything, auth=Auth.OPEN, lane=RunsOn.READER,
        errors=(404,)),
)  # fmt: skip

CONNECTIONS = of(
    "Connections",
    page("/v1/connections", "&&&list", "listCarrierConnections", m.Connection, "CarrierConnectionList",
         connections.list_connections, connection_filters.CONNECTIONS, errors=(), declares_500=False,
         policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/connections", "&&&add", "addCarrierConnection", "Add an account with a carrier",
        adapters.add_connection, m.Connection, body=m.ConnectionData, status=201, refusals=(CARRIER,),
        policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/connections/{id}", "&&&retrieve", "retrieveCarrierConnection", "Read a connection",
        connections.get_connection, m.Connection, lane=RunsOn.READER, errors=(400, 404),
        policy=IdempotencyPolicy.NEVER),
    row(PATCH, "/v1/connections/{id}", "&&&update", "updateCarrierConnection", "Change a connection",
        connections.update_connection, m.Connection, body=m.ConnectionPatch, errors=(404,),
        lane=RunsOn.WRITER),
    row(DELETE, "/v1/connections/{id}", "&&&remove", "removeCarrierConnection", "Remove a connection",
        connections.remove_connection, m.Connection, errors=(404, STATE), lane=RunsOn.WRITER),
)  # fmt: skip

PROXY = of(
    "Proxy",
    row(POST, "/v1/proxy/rates", "@@fetch_rates", "fetchRates", "Fetch rates without storing anything",
        proxy.fetch_rates, RateResponse, body=m.RateRequestData, errors=(404,), refusals=(CARRIER,),
        auth=Auth.READ),
    row(POST, "/v1/proxy/shipping", "@@@buy_label", "buyLabel", "Buy a label without storing it",
        proxy.buy_label, m.ShippingResponse, body=m.ShippingRequestData, errors=(404,), refusals=(CARRIER,),
        policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/proxy/shipping/{carrier_name}/cancel", "@@@void_label", "voidLabel", "Void a label",
        proxy.void_label, OperationResponse, body=m.ShipmentCancelData, status=202, errors=(404,),
        refusals=(CARRIER,), path_words=CARRIERS, declares_500=False),
    row(POST, "/v1/proxy/tracking", "@@@@get_tracking", "getTracking", "Track a number without storing it",
        proxy.get_tracking, TrackingResponse, body=m.TrackingData, query=(HUB,), refusals=(404, CARRIER),
        auth=Auth.READ),
    row(GET, "/v1/proxy/tracking/{carrier_name}/{tracking_number}", "@@@@track_shipment", "trackShipment",
        "Track a number", adapters.track_shipment, TrackingResponse, query=(HUB,), errors=(400,),
        refusals=(404, CARRIER), path_words=TRACKABLE, deprecated=True),
    row(POST, "/v1/proxy/pickups/{carrier_name}", "@schedule_pickup", "pickupSchedule", "Schedule a pickup",
        proxy_pickups.schedule_pickup, PickupResponse, body=m.PickupRequestData, status=201, errors=(404,),
        refusals=(CARRIER,), path_words=CARRIERS, policy=IdempotencyPolicy.RECORD_FIRST),
    row(POST, "/v1/proxy/pickups/{carrier_name}/update", "@update_pickup", "pickupUpdate", "Change a pickup",
        proxy_pickups.update_pickup, PickupResponse, body=m.PickupUpdateRequestData, errors=(404,),
        refusals=(CARRIER,), path_words=CARRIERS),
    row(POST, "/v1/proxy/pickups/{carrier_name}/cancel", "@cancel_pickup", "pickupCancel", "Cancel a pickup",
        proxy_pickups.cancel_pickup, OperationResponse, body=m.PickupCancelRequestData, errors=(404,),
        refusals=(CARRIER,), path_words=CARRIERS),
    row(POST, "/v1/proxy/manifest", "@@@$generate_manifest", "generateManifest", "Generate a manifest",
        proxy_pickups.generate_manifest, ManifestResponse, body=m.ManifestRequestData, errors=(404,),
        refusals=(CARRIER,), policy=IdempotencyPolicy.RECORD_FIRST),
)  # fmt: skip

SHIPMENTS = of(
    "Shipments",
    page("/v1/shipments", "$$$$$list", "listShipments", m.Shipment, "ShipmentList",
         lists.list_stored("shipment"), shipment_filters.SHIPMENTS),
    row(POST, "/v1/shipments", "$$$$$create", "createShipment", "Store a shipment with its rates",
        shipments.create_shipment, m.Shipment, body=m.ShipmentData, status=201, errors=(404,),
        refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/shipments/{id}", "$$$$$retrieve", "retrieveShipment", "Read a shipment",
        shipments.get_shipment, m.Shipment, stored="shipment", lane=RunsOn.READER, errors=(404,)),
    row(PUT, "/v1/shipments/{id}", "$$$$$update", "updateShipment", "Change a shipment",
        shipments.update_shipment, m.Shipment, body=m.ShipmentUpdateData, errors=(404, STATE),
        refusals=(CARRIER,), lane=RunsOn.WRITER),
    row(POST, "/v1/shipments/{id}/cancel", "$$$$$cancel", "cancelShipment", "Cancel a shipment",
        shipments.cancel_shipment, m.Shipment, errors=(400, 404, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/shipments/{id}/purchase", "$$$$$purchase", "purchaseShipment",
        "Buy the label of a shipment", shipments.purchase_shipment, m.Shipment, body=m.ShipmentPurchaseData,
        errors=(404, STATE), refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/shipments/{id}/rates", "$$$$$rates", "fetchShipmentRates",
        "Fetch the rates of a draft again", shipments.fetch_rates, m.Shipment, body=m.ShipmentRateData,
        errors=(404, STATE), refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
)  # fmt: skip

TRACKERS = of(
    "Trackers",
    page("/v1/trackers", "$$$$$$list", "listTrackers", m.Tracker, "TrackerList", lists.list_stored("tracker"),
         tracker_filters.TRACKERS),
    row(POST, "/v1/trackers", "$$$$$$add", "addTracker", "Track a number", trackers.add_tracker, m.Tracker,
        body=m.TrackingData, query=(HUB, Parameter("pending_pickup", _read_flag, "boolean")), status=202,
        other_statuses=(200,), refusals=(404, CARRIER), policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/trackers/{carrier_name}/{tracking_number}", "$$$$$$create", "createTracker",
        "Track a number", adapters.create_tracker, m.Tracker, status=202, other_statuses=(200,),
        errors=(400,),
        refusals=(404, CARRIER), deprecated=True, auth=Auth.WRITE,
        query=(Parameter("carrier_name", words=list_trackable_carriers, required=True, declared=True), HUB)),
    row(GET, "/v1/trackers/{id_or_tracking_number}", "$$$$$$retrieve", "retrieveTracker", "Read a tracker",
        adapters.get_tracker, m.Tracker, stored="tracker", auth=Auth.OPEN, lane=RunsOn.READER, errors=(404,),
        messages=(404,)),
    row(PUT, "/v1/trackers/{id_or_tracking_number}", "$$$$$$update", "updateTracker", "Change a tracker",
        trackers.update_tracker, m.Tracker, body=m.TrackerUpdateData, errors=(404, STATE),
        lane=RunsOn.WRITER),
    row(DELETE, "/v1/trackers/{id_or_tracking_number}", "$$$$$$remove", "removeTracker", "Remove a tracker",
        trackers.remove_tracker, m.Tracker, errors=(404,), lane=RunsOn.WRITER),
)  # fmt: skip

ORDERS = of(
    "Orders",
    page("/v1/orders", "&&&&list", "listOrders", m.Order, "OrderList", orders.list_orders,
         order_filters.ORDERS, lane=RunsOn.POOL),
    row(POST, "/v1/orders", "&&&&create", "createOrder", "Store an order", orders.create_plain_order, m.Order,
        body=m.OrderData, status=201, errors=(404, STATE), policy=IdempotencyPolicy.IN_TRANSACTION,
        lane=RunsOn.WRITER),
    row(GET, "/v1/orders/{id}", "&&&&retrieve", "retrieveOrder", "Read an order", orders.get_order, m.Order,
        lane=RunsOn.READER, errors=(404,)),
    row(PUT, "/v1/orders/{id}", "&&&&update", "updateOrder", "Change an order", orders.update_order, m.Order,
        body=m.OrderUpdateData, errors=(404, STATE), lane=RunsOn.WRITER),
    row(DELETE, "/v1/orders/{id}", "&&&&dismiss", "dismissOrder", "Cancel an order", orders.dismiss_order,
        m.Order, errors=(404, STATE), deprecated=True, lane=RunsOn.WRITER),
    row(POST, "/v1/orders/{id}/cancel", "&&&&cancel", "cancelOrder", "Cancel an order", orders.cancel_order,
        m.Order, errors=(404, STATE), policy=IdempotencyPolicy.IN_TRANSACTION, lane=RunsOn.WRITER),
)  # fmt: skip

PICKUPS = of(
    "Pickups",
    page("/v1/pickups", "$$$$list", "listPickups", m.Pickup, "PickupList", pickups.list_pickups,
         pickup_filters.PICKUPS),
    row(POST, "/v1/pickups/{carrier_name}/schedule", "$$$$schedule", "schedulePickup",
        "Schedule a pickup of stored shipments", pickups.schedule_pickup, m.Pickup, body=m.PickupData,
        status=201, errors=(404,), refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/pickups/{id}", "$$$$retrieve", "retrievePickup", "Read a pickup", pickups.get_pickup,
        m.Pickup, lane=RunsOn.READER, errors=(404,)),
    row(POST, "/v1/pickups/{id}", "$$$$update", "updatePickup", "Change a pickup", pickups.update_pickup,
        m.Pickup, body=m.PickupUpdateData, errors=(404,), refusals=(CARRIER,)),
    row(POST, "/v1/pickups/{id}/cancel", "$$$$cancel", "cancelPickup", "Cancel a pickup",
        pickups.cancel_pickup, m.Pickup, body=m.PickupCancelData, errors=(404, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.IN_TRANSACTION),
)  # fmt: skip

MANIFESTS = of(
    "Manifests",
    page("/v1/manifests", "$$$$&&list", "listManifests", m.Manifest, "ManifestList",
         lists.list_stored("manifest"), pickup_filters.MANIFESTS),
    row(POST, "/v1/manifests", "$$$$&&create", "createManifest", "Make a manifest of stored shipments",
        manifests.create_manifest, m.Manifest, body=m.ManifestData, status=201, errors=(404,),
        refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/manifests/{id}", "$$$$&&retrieve", "retrieveManifest", "Read a manifest",
        manifests.get_manifest, m.Manifest, stored="manifest", lane=RunsOn.READER, errors=(404,)),
)  # fmt: skip

WEBHOOKS = of(
    "Webhooks",
    page("/v1/webhooks", "$$$$$$$list", "listWebhooks", m.Webhook, "WebhookList", webhooks.list_webhooks,
         policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/webhooks", "$$$$$$$create", "createWebhook", "Subscribe to events",
        webhooks.create_webhook, m.Webhook, body=m.WebhookData, status=201,
        policy=IdempotencyPolicy.IN_TRANSACTION),
    row(GET, "/v1/webhooks/{id}", "$$$$$$$retrieve", "retrieveWebhook", "Read a webhook",
        webhooks.get_webhook, m.Webhook, lane=RunsOn.READER, errors=(404,), other_statuses=(201,),
        policy=IdempotencyPolicy.NEVER),
    row(PATCH, "/v1/webhooks/{id}", "$$$$$$$update", "updateWebhook", "Change a webhook",
        webhooks.update_webhook, m.Webhook, body=m.WebhookPatch, errors=(404,), lane=RunsOn.WRITER),
    row(DELETE, "/v1/webhooks/{id}", "$$$$$$$remove", "removeWebhook", "Remove a webhook",
        webhooks.delete_webhook, OperationStatus, errors=(404,), lane=RunsOn.WRITER),
    row(POST, "/v1/webhooks/{id}/test", "$$$$$$$test", "testWebhook", "Send a test event to a webhook",
        webhooks.test_webhook, OperationStatus, body=m.WebhookTestData, errors=(404,)),
)  # fmt: skip

DOCUMENTS = of(
    "Documents",
    row(POST, "/v1/documents/generate", "&&&&$$generateDocument", "generateDocument",
        "Make a document of a template", documents.generate, m.GeneratedDocument, body=m.DocumentData,
        status=201, errors=(404,)),
    page("/v1/documents/templates", "&&&&$$list", "listDocumentTemplates", m.DocumentTemplate,
         "DocumentTemplateList", lists.list_stored("template")),
    row(POST, "/v1/documents/templates", "&&&&$$create", "createDocumentTemplate", "Store a template",
        templates.create_template, m.DocumentTemplate, body=m.DocumentTemplateData, status=201,
        policy=IdempotencyPolicy.IN_TRANSACTION, lane=RunsOn.WRITER),
    row(GET, "/v1/documents/templates/{id}", "&&&&$$retrieve", "retrieveDocumentTemplate", "Read a template",
        templates.get_template, m.DocumentTemplate, stored="template", lane=RunsOn.READER, errors=(400, 404)),
    row(PATCH, "/v1/documents/templates/{id}", "&&&&$$update", "updateDocumentTemplate", "Change a template",
        templates.update_template, m.DocumentTemplate, body=m.DocumentTemplatePatch, errors=(404,),
        lane=RunsOn.WRITER),
    row(DELETE, "/v1/documents/templates/{id}", "&&&&$$discard", "discardDocumentTemplate",
        "Remove a template", templates.delete_template, m.DocumentTemplate, errors=(404, STATE),
        lane=RunsOn.WRITER),
    page("/v1/documents/uploads", "$$$$$&uploads", "listUploads", m.DocumentUploadRecord,
         "DocumentUploadRecords", lists.list_stored("upload"), upload_filters.UPLOADS),
    row(POST, "/v1/documents/uploads", "$$$$$&upload", "uploadDocuments",
        "Send files to the carrier of a shipment", uploads.upload, m.DocumentUploadRecord,
        body=m.DocumentUploadData, status=201, errors=(404, 406, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.RECORD_FIRST,
        content=Content.JSON_WITH_FILE),
    row(GET, "/v1/documents/uploads/{id}", "$$$$$&retrieve_upload", "retrieveUpload",
        "Read the files of a shipment", uploads.get_upload, m.DocumentUploadRecord, stored="upload",
        lane=RunsOn.READER, errors=(404,)),
)  # fmt: skip

IMPORTED = (
    Parameter("data_file", declared=True, format="binary"), Parameter("data_template", declared=True),
    Parameter("resource_type", words=list_import_types, declared=True),
)  # fmt: skip

BATCHES = of(
    "Batches",
    page("/v1/batches/operations", "&&&&$list", "listBatchOperations", m.BatchOperation, "BatchOperations",
         batches.list_batches, batch_filters.BATCHES, lane=RunsOn.POOL),
    row(GET, "/v1/batches/operations/{id}", "&&&&$retrieve", "retrieveBatchOperation",
        "Read a batch operation", batches.get_batch, m.BatchOperation, lane=RunsOn.READER, errors=(404,)),
    row(POST, "/v1/batches/orders", "&&&&$create_orders", "createOrders", "Store many orders",
        batches.create_orders, m.BatchOperation, body=m.BatchOrderData, errors=(404,), rows="orders",
        content=Content.JSON_WITH_FILE, policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/batches/shipments", "&&&&$create_shipments", "createShipments",
        "Store and buy many shipments", batches.create_shipments, m.BatchOperation,
        body=m.BatchShipmentData, errors=(404,), rows="shipments", content=Content.JSON_WITH_FILE,
        policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/batches/trackers", "&&&&$create_trackers", "createTrackers", "Track many numbers",
        batches.create_trackers, m.BatchOperation, body=m.BatchTrackerData, errors=(404,), rows="trackers",
        content=Content.JSON_WITH_FILE, policy=IdempotencyPolicy.IN_TRANSACTION),
    row(POST, "/v1/batches/data/import", "&&&&$import_file", "importFile", "Import a file",
        adapters.import_file, m.BatchOperation, status=202, content=Content.FORM_WITH_FILE, query=IMPORTED,
        policy=IdempotencyPolicy.IN_TRANSACTION),
)  # fmt: skip

OPERATIONS: tuple[Operation, ...] = (
    *API, *AUTH, *ADDRESSES, *BATCHES, *CARRIER_LISTS, *CONNECTIONS, *DOCUMENTS, *MANIFESTS, *ORDERS,
    *PARCELS, *PICKUPS, *PROXY, *SHIPMENTS, *TRACKERS, *WEBHOOKS,
)  # fmt: skip

CUSTOMS = of(
    "Customs",
    page("/v1/customs_info", "customs_list", "listCustoms", m.Customs, "CustomsList",
         lists.list_stored("customs")),
    row(POST, "/v1/customs_info", "customs_create", "createCustoms", "Store a customs declaration",
        customs.create_declaration, m.Customs, body=m.CustomsData, status=201, errors=(404,),
        policy=IdempotencyPolicy.IN_TRANSACTION, lane=RunsOn.WRITER),
    row(GET, "/v1/customs_info/{id}", "customs_retrieve", "retrieveCustoms", "Read a customs declaration",
        customs.get_declaration, m.Customs, stored="customs", lane=RunsOn.READER, errors=(404,)),
    row(PATCH, "/v1/customs_info/{id}", "customs_update", "updateCustoms", "Change a customs declaration",
        customs.update_declaration, m.Customs, body=m.CustomsPatch, errors=(404, STATE),
        lane=RunsOn.WRITER),
    row(DELETE, "/v1/customs_info/{id}", "customs_discard", "discardCustoms", "Remove a customs declaration",
        customs.discard_declaration, m.Customs, errors=(404, STATE), lane=RunsOn.WRITER),
)  # fmt: skip

ONE_CARRIER = of(
    "Carriers",
    row(GET, "/v1/carriers/{carrier_name}", "carrier_retrieve", "retrieveCarrier", "Read one carrier",
        catalog.get_carrier, m.CarrierDetails, auth=Auth.OPEN, lane=RunsOn.READER, errors=(404,)),
)  # fmt: skip

RESOLUTIONS = of(
    "Resolutions",
    row(POST, "/v1/shipments/{id}/resolve", "shipment_resolve", "resolveShipment",
        "Say what became of a purchase or void that is in doubt", purchase_resolution.resolve_shipment,
        m.Shipment, body=m.ShipmentResolveData, errors=(404, STATE)),
    row(POST, "/v1/pickups/{id}/resolve", "pickup_resolve", "resolvePickup",
        "Say what became of a pickup whose outcome is unknown", bookings.resolve_pickup, Anything,
        body=m.PickupResolveData, errors=(404, STATE)),
    row(POST, "/v1/manifests/{id}/resolve", "manifest_resolve", "resolveManifest",
        "Say what became of a manifest whose outcome is unknown", manifest_creation.resolve_manifest,
        Anything, body=m.ManifestResolveData, errors=(404, STATE)),
)  # fmt: skip

RETURNS = of(
    "Shipments",
    row(POST, "/v1/shipments/{id}/return", "shipment_return", "returnShipment",
        "Make the draft of the return of a shipment", returns.create_return, m.Shipment, body=m.ReturnData,
        status=201, errors=(404, STATE), refusals=(CARRIER,), policy=IdempotencyPolicy.IN_TRANSACTION),
)  # fmt: skip

CORRECTIONS = of(
    "Orders",
    row(PUT, "/v1/orders/{id}/edit", "order_edit", "editOrder", "Correct address and lines of an order",
        order_changes.edit_order, m.Order, body=m.OrderEditData, errors=(404, STATE), lane=RunsOn.WRITER),
    row(POST, "/v1/orders/{id}/split", "order_split", "splitOrder", "Move lines of an order to a new order",
        order_changes.split_order, m.Order, body=m.OrderSplitData, status=201, errors=(404, STATE),
        policy=IdempotencyPolicy.IN_TRANSACTION, lane=RunsOn.WRITER),
    row(POST, "/v1/orders/{id}/combine", "order_combine", "combineOrders", "Move lines of orders into one",
        order_changes.combine_orders, m.Order, body=m.OrderCombineData, errors=(404, STATE),
        policy=IdempotencyPolicy.IN_TRANSACTION, lane=RunsOn.WRITER),
)  # fmt: skip

DROPS = of(
    "Pickups",
    row(POST, "/v1/pickups/{id}/drop", "pickup_drop", "dropFromPickup", "Take shipments out of a pickup",
        pickups.drop_shipments, m.Pickup, body=m.PickupDropData, errors=(404, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
)  # fmt: skip

ADDRESS_CHECKS = of(
    "Addresses",
    row(POST, "/v1/addresses/validate", "address_validate", "validateAddress",
        "Check an address by the postal rules, then with a carrier", address_checks.check_address,
        AddressCheck, body=AddressCheckData, errors=(404,), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
)  # fmt: skip

CHECKS = of(
    "Connections",
    row(GET, "/v1/connections/{id}/check", "connection_check", "checkConnection",
        "Ask the carrier of a connection whether it accepts the credentials", connections.check_connection,
        m.Connection, errors=(404,), refusals=(CARRIER,), auth=Auth.WRITE),
)  # fmt: skip

LOCATIONS = of(
    "Carriers",
    row(GET, "/v1/locations", "locations_list", "findLocations",
        "Find the places of carriers where parcels are handed in or fetched", locations.find_locations,
        LocationList, errors=(404,), refusals=(CARRIER,),
        query=(Parameter("country_code", required=True), Parameter("postal_code"), Parameter("city"),
               Parameter("state_code"), Parameter("address_line1"),
               Parameter("carrier_name"),
               Parameter("purpose", words=lambda: [*locations.PURPOSES]),
               Parameter("limit", int, "integer"), Parameter("radius_km", m.read_decimal, "number"))),
)  # fmt: skip

CHANGES = of(
    "Exports",
    row(GET, "/v1/exports/{what}", "export_rows", "exportRows", "Read what changed since an instant as rows",
        export.export_rows, Anything, errors=(404,),
        query=(Parameter("status"), Parameter("exclude"), Parameter("since"))),
    row(GET, "/v1/reports/{name}", "report_retrieve", "readReport", "Read a report: figures for some days",
        reports.make_report, m.Report, errors=(404,),
        query=(Parameter("by"), Parameter("first"), Parameter("last"))),
    row(GET, "/v1/numbers", "numbers_list", "listNumbers",
        "Read the tracking numbers that a shop is to be told", shop_numbers.list_waiting, m.WaitingNumbers,
        query=(Parameter("shop", required=True), Parameter("source"), Parameter("since"),
               Parameter("again", _read_flag, "boolean"))),
    row(POST, "/v1/numbers", "numbers_mark", "markNumbers", "Mark tracking numbers that a shop was told",
        shop_numbers.mark_told, m.TellingMark, body=m.NumbersTold, lane=RunsOn.WRITER,
        policy=IdempotencyPolicy.NEVER),
)  # fmt: skip

RULES = of(
    "Rules",
    row(GET, "/v1/rules", "rules_list", "listRules", "List rules in the order in which they are tried",
        shipping_rules.list_rules, RuleList, lane=RunsOn.READER),
    row(POST, "/v1/rules", "rule_create", "addRule", "Add a rule behind the others", shipping_rules.add_rule,
        ShippingRule, body=RuleData, status=201, errors=(STATE,), lane=RunsOn.WRITER),
    row(PUT, "/v1/rules", "rules_replace", "replaceRules", "Put rules in the place of all others",
        shipping_rules.replace_rules, RuleList, body=RuleSet, errors=(STATE,), lane=RunsOn.WRITER),
    row(POST, "/v1/rules/test", "rules_test", "testRules", "Try rules on stored orders",
        rule_trials.try_rules, RuleTrial, body=RuleTrialRequest, errors=(404,),
        policy=IdempotencyPolicy.NEVER),
    row(GET, "/v1/rules/{id}", "rule_retrieve", "retrieveRule", "Read a rule by its id, name or position",
        shipping_rules.get_rule, ShippingRule, errors=(404,), lane=RunsOn.READER),
    row(PATCH, "/v1/rules/{id}", "rule_update", "updateRule", "Change a rule, or its place",
        shipping_rules.change_rule, ShippingRule, body=RulePatch, errors=(404, STATE), lane=RunsOn.WRITER),
    row(DELETE, "/v1/rules/{id}", "rule_delete", "discardRule", "Delete a rule", shipping_rules.remove_rule,
        ShippingRule, errors=(404,), lane=RunsOn.WRITER),
    row(GET, "/v1/explanations/{id}", "explanation_retrieve", "explainChoice",
        "Say why a shipment or an order has its service, box, options and printer",
        rule_trials.explain_object, Explanation, errors=(404,)),
)  # fmt: skip

CUSTOMERS = of(
    "Customers",
    row(GET, "/v1/mails", "mails_list", "listMails", "List mails to customers, newest first",
        customer_mails.list_mails, MailList,
        query=(Parameter("state"), Parameter("limit", int, "integer"))),
    row(GET, "/v1/mails/{id}", "mail_retrieve", "retrieveMail", "Read a mail", customer_mails.get_mail, Mail,
        errors=(404,), lane=RunsOn.READER),
    row(GET, "/v1/trackers/{id_or_tracking_number}/link", "tracking_link", "retrieveTrackingLink",
        "Read the link to the page on which a customer follows a parcel", customer_links.get_link,
        TrackingLink, errors=(404,), from_request=("host",)),
)  # fmt: skip

# What commands on other machines do with this store. A purchase has its idempotency key in its body.
STEPS = of(
    "Steps",
    row(GET, "/v1/steps", "steps_list", "listSteps", "Tell that steps are offered", list_steps, Anything,
        lane=RunsOn.READER),
    row(GET, "/v1/steps/words", "step_find_ids", "listIds", "Find the objects that a word may mean", find_ids,
        Anything, lane=RunsOn.READER,
        query=(Parameter("kind"), Parameter("word"), Parameter("most", int, "integer"))),
    row(POST, "/v1/steps/drafts", "step_quote", "quoteShipment", "Rate a shipment without storing it",
        ship.make_rated_draft, m.Shipment, body=m.ShipmentData, errors=(404,), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/drafts/{id}", "step_quote_draft", "quoteDraft",
        "Rate a draft with other facts of its parcel without storing them", ship.read_stored_draft,
        m.Shipment, body=m.ParcelPatch, errors=(404, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/purchases/find", "step_find", "findPurchase", "Read what was bought with a key",
        ship.find_bought, steps.BoughtBefore, body=steps.KeyedRequest, errors=(STATE,), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/purchases", "step_buy", "buyRate", "Buy a rated draft, once per key",
        ship.buy_rate, m.Shipment, body=steps.RatePurchase, errors=(STATE,), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/purchases/{id}/undo", "step_undo", "takeBack",
        "Void a label that passes the budget of its run", price_ceiling.take_back, m.Shipment,
        query=(Parameter("most", required=True),), errors=(404, STATE), refusals=(CARRIER,),
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/orders/purchases", "step_buy_order", "buyOrder",
        "Buy a shipment for the rest of an order", fulfilment.buy_proposed, m.Shipment, body=steps.Proposal,
        errors=(STATE,), refusals=(CARRIER,), policy=IdempotencyPolicy.NEVER),
    row(POST, "/v1/steps/rows/find", "step_find_rows", "findRows", "Read what became of rows of a file",
        shipment_store.find_rows, Anything, body=steps.RowKeys, policy=IdempotencyPolicy.NEVER,
        content=Content.JSON_WITH_FILE),
    row(POST, "/v1/steps/rows", "step_store_rows", "storeRows", "Store the drafts of rows of a file",
        shipment_store.store_drafts, steps.ChangedRows, body=steps.DraftRows, errors=(404, STATE),
        policy=IdempotencyPolicy.NEVER, content=Content.JSON_WITH_FILE),
    row(POST, "/v1/steps/orders", "step_store_orders", "storeOrders", "Store orders of a file",
        order_import.save_orders, steps.SavedOrders, body=steps.ImportedOrders, errors=(404, STATE),
        policy=IdempotencyPolicy.NEVER, content=Content.JSON_WITH_FILE),
)  # fmt: skip

# What this server has beside the published contract; the document describes it under a tag of its own.
ADDITIONS: tuple[Operation, ...] = (
    *ADDRESS_CHECKS,
    *ONE_CARRIER, *CUSTOMS, *RESOLUTIONS, *RETURNS, *CORRECTIONS, *DROPS, *CHECKS, *LOCATIONS, *CHANGES,
    *RULES, *CUSTOMERS,
)  # fmt: skip
DESCRIBED: tuple[Operation, ...] = (*OPERATIONS, *ADDITIONS)
# Steps are for our own commands: nothing describes them.
SERVED: tuple[Operation, ...] = (*DESCRIBED, *STEPS)
