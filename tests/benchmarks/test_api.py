"""CPU of the server per request, as a ratio to a bare route that answers with 3 KB, both measured in the
same run.

Sixteen connections are kept open; both servers run on uvicorn with httptools and uvloop where they are
installed.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.api.conftest import body
from tests.api.running import Running, answers, free_port
from tests.benchmarks.yardstick import SLACK
from tests.factories import ITEM, RECIPIENT, SHIPPER
from tests.processes import wait_for

CONNECTIONS = 16
MOST_RESIDENT_MB, GROWTH_MB = 110, 8
MARGIN = 1.5  # times what is aimed at, where the measurement fails: machines differ, neighbours are noisy
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

async def answer(request):
    return Response(b"x" * 3000, media_type="application/json")

uvicorn.run(Starlette(routes=[Route("/", answer)]), port=int(sys.argv[1]), log_level="warning",
access_log=False)
"""
pytestmark = pytest.mark.benchmark
numbers = itertools.count(1)


@dataclass
class Target:
    """A server under load."""

    port: int
    pid: int
    key: str = ""
    headers: str = field(default="", init=False)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def us_each(self, make: Callable[[], tuple[str, str, Any]], count: int) -> float:
        """Microseconds of the server's CPU per request."""
        asyncio.run(self._load(make, CONNECTIONS * 2))
        begun = self.cpu_s()
        asyncio.run(self._load(make, count))
        return (self.cpu_s() - begun) / count * 1e6

    async def _load(self, make: Callable[[], tuple[str, str, Any]], count: int) -> None:
        await asyncio.gather(*(self._connection(make, count // CONNECTIONS) for _ in range(CONNECTIONS)))

    async def _connection(self, make: Callable[[], tuple[str, str, Any]], count: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for _ in range(count):
            writer.write(self._request(*make()))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head[9:10] == b"2", head
            await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r")[0]))
        writer.close()

    def _request(self, method: str, path: str, value: Any) -> bytes:
        text = b"" if value is None else json.dump_bytes(value)
        key = f"Authorization: Token {self.key}\r\n" if self.key and path != "/" else ""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n" if text else ""
        return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{key}{kind}\r\n".encode() + text


@pytest.fixture(scope="module")
def bare() -> Iterator[Target]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port)])
    wait_for(lambda: answers(port))
    yield Target(port, process.pid)
    process.terminate()
    process.wait()


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Target, Running]]:
    running = Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker")
    yield Target(running.port, running.process.pid, running.said["api_key"]), running
    running.stop()


def test_requests_cost_what_they_may(
    bare: Target, server: tuple[Target, Running], capsys: pytest.CaptureFixture[str]
) -> None:
    target, running = server
    made = [running.ask("POST", "/v1/addresses", RECIPIENT)[1]["id"] for _ in range(20)]
    service = running.ask("POST", "/v1/proxy/rates", body())[1]["rates"][0]["service"]

    def order() -> tuple[str, str, Any]:
        given = {"order_id": f"B-{next(numbers)}", "shipping_to": RECIPIENT, "shipping_from": SHIPPER}
        return "POST", "/v1/orders", {**given, "line_items": [ITEM]}

    rows: list[tuple[str, float, int, Callable[[], tuple[str, str, Any]]]] = [
        ("GET /", 2.5, 8000, lambda: ("GET", "/", None)),
        ("object by id", 2.5, 8000, lambda: ("GET", f"/v1/addresses/{made[0]}", None)),
        ("list of 20", 5, 4000, lambda: ("GET", "/v1/addresses", None)),
        ("create address", 9, 1600, lambda: ("POST", "/v1/addresses", RECIPIENT)),
        ("create order", 16, 1600, order),
        ("proxy rates", 16, 800, lambda: ("POST", "/v1/proxy/rates", body())),
        ("create shipment", 30, 480, lambda: ("POST", "/v1/shipments", body())),
        ("purchase", 62, 240, lambda: ("POST", "/v1/shipments", body(service=service))),
    ]
    bases, took = [], []
    for _, _, count, make in rows:  # by turns, so that a neighbour weighs on both
        bases.append(bare.us_each(lambda: ("GET", "/", None), 8000))
        took.append(target.us_each(make, count))
    base, over = statistics.median(bases), []
    for (name, aim, _, _), us in zip(rows, took, strict=True):
        with capsys.disabled():
            print(f"\n{name:16}{us:8.0f} us, {us / base:6.1f} x bare, target {aim}", end="")
        if us / base > aim * MARGIN * SLACK:
            over.append(name)
    with capsys.disabled():
        print(f"\nbare: {base:.0f} us, from {min(bases):.0f} to {max(bases):.0f}", end="")
    assert over == []


def test_the_server_is_ready_soon(server: tuple[Target, Running], capsys: pytest.CaptureFixture[str]) -> None:
    _, running = server
    with capsys.disabled():
        print(f"\nready in {running.ready_s:.2f} s", end="")
    assert running.ready_s < 2 * SLACK


def test_memory_stays_flat(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten rounds of a thousand requests each, fifty of them purchases of a label."""
    running = Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker")
    target = Target(running.port, running.process.pid, running.said["api_key"])
    service = running.ask("POST", "/v1/proxy/rates", body())[1]["rates"][0]["service"]
    address = running.ask("POST", "/v1/addresses", RECIPIENT)[1]["id"]
    mix: list[tuple[str, str, Any]] = [
        ("POST", "/v1/shipments", body(service=service)),
        *[("POST", "/v1/addresses", RECIPIENT), ("POST", "/v1/proxy/rates", body())] * 2,
        *[("GET", "/v1/shipments", None), ("GET", f"/v1/addresses/{address}", None), ("GET", "/", None)] * 5,
    ]
    turns = itertools.cycle(mix)
    sizes = []
    for _ in range(10):
        asyncio.run(target._load(lambda: next(turns), 1008))
        status = Path(f"/proc/{target.pid}/status").read_text()
        sizes.append(int(status.partition("VmRSS:")[2].split()[0]) // 1024)
    running.stop()
    with capsys.disabled():
        print(f"\nresident: {sizes} MB", end="")
    assert sizes[-1] < MOST_RESIDENT_MB * SLACK
    assert sizes[-1] - sizes[4] < GROWTH_MB
