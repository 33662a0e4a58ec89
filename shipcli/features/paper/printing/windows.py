"""The Windows spooler, called through its own library: bytes go to a printer untouched by any driver.

Source: Windows "Print Spooler API": OpenPrinter, StartDocPrinter with DOC_INFO_1, WritePrinter.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import wintypes
from typing import Any

from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet

RAW = "RAW"
LEVEL = 1
MISSING = {1801, 1722}  # there is no printer of this name; its server does not answer


class DocInfo(ctypes.Structure):
    """DOC_INFO_1W: the name of the job in the queue, and that its bytes are for the printer as they are."""

    _fields_ = (
        ("pDocName", wintypes.LPWSTR),
        ("pOutputFile", wintypes.LPWSTR),
        ("pDatatype", wintypes.LPWSTR),
    )


def load_library() -> Any:
    """winspool.drv, with the argument types of its functions declared."""
    if sys.platform != "win32":
        raise PrinterError("the spooler of Windows is not here", hint="print to tcp://HOST or cups:QUEUE")
    winspool = ctypes.WinDLL("winspool.drv", use_last_error=True)
    for name, types in SIGNATURES.items():
        function = getattr(winspool, name)
        function.argtypes, function.restype = types, wintypes.BOOL
    winspool.StartDocPrinterW.restype = wintypes.DWORD  # the number of the job, 0 for a failure
    return winspool


SIGNATURES: dict[str, tuple[Any, ...]] = {
    "OpenPrinterW": (wintypes.LPWSTR, ctypes.POINTER(wintypes.HANDLE), ctypes.c_void_p),
    "StartDocPrinterW": (wintypes.HANDLE, wintypes.DWORD, ctypes.POINTER(DocInfo)),
    "StartPagePrinter": (wintypes.HANDLE,),
    "WritePrinter": (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD, ctypes.POINTER(wintypes.DWORD)),
    "EndPagePrinter": (wintypes.HANDLE,),
    "EndDocPrinter": (wintypes.HANDLE,),
    "AbortPrinter": (wintypes.HANDLE,),
    "ClosePrinter": (wintypes.HANDLE,),
}


def print_raw(winspool: Any, queue: str, sheet: PrintSheet) -> None:
    """Print one job through a queue.

    Errors: PrinterError; a job that failed half-way is removed from the queue.
    """
    with _open(winspool, queue) as handle:
        info = DocInfo(sheet.title, None, RAW)
        if not winspool.StartDocPrinterW(handle, LEVEL, ctypes.byref(info)):
            raise _fail(queue, "takes no job")
        try:
            _write(winspool, handle, queue, sheet.content)
        except PrinterError:
            winspool.AbortPrinter(handle)
            raise
        if not winspool.EndDocPrinter(handle):
            raise _fail(queue, "did not finish the job", begun=True)


@contextmanager
def _open(winspool: Any, queue: str) -> Iterator[Any]:
    handle = wintypes.HANDLE()
    if not winspool.OpenPrinterW(queue, ctypes.byref(handle), None):
        raise _fail(queue, "can't be opened")
    try:
        yield handle
    finally:
        winspool.ClosePrinter(handle)


def _write(winspool: Any, handle: Any, queue: str, content: bytes) -> None:
    if not winspool.StartPagePrinter(handle):
        raise _fail(queue, "takes no page", begun=True)
    remaining = content
    while remaining:
        written = wintypes.DWORD()
        taken = winspool.WritePrinter(handle, remaining, len(remaining), ctypes.byref(written))
        if not taken or not written.value:
            raise _fail(queue, f"took {len(content) - len(remaining)} of {len(content)} bytes", begun=True)
        remaining = remaining[written.value :]
    if not winspool.EndPagePrinter(handle):
        raise _fail(queue, "did not finish the page", begun=True)


def _fail(queue: str, what: str, *, begun: bool = False) -> PrinterError:
    code = 0
    if sys.platform == "win32":
        code = ctypes.get_last_error()
    hint = "see which printers there are: Get-Printer" if code in MISSING else "see the printer's queue"
    return PrinterError(f"the printer {queue} {what} (Windows error {code})", hint=hint, begun=begun)
