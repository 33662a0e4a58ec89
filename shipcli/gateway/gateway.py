"""The interface through which commands and workflows call operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.config import Config
    from shipcli.features.core.app import App
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.gateway.where import ListFilter

P = ParamSpec("P")
R = TypeVar("R")
Candidate = Mapping[str, Any]
Row = str | Mapping[str, Any]  # an object as its JSON text, where it is stored so, or as plain data


class LocalOnly(ShipcliError):
    """Something that only works with the store of this machine."""

    code = "usage"
    exit_code = 2

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} works on the store of this machine only: leave out --api-url or SHIPCLI_API_URL"
        )


class NotPromised(ShipcliError):
    """Something that only a server of this program can promise to do no more than once."""

    code = "not_offered"
    exit_code = 2

    def __init__(self, url: str, what: str) -> None:
        super().__init__(
            f"{what} is for servers of shipcli: {url} can't promise that no label is bought twice"
        )
        self.hint = "shipcli ship buys one label there"


class Gateway(Protocol):
    """Where operations are carried out: in the store of this machine, or on a server.

    Shapes: `config` are the settings of this machine; a kind is one of the store's, such as "shipment".
    """

    @property
    def url(self) -> str:
        """The address of the server; empty for this machine."""
        ...

    @property
    def config(self) -> Config: ...

    @property
    def defaults(self) -> ShipDefaults:
        """The defaults that need not be typed, as known there."""
        ...

    @property
    def workers(self) -> int:
        """How many operations that ask carriers may run at once."""
        ...

    @property
    def is_sandbox(self) -> bool:
        """Whether all carriers are simulated there."""
        ...

    def now(self) -> datetime:
        """The time on this machine."""
        ...

    def ask(self, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of a use-case.

        Errors: those of the use-case; from a server those of the network as well, and OnlyHere for what it
                does not offer.
        """
        ...

    def ask_once(
        self, key: str | None, use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs
    ) -> R:
        """The result of an operation with a body, done once per key; `auto` makes a key from the body.

        Errors: also those of a key that was used for something else.
        """
        ...

    def require_promise(self, what: str) -> None:
        """Errors: NotPromised if what is carried out there can't be kept from being done twice."""
        ...

    def page(self, kind: str, where: ListFilter, limit: int, offset: int) -> tuple[int, Iterable[Row]]:
        """How many of a kind match, and a page of them, newest first."""
        ...

    def every(self, kind: str, where: ListFilter) -> tuple[int, Iterable[Row]]:
        """How many of a kind match, and all of them, newest first."""
        ...

    def each(self, kind: str, where: ListFilter) -> Iterator[dict[str, Any]]:
        """All of a kind that match, newest first, one after the other."""
        ...

    def find(self, kind: str, word: str, most: int) -> list[Candidate]:
        """The objects that a word may mean, at most so many: at least their ids, and of several what tells
        them apart.
        """
        ...
