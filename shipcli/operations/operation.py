"""What a row of the operation table says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shipcli.features.core.filters import Rules
from shipcli.models.base import Model

Words = Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Parameter:
    """A query parameter beside the filters of lists; `read` turns its text into what the use-case takes.

    `declared` ones stand in the served document for old clients and are not read.
    """

    name: str
    read: Callable[[str], Any] = str
    type: str = "string"
    format: str = ""
    words: Words | None = None
    required: bool = False
    declared: bool = False


@dataclass(frozen=True)
class Listing:
    """A paged list: the name of its envelope, what its items are, and the filters it takes."""

    envelope: str
    item: type[Model]
    filters: Rules = field(default_factory=dict)


@dataclass(frozen=True)
class Many:
    """A plain array of these."""

    item: type[Model]


class Anything:
    """An object whose keys depend on the data."""


Answer = type[Model] | Listing | Many | type[Anything]


@dataclass(frozen=True)
class Operation:
    """One operation of the API.

    Shapes: `use` is called with the app, the path's values in order, the read body if there is one, and the
            query
            parameters by name; `once` ones also take a keyed request and remember their answer by themselves;
            `hosted` ones take the address under which the server was asked.
            `stored` names the kind whose document is the answer as it rests; `use` is asked when there is
            none.
            `inline` ones are point reads: the thread that reads answers them. `quick` ones write to the store
            and do nothing else: one thread takes them together and keeps them with one commit.
            `refusals` are the statuses whose body holds what carriers said; `other_statuses` are declared
            besides.
            `acts` ones make a carrier do something that must not be done twice; `fault` ones declare a 500.
            `form` ones take a form in place of a body: `use` gets its fields.
            `rows` names the list of a batch body whose errors carry a row number.
            `scope` is what a credential must be allowed: to write for what is no GET, unless said otherwise.
            `peered` ones take the address that the request came from; answers of `fleeting` ones are kept
            nowhere.
    """

    id: str
    method: str
    path: str
    use: Callable[..., Any]
    answer: Answer
    tag: str
    name: str
    summary: str
    body: type[Model] | None = None
    query: tuple[Parameter, ...] = ()
    path_words: Mapping[str, Words] = field(default_factory=dict)
    status: int = 200
    other_statuses: tuple[int, ...] = ()
    errors: tuple[int, ...] = ()
    refusals: tuple[int, ...] = ()
    open: bool = False
    deprecated: bool = False
    inline: bool = False
    quick: bool = False
    stored: str = ""
    once: bool = False
    acts: bool = False
    fault: bool = True
    hosted: bool = False
    rows: str = ""
    uploads: bool = False
    form: bool = False
    scope: str = ""
    peered: bool = False
    fleeting: bool = False

    @property
    def needs(self) -> str:
        """The scope that a credential needs."""
        return self.scope or ("write" if self.writes else "read")

    @cached_property
    def writes(self) -> bool:
        """Whether it changes something."""
        return self.method != "GET"

    @cached_property
    def logged(self) -> bool:
        """Whether its calls are written down: what changes something, and reads that ask a carrier."""
        return self.writes or bool(self.refusals)

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """The names of the path's values, in order."""
        return tuple(step[1:-1] for step in self.path.split("/") if step.startswith("{"))
