"""What every checkout promises."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def test_both_packages_are_typed() -> None:
    assert (ROOT / "shipcli" / "py.typed").is_file()
    assert (ROOT / "carriers" / "py.typed").is_file()


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    names = {re.split(r"[<>=!~\[ ]", name)[0].lower().replace("_", "-") for name in wanted}
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    assert names - pinned == set()


def test_intel_macs_get_versions_that_have_wheels_for_them() -> None:
    intel = {"sys_platform": "darwin", "platform_machine": "x86_64"}
    lines = [Requirement(line) for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()]
    for name in {line.name for line in lines if line.marker}:
        pins = [line for line in lines if line.name == name]
        here = [pin for pin in pins if pin.marker and pin.marker.evaluate()]
        there = [pin for pin in pins if pin.marker and pin.marker.evaluate(intel)]
        assert (len(here), len(there)) == (1, 1)


def test_the_hashed_constraints_pin_the_same_versions() -> None:
    hashed = (ROOT / ".ci" / "constraints-hashed.txt").read_text("utf-8")
    pins = {line.split(";")[0].strip() for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    found = re.findall(r"^([a-z0-9.-]+==[^ ;]+)", hashed, re.MULTILINE)
    assert len(found) > 50
    assert {
        pin for pin in found if not pin.startswith("pip==")
    } <= pins  # any pip will do, but for the hashes
    assert hashed.count("--hash=sha256:") > len(found)


def test_the_readme_gives_the_commands_that_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "pip install -c constraints.txt . && shipcli demo" in readme
    assert re.search(r"<!-- tests -->\n```sh\npip install [^\n]+ && python -m pytest[^\n]*\n```", readme)


def test_the_ci_script_is_valid_shell() -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)


def test_the_top_of_the_checkout_holds_what_it_should_and_nothing_else() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = {line.split("/")[0] for line in tracked.stdout.splitlines()}
    assert "pyproject.toml" in names, tracked.stderr
    assert {name for name in names if not name.startswith(".")} <= {
        "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "carriers", "completions",
        "constraints.txt", "docs", "examples", "noxfile.py", "pyproject.toml", "shipcli", "tests",
    }  # fmt: skip
