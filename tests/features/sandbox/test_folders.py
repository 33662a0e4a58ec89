"""What killed sandboxes leave in the temporary folder is removed by the next one, and nothing else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from shipcli.features.sandbox.folders import LOCK_FILE, PREFIX, UNLOCKED_S, open_temporary, sweep


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def leave(folder: Path, *, locked: bool, age_s: float = 0) -> Path:
    folder.mkdir()
    (folder / "master.key").write_text("secret")
    if locked:
        (folder / LOCK_FILE).touch()
    then = folder.stat().st_mtime - age_s
    os.utime(folder, (then, then))
    return folder


def test_a_folder_is_there_while_it_is_used(temporary: Path) -> None:
    with open_temporary() as folder:
        with open_temporary() as other:
            sweep()
            assert sorted(temporary.iterdir()) == sorted([folder, other])
        assert list(temporary.iterdir()) == [folder]
    assert list(temporary.iterdir()) == []


def test_what_killed_sandboxes_left_is_swept_by_the_next(temporary: Path) -> None:
    leave(temporary / f"{PREFIX}killed", locked=True)
    leave(temporary / f"{PREFIX}of-an-older-version", locked=False, age_s=UNLOCKED_S + 60)
    with open_temporary() as folder:
        assert list(temporary.iterdir()) == [folder]


def test_nothing_else_is_swept(temporary: Path) -> None:
    kept = {
        leave(temporary / f"{PREFIX}that-just-starts", locked=False),
        leave(temporary / "shipcli-demo-other", locked=True),
        leave(temporary / "precious", locked=True),
    }
    link = temporary / f"{PREFIX}link"
    link.symlink_to(temporary / "precious")
    sweep()
    assert set(temporary.iterdir()) == kept | {link}
    assert (temporary / "precious" / "master.key").exists()
