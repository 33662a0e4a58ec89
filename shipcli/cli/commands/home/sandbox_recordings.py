"""Recordings of servers: `shipcli sandbox record | replay`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from shipcli import small_server
from shipcli.cli.commands.server.server import listen_at, open_in_process
from shipcli.cli.console.output import is_form_named, show, show_list
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import folders
from shipcli.gateway import client
from shipcli.models import json
from shipcli.recordings import drift, exchanges, player, proxy

if TYPE_CHECKING:
    from socket import socket

    from shipcli.http import HttpReply

verb = Verbs()
COLUMNS = ("number", "request", "kind", "field", "recorded", "now")
HERE = "127.0.0.1"
FRESH = "sandbox"
DRIFTED = 1
LONGEST = 60  # letters of a value in a table

Port = Annotated[
    int,
    typer.Option("--port", metavar="PORT", min=0, max=65535, help="Port to listen on; 0 picks a free one."),
]


@verb
def record(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server to record.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The new file.")],
    port: Port = 5004,
) -> None:
    """Record what a compatible server answers, without secrets and persons.

    Send your requests to the address that is shown; they are passed on to the server with your key. End it
    with Ctrl-C.

    Examples:
    shipcli sandbox record https://ship.example -o shop.jsonl
    shipcli sandbox record http://127.0.0.1:5002 -o day.jsonl --port 5010
    """
    server = client.read_server_address(url)
    with listen_at(HERE, port, insecure=False) as listener:
        writer = exchanges.RecordingWriter(output, server)
        recorder = proxy.RecordingProxy(server, writer)
        try:
            _serve(recorder, listener, f"recording {server}", recorder.aclose)
        finally:
            writer.close()
    note(f"{writer.count} exchanges in {output}")


def _serve(application: Any, listener: socket, what: str, close: Callable[[], Awaitable[None]]) -> None:
    said = f"http://{HERE}:{listener.getsockname()[1]}: {what}"
    with suppress(KeyboardInterrupt):
        asyncio.run(small_server.serve_application(application, listener, lambda: note(said), close))


@verb
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording.")],
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="URL|sandbox", help="Send its requests there, and say what differs."
        ),
    ] = None,
    ignore: Annotated[
        str | None, typer.Option("--ignore", metavar="A,B", help="Fields that may differ.")
    ] = None,
    carriers: Annotated[
        str | None,
        typer.Option("--carriers", metavar="A,B|none|all", help="Connections of `--against sandbox`."),
    ] = "all",
    port: Port = 5004,
) -> None:
    """Answer as a recorded server did, or say how another one differs from it.

    `--against sandbox` is a sandbox of its own. The key of another server is that of --api-key-file or
    SHIPCLI_API_KEY. Exits with 1 if something differs.

    Examples:
    shipcli sandbox replay shop.jsonl --port 5004
    shipcli sandbox replay shop.jsonl --against sandbox --json
    """
    rows = exchanges.read_recording(file)
    if against is None:
        with listen_at(HERE, port, insecure=False) as listener:
            _serve(player.RecordingPlayer(rows), listener, f"answers of {file}", small_server.close_nothing)
        return
    names = [name.strip() for name in (ignore or "").split(",") if name.strip()]
    with _open_target(against, carriers) as send:
        report = drift.replay_against(rows, send, names)
    _tell(report)
    raise typer.Exit(DRIFTED if report.differences else 0)


def _tell(report: drift.DriftReport) -> None:
    differences = [row._asdict() for row in report.differences]
    if is_form_named():
        show({"sent": report.sent, "skipped": report.skipped, "differences": differences})
    else:
        show_list([_shorten(row) for row in differences], COLUMNS)
    for line in report.skipped:
        note(f"not sent: {line}")
    note(f"{report.sent} requests sent, {len(differences)} differences")


def _shorten(row: dict[str, Any]) -> dict[str, Any]:
    texts = {name: json.dumps(row[name])[:LONGEST] for name in ("recorded", "now")}
    return {**row, **texts}


@contextmanager
def _open_target(against: str, carriers: str | None) -> Iterator[drift.SendRecorded]:
    if against == FRESH:
        with _open_fresh(carriers) as send:
            yield send
        return
    address = client.read_server_address(against)
    server = client.ServerClient(client.RemoteServer(address, get_run().find_key(address)))
    try:
        yield lambda method, path, query, headers, body: server.send(
            method, path, body, query, headers=headers
        )
    finally:
        server.close()


@contextmanager
def _open_fresh(carriers: str | None) -> Iterator[drift.SendRecorded]:
    """A sandbox that is deleted afterwards."""
    run = get_run()
    run.carriers = carriers
    with folders.open_temporary() as folder, ExitStack() as stack:
        run.options, run.running = replace(run.options, home=str(folder)), None
        run.__dict__.pop("home", None)
        app = run.open_app()
        stack.callback(app.close)
        here = stack.enter_context(open_in_process(app))

        def send(
            method: str, path: str, query: Sequence[tuple[str, str]], headers: dict[str, str], body: Any
        ) -> HttpReply:
            content = b"" if body is None else json.dump_bytes(body)
            kind = {} if body is None else {"content-type": "application/json"}
            return here.send(method, path, urlencode(query), {**headers, **kind}, content)

        yield send
