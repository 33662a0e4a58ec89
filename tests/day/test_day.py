"""A packer's day: set up, import, fulfil, print through a jam, ship abroad, void, close the day."""

from __future__ import annotations

import re
import socket
import struct
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.day.bench import Bench
from tests.features.paper.print_samples import Listener

pytestmark = pytest.mark.slow

SHOP = Path(__file__).parent / "files" / "shop.csv"
ADDRESS = "Grace Lund\n77 Massachusetts Ave\nCambridge, MA 02139\n+1 617 555 0199\n"
ABROAD = "Ito Kenji\n1-1 Marunouchi\nTokyo 100-0005\nJapan\n+81 3 5555 0100\n"
QUIET = ""  # Enter


class JammingPrinter(Listener):
    """A network printer that prints so many labels, then takes half of one and breaks off."""

    def __init__(self, good: int) -> None:
        self.good = good
        super().__init__()

    def take(self, connection: socket.socket) -> None:
        """A label, or the first part of one."""
        if len(self.jobs) < self.good:
            super().take(connection)
        else:
            connection.recv(1000)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.fixture
def printer() -> Iterator[JammingPrinter]:
    found = JammingPrinter(good=2)
    yield found
    found.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A short path, so that screens which show it look the same everywhere."""
    with tempfile.TemporaryDirectory(prefix="day") as folder:
        today = datetime.now(UTC).date().isoformat()
        orders = re.sub(r"\b20\d\d-\d\d-\d\d\b", today, SHOP.read_text("utf-8"))
        (Path(folder) / SHOP.name).write_text(orders, "utf-8")
        yield Bench(Path(folder) / "home", Path(folder))


def test_a_day_at_the_packing_table(bench: Bench, printer: JammingPrinter) -> None:
    """KEEP_SCREENS=1 keeps the screens as they are now: read what changed before you commit it."""
    set_up(bench, printer)
    import_and_fulfil(bench)
    print_through_a_jam(bench, printer)
    serve_walk_ins(bench)
    close_the_day(bench)
    print_on_the_second_day(bench, printer)
    assert not bench.compare(), bench.compare()


def set_up(bench: Bench, printer: JammingPrinter) -> None:
    bench.type(
        "setup", "setup",
        ("mode", QUIET),
        ("country", "US"), ("person", "Dock Two"), ("company", "Harbour Goods"),
        ("street", "2600 Benjamin Franklin Pkwy"), ("second", QUIET), ("city", "Philadelphia"),
        ("state", "PA"), ("postal code", "19130"), ("phone", "+1 215 555 0100"), ("e-mail", QUIET),
        ("weight unit", QUIET), ("size unit", QUIET), ("carrier to add", QUIET),
        ("printer [", f"tcp://127.0.0.1:{printer.port}"), ("a name", "dock"), ("speaks", QUIET),
        ("test page", "n"), ("store it", QUIET),
    )  # fmt: skip
    bench.type("box", "parcels presets add M 12x8x4in --tare 3oz")
    bench.type("product", "products set MUG --hs-code 6912.00 --origin CN --value 12.50USD")


def import_and_fulfil(bench: Bench) -> None:
    bench.type("import", "import orders shop.csv --map shopify --set weight=0.8lb")
    bench.type("orders", "orders list")
    bench.type("unlabelled", "eod --check", code=9)
    bench.type("plan", "orders fulfil --unfulfilled --carrier usps,ups --box M --dry-run")
    bench.type("weighed", "orders fulfil 1042 --carrier usps,ups --weight 2lb6oz --box M", ("= buy", QUIET))
    bench.type("fulfil", "orders fulfil --unfulfilled --carrier usps,ups --box M", ("[y/N]", "y"))
    bench.type("pick-list", "documents make picklist --unprinted -o pick.pdf")


def print_through_a_jam(bench: Bench, printer: JammingPrinter) -> None:
    bench.type("what-would-print", "print --unprinted --dry-run")
    bench.type("jam", "print --unprinted", ("[y/N]", "y"), code=10)
    bench.type("queue", "printers queue")
    printer.good = 100
    bench.type("resume", "printers resume 3")
    bench.type("resume-the-rest", "printers resume")
    bench.type("reprint", "reprint --last 2", ("[y/N]", "y"))
    bench.type("second-copy", "print 1042", ("[y/N]", "n"), code=1)
    assert len(printer.jobs) == 6


def serve_walk_ins(bench: Bench) -> None:
    box = "--weight 2lb6oz --box M --carrier ups,usps --reference WALK-IN"
    bench.type("walk-in", f"ship --to - {box} -p", ("empty line", ADDRESS), ("this is the address", QUIET),
               ("that one", QUIET))  # fmt: skip
    place = "--to-line1 '77 Massachusetts Ave' --to-city Cambridge --to-state MA --to-postal-code 02139"
    bench.type("twice", f"ship --to-name 'Grace Lund' {place} {box} --cheapest -y", code=5)
    goods = "--goods MUG:2 --reference TOKYO --carrier ups,usps"
    bench.type("abroad", f"ship --to - --weight 2lb --box M -p {goods}", ("empty line", ABROAD),
               ("this is the address", QUIET), ("that one", QUIET))  # fmt: skip
    bench.type("invoice", "documents make invoice TOKYO -o invoice.pdf")
    bench.type("void", "void WALK-IN", ("[y/N]", "y"))
    bench.type("track", "track 1042")
    bench.type("find", "find okoro")


def close_the_day(bench: Bench) -> None:
    bench.type("ready-to-close", "eod --check")
    bench.type("closed", "eod --print", ("[y/N]", "y"))
    bench.type("manifests", "manifests list")
    bench.type("shipments", "shipments list")
    bench.type("doctor", "doctor")


def print_on_the_second_day(bench: Bench, printer: JammingPrinter) -> None:
    """What went to a file is not offered again, and a finer printer gets the label in its own dots."""
    place = "--to-line1 '77 Massachusetts Ave' --to-city Cambridge --to-state MA --to-postal-code 02139"
    for reference in ("FILED", "NEXT"):
        line = f"--weight 1lb --box M --carrier ups --reference {reference} --cheapest -y"
        bench.type(f"bought-{reference.lower()}", f"ship --to-name 'Grace Lund' {place} {line}")
    bench.type("saved", "labels save FILED -o filed.pdf")
    bench.type("not-offered", "print --unprinted --dry-run")
    bench.type("on-demand", "print --unprinted --saved --dry-run")
    target = f"127.0.0.1:{printer.port}"
    bench.type("finer-printer", f"printers add fine --to {target} --format ZPL --dpi 300 --size 4x6")
    bench.type("in-its-dots", "print FILED --to fine")
    assert b"^PW1200^LL1800" in printer.jobs[-1]
