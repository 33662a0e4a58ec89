"""The columns of the operation table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from shipcli.features.core.filters import Rules
from shipcli.models.base import Model

Words = Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Parameter:
    """A query parameter other than the filters of lists; `read` converts its text for the use-case.

    `declared` ones are only in the served document, for old clients, and are not read.
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
    """A paged list: the name of its envelope, the model of its items, and the filters it takes."""

    envelope: str
    item: type[Model]
    filters: Rules = field(default_factory=dict)


@dataclass(frozen=True)
class Many:
    """A plain array of items."""

    item: type[Model]


class Anything:
    """An object whose keys depend on the data."""


Answer = type[Model] | Listing | Many | type[Anything]


class Auth(Enum):
    """What a credential must be allowed to do; an open operation needs none."""

    OPEN = "open"
    READ = "read"
    WRITE = "write"


class RunsOn(Enum):
    """Which thread runs an operation: one of the pool (it may wait for a carrier), the reader thread (a point
    read), or the writer thread (it only writes to the store: queued writes run together, in one commit).
    """

    POOL = "pool"
    READER = "reader"
    WRITER = "writer"


class IdempotencyPolicy(Enum):
    """How the answer to a request with an idempotency key is stored, so that a repeat gets the same one."""

    AFTERWARDS = "afterwards"  # nothing was stored or sent that a second request would repeat
    RECORD_FIRST = "announced"  # a carrier acts: the key is recorded first, its outcome unknown after a crash
    IN_TRANSACTION = "by_use_case"  # it takes the key, and stores the answer in its own transaction
    NEVER = "never"  # the key is in the body, or the answer a secret, which no cache may store either


class Content(Enum):
    """What a request carries besides its path and query; one with a file may be larger."""

    JSON = "json"
    JSON_WITH_FILE = "json_with_file"
    FORM_WITH_FILE = "form_with_file"  # the use-case gets its fields instead of a body


@dataclass(frozen=True)
class Operation:
    """One operation of the API.

    Shapes: `use` is called with the app, the path's values in order, the parsed body if there is one, and by
            keyword with the query parameters and what `from_request` names: `host`, the address under which
            the server was called, and `peer`, the address that the request came from.
            `stored` names the kind whose stored document is the answer; `use` is called if there is none.
            `refusals` are the statuses whose body holds messages of carriers; `other_statuses` are declared
            in addition; `messages` are errors whose body tells the same as `messages` too.
            `rows` names the list of a batch body whose errors carry a row number.
            `auth` is set where the default does not apply: write for changes, read for everything else.
            `only_in_sandbox` rows are served by sandboxes alone, to a key that may write, to no page of
            another origin; they are not logged.
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
    from_request: tuple[str, ...] = ()
    path_words: Mapping[str, Words] = field(default_factory=dict)
    status: int = 200
    other_statuses: tuple[int, ...] = ()
    errors: tuple[int, ...] = ()
    refusals: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    stored: str = ""
    rows: str = ""
    auth: Auth | None = None
    lane: RunsOn = RunsOn.POOL
    policy: IdempotencyPolicy = IdempotencyPolicy.AFTERWARDS
    content: Content = Content.JSON
    deprecated: bool = False
    declares_500: bool = True
    only_in_sandbox: bool = False

    @cached_property
    def needs(self) -> Auth:
        """What the caller must be allowed to do."""
        return self.auth or (Auth.WRITE if self.writes or self.only_in_sandbox else Auth.READ)

    @cached_property
    def is_form(self) -> bool:
        """Whether it takes a form."""
        return self.content is Content.FORM_WITH_FILE

    @cached_property
    def writes(self) -> bool:
        """Whether it changes something."""
        return self.method != "GET"

    @cached_property
    def logged(self) -> bool:
        """Whether its calls are logged: those that change something, and reads that ask a carrier."""
        return (self.writes or bool(self.refusals)) and not self.only_in_sandbox

    @cached_property
    def reads_objects(self) -> bool:
        """Whether it answers with what the store holds, and with no secret: its client may keep that."""
        if self.writes or self.logged or self.only_in_sandbox or self.policy is IdempotencyPolicy.NEVER:
            return False
        return self.answer is not Anything

    @cached_property
    def path_names(self) -> tuple[str, ...]:
        """The names of the path's values, in order."""
        return tuple(step[1:-1] for step in self.path.split("/") if step.startswith("{"))
