"""How carriers are reached: over the network, or by their simulators; not at all if their API is off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import RETIRED, Carrier, CarrierError
from shipcli.carrier.sending.ports import TransportError
from shipcli.carrier.wire.calls import TIMED_OUT_HEADER, Reply, Request
from shipcli.clocks import Clock, SandboxClock
from shipcli.models import Message

LARGEST_ANSWER = 32 * 1024 * 1024  # bytes, decompressed: a label of many parcels has two or three million

if TYPE_CHECKING:
    from shipcli.carrier.simulation.simulator import Simulator
    from shipcli.http import HttpClient


class HttpTransport:
    """The network. The client is made on first use, on the loop that uses it.

    `must_be_public` says whether hosts that no carrier states may be asked at public addresses only. It reads
    the store, so it is called in a thread.
    """

    def __init__(self, must_be_public: Callable[[], bool] = lambda: False) -> None:
        self._must_be_public = must_be_public
        self._client: HttpClient | None = None

    async def send(self, request: Request) -> Reply:
        from shipcli.http import AnswerRefused, HttpClient, HttpError

        if self._client is None:
            self._client = HttpClient()
        try:
            if request.is_stated or not await asyncio.to_thread(self._must_be_public):
                return await _exchange(self._client, request)
            return await _exchange_in_public(request)
        except AnswerRefused as error:
            raise TransportError(str(error), sent=True, refused=True) from error
        except HttpError as error:
            raise TransportError(str(error), sent=error.sent, timed_out=error.timed_out) from error

    async def aclose(self) -> None:
        """Close the connections; on the loop that used them."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


async def _exchange(client: HttpClient, request: Request, address: str | None = None) -> Reply:
    answer = await client.send(
        request.method,
        request.url,
        request.headers,
        request.content,
        request.timeout_s,
        refuse_above=LARGEST_ANSWER,
        address=address,
    )
    return Reply(answer.status, answer.content, answer.headers)


async def _exchange_in_public(request: Request) -> Reply:
    """Ask a host at the public address that was looked up.

    The client is its own: connections are kept by address, and another host may have the same one.
    """
    from shipcli.http import HttpClient, find_public_address

    address = await find_public_address(request.url)
    client = HttpClient()
    try:
        return await _exchange(client, request, address)
    finally:
        await client.aclose()


class RetiredTransport:
    """The transport of a carrier whose API is off: no flow is started, and nothing is sent.

    `off` is the message that says so, and which carrier to use instead.
    """

    def __init__(self, carrier: type[Carrier[Any, Any]]) -> None:
        instead = f": use {carrier.retired} instead" if carrier.retired else ""
        text = f"The API of {carrier.name} {carrier.retired_because}{instead}"
        self.off = Message(code=RETIRED, message=text)

    async def send(self, request: Request) -> Reply:
        """Errors: CarrierError naming the carrier to use instead."""
        raise CarrierError(self.off)


async def sleep_virtually(clock: Clock, seconds: float) -> None:
    """Let simulated time pass; while the clock of a sandbox is virtual that takes none, and moves nothing."""
    await asyncio.sleep(0 if isinstance(clock, SandboxClock) and clock.is_virtual else seconds)


class SimulatorTransport:
    """The carriers' simulators; opens no connection.

    They store what they sell in a file that another process may lock, so they answer in their own thread:
    the loop goes on for all other flows, and calls are answered in the order in which they were sent.
    """

    near = True

    def __init__(
        self,
        simulator_of: Callable[[str], Simulator],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._simulator_of, self._sleep = simulator_of, sleep
        self._thread = ThreadPoolExecutor(1, "simulators")

    async def send(self, request: Request) -> Reply:
        reply = await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, request)
        if reply.delay_s:
            await self._sleep(min(reply.delay_s, request.timeout_s))
            if reply.delay_s >= request.timeout_s:
                raise TransportError("no answer in time", sent=True, timed_out=True)
        if reply.status == 0 and reply.header(TIMED_OUT_HEADER):
            raise TransportError("no answer in time", sent=True, timed_out=True)
        if reply.status == 0:
            raise TransportError("connection closed by the simulator", sent=True)
        return reply

    def _answer(self, request: Request) -> Reply:
        return self._simulator_of(request.slug).answer(request)
