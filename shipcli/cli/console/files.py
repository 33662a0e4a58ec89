"""Files that commands write: complete or not at all, and checked to be writable before money is spent."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shipcli.cli.console.stderr import note
from shipcli.cli.usage_errors import Usage

FORMATS = {".pdf": "PDF", ".zpl": "ZPL", ".png": "PNG"}


def check_target(path: Path, option: str, endings: tuple[str, ...] = tuple(FORMATS)) -> None:
    """Errors: Usage if a file of this name can't be created; standard output, `-`, is for the answer."""
    if str(path) == "-":
        raise Usage(f"{option} names a file; standard output is for what the command answers")
    if endings and path.suffix.lower() not in endings:
        raise Usage(f"{option} {path}: the name must end in {' or '.join(endings)}")
    if path.is_dir():
        raise Usage(f"{option}: {path} is a folder")
    if not path.exists() or path.is_file():
        check_folder(path.absolute().parent, option)
    elif not os.access(path, os.W_OK):
        raise Usage(f"{option}: {path} can't be written")


def check_output(path: Path, endings: tuple[str, ...] = tuple(FORMATS)) -> None:
    """Errors: Usage if what `-o` names is neither standard output nor a file that can be created."""
    if str(path) != "-":
        check_target(path, "-o", endings)


def check_folder(folder: Path, option: str) -> None:
    """Errors: Usage if nothing can be written there."""
    if not folder.is_dir():
        raise Usage(f"{option}: there is no folder {folder}", hint=f"mkdir -p {folder}")
    if not os.access(folder, os.W_OK):
        raise Usage(f"{option}: the folder {folder} can't be written")


def find_format(path: Path | None) -> str | None:
    """The label format that a file name ends in."""
    return FORMATS.get(path.suffix.lower()) if path else None


def choose_file_type(path: Path | None) -> str | None:
    """The format in which labels for a file are bought: its own, PDF for pictures; None without a file."""
    label_format = find_format(path)
    return "PDF" if label_format == "PNG" else label_format


def write_file(path: Path, content: bytes) -> None:
    """Write a file, or standard output for `-`."""
    if str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    write_whole(path, content)
    note(f"wrote {path}")


def write_whole(path: Path, content: bytes) -> None:
    """Write the complete file or nothing."""
    with replace_file(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Where to write a file that must be complete or not there at all; a device or a pipe stays one."""
    if path.exists() and not path.is_file():
        yield path
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        if error.filename == str(partial):
            error.filename, error.filename2 = str(path), None  # what the user named
        raise
    finally:
        partial.unlink(missing_ok=True)


def name_label_file(number: str, format: str) -> str:
    """The name of a label's file; characters that a file name can't contain become underscores."""
    return f"label_{re.sub(r'[^A-Za-z0-9._-]+', '_', number).strip('.') or 'unknown'}.{format.lower()}"
