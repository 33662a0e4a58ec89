"""What a simulated carrier can be told to do: each scenario with its name, its magic value and its meaning.

A scenario is chosen by its name (header, body, connection) or by a magic value in the data: a tracking
number, a service, a line of an address, a weight. It means the same for every carrier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

MAGIC = re.compile(r"SC(\d{2})(\d{8})\Z")
ALIASES: Mapping[str, str] = {
    "EZ1000000001": "SC0000000001",
    "EZ2000000002": "SC0100000002",
    "EZ3000000003": "SC0200000003",
    "EZ4000000004": "SC0300000004",
    "EZ5000000005": "SC1500000005",
    "EZ6000000006": "SC0700000006",
    "EZ7000000007": "SC0800000007",
    "SHIPPO_PRE_TRANSIT": "SC0000000001",
    "SHIPPO_TRANSIT": "SC0100000002",
    "SHIPPO_DELIVERED": "SC0300000004",
    "SHIPPO_RETURNED": "SC1500000005",
    "SHIPPO_FAILURE": "SC0700000006",
    "SHIPPO_UNKNOWN": "SC0800000007",
}
SERVICE_PREFIX = "sandbox_"
OVER_LIMIT_WEIGHT = Decimal(999)
EXPIRED = "The credentials have expired"  # where they contain that word
ANSWER_LOST = "answer_lost"  # by a fault: a carrier sells, takes back or books as asked, and hangs up
FAILING = "-fail"  # how the carrier_id of a connection ends that refuses everything

Kind = Literal["number", "service", "address", "weight", "carrier", "data"]
NAMED = frozenset({"number", "service", "address", "weight", "carrier"})  # kinds that a name chooses as well


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario.

    Shapes: `magic` is the value that chooses it, of a number its beginning; `verbs` are what a carrier must
            be able to do; `status` is the unified status of the first answer to a number, `answer` the HTTP
            status of the first request that meets the scenario.
    """

    name: str
    kind: Kind
    magic: str
    effect: str
    verbs: tuple[str, ...] = ()
    status: str = ""
    answer: int = 200


def _list_numbers() -> Iterable[Scenario]:
    rows = (
        ("pending", "SC00", "pending", "pending for ever"),
        ("in_transit", "SC01", "in_transit", "in transit at once, with its history"),
        ("out_for_delivery", "SC02", "out_for_delivery", "out for delivery at once, with its history"),
        ("delivered", "SC03", "delivered", "delivered at once, with its history"),
        ("on_hold", "SC04", "on_hold", "held at the depot"),
        ("delivery_delayed", "SC05", "delivery_delayed", "delayed on the way"),
        ("ready_for_pickup", "SC06", "ready_for_pickup", "waits at a pickup point"),
        ("delivery_failed", "SC07", "delivery_failed", "an attempt to deliver it failed"),
        ("unknown", "SC08", "unknown", "the carrier says nothing of it"),
        (
            "happy",
            "SC10",
            "pending",
            "in transit after 2 h, out for delivery after 56 h, delivered after 61 h",
        ),
        ("delayed", "SC11", "pending", "delayed by a day: another estimate after 24 h, delivered after 85 h"),
        ("second_attempt", "SC12", "pending", "a failed attempt after 61 h, delivered after 85 h"),
        ("collected", "SC13", "pending", "a failed attempt, then 5 days at a pickup point, then delivered"),
        ("customs", "SC14", "pending", "export, two days held by customs, release, import, delivered"),
        ("returned", "SC15", "delivery_failed", "refused, and returned to the sender"),
        ("never_scanned", "SC16", "pending", "a label without any scan"),
        ("out_of_order", "SC17", "out_for_delivery", "events in the wrong order"),
        ("repeated", "SC18", "out_for_delivery", "the latest event twice"),
        ("shrinking", "SC19", "out_for_delivery", "fewer events from the second answer on"),
        ("multi_piece", "SC20", "delivered", "one of three parcels (last digit modulo 3); that of 2 is late"),
        ("proof", "SC21", "delivered", "delivered, with a signature and a photo"),
        ("lost", "SC30", "pending", "in transit after 2 h, then silent, unknown after 10 days"),
    )
    for name, magic, status, effect in rows:
        yield Scenario(name, "number", magic, effect, ("track",), status)
    troubles = (
        ("not_found_yet", "SC90", 404, "not found, then pending after an hour"),
        ("carrier_error", "SC91", 424, "the carrier answers with an error"),
        ("tracking_timeout", "SC92", 424, "the carrier does not answer in time"),
        ("tracking_throttled", "SC93", 429, "too many requests, with Retry-After"),
        ("tracking_breakdown", "SC94", 500, "a server error"),
    )
    for name, magic, answer, effect in troubles:
        yield Scenario(name, "number", magic, effect, ("track",), "", answer)
    odd = "events without description, with HTML, with seven digits of a second, without a time zone"
    yield Scenario("odd_data", "number", "SC95", odd, ("track",), "in_transit")


def _list_services() -> Iterable[Scenario]:
    sells = ("rate", "ship")
    yield Scenario("declined", "service", "", "the purchase is refused; it stays a draft", sells, "", 424)
    yield Scenario("slow", "service", "", "eight seconds before an answer", sells)
    yield Scenario("repriced", "service", "", "the label costs 12 % more than its rate", sells)
    expired = "the first purchase says that the rate has expired; after new rates it works"
    yield Scenario("expired_rate", "service", "", expired, sells, "", 400)
    partial = "the second parcel is refused, and what was bought is taken back"
    yield Scenario("partial", "service", "", partial, sells, "", 424)
    yield Scenario("nodoc", "service", "", "bought; its label comes when asked for the third time", sells)
    void_late = "bought; its void is refused: it is on a manifest already"
    yield Scenario("void_late", "service", "", void_late, (*sells, "void"))


def _list_addresses() -> Iterable[Scenario]:
    yield Scenario("invalid_address", "address", "1 INVALID WAY", "validation fails, with reasons by field")
    yield Scenario("corrected_address", "address", "2 CORRECTED WAY", "validation has a corrected form")
    yield Scenario("apartment_missing", "address", "3 APARTMENT WAY", "validation wants a unit number")
    rates = ("rate",)
    yield Scenario("residential", "address", "4 RESIDENTIAL WAY", "a surcharge in extra_charges", rates)
    yield Scenario("remote", "address", "5 REMOTE WAY", "a surcharge in extra_charges", rates)
    yield Scenario("no_rates", "address", "6 NORATE WAY", "no rate; a message says why", rates, "", 424)
    yield Scenario("embargo", "address", "7 EMBARGO WAY", "one carrier refuses, the others quote", rates)
    yield Scenario("mixed", "address", "8 MIXED WAY", "one carrier does not answer, the others quote", rates)
    yield Scenario("over_limit", "weight", "999", "too heavy for every carrier", rates, "", 424)


def _list_troubles() -> Iterable[Scenario]:
    for name, effect in (
        ("error", "every call is answered with 500"),
        ("unavailable", "every call is answered with 503"),
        ("rate_limited", "every call is answered with 429"),
        ("garbled", "every answer is broken"),
        ("closed", "every call is cut off"),
        ("timeout", "no call is answered in time"),
    ):
        yield Scenario(name, "carrier", "", effect, (), "", 424)


def _list_data() -> Iterable[Scenario]:
    """What is chosen by data alone."""
    refused, sells, closes = 424, ("rate", "ship"), ("manifest",)
    for name, magic, effect, verbs, answer in (
        ("failing", f"carrier_id *{FAILING}", "the connection refuses everything", (), refused),
        ("denied", "credentials with `denied`", "they are not known", ("rate",), refused),
        ("expired", "credentials with `expired`", "they have expired", ("rate",), refused),
        ("own_number", "reference_number SC + 10 digits", "is the tracking number of the parcel", sells, 200),
        ("sunday", "pickup_date on a Sunday", "nothing is collected", ("pickup",), refused),
        ("past", "pickup_date in the past", "nothing is collected", ("pickup",), refused),
        ("closing", "closing_time before ready_time", "nothing is collected", ("pickup",), refused),
        ("manifest_voided", "manifest of a voided label", "a message names it", closes, refused),
        ("manifest_twice", "manifest of a label that has one", "a message names it", closes, refused),
        ("row_fails", "batch row with the reference `ROWFAIL`", "this row fails, the others do not", (), 200),
    ):
        yield Scenario(name, "data", magic, effect, verbs, "", answer)


@cache
def list_scenarios() -> Mapping[str, Scenario]:
    """All scenarios by name."""
    lists = (_list_numbers(), _list_services(), _list_addresses(), _list_troubles(), _list_data())
    return {scenario.name: scenario for scenarios in lists for scenario in scenarios}


@cache
def list_names() -> list[str]:
    """The names that a request may give."""
    return sorted(name for name, row in list_scenarios().items() if row.kind in NAMED)


@cache
def _list_by_magic() -> Mapping[str, str]:
    return {row.magic: row.name for row in list_scenarios().values() if row.magic}


def find_number_scenario(number: str) -> str | None:
    """The scenario of a tracking number; None for one without magic."""
    magic = MAGIC.match(ALIASES.get(number, number))
    return _list_by_magic().get(f"SC{magic.group(1)}") if magic else None


def find_code(scenario: str | None) -> str | None:
    """The two digits of a scenario that is a journey."""
    row = list_scenarios().get(scenario or "")
    return row.magic[2:] if row and row.kind == "number" else None


def find_service_scenario(service: str | None) -> str | None:
    """The scenario of a magic service."""
    name = (service or "").removeprefix(SERVICE_PREFIX)
    row = list_scenarios().get(name) if name != service else None
    return name if row and row.kind == "service" else None


def list_magic_services() -> list[str]:
    """The services that stand for scenarios."""
    return [f"{SERVICE_PREFIX}{row.name}" for row in list_scenarios().values() if row.kind == "service"]


def list_magic_numbers() -> list[str]:
    """How magic numbers begin, and those of other servers."""
    return [*(row.magic for row in list_scenarios().values() if row.kind == "number"), *ALIASES]


def find_address_scenario(lines: Iterable[str | None]) -> str | None:
    """The scenario of a magic line of an address."""
    names = (_list_by_magic().get(" ".join((line or "").upper().split())) for line in lines)
    return next((name for name in names if name and list_scenarios()[name].kind == "address"), None)


def find_weight_scenario(weights: Iterable[Decimal | None]) -> str | None:
    return "over_limit" if OVER_LIMIT_WEIGHT in weights else None
