"""Long files: answered at once, read by the job, and either all of their rows are worked on or none."""

from __future__ import annotations

import shutil
import sys
import threading
import tracemalloc
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.files import data_templates
from shipcli.features.files.batches import items as batch_items
from shipcli.features.files.batches import service as batches
from shipcli.features.files.batches.file_batches import LONG
from shipcli.features.files.batches.items import RESOURCES, WORK
from shipcli.features.files.batches.reading import read_file
from shipcli.features.files.batches.work import BatchRun
from shipcli.features.files.writing import encode_table
from shipcli.features.orders import service as orders
from shipcli.models import BatchOperation, Invalid, InvalidRows, ShipcliError
from shipcli.models.data_template import DataTemplateData, DataTemplatePatch
from tests.features.files.batch_samples import csv_of, done, events, load, statuses
from tests.features.files.rows import charge, line
from tests.features.shipments.purchases import Killed

ROWS = LONG + 20


def long_file(**cells: str) -> list[dict[str, str]]:
    return [line(f"SO-{number}", **cells) for number in range(ROWS)]


def charges() -> list[dict[str, str]]:
    """A file whose rows take little work."""
    return [charge(f"NR{number}") for number in range(ROWS)]


def work_of(app: App, batch: BatchOperation) -> BatchRun:
    return BatchRun(app, batch.id, lambda tx: True, threading.Event())


def files(app: App) -> int:
    return app.store.count_rows("files")


def numbers(app: App, batch: BatchOperation) -> list[str]:
    return [orders.get_order(app, str(one.id)).order_id for one in batch.resources]


# -- good files ------------------------------------------------------------------------------------


def test_a_long_file_is_answered_before_its_rows_are_read(app: App) -> None:
    batch = load(app, "orders", long_file())
    assert (batch.status, batch.resources) == ("queued", [])
    assert (app.store.count("order"), app.store.count_rows(RESOURCES), files(app)) == (0, 0, 1)
    assert [job.args["batch_id"] for job in app.jobs.find(queue="batches")] == [batch.id]


def test_every_row_of_a_long_file_becomes_what_it_says_in_its_order(app: App) -> None:
    batch = done(app, load(app, "orders", long_file()))
    assert (batch.status, set(statuses(batch))) == ("completed", {"completed"})
    assert numbers(app, batch) == [f"SO-{number}" for number in range(ROWS)]
    assert (files(app), app.store.select(WORK)) == (0, [])
    assert events(app) == ["batch_queued", "batch_running", "batch_completed"]


def test_rows_of_one_order_that_stand_far_apart_are_one_resource(app: App) -> None:
    rows = [line("FIRST"), *long_file(), line("FIRST"), line("LAST")]
    batch = done(app, load(app, "orders", rows))
    assert numbers(app, batch)[:2] == ["FIRST", "SO-0"]
    assert numbers(app, batch)[-1] == "LAST"
    assert len(orders.get_order(app, str(batch.resources[0].id)).line_items) == 2


def test_a_long_file_is_read_by_the_template_of_the_day_it_was_sent(app: App) -> None:
    mapping = {"order_id": "Nr"}
    told = {"slug": "mine", "name": "Mine", "resource_type": "orders", "fields_mapping": mapping}
    template = data_templates.create_template(app, DataTemplateData.model_validate(told))
    rows = [{("Nr" if name == "Order number" else name): cell for name, cell in row.items()}
            for row in long_file()]  # fmt: skip
    batch = load(app, "orders", rows, "mine")
    changed = {"fields_mapping": {"order_id": "Number"}}
    data_templates.update_template(app, template.id, DataTemplatePatch.model_validate(changed))
    assert done(app, batch).status == "completed"


def test_the_notes_about_a_long_file_are_kept_with_its_batch(app: App) -> None:
    rows = long_file(Colour="red")
    rows[-1]["Shipping phone"] = rows[3]["Shipping phone"] = "n/a"
    made = load(app, "orders", rows)
    ignored = "1 column ignored: Colour"
    assert [message.message for message in made.messages or []] == [ignored]
    left_out = "row 5 and 1 more row, Shipping phone: 'n/a' stands for nothing and is left out"
    assert [message.message for message in done(app, made).messages or []] == [ignored, left_out]


# -- wrong files -----------------------------------------------------------------------------------


def test_wrong_rows_of_a_long_file_fail_the_batch_by_name_and_nothing_is_worked_on(app: App) -> None:
    rows = long_file()
    rows[7]["Shipping country"], rows[-1]["Item weight"] = "Nowhere", "heavy"
    batch = done(app, load(app, "orders", rows))
    assert (batch.status, statuses(batch)) == ("failed", ["failed"] * 2)
    told = [one.errors["errors"][0] for one in batch.resources if one.errors]
    assert [one["index"] for one in told] == [7, ROWS - 1]
    assert [one["code"] for one in told] == ["invalid_row"] * 2
    assert ["Shipping country" in told[0]["message"], "Item weight" in told[1]["message"]] == [True, True]
    assert (app.store.count("order"), files(app), app.store.select(WORK)) == (0, 0, [])
    assert events(app) == ["batch_queued", "batch_failed"]
    assert app.jobs.find(queue="batches") == []
    assert batches.retry_failed(app, batch.id) == 0


def test_a_row_that_ends_a_long_file_early_is_named(app: App) -> None:
    content = csv_of(charges()) + b"1,2,3,4,5,6,7,8,9,10,11,12\n" + csv_of(charges())
    batch = done(app, load(app, "billing", content))
    assert (batch.status, statuses(batch)) == ("failed", ["failed"])
    assert f"Row {ROWS + 2} has more cells" in str(batch.resources[0].errors)


def test_a_long_file_of_which_no_row_counts_fails(app: App) -> None:
    mapping = {
        "slug": "none", "name": "None", "resource_type": "billing", "fields_mapping": {"amount": "Amount"},
        "rows": {"skip_when_filled": ["Amount"]},
    }  # fmt: skip
    data_templates.create_template(app, DataTemplateData.model_validate(mapping))
    batch = done(app, load(app, "billing", charges(), "none"))
    assert batch.status == "failed"
    assert "no rows to import" in str(batch.resources[0].errors)


@pytest.mark.parametrize("template", [None, "nonsense"])
def test_wrong_columns_of_a_long_file_and_a_wrong_template_are_refused_at_once(
    app: App, template: str | None
) -> None:
    rows = [{"Order number": str(number)} for number in range(ROWS)]
    with pytest.raises(Invalid):
        load(app, "orders", rows, template)
    assert (app.store.count("batch"), files(app), app.jobs.find()) == (0, 0, [])


def test_wrong_rows_of_a_short_file_are_refused_at_once(app: App) -> None:
    rows = [line(str(number)) for number in range(LONG)]
    rows[3]["Shipping country"], rows[-1]["Item weight"] = "Nowhere", "heavy"
    with pytest.raises(InvalidRows) as caught:
        load(app, "orders", rows)
    assert [one["index"] for one in caught.value.items()] == [3, LONG - 1]
    assert (app.store.count("batch"), app.jobs.find()) == (0, [])


# -- cut short -------------------------------------------------------------------------------------


def put_until(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the process end at the writing of a part."""
    left, put = iter(range(most)), batch_items.put

    def put_or_die(*given: Any) -> None:
        if next(left, None) is None:
            raise Killed
        put(*given)

    monkeypatch.setattr(batch_items, "put", put_or_die)


@pytest.mark.parametrize("most", [0, 1, 5, 10])
def test_a_reading_that_was_killed_begins_anew_and_no_row_is_worked_on_before_its_end(
    app: App, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    batch = load(app, "orders", long_file())
    with monkeypatch.context() as patch:
        put_until(patch, most)
        with pytest.raises(Killed):
            batches.run_here(app, batch.id)
    assert batches.get_batch(app, batch.id).status == "queued"
    assert (app.store.count("order"), files(app)) == (0, 1)
    found = done(app, batch)
    assert (found.status, numbers(app, found)) == ("completed", [f"SO-{number}" for number in range(ROWS)])
    assert app.store.count("order") == ROWS


def test_who_lost_the_batch_writes_no_row_after_another_came_to_the_end(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, put = load(app, "billing", charges()), batch_items.put

    def overtaken(*given: Any) -> None:
        monkeypatch.setattr(batch_items, "put", put)
        put(*given)
        threads.append(threading.Thread(target=done, args=(app, batch)))

    threads: list[threading.Thread] = []
    monkeypatch.setattr(batch_items, "put", overtaken)
    slow = work_of(app, batch)
    halting = Halting(threads)
    assert read_file(BatchRun(app, batch.id, slow.done, halting)) is False
    assert halting.looked == 2
    found = batches.get_batch(app, batch.id)
    assert (found.status, len(found.resources)) == ("failed", ROWS)  # there are no such tracking numbers


def test_a_long_file_is_read_later_when_this_machine_could_not_read_it_now(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = long_file()
    batch = load(app, "orders", encode_table("xlsx", list(lines[0]), lines))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", shutil.which("false"))
        with pytest.raises(ShipcliError, match="could not be started"):
            batches.run_here(app, batch.id)
    assert (batches.get_batch(app, batch.id).status, files(app)) == ("queued", 1)
    assert done(app, batch).status == "completed"
    assert app.store.count("order") == ROWS


class Halting(threading.Event):
    """Never halts; before the second part it lets another process do all of the batch."""

    def __init__(self, others: list[threading.Thread]) -> None:
        super().__init__()
        self.others, self.looked = others, 0

    def is_set(self) -> bool:
        self.looked += 1
        for other in self.others:
            other.start()
            other.join()
        return False


def test_a_batch_given_up_before_its_file_was_read_is_failed_and_can_be_tried_again(app: App) -> None:
    batch = load(app, "orders", long_file())
    app.jobs.discard([job.id for job in app.jobs.find(queue="batches")])
    assert batches.give_up_lost(app) == [batch.id]
    assert batches.get_batch(app, batch.id).status == "failed"
    assert batches.retry_failed(app, batch.id) == 1
    assert batches.get_batch(app, batch.id).status == "queued"
    assert done(app, batch).status == "completed"
    assert app.store.count("order") == ROWS


# -- what it takes ---------------------------------------------------------------------------------


def test_a_long_file_is_answered_with_no_more_memory_than_twice_its_size(app: App) -> None:
    content = csv_of([line(f"SO-{number}") for number in range(20_000)])
    load(app, "orders", long_file())  # what is imported once does not count
    tracemalloc.start()
    try:
        load(app, "orders", content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2 * len(content)
