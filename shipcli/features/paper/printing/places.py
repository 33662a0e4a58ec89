"""Which paths may be printed to: printers, spool folders and files of the user's own.

A path that was mistyped is damaged by the first label, and root may write every one of them.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from shipcli.features.paper.printing.sheet import PrinterError

# Parallel, USB and serial ports, and Bluetooth, as Linux, the BSDs and macOS name them.
PORTS = re.compile(r"(usb)?lp\d+|un?lpt\d+|rfcomm\d+|tty(S|USB|ACM|AMA|SAC|THS|O|mxc|U)\d+|(tty|cu)\..+")
DEVICES = Path("/dev")
SYSTEM = tuple(
    Path(folder).resolve()
    for folder in ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys",
                   "/usr", "/var/log", "/var/spool/cron", "/Library", "/System")
)  # fmt: skip
OTHERS = "it is not a printer, a spool folder or a file of your own"


def check_file(target: str, address: str) -> Path:
    """Return the path of a printer, or of a file of the user's own, which may not be there yet.

    Errors: PrinterError for anything else.
    """
    path = _resolve(target, address)
    info = _look(target, path)
    if info is None:
        _check_new(target, path)
    else:
        refuse_other_file(target, path, info)
    return path


def refuse_other_file(target: str, path: Path, info: os.stat_result) -> None:
    """Errors: PrinterError for what is neither a printer nor the user's own."""
    if stat.S_ISDIR(info.st_mode):
        raise PrinterError(f"{target} is a folder", hint=f"say spool:{path}")
    if stat.S_ISCHR(info.st_mode) and PORTS.fullmatch(path.name):
        return
    if not (stat.S_ISREG(info.st_mode) or stat.S_ISFIFO(info.st_mode)) or not _is_own(path, info):
        raise _refuse(target)


def check_folder(target: str, address: str) -> Path:
    """Return the path of a spool folder of the user's own, which may not be there yet.

    Errors: PrinterError for anything else.
    """
    path = _resolve(target, address)
    info = _look(target, path)
    if info and not stat.S_ISDIR(info.st_mode):
        raise PrinterError(f"{target} is not a folder", hint=f"name a folder, or say file:{path}")
    if info and not _is_own(path, info):
        raise _refuse(target)
    return path


def require_place(name: str, address: str, target: str) -> None:
    """Errors: PrinterError for a spool folder, or the folder of a file, that is not there.

    A device may be unplugged.
    """
    if name not in ("file", "spool"):
        return
    path = _resolve(target, address)
    folder = path if name == "spool" else path.parent
    if not folder.is_dir() and not (name == "file" and DEVICES in path.parents):
        raise PrinterError(f"{target}: there is no folder {folder}", hint=f"make it: mkdir -p {folder}")


def _check_new(target: str, path: Path) -> None:
    """Errors: PrinterError where no file of the user's own can be made and no printer be plugged in."""
    if DEVICES in path.parents:
        if not PORTS.fullmatch(path.name):
            raise _refuse(target)
        return
    folder = _look(target, path.parent)
    if folder and not _is_own(path.parent, folder) and not _is_for_everybody(folder):
        raise _refuse(target)


def _resolve(target: str, address: str) -> Path:
    """Return the path behind `~` and links."""
    try:
        return Path(os.path.expanduser(address)).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PrinterError(f"{target} is not a path: {error}", hint="name a file or a folder") from None


def _look(target: str, path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PrinterError(f"{target} can't be looked at: {reason}", hint="name a path of your own") from None


def _is_own(path: Path, info: os.stat_result) -> bool:
    """Return whether it is the user's, or shared with a group of the user's, and no part of the system."""
    if not hasattr(os, "geteuid"):
        return True
    if info.st_uid == 0 and any(folder == path or folder in path.parents for folder in SYSTEM):
        return False
    is_shared = bool(info.st_mode & stat.S_IWGRP) and info.st_gid in {os.getegid(), *os.getgroups()}
    return info.st_uid == os.geteuid() or is_shared


def _is_for_everybody(folder: os.stat_result) -> bool:
    """Return whether everybody keeps files of their own there, as in /tmp."""
    return bool(folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH)


def _refuse(target: str) -> PrinterError:
    return PrinterError(f"{target} can't be printed to: {OTHERS}", hint="see what it is: ls -l")
