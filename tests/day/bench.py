"""A terminal of 80 columns at which shipcli is typed, and what stands on its screen."""

from __future__ import annotations

import difflib
import fcntl
import os
import pty
import re
import selectors
import shlex
import struct
import termios
from collections.abc import Sequence
from pathlib import Path

from tests.processes import PATIENCE_S, PROGRAM

ROWS, COLUMNS = 30, 80
SCREENS = Path(__file__).parent / "screens"
# What differs from run to run, and what stands for it: as long as it, so that columns stay where they are.
CHANGING = [
    (r"\x1b\[[0-9;?]*[A-Za-z]", ""),
    (r"[^\r\n]*\r(?!\n)", ""),  # a line that was written over
    (r"\b([a-z]{2,5}_)[0-9a-f]{32}\b", r"\g<1>" + "0" * 32),
    (r"\b20\d\d-\d\d-\d\d\b", "2026-01-02"),
    (r"\b\d\d:\d\d:\d\d\b", "10:40:00"),
    (r"\b\d\d:\d\d\b", "10:40"),
    (r"\b\d min\b", "0 min"),
    (r"(broke off: )[^\[]+", r"\g<1>Connection reset by peer "),
    (r"\b127\.0\.0\.1:\d{4,5}\b", "127.0.0.1:9100"),
]


class Bench:
    """A home folder, and the screens of all that was typed."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.screens: list[tuple[str, str]] = []

    def type(self, name: str, line: str, *answers: tuple[str, str], code: int = 0) -> str:
        """Type a line, and each answer when its prompt has appeared; the screen, which gets a name."""
        ended, shown = self._run(shlex.split(line), answers)
        screen = self._steady(f"$ shipcli {line}\n{shown}")
        self.screens.append((name, screen))
        assert ended == code, f"it ended with {ended}, not {code}:\n{screen}"
        return screen

    def _run(self, words: Sequence[str], answers: Sequence[tuple[str, str]]) -> tuple[int, str]:
        child, screen = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.environ |= {"TERM": "xterm-256color", "SHIPCLI_HOME": str(self.home), "SHIPCLI_SANDBOX": "1"}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
            os.execv(PROGRAM[0], [*PROGRAM, *words])
        try:
            shown = _converse(screen, list(answers))
        finally:
            os.close(screen)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, shown

    def _steady(self, text: str) -> str:
        text = text.replace("\r\n", "\n").replace(str(self.folder), "/bench").replace(str(self.home), "/home")
        for pattern, same in CHANGING:
            text = re.sub(pattern, same, text)
        return text

    def compare(self) -> str:
        """How the screens differ from those that are kept; with KEEP_SCREENS=1 they are kept instead."""
        return "".join(
            _difference(f"{at:02}-{name}", text) for at, (name, text) in enumerate(self.screens, 1)
        )


def _difference(name: str, screen: str) -> str:
    kept = SCREENS / f"{name}.txt"
    if os.environ.get("KEEP_SCREENS"):
        kept.write_text(screen, "utf-8")
    before = kept.read_text("utf-8") if kept.exists() else ""
    lines = difflib.unified_diff(before.splitlines(True), screen.splitlines(True), "kept", name)
    return "".join(lines)


def _is_ready(screen: int) -> bool:
    with selectors.DefaultSelector() as waiting:
        waiting.register(screen, selectors.EVENT_READ)
        return bool(waiting.select(PATIENCE_S))


def _converse(screen: int, answers: list[tuple[str, str]]) -> str:
    shown, seen = b"", 0
    while True:
        assert _is_ready(screen), (
            f"it waits for an answer that is not there:\n{shown.decode(errors='replace')}"
        )
        try:
            piece = os.read(screen, 65536)
        except OSError:  # the other side has ended
            piece = b""
        if not piece:
            assert not answers, f"nobody asked {answers[0][0]!r}:\n{shown.decode(errors='replace')}"
            return shown.decode(errors="replace")
        shown += piece
        if answers and answers[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(screen, answers.pop(0)[1].encode() + b"\n")
