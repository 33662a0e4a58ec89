"""`shipcli sandbox`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from shipcli.cli.commands.server.server import NoWorker, Port, serve
from shipcli.cli.console.output import show, show_list
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.session import Run
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import ledger_rows
from shipcli.features.sandbox import seed as sandbox_seed

verb = Verbs()
COLUMNS = ("slug", "number", "reference", "service", "total", "currency", "bought", "voided", "manifested")


@verb
def ledger() -> None:
    """Show what the simulated carriers sold.

    Examples:
    shipcli sandbox ledger
    shipcli sandbox ledger --json
    """
    run = get_run()
    run.options = replace(run.options, sandbox=True)
    show_list(ask(ledger_rows.list_ledger_rows), COLUMNS)


@verb
def up(
    port: Port = 5002,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="NAME", help="Sample objects to start with: demo.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Serve the permanent sandbox of this machine.")
    ] = False,
    no_worker: NoWorker = False,
) -> None:
    """Serve a sandbox that is deleted afterwards.

    Examples:
    shipcli sandbox up --seed demo
    shipcli sandbox up --port 5010 --keep
    """
    with _open_place(keep=keep) as run:
        if seed:
            sandbox_seed.seed_sandbox(run.app, seed)
        access = {**sandbox_seed.create_access(run.app), "pid": os.getpid()}
        serve(lambda address: show({"url": address, **access}), port=port, with_worker=not no_worker)


@contextmanager
def _open_place(*, keep: bool) -> Iterator[Run]:
    """This run, in the sandbox of its home or in one that is removed at the end."""
    run = get_run()
    run.options = replace(run.options, sandbox=True)
    if keep:
        yield run
        return
    with TemporaryDirectory(prefix="shipcli-sandbox-") as folder:
        run.options = replace(run.options, home=folder)
        yield run
        run.close()
