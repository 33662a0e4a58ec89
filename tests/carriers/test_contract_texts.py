"""What every carrier promises of long names, companies and lines: each word is sent, or is named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote_plus

import pytest

from shipcli.carrier.address_form import list_left_out
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import Address, ShipmentRequest
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, run_errand
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

SIDES = ("shipper", "recipient")
NAMES = ("person_name", "company_name")
LINES = ("address_line1", "address_line2")
CASES = (NAMES[:1], NAMES[1:], LINES[:1], (*NAMES, *LINES))


def write_long(side: str, name: str) -> str:
    """A text of about fifty characters, of words that no other text has."""
    return " ".join(f"{side[0]}{name[0]}{name[-1]}{letter}word" for letter in "abcde")


def buy(carrier_class: AnyCarrier, texts: Mapping[str, Mapping[str, str]]) -> tuple[str, ShipmentRequest]:
    """What is sent or said of a purchase whose addresses have these texts, and its request."""
    bench = Bench(carrier_class, lane(carrier_class))
    request = ERRANDS["ship"](bench)
    people = {side: getattr(request, side).model_copy(update=dict(texts.get(side, {}))) for side in SIDES}
    changed: ShipmentRequest = request.model_copy(update=people)
    tap = Tap(bench)
    outcome = run_errand(bench, "ship", changed)
    bench.close()
    return read_told(tap, outcome), changed


def read_told(tap: Tap, outcome: FlowOutcome[Any]) -> str:
    """What was sent, and what came of it."""
    sent = [unquote_plus(f"{url} {body.decode(errors='replace')}") for _, url, body in tap.wires()]
    return "\n".join([*sent, said(outcome)]).lower()


def list_lost(side: str, address: Address, text: str, carrier_class: AnyCarrier) -> list[str]:
    """The words of names and lines that are neither sent nor said to be left out."""
    left_out = list_left_out(side, address, carrier_class.addresses)
    told = [name for name in (*NAMES, *LINES) if f"{side}.{name}" not in left_out]
    words = [word for name in told for word in (getattr(address, name) or "").lower().split()]
    return [word for word in words if word.endswith("word") and word not in text]


@cache
def list_told(carrier_class: AnyCarrier) -> frozenset[str]:
    """What a carrier is told of a sender, by short texts."""
    usual = {name: write_long("shipper", name).split()[0] for name in (*NAMES, *LINES)}
    text, _ = buy(carrier_class, {"shipper": usual})
    return frozenset(name for name, word in usual.items() if word.lower() in text)


@needs("ship", network=True)
@pytest.mark.parametrize("names", CASES, ids="+".join)
def test_no_word_of_a_recipient_is_lost(carrier_class: AnyCarrier, names: tuple[str, ...]) -> None:
    texts = {name: write_long("recipient", name) for name in names}
    text, request = buy(carrier_class, {"recipient": texts})
    if "no room for" in text:
        assert any(f"recipient.{name}" in text for name in names)
        assert len(names) > 1, "one long text has a free line"
        return
    assert list_lost("recipient", request.recipient, text, carrier_class) == []


@needs("ship", network=True)
@pytest.mark.parametrize("names", CASES, ids="+".join)
def test_no_word_of_a_sender_is_lost_who_is_named_at_all(
    carrier_class: AnyCarrier, names: tuple[str, ...]
) -> None:
    """Some are told of an account instead, and some of a company alone."""
    told = list_told(carrier_class) & set(names)
    text, request = buy(carrier_class, {"shipper": {name: write_long("shipper", name) for name in told}})
    if "no room for" in text:
        assert any(f"shipper.{name}" in text for name in told)
        return
    assert list_lost("shipper", request.shipper, text, carrier_class) == []


def collect(carrier_class: AnyCarrier, texts: Mapping[str, str]) -> str:
    """What is sent or said of a collection at an address with these texts."""
    bench = Bench(carrier_class, lane(carrier_class))
    request = ERRANDS["schedule_pickup"](bench)
    tap = Tap(bench)
    address = request.address.model_copy(update=dict(texts))
    outcome = run_errand(bench, "schedule_pickup", request.model_copy(update={"address": address}))
    bench.close()
    return read_told(tap, outcome)


@needs("schedule_pickup", network=True)
def test_no_word_of_the_place_of_a_collection_is_lost_that_is_told_at_all(carrier_class: AnyCarrier) -> None:
    long = {name: write_long("address", name) for name in (*NAMES, *LINES)}
    short = collect(carrier_class, {name: text.split()[0] for name, text in long.items()})
    told = [name for name, text in long.items() if text.split()[0].lower() in short]
    for names in (*[[name] for name in told], told):
        text = collect(carrier_class, {name: long[name] for name in names})
        if "no room for" in text:
            assert any(f"address.{name}: " in text for name in names)
        else:
            assert [word for name in names for word in long[name].lower().split() if word not in text] == []
