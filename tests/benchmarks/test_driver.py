"""What the driver costs over a bare loop that asks the same transport."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from shipcli.carrier import Call, Request
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.wire.calls import encode
from tests.benchmarks.yardstick import SLACK
from tests.carrier.stub import MemoryTraceLog, Stub, Wire, driving, make_stub, ok, one

CALLS = 300
pytestmark = pytest.mark.benchmark


def best(work: Callable[[], None]) -> float:
    """The least of three times, in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def bare() -> None:
    async def ask() -> None:
        wire, carrier = Wire(lambda request: ok({"a": 1})), make_stub()
        for _ in range(CALLS):
            flow = one(Call("GET", "/rates"))
            call = next(flow)
            assert isinstance(call, Call)
            reply = await wire.send(encoded(call, carrier))
            try:
                flow.send(reply)
            except StopIteration:
                continue

    asyncio.run(ask())


def encoded(call: Call, carrier: Stub) -> Request:
    return encode(call, carrier.hosts[False], carrier.headers(call, {}))


def driven(traces: MemoryTraceLog | None = None) -> None:
    with driving(Wire(lambda request: ok({"a": 1})), **({"traces": traces} if traces else {})) as driver:
        for _ in range(CALLS):
            driver.run(CarrierJob(make_stub(), "rate", one(Call("GET", "/rates"))))


def fanned_out() -> None:
    with driving(Wire(lambda request: ok({"a": 1}))) as driver:
        driver.run_all([CarrierJob(make_stub(), "rate", one(Call("GET", "/rates"))) for _ in range(CALLS)])


def test_a_call_through_the_driver_costs_little(capsys: pytest.CaptureFixture[str]) -> None:
    raw, plain, together = best(bare), best(driven), best(fanned_out)
    traced = best(lambda: driven(MemoryTraceLog()))
    with capsys.disabled():
        for name, took in (("bare", raw), ("one by one", plain), ("traced", traced), ("together", together)):
            print(f"\n{name:12}{took / CALLS * 1e6:8.1f} us a call, {took / raw:5.1f} x bare", end="")
    assert plain / CALLS < 0.002
    assert together < plain


def test_ten_slow_carriers_take_15_ms_longer_than_one_at_most() -> None:
    carriers = [make_stub(type(f"Stub{number}", (Stub,), {"slug": f"stub{number}"})) for number in range(10)]
    with driving(Wire(delay_s=0.3)) as driver:
        alone = best(lambda: _ask(driver, carriers[:1]))
        all_ten = best(lambda: _ask(driver, carriers))
    assert all_ten - alone < 0.015 * SLACK


def _ask(driver: Driver, carriers: list[Stub]) -> None:
    driver.run_all([CarrierJob(carrier, "rate", one(Call("GET", "/rates"))) for carrier in carriers])
