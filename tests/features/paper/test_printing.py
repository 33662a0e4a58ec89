"""Printers: every way there is, and what is said when one fails."""

from __future__ import annotations

import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.paper.printing import transports, windows
from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet
from shipcli.features.paper.printing.transports import check, list_lp_arguments, send
from tests.features.paper.print_samples import Listener
from tests.processes import PATIENCE_S

ZPL = b"^XA^FO50,50^FDhello^FS^XZ"
LABEL = PrintSheet(ZPL, "ZPL")


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


def test_a_network_printer_gets_every_byte(listener: Listener) -> None:
    content = ZPL * 20_000
    send(f"tcp://127.0.0.1:{listener.port}", PrintSheet(content, "ZPL"))
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert listener.jobs == [content]


def test_a_printer_that_does_not_answer_is_named_with_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        target = f"tcp://127.0.0.1:{other.getsockname()[1]}"
    with pytest.raises(PrinterError, match="refused") as caught:
        send(target, LABEL)
    assert target in caught.value.message
    assert "switched on" in caught.value.hint
    assert caught.value.exit_code == 10


def test_a_spool_folder_gets_whole_files_in_order(tmp_path: Path) -> None:
    for content in (ZPL, b"%PDF-1.7 one", ZPL):
        send(f"spool:{tmp_path}", PrintSheet(content, "PDF" if content.startswith(b"%PDF") else "ZPL"))
    files = sorted(tmp_path.iterdir())
    assert [file.read_bytes() for file in files] == [ZPL, b"%PDF-1.7 one", ZPL]
    assert [file.suffix for file in files] == [".zpl", ".pdf", ".zpl"]


def test_a_missing_spool_folder_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(PrinterError) as caught:
        send(f"spool:{tmp_path}/none", LABEL)
    assert caught.value.hint == f"make the folder: mkdir -p {tmp_path}/none"


def test_labels_are_appended_to_a_file(tmp_path: Path) -> None:
    for _ in range(2):
        send(f"file:{tmp_path}/out.zpl", LABEL)
    assert (tmp_path / "out.zpl").read_bytes() == ZPL * 2


def test_a_device_that_can_not_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PrinterError, match="can't be written"):
        send(f"file:{tmp_path}/none/printer", LABEL)


@pytest.fixture
def lp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """A program `lp` that writes down how it was called."""

    def make(code: int) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "lp"
        program.write_text(
            f'#!/bin/sh\necho "$@" > {tmp_path}/words\ncat > {tmp_path}/job\n'
            f"[ {code} = 0 ] || echo 'lp: no such queue' >&2\nexit {code}\n"
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(folder), prepend=":")
        return tmp_path

    return make


@pytest.mark.parametrize("target", ["lp:dock", "cups:dock"])
def test_a_queue_gets_printer_language_raw(lp: Callable[[int], Path], target: str) -> None:
    place = lp(0)
    send(target, LABEL)
    assert (place / "words").read_text().split() == [
        "-s",
        "-d",
        "dock",
        "-n",
        "1",
        "-t",
        "label",
        "-o",
        "raw",
    ]
    assert (place / "job").read_bytes() == ZPL


def test_a_queue_converts_documents_itself(lp: Callable[[int], Path]) -> None:
    place = lp(0)
    send("lp:dock", PrintSheet(b"%PDF-1.7", "PDF"))
    assert "raw" not in (place / "words").read_text()


def test_a_queue_that_is_not_there_is_an_error(lp: Callable[[int], Path]) -> None:
    lp(1)
    with pytest.raises(PrinterError, match="no such queue"):
        send("lp:dock", LABEL)


@pytest.mark.parametrize(
    "target", ["", "dock2", "tcp://", "tcp:host", "tcp://h:port", "spool:", "usb:1", "tcp://h/x", "windows:"]
)
def test_what_is_no_printer_is_refused(target: str) -> None:
    with pytest.raises(PrinterError):
        check(target)


def test_copies_are_sent_one_by_one(listener: Listener, tmp_path: Path) -> None:
    send(f"tcp://127.0.0.1:{listener.port}", PrintSheet(ZPL, "ZPL", copies=2))
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert listener.jobs == [ZPL, ZPL]
    send(f"spool:{tmp_path}", PrintSheet(ZPL, "ZPL", copies=3))
    assert len(list(tmp_path.iterdir())) == 3


def test_a_queue_makes_the_copies_and_is_told_the_paper() -> None:
    words = list_lp_arguments("dock", PrintSheet(b"%PDF-1.7", "PDF", "invoice 1Z", 2, (4.0, 6.5)))
    assert words == ["-s", "-d", "dock", "-n", "2", "-t", "invoice 1Z", "-o", "media=Custom.4x6.5in"]


def test_a_failure_after_the_first_copy_may_have_printed(tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    transport = transports.TRANSPORTS["file"]

    def once(target: str, place: str, sheet: PrintSheet) -> None:
        transport(target, place, sheet)
        paper.unlink()
        paper.mkdir()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transports, "TRANSPORTS", {**transports.TRANSPORTS, "file": once})
        with pytest.raises(PrinterError) as caught:
            send(f"file:{paper}", PrintSheet(ZPL, "ZPL", copies=2))
    assert caught.value.begun


def test_a_printer_that_hangs_up_half_way_may_have_printed() -> None:
    server = socket.create_server(("127.0.0.1", 0))

    def hang_up() -> None:
        connection, _ = server.accept()
        connection.recv(1000)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()

    thread = threading.Thread(target=hang_up)
    thread.start()
    with pytest.raises(PrinterError, match="broke off") as caught:
        send(f"tcp://127.0.0.1:{server.getsockname()[1]}", PrintSheet(ZPL * 1_000_000, "ZPL"))
    assert caught.value.begun
    thread.join()
    server.close()


Behaviour = Callable[[socket.socket], None]


@contextmanager
def printer_that(behaves: Behaviour) -> Iterator[str]:
    """A network printer with a receive buffer of some kilobytes that behaves so, once; its target."""
    over = threading.Event()
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        server.bind(("127.0.0.1", 0))
        server.listen()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                behaves(connection)
                over.wait(PATIENCE_S)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        finally:
            over.set()
            thread.join()


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def reset_after_a_moment(connection: socket.socket) -> None:
    time.sleep(0.05)
    reset(connection)


def take_a_part(connection: socket.socket) -> None:
    connection.recv(10)
    reset(connection)


def read_all(connection: socket.socket) -> None:
    while connection.recv(1000):
        continue


def close_when_done(connection: socket.socket) -> None:
    read_all(connection)
    connection.close()


def read_nothing(connection: socket.socket) -> None:
    pass


@pytest.mark.parametrize("behaves", [reset_after_a_moment, take_a_part])
def test_a_printer_that_breaks_off_after_everything_was_sent_has_not_printed(behaves: Behaviour) -> None:
    with printer_that(behaves) as target, pytest.raises(PrinterError, match="broke off") as caught:
        send(target, PrintSheet(ZPL, "ZPL", wait_s=PATIENCE_S))
    assert (caught.value.begun, caught.value.exit_code) == (True, 10)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what was acknowledged")
def test_a_printer_that_does_not_read_has_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "WRITE_S", 0.3)
    with (
        printer_that(read_nothing) as target,
        pytest.raises(PrinterError, match="took a part only") as caught,
    ):
        send(target, PrintSheet(ZPL * 500, "ZPL"))
    assert caught.value.begun


def test_a_printer_that_reads_everything_and_never_closes_has_printed() -> None:
    with printer_that(read_all) as target:
        send(target, PrintSheet(ZPL * 500, "ZPL", wait_s=0.1))


def test_a_printer_that_used_to_close_and_does_not_has_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label is small: the system of a printer that hangs confirms all of it."""
    monkeypatch.setattr(transports, "WRITE_S", 0.3)
    hung = pytest.raises(PrinterError, match="does not close the connection")
    with printer_that(read_nothing) as target, hung as caught:
        send(target, PrintSheet(ZPL, "ZPL", closes=True))
    assert (caught.value.begun, caught.value.exit_code) == (True, 10)


def test_whether_a_printer_closes_the_connection_is_told(tmp_path: Path) -> None:
    with printer_that(close_when_done) as target:
        assert send(target, LABEL) is True
    with printer_that(read_all) as target:
        assert send(target, PrintSheet(ZPL, "ZPL", wait_s=0.1)) is False
    assert send(f"file:{tmp_path}/printer", LABEL) is None


# -- a printer that is asked how it is -----------------------------------------------------------

READY = (
    b"\x02030,0,0,1245,000,0,0,0,000,0,0,0\x03\r\n"
    b"\x02001,0,0,0,1,2,6,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n"
)
TROUBLED = READY.replace(b"030,0,", b"030,1,").replace(b"001,0,0", b"001,0,1")


def zebra(status: bytes, printed: list[bytes]) -> Behaviour:
    """A printer that says how it is when it is asked, in two pieces."""

    def behave(connection: socket.socket) -> None:
        assert connection.recv(3) == b"~HS"
        connection.sendall(status[:20])
        time.sleep(0.01)
        connection.sendall(status[20:])
        printed.append(connection.makefile("rb").read())
        connection.close()

    return behave


def test_a_printer_that_says_it_is_ready_prints() -> None:
    printed: list[bytes] = []
    with printer_that(zebra(READY, printed)) as target:
        send(f"{target}?status", LABEL)
    assert printed == [ZPL]


def test_a_printer_that_says_it_has_trouble_is_sent_nothing() -> None:
    printed: list[bytes] = []
    with (
        printer_that(zebra(TROUBLED, printed)) as target,
        pytest.raises(PrinterError, match="is out of paper and has its head open") as caught,
    ):
        send(f"{target}?status", LABEL)
    assert (caught.value.begun, printed) == (False, [b""])


def test_a_printer_that_does_not_say_how_it_is_is_sent_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "WRITE_S", 0.2)
    with printer_that(read_all) as target, pytest.raises(PrinterError, match="does not answer") as caught:
        send(f"{target}?status", LABEL)
    assert not caught.value.begun


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its spooler")
def test_the_spooler_of_windows_is_on_windows_only() -> None:
    with pytest.raises(PrinterError, match="not Windows"):
        send("windows:Zebra ZD421", LABEL)


# -- the spooler of Windows ------------------------------------------------------------------------


class Spooler:
    """What winspool.drv would be asked; it writes `takes` bytes at once, and one call fails."""

    def __init__(self, takes: int = 1 << 20, fails: str = "") -> None:
        self.takes, self.fails = takes, fails
        self.calls: list[tuple[Any, ...]] = []
        self.content = b""

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*words: Any) -> int:
            self.calls.append((name, *map(self._plain, words)))
            return int(name != self.fails)

        return call

    def OpenPrinterW(self, queue: str, handle: Any, defaults: None) -> int:
        self.calls.append(("OpenPrinterW", queue, defaults))
        handle._obj.value = 7
        return int(self.fails != "OpenPrinterW")

    def StartDocPrinterW(self, handle: Any, level: int, info: Any) -> int:
        told = info._obj
        self.calls.append(
            ("StartDocPrinterW", handle.value, level, told.pDocName, told.pOutputFile, told.pDatatype)
        )
        return int(self.fails != "StartDocPrinterW")

    def WritePrinter(self, handle: Any, content: bytes, length: int, written: Any) -> int:
        assert length == len(content)
        written._obj.value = min(length, self.takes)
        self.content += content[: self.takes]
        return int(self.fails != "WritePrinter")

    @staticmethod
    def _plain(word: Any) -> Any:
        return getattr(word, "value", word)


def test_the_spooler_gets_a_raw_job_with_a_title() -> None:
    spooler = Spooler(takes=5)
    windows.print_raw(spooler, "Zebra ZD421", PrintSheet(ZPL, "ZPL", "label 1Z999"))
    assert spooler.content == ZPL
    assert spooler.calls == [
        ("OpenPrinterW", "Zebra ZD421", None),
        ("StartDocPrinterW", 7, 1, "label 1Z999", None, "RAW"),
        ("StartPagePrinter", 7),
        ("EndPagePrinter", 7),
        ("EndDocPrinter", 7),
        ("ClosePrinter", 7),
    ]


@pytest.mark.parametrize(
    ("fails", "begun", "last"),
    [
        ("OpenPrinterW", False, ["OpenPrinterW"]),
        ("StartDocPrinterW", False, ["ClosePrinter"]),
        ("WritePrinter", True, ["AbortPrinter", "ClosePrinter"]),
        ("EndDocPrinter", True, ["EndDocPrinter", "ClosePrinter"]),
    ],
)
def test_a_spooler_that_fails_is_left_tidy(fails: str, begun: bool, last: list[str]) -> None:
    spooler = Spooler(fails=fails)
    with pytest.raises(PrinterError, match="Zebra") as caught:
        windows.print_raw(spooler, "Zebra", LABEL)
    assert caught.value.begun is begun
    assert [call[0] for call in spooler.calls][-len(last) :] == last
