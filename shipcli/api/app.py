"""The ASGI application: all that is served, on one set of surroundings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.types import ASGIApp

from shipcli.api import downloads, oauth, pages
from shipcli.api.authentication import ApiKeys, Authenticator, Schemes
from shipcli.api.bearer import Bearers
from shipcli.api.links import Links
from shipcli.api.routing import Routes
from shipcli.api.surface import Surface, Target
from shipcli.operations.table import OPERATIONS, UNPUBLISHED

if TYPE_CHECKING:
    from shipcli.services.app import App


class Application(Starlette):
    """Without the layers that turn errors into pages: `Surface` answers every request, and every mistake."""

    def build_middleware_stack(self) -> ASGIApp:
        """The route alone."""
        return self.router


def build(app: App, *, guarded: bool = False, schemes: Sequence[Authenticator] = ()) -> Starlette:
    """The application.

    `guarded` asks for credentials or signed links on file downloads, as off this machine; `schemes` are
    further ways to log in.

    Errors: MasterKeyError when links can't be signed.
    """
    routes: Routes[Target] = Routes()
    routes.add_all((row.method, row.path, row) for row in (*OPERATIONS, *UNPUBLISHED))
    routes.add_all(downloads.pages(app, guarded=guarded))
    routes.add_all(pages.pages(app))
    routes.add_all(oauth.pages(app))
    links = Links(app.vault) if guarded else None
    surface = Surface(app, routes, Schemes([ApiKeys(app), Bearers(app), *schemes]), links)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        surface.close()

    return Application(routes=[surface], lifespan=lifespan)
