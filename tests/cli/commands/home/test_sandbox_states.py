"""`shipcli sandbox reset`, `snapshot` and `workspace`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.homes import copy_sandbox


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return copy_sandbox(tmp_path / "home")


def test_a_state_is_saved_and_put_back(cli: Cli) -> None:
    assert cli("sandbox", "snapshot", "save", "empty", "--json").json["name"] == "empty"
    cli("--sandbox", "trackers", "add", "SC1000000001", "--carrier", "ups")
    assert cli("--dry-run", "sandbox", "snapshot", "restore", "empty").code == 0
    assert cli("--sandbox", "trackers", "list", "--json").json["count"] == 1
    assert cli("sandbox", "snapshot", "restore", "empty").code == 0
    assert cli("--sandbox", "trackers", "list", "--json").json["count"] == 0
    assert [row["name"] for row in cli("sandbox", "snapshot", "--json").json] == ["empty"]


def test_a_workspace_is_made_listed_and_removed(cli: Cli) -> None:
    made = cli("sandbox", "workspace", "--json").json
    assert made["api_key"].startswith(made["id"])
    assert cli("sandbox", "workspace", "list", "--ids").lines == [made["id"]]
    assert cli("sandbox", "workspace", "remove", made["id"]).code == 0
    assert cli("sandbox", "workspace", "remove", made["id"]).code == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [(("reset",), 5), (("snapshot", "save"), 2), (("snapshot", "burn", "x"), 2), (("workspace", "remove"), 2),
     (("snapshot", "restore", "nothing"), 3), (("snapshot", "save", "a/b"), 6)],
)  # fmt: skip
def test_what_can_not_be_done_says_so(cli: Cli, words: tuple[str, ...], code: int) -> None:
    result = cli("sandbox", *words)
    assert (result.code, result.out) == (code, "")
