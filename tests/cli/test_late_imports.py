"""A module that a command names is imported when something of it is used."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from shipcli.cli.late_imports import LateModule, import_late

SLOW = "import time\ntime.sleep(0.05)\ndef answer():\n    return 42\n"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package `shipcli.annex` with the modules `slow`, `user` and `broken`."""
    import shipcli

    folder = tmp_path / "annex"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "slow.py").write_text(SLOW)
    (folder / "user.py").write_text("from shipcli.annex import slow\n")
    (folder / "broken.py").write_text("raise ValueError('broken')\n")
    monkeypatch.setattr(shipcli, "__path__", [*shipcli.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    yield importlib.import_module("shipcli.annex")
    for name in [name for name in sys.modules if name.startswith("shipcli.annex")]:
        del sys.modules[name]
    del shipcli.annex  # type: ignore[attr-defined]  # set by the import


def import_slow() -> ModuleType:
    with import_late():
        from shipcli.annex import slow  # type: ignore[import-not-found]
    return slow  # type: ignore[no-any-return]


def test_a_module_is_imported_when_it_is_first_used(room: ModuleType) -> None:
    slow = import_slow()
    assert "shipcli.annex.slow" not in sys.modules
    assert slow.answer() == 42
    assert "shipcli.annex.slow" in sys.modules


def test_others_get_the_real_module(room: ModuleType) -> None:
    late = import_slow()
    user = importlib.import_module("shipcli.annex.user")
    assert isinstance(late, LateModule)
    assert not isinstance(user.slow, LateModule)
    assert late.answer is user.slow.answer


def test_a_name_of_a_module_is_there_at_once(room: ModuleType) -> None:
    with import_late():
        from shipcli.annex.slow import answer  # type: ignore[import-not-found]
    assert answer() == 42
    assert not isinstance(sys.modules["shipcli.annex.slow"], LateModule)


def test_what_a_used_module_imports_is_real(room: ModuleType) -> None:
    with import_late():
        from shipcli.annex.user import slow  # type: ignore[import-not-found]
    assert not isinstance(slow, LateModule)


def test_threads_that_use_it_at_once_wait_for_the_whole_module(room: ModuleType) -> None:
    slow, answers = import_slow(), []
    threads = [threading.Thread(target=lambda: answers.append(slow.answer())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [42] * 8


def test_a_missing_name_and_a_broken_module_are_what_they_always_are(room: ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'question'"):
        import_slow().question  # noqa: B018 - reading it is the test
    with import_late():
        from shipcli.annex import broken
    with pytest.raises(ValueError, match="broken"):
        broken.answer  # noqa: B018
