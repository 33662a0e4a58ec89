"""What a use case needs: store, carriers, clock, mode. One per process and home."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from shipcli.config import Config
from shipcli.store.store import Store

if TYPE_CHECKING:
    from shipcli.carrier.sending.driver import Driver
    from shipcli.carrier.sending.ports import TokenCache
    from shipcli.carrier.simulation.ledger import Ledger
    from shipcli.documents.rendering import RendererPool
    from shipcli.features.connections.accounts import Account, ListedConnection
    from shipcli.features.core.idempotency import IdempotencyKey
    from shipcli.features.core.repository import Follower
    from shipcli.features.webhooks.sender import Sender
    from shipcli.security.vault import Vault
    from shipcli.store.jobs import Jobs
    from shipcli.store.queries import Reader

Clock = Callable[[], datetime]
system_clock: Clock = partial(datetime.now, UTC)  # read a dozen times a request: it needs no frame of ours
MASTER_KEY = "master_key"


class Resources(Protocol):
    """What a process creates once, on first use; `shipcli.bootstrap` implements it.

    Shapes: `accounts` are opened connections by id, each with its `updated_at` when read, and None if it
            can't be used; `listed` are the active ones of a mode, with the mark of their last change.
    """

    accounts: dict[str, tuple[str, Account | None]]
    listed: dict[bool, tuple[str | None, Sequence[ListedConnection]]]

    @property
    def driver(self) -> Driver: ...
    @property
    def vault(self) -> Vault: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def sender(self) -> Sender: ...
    @property
    def renderer(self) -> RendererPool: ...
    @property
    def settlement(self) -> Settlement: ...
    @property
    def followers(self) -> Sequence[Follower]: ...
    def bind(self, app: App) -> None: ...
    def make_driver(self, tokens: TokenCache) -> Driver: ...
    def close(self) -> None: ...


class Settlement(Protocol):
    """Settles what dead processes and lost answers left open with carriers."""

    def settle_once(self, app: App, once: IdempotencyKey) -> bool: ...
    def settle_actions(self, app: App) -> list[Any]: ...


@dataclass(frozen=True)
class App:
    """The context of every use case.

    Shapes: `home` is the folder of the real store, or of the sandbox, which has its own; `caller` owns
            idempotency keys; `shows_secrets` is False for callers who may not write. Copies made by
            `in_mode` share everything but the mode.
    """

    home: Path
    config: Config
    store: Store
    resources: Resources = field(repr=False, compare=False)
    test_mode: bool = True
    sandbox: bool = False
    caller: str = "local"
    shows_secrets: bool = True
    clock: Clock = system_clock
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def __post_init__(self) -> None:
        self.resources.bind(self)

    def in_mode(self, test_mode: bool) -> App:
        return self if test_mode == self.test_mode else replace(self, test_mode=test_mode)

    def now(self) -> datetime:
        return self.clock()

    def stamp(self, instant: datetime | None = None) -> str:
        """The instant as shipments and orders show it: with a space, microseconds and the offset."""
        return (instant or self.now()).astimezone(UTC).isoformat(" ", "microseconds")

    def new_id(self, prefix: str) -> str:
        return self.store.new_id(prefix)

    @property
    def driver(self) -> Driver:
        return self.resources.driver

    @property
    def vault(self) -> Vault:
        return self.resources.vault

    @property
    def ledger(self) -> Ledger:
        return self.resources.ledger

    @property
    def jobs(self) -> Jobs:
        return self.resources.jobs

    @property
    def sender(self) -> Sender:
        return self.resources.sender

    @property
    def renderer(self) -> RendererPool:
        return self.resources.renderer

    @property
    def settlement(self) -> Settlement:
        return self.resources.settlement

    def close(self) -> None:
        self.resources.close()
        self.store.close()


def read_setting(reader: Reader, key: str) -> Any:
    """A setting kept in the store; None if there is none by that name."""
    rows = reader.select("settings", {"key": key})
    return rows[0]["value"] if rows else None


def make_expiry(app: App, **span: float) -> str:
    """The instant this long from now, as the store's ISO text."""
    return (app.now() + timedelta(**span)).astimezone(UTC).isoformat()
