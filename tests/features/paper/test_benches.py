"""Print jobs of several benches with one store: each is printed by the bench that made it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.sheet import AGAIN
from shipcli.models import Conflict
from tests.features.paper.print_samples import bought, entered, printed

Benches = dict[str, App]


@pytest.fixture
def benches(app: App, tmp_path: Path) -> Iterator[Benches]:
    """Two benches, and a machine that is none, by name."""
    (tmp_path / "spool").mkdir()
    printers.add_printer(app, Printer("dock", f"spool:{tmp_path / 'spool'}", "ZPL"))
    names = ("A", "B", "")
    opened = {
        name: open_app(app.home.parent, sandbox=True, environ={}, flags={"bench": name}) for name in names
    }
    yield opened
    for each in opened.values():
        each.close()


def state(app: App, job: PrintJob) -> str:
    return print_queue.get_job(app, job.number).state


@pytest.mark.parametrize("elsewhere", ["B", ""])
def test_a_job_of_a_bench_is_printed_there_only(benches: Benches, elsewhere: str) -> None:
    job, other = entered(benches["A"], bought(benches["A"])), benches[elsewhere]
    assert print_queue.list_waiting(other) == []
    with pytest.raises(Conflict, match="belongs to the bench A"):
        print_jobs.send(other, job)
    for to in (None, "dock"):
        (refused,) = print_queue.resume(other, [job], to)
        assert isinstance(refused, Conflict)
    assert state(other, job) == "waiting"
    (done,) = print_queue.resume(benches["A"], print_queue.list_waiting(benches["A"]))
    assert isinstance(done, PrintJob)
    assert done.state == "printed"


@pytest.mark.parametrize("bench", ["A", "B", ""])
def test_a_job_without_a_bench_is_printed_by_any(benches: Benches, bench: str) -> None:
    job = entered(benches[""], bought(benches[""]))
    assert print_queue.list_waiting(benches[bench]) == [job]
    assert print_jobs.send(benches[bench], job).state == "printed"
    assert print_queue.list_waiting(benches["A"]) == []


def test_a_label_that_waits_at_another_bench_is_not_taken_up(benches: Benches) -> None:
    shipment = bought(benches["A"])
    job = entered(benches["A"], shipment)
    paper = Paper("label", shipment.id)
    with pytest.raises(Conflict, match=r"waits at the bench A .* printers cancel 1"):
        entered(benches["B"], shipment)
    assert list(print_jobs.list_refusals(benches["B"], [paper])) == [paper]
    print_queue.cancel_job(benches["B"], job.number)
    assert printed(benches["B"], shipment).bench == "B"


def test_another_copy_at_another_bench_replaces_the_job_that_waits(benches: Benches) -> None:
    shipment = bought(benches["A"])
    job = entered(benches["A"], shipment)
    assert printed(benches["B"], shipment, AGAIN).bench == "B"
    assert state(benches["A"], job) == "cancelled"
    assert print_queue.list_waiting(benches["A"]) == []
