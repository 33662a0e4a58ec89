"""What answers every request: finds the target, the caller and the limits, and sends the response."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from shipcli.api.authentication import Authenticator
from shipcli.api.http import responses
from shipcli.api.http.compact import LARGE, is_compactable, make_compact
from shipcli.api.http.cors import Origins, is_preflight
from shipcli.api.http.hosts import BadHead, Hosts, check_head
from shipcli.api.http.request import ClientDisconnected, HttpRequest, Receive, Scope, Send
from shipcli.api.http.responses import Header, HttpResponse
from shipcli.api.http.routing import Routes
from shipcli.api.invoke import OperationCall, answer_error, carry_out
from shipcli.api.limits import BodyLimits, Limiter
from shipcli.api.principal import ANONYMOUS, WRITE, Principal
from shipcli.api.sandbox.fault_effects import answer_instead, hang_up, send_slowly
from shipcli.api.sandbox.watch import SandboxWatch
from shipcli.api.signed_urls import SignedUrls
from shipcli.api.work_queue import WorkQueue, do_each
from shipcli.api.write_queue import WriteQueue
from shipcli.features.core.app import App
from shipcli.models.basics.errors import NotAuthorised, Throttled
from shipcli.operations.operation import Auth, Content, Listing, Operation, RunsOn

log = logging.getLogger("shipcli.api")
THREADS = 40
# No request waits for a carrier there: more threads would only get in each other's way.
SANDBOX_THREADS = 8
LARGE_BODY = 32768

KEPT_FREE = 20  # one thread of so many is kept from any single caller
MOST_CALLERS = 1000  # whose `App` is cached
VARIES: Header = (b"vary", b"accept")  # what `/` answers
MODES: dict[bool, Header] = {mode: (b"x-test-mode", str(mode).encode()) for mode in (True, False)}
NO_CREDENTIALS = "Authentication credentials were not provided: send `Authorization: Token KEY`"

T = TypeVar("T")
View = Callable[[HttpRequest, tuple[str, ...]], HttpResponse]


@dataclass(frozen=True)
class ServedPage:
    """A page that is not an operation: run in a thread, open to all unless `guarded`.

    A `linked` one is also sent without credentials to anyone with a signed link to it.
    `own_credentials` says that the page identifies the caller itself; `name_caller` tells then by which name
    its requests are counted, None for that of the address.
    """

    view: View
    guarded: bool = False
    linked: bool = False
    own_credentials: bool = False
    name_caller: Callable[[HttpRequest], str | None] | None = None

    @property
    def needs(self) -> Auth:
        """What the caller must be allowed to do."""
        return Auth.READ if self.guarded else Auth.OPEN


Target = Operation | ServedPage


class Admission(NamedTuple):
    """The caller, if known, and the headers of every response to them.

    Shapes: `refusal` is the response to a caller who has exceeded the rate limit.
    """

    found: Principal | None
    headers: tuple[Header, ...]
    refusal: HttpResponse | None = None

    @property
    def caller(self) -> Principal:
        return self.found or ANONYMOUS


class Dispatcher:
    """Answers every request of the application."""

    def __init__(
        self,
        app: App,
        routes: Routes[Target],
        authenticator: Authenticator,
        hosts: Hosts,
        origins: Origins,
        signed_urls: SignedUrls | None = None,
        first_page: ServedPage | None = None,
    ) -> None:
        self._app = app
        self._routes = routes
        self._authenticator = authenticator
        self._hosts = hosts
        self._origins = origins
        self._signed_urls = signed_urls
        self._first_page = first_page
        self._body_limit = int(app.config["body_limit"])
        self._upload_limit = int(app.config["upload_limit"])
        self._refusals = Limiter(int(app.config["refusal_limit"]))
        self._limits = BodyLimits.read(app.config)
        self._timeout_s = int(app.config["request_timeout"])
        rate = int(app.config["rate_limit"])
        self._limiter = Limiter(rate) if rate > 0 else None
        self._reader = WorkQueue("shipcli-reader", do_each)  # authentication and point reads
        threads = SANDBOX_THREADS if app.sandbox else THREADS
        self._pool = ThreadPoolExecutor(threads, "shipcli-api")
        self._share = threads - max(1, threads // KEPT_FREE)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._writer = WriteQueue(app)
        self._apps: dict[Principal, App] = {}
        self._watch = SandboxWatch(app, self._writer.request_log) if app.sandbox else None

    def close(self) -> None:
        """Wait for the requests in threads to finish."""
        self._reader.close()
        self._pool.shutdown(wait=True)
        self._writer.close()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = HttpRequest(scope, receive)
        arrival = await self._watch.meet(request) if self._watch else None
        fault = arrival.fault if arrival else None
        if fault and fault.drop:
            hang_up(send)
            return
        try:
            check_head(scope)
            response = (answer_instead(fault) if fault else None) or await self._answer(request)
        except BadHead as error:
            response = responses.write_error(error).with_headers((b"connection", b"close"))
        except ClientDisconnected:
            return
        if self._watch and arrival:
            response = self._watch.finish(request, response, arrival)
        if fault and fault.lost:
            hang_up(send)
            return
        response = await self._make_compact(request, response)
        headers = [*response.headers, (b"x-request-id", request.id)]
        if response.status != HTTPStatus.NOT_MODIFIED:
            headers.append((b"content-length", b"%d" % len(response.body)))
        if b"origin" in request.headers:
            headers += self._origins.headers(request.headers[b"origin"])
        try:
            await send({"type": "http.response.start", "status": response.status, "headers": headers})
            if fault and fault.drip:
                await send_slowly(send, response.body, fault.drip)
            else:
                await send({"type": "http.response.body", "body": response.body})
        except RuntimeError as error:  # raised by uvloop if the client was dropped meanwhile
            log.debug("request %s was not answered: %s", request.id.decode(), error)

    async def _make_compact(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer as its client wants it; large ones are compressed in a thread."""
        if len(response.body) < LARGE or not is_compactable(request, response):
            return make_compact(request, response)
        return await asyncio.to_thread(make_compact, request, response)

    async def _answer(self, request: HttpRequest) -> HttpResponse:
        if is_preflight(request.method, request.headers):
            return self._origins.preflight(request.headers[b"origin"])
        route = self._routes.find(request.path)
        if route is None:
            return responses.write_not_found(request.path)
        method = "GET" if request.method == "HEAD" else request.method
        target = route.methods.get(method)
        if target is None:
            return responses.write_not_allowed(request.method, sorted(route.methods))
        if request.path == "/" and self._first_page:
            target = self._first_page if request.is_for_people else target
        try:
            self._hosts.check(request)
            response = await self._serve(request, target, route.values)
            return response.with_headers(VARIES) if request.path == "/" else response
        except ClientDisconnected:
            raise
        except Exception as error:  # noqa: BLE001 - the server's outermost layer
            return answer_error(error, request)

    async def _serve(self, request: HttpRequest, target: Target, values: tuple[str, ...]) -> HttpResponse:
        check_page(request, self._origins)
        check_control(request, target)
        request.reads_objects = isinstance(target, Operation) and target.reads_objects
        if isinstance(target, Operation) and is_point_read(target, request):
            return await self._reader.do(partial(self._read, request, target, values))
        admission = await self._reader.do(partial(self._admit, request, target))
        if admission.refusal:
            response = admission.refusal
        elif isinstance(target, ServedPage):
            if request.method == "POST":
                request.content = await request.body(self._body_limit, self._timeout_s)
            response = await self._in_pool(request.owner, partial(target.view, request, values))
        else:
            response = self._sign(await self._operate(request, target, values, admission), admission)
        return response.with_headers(*admission.headers)

    def _read(self, request: HttpRequest, operation: Operation, values: tuple[str, ...]) -> HttpResponse:
        """Answer a point read entirely in this thread: that costs less than moving on to another one."""
        admission = self._admit(request, operation)
        response = admission.refusal
        if response is None:
            call = OperationCall(
                operation, values, request, admission.caller, self._app_of(admission.caller), self._limits
            )
            response = self._sign(carry_out(call), admission)
        return response.with_headers(*admission.headers)

    def _admit(self, request: HttpRequest, target: Target) -> Admission:
        """Identify the caller, and check the rate limit and their rights.

        Errors: NotAuthorised; Throttled.
        """
        asks_itself = isinstance(target, ServedPage) and target.own_credentials
        principal = request.caller = None if asks_itself else self._identify(request)
        caller = principal or ANONYMOUS
        headers: tuple[Header, ...] = (MODES[caller.test_mode],)
        if self._limiter is not None:
            allowance = self._limiter.count(_name_caller(request, target, principal))
            headers += allowance.headers()
            if allowance.is_spent:
                return Admission(principal, headers, responses.write_error(Throttled(allowance.resets_in_s)))
        if not self._is_linked(target, request):
            check_allowed(target, principal)
        return Admission(principal, headers)

    def _sign(self, response: HttpResponse, admission: Admission) -> HttpResponse:
        """Sign the links in an answer, after it was logged: the log must hold no signatures."""
        return (
            self._signed_urls.sign(response)
            if self._signed_urls is not None and admission.found
            else response
        )

    def _identify(self, request: HttpRequest) -> Principal | None:
        """Identify the caller. An address with too many bad credentials in a minute is told to retry later; a
        valid credential from that address is still accepted.

        Errors: NotAuthorised; Throttled.
        """
        try:
            return self._authenticator.authenticate(request)
        except NotAuthorised:
            allowance = self._refusals.count(request.peer)
            if allowance.is_spent:
                raise Throttled(allowance.resets_in_s) from None
            raise

    def _is_linked(self, target: Target, request: HttpRequest) -> bool:
        if self._signed_urls is None or not isinstance(target, ServedPage) or not target.linked:
            return False
        return self._signed_urls.opens(request)

    async def _operate(
        self, request: HttpRequest, operation: Operation, values: tuple[str, ...], admission: Admission
    ) -> HttpResponse:
        limit = self._body_limit if operation.content is Content.JSON else self._upload_limit
        content = await request.body(limit, self._timeout_s) if operation.writes else b""
        request.content = content if self._app.sandbox else b""
        caller, request_log = admission.caller, self._writer.request_log
        call = OperationCall(
            operation, values, request, caller, self._app_of(caller), self._limits, content, request_log
        )
        # Merely parsing a large body would hold up the others in the queue.
        is_queued = operation.lane is RunsOn.WRITER and len(content) <= LARGE_BODY
        work = partial(carry_out, call)
        return await (self._writer.do(work) if is_queued else self._in_pool(caller.owner, work))

    def _app_of(self, caller: Principal) -> App:
        """The `App` for a caller's requests, cached: there are few callers."""
        existing = self._apps.get(caller)
        if existing is not None:
            return existing
        if len(self._apps) > MOST_CALLERS:
            self._apps.clear()
        made = self._apps[caller] = replace(
            self._app,
            test_mode=caller.test_mode,
            caller=caller.owner,
            shows_secrets=WRITE in caller.scopes,
        )
        return made

    async def _in_pool(self, owner: str, work: Callable[[], T]) -> T:
        """Work in a thread; one caller never holds them all, however slow the requests are."""
        async with self._turns.setdefault(owner, asyncio.Semaphore(self._share)):
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def _name_caller(request: HttpRequest, target: Target, principal: Principal | None) -> str:
    """By which name a request is counted: the caller's, as far as it is known."""
    if principal:
        return principal.name
    name = target.name_caller(request) if isinstance(target, ServedPage) and target.name_caller else None
    return name or f"address:{request.peer}"


def check_page(request: HttpRequest, origins: Origins) -> None:
    """Errors: NotAuthorised for Basic credentials from a web page of another origin: the browser may have
    added them by itself.
    """
    origin = request.headers.get(b"origin")
    if origin is None or not request.headers.get(b"authorization", b"").lower().startswith(b"basic "):
        return
    if origin != request.host.encode() and not origins.allow(origin):
        raise NotAuthorised("A web page of another origin must send its key as `Authorization: Token KEY`")


def check_control(request: HttpRequest, target: Target) -> None:
    """Errors: NotAuthorised for a page of another origin that would control a sandbox: whatever page a
    developer happens to read could do that.
    """
    origin = request.headers.get(b"origin")
    if origin is None or not isinstance(target, Operation) or not target.only_in_sandbox:
        return
    if origin != request.host.encode():
        text = "A web page of another origin may not control a sandbox"
        raise NotAuthorised(text, code="foreign_origin", status=403)


def check_allowed(target: Target, caller: Principal | None) -> None:
    """Errors: NotAuthorised if the credentials, or the scope, that a target needs are missing."""
    needed = target.needs
    if needed is Auth.OPEN:
        return
    if caller is None:
        raise NotAuthorised(NO_CREDENTIALS)
    if needed.value not in caller.scopes:
        text = f"This credential may not {needed.value}"
        raise NotAuthorised(text, code="permission_denied", status=403)


def is_point_read(operation: Operation, request: HttpRequest) -> bool:
    """Whether the reader thread can answer the request itself without keeping others waiting."""
    if operation.lane is not RunsOn.READER:
        return False
    return not request.query or not isinstance(operation.answer, Listing)
