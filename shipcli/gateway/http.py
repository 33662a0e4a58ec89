"""Operations carried out by a server, called over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, Concatenate

from pydantic import BaseModel, ValidationError

from shipcli.carrier.wire.multipart import MultipartPart
from shipcli.clocks import Clock, real_clock
from shipcli.config import Config
from shipcli.features.core.idempotency import choose_key
from shipcli.gateway.client import MultipartForm, Query, RemoteServer, ServerClient, fill_path
from shipcli.gateway.failures import NotOffered, UnreadableAnswer, read_failure
from shipcli.gateway.gateway import Candidate, LocalOnly, NotPromised, P, R
from shipcli.gateway.naming import find_lister, find_meant, is_whole_id
from shipcli.gateway.ship_defaults import read_server_defaults
from shipcli.gateway.where import ListFilter
from shipcli.models.base import Model
from shipcli.models.basics.errors import NotFound, ShipcliError
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.form import FormField
from shipcli.operations.operation import Anything, Listing, Many, Operation
from shipcli.operations.steps import find_ids, list_steps
from shipcli.operations.table import OPERATIONS, SERVED

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.shipments.defaults import ShipDefaults

MOST = 100  # results of a page
SEVERAL = 2
OF_A_REQUEST = ("host", "peer")  # what a server reads from the request itself
Document = dict[str, Any]
Use = Callable[..., Any]
Versions = Mapping[Use, Callable[..., Any]]  # of use-cases, by the use-case


class HttpGateway:
    """A server, with the settings, the clock and the store of this machine.

    Shapes: `versions` carry out use-cases that are no operation of the API, or not of every server's.
    """

    def __init__(
        self,
        server: RemoteServer,
        versions: Versions,
        config: Config,
        open_app: Callable[[], App],
        clock: Clock = real_clock,
    ) -> None:
        self.client, self.url = ServerClient(server), server.url
        self.workers = 1  # there is one connection
        self._versions, self.config, self.own, self._clock = versions, config, open_app, clock

    @cached_property
    def defaults(self) -> ShipDefaults:
        """The defaults that need not be typed, as the server knows them; requested once."""
        return read_server_defaults(self, self.own)

    @cached_property
    def is_sandbox(self) -> bool:
        """Whether all carriers are simulated there; asked once."""
        self.client.send("GET", "/")
        return self.client.is_sandbox

    def now(self) -> datetime:
        """The time on this machine."""
        return self._clock()

    def ask(self, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of a use-case there.

        Errors: those of the use-case; Unreachable; OnlyHere for one that no server offers.
        """
        version = self._versions.get(use)
        answer: R = version(self, *arguments, **named) if version else self.operate(use, *arguments, **named)
        return answer

    @cached_property
    def offers_steps(self) -> bool:
        """Whether it is a server of ours, which offers the steps of a purchase; requested once.

        Errors: those of the API.
        """
        operation = find_operation(list_steps)
        reply = self.client.send(operation.method, operation.path)
        if reply.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
            return False
        if reply.status != HTTPStatus.OK:
            raise read_failure(reply, self.url)
        return True

    def require_promise(self, what: str) -> None:
        """Errors: NotPromised for another server than ours."""
        if not self.offers_steps:
            raise NotPromised(self.url, what)

    def operate(self, use: Use, *arguments: Any, **named: Any) -> Any:
        """The answer of the operation of a use-case."""
        return self._operate(use, arguments, named)

    def ask_once(
        self, key: str | None, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs
    ) -> R:
        """The result of an operation with a body, which the server does once per key, if there is a key."""
        body: Any = arguments[-1]
        sure = choose_key(key, body.model_dump()) if key else None
        answer: R = self._operate(use, arguments, named, sure)
        return answer

    def _operate(
        self, use: Use, arguments: Sequence[Any], named: Mapping[str, Any], key: str | None = None
    ) -> Any:
        """The answer of one operation: its path's values, then its body, its query by name."""
        row = find_operation(use)
        values, remaining = arguments[: len(row.path_names)], arguments[len(row.path_names) :]
        sent = _write_body(remaining[0]) if remaining else None
        query = [
            (name, _format_value(value))
            for name, value in named.items()
            if value is not None and name not in OF_A_REQUEST
        ]
        try:
            answer = self.client.ask(row.method, fill_path(row.path, values), sent, query, key=key)
        except ShipcliError as error:
            if self._lacks(row, error):
                raise NotOffered(self.url, row.summary) from None
            raise
        if row.path_names[-1:] == ("id",) and isinstance(answer, dict):
            answer = {**answer, "id": answer.get("id") or values[-1]}  # older servers null it on removal
        return self._read(row, answer)

    def _lacks(self, row: Operation, error: ShipcliError) -> bool:
        """Whether an error of an operation beyond the contract says that another server does not know it."""
        is_missing = isinstance(error, NotFound | NotOffered | UnreadableAnswer) or (
            error.status == HTTPStatus.METHOD_NOT_ALLOWED
        )
        return is_missing and row not in OPERATIONS and not self.offers_steps

    def _read(self, row: Operation, answer: Any) -> Any:
        try:
            return read_answer(row, answer)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(step) for step in first["loc"])
            raise UnreadableAnswer(self.url, f"{field}: {first['msg']}") from None

    # -- lists -------------------------------------------------------------------------------------

    def page(self, kind: str, where: ListFilter, limit: int, offset: int) -> tuple[int, Sequence[Document]]:
        """How many of a kind match, and a page of them as the server shows them."""
        if where.words or where.tests or limit > MOST:
            count, rows = self.every(kind, where)
            return count, rows[offset : offset + limit]
        return self._page(kind, where, limit, offset)

    def _page(self, kind: str, where: ListFilter, limit: int, offset: int) -> tuple[int, list[Document]]:
        query = [*write_query(where.given), ("limit", str(limit)), ("offset", str(offset))]
        answer = self.client.ask("GET", find_operation(find_lister(kind)).path, query=query)
        try:
            return int(answer["count"]), list(answer["results"])
        except (KeyError, TypeError, ValueError):
            raise UnreadableAnswer(self.url, "it is not a list") from None

    def every(self, kind: str, where: ListFilter) -> tuple[int, list[Document]]:
        """How many of a kind match, and all of them."""
        rows = [row for row in self.each(kind, where) if where.fits(row)]
        return len(rows), rows

    def each(self, kind: str, where: ListFilter) -> Iterator[Document]:
        """All that match the filters and pass the tests, page after page; objects added in the meantime cause
        no repetition.
        """
        seen: set[str] = set()
        offset, count = 0, 1
        while offset < count:
            count, rows = self._page(kind, where, MOST, offset)
            offset += len(rows)
            yield from (row for row in rows if row.get("id") not in seen and where.passes(row))
            seen |= {str(row.get("id")) for row in rows}
            if not rows:
                return

    def find(self, kind: str, word: str, most: int) -> list[Candidate]:
        """The objects a word may mean, at most so many: those it names, else those whose id begins so."""
        find_lister(kind)
        if is_whole_id(kind, word):
            return [{"id": word}]
        if not self.offers_steps:
            return find_meant(self.each, kind, word, most)
        ids = self.operate(find_ids, kind=kind, word=word, most=most)["ids"]
        if len(ids) < SEVERAL:
            return [{"id": id} for id in ids]
        return list(islice((row for row in self.each(kind, ListFilter()) if row.get("id") in ids), len(ids)))

    def close(self) -> None:
        """Close the connection."""
        self.client.close()


def read_answer(row: Operation, answer: Any) -> Any:
    """The answer of an operation, as its model.

    Errors: ValidationError.
    """
    if isinstance(row.answer, Many):
        return [row.answer.item.model_validate(item) for item in answer]
    if isinstance(row.answer, Listing) or row.answer is Anything:
        return answer
    assert issubclass(row.answer, BaseModel)
    return row.answer.model_validate(answer)


def _write_body(body: Any) -> Any:
    """The arguments of a use-case, as they are sent."""
    if isinstance(body, Model):
        return body.model_dump(exclude_unset=True)
    if isinstance(body, Mapping) and all(isinstance(field, FormField) for field in body.values()):
        return MultipartForm(tuple(_make_part(name, field) for name, field in body.items()))
    return body


def _make_part(name: str, field: FormField) -> MultipartPart:
    if not field.filename:
        return MultipartPart(name, field.text)
    return MultipartPart(name, field.content, field.filename, "application/octet-stream")


def write_query(filters: Mapping[str, Any]) -> Query:
    """Filters as a query; several values become a parameter each."""
    return [
        (name, _format_value(item))
        for name, value in filters.items()
        if value not in (None, "", [])
        for item in (value if isinstance(value, Sequence) and not isinstance(value, str) else [value])
    ]


def _format_value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _gather_operations() -> Mapping[Use, Operation]:
    return {row.use: row for row in (*SERVED, *CONTROL)}


def find_operation(use: Use) -> Operation:
    """The operation that stands for a use-case.

    Errors: OnlyHere.
    """
    operation = _gather_operations().get(use)
    if operation is None:
        raise LocalOnly("This command")
    return operation
