"""What strangers do, one step at a time. Every step ends by itself; the stack closes what it opened."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from tests.api.conftest import body
from tests.api.running import Running
from tests.factories import ITEM, PARCEL

Step = Callable[[Running, ExitStack], None]
PATIENCE_S = 10
MOST_OPEN = 300


def connect(server: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)


def ask(
    server: Running, method: str, path: str, content: bytes, key: str = "", host: str = "localhost"
) -> bytes:
    """The answer's first bytes."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {host}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    lines += [f"Authorization: {key}"] if key else []
    with connect(server) as wire:
        wire.sendall("\r\n".join([*lines, "", ""]).encode() + content)
        return wire.recv(4096)


def token(server: Running) -> str:
    return f"Token {server.said['api_key']}"


def leave_half_a_request(server: Running, stack: ExitStack) -> None:
    for _ in range(MOST_OPEN):
        wire = stack.enter_context(connect(server))
        wire.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")


def drip_a_body(server: Running, stack: ExitStack) -> None:
    for _ in range(20):
        wire = stack.enter_context(connect(server))
        head = f"POST /v1/addresses HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token(server)}\r\n"
        wire.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{{".encode())


def take_no_answer(server: Running, stack: ExitStack) -> None:
    wire = stack.enter_context(connect(server))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.setblocking(False)
    for _ in range(50):
        try:
            wire.send(b"GET /shipping-openapi HTTP/1.1\r\nHost: localhost\r\n\r\n")
        except BlockingIOError:
            return


def speak_no_http(server: Running, stack: ExitStack) -> None:
    for text in (
        b"HELO there\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x00" * 70_000,
    ):
        with connect(server) as wire:
            wire.sendall(text)


def guess_keys(server: Running, stack: ExitStack) -> None:
    for _ in range(50):
        ask(server, "GET", "/v1/connections", b"", f"Token key_{random.getrandbits(128):032x}")


def guess_passwords(server: Running, stack: ExitStack) -> None:
    for _ in range(5):
        guess = {"email": server.said["email"], "password": f"{random.getrandbits(60)}"}
        ask(server, "POST", "/api/token", json.dumps(guess).encode())


def name_other_hosts(server: Running, stack: ExitStack) -> None:
    for _ in range(20):
        ask(server, "GET", "/", b"", host=f"{random.getrandbits(30)}.evil.example")


def send_large_bodies(server: Running, stack: ExitStack) -> None:
    many_keys = {"country_code": "US", "metadata": {f"k{number}": number for number in range(150_000)}}
    deep = b'{"metadata": ' + b"[" * 900_000 + b"]" * 900_000 + b"}"
    for content in (json.dumps(many_keys).encode(), deep, b"x" * 5_000_000):
        ask(server, "POST", "/v1/addresses", content, token(server))


def ship_as_much_as_fits(server: Running, stack: ExitStack) -> None:
    full = body(parcels=[{**PARCEL, "items": [ITEM] * 5} for _ in range(200)],
                metadata={f"k{number}": "x" * 100 for number in range(200)})  # fmt: skip
    ask(server, "POST", "/v1/shipments", json.dumps(full).encode(), token(server))


STEPS = (
    leave_half_a_request,
    drip_a_body,
    take_no_answer,
    speak_no_http,
    guess_keys,
    guess_passwords,
    name_other_hosts,
    send_large_bodies,
    ship_as_much_as_fits,
)
ABUSES: Mapping[str, Step] = {step.__name__.replace("_", " "): step for step in STEPS}
