"""A sandbox per test: a real store, real simulators, nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier.simulation.backend import SimulatorBackend
from shipcli.features.core.app import App
from shipcli.features.core.idempotency import perform_with_key
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.models import Shipment, ShipmentResolveData
from tests.homes import copy_sandbox


def perform_keyed(app: App, once: IdempotencyKey, use: Callable[..., Any], *given: Any) -> dict[str, Any]:
    """The REST form of what a use-case gives under a key, the first time or again."""
    found = perform_with_key(app, once, lambda: use(app, *given, once=once))
    return dict(found if isinstance(found, dict) else found.model_dump())


class Clock:
    """An instant that moves only when told: `clock.advance(hours=1)`."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    """A Wednesday afternoon."""
    return Clock(datetime(2031, 5, 7, 14, 30, tzinfo=UTC))


@pytest.fixture
def timed(tmp_path: Path, clock: Clock) -> Iterator[App]:
    """A sandbox whose time is the clock's."""
    opened = open_app(tmp_path / "timed", sandbox=True, clock=clock, environ={})
    yield opened
    opened.close()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    yield opened
    opened.close()


def resolve(app: App, shipment_id: str, *, bought: str | None) -> Shipment:
    """What a person says of a purchase: the number it was bought under, or that it was not."""
    from shipcli.features.shipments.resolution import resolve_purchase

    said = ShipmentResolveData(bought=bought is not None, tracking_number=bought)
    return resolve_purchase(app, shipment_id, said)


def live_labels(app: App) -> dict[str, list[str]]:
    """What the carriers would bill: the numbers that were bought and not voided, by reference."""
    found: dict[str, list[str]] = {}
    for _, _, key, record in app.ledger.everything("label"):
        if not record["voided_at"]:
            found.setdefault(str(record["reference"]), []).append(key)
    return found


def listen(monkeypatch: pytest.MonkeyPatch, kind: type[Any], verb: str) -> list[Any]:
    """What the carriers of a kind are asked with a verb from now on; they answer as ever."""
    asked: list[Any] = []
    answer = getattr(kind, verb)

    def listening(self: Any, request: Any) -> Any:
        asked.append(request)
        return answer(self, request)

    monkeypatch.setattr(kind, verb, listening)
    return asked


@pytest.fixture
def dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carriers bill two dollars more than they quoted."""
    price = SimulatorBackend.price

    def bill(self: SimulatorBackend, booking: Any) -> Any:
        found = price(self, booking)
        offer = found.offer
        return replace(found, offer=replace(offer, total=offer.total + 2, base=offer.base + 2))

    monkeypatch.setattr(SimulatorBackend, "price", bill)
