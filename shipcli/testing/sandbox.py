"""A sandbox as a test sees it: a client with a key, the clock, faults, and what came and went.

This module imports nothing heavy: pytest loads it in every run in which shipcli is installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

    from shipcli.features.core.app import App

BASE = "http://localhost"
TIMEOUT_S = 60.0
Row = dict[str, Any]


SENDER = {
    "person_name": "Sam Sender", "address_line1": "100 Main St", "city": "Boston", "state_code": "MA",
    "postal_code": "02134", "country_code": "US", "phone_number": "617-555-0100",
}  # fmt: skip
RECIPIENT = {**SENDER, "person_name": "Ada Brooks", "address_line1": "350 5th Ave", "city": "New York",
             "state_code": "NY", "postal_code": "10118", "phone_number": "212-555-0100"}  # fmt: skip
PARCEL = {"weight": 2, "weight_unit": "LB", "length": 9, "width": 6, "height": 2, "dimension_unit": "IN"}


class SandboxFailure(AssertionError):
    """The sandbox refused what a test asked of it, or what a test expected did not happen."""


def make_shipment_body(**changes: Any) -> Row:
    """The body of a shipment that carriers of the United States take, with some fields changed."""
    return {"shipper": SENDER, "recipient": RECIPIENT, "parcels": [PARCEL], **changes}


class SandboxCalls:
    """Calls of the control plane, for one key."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def ask(self, method: str, path: str, body: Row | None = None, query: Row | None = None) -> Any:
        """The answer to a call below `/_sandbox/`.

        Errors: SandboxFailure with what the sandbox said.
        """
        named = {name: str(value) for name, value in (query or {}).items() if value is not None}
        answer = self._client.request(method, f"/_sandbox/{path}", json=body, params=named)
        if answer.is_error:
            raise SandboxFailure(f"{method} /_sandbox/{path}: {answer.status_code} {answer.text}")
        return answer.json()


class SandboxTime:
    """The clock of a sandbox. Spans are `61h`, `3d`, `90m`; instants `2026-01-05T09:00Z`."""

    def __init__(self, calls: SandboxCalls) -> None:
        self._ask = calls.ask

    @property
    def now(self) -> str:
        """What it shows."""
        return str(self._ask("GET", "clock")["now"])

    def freeze(self, at: str | None = None) -> Row:
        """Stop it, now or at an instant."""
        return dict(self._ask("POST", "clock/freeze", {"at": at}))

    def set(self, at: str) -> Row:
        """Jump to an instant."""
        return dict(self._ask("POST", "clock/set", {"at": at}))

    def speed(self, speed: float) -> Row:
        """Let so many seconds pass in a real one."""
        return dict(self._ask("POST", "clock/speed", {"speed": speed}))

    def real(self) -> Row:
        """Show the real time again."""
        return dict(self._ask("POST", "clock/real", {}))

    def advance(self, by: str | None = None, *, to: str | None = None) -> list[Row]:
        """Move forward; the events that happened on the way, when their webhooks were delivered."""
        return list(self._ask("POST", "clock/advance", {"by": by, "to": to}))


class SandboxFaults:
    """The faults that a sandbox injects."""

    def __init__(self, calls: SandboxCalls) -> None:
        self._ask = calls.ask

    def add(self, match: str | None = None, **effect: Any) -> Row:
        """Add a rule, such as `add("POST /v1/shipments/*/purchase", status=503, times=2)`."""
        return dict(self._ask("POST", "faults", {"match": match, **effect}))

    def profile(self, name: str, carrier: str | None = None) -> list[Row]:
        """Add the rules of a profile, such as `flaky-5`."""
        return list(self._ask("POST", "faults/profile", {"name": name, "carrier": carrier}))

    def list(self) -> list[Row]:
        """The rules, with how often each was met."""
        return [dict(row) for row in self._ask("GET", "faults")]

    def clear(self) -> None:
        """Remove all."""
        self._ask("DELETE", "faults")


class SandboxInbox:
    """The webhooks that a sandbox has sent. Those that are due are sent before it is read."""

    def __init__(self, calls: SandboxCalls) -> None:
        self._ask = calls.ask

    def list(self, type: str | None = None, object_id: str | None = None) -> list[Row]:
        """The webhooks, oldest first: of a type, about an object."""
        self._ask("POST", "clock/advance", {"by": "0s"})
        return [dict(row) for row in self._ask("GET", "inbox", query={"type": type, "object_id": object_id})]

    @property
    def types(self) -> Sequence[str]:
        """Their types, oldest first."""
        return [str(row["type"]) for row in self.list()]


class ShippingSandbox:
    """A sandbox of one test.

    `client` asks the API with the key for test data, `live_client` with that for live data.
    """

    def __init__(self, url: str, client: httpx.Client, live_client: httpx.Client, keys: Row) -> None:
        self.url, self.client, self.live_client = url, client, live_client
        self.api_key, self.live_api_key = str(keys["api_key"]), str(keys["live_api_key"])
        self._calls = SandboxCalls(client)
        self.clock, self.faults = SandboxTime(self._calls), SandboxFaults(self._calls)
        self.inbox = SandboxInbox(self._calls)

    def advance(self, parcel: str | Row, to: str | None = None) -> list[Row]:
        """Move time forward until a parcel has a status, or its next scan; what happened on the way.

        Shapes: `parcel` is a shipment or tracker, its id, or a tracking number.
        """
        word = parcel if isinstance(parcel, str) else str(parcel["id"])
        return list(self._calls.ask("POST", f"trackers/{word}/move", {"to": to}))

    def trigger(self, type: str, status: str | None = None, **data: Any) -> Row:
        """Send an event of the newest object of its kind, some of its values replaced."""
        return dict(self._calls.ask("POST", "trigger", {"type": type, "status": status, "data": data}))

    def requests(self, path: str | None = None, method: str | None = None) -> list[Row]:
        """The requests that came, oldest first."""
        return list(self._calls.ask("GET", "requests", query={"path": path, "method": method}))

    def expect(self, *requests: str, times: int | None = None, nothing_else: bool = False) -> None:
        """Check that requests such as `POST /v1/shipments` came, in this order.

        Errors: SandboxFailure with the difference.
        """
        body = {"requests": list(requests), "times": times, "nothing_else": nothing_else}
        answer = self._calls.ask("POST", "expect", body)
        if not answer["met"]:
            raise SandboxFailure("\n".join(["other requests came:", *answer["diff"]]))

    def reset(self) -> None:
        """Put everything back as it was at the start of the test."""
        self._calls.ask("POST", "reset", {})

    def save(self, name: str) -> None:
        """Save everything as it is."""
        self._calls.ask("POST", f"snapshots/{name}", {})

    def restore(self, name: str) -> None:
        """Put everything back as it was saved."""
        self._calls.ask("POST", f"snapshots/{name}/restore", {})

    def close(self) -> None:
        """Close the connections."""
        self.client.close()
        self.live_client.close()


class SandboxServer:
    """A sandbox that serves a port of this machine, and makes workspaces for tests."""

    def __init__(self, url: str, api_key: str) -> None:
        self.url, self.api_key = url, api_key

    @contextmanager
    def open_workspace(self) -> Iterator[ShippingSandbox]:
        """A sandbox of its own, removed afterwards."""
        with make_client(self.url, self.api_key) as control:
            calls = SandboxCalls(control)
            keys = calls.ask("POST", "workspaces", {})
            clients = [make_client(self.url, keys[name]) for name in ("api_key", "live_api_key")]
            sandbox = ShippingSandbox(self.url, clients[0], clients[1], keys)
            try:
                yield sandbox
            finally:
                sandbox.close()
                calls.ask("DELETE", f"workspaces/{keys['id']}")


def make_client(url: str, key: str, transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """A client that asks with a key."""
    import httpx

    headers = {"Authorization": f"Token {key}"}
    return httpx.Client(
        base_url=url, headers=headers, timeout=TIMEOUT_S, transport=transport, trust_env=False
    )


@contextmanager
def serve_sandbox(carriers: str | None = "all") -> Iterator[SandboxServer]:
    """Serve a sandbox on a free port, in a thread, as long as the block lasts."""
    from shipcli.api.server import Setup, listen, serve_in_thread
    from shipcli.features.sandbox.access import create_access

    with _open_temporary(carriers) as app:
        access = create_access(app)
        setup = Setup(home=str(app.home.parent), sandbox=True, port=0)
        with listen(setup) as sock:
            stop = serve_in_thread(app, setup, sock)
            try:
                yield SandboxServer(f"http://127.0.0.1:{sock.getsockname()[1]}", str(access["api_key"]))
            finally:
                stop()


@contextmanager
def open_in_process(carriers: str | None = "all", start: Path | None = None) -> Iterator[ShippingSandbox]:
    """A sandbox without a port: its client calls the API in this process.

    `start` is the home of a sandbox that it begins as, which saves the time to make one.
    """
    import httpx

    from shipcli.api.in_process import InProcess
    from shipcli.features.sandbox.access import create_access
    from shipcli.features.sandbox.snapshots import save_start

    with _open_temporary(carriers, start) as app:
        keys = create_access(app)
        save_start(app)
        served = InProcess(app)

        def answer(request: httpx.Request) -> httpx.Response:
            reply = served.send(
                request.method, request.url.path, request.url.query.decode(), request.headers, request.read()
            )
            return httpx.Response(reply.status, headers=reply.headers, content=reply.content)

        clients = [
            make_client(BASE, str(keys[name]), httpx.MockTransport(answer))
            for name in ("api_key", "live_api_key")
        ]
        sandbox = ShippingSandbox(BASE, clients[0], clients[1], dict(keys))
        try:
            yield sandbox
        finally:
            sandbox.close()
            served.close()


@contextmanager
def _open_temporary(carriers: str | None, start: Path | None = None) -> Iterator[App]:
    import shutil

    from shipcli.bootstrap import open_app

    with TemporaryDirectory(prefix="shipcli-test-") as folder:
        home = Path(folder) / "home"
        if start:
            shutil.copytree(start, home)
        app = open_app(home, sandbox=True, test_mode=True, environ={}, carriers=carriers)
        try:
            yield app
        finally:
            app.close()
