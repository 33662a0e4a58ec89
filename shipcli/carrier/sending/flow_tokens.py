"""The tokens of one flow under way: read from the cache, or obtained by logging in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import TypeGuard

from shipcli.carrier.base import CarrierError
from shipcli.carrier.sending.ports import TokenCache
from shipcli.carrier.wire.calls import Token


class FlowTokens:
    """The tokens of one flow. A token that it has used is used again until it is refused.

    Of many flows that need a token at once, one logs in and the others wait for it. The cache may wait for a
    lock on its store: it is called in a thread, so that the loop goes on for all other flows.
    """

    def __init__(
        self,
        connection_id: str,
        cache: TokenCache,
        clock: Callable[[], datetime],
        log_in: Callable[[str], Awaitable[Token]],
    ) -> None:
        self._connection_id, self._cache, self._clock, self._log_in = connection_id, cache, clock, log_in
        self._failures: dict[str, CarrierError] = {}  # of logins in this flow: they are not tried again
        self._tokens: dict[str, Token] = {}

    def preload(self, tokens: Mapping[str, Token]) -> None:
        """Begin with these tokens, by name, as if the flow had used them."""
        self._tokens.update(tokens)

    async def get(self, name: str, *, refused: Token | None = None) -> Token:
        """Return the token in the cache, or a new one in place of none, an expired or the `refused` one.

        Errors: CarrierError when the carrier refuses to log in; TransportError when it can't be reached.
        """
        token = self._tokens.get(name)
        if not self._is_usable(token, refused):
            self._tokens[name] = token = await self._look_up(name, refused)
        return token

    async def _look_up(self, name: str, refused: Token | None) -> Token:
        while True:
            token = await asyncio.to_thread(self._cache.get, self._connection_id, name)
            if self._is_usable(token, refused):
                return token
            if name in self._failures:
                raise self._failures[name]
            if await self._cache.renew(self._connection_id, name):
                return await self._renew(name)

    async def _renew(self, name: str) -> Token:
        try:
            token = await self._log_in(name)
            await asyncio.to_thread(self._cache.put, self._connection_id, name, token)
            return token
        except CarrierError as error:
            self._failures[name] = error
            raise
        finally:
            await self._cache.end_renewal(self._connection_id, name)

    def _is_usable(self, token: Token | None, refused: Token | None) -> TypeGuard[Token]:
        if token is None or token == refused:
            return False
        return token.expires_at is None or token.expires_at > self._clock()
