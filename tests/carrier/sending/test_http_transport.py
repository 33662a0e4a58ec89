"""The network transport against a real server on this machine."""

from __future__ import annotations

import asyncio
import gc
import gzip
import re
import resource
import socket
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat
from types import AsyncGeneratorType
from typing import Any

import pytest

from shipcli.carrier import Call
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sending.transport import LARGEST_ANSWER, HttpTransport
from shipcli.http import HttpClient, HttpError
from tests.carrier.stub import Stub, make_stub, one, together
from tests.processes import PATIENCE_S

MEGABYTE = 1024 * 1024


def compress(megabytes: int) -> bytes:
    """So many megabytes of NUL bytes as gzip."""
    packer = zlib.compressobj(wbits=31)
    return b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(megabytes)) + packer.flush()


def count_peak_megabytes() -> int:
    """How much memory this process has taken at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Handler(BaseHTTPRequestHandler):
    """/echo answers what came, /slow when the test is over, /garbage no HTTP at all, /cut half an answer.

    /endless never ends; /bomb, /twice, /other are compressed, /zlib and /deflate as well; /uncompressed only
    says so; /large is as large as it may be.
    """

    protocol_version = "HTTP/1.1"
    paths: list[str]
    over: threading.Event

    def do_GET(self) -> None:
        self.answer(b"")

    def do_POST(self) -> None:
        self.answer(self.rfile.read(int(self.headers["content-length"])))

    def answer(self, body: bytes) -> None:
        type(self).paths.append(self.path)
        if self.path == "/slow":
            type(self).over.wait(PATIENCE_S)
        if self.path == "/garbage":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
            self.close_connection = True
            return
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/echo")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if content := self.make_large():
            with suppress(ConnectionError):  # the caller hangs up
                for piece in content:
                    self.wfile.write(piece)
            self.close_connection = True
            return
        content = b'{"body": "' + body + b'", "user": "' + self.headers.get("X-User", "").encode() + b'"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + (50 if self.path == "/cut" else 0)))
        self.end_headers()
        self.wfile.write(content)
        if self.path == "/cut":
            self.close_connection = True

    def make_large(self) -> Iterable[bytes]:
        """What is sent at these paths, without a length."""
        start = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: {}\r\n\r\n"
        match self.path:
            case "/endless":
                return chain([start.format("identity").encode()], repeat(bytes(MEGABYTE)))
            case "/bomb":
                return [start.format("gzip").encode(), compress(600)]
            case "/twice":
                return [start.format("gzip, gzip").encode(), gzip.compress(compress(600))]
            case "/other":
                return [start.format("br").encode(), b"x"]
            case "/uncompressed":
                return [start.format("gzip").encode(), b"{}"]
            case "/zlib":
                return [start.format("deflate").encode(), zlib.compress(b'"short"')]
            case "/deflate":
                return [start.format("deflate").encode(), zlib.compress(b'"short"', wbits=-zlib.MAX_WBITS)]
            case "/large":
                fits = b'"' + b"x" * (LARGEST_ANSWER - 2) + b'"'
                return [start.format("gzip").encode(), gzip.compress(fits, 1)]
        return []

    def log_message(self, *arguments: Any) -> None:
        """NullTraceLog."""


class Server(ThreadingHTTPServer):
    """Says nothing about a caller who hung up: these tests do so on purpose."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture
def server() -> Iterator[str]:
    Handler.paths, Handler.over = [], threading.Event()
    running = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    Handler.over.set()
    running.shutdown()
    thread.join()
    running.server_close()


def ask(flow: Any, verb: str = "rate", carrier: type[Stub] = Stub) -> FlowOutcome[Any]:
    transport = HttpTransport()
    driver = Driver(lambda carrier: transport)
    try:
        return driver.run(CarrierJob(make_stub(carrier), verb, flow))
    finally:
        asyncio.run_coroutine_threadsafe(transport.aclose(), driver.loop()).result()
        driver.close()


def dead_address() -> str:
    """An address of this machine on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_body_and_headers_arrive_and_the_answer_comes_back(server: str) -> None:
    outcome = ask(one(Call("POST", f"{server}/echo", content=b"hello", headers={"X-User": "ann"})))
    assert outcome.result == {"body": "hello", "user": "ann"}


def test_calls_share_connections_and_come_back_in_order(server: str) -> None:
    calls = [Call("POST", f"{server}/echo", content=str(number).encode()) for number in range(20)]
    assert [body["body"] for body in ask(together(*calls)).result or []] == [str(n) for n in range(20)]


def test_a_dead_port_is_unreachable_and_the_purchase_certainly_not_made() -> None:
    outcome = ask(one(Call("POST", f"{dead_address()}/buy", content=b"x")), "ship")
    assert [note.code for note in outcome.messages] == ["unreachable"]
    assert not outcome.unknown


def test_a_slow_server_is_given_up_and_the_outcome_of_a_purchase_unknown(server: str) -> None:
    outcome = ask(one(Call("POST", f"{server}/slow", content=b"x", timeout_s=0.1)), "ship")
    assert [note.code for note in outcome.messages] == ["timeout"]
    assert outcome.unknown


@pytest.mark.parametrize("path", ["/garbage", "/cut"])
def test_an_answer_that_is_no_http_leaves_the_outcome_of_a_purchase_unknown(server: str, path: str) -> None:
    outcome = ask(one(Call("POST", server + path, content=b"x")), "ship")
    assert [note.code for note in outcome.messages] == ["unreachable"]
    assert outcome.unknown


@pytest.mark.parametrize("path", ["/endless", "/bomb", "/twice", "/other"])
def test_an_answer_beyond_the_limit_leaves_the_outcome_of_a_purchase_unknown(server: str, path: str) -> None:
    before = count_peak_megabytes()
    outcome = ask(one(Call("POST", server + path, content=b"x")), "ship")
    [message] = outcome.messages
    assert message.code == "unreadable_reply"
    assert re.match("Stub answered with (more than 32 MB|something compressed as)", message.message or "")
    assert outcome.unknown
    assert count_peak_megabytes() - before < 5 * LARGEST_ANSWER // MEGABYTE


@pytest.mark.parametrize("path", ["/endless", "/bomb", "/twice", "/other", "/uncompressed", "/cut"])
@pytest.mark.parametrize("most_bytes", [None, 1000])
def test_an_answer_that_is_left_in_the_middle_is_not_left_to_the_garbage_collector(
    server: str, path: str, most_bytes: int | None
) -> None:
    async def list_left() -> list[object]:
        client = HttpClient()
        with suppress(HttpError):
            await client.send(
                "GET", server + path, {}, b"", PATIENCE_S, most_bytes=most_bytes, refuse_above=LARGEST_ANSWER
            )
        left = [one for one in gc.get_objects() if isinstance(one, AsyncGeneratorType) and one.ag_frame]
        await client.aclose()
        return left

    assert asyncio.run(list_left()) == []


@pytest.mark.parametrize("path", ["/zlib", "/deflate"])
def test_deflate_is_read_in_both_ways_in_which_it_is_written(server: str, path: str) -> None:
    assert ask(one(Call("GET", server + path))).result == "short"


def test_an_answer_that_can_not_be_decompressed_leaves_the_outcome_of_a_purchase_unknown(server: str) -> None:
    outcome = ask(one(Call("POST", f"{server}/uncompressed", content=b"x")), "ship")
    assert "can't be decompressed" in (outcome.messages[0].message or "")
    assert outcome.unknown


def test_an_answer_within_the_limit_is_read(server: str) -> None:
    assert len(ask(one(Call("POST", f"{server}/large", content=b"x")), "ship").result) == LARGEST_ANSWER - 2


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_asked_directly_though_there_is_a_proxy(
    server: str, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("http_proxy", dead_address())
    ask(one(Call("GET", f"{server.replace('127.0.0.1', host)}/echo")))
    assert Handler.paths == ["/echo"]


def test_others_are_asked_through_the_proxy_of_the_environment(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server)
    ask(one(Call("GET", "http://carrier.example/echo")))
    assert Handler.paths == ["http://carrier.example/echo"]


def test_a_lost_question_is_asked_again(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))
    ask(one(Call("GET", f"{server}/garbage")))
    assert Handler.paths == ["/garbage"] * 3


def test_redirects_are_not_followed(server: str) -> None:
    ask(one(Call("GET", f"{server}/moved")))
    assert Handler.paths == ["/moved"]


@pytest.mark.parametrize("address", ["http://[::bad/x", "http://no-such-host.invalid/x", "http:///x"])
def test_an_address_that_leads_nowhere_is_a_message(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))
    outcome = ask(one(Call("POST", address, content=b"x")))
    assert outcome.failed
    assert outcome.messages


def ask_in_public(flow: Any) -> FlowOutcome[Any]:
    """As `ask`, from a server that other machines reach."""
    transport = HttpTransport(lambda: True)
    driver = Driver(lambda carrier: transport)
    try:
        return driver.run(CarrierJob(make_stub(Stub), "rate", flow))
    finally:
        asyncio.run_coroutine_threadsafe(transport.aclose(), driver.loop()).result()
        driver.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_link_of_an_answer_that_leads_within_is_not_followed(server: str, host: str) -> None:
    outcome = ask_in_public(one(Call("GET", f"{server.replace('127.0.0.1', host)}/echo", file=True)))
    assert "within the network of this machine" in outcome.messages[0].message
    assert not outcome.unknown
    assert Handler.paths == []


def test_a_host_that_a_call_names_is_checked_as_well(server: str) -> None:
    outcome = ask_in_public(one(Call("GET", "/echo", host=server)))
    assert "within the network of this machine" in outcome.messages[0].message
    assert Handler.paths == []


def test_a_host_that_the_class_states_is_asked_wherever_it_is(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stub, "hosts", {True: server, False: server})
    assert not ask_in_public(one(Call("GET", "/echo"))).failed
    assert Handler.paths == ["/echo"]


def test_the_address_that_was_looked_up_is_asked(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups = []

    async def look_up(url: str) -> str:
        lookups.append(url)
        return "127.0.0.1"

    monkeypatch.setattr("shipcli.http.find_public_address", look_up)
    url = f"http://labels.example.invalid:{server.rpartition(':')[2]}/echo"
    assert not ask_in_public(one(Call("GET", url))).failed
    assert lookups == [url]
