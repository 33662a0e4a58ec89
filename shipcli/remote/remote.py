"""One server in the place of this machine's store: use-cases asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from shipcli.config import Config
from shipcli.features.core.app import Clock, system_clock
from shipcli.models.base import Model
from shipcli.models.errors import ShipcliError
from shipcli.operations.operation import Anything, Listing, Many, Operation
from shipcli.operations.table import OPERATIONS, UNPUBLISHED
from shipcli.remote.client import Query, RemoteServer, ServerClient, path_with
from shipcli.remote.failures import UnreadableAnswer

if TYPE_CHECKING:
    from shipcli.features.core.app import App

MOST = 100  # results of a page
Use = Callable[..., Any]
Flows = Mapping[Use, Callable[..., Any]]  # by the use-case of this machine that each stands for


class OnlyHere(ShipcliError):
    """Something that belongs to the store of this machine."""

    code = "usage"
    exit_code = 2

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} works on the store of this machine only: leave out --api-url")


class Remote:
    """The surroundings of a flow: the server, and settings, clock and store of this machine."""

    def __init__(
        self,
        server: RemoteServer,
        flows: Flows,
        config: Config,
        own: Callable[[], App],
        clock: Clock = system_clock,
    ) -> None:
        self.client = ServerClient(server)
        self.flows, self.config, self.own, self.clock = flows, config, own, clock

    def ask(self, use: Use, *given: Any, **named: Any) -> Any:
        """What a use-case answers there.

        Errors: those of the use-case; Unreachable; OnlyHere for one that no server offers.
        """
        flow = self.flows.get(use)
        return flow(self, *given, **named) if flow else self.operate(row_of(use), *given, **named)

    def operate(self, row: Operation, *given: Any, key: str | None = None, **named: Any) -> Any:
        """The answer of one operation: its path's values, then its body, its query by name."""
        values, rest = given[: len(row.path_names)], given[len(row.path_names) :]
        body = rest[0] if rest else None
        sent = body.given() if isinstance(body, Model) else body
        query = [(name, _text(value)) for name, value in named.items() if value is not None]
        answer = self.client.ask(row.method, path_with(row.path, values), sent, query, key=key)
        if row.path_names[-1:] == ("id",) and isinstance(answer, dict):
            answer = {**answer, "id": answer.get("id") or values[-1]}  # older servers null it on removal
        return self._read(row, answer)

    def _read(self, row: Operation, answer: Any) -> Any:
        try:
            if isinstance(row.answer, Many):
                return [row.answer.item.model_validate(one) for one in answer]
            if isinstance(row.answer, Listing) or row.answer is Anything:
                return answer
            assert issubclass(row.answer, BaseModel)
            return row.answer.model_validate(answer)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(step) for step in first["loc"])
            raise UnreadableAnswer(self.client.server.url, f"{place}: {first['msg']}") from None

    # -- lists -------------------------------------------------------------------------------------

    def page(self, use: Use, given: Mapping[str, Any], limit: int, offset: int) -> tuple[int, list[Any]]:
        """How many fit the filters, and those of a page as the server shows them."""
        query = [*query_of(given), ("limit", str(limit)), ("offset", str(offset))]
        answer = self.client.ask("GET", row_of(use).path, query=query)
        try:
            return int(answer["count"]), list(answer["results"])
        except (KeyError, TypeError, ValueError):
            raise UnreadableAnswer(self.client.server.url, "it is not a list") from None

    def each(self, use: Use, given: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """All that fit the filters, page after page; what is new meanwhile is not shown twice."""
        seen: set[str] = set()
        offset, count = 0, 1
        while offset < count:
            count, rows = self.page(use, given or {}, MOST, offset)
            offset += len(rows)
            yield from (row for row in rows if row.get("id") not in seen)
            seen |= {str(row.get("id")) for row in rows}
            if not rows:
                return

    def close(self) -> None:
        """Hang up."""
        self.client.close()


def query_of(given: Mapping[str, Any]) -> Query:
    """Filters as a query; of several values each is a parameter."""
    return [
        (name, _text(one))
        for name, value in given.items()
        if value not in (None, "", [])
        for one in (value if isinstance(value, Sequence) and not isinstance(value, str) else [value])
    ]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _rows() -> Mapping[Use, Operation]:
    return {row.use: row for row in (*OPERATIONS, *UNPUBLISHED)}


def row_of(use: Use) -> Operation:
    """The operation that a use-case is.

    Errors: OnlyHere.
    """
    found = _rows().get(use)
    if found is None:
        raise OnlyHere("This command")
    return found
