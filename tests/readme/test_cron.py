"""The cron lines and the systemd unit of docs/cron.md, run as cron and systemd would.

That is in a bare environment, without a terminal.
"""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.samples import write
from tests.features.files.rows import row
from tests.processes import PATIENCE_S, PROGRAM, started, wait_for

PAGE = (Path(__file__).parents[2] / "docs" / "cron.md").read_text("utf-8")
SCHEDULE = re.compile(r"(?:\S+\s+){5}")


def block(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found, f"the page has no {name} block"
    return found[1]


CRON = [SCHEDULE.sub("", line, count=1) for line in block("cron").splitlines()]


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """What cron gives, and the sandbox, so that nothing is paid."""
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
    write(tmp_path / "in" / "orders.csv", [row(number) for number in range(2)])
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "SHIPCLI_SANDBOX": "1"}


def words(line: str, folder: Path) -> list[str]:
    """What follows our name on the line, as a shell would split it, with our own folders."""
    name, *rest = shlex.split(line.replace(" /in/", f" {folder}/in/").replace(" /out/", f" {folder}/out/"))
    assert name == "shipcli"
    return rest


@pytest.mark.slow
def test_the_cron_lines_run_in_order_and_can_be_repeated(tmp_path: Path, environ: Mapping[str, str]) -> None:
    for _ in range(2):
        for line in CRON:
            done = subprocess.run(
                [*PROGRAM, *words(line, tmp_path)], env=environ, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=PATIENCE_S, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{line}\n{done.stderr.decode()}"
    assert (tmp_path / "out" / "today.pdf").read_bytes().startswith(b"%PDF")


def test_every_command_of_the_unit_exists_and_stops_on_sigterm(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    unit = re.search(r"ExecStart=/usr/local/bin/(.+)", block("systemd"))
    assert unit
    with started(
        *words(unit[1], tmp_path), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_for(lambda: _works(tmp_path, environ))
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, told.decode()


def _works(folder: Path, environ: Mapping[str, str]) -> bool:
    """Whether a worker has said that it runs."""
    asked = subprocess.run(
        [*PROGRAM, *words("shipcli worker status --json", folder)],
        env=environ,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return asked.returncode == 0 and bool(json.loads(asked.stdout)["workers"])


def test_the_unit_has_the_sections_of_a_service() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.read_string(block("systemd"))
    assert unit["Service"]["KillSignal"] == "SIGTERM"
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Install"]["WantedBy"] == "multi-user.target"
