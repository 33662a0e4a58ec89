"""Tracking numbers on their way to a shop: which wait, and which were told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, NonEmptyText, Object, Timestamp


class SentLine(Model):
    """A line of an order, and how much of it is in a parcel."""

    id: str
    sku: str = ""
    title: str = ""
    quantity: int
    metadata: Object = NO_KEYS


class SentNumber(Model):
    """A parcel of an order: its number, its carrier, and what is in it.

    Shapes: `is_partial`: the order has more than this parcel holds; `completes`: nothing of it is left to
            ship; a `withdrawn` number was told before its label was voided.
    """

    shipment_id: str
    order_number: str
    order_source: str = ""
    order_metadata: Object = NO_KEYS
    tracking_number: str
    tracking_url: str = ""
    carrier: str
    carrier_name: str
    service: str = ""
    ship_date: str
    lines: ListOrNull[SentLine] = NO_ITEMS
    is_partial: bool = False
    completes: bool = True
    withdrawn: bool = False


class WaitingNumbers(Model):
    """What a shop is to be told, oldest first, and how many bought shipments are of other sources."""

    numbers: list[SentNumber]
    other_sources: Object = NO_KEYS


class NumbersTold(Model):
    """What a shop was told: the shipments, and those whose number was taken back."""

    shop: NonEmptyText
    shipment_ids: Annotated[list[str], Field(max_length=100_000)] = NO_ITEMS
    withdrawn: ListOrNull[str] = NO_ITEMS


class TellingMark(Model):
    """How many were marked, and when."""

    marked: int
    at: Timestamp
