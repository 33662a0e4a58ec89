"""Rules: when a condition is fulfilled, which service, box, options, printer and label format are used."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, NonEmptyText, Object, Record, Timestamp
from shipcli.models.basics.enums import LabelType
from shipcli.models.parts.parcel import Text35

SETTINGS = ("service", "box", "printer", "label_type")  # beside the options, each of which is one


class RuleSettings(Model):
    """What a rule sets, where the request does not say it itself."""

    service: str | None = None  # a service, or cheapest or fastest
    box: str | None = None
    options: Object = NO_KEYS
    printer: str | None = None
    label_type: LabelType | None = None


class RuleData(RuleSettings):
    """A rule as it is written down."""

    name: Text35 | None = None
    condition: NonEmptyText
    enabled: bool = True


class RulePatch(RuleSettings):
    """Body that changes a rule, or moves it to another place, counted from 1."""

    name: Text35 | None = None
    condition: NonEmptyText | None = None
    enabled: bool | None = None
    position: Annotated[int | None, Field(ge=1)] = None


class ShippingRule(Record):
    """A rule as stored; its position counts from 1."""

    object_type: str = "rule"
    position: int
    name: str
    condition: str
    enabled: bool = True
    service: str | None = None
    box: str | None = None
    options: Object = NO_KEYS
    printer: str | None = None
    label_type: str | None = None
    created_at: Timestamp = ""


class RuleList(Model):
    """All rules, in the order in which they are tried."""

    rules: ListOrNull[ShippingRule] = NO_ITEMS


class RuleSet(Model):
    """Rules that take the place of all others; with `check` they are only checked."""

    rules: list[RuleData]
    check: bool = False


class RuleOutcome(Model):
    """What became of a rule: it set something, or why it did not; each comparison with what it saw."""

    rule: str
    condition: str
    outcome: str  # sets, matched, not_matched, waits_for_rates
    sets: ListOrNull[str] = NO_ITEMS
    overruled: ListOrNull[str] = NO_ITEMS
    seen: ListOrNull[dict[str, Any]] = NO_ITEMS


class RateOutcome(Model):
    """A rate that the rules looked at, and why it was left out."""

    id: str
    carrier_id: str | None = None
    service: str | None = None
    total_charge: str | None = None
    currency: str | None = None
    outcome: str = "kept"


class Explanation(Model):
    """Why a shipment, or an order, has its service, box, options, printer and label format."""

    id: str
    kind: str = "shipment"
    status: str | None = None
    summary: str
    settings: Object = NO_KEYS
    rules: ListOrNull[RuleOutcome] = NO_ITEMS
    rates: ListOrNull[RateOutcome] = NO_ITEMS


class RuleTrialRequest(Model):
    """Body that tries the rules on stored orders: those of these ids, else the newest unfulfilled ones."""

    ids: ListOrNull[str] = NO_ITEMS
    limit: int = 100
    rules: list[RuleData] | None = None  # tried in the place of those stored


class RuleTrial(Model):
    """What the rules would do with stored orders, and how many each rule would match."""

    orders: ListOrNull[Explanation] = NO_ITEMS
    matches: dict[str, int] = {}
