"""The ASGI application: everything that is served, for one `App`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.types import Lifespan, Receive, Scope, Send

from shipcli.api import downloads, oauth, pages
from shipcli.api.authentication import ApiKeys, Authenticator, Schemes
from shipcli.api.bearer import Bearers
from shipcli.api.cors import Origins
from shipcli.api.dispatcher import Dispatcher, Target
from shipcli.api.hosts import Hosts, split_names
from shipcli.api.request import REQUEST_TIMEOUT_S
from shipcli.api.routing import Routes
from shipcli.api.signed_urls import SignedUrls
from shipcli.operations.table import OPERATIONS, UNPUBLISHED

if TYPE_CHECKING:
    from shipcli.features.core.app import App


class Application(Starlette):
    """A Starlette application whose requests go straight to the dispatcher, which also handles all errors."""

    def __init__(self, dispatcher: Dispatcher, lifespan: Lifespan[Starlette]) -> None:
        super().__init__(routes=[dispatcher], lifespan=lifespan)
        self._dispatcher = dispatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI scope: a request, or the server's lifespan."""
        if scope["type"] == "http":
            await self._dispatcher.handle(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def build(
    app: App, *, guarded: bool = False, host: str = "", schemes: Sequence[Authenticator] = ()
) -> Starlette:
    """Build the application.

    `guarded` requires credentials or signed links for downloads, as for other machines; `host` is the address
    it is served on; `schemes` are further authentication schemes.

    Errors: MasterKeyError if links can't be signed.
    """
    routes: Routes[Target] = Routes()
    routes.add_all((row.method, row.path, row) for row in (*OPERATIONS, *UNPUBLISHED))
    routes.add_all(downloads.list_pages(app, guarded=guarded))
    routes.add_all(pages.list_pages(app))
    routes.add_all(oauth.list_pages(app))
    signed_urls = SignedUrls(app.vault) if guarded else None
    hosts = Hosts([host, *split_names(app.config["allowed_hosts"])])
    origins = Origins(split_names(app.config["allowed_origins"]))
    authenticator = Schemes([ApiKeys(app), Bearers(app), *schemes])
    dispatcher = Dispatcher(app, routes, authenticator, hosts, origins, signed_urls)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, int]]:
        yield {REQUEST_TIMEOUT_S: app.config["request_timeout"]}
        dispatcher.close()

    return Application(dispatcher, lifespan)
