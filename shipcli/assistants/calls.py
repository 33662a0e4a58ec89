"""A call of a tool as a request to the API, and the answer as an assistant gets it: without secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shipcli.assistants.input_schemas import BODY
from shipcli.features.admin.request_log import hide_signatures, mask_value
from shipcli.gateway.client import Query, fill_path
from shipcli.gateway.failures import read_failure
from shipcli.http import HttpReply
from shipcli.models import Invalid, json
from shipcli.models.basics.errors import ShipcliError
from shipcli.operations.operation import Listing, Operation

Send = Callable[[str, str, Any, Query], HttpReply]  # method, path, body, query
SUCCESSES = range(200, 300)
LONG = "rates"  # of a shipment: each has dozens, and a list would be nothing else
BUYS_AT_ONCE = "service"
HERE = "this store"


def call_operation(send: Send, operation: Operation, arguments: Mapping[str, Any]) -> Any:
    """The answer of an operation to the arguments of a tool.

    Errors: Invalid for arguments that it does not have; those of the API.
    """
    values = [str(read_argument(arguments, name)) for name in operation.path_names]
    body = arguments.get(BODY) or {} if operation.body else None
    check_body(operation, body)
    query = [
        (name, _write_value(value))
        for name, value in arguments.items()
        if name not in (BODY, *operation.path_names) and value is not None
    ]
    reply = send(operation.method, fill_path(operation.path, values), body, query)
    if reply.status not in SUCCESSES:
        raise read_failure(reply, HERE)
    answer = hide_secrets(json.loads(reply.content))
    return shorten_list(answer) if isinstance(operation.answer, Listing) else answer


def shorten_list(page: Any) -> Any:
    """A page of a list without the rates of its shipments; reading one shows them."""
    rows = [{name: value for name, value in row.items() if name != LONG} for row in page["results"]]
    return {**page, "results": rows}


def check_body(operation: Operation, body: Any) -> None:
    """Errors: Invalid for a draft that would be bought at once: there is one tool that buys."""
    if operation.name == "createShipment" and isinstance(body, Mapping) and body.get(BUYS_AT_ONCE):
        raise Invalid(BUYS_AT_ONCE, "it would buy a label: leave it out for a draft, and buy with `ship`")


def read_argument(arguments: Mapping[str, Any], name: str) -> Any:
    """Errors: Invalid if an argument is missing."""
    if arguments.get(name) in (None, ""):
        raise Invalid(name, "must be given")
    return arguments[name]


def _write_value(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def hide_secrets(value: Any) -> Any:
    """An answer with secrets masked, files replaced by their size, and the signatures of links as well."""
    return hide_signatures(mask_value(value))


def describe_error(error: ShipcliError) -> dict[str, Any]:
    """An error as the API tells it."""
    body: dict[str, Any] = hide_secrets(json.loads(json.dumps(error.body())))
    hint = getattr(error, "hint", "")
    return {**body, "hint": hint} if hint else body
