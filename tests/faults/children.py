"""Children that run one act each, forked from a process that has imported the program once."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.faults.points import Grain, Points

Act = Callable[[Path], int]
PATIENCE_S = 60
KILLED = -9
IMPORTED = ("shipcli", "shipcli.carriers", "tests.faults.scenarios")


@dataclass(frozen=True)
class Outcome:
    """How a child ended: its exit code (-9 when it was killed), what it said, and the writes it came to."""

    code: int
    out: str
    err: str
    points: tuple[str, ...]

    @property
    def was_killed(self) -> bool:
        return self.code == KILLED


class Parent:
    """The process whose children act; it ends with its `with` block."""

    def __enter__(self) -> Self:
        program = [sys.executable, "-c", "from tests.faults.children import serve; serve()"]
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.communicate(timeout=PATIENCE_S)

    def run(self, act: Act, folder: Path, *, last: int | None = None, grain: Grain = "effect") -> Outcome:
        """What becomes of an act in a child that is killed before its write number `last`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((act, folder, last, grain), self._process.stdin)
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        said = {name: (folder / name).read_text("utf-8", "replace") for name in ("out", "err", "points")}
        return Outcome(code, said["out"], said["err"], tuple(said["points"].splitlines()))


def serve() -> None:
    """Fork a child for every act that comes in, one after the other, and put out how it ended."""
    for package in IMPORTED:
        _import_all(package)
    gc.freeze()  # a collection in a child would copy all of it
    while True:
        try:
            given = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        child = os.fork()
        if child == 0:
            os._exit(_live(*given))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _import_all(package: str) -> None:
    found = importlib.import_module(package)
    for module in pkgutil.walk_packages(found.__path__, f"{package}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _live(act: Act, folder: Path, last: int | None, grain: Grain) -> int:
    """The whole life of a child; its exit code."""
    signal.alarm(PATIENCE_S)  # one that hangs is killed by it
    for name, number, flags in (
        (os.devnull, 0, os.O_RDONLY),
        ("out", 1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ("err", 2, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        os.dup2(os.open(folder / name, flags, 0o600), number)
    for name in [name for name in os.environ if name.startswith("SHIPCLI_")]:
        del os.environ[name]
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    sys.dont_write_bytecode = True
    os.chdir(folder)
    Points(folder / "points", last, grain).watch()
    try:
        code = act(folder)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - a child must not go on as a second parent
        traceback.print_exc()
        return 1
    return code
