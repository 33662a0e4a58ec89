"""The ASGI application: everything that is served, for one `App`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.api.authentication import ApiKeys, Authenticator, Schemes
from shipcli.api.bearer import Bearers
from shipcli.api.dispatcher import Dispatcher, Target
from shipcli.api.http.cors import Origins
from shipcli.api.http.hosts import Hosts, split_names
from shipcli.api.http.request import REQUEST_TIMEOUT_S, Receive, Scope, Send
from shipcli.api.http.routing import Routes
from shipcli.api.pages import downloads, oauth, status
from shipcli.api.pages.reference.pages import ReferencePages
from shipcli.api.pages.tracking import TrackingPage
from shipcli.api.pages.window.pages import WindowPages
from shipcli.api.signed_urls import SignedUrls
from shipcli.api.workspaces import Workspaces
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.table import SERVED

if TYPE_CHECKING:
    from shipcli.features.core.app import App


# Yields what every request finds in the `state` of its scope; its end is the end of the server.
Lifespan = Callable[[], AbstractAsyncContextManager[Mapping[str, Any]]]


class Application:
    """The ASGI application: requests go to the dispatcher, which also handles all errors."""

    def __init__(
        self, dispatcher: Dispatcher, lifespan: Lifespan, workspaces: Workspaces | None = None
    ) -> None:
        self._dispatcher = dispatcher
        self.lifespan, self.workspaces = lifespan, workspaces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI scope: a request, or the server's lifespan. Websockets are refused."""
        if scope["type"] == "http":
            if not (self.workspaces and await self.workspaces.handle(scope, receive, send)):
                await self._dispatcher.handle(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Start when the server says so, and end when it says so; a failure is told and raised."""
        phase = "startup"
        try:
            await receive()
            async with self.lifespan() as state:
                scope.setdefault("state", {}).update(state)
                await send({"type": "lifespan.startup.complete"})
                phase = "shutdown"
                await receive()
        except BaseException as error:
            await send({"type": f"lifespan.{phase}.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.shutdown.complete"})


def build(
    app: App, *, guarded: bool = False, host: str = "", schemes: Sequence[Authenticator] = ()
) -> Application:
    """Build the application.

    `guarded` requires credentials or signed links for downloads, as for other machines; `host` is the address
    it is served on; `schemes` are further authentication schemes.

    Errors: MasterKeyError if links can't be signed.
    """
    make = partial(_make_dispatcher, guarded=guarded, host=host, schemes=schemes)
    dispatcher, workspaces = make(app), Workspaces(app, make) if app.sandbox else None

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[Mapping[str, Any]]:
        yield {REQUEST_TIMEOUT_S: app.config["request_timeout"]}
        dispatcher.close()
        if workspaces:
            await asyncio.to_thread(workspaces.close)

    return Application(dispatcher, lifespan, workspaces)


def _make_dispatcher(app: App, *, guarded: bool, host: str, schemes: Sequence[Authenticator]) -> Dispatcher:
    routes: Routes[Target] = Routes()
    routes.add_all((row.method, row.path, row) for row in SERVED)
    if app.sandbox:
        routes.add_all((row.method, row.path, row) for row in CONTROL)
    routes.add_all(downloads.list_pages(app, guarded=guarded))
    routes.add_all(status.list_pages(app))
    routes.add_all(ReferencePages(app).list_pages())
    routes.add_all(oauth.list_pages(app))
    window = WindowPages(app)
    routes.add_all(window.list_pages())
    routes.add_all(TrackingPage(app).list_pages())
    signed_urls = SignedUrls(app.vault) if guarded else None
    hosts = Hosts([host, *split_names(app.config["allowed_hosts"])])
    origins = Origins(split_names(app.config["allowed_origins"]))
    authenticator = Schemes([ApiKeys(app), Bearers(app), *schemes])
    first_page = window.serve(window.show)
    return Dispatcher(app, routes, authenticator, hosts, origins, signed_urls, first_page)
