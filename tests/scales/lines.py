"""A scale at the other end of a pseudo-terminal."""

from __future__ import annotations

import os
import select
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

ENQUIRY, ACKNOWLEDGED = b"\x05", b"\x06"


@dataclass
class PlayedScale:
    """Answers each question with what it is to say; without questions it says that all the time.

    Shapes: `place` is the port that a program opens; with `says` empty it is silent; `noise` is said instead
            of the next answers.
    """

    place: str
    says: bytes
    question: bytes = b""
    noise: list[bytes] = field(default_factory=list)
    asked: list[bytes] = field(default_factory=list)


@contextmanager
def play_scale(says: bytes, question: bytes = b"") -> Iterator[PlayedScale]:
    """A scale that is asked with `question`, if it is one that is asked."""
    master, slave = os.openpty()
    tty.setraw(slave)
    scale = PlayedScale(os.ttyname(slave), says, question)
    over = threading.Event()
    thread = threading.Thread(target=_answer, args=(master, scale, over))
    thread.start()
    try:
        yield scale
    finally:
        over.set()
        thread.join()
        os.close(slave)
        os.close(master)


def _answer(master: int, scale: PlayedScale, over: threading.Event) -> None:
    received = b""
    while not over.is_set():
        if scale.question:
            if select.select([master], [], [], 0.01)[0]:
                received += bytes(letter & 0x7F for letter in os.read(master, 64))
            if ENQUIRY in received:
                received = received.replace(ENQUIRY, b"")
                os.write(master, ACKNOWLEDGED)
            while scale.question in received:
                scale.asked.append(scale.question)
                received = received.partition(scale.question)[2]
                os.write(master, scale.noise.pop(0) if scale.noise else scale.says)
        elif select.select([], [master], [], 0.01)[1]:
            os.write(master, scale.says)
            over.wait(0.005)
