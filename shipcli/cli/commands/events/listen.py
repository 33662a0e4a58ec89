"""`shipcli listen`: events as they happen, printed and forwarded."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.listing import StopAfter
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import show_now
from shipcli.cli.console.stderr import escape_line, note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.events import envelope
from shipcli.events import sender as events_sender
from shipcli.features.sandbox import tools
from shipcli.models import sandbox as bodies
from shipcli.models.basics.json import dumps

if TYPE_CHECKING:
    from shipcli.events.sender import SendResult

verb = Verbs()
POLL_S = 0.5
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0
STARTS = ("last", "start")


@verb
def listen(
    forward_to: Annotated[
        str | None,
        typer.Option("--forward-to", metavar="URL", help="Forward each event to this address, signed."),
    ] = None,
    events: Annotated[
        str | None, typer.Option("--events", metavar="A,B", help="Only these; shipment_* matches several.")
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            "--from", metavar="last|start", help="Continue after the last one seen, or start with the first."
        ),
    ] = "last",
    name: Annotated[
        str | None, typer.Option("--name", help="Name of this listener; by default its address.")
    ] = None,
    limit: StopAfter = None,
) -> None:
    """Print and forward events as they happen; a restart continues where it stopped.

    Examples:
    shipcli listen
    shipcli listen --events "shipment_*" --from start --json
    shipcli listen --forward-to http://localhost:3000/hooks
    """
    if start not in STARTS:
        raise Usage(f"--from is {' or '.join(STARTS)}, not {start!r}")
    target = _read_address(forward_to)
    listener = EventListener(name or target or "terminal", split_names(events))
    listener.begin(from_start=start == "start")
    if target:
        note(f"forwarding to {target}, signed with {listener.secret}")
    try:
        _follow(listener, target, limit)
    finally:
        listener.close()


class EventListener:
    """A named listener of this run's store or server; what it met is marked there, so a restart continues."""

    def __init__(self, name: str, patterns: list[str]) -> None:
        self.name, self.patterns = name, patterns
        self.secret = ""
        self._runner = asyncio.Runner()
        run = get_run()
        self._sender = events_sender.Sender(
            self._runner.get_loop, stays_here=not run.api_url and run.app.sandbox
        )

    def begin(self, *, from_start: bool) -> None:
        """Continue after the last event passed; a new listener starts now, or at the first event.

        Errors: Invalid for a pattern that matches no event.
        """
        data = bodies.ListenerData(name=self.name, patterns=self.patterns, from_start=from_start)
        self.secret = ask(tools.begin_listening, data)["secret"]

    def read_pending(self) -> dict[str, Any]:
        """The next events, and the position of the last one looked at."""
        return ask(tools.list_pending, name=self.name, patterns=self.patterns)

    def mark_passed(self, position: int) -> None:
        """Never get the events up to this position again."""
        ask(tools.mark_passed, bodies.PassedData(name=self.name, position=position))

    def forward(self, url: str, event: dict[str, Any]) -> SendResult:
        """Send an event to a target, once, signed with this listener's secret."""
        body = envelope.write_envelope(event)
        message = events_sender.OutgoingMessage(url, self.secret, str(event["id"]), body)
        return self._runner.run(self._sender.post(message))

    def close(self) -> None:
        """Close the connections to targets."""
        self._runner.run(self._sender.aclose())
        self._runner.close()


def _read_address(text: str | None) -> str | None:
    """A web address; `localhost:3000/hooks` is one too."""
    if text is None or text.startswith(("http://", "https://")):
        return text
    return f"http://{text}"


def _follow(listener: EventListener, target: str | None, limit: int | None) -> None:
    met = 0
    while True:
        pending = listener.read_pending()
        for row in pending["events"]:
            if target:
                _deliver(listener, target, row["event"])
            _print(row["event"])
            listener.mark_passed(row["position"])
            met += 1
            if met == limit:
                return
        if pending["last"]:
            listener.mark_passed(pending["last"])
        if not pending["events"]:
            time.sleep(POLL_S)


def _deliver(listener: EventListener, target: str, event: dict[str, Any]) -> None:
    """Until the target takes it, or refuses it for good."""
    pause_s = FIRST_PAUSE_S
    while not (sent := listener.forward(target, event)).ok:
        reason = sent.error or f"answered {sent.status}"
        if not sent.is_temporary:
            warn(f"{event['id']} {event['type']}: {target} {reason}; it is left out")
            return
        warn(f"{event['id']} {event['type']}: {target}: {reason}; trying again in {pause_s:g} s")
        time.sleep(pause_s)
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)


def _print(event: dict[str, Any]) -> None:
    """One line, JSON where JSON was asked for; at once, also in a pipe."""
    if get_run().options.format in ("json", "ndjson"):
        text = dumps(event)
    else:
        fields = (event["created_at"], event["type"], event["data"].get("id"), event["data"].get("status"))
        text = "\t".join(escape_line(str(field)) for field in fields if field)
    show_now(text)
