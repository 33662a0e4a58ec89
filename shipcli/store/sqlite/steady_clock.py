"""A clock that only runs forward, for leases: setting the machine's clock neither ends nor extends them.

It gives seconds since 1970. It starts from the machine's clock when the store is first used after a boot,
and then runs on independently, even while the machine sleeps. Its start is recorded in the store, so all
processes of a machine agree, including those in containers. Another machine, or the same one after a reboot,
starts from its own clock: between them leases are only as good as their clocks. Where the system does not
identify its boot (only Linux does), this is simply the machine's clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli.clocks import read_real_seconds
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.store.sqlite.session import SqliteSession

SteadyClock = Callable[[], float]
KEPT_S = 366 * 86400.0
_READ = "select began from machine_starts where boot = ?"
_WRITE = "insert or ignore into machine_starts (boot, began) values (?, ?)"
_TIDY = "delete from machine_starts where began < ?"


@cache
def read_boot_id() -> str:
    """The id of the machine's current boot; empty where the system does not provide one."""
    file = Path("/proc/sys/kernel/random/boot_id")
    return file.read_text().strip() if file.is_file() else ""


def open_steady_clock(session: SqliteSession, boot: str | None = None) -> SteadyClock:
    """The clock of a store on this machine."""
    name = read_boot_id() if boot is None else boot
    if not name:
        return read_real_seconds
    rows = session.rows(_READ, (name,))
    began: float = rows[0][0] if rows else _agree(session, name)
    return lambda: began + _measure_uptime_s()


def _measure_uptime_s() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _agree(session: SqliteSession, boot: str) -> float:
    """When the machine booted, by its present clock; the first process to record it decides for all."""
    began = read_real_seconds() - _measure_uptime_s()
    with suppress(StoreError), session.transaction():  # a store that can't be written may still be read
        session.run(_WRITE, (boot, began))
        session.run(_TIDY, (began - KEPT_S,))
        began = session.rows(_READ, (boot,))[0][0]
    return began
