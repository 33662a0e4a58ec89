"""A command line on a fresh home, in this process or as a program of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli import opening
from shipcli.cli.global_options import Options
from shipcli.cli.main import main
from shipcli.models import json
from tests.cli.examples.sandbox import enter, prepare
from tests.cli.typed import Typed
from tests.factories import PARCEL, RECIPIENT
from tests.homes import copy_sandbox
from tests.processes import PATIENCE_S, PROGRAM


@dataclass(frozen=True)
class Result:
    """What a command line did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opening.start(Options())
    for name in [name for name in os.environ if name.startswith("SHIPCLI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(
        "PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring"
    )  # never the keyring of a person
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def cli(home: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    def run(*words: str, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", Typed(typed))
        code = main(["--home", str(home), *words])
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return run


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sandbox of the examples, made once."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.fixture
def bench(prepared: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line in the sandbox of the examples; it must not change anything there."""
    enter(prepared, monkeypatch)

    def run(*words: str) -> Result:
        code = main([*words])
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return run


@pytest.fixture
def program(home: Path) -> Cli:
    """The same as a program of its own."""

    def run(*words: str, typed: str = "", **environ: str) -> Result:
        done = subprocess.run(
            [*PROGRAM, "--home", str(home), *words],
            input=typed.encode(),
            capture_output=True,
            check=False,
            env=os.environ | environ,
            timeout=PATIENCE_S,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def terminal(home: Path) -> Callable[..., Result]:
    """The same on a terminal: an answer is typed when its prompt has appeared; all output is one text."""

    def run(*words: str, answers: Sequence[tuple[str, str]] = (), **environ: str) -> Result:
        child, screen = pty.fork()
        if child == 0:
            os.environ.update({"TERM": "xterm-256color", "COLUMNS": "160", **environ})
            os.execv(PROGRAM[0], [*PROGRAM, "--home", str(home), *words])
        try:
            shown = _conversation(screen, list(answers))
        finally:
            os.close(screen)  # who waits for an answer that nobody gives ends with its terminal
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return Result(code, shown.replace("\r\n", "\n"), "")

    return run


def _conversation(screen: int, answers: list[tuple[str, str]]) -> str:
    """What was shown.

    Errors: TimeoutError for a question without an answer, which would be waited at for ever.
    """
    shown, seen, ready = b"", 0, select.poll()  # not select(): a long run has more than 1,024 open files
    ready.register(screen, select.POLLIN)
    while True:
        if not ready.poll(PATIENCE_S * 1000):
            raise TimeoutError(f"nothing more was shown after: {shown.decode(errors='replace')}")
        try:
            piece = os.read(screen, 65536)
        except OSError:
            piece = b""
        if not piece:
            return shown.decode(errors="replace")
        shown += piece
        if answers and answers[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(screen, answers.pop(0)[1].encode() + b"\n")


@pytest.fixture
def box(cli: Cli, home: Path) -> Cli:
    """The same in a sandbox that is there already: to make one costs more than most commands."""

    def run(*words: str, **more: str) -> Result:
        copy_sandbox(home)
        return cli("--sandbox", *words, **more)

    return run


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    folder = tmp_path / "spool"
    folder.mkdir()
    return folder


@pytest.fixture
def bought(box: Cli, tmp_path: Path) -> list[dict[str, Any]]:
    """Three labels, SO-1 to SO-3, of two articles."""

    def parcel(sku: str) -> dict[str, Any]:
        return {
            **PARCEL,
            "items": [{"sku": sku, "title": sku, "weight": 1, "weight_unit": "LB", "quantity": 1}],
        }

    bodies = [
        {"recipient": RECIPIENT, "parcels": [parcel(sku)], "reference": f"SO-{at}"}
        for at, sku in enumerate(("MUG", "CUP", "MUG"), 1)
    ]
    (tmp_path / "three.json").write_bytes(json.dump_bytes(bodies))
    done = box("ship", "--from-file", "three.json", "--cheapest", "-y", "--ndjson")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.lines]


def address(cli: Cli, **fields: str) -> str:
    """The id of a new address."""
    given = {"person_name": "Jane Doe", "city": "Boston", "state_code": "MA", "postal_code": "02134",
             "country_code": "US", "address_line1": "5 Main Street", **fields}  # fmt: skip
    words = [word for name, value in given.items() for word in ("-d", f"{name}={value}")]
    made = cli("addresses", "create", *words, "--ids")
    assert made.code == 0, made.err
    return made.out.strip()
