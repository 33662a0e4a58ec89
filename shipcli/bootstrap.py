"""Puts the parts together: home, settings, store, carriers, secrets. Only the CLI and the API import it.

What a command does not use is not imported: start-up is most of the time of a quick command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from shipcli import config as settings
from shipcli.features.core.app import MASTER_KEY, App, Clock, Settlement, read_setting, system_clock
from shipcli.store.store import Store

if TYPE_CHECKING:
    from shipcli.carrier.sending.driver import Driver
    from shipcli.carrier.sending.ports import TokenCache
    from shipcli.carrier.simulation.ledger import Ledger
    from shipcli.carrier.simulation.simulator import Simulator
    from shipcli.documents.rendering import RendererPool
    from shipcli.features.connections.accounts import Account, ListedConnection
    from shipcli.features.core.repository import Follower
    from shipcli.features.webhooks.sender import Sender
    from shipcli.security.vault import Vault
    from shipcli.store.jobs import Jobs

STORE_FILE, LEDGER_FILE, SANDBOX_FOLDER = "shipcli.db", "ledger.db", "sandbox"


def open_app(
    home: Path,
    *,
    sandbox: bool = False,
    test_mode: bool | None = None,
    flags: Mapping[str, Any] | None = None,
    clock: Clock = system_clock,
    environ: Mapping[str, str] = os.environ,
    migrate: Literal["auto", "refuse"] = "refuse",
) -> App:
    """The app of a home; its store is created if there is none.

    Errors: StoreError and its subclasses, Invalid for a wrong setting.
    """
    folder = home / SANDBOX_FOLDER if sandbox else home
    chosen = settings.load(folder, environ, sandbox_of=home if sandbox else None).with_flags(flags or {})
    store = Store.open(folder / STORE_FILE, clock=clock, migrate=migrate)
    mode = chosen["mode"] == "test" if test_mode is None else test_mode
    app = App(folder, chosen, store, LazyResources(), mode, sandbox, clock=clock, environ=environ)
    if sandbox and not read_setting(store, "sandbox_ready"):
        from shipcli.features.sandbox.seed import make_ready

        make_ready(app)
    return app


@contextmanager
def open_throwaway() -> Iterator[App]:
    """A sandbox in a temporary folder, removed afterwards."""
    with TemporaryDirectory(prefix="shipcli-demo-") as folder:
        app = open_app(Path(folder), sandbox=True, test_mode=True, environ={})
        try:
            yield app
        finally:
            app.close()


class LazyResources:
    """What is created once per process, on first use."""

    def __init__(self) -> None:
        self._app: App | None = None
        self.accounts: dict[str, tuple[str, Account | None]] = {}
        self.listed: dict[bool, tuple[str | None, Sequence[ListedConnection]]] = {}

    def bind(self, app: App) -> None:
        self._app = self._app or app

    @property
    def app(self) -> App:
        assert self._app is not None
        return self._app

    @cached_property
    def vault(self) -> Vault:
        from shipcli.security.vault import Vault

        return Vault(self._master_key)

    def _master_key(self) -> bytes:
        """The master key of the store; created with the first secret, by one process only.

        Errors: MasterKeyError. Must not be called inside a transaction: it may need one of its own.
        """
        from shipcli.security import master_key

        app = self.app
        setting = read_setting(app.store, MASTER_KEY)
        if not setting:
            with app.store.transaction(durable=True) as tx:
                setting = read_setting(tx, MASTER_KEY)
                if not setting:
                    place = master_key.KEY_FILE if app.sandbox else None
                    key, place = master_key.make(app.home, place=place, environ=app.environ)
                    setting = {"place": place, "fingerprint": master_key.compute_fingerprint(key)}
                    tx.upsert("settings", {"key": MASTER_KEY, "value": setting})
                    return key
        return master_key.load(app.home, setting["place"], setting["fingerprint"], app.environ)

    @cached_property
    def ledger(self) -> Ledger:
        from shipcli.store.ledger import LedgerFile

        app = self.app
        folder = app.home if app.sandbox else app.home / SANDBOX_FOLDER
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LedgerFile(folder / LEDGER_FILE)

    @cached_property
    def jobs(self) -> Jobs:
        from shipcli.features.core.processes import is_alive, name_process
        from shipcli.store.jobs import Jobs

        return Jobs(self.app.store, self.app.clock, name_process, is_alive)

    @cached_property
    def sender(self) -> Sender:
        from shipcli.features.webhooks.sender import Sender

        return Sender(self.driver.loop, stays_here=self.app.sandbox)

    @cached_property
    def renderer(self) -> RendererPool:
        from shipcli.documents.rendering import RendererPool

        return RendererPool()

    @property
    def settlement(self) -> Settlement:
        from shipcli.features.ops import settlement

        return settlement

    @cached_property
    def followers(self) -> Sequence[Follower]:
        """The functions called on writes of stored objects, in order."""
        from shipcli.features.batches import items
        from shipcli.features.intents import states
        from shipcli.features.orders import fulfilment_status
        from shipcli.features.parts import nested
        from shipcli.features.shipments import status_events
        from shipcli.features.spreadsheets import import_rows

        rooms = (states, nested, items, import_rows, status_events, fulfilment_status)
        return [room.follow for room in rooms]

    @cached_property
    def simulators(self) -> dict[str, Simulator]:
        return {}

    def simulator(self, slug: str) -> Simulator:
        from shipcli.carrier import registry

        if slug not in self.simulators:
            self.simulators[slug] = registry.get_simulator(slug)(self.ledger, self.app.clock)
        return self.simulators[slug]

    @cached_property
    def driver(self) -> Driver:
        from shipcli.features.connections.token_store import StoreTokens

        return self.make_driver(StoreTokens(self.app))

    def make_driver(self, tokens: TokenCache) -> Driver:
        """A driver with the given token cache; the caller must close it."""
        from shipcli.carrier.sending.driver import Driver
        from shipcli.carrier.sending.transport import HttpTransport, RetiredTransport, SimulatorTransport
        from shipcli.features.connections.token_store import StoreCounters, StoreTraces
        from shipcli.features.core.targets import must_be_public

        app = self.app
        network = HttpTransport(partial(must_be_public, app))
        simulated = SimulatorTransport(self.simulator)

        def reach(carrier: Any) -> Any:
            if self._is_simulated(carrier):
                return simulated
            return network if carrier.retired is None else RetiredTransport(type(carrier))

        traces = StoreTraces(app) if app.config["tracing"] else None
        return Driver(
            reach,
            tokens=tokens,
            counters=StoreCounters(app),
            traces=traces,
            observe=self._observe,
            clock=app.clock,
        )

    def _is_simulated(self, carrier: Any) -> bool:
        return bool(self.app.sandbox or carrier.config.sandbox)

    def _observe(self, job: Any, result: Any) -> None:
        """Record in the simulator's ledger what simulated carriers without a network sell by themselves."""
        if not job.carrier.hosts and self._is_simulated(job.carrier):
            self.simulator(job.carrier.slug).observe(job.verb, job.carrier, result)

    def close(self) -> None:
        for name in ("sender", "driver", "ledger", "renderer"):
            if name in self.__dict__ and hasattr(self.__dict__[name], "close"):
                self.__dict__[name].close()
