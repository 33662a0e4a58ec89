"""A carrier's folder has the files a newcomer expects, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shipcli import carriers

FOLDERS = sorted(one.parent for root in carriers.__path__ for one in Path(root).glob("*/__init__.py"))
SHARED, DATA = "parts", {"catalogue.json", "published.json", "schema.json", "schema.xml"}
NOUNS = {
    "rates", "shipments", "customs", "tracking", "pickups", "manifests", "documents", "addresses",
    "locations", "transit",
}  # fmt: skip


def names(folder: Path) -> set[str]:
    """Modules without their ending, data files with it, folders with a slash."""
    found = (one for one in folder.iterdir() if one.name not in {"__pycache__", ".DS_Store"})
    return {f"{one.name}/" if one.is_dir() else one.name.removesuffix(".py") for one in found}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_carrier_has_files_of_the_fixed_names_only(folder: Path) -> None:
    allowed = {"__init__", "wire", "sandbox", "sandbox/", SHARED} | NOUNS | DATA
    strange = names(folder) - allowed
    assert not strange


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_carrier_has_one_wire_module_or_one_for_each_noun(folder: Path) -> None:
    assert not ("wire" in names(folder) and names(folder) & NOUNS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_carrier_imports_its_own_modules_and_other_carriers_by_dots(folder: Path) -> None:
    """The folder is installed under another name, and a copy of it may become somebody's package."""
    named = [
        one.name
        for one in folder.rglob("*.py")
        if re.search(r"^\s*(from|import) (shipcli\.)?carriers\b", one.read_text("utf-8"), re.M)
    ]
    assert not named
