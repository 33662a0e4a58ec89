"""Bodies that work as they stand in a sandbox with the sample objects (`sandbox up --seed demo`).

Objects of the reference have ids that count: `number_id("adr_", 1)` is its first address.
"""

from __future__ import annotations

from typing import Any


def number_id(prefix: str, number: int) -> str:
    """The id of an object of the reference."""
    return f"{prefix}{number:032x}"


PDF = "JVBERi0xLjQKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoKdHJhaWxlcjw8L1Jvb3QgMSAwIFI+PgolJUVPRgo="
SHIPPER = {
    "person_name": "Dana Field",
    "company_name": "Harbour Goods",
    "address_line1": "2600 Benjamin Franklin Pkwy",
    "city": "Philadelphia",
    "state_code": "PA",
    "postal_code": "19130",
    "country_code": "US",
    "phone_number": "+1 215-763-8100",
    "email": "dock@example.com",
}
RECIPIENT = {
    "person_name": "Ana Ruiz",
    "address_line1": "1625 N Central Ave",
    "city": "Phoenix",
    "state_code": "AZ",
    "postal_code": "85004",
    "country_code": "US",
    "phone_number": "+1 602-262-7251",
    "residential": True,
}
PARCEL = {
    "weight": 5,
    "weight_unit": "LB",
    "length": 16,
    "width": 12,
    "height": 8,
    "dimension_unit": "IN",
}
ITEM = {
    "title": "Cup",
    "sku": "CUP-01",
    "quantity": 2,
    "weight": 1,
    "weight_unit": "LB",
    "value_amount": 12.5,
    "value_currency": "USD",
    "origin_country": "US",
}
LANE = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL]}
WHEN = {"pickup_date": "2035-05-07", "ready_time": "09:00", "closing_time": "17:00"}
RATE = {
    "id": number_id("rat_", 4096),
    "carrier_name": "usps",
    "carrier_id": "usps",
    "service": "usps_ground_advantage",
    "total_charge": 0,
    "currency": "USD",
    "test_mode": True,
}
ORDER = {"order_id": "1042", "source": "shop", "shipping_to": RECIPIENT, "line_items": [ITEM]}
NUMBER = {"tracking_number": "SC1000000001", "carrier_name": "ups"}
RULE = {"name": "abroad", "condition": "country!=US", "service": "usps_ground_advantage"}
TEMPLATE = "<h1>Thank you, {{ data.name }}</h1>"

# By the published name of the body.
BODIES: dict[str, Any] = {
    "AddressData": RECIPIENT,
    "PatchedAddressData": {"company_name": "Ruiz Studio", "residential": False},
    "ParcelData": {**PARCEL, "description": "Two cups", "items": [ITEM]},
    "PatchedParcelData": {"weight": 4.5, "weight_unit": "LB"},
    "CarrierConnectionData": {
        "carrier_name": "ups",
        "carrier_id": "ups-east",
        "credentials": {"client_id": "any", "client_secret": "any", "account_number": "A1B2C3"},
    },
    "PatchedCarrierConnectionData": {"active": True, "metadata": {"cost_centre": "east"}},
    "CommodityData": ITEM,
    "CustomsData": {
        "content_type": "merchandise",
        "incoterm": "DDP",
        "invoice": "INV-1042",
        "certify": True,
        "signer": "Dana Field",
        "commodities": [{**ITEM, "hs_code": "691200"}],
        "duty": {"paid_by": "sender", "currency": "USD", "declared_value": 25},
    },
    "RateRequest": {**LANE, "carrier_ids": ["usps", "ups"]},
    "ShippingRequest": {**LANE, "rates": [RATE], "selected_rate_id": RATE["id"]},
    "ShipmentCancelRequest": {"shipment_identifier": "9234690000004200000113"},
    "ShipmentData": {**LANE, "carrier_ids": ["usps", "ups"], "reference": "1042"},
    "ShipmentDataReference": {**LANE, "carrier_ids": ["usps"], "service": "usps_ground_advantage"},
    "ShipmentUpdateData": {"label_type": "ZPL", "reference": "1042", "metadata": {"shelf": "B4"}},
    "ShipmentRateData": {"carrier_ids": ["usps"]},
    "ShipmentPurchaseData": {"selected_rate_id": number_id("rat_", 1), "label_type": "PDF"},
    "TrackingData": NUMBER,
    "TrackerUpdateData": {"info": {"order_id": "1042", "note": "A gift"}},
    "OrderData": ORDER,
    "OrderUpdateData": {"options": {"preferred_service": "usps_ground_advantage"}},
    "PickupData": {
        **WHEN,
        "tracking_numbers": [number_id("shp_", 5)],
        "instruction": "Ring twice",
        "package_location": "Front desk",
    },
    "PickupUpdateData": {
        "confirmation_number": "WTC000000001",
        "ready_time": "10:00",
        "instruction": "Ask for Dana",
    },
    "PickupCancelData": {"reason": "Nothing to collect"},
    "PickupRequest": {**WHEN, "address": SHIPPER, "parcels": [PARCEL]},
    "PickupUpdateRequest": {
        **WHEN,
        "address": SHIPPER,
        "parcels": [PARCEL],
        "confirmation_number": "WTC000000001",
    },
    "PickupCancelRequest": {"confirmation_number": "WTC000000004", "address": SHIPPER},
    "ManifestData": {
        "carrier_name": "usps",
        "address": SHIPPER,
        "shipment_ids": [number_id("shp_", 6)],
    },
    "ManifestRequest": {
        "carrier_name": "usps",
        "address": SHIPPER,
        "shipment_identifiers": [number_id("shp_", 7)],
    },
    "WebhookData": {
        "url": "http://127.0.0.1:9000/events",
        "enabled_events": ["shipment_purchased", "tracker_updated"],
        "description": "Warehouse",
    },
    "PatchedWebhookData": {"enabled_events": ["all"]},
    "WebhookTestRequest": {"payload": {"hello": "receiver"}},
    "DocumentData": {"template": TEMPLATE, "data": {"name": "Ana"}, "doc_name": "thanks.pdf"},
    "DocumentTemplateData": {"name": "Thanks", "slug": "thanks", "template": TEMPLATE},
    "PatchedDocumentTemplateData": {"description": "Goes into each parcel"},
    "DocumentFileData": {"doc_file": PDF, "doc_name": "invoice.pdf", "doc_type": "commercial_invoice"},
    "DocumentUploadData": {
        "shipment_id": number_id("shp_", 4),
        "document_files": [
            {"doc_file": PDF, "doc_name": "invoice.pdf", "doc_type": "commercial_invoice"},
        ],
    },
    "BatchOrderData": {"orders": [{**ORDER, "order_id": "1043"}, {**ORDER, "order_id": "1044"}]},
    "BatchShipmentData": {"shipments": [{**LANE, "carrier_ids": ["usps"], "reference": "1045"}]},
    "BatchTrackerData": {"trackers": [{**NUMBER, "tracking_number": "SC1000000002"}]},
    "PatchedCustomsData": {"signer": "Dana Field", "certify": True},
    "ShipmentResolveData": {"bought": True, "tracking_number": "779017972697", "label": PDF},
    "PickupResolveData": {"booked": True, "confirmation_number": "WTC000000009"},
    "ManifestResolveData": {"made": False},
    "AddressCheckData": {"address": RECIPIENT, "carrier_name": "usps"},
    "ReturnData": {"skus": [], "carrier_ids": ["usps"]},
    "OrderEditData": {
        "shipping_to": {"address_line1": "1600 N Central Ave"},
        "line_items": [{"id": number_id("cdt_", 5), "title": "Large cup"}],
    },
    "OrderSplitData": {"line_items": [{"id": number_id("cdt_", 6), "quantity": 1}]},
    "OrderCombineData": {"orders": [number_id("ord_", 7)]},
    "PickupDropData": {"tracking_numbers": [number_id("shp_", 12)]},
    "NumbersTold": {"shop": "my-shop", "shipment_ids": [number_id("shp_", 5)]},
    "RuleData": RULE,
    "RulePatch": {"enabled": False},
    "RuleSet": {"rules": [RULE], "check": True},
    "RuleTrialRequest": {"limit": 5, "rules": [RULE]},
    "TokenObtainPair": {"email": "demo@example.com", "password": "sandbox demo password"},
    "TokenRefresh": {
        "refresh": "the refresh token of a log-in",
        "access": "its access token, which is not read",
    },
    "TokenVerify": {"token": "the access token of a log-in"},
    "VerifiedTokenObtainPair": {
        "refresh": "the refresh token of a log-in",
        "access": "its access token, which is not read",
        "otp_token": "123456",
    },
}

# The form of an import: its file holds these lines.
IMPORT_FORM = {
    "resource_type": "trackers",
    "data_file": "Tracking Number,Carrier\nSC1000000003,ups\n",
}

# What the values of paths are, by the name of the operation and then by their own.
PATHS: dict[str, dict[str, str]] = {
    "updatePickup": {"id": number_id("pck_", 1)},
    "cancelPickup": {"id": number_id("pck_", 2)},
    "retrievePickup": {"id": number_id("pck_", 1)},
    "updateShipment": {"id": number_id("shp_", 2)},
    "fetchShipmentRates": {"id": number_id("shp_", 2)},
    "cancelShipment": {"id": number_id("shp_", 3)},
    "updateOrder": {"id": number_id("ord_", 1)},
    "cancelOrder": {"id": number_id("ord_", 2)},
    "dismissOrder": {"id": number_id("ord_", 3)},
    "schedulePickup": {"carrier_name": "usps"},
    "pickupSchedule": {"carrier_name": "usps"},
    "pickupUpdate": {"carrier_name": "usps"},
    "pickupCancel": {"carrier_name": "usps"},
    "voidLabel": {"carrier_name": "usps"},
    "getServices": {"carrier_name": "usps"},
    "retrieveBatchOperation": {"id": number_id("batch_", 1)},
    "retrieveUpload": {"id": number_id("uprec_", 1)},
    "retrieveManifest": {"id": number_id("manf_", 1)},
    "trackShipment": {"tracking_number": "SC1000000001"},
    "createTracker": {"tracking_number": "SC1000000001"},
    "retrieveCustoms": {"id": number_id("cst_", 1)},
    "updateCustoms": {"id": number_id("cst_", 1)},
    "discardCustoms": {"id": number_id("cst_", 2)},
    "resolveShipment": {"id": number_id("shp_", 15)},
    "resolvePickup": {"id": number_id("pck_", 4)},
    "resolveManifest": {"id": number_id("manf_", 2)},
    "returnShipment": {"id": number_id("shp_", 4)},
    "editOrder": {"id": number_id("ord_", 4)},
    "splitOrder": {"id": number_id("ord_", 5)},
    "combineOrders": {"id": number_id("ord_", 6)},
    "dropFromPickup": {"id": number_id("pck_", 3)},
    "exportRows": {"what": "shipments"},
    "readReport": {"name": "day"},
    "findLocations": {"country_code": "US", "postal_code": "10001"},
    "listNumbers": {"shop": "my-shop"},
    "retrieveMail": {"id": number_id("mail_", 1)},
    "retrieveRule": {"id": number_id("rul_", 1)},
    "updateRule": {"id": number_id("rul_", 1)},
    "discardRule": {"id": number_id("rul_", 2)},
    "explainChoice": {"id": number_id("shp_", 1)},
    "removeTracker": {"id_or_tracking_number": number_id("trk_", 2)},
}
PREFIXES = {
    "/v1/addresses": "adr_",
    "/v1/parcels": "pcl_",
    "/v1/connections": "car_",
    "/v1/shipments": "shp_",
    "/v1/orders": "ord_",
    "/v1/webhooks": "weh_",
    "/v1/documents/templates": "doc_",
}


def find_path_example(operation: str, path: str, name: str) -> str | None:
    """A value for a part of a path; None where objects of the kind have no fixed ids."""
    usual = {"carrier_name": "ups", "id_or_tracking_number": number_id("trk_", 1)}
    prefix = next((prefix for start, prefix in PREFIXES.items() if path.startswith(start)), None)
    if name == "id" and prefix:
        usual["id"] = number_id(prefix, 1)
    return PATHS.get(operation, {}).get(name) or usual.get(name)
