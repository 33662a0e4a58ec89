"""`examples/compose.yaml`: its lines, variables and references are real, and its databases run as it says."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shlex import split
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from psycopg import pq

from shipcli import config
from shipcli.api.pages.status import list_pages
from shipcli.cli.command_loader import build, list_own_options
from shipcli.cli.global_options import read_line
from shipcli.security import master_key
from shipcli.store.postgres.url import MOST_CONNECTIONS
from shipcli.store.store import Store
from tests.api.running import free_port
from tests.cluster import MISSING, USER, PostgresServer, find_programs, run_server
from tests.processes import PATIENCE_S, wait_for

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "compose.yaml").read_text("utf-8")
FILE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
OWN = {name: service for name, service in SERVICES.items() if service["image"] == "shipcli"}
DATABASES = {name: service for name, service in SERVICES.items() if name not in OWN}
IN_THE_IMAGE = {
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD_FILE",
}  # what the image of PostgreSQL reads
PROGRAM = "with-secrets"
PASSWORD = "a password with 'quotes' and $signs"
SECRETS = "/run/secrets/"


def unescape(text: str) -> str:
    """A text of the file as a container gets it."""
    assert "$" not in text.replace("$$", ""), "nothing is taken from the environment of who starts it"
    return text.replace("$$", "$")


def read_dockerfile(service: dict[str, Any]) -> list[tuple[str, str]]:
    """The instructions of the image: the word of each, and the rest."""
    lines = unescape(service["build"]["dockerfile_inline"]).replace("\\\n", " ").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def list_lines() -> Iterator[list[str]]:
    """The words of every command of this program in the file, and in the comment above it."""
    for service in OWN.values():
        yield service["command"]
        test = service["healthcheck"]["test"]
        if test[1] == PROGRAM:
            yield test[2:]
    yield from (split(words) for words in re.findall(r"run --rm \w+ (.+)", TEXT))


def list_settings(name: str) -> list[str]:
    """The settings with which a database is started."""
    words = DATABASES[name]["command"]
    assert words[::2] == ["postgres", *words[2::2]]
    assert set(words[1::2]) == {"-c"}
    return [str(word) for word in words[2::2]]


def test_there_are_two_of_each_and_no_registry_is_named() -> None:
    kinds = [service["command"][0] for service in OWN.values()]
    assert (kinds.count("server"), kinds.count("worker"), list(DATABASES)) == (2, 2, ["primary", "standby"])
    images = {service["image"] for service in SERVICES.values()}
    images |= {rest for service in OWN.values() for word, rest in read_dockerfile(service) if word == "FROM"}
    assert [image for image in images if "/" in image] == []


def test_every_line_is_one_that_the_program_takes() -> None:
    for words in list_lines():
        line = read_line(words, list_own_options)
        command = build(line.path)
        assert command is not None, words
        command.make_context(" ".join(line.path), list(line.rest), resilient_parsing=False)


def test_every_variable_is_one_that_is_read() -> None:
    clients = {option.envvar.decode() for option in pq.Conninfo.get_defaults() if option.envvar}
    settings = {config.PREFIX + key.upper() for key in config.BY_KEY}
    for service in OWN.values():
        assert set(service["environment"]) <= settings
        exported = re.findall(r"export (\w+)=", service["build"]["dockerfile_inline"])
        assert set(exported) == {"PGPASSWORD", master_key.VARIABLE}
        assert "PGPASSWORD" in clients
    for service in DATABASES.values():
        assert set(service["environment"]) <= IN_THE_IMAGE | clients


def test_the_settings_have_values_that_are_taken(tmp_path: Path) -> None:
    for service in OWN.values():
        chosen = config.load(tmp_path, service["environment"], tmp_path)
        assert chosen[config.STORE] == service["environment"][config.STORE_VARIABLE]
        place = urlsplit(chosen[config.STORE])
        database = DATABASES["primary"]["environment"]
        assert place.netloc == f"{database['POSTGRES_USER']}@{','.join(DATABASES)}"
        assert place.path == f"/{database['POSTGRES_DB']}"


def test_every_reference_leads_to_a_definition() -> None:
    for service in SERVICES.values():
        for name, condition in service.get("depends_on", {}).items():
            assert "healthcheck" in SERVICES[name]
            assert condition == {"condition": "service_healthy"}
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(FILE["volumes"])
        assert {row["source"] for row in service.get("configs", [])} <= set(FILE["configs"])
        paths = set(re.findall(rf"{SECRETS}(\w+)", str(service)))
        assert paths == set(service["secrets"]), "each secret is given to those that read it"
        assert paths <= set(FILE["secrets"])
    for name, secret in FILE["secrets"].items():
        assert secret == {"file": f"secrets/{name}"}
        assert f"> {secret['file']}" in TEXT, "the comment says how it is made"
    assert all("volumes" in service for service in DATABASES.values())


def test_a_server_is_asked_where_it_listens_for_what_it_serves() -> None:
    pages = {path for method, path, _ in list_pages(cast("Any", SimpleNamespace())) if method == "GET"}
    outside = set()
    for service in (service for service in OWN.values() if service["command"][0] == "server"):
        words = service["command"]
        address = re.search(r"http://[^']+", service["healthcheck"]["test"][-1])
        assert address
        place = urlsplit(address[0])
        assert str(place.port) == words[words.index("--port") + 1]
        assert place.path in pages
        host, port, inside = service["ports"][0].split(":")
        assert (host, inside) == ("127.0.0.1", str(place.port))
        outside.add(port)
    assert len(outside) == 2


@pytest.mark.slow
def test_the_image_installs_this_program_with_its_extra_and_gives_it_the_secrets(tmp_path: Path) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (tmp_path / "shipcli").write_text(
        '#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$SHIPCLI_MASTER_KEY" "$@"\n', "utf-8"
    )
    (tmp_path / "shipcli").chmod(0o755)
    (tmp_path / "database_password").write_text(f"{PASSWORD}\n", "utf-8")
    (tmp_path / "master_key").write_text("the key\n", "utf-8")
    instructions = read_dockerfile(OWN["server1"])
    install, script = (rest for word, rest in instructions if word == "RUN")
    name, extra = re.findall(r"'(\w+)\[(\w+)\]'", install)[0]
    assert f'name = "{name}"' in project
    assert f"\n{extra} = [" in project
    assert ("ENTRYPOINT", f'["{PROGRAM}"]') in instructions
    here = script.replace("/usr/local/bin", str(tmp_path)).replace(SECRETS, f"{tmp_path}/")
    subprocess.run(["sh", "-ec", here], check=True)
    run = subprocess.run([tmp_path / PROGRAM, "server", "a b"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
                         capture_output=True, text=True, check=True)  # fmt: skip
    assert run.stdout.splitlines() == [PASSWORD, "the key", "server", "a b"]


@dataclass(frozen=True)
class Pair:
    """The primary, and the socket of the standby."""

    primary: PostgresServer
    standby: Path
    port: int

    def ask(self, place: Path, statement: str, database: str = "postgres", options: str = "") -> list[Any]:
        """The rows of a statement; one that waits for a standby in vain fails."""
        where = f"host={place} port={self.port} user={USER} dbname={database}"
        limits = f"-c statement_timeout={PATIENCE_S}s {options}"
        with psycopg.connect(where, autocommit=True, options=limits) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def run_pair() -> Iterator[Pair]:
    """The two databases, started as the file starts them; sockets, port and files are those of the test."""
    with TemporaryDirectory(prefix="shipcli-compose-") as place:
        folder, port = Path(place), free_port()
        folder.chmod(0o755)  # another user runs the databases
        rules = folder / "pg_hba.conf"
        rules.write_text(FILE["configs"]["pg_hba"]["content"], "utf-8")
        (folder / "database_password").write_text(PASSWORD, "utf-8")
        places = {"/etc/postgresql/pg_hba.conf": str(rules), "host=primary": f"host=127.0.0.1 port={port}",
                  SECRETS: f"{folder}/"}  # fmt: skip

        def move(text: str) -> str:
            for old, new in places.items():
                text = text.replace(old, new)
            return text

        settings = [*map(move, list_settings("primary")), "listen_addresses=127.0.0.1", f"port={port}"]
        with run_server(*settings) as primary:
            pair = Pair(primary, primary.folder / "second", port)
            environment = DATABASES["primary"]["environment"]
            make = f"create database {environment['POSTGRES_DB']}"
            pair.ask(primary.folder, make, options=environment["PGOPTIONS"])
            password = psycopg.sql.Literal(PASSWORD).as_string()
            pair.ask(
                primary.folder, f"alter role {USER} password {password}", options=environment["PGOPTIONS"]
            )
            subprocess.run(["mkdir", str(pair.standby)], check=True, **primary.owner)
            own = [
                "listen_addresses=",
                f"port={port}",
                f"unix_socket_directories={pair.standby}",
                "fsync=off",
            ]
            words = [*DATABASES["standby"]["entrypoint"], *DATABASES["standby"]["command"]]
            words = [move(unescape(word)) for word in words]
            words += [word for setting in own for word in ("-c", setting)]
            variables = {
                "PATH": f"{primary.programs}:/usr/bin:/bin",
                "PGDATA": str(pair.standby / "18" / "docker"),
            }
            with subprocess.Popen(words, env=variables, cwd="/", **primary.owner) as process:
                try:
                    yield pair
                finally:
                    process.send_signal(signal.SIGQUIT)  # at once, also while others are connected


@pytest.mark.slow
@pytest.mark.skipif(find_programs() is None, reason=MISSING)
def test_the_databases_follow_each_other_and_lose_nothing() -> None:
    with run_pair() as pair:
        primary, standby = pair.primary.folder, pair.standby
        following = "select application_name from pg_stat_replication where sync_state = 'sync'"
        wait_for(lambda: pair.ask(primary, following) == [("standby",)])
        most = int(pair.ask(primary, "show max_connections")[0][0])
        url = f"postgresql://{USER}@/shipping?host={primary},{standby}&port={pair.port},{pair.port}"
        with Store.open(url, clock=lambda: datetime.now(UTC)) as store:
            risks = [risk.text for risk in store.find_risks(datetime.now(UTC))]
        assert [text for text in risks if "fsync" not in text and "full_page_writes" not in text] == []
        pair.primary.stop()
        assert pair.ask(standby, "select pg_promote()") == [(True,)]
        pair.ask(standby, "create table shipcli.after_promotion ()", "shipping")
    assert (MOST_CONNECTIONS + 1) * len(OWN) < most
