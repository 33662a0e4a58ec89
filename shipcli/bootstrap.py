"""Puts the parts together: home, settings, store, carriers, secrets. Only the CLI and the API import it.

What a command does not use is not imported: start-up is most of the time of a quick command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from shipcli import config as settings
from shipcli.clocks import CLOCK_FILE, Clock, SandboxClock, real_clock
from shipcli.config import STORE, STORE_VARIABLE
from shipcli.features.core.app import App, read_fact
from shipcli.models.basics.store_url import add_schema, hide_password, is_store_url
from shipcli.store.draws import find_draws
from shipcli.store.ports import MASTER_KEY
from shipcli.store.store import Store

if TYPE_CHECKING:
    from shipcli.carrier.sending.driver import Driver
    from shipcli.carrier.sending.ports import TokenCache
    from shipcli.carrier.simulation.ledger import Ledger
    from shipcli.carrier.simulation.simulator import Simulator
    from shipcli.config import Config
    from shipcli.documents.rendering import RendererPool
    from shipcli.events.sender import Sender
    from shipcli.features.core.app import Follower, JobRunner
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.features.core.presence import ProcessPresence
    from shipcli.security.vault import Vault
    from shipcli.store.jobs import Jobs

PropertyT = TypeVar("PropertyT")
STORE_FILE, LEDGER_FILE, SANDBOX_FOLDER = "shipcli.db", "ledger.db", "sandbox"


def open_app(
    home: Path,
    *,
    sandbox: bool = False,
    test_mode: bool | None = None,
    flags: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    environ: Mapping[str, str] = os.environ,
    migrate: Literal["auto", "refuse"] = "refuse",
    carriers: str | None = "all",
) -> App:
    """The app of a home; its store is created if there is none. A sandbox has a clock of its own; a new
    one has connections of `carriers`.

    Errors: StoreError and its subclasses, Invalid for a wrong setting.
    """
    folder = home / SANDBOX_FOLDER if sandbox else home
    chosen = settings.load(folder, environ, sandbox_of=home if sandbox else None).with_flags(flags or {})
    chosen_clock = clock or (SandboxClock(folder / CLOCK_FILE) if sandbox else real_clock)
    draws = find_draws(folder) if sandbox else None
    place = choose_place(folder, chosen, environ, sandbox=sandbox)
    store = Store.open(place, clock=chosen_clock, migrate=migrate, draws=draws)
    mode = chosen["mode"] == "test" if test_mode is None else test_mode
    app = ProcessApp(folder, chosen, store, mode, sandbox, clock=chosen_clock, environ=environ)
    if sandbox and not read_fact(store, "sandbox_ready"):
        from shipcli.features.sandbox.seed import make_ready

        make_ready(app, carriers)
    return app


def choose_place(folder: Path, chosen: Config, environ: Mapping[str, str], *, sandbox: bool) -> Path | str:
    """Where the store is: in the file of this folder, or in PostgreSQL, each sandbox in a schema of its own.

    A password in the variable is no part of the settings: it is used here only.
    """
    place = str(chosen[STORE])
    if not place:
        return folder / STORE_FILE
    variable = environ.get(STORE_VARIABLE, "")
    url = variable if hide_password(variable) == place else place
    return add_schema(url, write_sandbox_ending(folder)) if sandbox else url


def write_sandbox_ending(folder: Path) -> str:
    """The end of the name of the schema that the sandbox in this folder has."""
    return f"sandbox_{sha256(str(folder).encode()).hexdigest()[:10]}"


def choose_ledger_place(place: Path | str, *, sandbox: bool) -> Path | str:
    """Where the ledger of simulated carriers is: beside a sandbox, or in the sandbox's folder of a home."""
    if is_store_url(place):
        return add_schema(str(place), "ledger")
    folder = Path(place).parent if sandbox else Path(place).parent / SANDBOX_FOLDER
    return folder / LEDGER_FILE


@contextmanager
def open_throwaway() -> Iterator[App]:
    """A sandbox in a temporary folder, removed afterwards."""
    with TemporaryDirectory(prefix="shipcli-demo-") as folder:
        app = open_app(Path(folder), sandbox=True, test_mode=True, environ={})
        try:
            yield app
        finally:
            app.close()


class SharedProperty(Generic[PropertyT]):
    """A property that is made once for an app and all its copies, on first use."""

    def __init__(self, make: Callable[[ProcessApp], PropertyT]) -> None:
        self._make, self._name = make, make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, app: ProcessApp, owner: type) -> PropertyT:
        if self._name not in app.shared:
            app.shared[self._name] = self._make(app)
        value: PropertyT = app.shared[self._name]
        return value


class ProcessApp(App):
    """The app of a process, with all its parts."""

    @SharedProperty
    def vault(self) -> Vault:
        from shipcli.security.vault import Vault

        return Vault(self._master_key)

    def _master_key(self) -> bytes:
        """The master key of the store; created with the first secret, by one process only.

        Errors: MasterKeyError. Must not be called inside a transaction: it may need one of its own.
        """
        from shipcli.security import master_key

        fact = read_fact(self.store, MASTER_KEY)
        if not fact:
            with self.store.transaction(durable=True) as tx:
                fact = read_fact(tx, MASTER_KEY)
                if not fact:
                    place = master_key.KEY_FILE if self.sandbox else None
                    key, place = master_key.make(
                        self.home, self.store.draw(MASTER_KEY, 32), place=place, environ=self.environ
                    )
                    fact = {"place": place, "fingerprint": master_key.compute_fingerprint(key)}
                    tx.upsert("store_facts", {"name": MASTER_KEY, "value": fact})
                    return key
        return master_key.load(self.home, fact["place"], fact["fingerprint"], self.environ)

    @SharedProperty
    def ledger(self) -> Ledger:
        from shipcli.store.ledger import LedgerFile

        place = choose_place(self.home, self.config, self.environ, sandbox=self.sandbox)
        return LedgerFile(choose_ledger_place(place, sandbox=self.sandbox))

    @SharedProperty
    def jobs(self) -> Jobs:
        from shipcli.features.core.processes import is_alive, name_process
        from shipcli.store.jobs import Jobs

        return Jobs(self.store, self.clock, name_process, is_alive)

    @SharedProperty
    def presence(self) -> ProcessPresence:
        from shipcli.features.core.presence import ProcessPresence

        return ProcessPresence(self.store)

    @SharedProperty
    def sender(self) -> Sender:
        from shipcli.events.sender import Sender

        if not self.sandbox:
            return Sender(self.driver.loop)
        from shipcli.features.sandbox.faults import choose_webhook_fault

        return Sender(self.driver.loop, stays_here=True, choose_fault=partial(choose_webhook_fault, self))

    @SharedProperty
    def renderer(self) -> RendererPool:
        from shipcli.documents.rendering import RendererPool

        return RendererPool()

    @SharedProperty
    def followers(self) -> Sequence[Follower]:
        """The functions called on writes of stored objects, in order."""
        from shipcli.features.book import nested
        from shipcli.features.connections import intent_states
        from shipcli.features.customers import follower as mails
        from shipcli.features.files import import_rows
        from shipcli.features.files.batches import items as batch_items
        from shipcli.features.orders import fulfilment_status
        from shipcli.features.shipments import stored
        from shipcli.features.shops import hook

        rooms = (intent_states, nested, batch_items, import_rows, stored, fulfilment_status, hook, mails)
        return [room.follow for room in rooms]

    @SharedProperty
    def simulators(self) -> dict[str, Simulator]:
        return {}

    def simulator(self, slug: str) -> Simulator:
        from shipcli.carrier import registry

        if slug not in self.simulators:
            from shipcli.features.sandbox.lenience import is_lenient

            simulator = registry.get_simulator(slug)(self.ledger, self.clock)
            simulator.lenient = is_lenient(self)
            self.simulators[slug] = simulator
        return self.simulators[slug]

    @SharedProperty
    def driver(self) -> Driver:
        from shipcli.features.connections.token_store import StoreTokens

        return self.make_driver(StoreTokens(self))

    def make_driver(self, tokens: TokenCache) -> Driver:
        """A driver with the given token cache; the caller must close it."""
        import asyncio

        from shipcli.carrier.sending.driver import Driver
        from shipcli.carrier.sending.transport import (
            HttpTransport,
            RetiredTransport,
            SimulatorTransport,
            sleep_virtually,
        )
        from shipcli.features.connections.token_store import StoreCounters, StoreTraces
        from shipcli.features.core.targets import must_be_public

        network = HttpTransport(partial(must_be_public, self))
        sleep = partial(sleep_virtually, self.clock) if self.sandbox else asyncio.sleep
        simulated = SimulatorTransport(self.simulator, sleep)

        def reach(carrier: Any) -> Any:
            if self._is_simulated(carrier):
                return simulated
            return network if carrier.retired is None else RetiredTransport(type(carrier))

        settings: dict[str, Any] = {
            "tokens": tokens,
            "counters": StoreCounters(self),
            "traces": StoreTraces(self) if self.config["tracing"] else None,
            "observe": self._observe,
            "clock": self.clock,
            "sleep": sleep,
        }
        if not self.sandbox:
            return Driver(reach, **settings)
        from shipcli.carrier.sending.staged_driver import StagedDriver
        from shipcli.features.sandbox.faults import find_carrier_trouble

        return StagedDriver(
            reach,
            simulator_of=self.simulator,
            is_simulated=self._is_simulated,
            find_trouble=partial(find_carrier_trouble, self),
            **settings,
        )

    def _is_simulated(self, carrier: Any) -> bool:
        return bool(self.sandbox or carrier.config.sandbox)

    def _observe(self, job: Any, result: Any) -> None:
        """Record in the simulator's ledger what simulated carriers without a network sell by themselves."""
        if not job.carrier.hosts and self._is_simulated(job.carrier):
            self.simulator(job.carrier.slug).observe(job.verb, job.carrier, result)

    def open_sandbox(self, home: Path) -> App:
        return open_app(home, sandbox=True, test_mode=self.test_mode, environ=self.environ)

    def make_job_runner(self) -> JobRunner:
        from shipcli.worker import Worker

        return Worker(self, periodic=())

    def settle_request(self, request: IdempotencyKey) -> bool:
        from shipcli.features.admin.settlement import settle_request

        return settle_request(self, request)

    def settle_actions(self) -> list[Any]:
        from shipcli.features.admin.settlement import settle_actions

        return settle_actions(self)

    def close(self) -> None:
        for name in ("presence", "sender", "driver", "ledger", "renderer", "recorded_requests"):
            if hasattr(self.shared.get(name), "close"):
                self.shared[name].close()
        self.store.close()
