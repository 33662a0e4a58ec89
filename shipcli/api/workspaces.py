"""Finds the workspace that a request is for, and serves it: an application of its own for each."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from shipcli.api.authentication import read_key
from shipcli.api.http.request import Receive, Scope, Send
from shipcli.features.sandbox.workspaces import CLOSE, find_home, read_workspace_id
from shipcli.store.schema import KINDS

if TYPE_CHECKING:
    from shipcli.api.dispatcher import Dispatcher
    from shipcli.features.core.app import App

MOST_OPEN = 64  # the one that was not asked for longest is closed
_OBJECT = re.compile(r"/([a-z]+_)[0-9a-f]{32}(?=[/.]|\Z)")
Serve = Callable[["App"], "Dispatcher"]
StartWorker = Callable[["App"], Callable[[], None]]


class _OpenWorkspace(NamedTuple):
    app: App
    dispatcher: Dispatcher
    stop_worker: Callable[[], None]

    def close(self) -> None:
        self.stop_worker()
        self.dispatcher.close()
        self.app.close()


class Workspaces:
    """The workspaces of a sandbox that is served."""

    def __init__(self, app: App, serve: Serve) -> None:
        self._app, self._serve = app, serve
        self._open: OrderedDict[str, _OpenWorkspace] = OrderedDict()
        self._lock = threading.Lock()
        self.start_worker: StartWorker = lambda app: lambda: None
        app.shared[CLOSE] = self.close_one

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Answer a request that is for a workspace; False if it is for the sandbox itself."""
        headers = dict(scope["headers"])
        credentials = headers.get(b"authorization")
        if credentials is None:
            dispatcher = await self._find_by_object(scope["path"])
        else:
            id = read_workspace_id(read_key(credentials) or "")
            dispatcher = await asyncio.to_thread(self._find, id) if id else None
        if dispatcher is None:
            return False
        await dispatcher.handle(scope, receive, send)
        return True

    async def _find_by_object(self, path: str) -> Dispatcher | None:
        """The workspace of an object whose link is opened without a key, as labels are."""
        match = _OBJECT.search(path) if self._open else None
        kind = next((kind.name for kind in KINDS.values() if match and kind.prefix == match[1]), None)
        return await asyncio.to_thread(self._find_owner, kind, match[0][1:]) if match and kind else None

    def _find_owner(self, kind: str, id: str) -> Dispatcher | None:
        with self._lock:
            owners = (each.dispatcher for each in self._open.values() if each.app.store.raw(kind, id))
            return next(owners, None)

    def _find(self, id: str) -> Dispatcher | None:
        """The application of a workspace, opened if it is not; None if there is no such workspace."""
        with self._lock:
            exists = find_home(self._app, id).is_dir()
            if id not in self._open and exists:
                self._open[id] = self._enter(id)
            elif id in self._open and not exists:
                self._open.pop(id).close()
            if id not in self._open:
                return None
            self._open.move_to_end(id)
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)[1].close()
            return self._open[id].dispatcher

    def _enter(self, id: str) -> _OpenWorkspace:
        app = self._app.open_sandbox(find_home(self._app, id))
        return _OpenWorkspace(app, self._serve(app), self.start_worker(app))

    def close_one(self, id: str) -> None:
        """Close a workspace that is about to be removed."""
        with self._lock:
            if id in self._open:
                self._open.pop(id).close()

    def close(self) -> None:
        """Close all that are open."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()
