"""Labels through a real CUPS: one of its own on this machine, whose queue ends at a listener."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from shipcli.features.core.app import App
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.sheet import PrinterError
from tests.features.paper.print_samples import Listener, bought, codes, printed, seen
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.slow
CUPSD = shutil.which("cupsd", path=f"/usr/sbin:{os.environ.get('PATH', '')}")
TOOLS = all(map(shutil.which, ("lp", "lpstat")))

DAEMON = """
Listen 127.0.0.1:{port}
Listen {folder}/sock
LogLevel warn
Browsing Off
WebInterface No
DefaultAuthType None
JobRetryInterval 1
<Location />
  Order allow,deny
  Allow from 127.0.0.1
</Location>
<Policy default>
  <Limit All>
    Order allow,deny
    Allow from 127.0.0.1
  </Limit>
</Policy>
"""
FILES = """
ServerRoot {folder}/etc
RequestRoot {folder}/spool
CacheDir {folder}/cache
StateDir {folder}/state
TempDir {folder}/spool/tmp
PageLog {folder}/page_log
AccessLog {folder}/access_log
ErrorLog {folder}/error_log
FileDevice Yes
"""
QUEUE = """
<Printer dock>
DeviceURI socket://127.0.0.1:{printer}
State Idle
Accepting Yes
Shared No
ErrorPolicy retry-current-job
</Printer>
"""


@dataclass(frozen=True)
class Cups:
    """A print system: its address, and the listener its queue `dock` sends to."""

    server: str
    listener: Listener


def require_cups() -> None:
    """Skip where CUPS is not installed; fail where the tests of everybody run."""
    if CUPSD and TOOLS:
        return
    reason = "needs CUPS (Debian package cups): cupsd, lp, lpstat"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def cups(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cups]:
    require_cups()
    listener, port = Listener(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="shipcli-cups-"))  # short: a socket lies in it; open to the user lp
    for path in (folder, *(folder / name for name in ("etc", "spool", "spool/tmp", "cache", "state"))):
        path.mkdir(exist_ok=True)
        path.chmod(0o777)
    facts = {"folder": folder, "port": port, "printer": listener.port}
    (folder / "cupsd.conf").write_text(DAEMON.format(**facts))
    (folder / "cups-files.conf").write_text(FILES.format(**facts))
    (folder / "etc" / "printers.conf").write_text(QUEUE.format(**facts))
    server = f"127.0.0.1:{port}"
    command = [str(CUPSD), "-f", "-c", str(folder / "cupsd.conf"), "-s", str(folder / "cups-files.conf")]
    daemon = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    monkeypatch.setenv("CUPS_SERVER", server)
    try:
        await_queue(server, daemon, folder)
        yield Cups(server, listener)
    finally:
        daemon.terminate()
        _, said = daemon.communicate(timeout=PATIENCE_S)
        listener.close()
        shutil.rmtree(folder, ignore_errors=True)
    assert daemon.returncode in (0, -15), said


def await_queue(server: str, daemon: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(200):
        with suppress(OSError):
            done = subprocess.run(
                ["lpstat", "-h", server, "-p", "dock"], capture_output=True, check=False, text=True
            )
            if done.returncode == 0 and "dock" in done.stdout:
                return
        assert daemon.poll() is None, daemon.communicate()
        time.sleep(0.05)
    log = folder / "error_log"
    pytest.fail(log.read_text() if log.exists() else "cupsd does not answer")


def arrived(cups: Cups) -> bytes:
    assert cups.listener.printed.acquire(timeout=PATIENCE_S)
    return cups.listener.jobs[-1]


def test_a_label_in_the_printers_language_arrives_untouched(cups: Cups, app: App) -> None:
    shipment = bought(app, label_type="ZPL")
    printers.add_printer(app, Printer("zebra", "cups:dock", "ZPL"))
    job = printed(app, shipment)
    kept = app.store.file(shipment.id, "label")
    assert kept is not None
    content = arrived(cups)
    assert (job.state, content) == ("printed", kept["content"])
    assert shipment.tracking_number in codes(seen(content))


def test_a_page_arrives_and_can_be_read(cups: Cups, app: App) -> None:
    shipment = bought(app)
    printers.add_printer(app, Printer("laser", "cups:dock", "PDF"))
    printed(app, shipment)
    assert shipment.tracking_number in codes(seen(arrived(cups)))


def test_copies_are_made_by_the_queue(cups: Cups, app: App) -> None:
    shipment = bought(app, label_type="ZPL")
    printers.add_printer(app, Printer("zebra", "cups:dock", "ZPL", copies=2))
    printed(app, shipment)
    assert arrived(cups).count(b"^XA") == 2


def test_a_queue_that_is_not_there_leaves_the_job_waiting(cups: Cups, app: App) -> None:
    shipment = bought(app, label_type="ZPL")
    printers.add_printer(app, Printer("zebra", "cups:nowhere", "ZPL"))
    with pytest.raises(PrinterError, match="nowhere"):
        printed(app, shipment)
    printers.add_printer(app, Printer("zebra", "cups:dock", "ZPL"), replace=True)
    list(print_queue.resume(app, print_queue.list_waiting(app)))
    assert arrived(cups).startswith(b"^XA")
    assert len(cups.listener.jobs) == 1


def test_a_print_system_that_is_down_leaves_the_job_waiting(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_cups()
    monkeypatch.setenv("CUPS_SERVER", f"127.0.0.1:{free_port()}")
    shipment = bought(app, label_type="ZPL")
    printers.add_printer(app, Printer("zebra", "cups:dock", "ZPL"))
    (job,) = print_jobs.enqueue(app, [Paper("label", shipment.id)])
    assert isinstance(job, PrintJob)
    with pytest.raises(PrinterError) as caught:
        print_jobs.send(app, job)
    assert caught.value.exit_code == 10
    assert print_queue.get_job(app, job.number).state == "waiting"
