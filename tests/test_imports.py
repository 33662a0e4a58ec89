"""Imports: none goes round in a circle, those inside functions put something off, no test needs another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
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


def list_imported(path: Path) -> Iterator[str]:
    """The last words of what a file imports: modules, and what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").rpartition(".")[2]
            yield from (alias.name for alias in node.names)


def find_borrowers(root: Path) -> list[str]:
    """The files that import a module of tests."""
    modules = {path.stem for path in root.rglob("test_*.py")}
    return sorted(path.name for path in root.rglob("*.py") if modules.intersection(list_imported(path)))


def test_no_test_is_imported_from_another() -> None:
    """What several tests need lies in `factories.py` or in a module beside them."""
    assert find_borrowers(Path(__file__).parent) == []


@pytest.mark.parametrize(
    "line", ["from room.test_a import x", "from room import test_a", "import room.test_a"]
)
def test_a_test_that_imports_another_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "test_a.py").write_text("x = 1\n")
    (tmp_path / "test_b.py").write_text(f"def test_it():\n    {line}\n")
    assert find_borrowers(tmp_path) == ["test_b.py"]
