"""`shipcli server`: the API on this machine. The only module that starts the HTTP face."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.api import in_process, server
from shipcli.cli.console.output import show
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.admin import instance

if TYPE_CHECKING:
    from shipcli.features.core.app import App

verb = Verbs()
HERE = "http://127.0.0.1:5002/"
STATUS_COLUMNS = ("HOST", "APP_NAME", "VERSION", "OPENAPI")

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[
    int,
    typer.Option("--port", metavar="PORT", min=0, max=65535, help="Port to listen on; 0 picks a free one."),
]
NoWorker = Annotated[bool, typer.Option("--no-worker", help="Leave background work to another process.")]
Cert = Annotated[str | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate, as PEM.")]
Key = Annotated[
    str | None, typer.Option("--tls-key", metavar="FILE", help="Private key of the certificate, as PEM.")
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        min=1,
        max=64,
        metavar="N",
        help="Number of processes. SQLite lets them read side by side, and write one after another.",
    ),
]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Serve other machines without encryption."),
]


@verb
def start(
    host: Host = "127.0.0.1",
    port: Port = 5002,
    no_worker: NoWorker = False,
    tls_cert: Cert = None,
    tls_key: Key = None,
    workers: Workers = 1,
    insecure: Insecure = False,
) -> None:
    """Serve the API until it is interrupted.

    Examples:
    shipcli server start
    shipcli server start --port 8080 --no-worker
    """
    serve(
        lambda address: note(f"serving {address}/ ({_describe_place()})"),
        host=host,
        port=port,
        tls_cert=tls_cert,
        tls_key=tls_key,
        insecure=insecure,
        with_worker=not no_worker,
        processes=workers,
    )


def serve(ready: Callable[[str], None], **setting: Any) -> None:
    """Run the server of this run's store; `ready` is told its address. Settings are those of `Setup`.

    Errors: Invalid, CannotListen; StoreError and its kinds.
    """
    run = get_run()
    setup = server.Setup(home=str(run.store_home), sandbox=run.sandbox, **setting)
    setup.check()
    app = run.app
    with server.listen(setup) as sock:
        bound_setup = replace(setup, port=sock.getsockname()[1])
        server.serve(app, bound_setup, sock, lambda: ready(bound_setup.address))
    note("stopped")


def listen_at(host: str, port: int, *, insecure: bool) -> socket.socket:
    """A socket that listens for another server than that of the API.

    Errors: Invalid for other machines without encryption; CannotListen.
    """
    setup = server.Setup(home=str(get_run().home), host=host, port=port, insecure=insecure)
    setup.check()
    return server.listen(setup)


def _describe_place() -> str:
    run = get_run()
    where = "sandbox" if run.sandbox else "store"
    return f"{where} {run.store_place}"


@verb
def status() -> None:
    """Ask a server what it is and whether it answers.

    Examples:
    shipcli server status
    shipcli server status --api-url https://ship.example --json
    """
    show(ask(instance.describe, host=HERE), STATUS_COLUMNS)


@contextmanager
def open_in_process(app: App | None = None) -> Iterator[in_process.InProcess]:
    """The API over a store, by default this run's, without a server."""
    here = in_process.InProcess(app or get_run().app)
    try:
        yield here
    finally:
        here.close()
