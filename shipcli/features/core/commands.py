"""Running a command of one's own in a shell: what it prints is never in the way, and its end is its own."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from tempfile import TemporaryFile

PIECE_BYTES, KEPT_BYTES = 65_536, 4_096
LAST_WORDS_S = 0.5  # what a command has said is there when it ends; what it started may go on for ever


class CommandTimeout(Exception):
    """The command was ended because it did not end."""


def run_command(command: str, body: bytes, patience_s: float) -> tuple[int, str]:
    """Run a command that may read `body`; returns how it ended and the end of what it said of it.

    Standard output is left aside. What the command started and left running is no part of it.
    Errors: CommandTimeout, after everything it started was ended.
    """
    with TemporaryFile() as standard_input:
        standard_input.write(body)
        standard_input.seek(0)
        heard = CommandVoice()
        process = subprocess.Popen(
            command, shell=True, stdin=standard_input, stdout=subprocess.DEVNULL, stderr=heard.write_end,
            start_new_session=True,
        )  # fmt: skip
    heard.begin()
    try:
        return process.wait(patience_s), heard.tell_last()
    except subprocess.TimeoutExpired:
        raise CommandTimeout from None
    finally:
        if process.returncode is None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and what it started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


class CommandVoice:
    """What a command says on standard error: read to its end, and only the last of it kept."""

    def __init__(self) -> None:
        self._read_end, self.write_end = os.pipe()
        self._kept = b""
        self._reader = threading.Thread(target=self._read, daemon=True)

    def begin(self) -> None:
        """Begin to listen, once the command has the other end."""
        os.close(self.write_end)
        self._reader.start()

    def tell_last(self) -> str:
        """The end of what was said."""
        self._reader.join(LAST_WORDS_S)
        return self._kept.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        with open(self._read_end, "rb", buffering=0) as pipe:
            while piece := pipe.read(PIECE_BYTES):
                self._kept = (self._kept + piece)[-KEPT_BYTES:]
