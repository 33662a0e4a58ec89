"""The exchanges with carriers as they rest in the store: a trace log for the driver, and reads for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from shipcli.store.store import Store


class CarrierExchange(Protocol):
    """One exchange, secrets masked and documents left out already."""

    @property
    def verb(self) -> str:
        """What was asked of the carrier."""

    @property
    def connection_id(self) -> str:
        """The connection used."""

    @property
    def carrier_name(self) -> str:
        """The carrier's slug."""

    @property
    def carrier_id(self) -> str:
        """The connection's friendly name."""

    @property
    def test_mode(self) -> bool:
        """Whether it was a test."""

    @property
    def object_id(self) -> str | None:
        """The object it was for."""

    @property
    def started_at(self) -> datetime:
        """When it was sent."""

    @property
    def duration_ms(self) -> int:
        """How long the answer took."""

    @property
    def request(self) -> dict[str, Any]:
        """What was sent."""

    @property
    def response(self) -> dict[str, Any]:
        """What came back."""


_COPIED = (
    "verb", "connection_id", "carrier_name", "carrier_id", "test_mode", "object_id", "started_at",
    "duration_ms", "request", "response",
)  # fmt: skip


class StoredTraces:
    """A trace log in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, traces: Sequence[CarrierExchange]) -> None:
        """Keep the exchanges of one flow, in one transaction of their own."""
        if not traces:
            return
        with self._store.transaction() as transaction:
            for trace in traces:
                transaction.insert("traces", self._row(trace))

    def about(self, object_id: str) -> list[dict[str, Any]]:
        """The exchanges made for an object, oldest first."""
        return self._store.select("traces", {"object_id": object_id}, order=("started_at", "id"))

    def latest(self, limit: int = 20, where: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """The last exchanges, newest first."""
        return self._store.select("traces", where or {}, order=("-started_at", "-id"), limit=limit)

    def _row(self, trace: CarrierExchange) -> dict[str, Any]:
        row = {name: getattr(trace, name) for name in _COPIED}
        return {"id": self._store.new_id("trace_"), "status": trace.response.get("status"), **row}
