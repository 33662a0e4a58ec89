"""The server as a program: started, asked by many at once, stopped."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shipcli.api.server import Setup, listen
from shipcli.bootstrap import open_app
from shipcli.loopback import is_here, is_loopback
from shipcli.models import Invalid
from shipcli.operations.table import OPERATIONS
from tests.api.conftest import body
from tests.api.running import Running, answers, free_port
from tests.factories import ITEM, RECIPIENT
from tests.processes import PATIENCE_S, PROGRAM, started, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker") as running:
        yield running
        assert running.stop() == 0
    assert "Traceback" not in running.err


def test_the_line_that_says_it_is_ready_names_all_a_client_needs(server: Running) -> None:
    assert set(server.said) >= {"url", "api_key", "live_api_key", "email", "password", "pid"}
    assert server.said["pid"] == server.process.pid
    assert server.ask("GET", "/")[0] == 200


def test_both_keys_are_good_for_their_modes(server: Running) -> None:
    for key, mode in (("api_key", True), ("live_api_key", False)):
        status, made = server.ask("POST", "/v1/shipments", body(), key)
        assert (status, made["test_mode"]) == (201, mode)


def test_sixteen_writers_at_once_all_succeed(server: Running) -> None:
    def write(number: int) -> list[int]:
        order = {"order_id": f"W-{number}", "shipping_to": RECIPIENT, "line_items": [ITEM]}
        asked = [("/v1/addresses", RECIPIENT), ("/v1/orders", order), ("/v1/shipments", body())]
        return [server.ask("POST", path, value)[0] for path, value in asked]

    with ThreadPoolExecutor(16) as pool:
        found = [status for statuses in pool.map(write, range(48)) for status in statuses]
    assert set(found) == {201}
    assert server.ask("GET", "/v1/orders")[1]["count"] == 48


def test_of_equal_numbers_sent_at_once_one_is_watched(tmp_path: Path) -> None:
    words = ("--home", str(tmp_path), "sandbox", "up", "--keep", "--port", "0", "--json", "--no-worker")
    wanted = {"tracking_number": "SC0100000001", "carrier_name": "ups"}
    with Running(*words) as server, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: server.ask("POST", "/v1/trackers", wanted), range(16)))
        server.stop()
    assert {status for status, _ in answers} == {202}
    assert len({said["id"] for _, said in answers}) == 1
    app = open_app(tmp_path, sandbox=True, environ={})
    try:
        assert app.store.count("tracker") == 1
        assert len(app.store.select("events", {"type": "tracker_created"})) == 1
    finally:
        app.close()


def test_of_equal_orders_sent_at_once_one_is_made_and_other_writes_beside_them_succeed(
    server: Running,
) -> None:
    order = {"order_id": "ONCE", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    asked = [("/v1/orders", order), ("/v1/addresses", RECIPIENT)] * 12
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda one: (one[0], server.ask("POST", *one)), asked))
    orders = sorted(status for path, (status, _) in answers if path == "/v1/orders")
    addresses = [said["id"] for path, (_, said) in answers if path == "/v1/addresses"]
    assert orders == [201] + [409] * 11
    assert all(server.ask("GET", f"/v1/addresses/{one}")[0] == 200 for one in addresses)


def test_answers_of_a_plain_install_wait_for_no_acknowledgement(tmp_path: Path) -> None:
    """Python's own event loop, which serves without the extra, sends at once only on such a socket."""
    undelayed: list[int] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ours = writer.get_extra_info("socket")
        undelayed.append(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def serve_one(sock: socket.socket) -> None:
        async with await asyncio.start_server(accept, sock=sock):
            reader, writer = await asyncio.open_connection(*sock.getsockname())
            await reader.read()
            writer.close()

    with listen(Setup(home=str(tmp_path), port=0)) as sock, asyncio.Runner(loop_factory=plain_loop) as runner:
        runner.run(serve_one(sock))
    assert undelayed == [1]


def test_requests_on_a_kept_alive_connection_of_a_plain_install_are_the_quicker_ones(tmp_path: Path) -> None:
    """On a socket that delays, each waits for the client's acknowledgement; one that ends the connection
    never does. The quickest of many is compared, so that a busy machine changes nothing.
    """
    for name in ("uvloop", "httptools"):  # the extra that a plain install does not have
        (tmp_path / f"{name}.py").write_text("raise ImportError")
    words = ("sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker")
    with Running(*words, environ={"PYTHONPATH": str(tmp_path)}) as running:
        kept = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE_S)
        waits = [
            [asking(kept, keep=True) for _ in range(25)][1:],
            [asking(kept, keep=False) for _ in range(25)],
        ]
        kept.close()
    assert min(waits[0]) < 2 * min(waits[1])


def asking(connection: http.client.HTTPConnection, *, keep: bool) -> float:
    """Seconds until the answer is there, on the connection or on a new one."""
    begun = time.perf_counter()
    connection.request("GET", "/", headers={} if keep else {"Connection": "close"})
    assert connection.getresponse().read()
    return time.perf_counter() - begun


def plain_loop() -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop()


@pytest.mark.parametrize(("trusted", "spent"), [("", True), ("127.0.0.1", False)])
def test_who_forwarded_a_request_is_believed_only_of_a_proxy_in_the_setting(
    trusted: str, spent: bool
) -> None:
    environ = {"SHIPCLI_RATE_LIMIT": "3", "SHIPCLI_TRUSTED_PROXIES": trusted}
    statuses = []
    with Running(
        "sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker", environ=environ
    ) as running:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE_S)
        for number in range(8):
            connection.request("GET", "/", headers={"X-Forwarded-For": f"198.51.100.{number}"})
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)
        connection.close()
    assert (429 in statuses) is spent


def test_a_large_body_is_refused_and_the_server_goes_on(server: Running) -> None:
    status, said = server.ask("POST", "/v1/addresses", {"country_code": "US", "x": "y" * 3_000_000})
    assert (status, said["errors"][0]["code"]) == (413, "request_too_large")
    assert server.ask("GET", "/v1/addresses")[0] == 200


@pytest.mark.parametrize("text", [b"\xff\xfe", b"key_\xc3\xa9", b"", b"x" * 5000])
def test_odd_bytes_in_a_credential_are_refused(server: Running, text: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as wire:
        head = b"GET /v1/addresses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Token "
        wire.sendall(head + text + b"\r\n\r\n")
        answer = b"".join(iter(lambda: wire.recv(65536), b""))
    assert answer.startswith((b"HTTP/1.1 401", b"HTTP/1.1 400"))


def test_a_client_that_hangs_up_disturbs_nobody(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as wire:
        wire.sendall(b"POST /v1/addresses HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{")
    assert server.ask("GET", "/v1/addresses")[0] == 200


def test_a_signal_lets_requests_finish() -> None:
    with Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json", "--no-worker") as running:
        with ThreadPoolExecutor(8) as pool:
            asked = [
                pool.submit(running.ask, "POST", "/v1/shipments", body(carrier_ids=[])) for _ in range(8)
            ]
            wait(asked, return_when=FIRST_COMPLETED)  # the others are under way
            running.process.send_signal(signal.SIGTERM)
            answered = [future.exception() or future.result()[0] for future in asked]
        assert running.wait() == 0
    assert all(one == 201 or isinstance(one, ConnectionRefusedError) for one in answered), answered
    assert 201 in answered


def test_a_throw_away_sandbox_leaves_nothing_behind(tmp_path: Path) -> None:
    with Running("sandbox", "up", "--port", "0", "--json", temporary=tmp_path) as running:
        assert list(tmp_path.iterdir()) != []
        assert running.stop(signal.SIGINT) == 0
    assert list(tmp_path.iterdir()) == []


def test_the_server_of_a_home_keeps_what_it_was_given(tmp_path: Path) -> None:
    words = ("--home", str(tmp_path), "sandbox", "up", "--keep", "--port", "0", "--json", "--no-worker")
    with Running(*words) as first:
        made = first.ask("POST", "/v1/addresses", RECIPIENT)[1]
        assert first.stop() == 0
    with Running(*words) as again:
        assert again.ask("GET", f"/v1/addresses/{made['id']}") == (200, made)
        assert again.stop() == 0


def test_two_processes_serve_one_store(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path), "--sandbox"]
    made = subprocess.run([*PROGRAM, *home, "keys", "create", "--json"], capture_output=True, check=True)
    port = free_port()
    words = [*home, "server", "start", "--port", str(port), "--workers", "2"]
    with started(*words, stderr=subprocess.PIPE) as running:
        server = Running.__new__(Running)
        server.said = {"url": f"http://127.0.0.1:{port}", "api_key": json.loads(made.stdout)["key"]}
        wait_for(lambda: answers(port))
        with ThreadPoolExecutor(16) as pool:
            asked = [pool.submit(server.ask, "POST", "/v1/addresses", RECIPIENT) for _ in range(64)]
            assert {future.result()[0] for future in asked} == {201}
        assert server.ask("GET", "/v1/addresses")[1]["count"] == 64
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0


def test_every_operation_is_served_to_this_machine_until_a_signal(tmp_path: Path) -> None:
    home, port = ["--home", str(tmp_path), "--sandbox"], free_port()
    made = subprocess.run([*PROGRAM, *home, "keys", "create", "--json"], capture_output=True, check=True)
    words = [*home, "server", "start", "--port", str(port)]
    with started(*words, stderr=subprocess.PIPE, text=True) as running:
        server = Running.__new__(Running)
        server.said = {"url": f"http://127.0.0.1:{port}", "api_key": json.loads(made.stdout)["key"]}
        wait_for(lambda: answers(port))
        unknown = "There is nothing at"
        assert unknown in str(server.ask("GET", "/v1/nothing"))
        for row in OPERATIONS:
            path = row.path.format(**dict.fromkeys(row.path_names, "generic"))
            status, said = server.ask(row.method, path)
            assert (status < 500, status == 405, unknown in str(said)) == (True, False, False), row.id
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port), 1)
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=PATIENCE_S)
    assert (running.returncode, "Traceback" in said) == (0, False)
    assert f"http://127.0.0.1:{port}/" in said


def test_another_address_needs_tls_or_a_plain_word(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "--home", str(tmp_path), "server", "start", "--host", "0.0.0.0", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 6
    assert "--tls-cert" in done.stderr
    Setup(home="x", host="0.0.0.0", insecure=True).check()
    with pytest.raises(Invalid):
        Setup(home="x", tls_cert="only.pem").check()


def test_what_is_this_machine() -> None:
    assert [is_loopback(one) for one in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(one) for one in ("0.0.0.0", "::", "10.0.0.1", "ship.example")] == [False] * 4


def test_a_name_under_localhost_is_this_machine() -> None:
    assert [is_here(one) for one in ("localhost", "hooks.localhost", "::1", "127.9.9.9")] == [True] * 4
    assert [is_here(one) for one in ("localhost.example.com", "192.0.2.1", "nolocalhost")] == [False] * 3


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([*PROGRAM, "--home", str(tmp_path), "server", "start", "--port", str(port)],
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # fmt: skip
    assert done.returncode == 8
    assert f"127.0.0.1:{port} can't be used" in done.stderr


def test_a_certificate_makes_it_https(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    port = free_port()
    words = [
        "--home",
        str(tmp_path / "home"),
        "--sandbox",
        "server",
        "start",
        "--port",
        str(port),
        "--no-worker",
        "--tls-cert",
        certificate,
        "--tls-key",
        key,
    ]
    with started(*words, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert f"https://127.0.0.1:{port}/" in running.stderr.readline()
        context = ssl.create_default_context(cafile=certificate)
        connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=PATIENCE_S)
        connection.request("GET", "/")
        assert json.loads(connection.getresponse().read())["HOST"] == f"https://localhost:{port}/"
        connection.close()
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=PATIENCE_S)


def self_signed(folder: Path) -> tuple[str, str]:
    """A certificate of this machine and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    plain = serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return str(certificate), str(secret)
