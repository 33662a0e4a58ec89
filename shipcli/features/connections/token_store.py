"""What the carrier kit keeps in the store: tokens (sealed, shared by all processes), numbers, traces."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.ports import RenewalTurns, Trace
from shipcli.carrier.wire.calls import Token
from shipcli.features.core.processes import is_alive, name_process
from shipcli.features.core.sandbox_request import get_sandbox_request
from shipcli.models import ShipcliError, json
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

RENEWAL_LASTS_S = 60.0
POLL_S = 0.05


class StoreTokens:
    """Tokens in the store, for all processes. One process renews a token; the others wait for it.

    Opened tokens are cached as long as the store holds the same sealed bytes: a token that another process
    renewed, or that was removed because the credentials changed, is never used again.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._turns = RenewalTurns()
        self._opened: dict[tuple[str, str], tuple[bytes, Token]] = {}

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        tokens: dict[str, dict[str, Token]] = {}
        for row in self._app.store.select("tokens", [one_of("connection_id", sorted(connection_ids))]):
            with suppress(ShipcliError):
                if token := self._read(row):
                    tokens.setdefault(row["connection_id"], {})[row["name"]] = token
        return tokens

    def get(self, connection_id: str, name: str) -> Token | None:
        rows = self._app.store.select("tokens", {"connection_id": connection_id, "name": name})
        return self._read(rows[0]) if rows else None

    def _read(self, row: Mapping[str, Any]) -> Token | None:
        connection_id, name, sealed = row["connection_id"], row["name"], row["sealed"]
        if not sealed:
            return None
        opened = self._opened.get((connection_id, name))
        if opened is None or opened[0] != sealed:
            opened = self._opened[connection_id, name] = (sealed, self._open(connection_id, name, sealed))
        return opened[1]

    def _open(self, connection_id: str, name: str, sealed: bytes) -> Token:
        value = json.loads(self._app.vault.open(f"{connection_id}/{name}", sealed))
        expires = datetime.fromisoformat(value["expires_at"]) if value["expires_at"] else None
        return Token(value["value"], expires, value.get("extra") or {})

    def put(self, connection_id: str, name: str, token: Token) -> None:
        expires = token.expires_at.astimezone(UTC).isoformat() if token.expires_at else None
        text = json.dump_bytes({"value": token.value, "expires_at": expires, "extra": dict(token.extra)})
        sealed = self._app.vault.seal(f"{connection_id}/{name}", text)
        row = {"connection_id": connection_id, "name": name, "sealed": sealed, "expires_at": expires}
        with self._app.store.transaction(locks=()) as tx:
            tx.upsert("tokens", row)

    async def renew(self, connection_id: str, name: str) -> bool:
        if not await self._turns.take(connection_id, name):
            return False
        try:
            waited = await self._wait_for_claim(self._lock_name(connection_id, name))
        except BaseException:  # otherwise this process would never renew it again
            self._turns.give_back(connection_id, name)
            raise
        if waited:
            await self.end_renewal(connection_id, name)
        return not waited

    async def end_renewal(self, connection_id: str, name: str) -> None:
        try:
            await asyncio.to_thread(self._give_back, self._lock_name(connection_id, name))
        finally:
            self._turns.give_back(connection_id, name)

    async def _wait_for_claim(self, lock: str) -> bool:
        """Claim the renewal; True if another process held it meanwhile."""
        waited = False
        while not await asyncio.to_thread(self._claim, lock):
            waited = True
            await asyncio.sleep(POLL_S)
        return waited

    def _give_back(self, lock: str) -> None:
        with self._app.store.transaction(locks=()) as tx:
            tx.remove("locks", {"name": lock, "owner": name_process()})

    def _lock_name(self, connection_id: str, name: str) -> str:
        return f"token/{connection_id}/{name}"

    def _claim(self, lock: str) -> bool:
        until = self._app.store.steady() + RENEWAL_LASTS_S
        with self._app.store.transaction(locks=[f"lock/{lock}"]) as tx:
            rows = tx.select("locks", {"name": lock})
            if rows and is_alive(rows[0]["owner"]) and rows[0]["until"] > self._app.store.steady():
                return False
            tx.upsert("locks", {"name": lock, "owner": name_process(), "until": until})
        return True


class StoreCounters:
    """Numbers that carriers let their customers assign, counted in the store."""

    def __init__(self, app: App) -> None:
        self._app = app

    def reserve(self, counter: str, count: int, above: int = 0) -> list[int]:
        with self._app.store.transaction(durable=True, locks=[f"counter/{counter}"]) as tx:
            rows = tx.select("counters", {"name": counter})
            last = max(rows[0]["value"] if rows else 0, above)
            tx.upsert("counters", {"name": counter, "value": last + count})
        return list(range(last + 1, last + count + 1))


class StoreTraces:
    """Exchanges with carriers, stored as rows."""

    def __init__(self, app: App) -> None:
        self._app = app

    def record(self, traces: Sequence[Trace]) -> None:
        if not traces:
            return
        with self._app.store.transaction(locks=()) as tx:
            for trace in traces:
                tx.insert("traces", self._row(trace))

    def _row(self, trace: Trace) -> dict[str, object]:
        columns = {name: getattr(trace, name) for name in trace.__dataclass_fields__}
        call = get_sandbox_request().request_id
        # The call of the API that it was made for, by which people find it; a command has none.
        request = {**trace.request, "request_id": call} if call else trace.request
        made = {"id": self._app.new_id("trace_"), "request": request, "status": trace.response.get("status")}
        return {**columns, **made}
