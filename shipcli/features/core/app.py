"""What a use case needs: store, carriers, clock, mode. One per process and home."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from shipcli.clocks import Clock, real_clock
from shipcli.config import Config
from shipcli.store.store import Store

if TYPE_CHECKING:
    from shipcli.carrier.sending.driver import Driver
    from shipcli.carrier.sending.ports import TokenCache
    from shipcli.carrier.simulation.ledger import Ledger
    from shipcli.documents.rendering import RendererPool
    from shipcli.events.sender import Sender
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.features.core.presence import ProcessPresence
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.security.vault import Vault
    from shipcli.store.jobs import Jobs
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

Follower = Callable[["App", "Transaction", "SavedDocument"], None]


class JobRunner(Protocol):
    """A worker that others drive."""

    def run_due(self) -> None:
        """Run the jobs that are due, and return when they have ended."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class App(ABC):
    """The context of every use case; `shipcli.bootstrap` has the parts that are made on first use.

    Shapes: `home` is the folder of the real store, or of the sandbox, which has its own; `caller` owns
            idempotency keys; `shows_secrets` is False for callers who may not write. `shared` are the
            parts made so far, which copies for another mode or caller share.
    """

    home: Path
    config: Config
    store: Store
    test_mode: bool = True
    sandbox: bool = False
    caller: str = "local"
    shows_secrets: bool = True
    clock: Clock = real_clock
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    shared: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def in_mode(self, test_mode: bool) -> App:
        return self if test_mode == self.test_mode else replace(self, test_mode=test_mode)

    def now(self) -> datetime:
        return self.clock()

    def stamp(self, instant: datetime | None = None) -> str:
        """The instant as shipments and orders show it: with a space, microseconds and the offset."""
        return (instant or self.now()).astimezone(UTC).isoformat(" ", "microseconds")

    def new_id(self, prefix: str) -> str:
        return self.store.new_id(prefix)

    def draw(self, series: str, size: int) -> bytes:
        """Random bytes for keys, tokens and passwords of this series."""
        return self.store.draw(series, size)

    def draw_text(self, series: str, size: int) -> str:
        """As `draw`, as text that may stand in a URL."""
        return urlsafe_b64encode(self.draw(series, size)).rstrip(b"=").decode()

    @abstractmethod
    def open_sandbox(self, home: Path) -> App:
        """Open the sandbox of another home; the caller closes it."""

    @abstractmethod
    def make_job_runner(self) -> JobRunner:
        """Make a worker for what is due now; the caller closes it."""

    @property
    @abstractmethod
    def driver(self) -> Driver: ...

    @abstractmethod
    def make_driver(self, tokens: TokenCache) -> Driver:
        """Make a driver with a token cache of its own; the caller closes it."""

    @property
    @abstractmethod
    def vault(self) -> Vault: ...

    @property
    @abstractmethod
    def ledger(self) -> Ledger: ...

    @property
    @abstractmethod
    def jobs(self) -> Jobs: ...

    @property
    @abstractmethod
    def presence(self) -> ProcessPresence: ...

    @property
    @abstractmethod
    def sender(self) -> Sender: ...

    @property
    @abstractmethod
    def renderer(self) -> RendererPool: ...

    @property
    @abstractmethod
    def followers(self) -> Sequence[Follower]:
        """The functions called on writes of stored objects, in order."""

    @abstractmethod
    def settle_request(self, request: IdempotencyKey) -> bool:
        """Settle what a dead process left open for a keyed request; False if another one is settling it."""

    @abstractmethod
    def settle_actions(self) -> list[Any]:
        """Settle what dead processes and lost answers left open with carriers; return the results."""

    @abstractmethod
    def close(self) -> None: ...


def read_fact(reader: Reader, name: str) -> Any:
    """What the store keeps of itself by this name, such as where its master key is; None if nothing."""
    rows = reader.select("store_facts", {"name": name})
    return rows[0]["value"] if rows else None


def make_expiry(app: App, **span: float) -> str:
    """The instant this long from now, as the store's ISO text."""
    return (app.now() + timedelta(**span)).astimezone(UTC).isoformat()
