"""Imports: none goes round in a circle, and those inside functions put something off."""

from __future__ import annotations

from pathlib import Path

import pytest

import shipcli
from tests.walks.imports import Graph, read_graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return read_graph(Path(shipcli.__file__).parent.parent, "shipcli")


def test_no_modules_import_each_other_inside_functions_either(graph: Graph) -> None:
    assert graph.circles() == []


def test_an_import_inside_a_function_puts_something_off(graph: Graph) -> None:
    assert graph.list_idle() == []


def test_an_import_of_what_is_loaded_already_is_found(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "light.py").write_text("")
    (package / "heavy.py").write_text("")
    (package / "room.py").write_text("import house.light\n")
    (package / "door.py").write_text(
        "import house.room\n\n\ndef open():\n    from house import heavy\n    from house import light\n"
    )
    assert read_graph(tmp_path, "house").list_idle() == ["house.door:6"]
