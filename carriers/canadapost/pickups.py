"""The flow that finds a collection again whose confirmation was lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lxml.etree import _Element

from carriers.canadapost import closing
from carriers.canadapost.wire import PICKUP_REQUEST
from shipcli.carrier import Call, CarrierError, Flow, ask_all
from shipcli.carrier.xml import every, find
from shipcli.models import PickupDetails, PickupRequest

if TYPE_CHECKING:
    from carriers.canadapost import CanadaPost

READ = {"Accept": PICKUP_REQUEST}
CANCELLED = "Cancelled"
SAME = ("date", "preferred-time", "closing-time", "address-line-1", "postal-code")


def recover(post: CanadaPost, request: PickupRequest, known: Sequence[str]) -> Flow[PickupDetails | None]:
    """The collection of the day, the hours and the place of a request, but for those known otherwise.

    Source: Get Pickup Requests (REST): all open requests and up to 20 past ones; Get Pickup Request Details.
    """
    listed = yield Call("GET", post.pickups_path(), headers=READ)
    headers = every(listed.xml, "pickup-request-header")
    wanted = [find(one, "request-id") for one in headers if find(one, "request-status") != CANCELLED]
    paths = [post.pickups_path(f"/{number}/details") for number in wanted if number and number not in known]
    replies = yield from ask_all([Call("GET", path, headers=READ) for path in paths])
    if not all(reply.ok for reply in replies):
        raise CarrierError()
    order = closing.write_pickup(post.account.customer_number, request)
    return next((closing.read_pickup(one.xml) for one in replies if _is_same(order, one.xml)), None)


def _is_same(order: _Element, booked: _Element) -> bool:
    """Whether a collection is for the same time and place; what its details leave out is not compared."""
    return all(_texts(booked, name) in ([], _texts(order, name)) for name in SAME)


def _texts(node: _Element, name: str) -> list[str]:
    return [(one.text or "").strip() for one in node.iter(f"{{*}}{name}")]
