"""Which engine the stores of a run are on: `pytest --engine sqlite|postgres`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from shipcli import bootstrap
from tests.cluster import MISSING, Databases, find_programs, run_cluster

SQLITE, POSTGRES = "sqlite", "postgres"
SOCKET = "SHIPCLI_TEST_CLUSTER"  # tells the processes of a run where its server is


class EngineChoice:
    """The engine of a run, and its databases if that is PostgreSQL."""

    def __init__(self) -> None:
        self.databases: Databases | None = None
        self.socket = ""
        self._open = ExitStack()

    def begin(self, config: pytest.Config) -> None:
        """Start the server of the run, or use the one that the run has started."""
        if config.getoption("engine") != POSTGRES or find_programs() is None:
            return
        if SOCKET not in os.environ:
            os.environ[SOCKET] = str(self._open.enter_context(run_cluster()))
            self._open.callback(os.environ.pop, SOCKET)
            first = Databases(Path(os.environ[SOCKET]))
            first.make_empty()
            first.close()
        self.socket = os.environ[SOCKET]
        self.databases = Databases(Path(self.socket))
        self._open.callback(self.databases.close)
        databases, choose = self.databases, bootstrap.choose_place

        def choose_database(folder: Path, *_: object, **__: object) -> str:
            return databases.find_url(folder)

        bootstrap.choose_place = choose_database  # type: ignore[assignment]
        self._open.callback(setattr, bootstrap, "choose_place", choose)

    def end(self) -> None:
        """Stop the server of the run."""
        self.databases = None
        self._open.close()

    def mark(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Skip, by name, what needs another engine than that of the run."""
        if config.getoption("engine") != POSTGRES:
            return
        for item in items:
            marker = item.get_closest_marker("sqlite_only")
            if self.databases is None:
                item.add_marker(pytest.mark.skip(reason=MISSING))
            elif marker is not None:
                item.add_marker(pytest.mark.skip(reason=f"about SQLite itself: {marker.args[0]}"))


CHOICE = EngineChoice()


def choose_place(path: Path) -> Path | str:
    """The place of a store that would be in this file: the file, or a database of its own."""
    return CHOICE.databases.find_url(path) if CHOICE.databases else path


def copy_store(source: Path, target: Path) -> None:
    """Copy the database of a folder, if the engine has one; files are copied with their folder."""
    if CHOICE.databases:
        CHOICE.databases.copy(source, target)
