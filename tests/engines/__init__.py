"""Which engine the stores of a run are on: `pytest --engine sqlite|postgres`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli import bootstrap
from shipcli.bootstrap import SANDBOX_FOLDER, write_sandbox_ending
from shipcli.config import STORE, STORE_VARIABLE, Config
from shipcli.models.basics.store_url import SCHEMA, add_schema
from tests.cluster import MISSING, Databases, find_programs, run_cluster

SQLITE, POSTGRES = "sqlite", "postgres"
SOCKET = "SHIPCLI_TEST_CLUSTER"  # tells the processes of a run where its server is


class EngineChoice:
    """The engine of a run, and its databases if that is PostgreSQL."""

    def __init__(self) -> None:
        self.databases: Databases | None = None
        self._open = ExitStack()

    def begin(self, config: pytest.Config) -> None:
        """Start the server of the run, or use the one that the run has started."""
        if config.getoption("engine") != POSTGRES or find_programs() is None:
            return
        self.databases = Databases(self.find_socket())
        self._open.callback(self.databases.close)
        choose = bootstrap.choose_place
        bootstrap.choose_place = partial(choose_database, self.databases, choose)
        self._open.callback(setattr, bootstrap, "choose_place", choose)

    def find_socket(self) -> Path:
        """The socket of the server of this run, or of this process; it is started if there is none."""
        if SOCKET not in os.environ:
            os.environ[SOCKET] = str(self._open.enter_context(run_cluster()))
            self._open.callback(os.environ.pop, SOCKET)
            first = Databases(Path(os.environ[SOCKET]))
            first.make_empty()
            first.close()
        return Path(os.environ[SOCKET])

    def end(self) -> None:
        """Stop the server of the run."""
        self.databases = None
        self._open.close()

    def mark(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Skip, by name, what needs another engine than that of the run."""
        if config.getoption("engine") != POSTGRES:
            for item in items:
                if item.get_closest_marker("postgres_only"):
                    item.add_marker(pytest.mark.skip(reason="about PostgreSQL: pytest --engine postgres"))
            return
        for item in items:
            marker = item.get_closest_marker("sqlite_only")
            if self.databases is None:
                item.add_marker(pytest.mark.skip(reason=MISSING))
            elif marker is not None:
                item.add_marker(pytest.mark.skip(reason=f"about SQLite itself: {marker.args[0]}"))


CHOICE = EngineChoice()
Choose = Callable[..., Path | str]


def choose_database(
    databases: Databases, choose: Choose, folder: Path, chosen: Config, environ: Any, *, sandbox: bool
) -> Path | str:
    """The place of a store as a process finds it to which `name_store` tells the database of its home."""
    if not chosen[STORE]:
        schema = name_schema(folder) if sandbox else SCHEMA
        url = databases.find_url(folder.parent if sandbox else folder, schema)
        chosen = chosen.with_flags({STORE: url})
    return choose(folder, chosen, environ, sandbox=sandbox)


def name_schema(folder: Path) -> str:
    """The schema of a sandbox."""
    return add_schema("", write_sandbox_ending(folder)).rpartition("=")[2]


def name_store(home: Path) -> dict[str, str]:
    """The variables by which a process finds the store of a home, on the engine of this run."""
    return {STORE_VARIABLE: CHOICE.databases.find_url(home)} if CHOICE.databases else {}


def choose_place(path: Path) -> Path | str:
    """The place of a store that would be in this file: the file, or a database of its own."""
    return CHOICE.databases.find_url(path) if CHOICE.databases else path


def copy_sandbox_store(source: Path, target: Path) -> None:
    """Copy the store of a home's sandbox, if it is in a database; files are copied with their folder."""
    if CHOICE.databases:
        schemas = name_schema(source / SANDBOX_FOLDER), name_schema(target / SANDBOX_FOLDER)
        CHOICE.databases.copy(source, target, schemas)
