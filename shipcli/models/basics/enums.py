"""The closed sets of words that models and faces share."""

from __future__ import annotations

from typing import Literal, get_args

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WeightUnit = Literal["KG", "LB", "OZ", "G"]
DimensionUnit = Literal["CM", "IN"]
LabelType = Literal["PDF", "ZPL", "PNG"]
PaidBy = Literal["sender", "recipient", "third_party"]
CustomsContent = Literal["documents", "gift", "sample", "merchandise", "return_merchandise", "other"]
Incoterm = Literal[
    "CFR", "CIF", "CIP", "CPT", "DAP", "DAF", "DDP", "DDU", "DEQ", "DES", "EXW", "FAS", "FCA", "FOB"
]
# The words of declarations and duties, where an empty one is kept as given.
PaidByOrBlank = Literal[PaidBy, ""]
CustomsContentOrBlank = Literal[CustomsContent, ""]
ShipmentStatus = Literal[
    "draft",
    "purchased",
    "cancelled",
    "shipped",
    "in_transit",
    "delivered",
    "needs_attention",
    "out_for_delivery",
    "delivery_failed",
]
TrackerStatus = Literal[
    "pending",
    "unknown",
    "on_hold",
    "delivered",
    "in_transit",
    "delivery_delayed",
    "out_for_delivery",
    "ready_for_pickup",
    "delivery_failed",
]
OrderStatus = Literal["unfulfilled", "cancelled", "fulfilled", "delivered", "partial"]
BatchStatus = Literal["queued", "running", "failed", "completed", "completed_with_errors"]
BatchResourceType = Literal["orders", "shipments", "trackers", "billing"]
RelatedObject = Literal["shipment", "order", "other"]
DocumentType = Literal[
    "certificate_of_origin", "commercial_invoice", "pro_forma_invoice", "packing_list", "other"
]
Capability = Literal["pickup", "rating", "shipping", "tracking", "paperless", "manifest"]
EventName = Literal[
    "all",
    "shipment_purchased",
    "shipment_cancelled",
    "shipment_fulfilled",
    "shipment_out_for_delivery",
    "shipment_needs_attention",
    "shipment_delivery_failed",
    "tracker_created",
    "tracker_updated",
    "order_created",
    "order_updated",
    "order_fulfilled",
    "order_cancelled",
    "order_delivered",
    "batch_queued",
    "batch_failed",
    "batch_running",
    "batch_completed",
]

WEIGHT_UNITS: tuple[str, ...] = get_args(WeightUnit)
DIMENSION_UNITS: tuple[str, ...] = get_args(DimensionUnit)
LABEL_TYPES: tuple[str, ...] = get_args(LabelType)
PAID_BY: tuple[str, ...] = get_args(PaidBy)
SHIPMENT_STATUSES: tuple[str, ...] = get_args(ShipmentStatus)
TRACKER_STATUSES: tuple[str, ...] = get_args(TrackerStatus)
# Words carriers use besides; a tracker never shows them.
CARRIER_TRACKING_STATUSES: tuple[str, ...] = (*TRACKER_STATUSES, "cancelled", "return_to_sender")
ORDER_STATUSES: tuple[str, ...] = get_args(OrderStatus)
BATCH_STATUSES: tuple[str, ...] = get_args(BatchStatus)
BATCH_RESOURCE_TYPES: tuple[str, ...] = get_args(BatchResourceType)
RELATED_OBJECTS: tuple[str, ...] = get_args(RelatedObject)
DOCUMENT_TYPES: tuple[str, ...] = get_args(DocumentType)
CAPABILITIES: tuple[str, ...] = get_args(Capability)
EVENT_NAMES: tuple[str, ...] = get_args(EventName)

COMBINED = "combined_into"  # in an order's meta: the number of the order that has its lines now
