"""Scales on a serial port; imported only where one is opened, as pyserial comes with the extra `station`."""

from __future__ import annotations

import sys
from contextlib import suppress
from errno import EAGAIN, EBUSY

import serial

from shipcli.scales.protocols import LONGEST, PROTOCOLS, parse_answer
from shipcli.scales.readings import ScaleError, ScaleReading
from shipcli.scales.targets import ScaleTarget

if sys.platform == "win32":
    LineRefused = ValueError
else:
    from termios import error as LineRefused

WAIT_S = 1.0  # for an answer
TRIES = 3  # as noise on the line spoils an answer now and then
ACK = b"\x06"
SEVEN = 7  # bits


class SerialScale:
    """A scale on a serial port.

    Ports without parity carry 7E1 and 7O1 as eight bits, the highest of which is the parity.
    """

    def __init__(self, target: ScaleTarget) -> None:
        """Errors: ScaleError if the port can't be opened."""
        self.target, self._protocol = target, PROTOCOLS[target.protocol]
        self._question, self._greeting = self._protocol.question, self._protocol.greeting
        speed, bits, parity, stop = target.split_line()
        try:
            self._port = _open_port(target.place, speed, (bits, parity, stop))
        except LineRefused:
            self._port = self._open_plain(speed, parity if bits == SEVEN else "N", stop)

    def _open_plain(self, speed: int, parity: str, stop: int) -> serial.Serial:
        """Errors: ScaleError."""
        self._question = add_parity(self._question, parity)
        self._greeting = add_parity(self._greeting, parity)
        try:
            return _open_port(self.target.place, speed, (8, "N", stop))
        except LineRefused as error:
            raise ScaleError(f"The scale can't be opened: {error} ({self.target.place})") from None

    def read(self) -> ScaleReading:
        """What it says now.

        Errors: ScaleError if it says nothing, or nothing that can be read.
        """
        for _ in range(TRIES - 1):
            answer = self._ask()
            with suppress(ScaleError):
                return parse_answer(self._protocol, answer, self.target.unit)
        return parse_answer(self._protocol, self._ask(), self.target.unit)

    def _ask(self) -> bytes:
        """An answer, or as much of it as came.

        Errors: ScaleError if nothing came, or the scale is gone.
        """
        try:
            self._port.reset_input_buffer()
            answer = self._exchange()
        except (OSError, LineRefused) as error:
            raise ScaleError(f"The scale is gone: {_name_fault(error)} ({self.target.place})") from None
        if not answer:
            raise ScaleError(f"The scale says nothing ({self.target.place})", hint="shipcli scales test")
        return answer

    def _exchange(self) -> bytes:
        """Errors: OSError, LineRefused."""
        if self._greeting:
            self._port.write(self._greeting)
            if self._read_byte() != ACK:
                return b""
        if self._question:
            self._port.write(self._question)
        else:
            self._read_answer()  # the first frame may lack its beginning
        return self._read_answer()

    def _read_answer(self) -> bytes:
        """What comes until the end of an answer, or until nothing comes; without the bits of the parity."""
        received = bytearray()
        while len(received) < LONGEST and not received.endswith(self._protocol.end):
            letter = self._read_byte()
            if not letter:
                break
            received += letter
        return bytes(received)

    def _read_byte(self) -> bytes:
        """A byte without the bit of the parity; nothing if none comes."""
        return bytes(letter & 0x7F for letter in self._port.read(1))

    def close(self) -> None:
        """Close the port."""
        self._port.close()


def _open_port(place: str, speed: int, form: tuple[int, str, int]) -> serial.Serial:
    """A port that nobody else reads meanwhile: each would get a part of the answers.

    Errors: ScaleError; LineRefused if the port does not take the form of the line.
    """
    bits, parity, stop = form
    try:
        return serial.Serial(
            place, speed, bits, parity, stop, timeout=WAIT_S, write_timeout=WAIT_S, exclusive=True
        )
    except (OSError, ValueError) as error:
        raise ScaleError(f"The scale can't be opened: {_name_fault(error)} ({place})") from None


def add_parity(text: bytes, parity: str) -> bytes:
    """The bytes with their parity as the highest bit."""
    if parity == "N":
        return text
    odd = parity == "O"
    return bytes(letter | (0x80 if letter.bit_count() % 2 != odd else 0) for letter in text)


def _name_fault(error: Exception) -> str:
    if getattr(error, "errno", None) in (EAGAIN, EBUSY):
        return "another program reads it"
    return str(getattr(error, "strerror", None) or error)
