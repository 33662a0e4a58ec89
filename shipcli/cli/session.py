"""The run: global options, the store it works on, whether a user can answer questions."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.cli.command_table import shows_what_happens
from shipcli.cli.global_options import Options
from shipcli.cli.usage_errors import Usage

if TYPE_CHECKING:
    from shipcli.config import Config
    from shipcli.features.core.app import App
    from shipcli.features.sandbox.running import RunningSandbox
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.gateway.gateway import Gateway
    from shipcli.gateway.http import HttpGateway
    from shipcli.store.errors import DamagedRow

SANDBOX = "SHIPCLI_SANDBOX"
SANDBOX_NOUNS = frozenset({"sandbox", "trigger"})  # their commands mean a sandbox without saying so
API_URL, API_KEY = "SHIPCLI_API_URL", "SHIPCLI_API_KEY"


class Run:
    """One command line while it runs. Commands get it from `current_run.get_run()`."""

    def __init__(self, options: Options, open_store: Callable[[Run], App]) -> None:
        self.options = options
        self._open_store = open_store
        self.path: tuple[str, ...] = ()
        self.acted = False  # whether the command has begun to change something: see `prompts.would`
        self.stated_rates: list[str] = []  # exchange rates such as JPY=0.0068USD
        self.data_paths: list[str] = []  # the paths of `-d` that no model has checked yet
        self.carriers: str | None = "all"  # the connections of a new sandbox; None for the big ones
        self.damaged: dict[str, DamagedRow] = {}  # what lists left out
        self.environ: Mapping[str, str] = os.environ

    @cached_property
    def home(self) -> Path:
        """The folder of the real store: `--home`, else `SHIPCLI_HOME`, else the platform's default.

        Errors: Usage for `~` of an unknown user.
        """
        from shipcli.config import find_default_home

        folder = self.options.home
        try:
            return (Path(folder).expanduser() if folder else find_default_home(self.environ)).absolute()
        except RuntimeError as error:
            raise Usage(f"the home folder can't be found: {error}") from None

    @cached_property
    def sandbox(self) -> bool:
        """Whether this run works in the sandbox.

        Errors: Usage for a SHIPCLI_SANDBOX that is neither yes nor no: it must not mean the real store.
        """
        from shipcli.config import FALSE, TRUE

        value = self.environ.get(SANDBOX, "").strip().lower()
        if value not in TRUE | FALSE and self.options.sandbox is None:
            raise Usage(f"{SANDBOX} is {value!r}; say 1 for the sandbox or 0 for the real store")
        if self.options.sandbox is not None or value in TRUE or SANDBOX_NOUNS.intersection(self.path[:1]):
            return True
        return not value and self._means_sandbox

    @cached_property
    def running(self) -> RunningSandbox | None:
        """The running sandbox that this run works in; None for any other store.

        Errors: NoSandbox; AmbiguousSandbox.
        """
        if self.api_url or not self.sandbox:
            return None
        from shipcli.bootstrap import SANDBOX_FOLDER
        from shipcli.features.sandbox.running import NoSandbox, choose_running

        chosen = choose_running(self.home, self.options.sandbox or None)
        looks_inside = SANDBOX_NOUNS.intersection(self.path[:1]) and self.path[1:] != ("up",)
        if chosen is None and looks_inside and not (self.home / SANDBOX_FOLDER).exists():
            raise NoSandbox("no sandbox runs, and this machine keeps none")
        return chosen

    @cached_property
    def _means_sandbox(self) -> bool:
        """Whether a sandbox is the only thing that can be meant: one runs, and there is no other store."""
        from shipcli.bootstrap import STORE_FILE
        from shipcli.config import STORE, load

        if self.api_url or not shows_what_happens(self.path) or (self.home / STORE_FILE).exists():
            return False
        if load(self.home, self.environ)[STORE]:
            return False
        return bool(self.list_running())

    def list_running(self) -> list[RunningSandbox]:
        """The sandboxes of this home that run."""
        from shipcli.features.sandbox.running import list_running

        return list_running(self.home)

    @property
    def store_home(self) -> Path:
        """The home of the store this run works on: that of a running sandbox is its own."""
        return Path(self.running.folder) if self.running else self.home

    @property
    def data_folder(self) -> Path:
        """The folder this run works in: the home, or the sandbox in it."""
        from shipcli.bootstrap import SANDBOX_FOLDER

        return self.store_home / SANDBOX_FOLDER if self.sandbox else self.store_home

    @property
    def store_place(self) -> Path | str:
        """Where the store is: its file, or its URL without a password."""
        from shipcli.bootstrap import choose_place

        return choose_place(self.data_folder, self.config, {}, sandbox=self.sandbox)

    @property
    def store_address(self) -> Path | str:
        """Where the store is, with a password that its variable contains: never show it."""
        from shipcli.bootstrap import choose_place

        return choose_place(self.data_folder, self.config, self.environ, sandbox=self.sandbox)

    @property
    def store_path(self) -> Path:
        """The file of the store.

        Errors: StoreError if it is in no file.
        """
        place = self.store_place
        if isinstance(place, Path):
            return place
        from shipcli.store.errors import StoreError

        raise StoreError(
            f"the store {place} is not a file: use PostgreSQL's own tools, such as psql and pg_restore"
        )

    @cached_property
    def config(self) -> Config:
        """The settings, without opening the store."""
        return self.stored_config().with_flags(self._flags())

    def stored_config(self) -> Config:
        """The settings as files and variables have them now, without the flags of this command."""
        from shipcli.config import load

        return load(self.data_folder, self.environ, sandbox_of=self.store_home if self.sandbox else None)

    @cached_property
    def app(self) -> App:
        """The app with its store opened; an older store is migrated if the user agrees or gave `--yes`.

        Errors: StoreError and its kinds; Invalid for a wrong setting; OnlyHere if a server was named.
        """
        if self.api_url:
            from shipcli.gateway.gateway import LocalOnly

            raise LocalOnly(f"shipcli {' '.join(self.path)}")
        return self.local_app

    @cached_property
    def local_app(self) -> App:
        """The app of this machine, whichever server the commands use."""
        return self._open_store(self)

    def open_app(self) -> App:
        """Open the store of this machine as it is.

        Errors: StoreError and its kinds, such as StoreOutdated; Invalid for a wrong setting.
        """
        from shipcli.bootstrap import open_app

        return open_app(
            self.store_home,
            sandbox=self.sandbox,
            flags=self._flags(),
            environ=self.environ,
            carriers=self.carriers,
        )

    def _flags(self) -> dict[str, Any]:
        options = self.options
        rates = ",".join(self.stated_rates) or None
        return {
            "mode": options.mode, "color": options.color, "bench": options.bench, "exchange_rates": rates
        }  # fmt: skip

    def set_exchange_rates(self, rates: Sequence[str]) -> None:
        """Use these rates in place of those of the settings; before the store is opened."""
        self.stated_rates = list(rates)
        self.__dict__.pop("config", None)

    # -- another server ----------------------------------------------------------------------------

    @property
    def api_url(self) -> str:
        """The server that commands use instead of this machine's store; empty for none."""
        return self.options.api_url or self.environ.get(API_URL, "")

    @cached_property
    def gateway(self) -> Gateway:
        """Where operations are carried out: on this machine, or on that server."""
        from shipcli.gateway.local import LocalGateway

        return self.server or LocalGateway(self.app, self.note_damaged)

    def connect(self) -> Gateway:
        """A gateway for another thread: a connection to a server belongs to one."""
        return self._connect() if self.api_url else self.gateway

    def note_damaged(self, row: DamagedRow) -> None:
        """Remember a row that a list left out: it is named when the command has ended."""
        self.damaged[row.message] = row

    @cached_property
    def server(self) -> HttpGateway | None:
        """That server, with the key that `--api-key-file`, `SHIPCLI_API_KEY` or a log-in gives.

        Errors: Invalid for an address that cannot be read; Usage for a key file that can't be read.
        """
        return self._connect() if self.api_url else None

    def _connect(self) -> HttpGateway:
        from shipcli.gateway.client import RemoteServer, read_server_address
        from shipcli.gateway.http import HttpGateway
        from shipcli.gateway.remote_versions import VERSIONS

        url = read_server_address(self.api_url)
        test_mode = self.config["mode"] != "live"
        server = RemoteServer(url, self.find_key(url), test_mode, self.options.mode)
        return HttpGateway(server, VERSIONS, self.config, lambda: self.local_app)

    def find_key(self, url: str) -> str | None:
        """The key of a server; None if there is none."""
        if self.options.api_key_file:
            return read_secret_file(self.options.api_key_file)
        if self.environ.get(API_KEY):
            return self.environ[API_KEY].strip()
        from shipcli.security.server_keys import find

        return find(self.home, url)

    @cached_property
    def ship_defaults(self) -> ShipDefaults:
        """The defaults that need not be typed, as the store or the server of this run knows them."""
        return self.gateway.defaults

    # -- who is there ------------------------------------------------------------------------------

    @property
    def live(self) -> bool:
        """Whether this run works on live data; with a server, its key decides."""
        server = self.__dict__.get("server")
        answered = server.client.mode if server else None
        return bool((answered or self.config["mode"]) == "live")

    @property
    def interactive(self) -> bool:
        """Whether a user can answer questions."""
        return not self.options.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    def colors(self, stream: Any) -> bool:
        """Whether output to a stream is coloured."""
        choice = self.options.color or self.environ.get("SHIPCLI_COLOR") or self._color_setting()
        if choice in ("always", "never"):
            return choice == "always"
        dull = self.environ.get("NO_COLOR") or self.environ.get("TERM") == "dumb"
        return bool(stream.isatty() and not dull)

    def _color_setting(self) -> str:
        """The setting, if settings were read already: a message must not fail because of a broken file."""
        config = self.__dict__.get("config") or getattr(self.__dict__.get("app"), "config", None)
        return str(config["color"]) if config else "auto"

    def close(self) -> None:
        """Close what was opened."""
        for name in ("app", "gateway"):
            self.__dict__.pop(name, None)
        for name in ("local_app", "server"):
            opened = self.__dict__.pop(name, None)
            if opened is not None:
                opened.close()


def read_secret_file(file: str) -> str:
    """The first line of a file, or of standard input for `-`.

    Errors: Usage if it can't be read.
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{file} can't be read: {error}") from None
    return text.split("\n", 1)[0].removesuffix("\r")
