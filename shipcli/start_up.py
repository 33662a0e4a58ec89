"""Ctrl-C while the program loads or ends: it leaves at once, with the exit code of an interruption.

Half-loaded modules can't report anything, and libraries may swallow the exception that Python raises.
"""

import os
import sys

INTERRUPTED = 130
PROGRAMS = ("shipcli", "shipcli.exe", "shipcli-script.py", "shipcli-script.pyw")


def guard_program() -> None:
    """Leave on Ctrl-C from now on, if this process is the program: others only import the package."""
    if _is_program():
        leave_on_interrupt()


def leave_on_interrupt() -> None:
    """Leave on Ctrl-C, unless it is ignored or handled already."""
    import signal  # it would cost those who import the package only

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def allow_interrupt() -> bool:
    """Let Ctrl-C raise an exception again, as a command that is at work needs it; whether it did not."""
    import signal

    if signal.getsignal(signal.SIGINT) is not _leave:
        return False
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return True


def _is_program() -> bool:
    """Whether the process was started as `shipcli` or `python -m shipcli`."""
    words = getattr(sys, "orig_argv", [])
    arguments = getattr(sys, "argv", None) or [""]
    if arguments[0] == "-m":  # the package is imported before its main module is known
        return "shipcli" in words[1:] and words[words.index("shipcli") - 1] == "-m"
    return os.path.basename(arguments[0]) in PROGRAMS


def _leave(*_: object) -> None:
    try:
        os.write(2, b"\n")
    finally:  # whether anybody reads it or not
        os._exit(INTERRUPTED)
