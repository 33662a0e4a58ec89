"""The server: the application on uvicorn, the worker beside it, a clean shutdown on a signal."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from shipcli.api.app import Application, build
from shipcli.api.http.connections import WatchedConnection, limit_of
from shipcli.api.http.hosts import split_names
from shipcli.config import Config
from shipcli.features.core.targets import note_address, note_reach
from shipcli.loopback import is_loopback
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, ShipcliError

if TYPE_CHECKING:
    from shipcli.features.core.app import App

HOST, PORT = "127.0.0.1", 5002
NEAR = {"0.0.0.0": HOST, "::": "::1"}
SETUP = "SHIPCLI_SERVER_SETUP"  # passes the setup to child processes
GRACE_S = 30
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # as in malloc.h
LARGE_BLOCK = 128 * 1024
BETWEEN_COLLECTIONS = 20_000  # objects allocated and not freed: some dozens of requests


class CannotListen(ShipcliError):
    """The address is taken or not on this machine."""

    code = "cannot_listen"
    exit_code = 8


@dataclass(frozen=True)
class Setup:
    """What is served and where. `home` is the folder of the real store, even for a sandbox."""

    home: str
    sandbox: bool = False
    host: str = HOST
    port: int = PORT
    tls_cert: str | None = None
    tls_key: str | None = None
    insecure: bool = False
    with_worker: bool = True
    processes: int = 1

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """The URL where clients reach it."""
        scheme = "https" if self.tls_cert else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}"

    @property
    def near_address(self) -> str:
        """The URL where clients on this machine reach it."""
        return replace(self, host=NEAR[self.host]).address if self.host in NEAR else self.address

    def check(self) -> None:
        """Errors: Invalid if TLS is needed but missing, if cert or key is, or if a file does not exist."""
        if bool(self.tls_cert) != bool(self.tls_key):
            raise Invalid("tls", "give both --tls-cert and --tls-key")
        for name in (self.tls_cert, self.tls_key):
            if name and not Path(name).is_file():
                raise Invalid("tls", f"there is no file {name}")
        if not (self.is_local or self.tls_cert or self.insecure):
            text = f"{self.host} is open to other machines: give --tls-cert and --tls-key, or say --insecure"
            raise Invalid("host", text)


def listen(setup: Setup) -> socket.socket:
    """Open the listening socket; port 0 takes a free port.

    Errors: CannotListen.
    """
    family = socket.AF_INET6 if ":" in setup.host else socket.AF_INET
    # Named, because asyncio sends without delay (TCP_NODELAY) only where the socket says that it is TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((setup.host, setup.port))
        sock.listen(2048)
    except OSError as error:
        sock.close()
        raise CannotListen(f"{setup.host}:{setup.port} can't be used: {error.strerror or error}") from None
    sock.set_inheritable(True)
    return sock


def serve(app: App, setup: Setup, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal comes, and finish requests in progress. `ready` is called once it listens."""
    note_reach(app, open_to_others=not setup.is_local)
    note_address(app, setup.near_address)
    if setup.processes > 1:
        _serve_with_many(app, setup, sock, ready)
        return
    application = build_with_worker(app, setup)
    _settle_down()
    _Server(_make_config(application, setup, app.config), ready).run(sockets=[sock])


def serve_in_thread(app: App, setup: Setup, sock: socket.socket) -> Callable[[], None]:
    """Serve in a thread of this process, with a worker; returns when it listens, what to call to stop it."""
    started = threading.Event()
    server = _Server(_make_config(build_with_worker(app, setup), setup, app.config), started.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, name="shipcli-server")
    thread.start()
    while not started.wait(0.05) and thread.is_alive():
        continue

    def stop() -> None:
        server.should_exit = True
        thread.join()

    return stop


class _Server(uvicorn.Server):
    """A server that calls `ready` when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on a signal, but return normally: the code that started the server has to clean up."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def _make_config(application: Any, setup: Setup, settings: Config, **options: Any) -> uvicorn.Config:
    trusted = split_names(settings["trusted_proxies"])
    return uvicorn.Config(
        application,
        http=WatchedConnection,
        limit_concurrency=limit_of(settings["connection_limit"]),
        log_config=None,
        log_level="error",  # malformed HTTP is answered, and would fill the log
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted),
        forwarded_allow_ips=",".join(trusted),
        timeout_graceful_shutdown=GRACE_S,
        ssl_certfile=setup.tls_cert,
        ssl_keyfile=setup.tls_key,
        **options,
    )


def _settle_down() -> None:
    """Exclude everything loaded so far from garbage collection, and collect less often.

    When a request is done, its objects are freed without the collector; only cycles need it, and are few.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(BETWEEN_COLLECTIONS)
    give_back_large_blocks()


def give_back_large_blocks() -> None:
    """Have the C library return large blocks to the system when they are freed.

    By default it raises the size from which it does so to that of the largest block freed so far: after one
    large body, or one password hashed in each thread, it would keep all that memory.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # other C libraries do not do this
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        library.mallopt(M_TRIM_THRESHOLD, LARGE_BLOCK)


# -- the worker beside it ----------------------------------------------------------------------


def build_with_worker(app: App, setup: Setup) -> Application:
    """Build the application, with a worker that runs as long as it does."""
    application = build(app, guarded=not setup.is_local, host=setup.host)
    if not setup.with_worker:
        return application
    inherited = application.lifespan
    if application.workspaces:
        application.workspaces.start_worker = _start_worker

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[Mapping[str, Any]]:
        async with AsyncExitStack() as stack:
            state = await stack.enter_async_context(inherited())
            stop = _start_worker(app)
            yield state
            stop()

    application.lifespan = lifespan
    return application


def _start_worker(app: App) -> Callable[[], None]:
    from shipcli.worker import Worker

    worker = Worker(app)
    thread = threading.Thread(target=worker.run, name="shipcli-worker")
    thread.start()

    def stop() -> None:
        worker.stop()
        thread.join()

    return stop


# -- many processes ----------------------------------------------------------------------------


def _serve_with_many(app: App, setup: Setup, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve with several processes that share the socket; each opens the store for itself."""
    from uvicorn.supervisors import Multiprocess

    os.environ[SETUP] = json.dumps(asdict(setup))
    served = "shipcli.api.server:build_application"
    config = _make_config(served, setup, app.config, factory=True, workers=setup.processes)
    ready()
    Multiprocess(config, sockets=[sock]).run()


def build_application() -> Application:
    """Build the application of a child process."""
    from shipcli.bootstrap import open_app

    setup = Setup(**json.loads(os.environ[SETUP]))
    app = open_app(Path(setup.home), sandbox=setup.sandbox)
    made = build_with_worker(app, setup)
    _settle_down()
    return made
