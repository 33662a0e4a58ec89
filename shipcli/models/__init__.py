"""What the domain is: values, requests, results, enumerations and units. No input or output happens here.

Names are found in their modules when they are first used, so that a command pays only for the models it
needs: Python reads `_MODULES`, type checkers read the imports.
"""

# mypy: implicit-reexport
# ruff: noqa: F401

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.models.answers import (
        ManifestDocument,
        ManifestResponse,
        OperationConfirmation,
        OperationResponse,
        OperationStatus,
        PickupResponse,
        ProxyManifest,
        RateResponse,
        TrackingResponse,
    )
    from shipcli.models.base import Model, Money, Number, Record, Stored, read_decimal, write_timestamp
    from shipcli.models.basics import json, reference, units
    from shipcli.models.basics.errors import (
        BilledAbove,
        Conflict,
        IdempotencyConflict,
        Invalid,
        InvalidRows,
        LimitReached,
        NoConnection,
        NotAuthorised,
        NotFound,
        OutcomeUnknown,
        Refused,
        RefusedFields,
        ShipcliError,
        Unreachable,
        make_refusal,
    )
    from shipcli.models.basics.problems import Problem
    from shipcli.models.basics.text import find_nearest, suggest_nearest
    from shipcli.models.batch import (
        BatchOperation,
        BatchOrderData,
        BatchResource,
        BatchShipmentData,
        BatchTrackerData,
        ImportData,
    )
    from shipcli.models.connection import (
        CarrierDetails,
        Connection,
        ConnectionData,
        ConnectionPatch,
        TokenObtainPair,
        TokenPair,
        TokenRefresh,
        TokenVerify,
        VerifiedTokenObtainPair,
    )
    from shipcli.models.document import (
        DocumentData,
        DocumentFileData,
        DocumentTemplate,
        DocumentTemplateData,
        DocumentTemplatePatch,
        DocumentUploadData,
        DocumentUploadRecord,
        GeneratedDocument,
        UploadedDocument,
    )
    from shipcli.models.location import (
        Location,
        LocationAddress,
        LocationList,
        LocationRequest,
        OpeningHours,
    )
    from shipcli.models.manifest import Manifest, ManifestData, ManifestRequestData, ManifestResolveData
    from shipcli.models.message import Message
    from shipcli.models.order import (
        LineItem,
        Order,
        OrderCombineData,
        OrderData,
        OrderEditData,
        OrderLinePatch,
        OrderPart,
        OrderSplitData,
        OrderUpdateData,
    )
    from shipcli.models.parts.address import (
        Address,
        AddressData,
        AddressPatch,
        AddressValidation,
        PostalAddress,
    )
    from shipcli.models.parts.customs import Customs, CustomsData, CustomsPatch
    from shipcli.models.parts.parcel import (
        Commodity,
        CommodityData,
        Parcel,
        ParcelData,
        ParcelPatch,
        list_dimension_problems,
    )
    from shipcli.models.parts.payment import Charge, Duty, DutyData, Payment, PaymentData
    from shipcli.models.parts.stored import Reference, StoredReference, list_references, resolve_references
    from shipcli.models.pickup import (
        Pickup,
        PickupCancelData,
        PickupCancelRequestData,
        PickupData,
        PickupDropData,
        PickupRequestData,
        PickupResolveData,
        PickupUpdateData,
        PickupUpdateRequestData,
    )
    from shipcli.models.rate import Rate, RateRequestData
    from shipcli.models.report import Report, ReportChart, ReportColumn, ReportSection
    from shipcli.models.requests import (
        AddressValidationDetails,
        AddressValidationRequest,
        CancelRequest,
        Confirmation,
        DocumentFile,
        DocumentUploadRequest,
        Label,
        ManifestDetails,
        ManifestRequest,
        PickupCancelRequest,
        PickupDetails,
        PickupRequest,
        PickupUpdateRequest,
        Quote,
        RateRequest,
        ShipmentRequest,
        Tracking,
        TrackingRequest,
        TransitTime,
        UploadDetails,
    )
    from shipcli.models.shipment import (
        Documents,
        ReturnData,
        Shipment,
        ShipmentCancelData,
        ShipmentData,
        ShipmentDataReference,
        ShipmentPurchaseData,
        ShipmentRateData,
        ShipmentResolveData,
        ShipmentUpdateData,
        ShippingRequestData,
        ShippingResponse,
    )
    from shipcli.models.shop_numbers import NumbersTold, SentLine, SentNumber, TellingMark, WaitingNumbers
    from shipcli.models.tracker import (
        Images,
        Tracker,
        TrackerDetails,
        TrackerUpdateData,
        TrackingData,
        TrackingEvent,
        TrackingInfo,
    )
    from shipcli.models.webhook import Event, Webhook, WebhookData, WebhookPatch, WebhookTestData

_MODULES = {
    "answers": (
        "ManifestDocument ManifestResponse OperationConfirmation OperationResponse OperationStatus "
        "PickupResponse ProxyManifest RateResponse TrackingResponse"
    ),
    "base": "Model Money Number Record Stored read_decimal write_timestamp",
    "basics.errors": (
        "BilledAbove Conflict IdempotencyConflict Invalid InvalidRows LimitReached NoConnection "
        "NotAuthorised NotFound OutcomeUnknown Refused RefusedFields ShipcliError Unreachable make_refusal"
    ),
    "basics.problems": "Problem",
    "basics.text": "find_nearest suggest_nearest",
    "batch": "BatchOperation BatchOrderData BatchResource BatchShipmentData BatchTrackerData ImportData",
    "connection": (
        "CarrierDetails Connection ConnectionData ConnectionPatch "
        "TokenObtainPair TokenPair TokenRefresh TokenVerify VerifiedTokenObtainPair"
    ),
    "document": (
        "DocumentData DocumentFileData DocumentTemplate DocumentTemplateData DocumentTemplatePatch "
        "DocumentUploadData DocumentUploadRecord GeneratedDocument UploadedDocument"
    ),
    "location": "Location LocationAddress LocationList LocationRequest OpeningHours",
    "manifest": "Manifest ManifestData ManifestRequestData ManifestResolveData",
    "message": "Message",
    "order": "LineItem Order OrderCombineData OrderData OrderEditData OrderLinePatch OrderPart "
    "OrderSplitData OrderUpdateData",
    "parts.address": "Address AddressData AddressPatch AddressValidation PostalAddress",
    "parts.customs": "Customs CustomsData CustomsPatch",
    "parts.parcel": "Commodity CommodityData Parcel ParcelData ParcelPatch list_dimension_problems",
    "parts.payment": "Charge Duty DutyData Payment PaymentData",
    "parts.stored": "Reference StoredReference list_references resolve_references",
    "pickup": (
        "Pickup PickupCancelData PickupCancelRequestData PickupData PickupDropData PickupRequestData "
        "PickupResolveData PickupUpdateData PickupUpdateRequestData"
    ),
    "rate": "Rate RateRequestData",
    "requests": (
        "AddressValidationDetails AddressValidationRequest CancelRequest Confirmation DocumentFile "
        "DocumentUploadRequest Label ManifestDetails ManifestRequest PickupCancelRequest "
        "PickupDetails PickupRequest PickupUpdateRequest Quote RateRequest ShipmentRequest Tracking "
        "TrackingRequest TransitTime UploadDetails"
    ),
    "shipment": (
        "Documents ReturnData Shipment ShipmentCancelData ShipmentData ShipmentDataReference "
        "ShipmentPurchaseData ShipmentRateData ShipmentResolveData ShipmentUpdateData ShippingRequestData "
        "ShippingResponse"
    ),
    "report": "Report ReportChart ReportColumn ReportSection",
    "shop_numbers": "NumbersTold SentLine SentNumber TellingMark WaitingNumbers",
    "tracker": "Images Tracker TrackerDetails TrackerUpdateData TrackingData TrackingEvent TrackingInfo",
    "webhook": "Event Webhook WebhookData WebhookPatch WebhookTestData",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_SUBMODULES = ("json", "reference", "units")


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"shipcli.models.basics.{name}")
    if name not in _HOMES:
        raise AttributeError(f"shipcli.models has no {name}")
    return getattr(import_module(f"shipcli.models.{_HOMES[name]}"), name)
