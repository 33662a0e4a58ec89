"""What scenarios do to the results of simulated carriers, where no carrier's own words could do it.

Some carriers have no word for a status, no line for a surcharge, no price on a label: there the wire has the
nearest that it has, and the result is put right here, so that a scenario means the same for all of them.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from shipcli.carrier.simulation.simulated_carrier import SimulatedCarrier
from shipcli.carrier.simulation.tracking import SimulatedTracking, list_pieces
from shipcli.models import Label, Quote, Tracking, TrackingEvent
from shipcli.models.parts.payment import Charge

CENT, MORE = Decimal("0.01"), Decimal("1.12")
LINES: Mapping[str, tuple[str, Decimal]] = {
    "residential": ("Residential delivery", Decimal("4.10")),
    "remote": ("Remote area delivery", Decimal("6.20")),
}
READS, UNPRINTED = "reads", "unprinted"  # kinds of ledger records
POLLS = 2  # how often a label is asked for in vain
SHRUNK_TO = 2  # events of a history that shrinks
ODD_TIMES = ("09:30:00.1234567", "2025-03-04T09:30:00", "9:30")
PICTURE = base64.b64encode(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
).decode()  # the smallest there is


# -- tracking ----------------------------------------------------------------------------------


def direct_trackings(
    simulator: SimulatedCarrier, trackings: Sequence[Tracking], scenario: str | None
) -> list[Tracking]:
    """Return what was tracked, with the status that a parcel has in the sandbox."""
    with simulator.ledger.transaction():
        return [_direct_tracking(simulator, tracking, scenario) for tracking in trackings]


def _direct_tracking(simulator: SimulatedCarrier, tracking: Tracking, scenario: str | None) -> Tracking:
    seen = simulator.simulate_tracking(tracking.tracking_number, scenario=scenario)
    if seen is None:
        return tracking
    events = list(tracking.events) or [make_event(scan) for scan in reversed(seen.scans)]
    named = tracking.model_copy(update={"status": seen.status, "delivered": seen.delivered, "events": events})
    change = CHANGES.get(seen.code)
    return change(simulator, named, seen) if change else named


def make_event(scan: Any) -> TrackingEvent:
    return TrackingEvent(
        date=f"{scan.at:%Y-%m-%d}",
        time=f"{scan.at:%H:%M}",
        code=scan.status,
        description=scan.description,
        location=f"{scan.city}, {scan.country}",
    )


def _take_plain_events(tracking: Tracking, seen: SimulatedTracking) -> list[TrackingEvent]:
    """The events of a carrier, newest first; those of the journey where it tells fewer than that has."""
    own = list(tracking.events)
    return own if len(own) >= len(seen.scans) else [make_event(scan) for scan in reversed(seen.scans)]


def _as_sent(tracking: Tracking, events: Sequence[TrackingEvent]) -> Tracking:
    return tracking.model_copy(update={"events": list(events), "as_sent": True})


def _disorder(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    events = _take_plain_events(tracking, seen)
    return _as_sent(tracking, [*events[1::2], *events[0::2]])


def _repeat(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    events = _take_plain_events(tracking, seen)
    return _as_sent(tracking, [events[0], *events])


def _shrink(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    events = _take_plain_events(tracking, seen)
    record = simulator.ledger.get(simulator.slug, READS, tracking.tracking_number)
    simulator.ledger.put(simulator.slug, READS, tracking.tracking_number, {"read": True})
    return _as_sent(tracking, events[-SHRUNK_TO:] if record else events)


def _make_odd(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    events = _take_plain_events(tracking, seen)
    texts = (None, "<b>Arrived</b> at the &quot;hub&quot; <br/>", events[-1].description)
    odd = [
        event.model_copy(update={"description": text, "time": time})
        for event, text, time in zip(events, texts, ODD_TIMES, strict=False)
    ]
    return _as_sent(tracking, odd)


def _prove(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    info = tracking.info.model_copy(update={"signed_by": tracking.info.signed_by or "S. AMPLE"})
    images = {"delivery_image": PICTURE, "signature_image": PICTURE}
    return tracking.model_copy(update={"info": info, "images": images})


def _name_pieces(simulator: SimulatedCarrier, tracking: Tracking, seen: SimulatedTracking) -> Tracking:
    pieces = list_pieces(tracking.tracking_number)
    info = tracking.info.model_copy(update={"shipment_package_count": str(len(pieces))})
    return tracking.model_copy(update={"info": info, "meta": {**tracking.meta, "tracking_numbers": pieces}})


Change = Callable[[SimulatedCarrier, Tracking, SimulatedTracking], Tracking]
CHANGES: Mapping[str, Change] = {
    "17": _disorder,
    "18": _repeat,
    "19": _shrink,
    "20": _name_pieces,
    "21": _prove,
    "95": _make_odd,
}


# -- prices ------------------------------------------------------------------------------------


def add_line(quote: Quote, scenario: str) -> Quote:
    """Return a quote with the surcharge of an address, if the scenario is one."""
    if scenario not in LINES:
        return quote
    name, amount = LINES[scenario]
    if any(charge.name == name for charge in quote.extra_charges):
        return quote
    line = Charge(name=name, amount=amount, currency=quote.currency)
    return quote.model_copy(
        update={"total_charge": quote.total_charge + amount, "extra_charges": [*quote.extra_charges, line]}
    )


def raise_price(quote: Quote) -> Quote:
    """Return a quote that costs 12 % more."""
    total = (quote.total_charge * MORE).quantize(CENT, ROUND_HALF_UP)
    line = Charge(name="Price change", amount=total - quote.total_charge, currency=quote.currency)
    return quote.model_copy(update={"total_charge": total, "extra_charges": [*quote.extra_charges, line]})


# -- labels ------------------------------------------------------------------------------------


def hold_back(simulator: SimulatedCarrier, label: Label) -> None:
    """Keep a label for later."""
    record = {"polls": 0, "label": label.model_dump()}
    simulator.ledger.put(simulator.slug, UNPRINTED, label.tracking_number, record)


def hand_out(simulator: SimulatedCarrier, number: str) -> Label | None:
    """Return a label that was kept, once it was asked for often enough; None before that.

    Errors: LookupError for one that was not kept.
    """
    with simulator.ledger.transaction():
        record = simulator.ledger.get(simulator.slug, UNPRINTED, number)
        if record is None:
            raise LookupError(number)
        if record["polls"] >= POLLS:
            return Label.model_validate(record["label"])
        simulator.ledger.put(simulator.slug, UNPRINTED, number, {**record, "polls": record["polls"] + 1})
    return None
