"""`shipcli batches`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import check_body, read_bytes, read_file
from shipcli.cli.arguments.selectors import Id, remember, select_one
from shipcli.cli.commands.files.import_file import OldMap
from shipcli.cli.console.error_report import format_message
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note, write
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import PARTIAL_FAILURE
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import BATCHES
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.admin import worker_status
from shipcli.features.core.interruption import Interrupted, defer_interruption, was_interrupted
from shipcli.features.files.batches import items as batch_items
from shipcli.features.files.batches import service as batches
from shipcli.models import batch as models_batch
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from shipcli.models import BatchOperation

COLUMNS = BATCHES.columns
MOST_SHOWN = 20
POLL_S, NO_WORKER_AFTER_S = 0.2, 2.0
EXITS = {"completed": 0, "completed_with_errors": PARTIAL_FAILURE, "failed": 1}

Text = str | None
Body = Annotated[
    str, typer.Argument(metavar="FILE|-", help="JSON body of the API request, or a list of its elements.")
]
Detach = Annotated[bool, typer.Option("--detach", help="Leave the work to the worker and exit.")]


verb = Verbs()


# -- making ----------------------------------------------------------------------------------------


@verb
def orders(file: Body, detach: Detach = False) -> None:
    """Store the orders of a file; existing ones stay as they are.

    Examples:
    shipcli batches orders orders.json
    shipcli batches orders orders.json --detach
    """
    data = _read(models.BatchOrderData, file, "orders")
    if not would(f"store {count_text(len(data.orders), 'order')}"):
        _do(ask(batches.create_orders, data), detach)


@verb
def shipments(file: Body, detach: Detach = False) -> None:
    """Store and rate the shipments of a file; buy those that name a service.

    Examples:
    shipcli batches shipments parcels.json
    shipcli batches shipments parcels.json --detach
    """
    data = _read(models.BatchShipmentData, file, "shipments")
    paid = [
        shipment
        for shipment in data.shipments
        if shipment.service or shipment.options.get("preferred_service")
    ]
    if would(f"store {count_text(len(data.shipments), 'shipment')} and buy {count_text(len(paid), 'label')}"):
        return
    if paid:
        confirm(f"buy {count_text(len(paid), 'label')}")
    _do(ask(batches.create_shipments, data), detach)


@verb
def trackers(file: Body, detach: Detach = False) -> None:
    """Track the numbers of a file.

    Examples:
    shipcli batches trackers numbers.json
    shipcli batches trackers numbers.json --dry-run
    """
    data = _read(models.BatchTrackerData, file, "trackers")
    if not would(f"watch {count_text(len(data.trackers), 'tracking number')}"):
        _do(ask(batches.create_trackers, data), detach)


@verb("import")
def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv, .xls or .xlsx file.")],
    resource_type: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="orders, shipments, trackers or billing.")
    ],
    map: Annotated[
        Text, typer.Option("--map", metavar="SLUG", help="Data template to read the columns with.")
    ] = None,
    detach: Detach = False,
    template: OldMap = None,
) -> None:
    """Import a file in the background.

    Examples:
    shipcli batches import shipments.csv --type shipments
    shipcli batches import trackers.csv --type trackers --detach
    """
    content = read_bytes(file)
    body = check_body(models.ImportData, {"resource_type": resource_type, "data_template": map or template})
    if would(f"import the {resource_type} of {file.name}"):
        return
    if body.resource_type == "shipments":
        confirm(f"import the shipments of {file.name} and buy the labels of those that name a service")
    _do(ask(batches.import_data, body, file.name, content), detach)


def _read(model: Any, file: str, key: str) -> Any:
    """The body in a file, whole; a bare list stands for its list of elements.

    Errors: Usage; InvalidRows naming every wrong element.
    """
    objects = read_file(file)
    is_body = len(objects) == 1 and (key in objects[0] or not _is_element(objects[0]))
    try:
        return check_body(model, objects[0] if is_body else {key: objects})
    except Invalid as error:
        raise models_batch.split_by_row(error, key) from None


def _is_element(value: dict[str, Any]) -> bool:
    """Whether an object looks like an element and not like the body of another command."""
    return bool(value) and not any(key in value for key in ("orders", "shipments", "trackers"))


# -- doing -----------------------------------------------------------------------------------------


def _do(batch: BatchOperation, detach: bool) -> None:
    remember("batch", batch.id)
    if detach:
        note(f"the worker does it; shipcli batches watch {batch.id}")
        show(batch, COLUMNS)
        return
    raise typer.Exit(_report(_finish_batch(batch.id)))


def _finish_batch(batch_id: str) -> BatchOperation:
    """A batch at its end: done here, or followed while another process or a server does it."""
    with ProgressLine() as line:
        try:
            if not get_run().api_url:
                with defer_interruption():
                    batches.run_here(get_run().app, batch_id, line.tell)
                if was_interrupted():
                    raise KeyboardInterrupt
            return _follow(batch_id, line.tell)
        except KeyboardInterrupt:
            on_here = f"the worker goes on with it; here: shipcli batches retry {batch_id} -y"
            raise Interrupted(hint=on_here) from None


def _follow(batch_id: str, tell: Callable[[int, int], None]) -> BatchOperation:
    alone_at = time.monotonic() + NO_WORKER_AFTER_S
    while not batches.is_over(batch := ask(batches.get_batch, batch_id)):
        ended = sum(
            resource.status in (batch_items.COMPLETED, batch_items.FAILED) for resource in batch.resources
        )
        tell(ended, len(batch.resources))
        if time.monotonic() > alone_at:
            alone_at = float("inf")
            _tell_if_nobody_works(batch_id)
        time.sleep(POLL_S)
    return batch


def _tell_if_nobody_works(batch_id: str) -> None:
    """Another server has a worker of its own, as far as we know."""
    if get_run().api_url:
        return

    app = get_run().app
    if not worker_status.list_workers(app) and not app.jobs.find(state="running", queue="batches", limit=1):
        note(f"nobody works on it: shipcli worker, or shipcli batches retry {batch_id} -y")


class ProgressLine:
    """How far a batch is, on standard error: one line that changes on a terminal, some lines elsewhere."""

    def __init__(self) -> None:
        self._last = ""
        self._quarter = -1
        self._live = sys.stderr.isatty()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live and self._last:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def tell(self, ended: int, total: int) -> None:
        text = f"{ended} of {total} done"
        if text == self._last or get_run().options.quiet:
            return
        self._last = text
        if self._live:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        elif (quarter := ended * 4 // max(total, 1)) != self._quarter:
            self._quarter = quarter
            write(text)


def _report(batch: BatchOperation, *, some_failed: int | None = None) -> int:
    """The batch on standard output, what failed on standard error; the exit code."""
    failed = [(at, resource) for at, resource in enumerate(batch.resources, 1) if resource.status == "failed"]
    for at, resource in failed[:MOST_SHOWN]:
        write(
            f"row {at}{f', {resource.id}' if resource.id else ''}: {_describe_reason(resource.errors or {})}"
        )
    if len(failed) > MOST_SHOWN:
        note(f"{len(failed) - MOST_SHOWN} more failed: shipcli batches get {batch.id} --json")
    show(batch, COLUMNS)
    return some_failed if failed and some_failed is not None else EXITS[batch.status]


def _describe_reason(errors: dict[str, Any]) -> str:
    messages = [
        format_message(models.Message.model_validate(message)) for message in errors.get("messages") or ()
    ]
    reasons = [str(error.get("message") or error.get("code")) for error in errors.get("errors") or ()]
    return "; ".join(messages + reasons) or "failed"


# -- later -----------------------------------------------------------------------------------------


@verb
def watch(id: Id) -> None:
    """Follow a batch to its end; the exit code tells the outcome.

    Examples:
    shipcli batches watch @last
    shipcli batches watch @last --json=status
    """
    with ProgressLine() as line:
        batch = _follow(select_one("batch", id), line.tell)
    raise typer.Exit(_report(batch))


@verb
def retry(
    id: Id,
    failed: Annotated[bool, typer.Option("--failed", help="Retry the failed elements.")] = False,
    detach: Detach = False,
) -> None:
    """Retry the failed elements of a batch, or continue an interrupted one.

    Examples:
    shipcli batches retry @last --failed
    shipcli batches retry @last --failed --detach
    """
    app, chosen = get_run().app, select_one("batch", id)
    batch = batches.get_batch(app, chosen)
    wrong = [resource for resource in batch.resources if resource.status == "failed"]
    if batches.is_over(batch) and wrong and not failed:
        raise Usage(f"{count_text(len(wrong), 'resource')} failed; say --failed to try again")
    if batches.is_over(batch) and not wrong:
        raise typer.Exit(_report(batch))
    what = (
        f"try {count_text(len(wrong), 'failed resource')} again"
        if batches.is_over(batch)
        else "go on with the batch"
    )
    if would(what):
        return
    if batch.resource_type == "shipments":
        confirm(f"{what}; labels may be bought")
    if batches.is_over(batch):
        batches.retry_failed(app, chosen)
    if detach:
        note("the worker does it")
        show(batches.get_batch(app, chosen), COLUMNS)
    else:
        raise typer.Exit(_report(_finish_batch(chosen), some_failed=PARTIAL_FAILURE))
