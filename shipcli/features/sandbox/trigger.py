"""Events on demand: a subscriber is tested without waiting for the thing to happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.events import emit
from shipcli.features.core.merge import merge_keys
from shipcli.features.sandbox.happenings import find_last_event, list_happenings
from shipcli.models import Conflict, Invalid, find_nearest
from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.models.sandbox_time import SandboxEvent, TriggerData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

_TYPES = tuple(name for name in EVENT_NAMES if name != "all")
_STATUSES: Mapping[str, str] = {
    "shipment_purchased": "purchased",
    "shipment_cancelled": "cancelled",
    "shipment_fulfilled": "in_transit",
    "shipment_out_for_delivery": "out_for_delivery",
    "shipment_needs_attention": "needs_attention",
    "shipment_delivery_failed": "delivery_failed",
    "order_fulfilled": "fulfilled",
    "order_cancelled": "cancelled",
    "order_delivered": "delivered",
    "batch_queued": "queued",
    "batch_failed": "failed",
    "batch_running": "running",
    "batch_completed": "completed",
}  # what the object of an event has become; of other events it stays as it is


def trigger_event(app: App, data: TriggerData) -> SandboxEvent:
    """Send an event of the newest object of its kind to its subscribers; the object itself stays as it is.

    Errors: Invalid for an unknown event; Conflict if there is no such object.
    """
    if data.type not in _TYPES:
        near = find_nearest(data.type, _TYPES)
        hint = f" Did you mean {near}?" if near else f" There are {', '.join(_TYPES)}."
        raise Invalid("type", f"There is no event {data.type!r}.{hint}")
    document = _find_newest(app, data.type.partition("_")[0])
    status = data.status or _STATUSES.get(data.type)
    changes = {**data.data, **({"status": status} if status else {})}
    last = find_last_event(app)
    with app.store.transaction() as tx:
        emit(tx, app, data.type, _merge(document, changes))
    return list_happenings(app, last)[0]


def _find_newest(app: App, kind: str) -> dict[str, Any]:
    document = next(app.store.each(kind, (), app.test_mode), None)
    if document is None:
        raise Conflict(f"There is no {kind} yet whose event could be sent: make one first")
    return document


def _merge(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A document with values replaced; those of an object inside, such as the metadata, are merged."""
    inside = {
        name: merge_keys(document[name], value)
        for name, value in changes.items()
        if isinstance(value, Mapping) and isinstance(document.get(name), Mapping)
    }
    return {**document, **changes, **inside}
