"""Ctrl-C while modules load ends with 130 and no traceback, in every phase from our first import on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE_S, PROGRAM

SCRIPT = shutil.which("shipcli", path=str(Path(sys.executable).parent))
PROGRAMS = [PROGRAM, [SCRIPT]] if SCRIPT else [PROGRAM]
PRESSES_CTRL_C = """
import os, signal, sys

class Presser:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presser())
"""
PHASES = [
    "shipcli.start_up", "shipcli.cli", "shipcli.cli.main", "shipcli.cli.session",
    "shipcli.cli.command_loader", "typer.core", "shipcli.bootstrap", "sqlite3",
    "shipcli.store.sqlite.session",
]  # fmt: skip


@pytest.mark.parametrize("module", PHASES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda words: Path(words[0]).name)
def test_ctrl_c_while_a_module_loads(tmp_path: Path, program: list[str], module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSES_CTRL_C.format(module=module))
    done = subprocess.run(
        [*program, "--home", str(tmp_path / "home"), "--sandbox", "shipments", "list"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_a_program_that_imports_the_package_keeps_its_own_ctrl_c() -> None:
    probe = (
        "import signal, shipcli, shipcli.cli.main as cli; cli.main(['--version']); "
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"


def test_ctrl_c_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)" + PRESSES_CTRL_C.format(module="typer")
    )
    done = subprocess.run(
        [*PROGRAM, "--version"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0
