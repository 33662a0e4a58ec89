"""Processes for untrusted input: no environment, no files, no network, little memory and time.

The parent starts one with `make_bare_environment` and ends it with `stop_process`; the child calls
`limit_resources` and `forbid_outside` before it reads its input. Templates are rendered and spreadsheets are
read this way.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REFUSED = (
    "socket.", "subprocess.", "os.", "shutil.", "ctypes.", "pty.", "webbrowser.", "urllib.", "ftplib.",
    "http.", "smtplib.", "sqlite3.", "tempfile.", "mmap.", "winreg.", "pathlib.", "glob.",
    "fcntl.", "signal.",
)  # fmt: skip
HARMLESS = ("os.listdir", "os.scandir", "os.putenv", "os.unsetenv")
READING = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
)


@dataclass(frozen=True)
class ResourceLimits:
    """What a process may use: seconds of CPU time, bytes of memory, bytes written to one file."""

    cpu_s: int
    memory: int
    written: int = 0


# -- in the parent ---------------------------------------------------------------------------------


def make_bare_environment() -> dict[str, str]:
    """An environment with Python's module path and little else: none of our keys or passwords."""
    inherited = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {
        **inherited,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONHASHSEED": "0",
    }


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those it forked. One that has ended is left alone: its id may have been reused."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


# -- in the child ----------------------------------------------------------------------------------


def limit_resources(limits: ResourceLimits) -> None:
    """Make the system end this process if it uses more; does nothing on systems without such limits."""
    try:
        import resource
    except ImportError:
        return
    for name, soft, hard in (
        (resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1),
        (resource.RLIMIT_AS, limits.memory, limits.memory),
        (resource.RLIMIT_FSIZE, limits.written, limits.written),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        with suppress(ValueError, OSError):  # not every system knows every limit
            resource.setrlimit(name, (soft, hard))


def forbid_outside() -> None:
    """Forbid this process everything but reading Python's own modules, for the rest of its life."""
    places = (*sys.path, sys.prefix, sys.base_prefix, Path(__file__).parents[1])
    folders = {str(Path(str(path)).resolve()) for path in places if path}
    roots = tuple(f"{path}{os.sep}" for path in folders)

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            reads = not flags or flags & ~READING == 0
            if not reads or not str(path).startswith(roots):
                raise PermissionError("what strangers wrote can't open files")
        elif event.startswith(REFUSED) and event not in HARMLESS:
            raise PermissionError(f"what strangers wrote can't do {event}")

    sys.addaudithook(refuse)
