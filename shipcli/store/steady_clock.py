"""Time that only goes on, for leases and claims: setting the machine's clock neither ends nor extends them.

It shows seconds since 1970, as the machine's clock had them when the store was first used since the machine
was started, and goes on from there by itself, also while the machine sleeps. Where it began stands in the
store, so all processes of a machine agree, those in containers as well. Another machine, or the same one
after it was started anew, begins by its own clock: between them leases are as good as their clocks. Where
the system does not name its start, as only Linux does, it is the machine's clock itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.store.engine import Session

SteadyClock = Callable[[], float]
KEPT_S = 366 * 86400.0
_READ = "select began from machine_starts where boot = ?"
_WRITE = "insert or ignore into machine_starts (boot, began) values (?, ?)"
_TIDY = "delete from machine_starts where began < ?"


@cache
def boot_id() -> str:
    """What tells this start of the machine from all others; nothing where the system does not say."""
    file = Path("/proc/sys/kernel/random/boot_id")
    return file.read_text().strip() if file.is_file() else ""


def open_steady_clock(session: Session, boot: str | None = None) -> SteadyClock:
    """The clock of a store on this machine."""
    name = boot_id() if boot is None else boot
    if not name:
        return time.time
    known = session.rows(_READ, (name,))
    began: float = known[0][0] if known else _agree(session, name)
    return lambda: began + _since_boot_s()


def _since_boot_s() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _agree(session: Session, boot: str) -> float:
    """When the machine was started, by its clock of now: said by one process, taken over by the others."""
    began = time.time() - _since_boot_s()
    with suppress(StoreError), session.transaction():  # one that can't be written may still be read
        session.run(_WRITE, (boot, began))
        session.run(_TIDY, (began - KEPT_S,))
        began = session.rows(_READ, (boot,))[0][0]
    return began
