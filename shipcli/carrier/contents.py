"""What a shipment holds: its goods, what they are worth, how they are described."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from shipcli.models import Commodity, Parcel, RateRequest, ShipmentRequest


def list_goods(request: RateRequest | ShipmentRequest) -> Sequence[Commodity]:
    """What is declared, else what the parcels hold."""
    declared = request.customs.commodities if request.customs else ()
    return declared or [item for parcel in request.parcels for item in parcel.items]


def sum_goods(items: Iterable[Commodity]) -> Decimal:
    """What goods are worth; 0 when no value is given."""
    return sum((item.quantity * (item.value_amount or Decimal(0)) for item in items), Decimal(0))


def only_documents(parcels: Sequence[Parcel]) -> bool:
    return bool(parcels) and all(parcel.is_document for parcel in parcels)


def join_words(*lists: Sequence[str | None]) -> str | None:
    """The words of the first list that has any, each once: `Lamp, Bulb`."""
    words = next((words for words in lists if any(words)), ())
    return ", ".join(dict.fromkeys(word for word in words if word)) or None


def goods_of_parcel(request: ShipmentRequest, parcel: Parcel) -> Sequence[Commodity]:
    """What one parcel declares where each has a declaration: of several its own items, else all goods."""
    declared = request.customs.commodities if request.customs else ()
    return parcel.items if len(request.parcels) > 1 and parcel.items else declared
