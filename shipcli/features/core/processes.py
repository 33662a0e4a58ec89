"""Owners of claims: a name for this process that no other process has or had."""

from __future__ import annotations

import os
import socket
from functools import cache
from pathlib import Path

from shipcli.store.steady_clock import read_boot_id


@cache
def _name_pid(pid: int) -> str:
    return f"{_name_machine()}/{pid}/{_read_start(pid)}"


def name_process() -> str:
    """The identity of this process: machine and boot, process id and start time (process ids are reused)."""
    return _name_pid(os.getpid())


def is_alive(owner: str) -> bool:
    """Whether a claim's owner still runs. Owners on other machines count as alive: their lease decides."""
    machine, _, process = owner.partition("/")
    number, _, started = process.partition("/")
    host, _, boot = machine.partition("@")
    own_host, _, own_boot = _name_machine().partition("@")
    if host != own_host:
        return True
    if boot != own_boot or not number.isdigit():
        return False
    return _exists(int(number)) and _read_start(int(number)) == started


@cache
def _name_machine() -> str:
    return f"{socket.gethostname()}@{read_boot_id()}"


def _read_start(pid: int) -> str:
    """The start tick of a process; empty if the system does not report it or the process is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
