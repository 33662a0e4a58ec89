"""The tokens of one flow under way: taken from the cache, or got by logging in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from shipcli.carrier.base import CarrierError
from shipcli.carrier.sending.ports import TokenCache
from shipcli.carrier.wire.calls import Token


class FlowTokens:
    """The tokens of one flow. What it has used it uses again until that is refused.

    Of many flows that need a token at once one logs in; the others wait for it. The cache may wait for a lock
    on its store: it is asked in a thread, so that the loop goes on for all other flows.
    """

    def __init__(
        self,
        connection_id: str,
        cache: TokenCache,
        clock: Callable[[], datetime],
        log_in: Callable[[str], Awaitable[Token]],
    ) -> None:
        self._connection_id, self._cache, self._clock, self._log_in = connection_id, cache, clock, log_in
        self._refused: dict[str, CarrierError] = {}  # logins that failed in this flow: not tried again
        self._held: dict[str, Token] = {}

    def hold(self, tokens: Mapping[str, Token]) -> None:
        """Begin with these, by name, as if the flow had used them."""
        self._held.update(tokens)

    async def get(self, name: str, *, refused: Token | None = None) -> Token:
        """The token in the cache, or a new one in place of none, an expired or the `refused` one.

        Errors: CarrierError when the carrier refuses to log in; TransportError when it can't be reached.
        """
        held = self._held.get(name)
        if held and held != refused and not self._is_expired(held):
            return held
        self._held[name] = token = await self._look_up(name, refused)
        return token

    async def _look_up(self, name: str, refused: Token | None) -> Token:
        while True:
            kept = await asyncio.to_thread(self._cache.get, self._connection_id, name)
            if kept and kept != refused and not self._is_expired(kept):
                return kept
            if name in self._refused:
                raise self._refused[name]
            if await self._cache.renew(self._connection_id, name):
                return await self._renew(name)

    async def _renew(self, name: str) -> Token:
        try:
            token = await self._log_in(name)
            await asyncio.to_thread(self._cache.put, self._connection_id, name, token)
            return token
        except CarrierError as error:
            self._refused[name] = error
            raise
        finally:
            await self._cache.end_renewal(self._connection_id, name)

    def _is_expired(self, token: Token) -> bool:
        return token.expires_at is not None and token.expires_at <= self._clock()
