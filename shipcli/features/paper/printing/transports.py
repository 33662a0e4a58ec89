"""Send bytes to a printer: a network port, a device or file, a spool folder, a queue of the print system.

A printer that does not work never costs a label: labels stay in the store, and printing can be tried again.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from select import select
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shipcli.features.paper.printing import network, places, spool
from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet

if TYPE_CHECKING:
    from shipcli.features.core.app import App

PORT = 9100
_ADDRESS = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}")
CONNECT_S, WRITE_S = 5.0, 20.0
STATUS_QUERY = "status"  # `?status` at the end of a network printer: it answers ~HS
FORMS = "tcp://HOST[:9100][?status], cups:QUEUE, file:DEVICE, spool:DIR, windows:NAME"


def send(target: str, sheet: PrintSheet) -> bool | None:
    """Print a file, and return whether a network printer closed the connection afterwards; None for others.

    Errors: PrinterError naming the printer and what to do.
    """
    name, address = check(target)
    if name in MAKING_COPIES:
        return TRANSPORTS[name](target, address, sheet)
    closed = None
    for copy in range(sheet.copies):
        try:
            closed = TRANSPORTS[name](target, address, sheet)
        except PrinterError as error:
            error.begun = error.begun or copy > 0
            raise
    return closed


def prepare(target: str, sheet: PrintSheet) -> None:
    """Do what can be done before the first byte counts as sent.

    Errors: PrinterError.
    """
    name, address = check(target)
    if name == "spool":
        spool.prepare(target, address, sheet)


def discard(target: str, sheet: PrintSheet) -> None:
    """Undo what `prepare` did."""
    name, address = check(target)
    if name == "spool":
        spool.discard(places.check_folder(target, address), sheet.mark)


def find_outcome(target: str, mark: str) -> bool | None:
    """Whether a job was sent whose sender died; None where nobody but a person can tell."""
    name, _, address = target.strip().partition(":")
    return spool.find_outcome(target, address, mark) if name == "spool" else None


def complete_target(text: str) -> str:
    """Return a target with its transport: `HOST:PORT` is one of the network."""
    is_address = _ADDRESS.fullmatch(text.strip()) and text.strip().partition(":")[0] not in TRANSPORTS
    return f"tcp://{text.strip()}" if is_address else text


def check(target: str) -> tuple[str, str]:
    """Return the transport and address of a target; nothing is sent to it yet.

    Errors: PrinterError for a target that cannot be understood, or is a path that must not be written.
    """
    name, _, address = target.strip().partition(":")
    if name not in TRANSPORTS or not address.strip("/"):
        raise PrinterError(
            f"{target!r} is not a printer", hint=f"name one of `shipcli printers list`, or {FORMS}"
        )
    if name in CHECKS:
        CHECKS[name](target, address)
    return name, address


# -- transports --------------------------------------------------------------------------------


def _send_tcp(target: str, address: str, sheet: PrintSheet) -> bool:
    host, port = _split_target(target)
    begun = False
    try:
        with socket.create_connection((host, port), CONNECT_S) as connection:
            connection.settimeout(WRITE_S)
            if sheet.format == "ZPL" and urlsplit(target).query == STATUS_QUERY:
                _refuse_trouble(target, network.ask_troubles(connection))
            begun = True
            connection.sendall(sheet.content)
            connection.shutdown(socket.SHUT_WR)
            return network.wait_until_taken(connection, sheet.wait_s, WRITE_S, sheet.closes)
    except OSError as error:
        reason = error.strerror or str(error) or "no answer"
        what = "broke off" if begun else "does not answer"
        raise PrinterError(
            f"the printer {target} {what}: {reason}",
            hint=f"check that it is switched on and that {host} port {port} is right",
            begun=begun,
        ) from None


def _refuse_trouble(target: str, troubles: list[str]) -> None:
    if troubles:
        raise PrinterError(f"the printer {target} {' and '.join(troubles)}", hint="fix it at the printer")


def _split_target(target: str) -> tuple[str, int]:
    try:
        parts = urlsplit(target)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.path.strip("/") or parts.query not in ("", STATUS_QUERY):
        hint = "write tcp://HOST or tcp://HOST:PORT, with ?status at its end if it answers ~HS"
        raise PrinterError(f"{target!r} is not a network printer", hint=hint)
    return host, port or PORT


def _send_file(target: str, address: str, sheet: PrintSheet) -> None:
    """Append to a file or write to a device; a device that accepts nothing for a while has failed."""
    path = places.check_file(target, address)
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    if places.DEVICES not in path.parents:  # a printer that was unplugged must not become a file
        flags |= os.O_CREAT
    begun = False
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o644)
        try:
            places.refuse_other_file(target, path, os.fstat(handle))  # it may have been replaced meanwhile
            begun = True
            _write_all(target, handle, sheet.content)
        finally:
            os.close(handle)
    except OSError as error:
        raise PrinterError(
            f"the printer {target} can't be written: {error.strerror or error}",
            hint=f"see that {path} exists and is writable",
            begun=begun,
        ) from None


def _write_all(target: str, handle: int, content: bytes) -> None:
    remaining = memoryview(content)
    waits = not stat.S_ISREG(os.fstat(handle).st_mode)
    while remaining:
        if waits and not select([], [handle], [], WRITE_S)[1]:
            done = len(content) - len(remaining)
            raise PrinterError(
                f"the printer {target} took {done} of {len(content)} bytes and then no more",
                hint="see whether it has paper",
                begun=done > 0,
            )
        remaining = remaining[os.write(handle, remaining) :]


def _send_queue(target: str, address: str, sheet: PrintSheet) -> None:
    """Send through the print system's program, which leaves printer languages alone and converts all else."""
    program = shutil.which("lp")
    if program is None:
        raise PrinterError(
            f"the printer {target} needs the program lp, which is not installed",
            hint="install CUPS, or print to tcp://HOST",
        )
    command = [program, *list_lp_arguments(address, sheet)]
    try:
        done = subprocess.run(command, input=sheet.content, capture_output=True, timeout=WRITE_S, check=False)
        output = done.stderr.decode(errors="replace").strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        late = isinstance(error, subprocess.TimeoutExpired)
        raise PrinterError(f"the program lp failed: {error}", hint="lpstat -p", begun=late) from None
    if done.returncode:
        reason = output or f"lp ended with {done.returncode}"
        raise PrinterError(
            f"the queue {address} did not take the {sheet.title}: {reason}",
            hint="see which queues there are: lpstat -p",
        )


def list_lp_arguments(queue: str, sheet: PrintSheet) -> list[str]:
    """Return the arguments of `lp`."""
    words = ["-s", "-d", queue, "-n", str(sheet.copies), "-t", sheet.title]
    if sheet.format == "ZPL":
        return [*words, "-o", "raw"]
    if sheet.media:
        wide, high = sheet.media
        words += ["-o", f"media=Custom.{wide:g}x{high:g}in"]
    return words


def _send_windows(target: str, address: str, sheet: PrintSheet) -> None:
    """Send through the Windows spooler: the bytes as they are, whatever driver the printer has."""
    if sys.platform != "win32":
        raise PrinterError(
            f"the printer {target} is one of Windows, and this is not Windows",
            hint="print to tcp://HOST or cups:QUEUE",
        )
    from shipcli.features.paper.printing import (
        windows,  # ctypes costs every print some milliseconds
    )

    windows.print_raw(windows.load_library(), address, sheet)


Transport = Callable[[str, str, PrintSheet], bool | None]
TRANSPORTS: Mapping[str, Transport] = {
    "tcp": _send_tcp,
    "file": _send_file,
    "spool": spool.send,
    "lp": _send_queue,
    "cups": _send_queue,
    "windows": _send_windows,
}
CHECKS: Mapping[str, Callable[[str, str], object]] = {
    "tcp": lambda target, address: _split_target(target),
    "file": places.check_file,
    "spool": places.check_folder,
}
MAKING_COPIES = frozenset({"lp", "cups", "spool"})  # those that make the copies themselves


# -- printers that close the connection --------------------------------------------------------

# Some network printers close it after the last byte. One that did so before, and now does not, hangs or is
# jammed, whatever its network card has confirmed. A test page resets this, in case it was replaced.
CLOSING = "closing_printers"


def is_closing(app: App, target: str) -> bool:
    """Return whether a printer is known to close the connection."""
    return bool(app.store.count_rows(CLOSING, {"target": target}))


def note_closing(app: App, target: str, closed: bool | None) -> None:
    """Remember whether a printer closed the connection; None if there was no connection."""
    if closed is not None and closed != is_closing(app, target):
        with app.store.transaction() as tx:
            if closed:
                tx.add(CLOSING, {"target": target})
            else:
                tx.remove(CLOSING, {"target": target})
