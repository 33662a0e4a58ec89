"""What strangers may do to a server: open connections and say nothing, drip, send what is no HTTP."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.api.running import PATIENCE_S, Running

pytestmark = pytest.mark.slow
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@contextmanager
def fast_server(folder: Path, **settings: object) -> Iterator[Running]:
    """A server with the parser of the development extra."""
    environ = {f"SHIPCLI_{name.upper()}": str(value) for name, value in settings.items()}
    environ["PYTHONPATH"] = str(folder)
    running = Running(
        "sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker", environ=environ
    )
    try:
        yield running
    finally:
        assert running.stop() == 0
        assert "Traceback" not in running.err


def plain_server(folder: Path, **settings: object) -> AbstractContextManager[Running]:
    """A server as a plain install runs it."""
    for name in ("uvloop", "httptools"):
        (folder / f"{name}.py").write_text("raise ImportError")
    return fast_server(folder, **settings)


Server = Callable[..., AbstractContextManager[Running]]
SERVERS = pytest.mark.parametrize("served", [plain_server, fast_server])


def connections(stack: ExitStack, port: int, count: int) -> list[socket.socket]:
    address = ("127.0.0.1", port)
    return [stack.enter_context(socket.create_connection(address, PATIENCE_S)) for _ in range(count)]


def is_ended(wire: socket.socket) -> bool:
    """Whether the server ended the connection; waits for that, or for the patience of the socket to end."""
    try:
        return wire.recv(65536) == b""
    except ConnectionResetError:
        return True


@SERVERS
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(tmp_path: Path, served: Server) -> None:
    with served(tmp_path, request_timeout=1) as server, ExitStack() as stack:
        silent, half, later = connections(stack, server.port, 3)
        half.sendall(HALF)
        later.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert later.recv(65536).startswith(b"HTTP/1.1 200")
        later.sendall(b"GET / HTTP/1.1\r\n")  # a second request on the same connection
        while later.recv(65536):
            later.settimeout(PATIENCE_S)
        assert is_ended(silent)
        assert is_ended(half)
        assert server.ask("GET", "/")[0] == 200


@SERVERS
def test_a_body_that_drips_is_given_up(tmp_path: Path, served: Server) -> None:
    with served(tmp_path, request_timeout=1) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        head = (
            f"POST /v1/addresses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token {server.said['api_key']}"
        )
        wire.sendall(head.encode() + b"\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{")
        answer = b""
        while piece := wire.recv(65536):
            answer += piece
        assert answer.startswith(b"HTTP/1.1 408")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["errors"][0]["code"] == "request_timeout"


@SERVERS
def test_who_reads_no_answer_is_let_go(tmp_path: Path, served: Server) -> None:
    with served(tmp_path, request_timeout=1) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        ask = b"GET /shipping-openapi HTTP/1.1\r\nHost: localhost\r\n\r\n"
        deadline = time.monotonic() + PATIENCE_S
        wire.setblocking(False)
        ended = False
        while not ended and time.monotonic() < deadline:
            try:
                wire.send(ask)
            except BlockingIOError:
                time.sleep(0.05)
            except (ConnectionResetError, BrokenPipeError):
                ended = True
        assert ended


@SERVERS
def test_more_connections_than_there_may_be_keep_nobody_out(tmp_path: Path, served: Server) -> None:
    with served(tmp_path, connection_limit=20) as server, ExitStack() as stack:
        wires = connections(stack, server.port, 60)
        for wire in wires:
            wire.sendall(HALF)
        assert [server.ask("GET", "/")[0] for _ in range(5)] == [200] * 5
        ended = 0
        for wire in wires:
            wire.settimeout(0.05)
            try:
                ended += is_ended(wire)
            except TimeoutError:
                continue
        assert ended >= 40


@SERVERS
def test_what_is_no_http_is_answered_in_json_and_leaves_no_line_in_the_log(
    tmp_path: Path, served: Server
) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        for wire in connections(stack, server.port, 50):
            wire.sendall(b"NOT HTTP AT ALL\r\n\r\n")
            head, _, body = wire.recv(65536).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400")
            assert b"content-type: application/json" in head
            assert json.loads(body)["errors"][0]["code"] == "bad_request"
    assert server.err.count("\n") < 5


@SERVERS
def test_a_head_without_end_is_cut_off(tmp_path: Path, served: Server) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        wire.sendall(HALF + b"X-Long: ")
        wire.settimeout(0.02)
        said = b""
        for _ in range(50):  # of 16 KB each
            try:
                wire.sendall(b"x" * 16384)
                said = wire.recv(65536)
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the server read on")
        assert said == b"" or said.startswith(b"HTTP/1.1 400")
        assert server.ask("GET", "/")[0] == 200


@SERVERS
def test_a_head_that_comes_behind_a_large_body_is_not_measured_with_it(
    tmp_path: Path, served: Server
) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        body = b"y" * 200_000
        post = b"POST /v1/addresses HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
        wire.sendall(post + body + b"GET / HTTP/1.1\r\nHo")
        assert wire.recv(65536).startswith(b"HTTP/1.1 401")
        wire.sendall(b"st: localhost\r\nConnection: close\r\n\r\n")
        assert b"HTTP/1.1 200" in b"".join(iter(lambda: wire.recv(65536), b""))


ADDRESS = json.dumps({"address_line1": "1 Main St", "city": "Boston", "country_code": "US"}).encode()


def post_address(server: Running, head: bytes, rest: bytes) -> int:
    """The status of an address that is sent with these lines in its head, and this after them."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as wire:
        start = b"POST /v1/addresses HTTP/1.1\r\nContent-Type: application/json\r\n"
        wire.sendall(start + head + b"\r\n" + rest)
        return int(wire.recv(65536).split(b" ")[1])


def chunked(trailer: bytes = b"") -> bytes:
    return b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(ADDRESS), ADDRESS, trailer)


@SERVERS
def test_what_follows_a_body_is_no_header(tmp_path: Path, served: Server) -> None:
    with served(tmp_path) as server:
        write = f"Authorization: Token {server.said['api_key']}\r\n".encode()
        here, chunks = b"Host: localhost\r\n", b"Transfer-Encoding: chunked\r\n"
        assert post_address(server, here + chunks, chunked(write)) == 401
        assert post_address(server, b"Host: evil.test\r\n" + write + chunks, chunked(here)) == 421
        assert post_address(server, here + write + chunks, chunked(b"Host: evil.test\r\n")) == 201
        bad = b"Authorization: Token wrong\r\n"
        assert post_address(server, here + bad + chunks, chunked(write)) == 401
        assert post_address(server, here + write + chunks, chunked(b"X-Sum: 1\r\n")) == 201


@SERVERS
def test_a_trailer_without_end_is_cut_off(tmp_path: Path, served: Server) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        head = f"POST /v1/addresses HTTP/1.1\r\nHost: x\r\nAuthorization: Token {server.said['api_key']}\r\n"
        wire.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(b"X-Long: ")[:-2])
        wire.settimeout(0.02)
        for _ in range(50):  # of 16 KB each
            try:
                wire.sendall(b"x" * 16384)
                wire.recv(65536)
                break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the server read on")
        assert server.ask("GET", "/")[0] == 200


@SERVERS
def test_a_head_that_says_two_things_is_refused(tmp_path: Path, served: Server) -> None:
    with served(tmp_path) as server:
        key = f"Authorization: Token {server.said['api_key']}\r\n".encode()
        here, length = b"Host: localhost\r\n", b"Content-Length: %d\r\n" % len(ADDRESS)
        for head in (
            here + b"Host: evil.test\r\n" + key + length,
            here + here + key + length,
            key + length,
            here + key + key.replace(b"Token ", b"Token x") + length,
            here + key + length + b"Content-Length: 5\r\n",
            here + key + length + b"Content-Type: text/plain\r\n",
            here + key + length + b"Idempotency-Key: a\r\nIdempotency-Key: b\r\n",
        ):
            assert post_address(server, head, ADDRESS) == 400, head
        assert post_address(server, here + key + length + b"Transfer-Encoding: chunked\r\n", chunked()) == 400
        more = b"Accept: text/html\r\nAccept: text/json\r\nX-Forwarded-For: a\r\nX-Forwarded-For: b\r\n"
        assert post_address(server, here + key + length + more, ADDRESS) == 201


@SERVERS
def test_old_http_needs_no_host(tmp_path: Path, served: Server) -> None:
    with served(tmp_path) as server, ExitStack() as stack:
        (wire,) = connections(stack, server.port, 1)
        wire.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert b" 200 " in wire.recv(65536).split(b"\r\n")[0]


@SERVERS
def test_a_chunked_body_over_the_limit_is_refused(tmp_path: Path, served: Server) -> None:
    with served(tmp_path, body_limit=20_000) as server:
        head = f"Host: localhost\r\nAuthorization: Token {server.said['api_key']}\r\n".encode()
        body = b"8000\r\n" + b" " * 0x8000 + b"\r\n0\r\n\r\n"
        assert post_address(server, head + b"Transfer-Encoding: chunked\r\n", body) == 413
