"""Assistants: the real client of the protocol, over a sandbox of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from mcp import Client

from shipcli.api.in_process import InProcess
from shipcli.assistants.daily_budget import DailyBudget
from shipcli.assistants.protocol import AssistantServer
from shipcli.assistants.purchases import Purchases
from shipcli.assistants.tool_table import Permission, choose_tools
from shipcli.assistants.toolbox import Toolbox
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.gateway.local import LocalGateway
from shipcli.http import HttpReply
from shipcli.models import json
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.homes import copy_sandbox

SHIPMENT: dict[str, Any] = {
    "shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "carrier_ids": ["ups"]
}  # fmt: skip
Job = Callable[[Client], Coroutine[Any, Any, Any]]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    yield opened
    opened.close()


@dataclass
class Desk:
    """What an assistant finds: a store, and a server with some allowances."""

    app: App
    here: InProcess

    def open(self, *allowed: Permission, limit: str = "50USD", names: Sequence[str] = ()) -> AssistantServer:
        """A server; another one is as good as a restarted one."""
        gateway = LocalGateway(self.app)
        buys = Purchases(gateway, DailyBudget(self.app, limit)) if Permission.BUY in allowed else None
        operations = choose_tools(names, allowed, is_sandbox=True)
        return AssistantServer(Toolbox(gateway, self._send, operations, buys))

    def _send(self, method: str, path: str, body: Any, query: Sequence[tuple[str, str]]) -> HttpReply:
        headers = {} if body is None else {"content-type": "application/json"}
        content = b"" if body is None else json.dump_bytes(body)
        return self.here.send(method, path, urlencode(query), headers, content)

    def use(self, assistant: AssistantServer, job: Job, **options: Any) -> Any:
        """Let a client do something with a server."""

        async def run() -> Any:
            async with Client(assistant.server, **options) as client:
                return await job(client)

        return asyncio.run(run())


@pytest.fixture
def desk(app: App) -> Iterator[Desk]:
    here = InProcess(app)
    yield Desk(app, here)
    here.close()


async def call(client: Client, name: str, **arguments: Any) -> Any:
    """The answer of a tool, which is an object with `errors` or `messages` where it failed."""
    result: Any = await client.call_tool(name, arguments)
    answer = json.loads(result.content[0].text)
    failed = isinstance(answer, dict) and ("errors" in answer or set(answer) <= {"messages", "hint"})
    assert result.is_error == failed
    return answer


def count_labels(app: App) -> int:
    """How many labels the carriers sold and did not take back."""
    return sum(not record["voided_at"] for *_, record in app.ledger.everything("label"))
