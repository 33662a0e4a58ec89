"""`shipcli sandbox record` and `replay`, as they are typed."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from shipcli.models import json
from shipcli.recordings.exchanges import FORMAT, VERSION, Exchange, read_recording
from shipcli.testing import serve_sandbox
from tests.cli.conftest import Cli, clean_environment, cli, home  # noqa: F401 - fixtures
from tests.processes import started

NOBODY = {"count": 0, "next": None, "previous": None, "results": []}


def write(path: Path, *answers: Any) -> Path:
    rows = [Exchange("GET", "/v1/orders", [], {}, None, 200, {}, answer)._asdict() for answer in answers]
    lines = [{FORMAT: VERSION, "server": "https://ship.example"}, *rows]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_replay_against_a_sandbox_says_what_differs(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    same = write(tmp_path / "same.jsonl", NOBODY)
    line = ("--against", "sandbox", "--carriers", "none", "--json")
    told = cli("sandbox", "replay", str(same), *line)
    assert (told.code, told.json) == (0, {"sent": 1, "skipped": [], "differences": []})
    other = write(tmp_path / "other.jsonl", {**NOBODY, "count": "0", "total": 1})
    told = cli("sandbox", "replay", str(other), *line)
    assert told.code == 1
    assert [(row["kind"], row["field"]) for row in told.json["differences"]] == [
        ("type", "count"), ("missing", "total")
    ]  # fmt: skip
    assert cli("sandbox", "replay", str(other), *line, "--ignore", "count,total").code == 0


def test_a_file_that_is_none_is_refused(cli: Cli, tmp_path: Path) -> None:  # noqa: F811
    assert cli("sandbox", "replay", str(tmp_path / "none.jsonl")).code == 3
    taken = write(tmp_path / "taken.jsonl")
    told = cli("sandbox", "record", "http://127.0.0.1:9", "-o", str(taken), "--port", "0")
    assert told.code == 5
    assert "taken.jsonl" in told.err
    assert cli("sandbox", "record", "ftp://ship.example", "-o", str(tmp_path / "a.jsonl")).code == 6


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_recorder_that_ends_has_kept_everything(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "shop.jsonl"
    with (
        serve_sandbox("none") as sandbox,
        started(
            "sandbox",
            "record",
            sandbox.url,
            "-o",
            str(path),
            "--port",
            "0",
            stderr=subprocess.PIPE,
            text=True,
        ) as recorder,
    ):
        match = re.search(r"http://127\.0\.0\.1:\d+", recorder.stderr.readline())
        assert match
        headers = {"Authorization": f"Token {sandbox.api_key}"}
        for _ in range(2):
            httpx.get(f"{match[0]}/v1/orders", headers=headers, trust_env=False)
        recorder.send_signal(number)
        said = recorder.stderr.read()
        code = recorder.wait()
    assert len(read_recording(path)) == 2
    if number == signal.SIGINT:
        assert (code, "2 exchanges" in said) == (0, True)
