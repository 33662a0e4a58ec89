"""`shipcli api`: any request, to the server that the line names or, without one, to this machine's store."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import typer

from shipcli.cli.arguments.bodies import Data, read_free_body
from shipcli.cli.commands.server.server import open_in_process
from shipcli.cli.console.files import write_file
from shipcli.cli.console.output import is_form_named, show, show_list, show_text
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.session import API_KEY
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.gateway import failures
from shipcli.models import json
from shipcli.models.basics.errors import NotFound

if TYPE_CHECKING:
    from shipcli.http import HttpReply

verb = Verbs()
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
HERE = "http://127.0.0.1:5002"
PAGE = 100
SUCCESSES = range(200, 300)


@dataclass(frozen=True)
class ApiCall:
    """A request."""

    method: str
    path: str
    body: Any = None
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def sent_headers(self) -> dict[str, str]:
        """The headers that the caller and the body ask for."""
        return {**({} if self.body is None else {"content-type": "application/json"}), **self.headers}


Send = Callable[[ApiCall], "HttpReply"]


@verb
def api(
    method: Annotated[str, typer.Argument(metavar="METHOD", help=", ".join(METHODS).lower())],
    path: Annotated[str, typer.Argument(metavar="PATH", help="Path and query, such as /v1/proxy/rates.")],
    data: Data = None,
    header: Annotated[
        list[str] | None,
        typer.Option("-H", "--header", metavar="NAME:VALUE", help="Add a header; repeat it."),
    ] = None,
    idempotency_key: Annotated[
        str | None,
        typer.Option(
            "--idempotency-key", metavar="KEY", help="Repeat safely: the request is carried out once per key."
        ),
    ] = None,
    paginate: Annotated[
        bool, typer.Option("--paginate", help="Fetch all pages of a list as one list.")
    ] = False,
    curl: Annotated[bool, typer.Option("--curl", help="Print the curl command and send nothing.")] = False,
) -> None:
    """Send any request to the API.

    The body is built from -d key=value, or read from -d @FILE. Without a server, the request is answered from
    the store of this machine.

    Examples:
    shipcli api get "/v1/shipments?status=purchased"
    shipcli api post /v1/addresses -d city=Boston -d country_code=US
    shipcli api post /v1/proxy/rates --data @rate.json --curl
    """
    call = _call(method.upper(), path, data, _read_headers(header), idempotency_key)
    if curl:
        show_text(f"{_format_curl(call)}\n")
        return
    if call.method != "GET" and would(f"send {call.method} {path}"):
        return
    with open_sender() as send:
        if paginate:
            _show(list(_iterate_rows(send, call)))
        else:
            _tell(_check_reply(send(call)))


def _call(
    method: str, path: str, data: Sequence[str] | None, headers: dict[str, str], key: str | None
) -> ApiCall:
    """Errors: Usage for an unknown method or a malformed path."""
    parts = urlsplit(path)
    if method not in METHODS:
        raise Usage(f"{method} is not one of {', '.join(METHODS)}")
    if not parts.path.startswith("/") or parts.netloc:
        raise Usage(f"{path} is not a path such as /v1/addresses; a server is named by --api-url")
    if key:
        headers["idempotency-key"] = key
    body = read_free_body(data) if data else None
    return ApiCall(method, parts.path, body, tuple(parse_qsl(parts.query, keep_blank_values=True)), headers)


def _read_headers(typed: Sequence[str] | None) -> dict[str, str]:
    """Errors: Usage for a malformed header."""
    headers = {}
    for item in typed or ():
        name, sign, value = item.partition(":")
        if not sign or not name.strip():
            raise Usage(f"-H {item}: write NAME:VALUE")
        headers[name.strip().lower()] = value.strip()
    return headers


@contextmanager
def open_sender() -> Iterator[Send]:
    """What sends requests: to the server, or straight to the API over this machine's store."""
    server = get_run().server
    if server is not None:
        yield lambda call: server.client.send(
            call.method, call.path, call.body, call.query, headers=call.headers
        )
        return

    with open_in_process() as here:
        yield lambda call: here.send(
            call.method,
            call.path,
            urlencode(call.query),
            call.sent_headers,
            b"" if call.body is None else json.dump_bytes(call.body),
        )


# -- answers ---------------------------------------------------------------------------------------


def _check_reply(reply: HttpReply) -> HttpReply:
    """Errors: those of the API."""
    if reply.status not in SUCCESSES:
        error = failures.read_failure(reply, get_run().api_url or "the API")
        if isinstance(error, failures.NotOffered):  # the path was typed, so it is the one that is wrong
            raise NotFound("path", message=error.message)
        raise error
    return reply


def _tell(reply: HttpReply) -> None:
    """An answer: JSON in the form asked for, anything else as it is."""
    if "json" in reply.headers.get("content-type", ""):
        _show(json.loads(reply.content))
    else:
        write_file(Path(get_run().options.output or "-"), reply.content)


def _show(value: Any) -> None:
    if not is_form_named():
        show_text(json.dumps(value, indent=True) + "\n")
    elif isinstance(value, list):
        show_list(value, ())
    else:
        show(value)


def _iterate_rows(send: Send, call: ApiCall) -> Iterator[Any]:
    """The results of every page of a list.

    Errors: Usage when the answer is not a list; those of the API.
    """
    offset, count = 0, 1
    others = tuple(pair for pair in call.query if pair[0] not in ("limit", "offset"))
    while offset < count:
        query = (*others, ("limit", str(PAGE)), ("offset", str(offset)))
        page = json.loads(_check_reply(send(replace(call, query=query))).content)
        if not isinstance(page, dict) or not page.get("results", True):
            return
        if "results" not in page:
            raise Usage(f"{call.path} does not answer with a list: leave out --paginate")
        yield from page["results"]
        count, offset = int(page["count"]), offset + len(page["results"])


def _format_curl(call: ApiCall) -> str:
    """The line for a shell; the key comes from its variable and is not printed."""
    query = f"?{urlencode(call.query)}" if call.query else ""
    url = f"{(get_run().api_url or HERE).rstrip('/')}{call.path}{query}"
    line = ["curl", "-sS", "-X", call.method, shlex.quote(url)]
    line += ["-H", f'"Authorization: Token ${API_KEY}"']
    for name, value in call.sent_headers.items():
        line += ["-H", shlex.quote(f"{name}: {value}")]
    if call.body is not None:
        line += ["-d", shlex.quote(json.dumps(call.body))]
    return " ".join(line)
