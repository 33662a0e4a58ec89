"""The files by which other commands find a sandbox that runs."""

from __future__ import annotations

import json
import stat
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from shipcli.features.sandbox.running import (
    KEPT,
    AmbiguousSandbox,
    NoSandbox,
    RunningSandbox,
    choose_name,
    choose_running,
    list_running,
    make_running,
    publish,
)
from shipcli.models.basics.errors import Conflict, Invalid


def make(name: str = "default") -> RunningSandbox:
    return make_running(name, "http://127.0.0.1:5002", Path("/tmp/somewhere"), "key_of_a_sandbox")


def test_a_run_file_lasts_as_long_as_its_sandbox_and_is_for_this_user_only(tmp_path: Path) -> None:
    with publish(tmp_path, make()):
        (file,) = (tmp_path / "run").iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert list_running(tmp_path) == [make()]
    assert list((tmp_path / "run").iterdir()) == []


def test_the_key_is_in_no_repr() -> None:
    assert "key_of_a_sandbox" not in repr(make())


@pytest.mark.parametrize(
    "change",
    [
        {"process": "elsewhere@boot/1/1"},
        {"namespace": "pid:[1]"},
        {"process": make().process.replace(f"/{make().pid}/", "/999999999/")},
        {"process": make().process.rpartition("/")[0] + "/0"},
    ],
    ids=["another machine", "another namespace", "no such process", "another process of that number"],
)
def test_a_file_of_a_process_that_is_not_this_one_alive_is_ignored(
    tmp_path: Path, change: dict[str, str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "default.json").write_text(json.dumps(asdict(replace(make(), **change))))
    assert choose_running(tmp_path) is None
    with publish(tmp_path, make()):
        assert list_running(tmp_path) == [make()]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "default"}', "\0"])
def test_a_file_that_is_none_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "default.json").write_text(text)
    assert list_running(tmp_path) == []


def test_the_only_sandbox_needs_no_name_and_several_do(tmp_path: Path) -> None:
    assert choose_running(tmp_path) is None
    with ExitStack() as stack:
        stack.enter_context(publish(tmp_path, make("shop")))
        assert choose_running(tmp_path) == choose_running(tmp_path, "shop") == make("shop")
        stack.enter_context(publish(tmp_path, make("desk")))
        with pytest.raises(AmbiguousSandbox, match="desk, shop"):
            choose_running(tmp_path)
        assert choose_running(tmp_path, "desk") == make("desk")
        with pytest.raises(NoSandbox, match="desk, shop"):
            choose_running(tmp_path, "dock")
        assert choose_running(tmp_path, KEPT) is None


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    with publish(tmp_path, make()):
        assert choose_name(tmp_path, None) == "default-2"
        with pytest.raises(Conflict):
            choose_name(tmp_path, "default")
        with pytest.raises(Conflict), publish(tmp_path, make()):
            pass
    assert choose_name(tmp_path, None) == choose_name(tmp_path, "default") == "default"


@pytest.mark.parametrize("name", ["../up", "a b", "a/b", ".", "x" * 41])
def test_a_name_is_a_file_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid):
        choose_name(tmp_path, name)
