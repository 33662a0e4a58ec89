"""Store and queue on the second engine, in the run of all tests; `nox -s engines` tries more there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cluster import MISSING, find_programs
from tests.engines import CHOICE, POSTGRES, SOCKET

ROOMS = {"store": ["tests/store"], "queue": ["tests/worker", "tests/features/core/test_jobs.py"]}


@pytest.mark.slow
@pytest.mark.skipif(find_programs() is None, reason=MISSING)
@pytest.mark.parametrize("room", ROOMS)
def test_the_tests_of_a_room_pass_on_postgresql(room: str) -> None:
    if CHOICE.databases:
        pytest.skip("the whole run is on that engine")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ[SOCKET] = str(CHOICE.find_socket())
    words = [sys.executable, "-m", "pytest", "--engine", POSTGRES, "-p", "no:cacheprovider", "-m", "not slow"]
    done = subprocess.run([*words, *ROOMS[room]], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
