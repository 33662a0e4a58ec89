"""What Canada Post refuses before it does anything: credentials, media types, schemas, impossible days."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

from lxml.etree import _Element

from carriers.canadapost import schema
from shipcli.carrier import Request
from shipcli.carrier.xml import find, text

SUNDAY = 6
Path: TypeAlias = dict[str, str]


class Refusal(Exception):
    """What Canada Post would answer instead."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code, self.reason = status, code, reason


def missing(what: str) -> Refusal:
    """The refusal of what is not there."""
    return Refusal(404, "E404", f"{what} was not found")


def credentials(request: Request) -> tuple[str, str]:
    """User and password of a request.

    Errors: Refusal when there are none, and when a wildcard stands for the operation's media type.
    """
    scheme, _, secret = request.header("authorization").partition(" ")
    try:
        user, _, password = base64.b64decode(secret, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        user = password = ""
    if scheme != "Basic" or not user or not password:
        raise Refusal(401, "E002", "AAA Authentication Failure")
    if request.header("accept") in ("", "*/*"):
        raise Refusal(406, "Server", f"{request.path}: the Accept header names no media type")
    return user, password


def body(request: Request, media: str, root: str, space: str, rules: schema.Rules) -> _Element:
    """The request as its schema wants it."""
    if request.header("content-type") != media:
        raise Refusal(415, "Server", f"{request.path}: the Content-Type is not {media}")
    try:
        node = request.xml
    except ValueError as error:
        raise Refusal(400, "Server", f"{request.path}: {error}") from error
    known = node.tag == root and f'"{space}"'.encode() in request.content
    problem = schema.fault(node, rules) if known else f"element {node.tag} is unknown"
    if problem:
        raise Refusal(400, "Server", f"{request.path}: {problem}")
    return node


def collection(order: _Element, now: datetime) -> Mapping[str, Any]:
    """When and what is collected.

    Errors: Refusal for a Sunday, a day that is over, or a door that shuts before the parcels are ready.
    """
    times = order.find("pickup-times/on-demand-pickup-time")
    assert times is not None
    try:
        day = date.fromisoformat(find(times, "date") or "")
    except ValueError as error:
        raise Refusal(400, "Server", f"date: {error}") from error
    if day < (now - timedelta(hours=8)).date():
        raise Refusal(400, "9150", "The pickup date is in the past")
    if day.weekday() == SUNDAY:
        raise Refusal(400, "9151", "There is no pickup on a Sunday")
    if (find(times, "closing-time") or "") <= (find(times, "preferred-time") or ""):
        raise Refusal(400, "9152", "The closing time must be after the preferred time")
    return {"date": day.isoformat(), "order": text(order)}


def customer(path: Path) -> int:
    """The customer of a path. Nobody here may mail on behalf of another."""
    if not re.fullmatch(schema.CUSTOMER, path["customer"]):
        raise Refusal(400, "Server", "the customer number is not valid")
    if path["mobo"] != path["customer"]:
        raise Refusal(403, "AA004", "You cannot mail on behalf of the requested customer.")
    return int(path["customer"])
