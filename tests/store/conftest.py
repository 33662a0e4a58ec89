"""A store in an empty folder, a clock that stands still until moved, and a shipment to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.store import Store
from tests.cluster import MISSING, find_programs
from tests.engines import CHOICE, choose_place


class StandingClock:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **change: float) -> None:
        self.now += timedelta(**change)


@pytest.fixture(scope="session")
def server() -> str:
    """The URL of a database."""
    if find_programs() is None:
        pytest.skip(MISSING)
    return f"postgresql://shipcli@/postgres?host={CHOICE.find_socket()}"


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "store.db"


@pytest.fixture
def place(path: Path) -> Path | str:
    """Where the store of a test is: in that file, or in PostgreSQL."""
    return choose_place(path)


@pytest.fixture
def store(place: Path | str, clock: StandingClock) -> Iterator[Store]:
    with Store.open(place, clock=clock) as store:
        yield store


@pytest.fixture
def shipment(store: Store) -> Callable[..., dict[str, Any]]:
    """Makes a shipment document; keywords replace its members."""

    def make(**members: Any) -> dict[str, Any]:
        recipient = {
            "person_name": "Zoë Straße",
            "city": "Besançon",
            "country_code": "FR",
            "postal_code": "25000",
        }
        document = {
            "id": store.new_id("shp_"),
            "object_type": "shipment",
            "status": "draft",
            "recipient": recipient,
            "parcels": [{"weight": Decimal("1.50")}],
            "tracking_number": None,
            "reference": None,
            "options": {},
            "metadata": {},
            "meta": {},
            "test_mode": True,
        }
        return document | members

    return make


@pytest.fixture
def keep(store: Store, shipment: Callable[..., dict[str, Any]]) -> Callable[..., str]:
    """Writes a shipment made of these members; gives its id."""

    def write(extra: dict[str, Any] | None = None, **members: Any) -> str:
        document = shipment(**members)
        with store.transaction() as transaction:
            transaction.put("shipment", document, extra=extra)
        return str(document["id"])

    return write
