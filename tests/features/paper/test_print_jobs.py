"""Print jobs: nothing is lost, nothing prints twice by itself, and what arrives is the label."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from shipcli.bootstrap import open_app
from shipcli.drawing.formats.zpl_reader import read_zpl
from shipcli.features.core.app import App
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing import printers, printouts, transports
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.sheet import AGAIN, FIRST, PrinterError, PrintSheet
from shipcli.features.paper.printing.spooled_documents import print_trial_page
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, Invalid, NotFound, Shipment
from tests.factories import PARCEL, draft
from tests.features.paper.print_samples import Listener, bought, codes, entered, printed, seen
from tests.processes import PATIENCE_S


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    folder = tmp_path / "spool"
    folder.mkdir()
    return folder


@pytest.fixture
def dock(app: App, spool: Path) -> Printer:
    """A printer for labels that is a folder; remove the folder, and it is off."""
    return printers.add_printer(app, Printer("dock", f"spool:{spool}", "ZPL"))


def ids(shipments: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(one["id"]) for one in shipments]


def state(app: App, job: PrintJob) -> str:
    return print_queue.get_job(app, job.number).state


# -- what arrives ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["ZPL", "PDF", "PNG"])
@pytest.mark.parametrize("stored", ["ZPL", "PDF", "PNG"])
def test_a_network_printer_gets_the_label_in_its_own_language(
    app: App, listener: Listener, stored: str, format: str
) -> None:
    shipment = bought(app, label_type=stored)
    printers.add_printer(app, Printer("net", f"tcp://127.0.0.1:{listener.port}", format))
    job = printed(app, shipment)
    assert listener.printed.acquire(timeout=PATIENCE_S)
    (content,) = listener.jobs
    image = Image.open(BytesIO(content)) if format == "PNG" else seen(content)
    assert shipment.tracking_number in codes(image)
    assert (job.state, job.format, job.title) == ("printed", format, shipment.tracking_number)


@pytest.mark.parametrize("stored", ["ZPL", "PDF"])
def test_a_label_fills_the_paper_of_a_finer_printer(app: App, listener: Listener, stored: str) -> None:
    shipment = bought(app, label_type=stored)
    printers.add_printer(app, Printer("fine", f"tcp://127.0.0.1:{listener.port}", "ZPL", 300))
    printed(app, shipment)
    assert listener.printed.acquire(timeout=PATIENCE_S)
    (page,) = read_zpl(listener.jobs[0], 300)
    assert (page.width, page.height) == (1200, 1800)
    assert shipment.tracking_number in codes(seen(listener.jobs[0], 300))


def test_a_label_that_fits_is_sent_as_the_carrier_made_it(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app, label_type="ZPL")
    printed(app, shipment)
    (file,) = spool.iterdir()
    kept = app.store.file(shipment.id, "label")
    assert kept is not None
    assert file.read_bytes() == kept["content"]
    assert file.name.startswith("label-")


def test_pages_are_fitted_to_the_paper_of_a_printer(app: App, spool: Path) -> None:
    shipment = bought(app)
    printers.add_printer(app, Printer("a6", f"spool:{spool}", "PDF", size="105x148mm"))
    printed(app, shipment)
    (file,) = spool.iterdir()
    document = pypdfium2.PdfDocument(file)
    assert document.get_page_size(0) == pytest.approx((297.6, 419.5), abs=1)
    document.close()
    assert shipment.tracking_number in codes(seen(file.read_bytes()))


def test_every_parcel_has_its_label_on_the_roll(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app, parcels=[PARCEL, PARCEL])
    printed(app, shipment)
    (file,) = spool.iterdir()
    assert file.read_bytes().count(b"^XA") == 2


def test_a_label_no_printer_language_can_be_made_of_ends_its_job(app: App, dock: Printer) -> None:
    shipment = bought(app, label_type="ZPL")
    with app.store.transaction() as tx:
        tx.put_file(shipment.id, "label", b"^XA^XFR:LOGO^FS^XZ", format="ZPL", media_type="x")
    job = entered(app, shipment)
    printers.add_printer(app, Printer("dock", dock.target, "PDF"), replace=True)
    with pytest.raises(Invalid, match="can't be printed as PDF on dock"):
        print_jobs.send(app, job)
    assert state(app, job) == "cancelled"


def test_a_slip_and_an_invoice_go_to_the_printers_of_their_kind(
    app: App, dock: Printer, spool: Path, tmp_path: Path
) -> None:
    pytest.importorskip("reportlab")
    paper = tmp_path / "paper"
    paper.mkdir()
    printers.add_printer(app, Printer("laser", f"spool:{paper}", "PDF", kinds=("slip", "invoice")))
    home, abroad = bought(app), bought(app)
    with app.store.transaction() as tx:
        tx.put_file(abroad.id, "invoice", b"%PDF-1.4 invoice", format="PDF", media_type="application/pdf")
    labels = [Paper("label", one.id, "dock") for one in (home, abroad)]
    wanted = [one for label in labels for one in printouts.list_papers(label, slip=True, invoice=True)]
    done = list(printouts.print_all(app, printouts.drop_missing_invoices(app, wanted)))
    assert [(job.kind, job.object_id, job.printer) for job in done] == [
        ("label", home.id, "dock"), ("slip", home.id, "laser"),
        ("label", abroad.id, "dock"), ("slip", abroad.id, "laser"), ("invoice", abroad.id, "laser"),
    ]  # fmt: skip
    files = sorted(paper.iterdir())
    assert [file.name.partition("-")[0] for file in files] == ["invoice", "slip", "slip"]
    assert str(home.tracking_number) in codes(seen(files[1].read_bytes()))


# -- printers that are off -------------------------------------------------------------------------


def test_a_printer_that_is_off_leaves_the_job_waiting_and_resuming_sends_it_once(
    app: App, dock: Printer, spool: Path
) -> None:
    shipment = bought(app)
    spool.rmdir()
    with pytest.raises(PrinterError) as caught:
        printed(app, shipment)
    assert (caught.value.exit_code, caught.value.begun) == (10, False)
    assert "shipcli printers resume" in caught.value.hint
    (waiting,) = print_queue.list_waiting(app)
    assert waiting.error is not None
    spool.mkdir()
    (done,) = print_queue.resume(app, print_queue.list_waiting(app))
    assert isinstance(done, PrintJob)
    assert (done.number, done.state) == (waiting.number, "printed")
    assert list(print_queue.resume(app, print_queue.list_waiting(app))) == []
    assert len(list(spool.iterdir())) == 1


def test_printing_again_takes_up_the_job_that_waits(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app)
    first = entered(app, shipment)
    assert printed(app, shipment).number == first.number
    assert (len(list(spool.iterdir())), print_queue.list_waiting(app)) == (1, [])


def test_all_labels_of_a_run_wait_when_the_first_fails(app: App, dock: Printer, spool: Path) -> None:
    ids = [bought(app).id for _ in range(3)]
    spool.rmdir()
    with pytest.raises(PrinterError, match="was not printed") as caught:
        list(printouts.print_all(app, [Paper("label", one) for one in ids]))
    assert "3 jobs wait" in caught.value.hint
    assert [job.object_id for job in print_queue.list_waiting(app)] == ids


def test_a_printer_that_is_off_is_asked_once_and_the_others_go_on(
    app: App, dock: Printer, spool: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = printers.add_printer(app, Printer("other", f"spool:{tmp_path / 'other'}", "ZPL"))
    jobs = [
        one
        for name in ("dock", "dock", other.name)
        for one in print_jobs.enqueue(app, [Paper("label", bought(app).id, name)])
    ]
    spool.rmdir()
    found = list(print_queue.resume(app, [job for job in jobs if isinstance(job, PrintJob)]))
    assert [type(one) for one in found] == [PrinterError, PrintJob]
    assert [job.printer for job in print_queue.list_waiting(app)] == ["dock", "dock"]


def test_a_job_is_sent_to_another_printer(app: App, dock: Printer, spool: Path, tmp_path: Path) -> None:
    job = entered(app, bought(app))
    (tmp_path / "other").mkdir()
    (done,) = print_queue.resume(app, [job], f"spool:{tmp_path / 'other'}")
    assert isinstance(done, PrintJob)
    assert done.printer == f"spool:{tmp_path / 'other'}"
    assert (list(spool.iterdir()), len(list((tmp_path / "other").iterdir()))) == ([], 1)


def test_a_printer_that_jobs_wait_for_is_not_removed(app: App, dock: Printer) -> None:
    job = entered(app, bought(app))
    with pytest.raises(Conflict, match="1 job waits for dock"):
        printers.remove_printer(app, "dock")
    print_queue.cancel_job(app, job.number)
    printers.remove_printer(app, "dock")


# -- never twice -----------------------------------------------------------------------------------


def break_off(target: str, sheet: PrintSheet) -> None:
    raise PrinterError("the line went dead", begun=True)


def test_a_printer_that_broke_off_leaves_the_job_to_a_person(
    app: App, dock: Printer, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment = bought(app)
    with monkeypatch.context() as patch:
        patch.setattr(transports, "send", break_off)
        with pytest.raises(PrinterError, match="may be printed in part"):
            printed(app, shipment)
    (job,) = print_queue.list_jobs(app)
    assert (job.state, print_queue.list_waiting(app)) == ("unknown", [])
    with pytest.raises(Conflict, match=f"printers resume {job.number}"):
        printed(app, shipment)
    assert printouts.list_unprinted(app) == ([], [job])
    (done,) = print_queue.resume(app, [job])
    assert isinstance(done, PrintJob)
    assert (done.state, len(list(spool.iterdir()))) == ("printed", 1)


class Jamming:
    """A network printer that takes what it gets and closes the connection, until it is jammed."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.target = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self.is_jammed: bool | None = False
        self._held: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._server.accept()
            self._held.append(connection)
            if self.is_jammed is None:
                return
            if not self.is_jammed:
                while connection.recv(65536):
                    continue
                connection.close()

    def close(self) -> None:
        self.is_jammed = None
        socket.create_connection(self._server.getsockname()).close()
        self._thread.join()
        for one in (*self._held, self._server):
            one.close()


@pytest.fixture
def jamming() -> Iterator[Jamming]:
    found = Jamming()
    yield found
    found.close()


def test_a_printer_that_stops_closing_the_connection_leaves_the_job_to_a_person(
    app: App, jamming: Jamming, monkeypatch: pytest.MonkeyPatch
) -> None:
    printers.add_printer(app, Printer("net", jamming.target, "PDF"))
    monkeypatch.setattr(transports, "WRITE_S", 0.3)
    assert printed(app, bought(app)).state == "printed"
    jamming.is_jammed = True
    with pytest.raises(PrinterError, match="may be printed in part"):
        printed(app, bought(app))
    assert [job.state for job in print_queue.list_jobs(app)] == ["unknown"]


def test_a_test_page_forgets_how_the_printer_behaved_before(
    app: App, jamming: Jamming, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transports, "WRITE_S", 0.3)
    printers.add_printer(app, Printer("net", jamming.target, "PDF"))
    printed(app, bought(app))
    jamming.is_jammed = True  # or one that never closes stands in its place
    print_trial_page(app, printers.get_printer_named(app, "net"))
    assert printed(app, bought(app)).state == "printed"


def test_a_doubtful_job_is_settled_by_what_a_person_saw(
    app: App, dock: Printer, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_it, missing = bought(app), bought(app)
    with monkeypatch.context() as patch:
        patch.setattr(transports, "send", break_off)
        for one in (seen_it, missing):
            with pytest.raises(PrinterError):
                printed(app, one)
    there, gone = reversed(print_queue.list_jobs(app))
    assert print_queue.cancel_job(app, there.number, printed=True).state == "printed"
    assert print_queue.cancel_job(app, gone.number).state == "cancelled"
    assert ids(printouts.list_unprinted(app)[0]) == [missing.id]
    with pytest.raises(Conflict):
        print_queue.cancel_job(app, there.number)


def test_a_reprint_replaces_a_doubtful_job(
    app: App, dock: Printer, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment = bought(app)
    with monkeypatch.context() as patch:
        patch.setattr(transports, "send", break_off)
        with pytest.raises(PrinterError):
            printed(app, shipment)
    again = printed(app, shipment, AGAIN)
    assert (again.copy, again.state) == (2, "printed")
    assert [job.state for job in print_queue.list_jobs(app, states=())] == ["printed", "replaced"]
    assert list(print_queue.resume(app, print_queue.list_waiting(app))) == []


def test_a_reprint_leaves_no_job_waiting_behind(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app)
    entered(app, shipment)
    printed(app, shipment, AGAIN)
    assert print_queue.list_waiting(app) == []
    assert len(list(spool.iterdir())) == 1


def test_a_finished_job_is_not_resumed(app: App, dock: Printer, spool: Path) -> None:
    job = printed(app, bought(app))
    (refused,) = print_queue.resume(app, [job])
    assert isinstance(refused, Conflict)
    assert "shipcli reprint" in refused.message
    assert len(list(spool.iterdir())) == 1


def test_a_job_that_was_sent_meanwhile_is_not_sent_again(app: App, dock: Printer, spool: Path) -> None:
    job = entered(app, bought(app))
    print_jobs.send(app, job)
    with pytest.raises(Conflict):
        print_jobs.send(app, job)
    assert len(list(spool.iterdir())) == 1


def test_a_job_that_became_doubtful_meanwhile_is_not_sent_by_a_general_resume(
    app: App, dock: Printer, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered(app, bought(app))
    listed = print_queue.list_waiting(app)
    with monkeypatch.context() as patch:
        patch.setattr(transports, "send", break_off)
        list(print_queue.resume(app, listed))
    (refused,) = print_queue.resume(app, listed)
    assert isinstance(refused, Conflict)
    assert list(spool.iterdir()) == []


def test_a_job_that_is_being_sent_is_left_alone(
    app: App, dock: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipment, refused = bought(app), []

    def meanwhile(target: str, sheet: PrintSheet) -> None:
        for copy_rule in ("", AGAIN, FIRST):
            with pytest.raises(Conflict, match="is being printed") as caught:
                entered(app, shipment, copy_rule)
            refused.append(caught.value.exit_code)

    monkeypatch.setattr(transports, "send", meanwhile)
    assert printed(app, shipment).state == "printed"
    assert refused == [5, 5, 5]


def test_a_sender_not_heard_of_for_long_is_taken_for_dead(
    app: App, dock: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = entered(app, bought(app))
    with app.store.transaction() as tx:
        tx.update(
            "print_jobs",
            {"number": job.number},
            {"state": "sending", "owner": "elsewhere@x/1/2", "until": 1.0},
        )
    assert state(app, job) == "unknown"


def test_two_runs_of_the_unprinted_print_each_label_once(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app)
    assert ids(printouts.list_unprinted(app)[0]) == [shipment.id]
    printed(app, shipment, FIRST)
    assert printouts.list_unprinted(app) == ([], [])
    with pytest.raises(Conflict, match="was printed before on dock"):
        printed(app, shipment, FIRST)
    assert printed(app, shipment).copy == 2


def _kill_while_sending(app: App, shipment: Shipment, *, after: bool) -> App:
    """Print in a process that dies before or after it has sent the paper; returns the app as opened anew."""
    home = app.home.parent
    app.close()
    pid = os.fork()
    if pid == 0:
        real = transports.send

        def dying(target: str, sheet: PrintSheet) -> None:
            if after:
                real(target, sheet)
            os.kill(os.getpid(), signal.SIGKILL)

        transports.send = dying
        try:
            printed(open_app(home, sandbox=True, environ={}), shipment)
        finally:
            os._exit(3)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
    return open_app(home, sandbox=True, environ={})


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@needs_fork
@pytest.mark.parametrize("after", [False, True])
def test_a_job_killed_while_it_is_sent_is_unknown_and_not_sent_by_itself(
    app: App, tmp_path: Path, after: bool
) -> None:
    paper = tmp_path / "paper"
    printers.add_printer(app, Printer("dock", f"file:{paper}", "ZPL"))
    shipment = bought(app)
    again = _kill_while_sending(app, shipment, after=after)
    (job,) = print_queue.list_jobs(again)
    assert (job.state, print_queue.list_waiting(again)) == ("unknown", [])
    with pytest.raises(Conflict, match="may have been printed"):
        printed(again, shipment)
    once = paper.read_bytes() if after else b""
    list(print_queue.resume(again, [job]))
    assert state(again, job) == "printed"
    assert paper.read_bytes().count(b"^XA") == 1 + once.count(b"^XA")
    again.close()


@needs_fork
@pytest.mark.parametrize("is_taken", [False, True])
def test_a_spool_folder_tells_that_a_job_was_sent_before_the_kill(
    app: App, dock: Printer, spool: Path, is_taken: bool
) -> None:
    """Also when the program that watches the folder has taken the file."""
    shipment = bought(app)
    again = _kill_while_sending(app, shipment, after=True)
    if is_taken:
        for file in spool.iterdir():
            file.unlink()
    (job,) = print_queue.list_jobs(again, states=())
    assert job.state == "printed"
    assert printouts.list_unprinted(again) == ([], [])
    again.close()


@needs_fork
def test_a_spool_folder_tells_that_a_job_was_not_sent_before_the_kill(
    app: App, dock: Printer, spool: Path
) -> None:
    shipment = bought(app)
    again = _kill_while_sending(app, shipment, after=False)
    (job,) = print_queue.list_jobs(again)
    assert job.state == "waiting"
    assert printed(again, shipment).state == "printed"
    assert [file.name[0] for file in spool.iterdir()] == ["l"]
    again.close()


def test_a_job_is_on_disk_before_its_first_byte_goes_out(
    app: App, dock: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, states = open_app(app.home.parent, sandbox=True, environ={}), []
    monkeypatch.setattr(
        transports, "send", lambda *_: states.extend(job.state for job in print_queue.list_jobs(other))
    )
    printed(app, bought(app))
    assert states == ["sending"]
    other.close()


# -- what must not be printed ----------------------------------------------------------------------


def test_a_voided_label_is_refused(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app)
    shipments.cancel_shipment(app, shipment.id)
    for copy_rule in ("", AGAIN, FIRST):
        with pytest.raises(Conflict, match="voided"):
            printed(app, shipment, copy_rule)
    assert (list(spool.iterdir()), print_queue.list_jobs(app, states=())) == ([], [])


def test_a_label_voided_while_its_job_waits_is_never_sent(app: App, dock: Printer, spool: Path) -> None:
    shipment = bought(app)
    job = entered(app, shipment)
    shipments.cancel_shipment(app, shipment.id)
    (refused,) = print_queue.resume(app, print_queue.list_waiting(app))
    assert isinstance(refused, Conflict)
    assert (state(app, job), list(spool.iterdir())) == ("cancelled", [])


def test_a_draft_has_no_label_to_print(app: App, dock: Printer) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    with pytest.raises(NotFound, match="has no label"):
        printed(app, made)


def test_jobs_of_the_other_mode_are_not_seen(app: App, dock: Printer) -> None:
    entered(app, bought(app))
    live = app.in_mode(False)
    assert (print_queue.list_jobs(live), print_queue.list_waiting(live)) == ([], [])
    with pytest.raises(NotFound):
        print_queue.get_job(live, 1)


# -- order -----------------------------------------------------------------------------------------


def test_labels_are_grouped_by_what_is_in_them(app: App) -> None:
    def holding(*skus: str) -> str:
        items = [{"sku": sku, "title": sku, "weight": 1, "weight_unit": "LB", "quantity": 1} for sku in skus]
        return bought(app, parcels=[{**PARCEL, "items": items}]).id

    cup, bare, mug, both, cup2 = (
        holding("CUP"),
        holding(),
        holding("MUG"),
        holding("MUG", "CUP"),
        holding("CUP"),
    )
    found, _ = printouts.list_unprinted(app)
    assert ids(found) == [cup, bare, mug, both, cup2]
    assert ids(printouts.sort_shipments(found, "sku")) == [cup, cup2, both, mug, bare]
    with pytest.raises(Invalid):
        printouts.sort_shipments(found, "colour")


def test_a_trial_page_says_what_the_printer_is(app: App, listener: Listener) -> None:
    printers.add_printer(app, Printer("net", f"tcp://127.0.0.1:{listener.port}", "ZPL", 300, "4x6"))
    print_trial_page(app, printers.get_printer_named(app, "net"))
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert "TEST123" in codes(seen(listener.jobs[0], 300))


def test_a_trial_needs_a_printer_that_answers(app: App) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    with pytest.raises(PrinterError, match="does not answer"):
        print_trial_page(app, printers.get_printer_named(app, f"tcp://127.0.0.1:{port}"))
