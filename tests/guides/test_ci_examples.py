"""The files for CI services and containers: their lines run as they stand, as far as registries allow."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path
from shlex import split
from typing import Any

import pytest
import yaml

from shipcli.cli.command_loader import list_own_options
from shipcli.cli.global_options import read_line
from tests.api.running import Running, free_port
from tests.processes import PATIENCE_S

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HOST = re.compile(r"\b[\w-]+\.(?:io|com|org|dev|azurecr)\b/")  # of a registry, before an image


def load(name: str) -> Any:
    return yaml.safe_load((EXAMPLES / name).read_text("utf-8"))


def list_github_lines() -> list[str]:
    return [line for step in load("github_actions.yml")["jobs"]["tests"]["steps"] if "run" in step
            for line in step["run"].splitlines()]  # fmt: skip


def list_gitlab_lines() -> list[str]:
    job = load("gitlab_ci.yml")["tests"]
    return [line for name in ("before_script", "script", "after_script") for line in job[name]]


def read_containerfile() -> dict[str, list[str]]:
    """The instructions of the file, by their word."""
    found: dict[str, list[str]] = {}
    for line in (EXAMPLES / "Containerfile").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            found.setdefault(word, []).append(rest)
    return found


SUITE = """
import json, os, sys, urllib.request
key = os.environ["SHIPPING_API_KEY"]
address = f"http://127.0.0.1:{sys.argv[1]}/v1/connections"
request = urllib.request.Request(address, headers={"Authorization": "Token " + key})
rows = json.load(urllib.request.urlopen(request))["results"]
print(*sorted(row["carrier_id"] for row in rows), "the suite is done")
"""


@pytest.fixture
def environ(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """A home of its own and `shipcli` on the path; sandboxes of it that still run are ended."""
    program = tmp_path / "bin" / "shipcli"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shipcli "$@"\n')
    program.chmod(0o755)
    yield {"PATH": f"{program.parent}:{os.environ['PATH']}", "SHIPCLI_HOME": str(tmp_path / "home"),
           "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}  # fmt: skip
    for file in (tmp_path / "home" / "run").glob("*.json"):
        os.kill(json.loads(file.read_text())["pid"], signal.SIGTERM)
        while file.exists():
            time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [list_github_lines(), list_gitlab_lines()], ids=["github", "gitlab"])
def test_the_lines_of_a_job_run_as_they_stand(
    tmp_path: Path, environ: Mapping[str, str], lines: list[str]
) -> None:
    port = free_port()
    known = {"pip install shipcli": "true", "python -m pytest": f"python {tmp_path}/suite.py {port}"}
    (tmp_path / "suite.py").write_text(SUITE)
    script = "\n".join(
        known.get(line, line.replace("sandbox up ", f"sandbox up --port {port} ")) for line in lines
    )
    with (tmp_path / "out").open("w") as out, (tmp_path / "err").open("w") as errors:
        code = subprocess.call(["sh", "-ec", script], env={**environ, "SHIPPING_API_KEY": "key_test"},
                               cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                               timeout=PATIENCE_S)  # fmt: skip
    assert code == 0, (tmp_path / "err").read_text()
    asked, _, logged = (tmp_path / "out").read_text().partition("the suite is done")
    assert "fedex ups" in asked
    assert "/v1/connections" in logged


@pytest.mark.slow
def test_the_container_starts_and_is_healthy_under_any_name(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    file = read_containerfile()
    (entry,), (usual,), (setting,) = file["ENTRYPOINT"], file["CMD"], file["ENV"]
    name, _, value = setting.partition("=")
    port = free_port()
    words = [*json.loads(entry), *json.loads(usual), "--port", str(port)]
    settings = {name: value, "SHIPCLI_HOME": environ["SHIPCLI_HOME"]}
    with Running(*words[1:], temporary=tmp_path, environ=settings) as server:
        health = json.loads(file["HEALTHCHECK"][0].partition(" CMD ")[2])
        assert subprocess.run(health, env=dict(environ), capture_output=True, check=False).returncode == 0
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        connection.request("GET", "/v1/orders", headers={"Host": "sandbox:5002",
                                                         "Authorization": "Token key_test"})  # fmt: skip
        assert json.load(connection.getresponse())["count"] == 0
        connection.close()
        assert server.stop() == 0


def test_what_the_image_copies_exists_and_nothing_names_a_registry() -> None:
    sources = [word for line in read_containerfile()["COPY"] for word in line.split()[:-1]]
    assert [word for word in sources if not (ROOT / word).exists()] == []
    services = load("compose.sandbox.yaml")["services"].values()
    images = [*read_containerfile()["FROM"], load("gitlab_ci.yml")["tests"]["image"],
              *(service["image"] for service in services)]  # fmt: skip
    assert [image for image in images if HOST.search(image) or image.count("/") > 1] == []


def test_the_composition_waits_for_a_sandbox_that_its_flags_can_start() -> None:
    services = load("compose.sandbox.yaml")["services"]
    sandbox, tests = services["sandbox"], services["tests"]
    assert (EXAMPLES / sandbox["build"]["context"] / sandbox["build"]["dockerfile"]).is_file()
    own = list_own_options(("sandbox", "up"))
    words = ["sandbox", "up", *sandbox["command"]]
    assert [word for word in words if word.startswith("--") and word not in own] == []
    assert read_line(words, list_own_options).path == ("sandbox", "up")
    assert tests["depends_on"] == {"sandbox": {"condition": "service_healthy"}}
    assert tests["environment"]["SHIPPING_API_KEY"] in sandbox["command"]
    assert split(read_containerfile()["EXPOSE"][0]) == [
        tests["environment"]["SHIPPING_API_URL"].split(":")[-1]
    ]
