"""`shipcli sandbox`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli.bootstrap import SANDBOX_FOLDER
from shipcli.cli.commands.home import sandbox_tests
from shipcli.cli.commands.home.sandbox_recordings import record, replay
from shipcli.cli.commands.home.sandbox_states import reset, snapshot, workspace
from shipcli.cli.commands.home.sandbox_time import clock, track
from shipcli.cli.commands.server.server import Host, Insecure, NoWorker, Port, serve
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.session import Run
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import access as sandbox_access
from shipcli.features.sandbox import folders, ledger_rows, lenience, running, scenario_matrix
from shipcli.features.sandbox import seed as sandbox_seed
from shipcli.features.sandbox.repeatable import make_repeatable
from shipcli.features.sandbox.snapshots import save_start
from shipcli.gateway import client
from shipcli.models.basics.errors import Unreachable

verb = Verbs(sandbox_tests.verb)
SCENARIO_COLUMNS = ("name", "kind", "magic", "status", "answer", "effect")
for command in (clock, track, reset, snapshot, workspace, record, replay):
    verb(command)
COLUMNS = ("slug", "number", "reference", "service", "total", "currency", "bought", "voided", "manifested")
POLL_S = 0.1
RUNNING_COLUMNS = ("name", "url", "pid", "folder")


@verb
def ledger() -> None:
    """Show what the simulated carriers sold.

    Examples:
    shipcli sandbox ledger
    shipcli sandbox ledger --json
    """
    show_list(ask(ledger_rows.list_ledger_rows), COLUMNS)


@verb("list")
def list_all() -> None:
    """List the sandboxes that run.

    Examples:
    shipcli sandbox list
    shipcli sandbox list --json=name,url
    """
    rows = [{name: getattr(row, name) for name in RUNNING_COLUMNS} for row in get_run().list_running()]
    show_list(rows, RUNNING_COLUMNS)


Name = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="Name, for several at once: --sandbox=NAME.")
]


@verb
def scenarios() -> None:
    """List the scenarios that the simulated carriers can play.

    Examples:
    shipcli sandbox scenarios
    shipcli sandbox scenarios --json
    """
    show_list(ask(scenario_matrix.list_matrix), SCENARIO_COLUMNS)


@verb
def up(
    host: Host = "127.0.0.1",
    port: Port = 5002,
    name: Name = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="NAME", help="Sample objects to start with: demo.")
    ] = None,
    random_seed: Annotated[
        str | None,
        typer.Option("--random-seed", metavar="TEXT", help="Make ids, keys and tokens the same each time."),
    ] = None,
    freeze: Annotated[
        str | None, typer.Option("--freeze", metavar="INSTANT", help="Start with a clock that stands then.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Serve the permanent sandbox of this machine.")
    ] = False,
    api_key: Annotated[
        str | None, typer.Option("--api-key", metavar="KEY", help="The key for test data.")
    ] = None,
    live_api_key: Annotated[
        str | None, typer.Option("--live-api-key", metavar="KEY", help="The key for live data.")
    ] = None,
    webhook_secret: Annotated[
        str | None, typer.Option("--webhook-secret", metavar="SECRET", help="The secret of all webhooks.")
    ] = None,
    carriers: Annotated[
        str | None,
        typer.Option(
            "--carriers",
            metavar="A,B|none|all",
            help="Connections of these carriers; by default of the big ones of the country.",
        ),
    ] = None,
    ready_file: Annotated[
        Path | None,
        typer.Option("--ready-file", metavar="FILE", help="Written with address and keys when it is ready."),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Unknown numbers, past dates and foreign ids are answered.")
    ] = False,
    insecure: Insecure = False,
    no_worker: NoWorker = False,
) -> None:
    """Serve a sandbox that is deleted afterwards.

    Other commands find it: `shipcli listen`, `shipcli logs tail`, `shipcli --sandbox ship`.

    Examples:
    shipcli sandbox up --seed demo
    shipcli sandbox up --name shop --api-key key_test --ready-file up.json
    shipcli sandbox up --port 5010 --keep
    """
    run = get_run()
    run.carriers = carriers
    request = sandbox_access.AccessRequest(api_key, live_api_key, webhook_secret)
    home, chosen = run.home, running.choose_name(run.home, running.KEPT if keep else name)
    with _open_place(keep=keep) as folder, ExitStack() as stack:
        make_repeatable(folder / SANDBOX_FOLDER, random_seed, freeze)
        if seed:
            sandbox_seed.seed_sandbox(run.app, seed)
        lenience.set_lenient(run.app, lenient=lenient)
        access = sandbox_access.create_access(run.app, request, kept=keep)
        save_start(run.app)

        def publish(address: str) -> None:
            sandbox = running.make_running(chosen, address, folder, str(access["api_key"]))
            stack.enter_context(_publish(home, sandbox, ready_file, access))

        serve(publish, host=host, port=port, insecure=insecure, with_worker=not no_worker)


@contextmanager
def _open_place(*, keep: bool) -> Iterator[Path]:
    """The home of the sandbox: this run's own, or one that is removed at the end."""
    run = get_run()
    run.options = replace(run.options, sandbox=running.KEPT)
    if keep:
        yield run.home
        return
    with folders.open_temporary() as folder:
        _move(run, folder)
        yield folder
        run.close()


def _move(run: Run, folder: Path) -> None:
    """Let a run work in another home."""
    run.options = replace(run.options, home=str(folder))
    for name in ("home", "running", "config"):
        run.__dict__.pop(name, None)


@contextmanager
def _publish(
    home: Path, sandbox: running.RunningSandbox, ready_file: Path | None, access: dict[str, Any]
) -> Iterator[None]:
    """Show where the sandbox is, and let other commands find it as long as it runs."""
    shown = {"url": sandbox.url, **access, "pid": os.getpid(), "name": sandbox.name}
    with ExitStack() as stack:
        try:
            stack.enter_context(running.publish(home, sandbox))
        except OSError as error:
            note(f"other commands can't find this sandbox without --api-url: {error}")
        if ready_file:
            sandbox_access.write_private(ready_file, shown)
            stack.callback(ready_file.unlink, missing_ok=True)
        show(shown)
        yield


@verb
def wait(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Name of the sandbox.")] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0, help="How long to wait.")
    ] = 30.0,
) -> None:
    """Wait until a sandbox answers, and show its address; with --api-url until that server does.

    Examples:
    shipcli sandbox wait shop --timeout 1
    shipcli sandbox wait --api-url https://ship.example
    """
    end = time.monotonic() + timeout
    while (place := _find_answering(name)) is None:
        if time.monotonic() >= end:
            raise Unreachable(f"no sandbox {name or get_run().api_url or ''} answered within {timeout:g} s")
        time.sleep(POLL_S)
    show(place, ("name", "url"))


def _find_answering(name: str | None) -> dict[str, str] | None:
    """Name and address of the sandbox, once it answers."""
    run = get_run()
    if run.api_url:
        address = client.read_server_address(run.api_url)
        return {"name": name or "", "url": address} if _answers(address) else None
    with suppress(running.NoSandbox):
        sandbox = running.choose_running(run.home, name)
        return {"name": sandbox.name, "url": sandbox.url} if sandbox else None
    return None


def _answers(address: str) -> bool:
    server = client.ServerClient(client.RemoteServer(address))
    try:
        return server.send("GET", "/").status in client.SUCCESSES
    except Unreachable:
        return False
    finally:
        server.close()
