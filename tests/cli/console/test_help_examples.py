"""Every page of help has examples, and every example works."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shlex import quote, split
from subprocess import PIPE

import pytest

from shipcli.cli import command_loader, command_table
from shipcli.cli.main import main
from tests.api.running import Running
from tests.cli.conftest import Cli
from tests.cli.examples.sandbox import enter, list_example_commands
from tests.cli.typed import Typed
from tests.processes import PATIENCE_S, started, wait_for

WIDEST = 78  # on a terminal of 80 columns, two of them before the example

EVERY = [
    (row.name, verb.name) if verb else (row.name,)
    for row in command_table.NOUNS
    for verb in row.verbs or (None,)
]


def find_examples(path: tuple[str, ...]) -> tuple[str, ...]:
    command = command_loader.build(path)
    assert command is not None
    return command.examples


LINES_TO_PATHS = {line: path for path in EVERY for line in find_examples(path) if not line.startswith("#")}
LINES = tuple(LINES_TO_PATHS)
SERVER = "https://ship.example"
# What can be run only where something went wrong before, or a carrier holds it: these say what they would do.
SAID_ONLY = {("shipments", "resolve"), ("pickups", "resolve"), ("manifests", "resolve"), ("proxy", "void"),
             ("proxy", "pickup-update"), ("proxy", "pickup-cancel"), ("proxy", "manifest"),
             ("sandbox", "reset")}  # fmt: skip
# What a command says by its exit code here: an authenticator's code that nobody knows beforehand, a target
# that can't be reached, a sandbox that does not run, requests that did not come, orders that lack a label.
CODES = {
    "shipcli auth otp": 1,
    "shipcli webhooks test": 8,
    "shipcli sandbox wait shop": 8,
    "shipcli sandbox expect": 1,
    "shipcli eod --check": 9,
    "shipcli station sheet": 0,
    "shipcli station": 2,  # a screen, and there is no terminal
}
BY_DAY = " --by friday"  # on its eve, after the last collection, nothing arrives by then


def is_endless(line: str) -> bool:
    """Whether a command goes on until it is stopped."""
    path = LINES_TO_PATHS[line]
    return (
        path in (("sandbox", "up"), ("server", "start"), ("logs", "tail"), ("listen",), ("mcp",))
        or (path == ("worker", "run") and "--once" not in line)
        or opens_no_store(line)
    )


def opens_no_store(line: str) -> bool:
    """Whether a command serves without a store; `tests/recordings` starts and ends these."""
    path = LINES_TO_PATHS[line]
    return path == ("sandbox", "record") or (path == ("sandbox", "replay") and "--against" not in line)


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_page_has_two_or_three_examples(path: tuple[str, ...]) -> None:
    assert 2 <= len(list_example_commands(find_examples(path))) <= 3


@pytest.mark.parametrize("line", LINES)
def test_every_example_is_one_line_of_our_own_on_a_narrow_terminal(line: str) -> None:
    assert line.startswith("shipcli ")
    assert len(line) <= WIDEST


@pytest.mark.parametrize("line", [line for line in LINES if SERVER not in line and not is_endless(line)])
def test_every_example_works(
    line: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    enter(tmp_path, monkeypatch)
    run_line(line, monkeypatch, capfdbinary)


def run_line(line: str, patch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[bytes]) -> None:
    """Each command of a line, its input what the one before it wrote; a person would be asked, and agree."""
    (words,) = list_example_commands((line,))
    more = ["--dry-run"] if LINES_TO_PATHS[line] in SAID_ONLY else []
    text = ""
    for part in " ".join(map(quote, words)).split(" '|' shipcli "):
        command, _, file = part.partition(" '<' ")
        patch.setattr(sys, "stdin", Typed(Path(file).read_text() if file else text))
        code = main(["--yes", *more, *split(command)])
        out, err = captured.readouterr()
        expected = next((CODES[one] for one in CODES if line.startswith(one)), 0)
        assert code == expected or (BY_DAY in line and b"No rate arrives by" in err), err.decode()
        text = out.decode()


@pytest.mark.parametrize("line", [line for line in LINES if is_endless(line) and not opens_no_store(line)])
def test_every_example_that_goes_on_starts_and_ends_with_a_signal(
    line: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    enter(tmp_path, monkeypatch)
    (words,) = list_example_commands((line,))
    port = ["--port", "0"] if words[:2] in (["sandbox", "up"], ["server", "start"]) else []
    with started(*words, *port, stdout=PIPE, stderr=PIPE) as process:
        wait_for(lambda: has_open(process.pid, "shipcli.db") or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode in (0, 130, -signal.SIGINT), told.decode()


def has_open(pid: int, name: str) -> bool:
    """Whether a process has opened a file of this name."""
    with suppress(OSError):  # it may end while we look
        return any(Path(os.readlink(one)).name == name for one in Path(f"/proc/{pid}/fd").iterdir())
    return False


@pytest.fixture(scope="module")
def server(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on a copy of the sandbox."""
    folder = tmp_path_factory.mktemp("server")
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    with Running(
        "--home",
        str(folder / "home"),
        "sandbox",
        "up",
        "--carriers",
        "all",
        "--keep",
        "--port",
        "0",
        "--json",
    ) as running:
        yield str(running.said["url"])
        running.stop()


@pytest.mark.parametrize("line", [line for line in LINES if SERVER in line and not is_endless(line)])
def test_every_example_about_a_server_works(
    line: str, server: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:  # fmt: skip
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    enter(tmp_path, monkeypatch)
    LINES_TO_PATHS[line.replace(SERVER, server)] = LINES_TO_PATHS[line]
    run_line(line.replace(SERVER, server), monkeypatch, capfdbinary)


def test_the_global_options_are_explained_on_one_page_and_named_on_every_other(cli: Cli) -> None:
    explained = cli("options").out
    for words in ([], ["addresses"], ["addresses", "list"], ["find"]):
        assert "shipcli options" in cli(*words, "--help").out.splitlines()[-1]
    assert "--api-key-file FILE\tThe key for that server" in explained
