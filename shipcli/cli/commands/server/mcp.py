"""`shipcli mcp`: operations as tools for assistants."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.assistants import daily_budget, purchases, tool_table, toolbox
from shipcli.cli.commands.server.api import ApiCall, open_sender
from shipcli.cli.commands.server.server import Host, Insecure, listen_at
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.session import read_secret_file
from shipcli.cli.usage_errors import ExtraMissing, Usage
from shipcli.cli.verbs import Verbs
from shipcli.models.basics.errors import Invalid

if TYPE_CHECKING:
    from shipcli.assistants.protocol import AssistantServer
    from shipcli.http import HttpReply

verb = Verbs()
PACKAGE = "mcp"
SHORTEST_TOKEN = 16
INTERRUPTED = 130


@verb
def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve HTTP in place of standard input.")] = False,
    host: Host = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="Port of --http; 0: a free one.")
    ] = 5003,
    token_file: Annotated[
        str | None,
        typer.Option("--token-file", metavar="FILE", help="The token of --http; without it one is made."),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="write|buy", help="What the assistant may do besides reading."),
    ] = None,
    max_total: Annotated[
        str | None,
        typer.Option("--max-total", metavar="AMOUNT", help="The most it may spend on a day, such as 50USD."),
    ] = None,
    tools: Annotated[
        str | None,
        typer.Option("--tools", metavar="A,B|all", help="More tools than the usual ones, by name."),
    ] = None,
    insecure: Insecure = False,
) -> None:
    """Let an assistant use the store, over the Model Context Protocol.

    It may only read, unless more is allowed. A purchase is quoted first, and has to be confirmed. What is
    spent counts for the day, in the store of this machine.

    Examples:
    shipcli mcp
    shipcli --sandbox mcp --allow write --allow buy --max-total 50USD
    shipcli mcp --http --port 5003
    """
    allowed = read_permissions(allow or ())
    check_extra()
    with open_assistant(allowed, max_total, split_names(tools)) as assistant, suppress(KeyboardInterrupt):
        if http:
            serve_http(assistant, host, port, token_file, insecure=insecure)
        else:
            serve_stdio(assistant)


def read_permissions(words: Sequence[str]) -> set[tool_table.Permission]:
    """Errors: Usage for another word than write or buy."""
    meanings = {meaning.value: meaning for meaning in tool_table.Permission}
    named = [word for text in words for word in text.split(",")]
    if unknown := [word for word in named if word not in meanings]:
        raise Usage(f"--allow {unknown[0]}: say {' or '.join(meanings)}")
    return {meanings[word] for word in named}


def split_names(text: str | None) -> list[str]:
    """The names in an option, which are separated by commas."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def check_extra() -> None:
    """Errors: ExtraMissing."""
    if find_spec(PACKAGE) is None:
        raise ExtraMissing("shipcli mcp", PACKAGE, "mcp")


@contextmanager
def open_assistant(
    allowed: set[tool_table.Permission], max_total: str | None, names: Sequence[str]
) -> Iterator[AssistantServer]:
    """The tools over this run's store, or the server that it names.

    Errors: Usage if something may be bought without a limit; Invalid for an unknown tool.
    """
    from shipcli.assistants.protocol import AssistantServer  # imports the package mcp, which takes a second

    gateway = get_run().gateway
    buys = make_purchases(max_total) if tool_table.Permission.BUY in allowed else None
    operations = tool_table.choose_tools(names, allowed, is_sandbox=gateway.is_sandbox)
    with open_sender() as send_call:

        def send(method: str, path: str, body: Any, query: Sequence[tuple[str, str]]) -> HttpReply:
            return send_call(ApiCall(method, path, body, tuple(query)))

        assistant = AssistantServer(toolbox.Toolbox(gateway, send, operations, buys))
        try:
            yield assistant
        finally:
            assistant.close()


def make_purchases(max_total: str | None) -> purchases.Purchases:
    """Errors: Usage without a limit, or for one that is no amount."""
    if max_total is None:
        raise Usage("--allow buy needs a limit: --max-total 50USD")
    run = get_run()
    try:
        budget = daily_budget.DailyBudget(run.local_app, max_total, run.api_url)
    except Invalid as error:
        raise Usage(f"--max-total: {error.problems[0].reason}") from None
    return purchases.Purchases(run.gateway, budget)


def serve_stdio(assistant: AssistantServer) -> None:
    """Answer whoever started this process."""
    from shipcli.assistants import doors

    note("an assistant can use this process over standard input and output; end it with Ctrl-C")

    def leave() -> None:
        assistant.close()
        get_run().close()
        os._exit(INTERRUPTED)

    asyncio.run(doors.serve_stdio(assistant, leave))


def serve_http(
    assistant: AssistantServer, host: str, port: int, token_file: str | None, *, insecure: bool
) -> None:
    """Answer those who send the token."""
    from shipcli.assistants import doors

    token = read_token(token_file)
    names = (host, *split_names(get_run().config["allowed_hosts"]))
    with listen_at(host, port, insecure=insecure) as listener:
        door = doors.HttpDoor(listener, token or secrets.token_urlsafe(32), names)
        shown = "" if token else f", with the header `Authorization: Bearer {door.token}`"
        asyncio.run(doors.serve_http(assistant, door, lambda: note(f"serving {door.address}{shown}")))


def read_token(file: str | None) -> str | None:
    """Errors: Usage for a file that can't be read, or a token that is too short."""
    if file is None:
        return None
    token = read_secret_file(str(Path(file))).strip()
    if len(token) < SHORTEST_TOKEN:
        raise Usage(f"{file}: a token has at least {SHORTEST_TOKEN} characters")
    return token
