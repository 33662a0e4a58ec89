"""What descriptions say and their own examples break: each trap once, with its reason and its source."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

# UPS states the width of a field as the least length of its text too: a weight of 6 characters beside the
# example "2", a format code of 4 beside "GIF", a service code of 3 beside "01", amounts of 16 and of 8; an
# ITN of 17 where customs gives X and 14 digits, a legend of 20 beside its own list ("30.37(a)").
# Source: Rating and Shipping API as published in November 2026, their examples; read on 2026-11-26.
WIDTHS_AS_LEAST: Mapping[str, Collection[str]] = {
    "ups": ("Code", "MonetaryValue", "Weight", "PreDepartureITNNumber", "ExemptionLegend")
}
# A date of 4 characters beside its form "yyyyMMdd" and the example "20221214": its width is no width at all.
# The only value of an action, "Locator", is not of the 13 characters that it has to have; the codes of the
# notices from access points, "012" and "013", are not of the one that a code of a notice has.
# Source: Pickup API as published in November 2026, PickupDateInfo; Locator API, LocatorRequest_Request;
# Shipping API, ShipmentServiceOptions_Notification; read on 2026-11-27.
NO_WIDTHS: Mapping[str, Collection[str]] = {"ups": ("PickupDate", "RequestAction", "NotificationCode")}
LENGTHS = frozenset({"minLength", "maxLength"})


def drop_widths(node: Any, slug: str) -> Any:
    """The description of a carrier without the lengths of texts that are none."""
    dropped = {name: frozenset({"minLength"}) for name in WIDTHS_AS_LEAST.get(slug, ())}
    return _drop_widths(node, {**dropped, **dict.fromkeys(NO_WIDTHS.get(slug, ()), LENGTHS)})


def _drop_widths(node: Any, names: Mapping[str, Collection[str]]) -> Any:
    if isinstance(node, list):
        return [_drop_widths(inner, names) for inner in node]
    if not isinstance(node, dict) or not names:
        return node
    return {
        key: drop_width(inner, names[key]) if key in names else _drop_widths(inner, names)
        for key, inner in node.items()
    }


def drop_width(schema: Any, keys: Collection[str]) -> Any:
    """The schema of a text without these lengths, where its least length is its greatest too."""
    if not isinstance(schema, dict) or schema.get("minLength") != schema.get("maxLength"):
        return schema
    return {key: value for key, value in schema.items() if key not in keys}


# SmartKargo's live API spells four members of a package otherwise, says the history of a connector that was
# mended against its answers; choices are written with their meaning ("PX : Billed"); the maximum of a text is
# its length, that of a number its digits ("13.2"); the packages of a booking are an object, with an example
# that is a list.
# Source: IHUB Swagger 1.0.0: Package, exchange/single, against the recorded requests; read on 2026-11-27.
LIVE_NAMES = {
    "grossVolumeUnitMeasure": "grossVolumeUnityMeasure",
    "grossWeightUnitMeasure": "grossWeightUnityMeasure",
    "insuranceRequired": "hasInsurance",
    "declaredValue": "insuranceAmmount",
}
MEANING = " : "


def repair_description(slug: str, document: Any) -> Any:
    """The description of a carrier without its traps."""
    if slug == "smartkargo":
        return repair_bookings(document)
    return drop_widths(document, slug)


def repair_bookings(document: Any) -> Any:
    """SmartKargo's description as its live API takes it; an excerpt of ours has been repaired before."""
    repaired = spell_limits(document)
    package = (repaired.get("components") or {}).get("schemas", {}).get("Package")
    if package is None:
        return document
    package["properties"] = {LIVE_NAMES.get(name, name): row for name, row in package["properties"].items()}
    package["required"] = [LIVE_NAMES.get(name, name) for name in package["required"]]
    body = repaired["paths"]["/exchange/single"]["post"]["requestBody"]["content"]["application/json"]
    members = body["schema"]["properties"]
    members["packages"] = {"type": "array", "items": name_as_asked(members["packages"]["allOf"])}
    return repaired


def name_as_asked(parts: list[Any]) -> Any:
    """A package that is booked: as it is priced, with what is required beside that."""
    package, further = deepcopy(parts)
    further["required"] = [LIVE_NAMES.get(name, name) for name in further["required"]]
    return {"allOf": [package, further]}


def spell_limits(node: Any) -> Any:
    """The description with choices without their meaning, and limits that mean what they say."""
    if isinstance(node, list):
        return [spell_limits(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    spelt = {key: spell_limits(inner) for key, inner in node.items()}
    if isinstance(most := spelt.get("maximum"), int | float):
        del spelt["maximum"]
        spelt |= {"maxLength": int(most)} if spelt.get("type") == "string" else {}
    if isinstance(choices := spelt.get("enum"), list):
        spelt["enum"] = [one.partition(MEANING)[0] if isinstance(one, str) else one for one in choices]
    return spelt
