"""`shipcli worker`: background work, and a look at it."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.arguments.listing import Limit
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import MOST_COUNTED, show, show_first, show_list
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import tools
from shipcli.models import sandbox as bodies
from shipcli.models.basics.errors import NotFound
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.basics.text import count_text
from shipcli.store import jobs as store_jobs

if TYPE_CHECKING:
    from shipcli.worker import Worker

verb = Verbs()
COLUMNS = ("id", "queue", "name", "state", "attempts", "run_at", "error")
ACTIONS = ("list", "retry", "discard")


@verb
def run(
    once: Annotated[bool, typer.Option("--once", help="Do what is due now and exit, for cron.")] = False,
    queues: Annotated[
        str | None,
        typer.Option(
            "--queues",
            metavar="A,B",
            help="Only these: webhooks, mails, hooks, trackers, purchases, batches, care.",
        ),
    ] = None,
) -> None:
    """Do background work: deliver webhooks, send mails, refresh trackers, settle purchases.

    Examples:
    shipcli worker --once
    shipcli worker
    shipcli worker --queues webhooks,trackers
    """
    from shipcli.worker import Worker

    app = get_run().app
    named = _read_queues(queues)
    worker = Worker(app, queues=named)
    if would(f"do {sum(row['ready'] for row in app.jobs.count().values())} waiting jobs"):
        return
    _stop_on_signals(worker)
    if once:
        worker.run_once()
    else:
        note(f"the worker serves {', '.join(named) or 'all queues'} of {app.store.place}; Ctrl-C ends it")
        worker.run()


def _read_queues(text: str | None) -> list[str]:
    """The queues of a list; those of single webhooks are `webhooks/ID`.

    Errors: Usage for one that no worker serves.
    """
    from shipcli.worker import QUEUES

    names = split_names(text)
    for name in names:
        if name.partition("/")[0] not in QUEUES:
            raise Usage(f"--queues: {describe_unknown(name, QUEUES)}")
    return list(names)


def _stop_on_signals(worker: Worker) -> None:
    """The first signal ends the worker cleanly, the second one at once."""

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        worker.stop()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


@verb
def status() -> None:
    """Show the number of jobs that wait, run and failed, and the workers.

    Examples:
    shipcli worker status
    shipcli worker status --json
    """
    show(ask(tools.get_worker_status))


@verb
def jobs(
    action: Annotated[
        str, typer.Argument(metavar="[list|retry|discard]", help="What to do with jobs.")
    ] = "list",
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Jobs, by id or its beginning.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="STATE", help="Only jobs in this state: ready, running or failed."),
    ] = None,
    queue: Annotated[
        str | None, typer.Option("--queue", metavar="QUEUE", help="Only jobs of this queue.")
    ] = None,
    limit: Limit = 100,
) -> None:
    """List jobs, retry failed ones, or discard them.

    Examples:
    shipcli worker jobs
    shipcli worker jobs --state failed --json
    shipcli worker jobs --queue webhooks --limit 20
    """
    if action not in ACTIONS:
        raise Usage(f"say what to do with jobs: {', '.join(ACTIONS)}, not {action!r}")
    if action == "list":
        _list(ids, state, queue, limit)
    else:
        _change(action, ids or _list_jobs(state, queue))


def _list(ids: Sequence[str] | None, state: str | None, queue: str | None, limit: int) -> None:
    if state and state not in store_jobs.STATES:
        raise Usage(f"--state is {', '.join(store_jobs.STATES)}, not {state!r}")
    jobs = ask(tools.list_jobs, state=state, queue=queue, limit=None if ids else limit + MOST_COUNTED)
    chosen = [job for job in jobs if not ids or job["id"].startswith(tuple(ids))]
    show_first(chosen, len(chosen) if ids else limit, COLUMNS)


def _list_jobs(state: str | None, queue: str | None) -> list[str]:
    """The jobs of a state or queue, for those who name none."""
    if not state and not queue:
        raise Usage("name jobs, or --state failed, or a --queue")
    return [job["id"] for job in ask(tools.list_jobs, state=state, queue=queue)]


def _change(action: str, ids: Sequence[str]) -> None:
    if would(f"{action} {count_text(len(ids), 'job')}"):
        return
    if action == "discard":
        confirm(f"discard {count_text(len(ids), 'job')}")
    change = tools.retry_jobs if action == "retry" else tools.discard_jobs
    done = ask(change, bodies.JobsData(ids=list(ids)))
    if ids and not done:
        raise NotFound("job", ids[0])
    show_list(done, ("id",))
