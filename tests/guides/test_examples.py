"""The examples, run as they stand."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from shipcli.events.envelope import make_headers
from tests.api.running import Running
from tests.cli.samples import write
from tests.features.files.rows import row
from tests.processes import PATIENCE_S

EXAMPLES = Path(__file__).parents[2] / "examples"
SECRET = "whsec_0123456789abcdef0123456789abcdef"
pytestmark = pytest.mark.slow


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """A home of its own, and `shipcli` on the path whether or not it is installed."""
    program = tmp_path / "bin" / "shipcli"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shipcli "$@"\n')
    program.chmod(0o755)
    place = {"HOME": str(tmp_path), "SHIPCLI_HOME": str(tmp_path / "home"), "SHIPCLI_SANDBOX": "1"}
    return {"PATH": f"{program.parent}:{os.environ['PATH']}", **place, "PYTHONPATH": str(EXAMPLES.parent)}


def run(environ: Mapping[str, str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, words)], env=environ, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=PATIENCE_S, check=False)  # fmt: skip


def test_a_label_is_bought_in_the_sandbox(tmp_path: Path, environ: Mapping[str, str]) -> None:
    done = run(environ, "sh", EXAMPLES / "buy_label.sh", tmp_path / "label.pdf")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()[-1]) > 8, "the last line is a tracking number"
    assert (tmp_path / "label.pdf").read_bytes().startswith(b"%PDF")


def test_the_nightly_import_can_be_repeated(tmp_path: Path, environ: Mapping[str, str]) -> None:
    write(tmp_path / "orders.csv", [row(number) for number in range(2)])
    for _ in range(2):
        done = run(environ, "sh", EXAMPLES / "nightly_import.sh", tmp_path / "orders.csv", tmp_path / "out")
        assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "labels.pdf").read_bytes().startswith(b"%PDF")
    assert json.loads((tmp_path / "out" / "run.json").read_text())


def test_the_nightly_import_says_that_rows_are_left(tmp_path: Path, environ: Mapping[str, str]) -> None:
    write(tmp_path / "orders.csv", [row(0), {**row(1), "Parcel weight": "heavy"}])
    done = run(environ, "sh", EXAMPLES / "nightly_import.sh", tmp_path / "orders.csv", tmp_path / "out")
    assert done.returncode == 1
    assert "some rows are left" in done.stderr
    assert "heavy" in (tmp_path / "out" / "rejects.csv").read_text()


def test_the_client_buys_a_label_over_the_api(tmp_path: Path, environ: Mapping[str, str]) -> None:
    up = (
        "--home",
        str(tmp_path / "server"),
        "sandbox",
        "up",
        "--carriers",
        "all",
        "--seed",
        "demo",
        "--json",
        "--port",
        "0",
    )
    with Running(*up) as server:
        place = {"SHIPCLI_API_URL": server.said["url"], "SHIPCLI_API_KEY": server.said["api_key"]}
        words = (sys.executable, EXAMPLES / "api_client.py", tmp_path / "label.pdf")
        done = run({**environ, **place}, *words)
        assert server.stop() == 0
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "label.pdf").read_bytes().startswith(b"%PDF")


@contextmanager
def receiving(secret: str = SECRET) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The receiver, and the address it listens on."""
    words = [sys.executable, str(EXAMPLES / "webhook_receiver.py"), "0"]
    environ = {**os.environ, "WEBHOOK_SECRET": secret}
    with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


def send(url: str, signed: Mapping[str, str], body: bytes) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, dict(signed)), timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_the_receiver_takes_each_genuine_event_once() -> None:
    body = json.dumps({"type": "shipment_purchased", "data": {"tracking_number": "1Z999"}}).encode()
    now_s = int(time.time())
    genuine = make_headers(SECRET, "evt_1", body, now_s)
    other = make_headers("whsec_" + base64.b64encode(b"another secret").decode(), "evt_2", body, now_s)
    with receiving() as (process, url):
        assert [send(url, genuine, body), send(url, genuine, body)] == [204, 204]
        assert send(url, other, body) == 401
        assert send(url, genuine, body + b" ") == 401
        assert send(url, make_headers(SECRET, "evt_3", body, now_s - 3600), body) == 401
        process.terminate()
        assert process.stdout
        assert process.stdout.read() == "shipment_purchased 1Z999\n"


def test_what_shipcli_delivers_is_genuine(tmp_path: Path, environ: Mapping[str, str]) -> None:
    shipcli = tmp_path / "bin" / "shipcli"
    nowhere = ("--url", "http://127.0.0.1:9", "--events", "shipment_purchased", "--json")
    made = json.loads(run(environ, shipcli, "webhooks", "create", *nowhere).stdout)
    with receiving(made["secret"]) as (process, url):
        assert run(environ, shipcli, "webhooks", "update", "@last", "--url", url).returncode == 0
        bought = run(environ, "sh", EXAMPLES / "buy_label.sh", tmp_path / "label.pdf")
        assert run(environ, shipcli, "worker", "--once").returncode == 0
        process.terminate()
        assert process.stdout
        assert process.stdout.read() == f"shipment_purchased {bought.stdout.split()[-1]}\n"
