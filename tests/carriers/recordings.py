"""Recorded cases: finding them, and serving what a carrier answered to calls that match."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from shipcli.carrier.wire.calls import Reply, Request, Token
from shipcli.models import json as plain_json
from tests.carriers.deviations import find_superseded
from tests.carriers.meaning import document_kind

FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
LOGIN_PATH = re.compile(r"token|oauth|auth|login", re.IGNORECASE)
PLACEHOLDERS = frozenset({"<a></a>", "<a/>"})
AGAIN_STATUSES = frozenset({401, 429, 502, 503, 504})  # the driver may ask again, which is no second call
TOKEN_MEMBERS = (
    "access_token", "token", "authorizationCode", "paymentAuthorizationToken", "payment_token",
    "track_access_token", "auth_token", "id_token",
)  # fmt: skip
MEDIA_TYPES: Mapping[str, str] = {"json": "application/json", "xml": "text/xml; charset=utf-8"}
FILE_TYPES: Mapping[str | None, str] = {
    "pdf": "application/pdf", "png": "image/png", "gif": "image/gif", "zpl": "text/plain"
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One recorded exchange."""

    path: Path
    data: Mapping[str, Any]

    @property
    def slug(self) -> str:
        return str(self.data["carrier"])

    @property
    def operation(self) -> str:
        return str(self.data["operation"])

    @property
    def key(self) -> str:
        return f"{self.slug}/{self.path.name}"

    @property
    def checks(self) -> list[str]:
        return list(self.data.get("checks") or ("http", "parsed"))

    @property
    def calls(self) -> list[dict[str, Any]]:
        return list(self.data.get("http") or [])

    @property
    def superseded(self) -> str | None:
        """The address that it called first, if its carrier calls none of its addresses any more."""
        return find_superseded(self.slug, [str(call["url"]) for call in self.calls])

    @property
    def is_unrecorded(self) -> bool:
        """Whether it has a result without an exchange that gives it: nothing can be proven by it."""
        return self.operation != "rates" and not (self.calls or self.data.get("carrier_response"))

    @property
    def is_unbound(self) -> bool:
        """Whether it is a call that no verb makes, of no account: nothing can be asked that sends it."""
        return self.data.get("settings") is None and self.data.get("unified_request") is None

    @property
    def hidden(self) -> list[str]:
        return list(self.data.get("volatile") or [])

    def unordered(self, under: str) -> list[str]:
        """The lists under a path whose order is free."""
        return [path for path in self.data.get("unordered") or [] if path.startswith(under)]

    @property
    def needed_calls(self) -> int:
        """How many of the recorded calls have to be made.

        A case that proves requests only may answer with a placeholder: what follows depends on an answer that
        nobody recorded, so calls after it may be left out.
        """
        answers = self.data.get("carrier_response") or []
        if "parsed" not in self.checks:
            for index, answer in enumerate(answers[:-1]):
                if "".join((answer.get("body") or "").split()) in PLACEHOLDERS:
                    return index + 1
        return len(self.calls)

    @property
    def clock(self) -> datetime:
        return datetime.fromisoformat(str(self.data["clock"])).astimezone(UTC)

    def reply(self, index: int) -> Reply:
        """The recorded answer to a call; a log-in answered by a placeholder gives what later calls bear."""
        entries = self.data.get("carrier_response") or []
        reply = next((_reply(entry) for entry in entries if entry["call"] == index), Reply(200))
        token = self._find_borne(index)
        if token is None or token.encode() in reply.content:
            return reply
        return Reply(200, plain_json.dump_bytes(dict.fromkeys(TOKEN_MEMBERS, token)))

    def _find_borne(self, index: int) -> str | None:
        """The token of a later call, for a log-in of a case that proves requests only: its answers may be
        placeholders.
        """
        if "parsed" in self.checks or not LOGIN_PATH.search(bare_url(self.calls[index]["url"])):
            return None
        return next(filter(None, map(read_bearer, self.calls[index + 1 :])), None)


def _reply(entry: Mapping[str, Any]) -> Reply:
    reply = _make_reply(entry)
    return replace(reply, headers={**reply.headers, **(entry.get("headers") or {})})


def _make_reply(entry: Mapping[str, Any]) -> Reply:
    status, body, kind = int(entry.get("status") or 200), entry.get("body") or "", entry.get("format")
    if kind == "binary-base64":
        media = FILE_TYPES.get(document_kind(body), "application/octet-stream")
        return Reply(status, base64.b64decode(body), {"content-type": media})
    if kind == "multipart":
        boundary = body.lstrip().partition("\n")[0].strip().removeprefix("--")
        return Reply(status, body.encode(), {"content-type": f'multipart/form-data; boundary="{boundary}"'})
    return Reply(status, body.encode(), {"content-type": MEDIA_TYPES.get(str(kind), "text/plain")})


# -- finding ---------------------------------------------------------------------------------------


def find(places: Iterable[Path]) -> Iterator[Case]:
    """The cases under folders (or in files), each once, in the order of their paths.

    Errors: ValueError for a file in a folder `cases` that is no JSON.
    """
    files = {one.resolve() for place in places for one in _files(place)}
    for path in sorted(files):
        case = _read(path)
        if case is not None:
            yield case


def _files(place: Path) -> Iterable[Path]:
    return place.rglob("*.json") if place.is_dir() else [place]


def _read(path: Path) -> Case | None:
    try:
        data = plain_json.loads(path.read_bytes())
    except ValueError as error:
        if path.parent.name == "cases":
            raise ValueError(f"{path}: {error}") from error
        return None
    is_case = isinstance(data, dict) and {"carrier", "operation", "http"} <= data.keys()
    return Case(path, data) if is_case else None


# -- tokens ----------------------------------------------------------------------------------------


class PresetTokens:
    """A token cache that holds what the case says was cached; what it does not hold is logged in for."""

    def __init__(self, case: Case) -> None:
        self._cached: Mapping[str, Any] = case.data.get("cached_auth") or find_token(case)
        self._kept: dict[str, Token] = {}

    def get_all(self, connection_ids: Collection[str]) -> Mapping[str, Mapping[str, Token]]:
        """None: what a case has cached is known when it is asked for by name."""
        return {}

    def get(self, connection_id: str, name: str) -> Token | None:
        if name not in self._kept:
            value = preset_token(self._cached, name)
            if value is None:
                return None
            self._kept[name] = Token(value)
        return self._kept[name]

    def put(self, connection_id: str, name: str, token: Token) -> None:
        self._kept[name] = token

    async def renew(self, connection_id: str, name: str) -> bool:
        """A preset token is "renewed by another": the same value again, with no call."""
        value = preset_token(self._cached, name)
        if value is not None:
            self._kept[name] = Token(value, FOREVER)
        return value is None

    async def end_renewal(self, connection_id: str, name: str) -> None:
        """Nobody waits in a replay."""


def find_token(case: Case) -> Mapping[str, str]:
    """The token of a recording that says nothing of a cache: its first call bears one already."""
    token = read_bearer(case.calls[0]) if case.calls and case.operation != "authenticate" else None
    return {"access_token": token} if token else {}


def read_bearer(call: Mapping[str, Any]) -> str | None:
    """The token that a call bears."""
    kind, _, value = str((call.get("headers") or {}).get("Authorization") or "").partition(" ")
    return value if kind == "Bearer" else None


def preset_token(cached: Mapping[str, Any], name: str) -> str | None:
    """The cached value of a login: a member of that name (dpd: depot), else the member that is a token."""
    paying = "payment" in name
    fitting = [value for key, value in cached.items() if _is_payment(key, value) == paying]
    for value in fitting or ([] if paying else cached.values()):
        if not isinstance(value, Mapping):
            return str(value)
        for member in (name, *TOKEN_MEMBERS):
            if isinstance(value.get(member), str):
                return str(value[member])
    return None


def _is_payment(key: str, value: Any) -> bool:
    members = value if isinstance(value, Mapping) else ()
    return key.startswith("payment") or any("payment" in member for member in members)


# -- serving ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sent:
    """A call that came, and the recorded call it answers to (None: one too many)."""

    request: Request
    index: int | None


@dataclass
class Recording:
    """A transport that answers from a case: by method and address first, by order second."""

    case: Case
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._open = list(range(len(self.case.calls)))

    async def send(self, request: Request) -> Reply:
        again = self._asked_again(request)
        if again is not None:
            return again
        if self._is_login(request):
            return Reply(200, plain_json.dump_bytes(next(iter(self.case.data["cached_auth"].values()))))
        index = self._match(request)
        self.sent.append(Sent(request, index))
        return Reply(500) if index is None else self.case.reply(index)

    @property
    def unsent(self) -> list[int]:
        return list(self._open)

    def _match(self, request: Request) -> int | None:
        calls = self.case.calls
        rank = {index: _likeness(calls[index], request) for index in self._open}
        best = max(self._open, key=lambda index: (rank[index], -index), default=None)
        if best is not None:
            self._open.remove(best)
        return best

    def _asked_again(self, request: Request) -> Reply | None:
        """The same answer to a call that the driver repeats after a refused token or a busy carrier."""
        for one in self.sent:
            same = (one.request.method, one.request.url, one.request.content) == (
                request.method, request.url, request.content,
            )  # fmt: skip
            if same and one.index is not None and self.case.reply(one.index).status in AGAIN_STATUSES:
                return self.case.reply(one.index)
        return None

    def _is_login(self, request: Request) -> bool:
        """A token call although the case presets a token: served, and not counted."""
        known = {bare_url(call["url"]) for call in self.case.calls}
        here = bare_url(request.url)
        return bool(self.case.data.get("cached_auth")) and here not in known and bool(LOGIN_PATH.search(here))


def _likeness(call: Mapping[str, Any], request: Request) -> int:
    """3: same address and query, 2: same query names, 1: same method and address, 0: none of it."""
    if call["method"].upper() != request.method.upper() or bare_url(call["url"]) != bare_url(request.url):
        return 0
    left, right = (sorted(parse_qsl(urlsplit(url).query)) for url in (call["url"], request.url))
    if left == right:
        return 3
    return 2 if [key for key, _ in left] == [key for key, _ in right] else 1


def bare_url(url: str) -> str:
    """Scheme, host and path, without user, usual port and query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    host = host.removesuffix(":443" if parts.scheme == "https" else ":80")
    return f"{parts.scheme}://{host}{unquote(parts.path) or '/'}"
