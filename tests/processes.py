"""Other processes and threads: started for a test, waited for with patience, and ended with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.engines import name_store

PROGRAM = [sys.executable, "-m", "shipcli"]
PATIENCE_S = 60
TRACKER = "multiprocessing.resource_tracker"  # Python's own; it ends with the process that started it


def wait_for(happened: Callable[[], Any], seconds: float = PATIENCE_S) -> None:
    """Return as soon as this is true; a test that waits in vain fails."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"it did not happen within {seconds:g} s"
        time.sleep(0.01)


@contextmanager
def started(*words: str, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """shipcli as a program of its own; killed if it still runs when the block ends.

    A home that the words name has its store on the engine of this run, unless `env` says where.
    """
    if "--home" in words:
        home = Path(words[words.index("--home") + 1])
        options["env"] = {**name_store(home), **(options.get("env") or os.environ)}
    with subprocess.Popen([*PROGRAM, *words], **options) as process:
        try:
            yield process
        finally:
            process.kill()  # does nothing to a process that has ended


def children() -> dict[int, str]:
    """The command lines of this process's children that still run, where the system tells them."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it may end while we look
            state, parent = (place / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) != os.getpid() or state == "Z":
                continue
            command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if TRACKER not in command:
                found[int(place.name)] = command
    return found
