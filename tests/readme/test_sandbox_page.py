"""The lines of the page on the sandbox, typed in order."""

from __future__ import annotations

from pathlib import Path
from shlex import split

import pytest

from shipcli.bootstrap import open_app
from shipcli.cli.main import main
from shipcli.features.sandbox.snapshots import save_start
from tests.api.conftest import body
from tests.api.running import Running
from tests.homes import copy_sandbox

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
SERVES = tuple(f"shipcli sandbox {verb}" for verb in ("up", "record", "replay"))
BESIDE, AFTER = "## The second terminal", "## In a CI job"  # what is typed beside a sandbox that runs
ENDLESS = ("listen", "logs tail")


def list_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("shipcli ") and not line.startswith(SERVES)]


def cut_out(text: str, start: str, end: str) -> tuple[str, str]:
    """The part between two headings, and all else."""
    before, _, rest = text.partition(start)
    part, _, after = rest.partition(end)
    return part, before + after


SECOND_TERMINAL, OTHERS = cut_out(PAGE, BESIDE, AFTER)
LINES = [line for line in list_lines(OTHERS) if not line.startswith("shipcli sandbox wait")]


def test_every_line_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_HOME", str(copy_sandbox(tmp_path / "home")))
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    save_start(app)
    app.close()
    failed = [line for line in LINES if main(split(line)[1:]) != 0]
    assert len(LINES) > 5
    assert failed == []


@pytest.mark.slow
def test_every_line_of_the_second_terminal_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("SHIPCLI_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.txt").write_text("key_test")
    up = (
        "--home",
        str(home),
        "sandbox",
        "up",
        "--api-key",
        "key_test",
        "--carriers",
        "generic",
        "--port",
        "0",
    )
    with Running(*up, "--json") as server:
        server.ask("POST", "/v1/webhooks", {"url": "http://127.0.0.1:1/", "enabled_events": ["all"]})
        server.ask("POST", "/v1/shipments", body(service="standard_service"))
        assert main(["--sandbox", "shipments", "get", "@last"]) == 0
        for line in list_lines(SECOND_TERMINAL):
            words = split(line.replace("http://127.0.0.1:5002", server.said["url"]))[1:]
            if not any(word in line for word in ENDLESS):
                assert main(words) == 0, line
        assert server.stop() == 0
