"""The doors: a process over its standard input and output, and HTTP for those who have the token."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from shipcli.assistants import doors
from shipcli.assistants.tool_table import Permission
from tests.assistants.conftest import SHIPMENT, Desk, call
from tests.homes import copy_sandbox
from tests.processes import PATIENCE_S, started

TOKEN = "a-token-of-the-test"
NAMED = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.slow
def test_a_process_lists_quotes_and_buys(tmp_path: Path) -> None:
    home = copy_sandbox(tmp_path / "home")
    words = ["--home", str(home), "--sandbox", "mcp", "--allow", "buy", "--max-total", "50USD"]
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "shipcli", *words], env={**os.environ, "SHIPCLI_COLOR": "never"}
    )

    async def job() -> Any:
        async with Client(server) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            quote = await call(client, "ship", shipment=SHIPMENT)
            answers = [await call(client, "ship", confirmation=quote["confirmation"]) for _ in range(2)]
            return names, answers, await call(client, "readSandboxLedger")

    names, answers, ledger = asyncio.run(job())
    assert {"ship", "fetchRates", "listShipments"} <= names
    assert [answer["bought"] for answer in answers] == [True, True]
    assert len(ledger) == 1


@pytest.mark.slow
def test_a_process_that_waits_for_its_client_ends_with_a_signal(tmp_path: Path) -> None:
    home = copy_sandbox(tmp_path / "home")
    words = ("--home", str(home), "--sandbox", "mcp")
    with started(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert "Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=PATIENCE_S)  # its input is still open
        assert process.stdout.read() == ""
    assert code in (0, 130, -signal.SIGINT)


def test_http_serves_those_who_send_the_token_from_here(desk: Desk) -> None:
    assistant = desk.open(Permission.BUY)

    async def job() -> Any:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            door = doors.HttpDoor(listener, TOKEN)
            ready = asyncio.Event()
            server = asyncio.create_task(doors.serve_http(assistant, door, ready.set))
            await ready.wait()
            try:
                return await refuse_strangers(door.address), await buy(door.address)
            finally:
                server.cancel()
                await asyncio.gather(server, return_exceptions=True)

    refused, bought = asyncio.run(job())
    assert refused == [401, 401, 421, 403]
    assert bought["bought"]


async def refuse_strangers(address: str) -> list[int]:
    heads: list[dict[str, str]] = [
        {},
        {"Authorization": "Bearer x"},
        {**NAMED, "Host": "elsewhere.example"},
        {**NAMED, "Origin": "https://elsewhere.example"},
    ]
    async with httpx2.AsyncClient(trust_env=False) as client:
        return [(await client.post(address, json={}, headers=head)).status_code for head in heads]


async def buy(address: str) -> Any:
    async with (
        httpx2.AsyncClient(headers=NAMED, trust_env=False, timeout=30) as known,
        Client(streamable_http_client(address, http_client=known)) as client,
    ):
        quote = await call(client, "ship", shipment=SHIPMENT)
        return await call(client, "ship", confirmation=quote["confirmation"])
