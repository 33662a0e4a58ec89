"""A sandbox that is closed leaves no file open, however many are opened by one process."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.sandbox.evidence import get_requests
from tests.homes import copy_sandbox

OPEN = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN.is_dir(), reason="this system does not list the open files of a process")
def test_a_closed_sandbox_leaves_no_file_open(tmp_path: Path) -> None:
    home = copy_sandbox(tmp_path / "home")

    def use() -> set[str]:
        app = open_app(home, sandbox=True, environ={})
        get_requests(app).add(body=b"{}", method="GET", path="/v1/orders", status=200)
        assert app.now()
        app.close()
        del app
        gc.collect()
        return {name for name in os.listdir(OPEN) if str(tmp_path) in _read_link(name)}

    use()
    assert use() == set()


def _read_link(name: str) -> str:
    try:
        return os.readlink(OPEN / name)
    except FileNotFoundError:  # the listing's own
        return ""
