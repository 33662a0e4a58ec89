"""Batches: many objects in one request, and how each fared."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from shipcli.models.base import NO_ITEMS, ListOrNull, Model, OmittedIfNone, Record, Timestamp
from shipcli.models.basics.enums import BatchResourceType
from shipcli.models.basics.errors import Invalid, InvalidRows, ShipcliError
from shipcli.models.basics.problems import split_row
from shipcli.models.message import Message
from shipcli.models.order import OrderData
from shipcli.models.shipment import ShipmentDataReference
from shipcli.models.tracker import TrackingData

_PLURAL = {"order": "orders", "shipment": "shipments", "tracker": "trackers"}


def _make_plural(value: Any) -> Any:
    return _PLURAL.get(value, value) if isinstance(value, str) else value


ResourceType = Annotated[BatchResourceType, BeforeValidator(_make_plural)]


class BatchResource(Model):
    """One object of a batch."""

    id: OmittedIfNone[str] = None
    status: str = "queued"
    errors: dict[str, Any] | None = None


class BatchOperation(Record):
    """A batch as stored; `messages` say what of its file was changed or left out."""

    object_type: str = "batch"
    status: str = "queued"
    resource_type: str
    resources: ListOrNull[BatchResource] = NO_ITEMS
    messages: OmittedIfNone[list[Message]] = None
    created_at: Timestamp = ""
    updated_at: Timestamp = ""
    test_mode: bool = False


class BatchShipmentData(Model):
    """Body that makes many shipments."""

    shipments: Annotated[list[ShipmentDataReference], Field(min_length=1)]


class BatchOrderData(Model):
    """Body that makes many orders."""

    orders: Annotated[list[OrderData], Field(min_length=1)]


class BatchTrackerData(Model):
    """Body that makes many trackers."""

    trackers: Annotated[list[TrackingData], Field(min_length=1)]


class ImportData(Model):
    """Form fields of a file import, the file apart; either number of the resource type is accepted."""

    resource_type: ResourceType
    data_template: str | None = None


def split_by_row(error: Invalid, key: str) -> ShipcliError:
    """The error of a batch body as one error for each wrong row; the same error when no row is named.

    Shapes: `key` is the list's name; `shipments[3].recipient.city` becomes `recipient.city` of row 3.
    """
    rows: dict[int, list[tuple[str, str]]] = {}
    for problem in error.problems:
        row = split_row(problem.field, key)
        if row is None:
            return error
        rows.setdefault(row[0], []).append((row[1], problem.reason))
    return InvalidRows(Invalid.many(problems, index=row) for row, problems in sorted(rows.items()))
