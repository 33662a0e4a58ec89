"""The lines of the page on the sandbox, typed in order."""

from __future__ import annotations

from pathlib import Path
from shlex import split

import pytest

from shipcli.bootstrap import open_app
from shipcli.cli.main import main
from shipcli.features.sandbox.snapshots import save_start
from tests.homes import copy_sandbox

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
SERVES = "shipcli sandbox up"
LINES = [line for line in PAGE.splitlines() if line.startswith("shipcli ") and not line.startswith(SERVES)]


def test_every_line_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_HOME", str(copy_sandbox(tmp_path / "home")))
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    save_start(app)
    app.close()
    failed = [line for line in LINES if main(split(line)[1:]) != 0]
    assert len(LINES) > 5
    assert failed == []
