"""The numbers of a label in its shipment: known at the purchase, or with the label that is fetched later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.trackers.service import make_label_tracker, store_new
from shipcli.models import Label, Rate, Shipment

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction


def list_numbers(shipment: Shipment, account: Account, label: Label, rate: Rate) -> dict[str, Any]:
    """Return the fields of a shipment that hold the numbers of its label; None for one that is not known."""
    tracking_numbers = [label.tracking_number] if label.tracking_number else []
    numbers = [str(number) for number in label.meta.get("tracking_numbers") or tracking_numbers]
    parcels = [
        parcel.model_copy(
            update={"reference_number": numbers[index] if index < len(numbers) else parcel.reference_number}
        )
        for index, parcel in enumerate(shipment.parcels)
    ]
    url = make_tracking_url(account, label.tracking_number, rate) if label.tracking_number else None
    return {"tracking_number": label.tracking_number or None, "tracking_url": url, "parcels": parcels}


def add_numbers(app: App, tx: Transaction, shipment: Shipment, account: Account, label: Label) -> Shipment:
    """Return a shipment that had no number with those of its label, which is watched from now on."""
    rate = shipment.selected_rate
    if shipment.tracking_number or not label.tracking_number or rate is None:
        return shipment
    tracker = make_label_tracker(app, shipment, rate, account, label)
    if tracker:
        store_new(app, tx, tracker)
    changes = {"tracker_id": tracker.id} if tracker else {}
    return shipment.model_copy(update={**list_numbers(shipment, account, label, rate), **changes})


def make_tracking_url(account: Account, number: str, rate: Rate, prefix: str = "/v1/trackers") -> str:
    """Return the API path to track a label with its carrier, or with the carrier behind a hub via the hub."""
    if not account.kind.hub:
        return f"{prefix}/{account.slug}/{number}"
    carrier = (rate.meta or {}).get("rate_provider") or account.slug
    return f"{prefix}/{carrier}/{number}?hub={account.slug}"
