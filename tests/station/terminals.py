"""The station as a program in a real pseudo-terminal: keys go in as a scanner types them."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import PATIENCE_S, PROGRAM

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_=>])")
F5, F9 = b"\x1b[15~", b"\x1b[20~"


class StationTerminal:
    """A station that runs, and all that it has drawn so far."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process, self._master, self._drawn = process, master, b""

    def scan(self, text: str, gap_s: float = 0.001) -> None:
        """Type as a scanner does."""
        for letter in f"{text}\r":
            os.write(self._master, letter.encode())
            self.draw(gap_s)

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def hang_up(self) -> int:
        """Take the terminal away, and wait for the end; the exit code."""
        self.close()
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        if self._master >= 0:
            os.close(self._master)
        self._master = -1

    def draw(self, for_s: float) -> None:
        """Take what is drawn in a span of time."""
        end = time.monotonic() + for_s
        while True:
            rest = end - time.monotonic()
            if select.select([self._master], [], [], max(0.0, rest))[0]:
                self._drawn += os.read(self._master, 65536)
            if rest <= 0:
                return

    @property
    def text(self) -> str:
        """What was drawn, without the commands to the terminal."""
        return ESCAPES.sub("", self._drawn.decode(errors="replace"))

    def wait_for(self, words: str) -> None:
        """Wait until these words were drawn since the last wait."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} was not drawn: {self.text[-2000:]}"
            assert self.process.poll() is None, self.text[-2000:]
            self.draw(0.05)
        self._drawn = b""

    def wait_for_rest(self) -> None:
        """Wait until nothing is drawn for a while."""
        end = time.monotonic() + PATIENCE_S
        while self._drawn:
            assert time.monotonic() < end, f"it draws on and on: {self.text[-500:]!r}"
            self._drawn = b""
            self.draw(1)


def make_environ(**changes: str) -> dict[str, str]:
    """The environment of a station; none of ours reaches it."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SHIPCLI_")}
    return environ | {"TERM": "xterm-256color", "SHIPCLI_BENCH": "bench7"} | changes


def read_refusal(home: Path, errors_to: int | None = None, **environ: str) -> tuple[int, str]:
    """The exit code and the words of a station that does not begin in a terminal."""
    master, slave = pty.openpty()
    command = [*PROGRAM, "--home", str(home), "--sandbox", "station"]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave if errors_to is None else errors_to,
        env=make_environ(**environ), start_new_session=True,
    ) as process:  # fmt: skip
        try:
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
    os.close(slave)
    text = os.read(master, 65536).decode() if errors_to is None else ""
    os.close(master)
    return code, ESCAPES.sub("", text)


@contextmanager
def run_station(home: Path, *words: str, rows: int = 24, columns: int = 80) -> Iterator[StationTerminal]:
    """The station of a sandbox; ended with the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    command = [*PROGRAM, "--home", str(home), *words]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=make_environ(), start_new_session=True
    ) as process:
        os.close(slave)
        terminal = StationTerminal(process, master)
        try:
            yield terminal
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            terminal.close()
