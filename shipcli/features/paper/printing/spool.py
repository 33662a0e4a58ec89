"""Spool folders: new files for another program, which appear complete or not at all, and sort by time.

A job's files are written under hidden names before it counts as being sent, and renamed to send it. So the
folder tells what became of a job whose sender died: what is still hidden was not sent.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from shipcli.clocks import real_clock
from shipcli.features.paper.printing import places
from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet

PART = ".part"


def prepare(target: str, address: str, sheet: PrintSheet) -> None:
    """Write the files of a sheet under hidden names, replacing those of an earlier try.

    Errors: PrinterError naming the folder.
    """
    folder = places.check_folder(target, address)
    stamp = f"{real_clock():%Y%m%dT%H%M%S%f}"
    ending = f"of{sheet.copies}-{sheet.mark}.{(sheet.format or 'bin').lower()}"

    def write() -> None:
        discard(folder, sheet.mark)
        for copy in range(1, sheet.copies + 1):
            name = f".{_name_kind(sheet.title)}-{stamp}-{copy}{ending}{PART}"
            with (folder / name).open("xb") as file:
                file.write(sheet.content)
                file.flush()
                os.fsync(file.fileno())

    _explain(folder, sheet.mark, write)


def send(target: str, address: str, sheet: PrintSheet) -> None:
    """Let the files of a sheet appear; those that nobody prepared are written first.

    Hidden files of earlier tries go: whoever may send a job is the only one that does.
    Errors: PrinterError naming the folder; `begun` if some of several copies are there.
    """
    folder = places.check_folder(target, address)
    if not _list_parts(folder, sheet.mark):
        prepare(target, address, sheet)
    for part in _list_parts(folder, f"{sheet.mark.partition('-')[0]}-*"):
        if f"-{sheet.mark}." not in part.name:
            part.unlink(missing_ok=True)
    for number, part in enumerate(_list_parts(folder, sheet.mark)):
        shown = folder / part.name.removeprefix(".").removesuffix(PART)
        try:
            _explain(folder, sheet.mark, lambda part=part, shown=shown: part.rename(shown))  # type: ignore[misc]
        except PrinterError as error:
            error.begun = number > 0
            raise


def find_outcome(target: str, address: str, mark: str) -> bool | None:
    """Whether the files of a job were sent; None where only some were, or the folder is gone."""
    try:
        folder = places.check_folder(target, address)
    except PrinterError:
        return None
    if not folder.is_dir():
        return None
    parts = _list_parts(folder, mark)
    if not parts:
        return True
    return False if all(f"of{len(parts)}-{mark}." in part.name for part in parts) else None


def discard(folder: Path, mark: str) -> None:
    """Remove the hidden files of a job."""
    for part in _list_parts(folder, mark):
        part.unlink(missing_ok=True)


def _list_parts(folder: Path, mark: str) -> list[Path]:
    return sorted(path for path in folder.glob(f".*-{mark}.*{PART}") if path.is_file())


def _explain(folder: Path, mark: str, work: Callable[[], object]) -> None:
    try:
        work()
    except OSError as error:
        with suppress(OSError):  # what is no folder holds no file either
            discard(folder, mark)
        raise PrinterError(
            f"the spool folder {folder} can't be written: {error.strerror or error}",
            hint=f"make the folder: mkdir -p {folder}",
        ) from None


def _name_kind(title: str) -> str:
    """Return the kind of paper only: a title may contain anything else, and files sort by time."""
    word = title.partition(" ")[0]
    return word if word.isascii() and word.isalpha() else "label"
