"""Owners of claims: a name for this process that no other process has or had.

Processes see each other if they share a boot of a machine and a namespace of process ids (containers have
their own). Of any other process nothing can be said but that its lease or its presence has run out.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from shipcli.store.sqlite.steady_clock import read_boot_id


@cache
def _name_pid(pid: int) -> str:
    return f"{name_machine()}/{pid}/{_read_start(pid) or ''}"


def name_process() -> str:
    """The identity of this process: machine, process id and start time (process ids are reused)."""
    return _name_pid(os.getpid())


def is_alive(owner: str) -> bool:
    """Whether a claim's owner may still run; one that can't be seen may, until its lease runs out."""
    return is_running(owner) is not False


def is_running(owner: str) -> bool | None:
    """Whether a process runs; None if this one can't see it: on another machine or in another container."""
    machine, _, process = owner.partition("/")
    number, _, started = process.partition("/")
    if machine != name_machine():
        return None
    if not number.isdigit() or not _exists(int(number)):
        return False
    start = _read_start(int(number))
    return start is None or start == started


@cache
def name_machine() -> str:
    """A random name of this boot and of the namespace of process ids that this process lives in.

    The name of the host is no part of it: machines share names, and machines are renamed.
    """
    boot = read_boot_id() or _read_boot_session() or secrets.token_hex(16)
    return f"{boot}.{''.join(filter(str.isdigit, read_namespace()))}"


def read_namespace() -> str:
    """The namespace of process ids that this process lives in; empty where there are none."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _read_boot_session() -> str:
    """The random id that macOS gives each boot; empty elsewhere."""
    if sys.platform != "darwin":
        return ""
    words = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    return ""


def _read_start(pid: int) -> str | None:
    """The start tick of a process; None if the system does not report it, empty for a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return "" if fields[0] == "Z" else fields[19]


def _exists(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
