"""What a carrier flow is made of: calls and replies, as plain values.

A flow is a generator. It yields one `Call` (and receives one `Reply`) or a list of calls, which are sent
together (and receives their replies in the same order), and it returns its result. The driver sends calls.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from shipcli.carrier.wire.multipart import MultipartPart, choose_boundary, join, split
from shipcli.models import json as plain_json

if TYPE_CHECKING:
    from lxml.etree import _Element

    from shipcli.models import Quote

T = TypeVar("T")

SAFE_METHODS = frozenset({"GET", "HEAD"})
STRUCTURED = ("json", "xml", "html")
# On a reply of the kit's own, which no carrier wrote: `{"errors": [{"code", "message"}]}`.
REFUSAL_HEADER = "x-simulator-refusal"
# On a simulator's refusal of a value: `{"path", "reason", "value"}`.
REFUSED_VALUE_HEADER = "x-simulator-refused-value"
TIMED_OUT_HEADER = "x-simulator-timeout"  # on a simulator's reply of status 0: nobody waits for it


@dataclass(frozen=True, slots=True, kw_only=False)
class Call:
    """A request as a value: what to send.

    Shapes: `path` is joined to the carrier's host; an absolute URL stands for itself (links out of an
            earlier reply).
            At most one of json, form, xml, parts, content. `xml` is an element or text (see
            `shipcli.carrier.wire.xml`).
            `query` values may be lists, which repeat the parameter; None leaves it out.
            `host` names one of the carrier's `other_hosts`.
            `tokens` names the logins the call needs; None means the carrier's usual ones, () means none.
            `credentials` None sends log-ins and headers of the carrier to its own hosts only; True sends
            them to any host.
    """

    method: str
    path: str
    json: Any = None
    form: Mapping[str, Any] | None = None
    xml: _Element | str | None = None
    parts: Sequence[MultipartPart] | None = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    host: str | None = None
    tokens: tuple[str, ...] | None = None
    repeatable: bool | None = None  # None: GET and HEAD are, nothing else is
    tolerant: bool = False  # a failed or lost reply is passed to the flow instead of ending it
    partial: bool = False  # errors beside results are messages: an answer below 400 is no refusal
    file: bool = False  # the answer is a file: nothing in it is parsed
    credentials: bool | None = None
    timeout_s: float | None = None
    about: Mapping[str, Any] = field(default_factory=dict)  # added to the details of the call's messages

    @property
    def may_repeat(self) -> bool:
        return self.method in SAFE_METHODS if self.repeatable is None else self.repeatable


class Body:
    """Bytes with headers, read in whatever format they are.

    Errors: `json`, `xml` and `parts` raise ValueError when the body is something else.
    """

    content: bytes
    headers: Mapping[str, str]

    @cached_property
    def json(self) -> Any:
        """The JSON body, numbers with a fraction as Decimal; {} if it is empty."""
        return plain_json.loads(self.content) if self.content.strip() else {}

    @cached_property
    def xml(self) -> _Element:
        """The XML body with namespaces dropped, so that readers name local names only."""
        from shipcli.carrier.wire.xml import parse

        return parse(self.content)

    @cached_property
    def parts(self) -> list[MultipartPart]:
        """The parts of a multipart body."""
        return split(self.content, self.header("content-type"))

    def header(self, name: str) -> str:
        lowered = name.lower()
        return next((value for key, value in self.headers.items() if key.lower() == lowered), "")


# What readers raise on replies that make no sense.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
NO_ANSWER = 599  # the status of a reply that stands for an answer that never came


@dataclass(frozen=True)
class Reply(Body):
    """An answer as a value. `failed` and `decided` are set by the driver from what the carrier says of it."""

    status: int
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    failed: bool = False
    decided: bool | None = None  # what the carrier class says of a refusal (`is_definite`)
    delay_s: float = 0.0  # a simulator's way to be slow

    @property
    def ok(self) -> bool:
        return not self.failed

    @property
    def definite(self) -> bool:
        """Whether the carrier decided: it answered, and with no fault of its own."""
        return self.ok or (self.status < 500 if self.decided is None else self.decided)

    @property
    def structured(self) -> bool:
        """Whether its content type is JSON, XML or HTML; without one, whether it looks like that."""
        kind = self.header("content-type").lower()
        if kind:
            return any(word in kind for word in STRUCTURED)
        return self.content.lstrip()[:1] in (b"{", b"[", b"<")

    @cached_property
    def text(self) -> str:
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return self.content.decode("latin-1")


@dataclass(frozen=True)
class Request(Body):
    """A call ready for the wire: absolute URL, complete headers, encoded body. Simulators are given this.

    `is_stated` is True only if the carrier class itself states the host: any other one comes from a setting
    of a connection or from an answer. `scenario`, `numbers`, `purchase` and `is_binding` are for simulators
    alone: the tracking numbers that the caller chose, the key of the purchase, and whether the call changes
    something.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    timeout_s: float = 30.0
    slug: str = ""
    test_mode: bool = False
    scenario: str | None = None
    numbers: tuple[str, ...] = ()
    purchase: str = ""
    is_binding: bool = False
    is_stated: bool = False

    @cached_property
    def path(self) -> str:
        return urlsplit(self.url).path

    @cached_property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.url).query, keep_blank_values=True))

    @cached_property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.content.decode("utf-8"), keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Token:
    """The token of a login, and until when it may be used (aware UTC; None: until it is refused).

    `extra` holds other values of the login's reply that later calls need (a depot, a customer number).
    """

    value: str
    expires_at: datetime | None = None
    extra: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Token(value=***, expires_at={self.expires_at!r})"


@dataclass(frozen=True, slots=True)
class Bought:
    """A shipment that is paid for: `yield Bought(number, identifier)` as soon as the carrier confirms it.

    It is stored at once. When the flow fails later, the shipment has its number and its label is fetched
    again (`fetch_label`), instead of an unknown outcome.
    Shapes: a carrier that confirms first and numbers later is known by its identifier alone,
            `Bought(None, identifier)`: the label that is fetched has the number; `part` marks one parcel of a
            shipment whose other parcels may still be refused; `meta` as in a Label, `tracking_numbers` of all
            parcels among it.
    """

    tracking_number: str | None
    shipment_identifier: str | None = None
    part: bool = False
    selected_rate: Quote | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a purchase has a number or an identifier")

    @property
    def name(self) -> str:
        """What names it: its number, else its identifier."""
        return self.tracking_number or self.shipment_identifier or ""


@dataclass(frozen=True, slots=True)
class Pause:
    """`yield Pause(seconds)` before asking again for a document that is not ready.

    A pause lasts ten seconds at most, all pauses of a flow together one minute; beyond that the flow is
    thrown a CarrierError.
    """

    seconds: float


@dataclass(frozen=True, slots=True)
class Reserve:
    """`numbers = yield Reserve(series, count)`: so many consecutive, unused numbers of a series.

    For carriers whose clients number their shipments. A number is given out once among all processes that
    share a store, even if it is not used then. All connections of a carrier share its series: the name of a
    series says whose numbers they are. Numbers are above all that were given out, and above `above`.
    """

    series: str
    count: int = 1
    above: int = 0


Step: TypeAlias = "Call | list[Call] | Bought | Pause | Reserve"
Flow: TypeAlias = Generator[Step, Any, T]


def ask(call: Call) -> Generator[Call, Reply, Reply]:
    """Send one call: `reply = yield from ask(Call(...))`."""
    reply = yield call
    return reply


def ask_all(calls: Sequence[Call]) -> Generator[list[Call], list[Reply], list[Reply]]:
    """Send several calls together; replies in the same order, failed ones among them (`reply.ok`)."""
    if not calls:
        return []
    replies = yield list(calls)
    return replies


def encode(call: Call, base: str, extra_headers: Mapping[str, str]) -> Request:
    """Return the call as bytes: URL with query, body in its format, a content type if none was given."""
    content, content_type = _write_body(call)
    headers = {**extra_headers, **call.headers}
    if content_type and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = content_type
    return Request(call.method, write_url(call, base), headers, content)


def write_url(call: Call, base: str) -> str:
    url = call.path if re.match(r"https?://", call.path) else base.rstrip("/") + call.path
    pairs = {key: value for key, value in call.query.items() if value is not None}
    if not pairs:
        return url
    joint = "&" if "?" in url else "?"
    return url + joint + urlencode(pairs, doseq=True, quote_via=quote)


def read_origin(url: str) -> str:
    """Return scheme, host and port of a URL, in lower case."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def _write_body(call: Call) -> tuple[bytes, str | None]:
    """Return the body of a call and its content type."""
    if call.json is not None:
        return plain_json.dump_bytes(call.json), "application/json"
    if call.form is not None:
        pairs = {key: value for key, value in call.form.items() if value is not None}
        return urlencode(pairs, doseq=True).encode(), "application/x-www-form-urlencoded"
    if call.xml is not None:
        from shipcli.carrier.wire.xml import render

        return render(call.xml), "text/xml; charset=utf-8"
    if call.parts is not None:
        boundary = choose_boundary(call.parts, "shipcli-part")
        return join(call.parts, boundary), f"multipart/form-data; boundary={boundary}"
    return call.content or b"", None
