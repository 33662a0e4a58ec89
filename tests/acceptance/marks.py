"""Reads the acceptance marks from the sources of the tests, so that a part of the suite knows them all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NAME = "acceptance"


class BadMark(ValueError):
    """A mark where it names no test, or with anything but line numbers."""


@dataclass(frozen=True, order=True)
class Row:
    """A line and a test that checks it."""

    line: int
    test: str


def rows_of(root: Path) -> list[Row]:
    """The marks of every test below a folder, sorted; tests are named from that folder's parent.

    Errors: BadMark.
    """
    found = {row for path in sorted(root.rglob("*.py")) for row in _rows_of_file(path, root.parent)}
    return sorted(found)


def _rows_of_file(path: Path, top: Path) -> Iterator[Row]:
    text = path.read_text()
    if f"{NAME}(" not in text:
        return
    tree, place = ast.parse(text), path.relative_to(top).as_posix()
    read: set[ast.Call] = set()
    for test, marks in _tests(tree.body, place, _marks_of_body(tree.body)):
        read.update(marks)
        yield from (Row(line, test) for mark in marks for line in _lines(mark, place))
    for mark in _marks(tree):
        if mark not in read or not path.name.startswith("test_"):
            raise BadMark(f"{place}:{mark.lineno}: this mark is on no test")


def _tests(nodes: list[ast.stmt], place: str, above: list[ast.Call]) -> Iterator[tuple[str, list[ast.Call]]]:
    """The id of each test with the marks on it, on its class and on its module."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield f"{place}::{node.name}", [*above, *_decorators(node)]
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            marks = [*above, *_decorators(node), *_marks_of_body(node.body)]
            yield from _tests(node.body, f"{place}::{node.name}", marks)


def _decorators(node: ast.FunctionDef | ast.ClassDef) -> list[ast.Call]:
    return [one for one in node.decorator_list if _is_mark(one) and isinstance(one, ast.Call)]


def _marks_of_body(nodes: list[ast.stmt]) -> list[ast.Call]:
    """The marks of `pytestmark = ...`."""
    values = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign) and [ast.unparse(one) for one in node.targets] == ["pytestmark"]
    ]
    return [mark for value in values for mark in _marks(value)]


def _marks(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_mark(node)]


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{NAME}"


def _lines(mark: ast.Call, place: str) -> list[int]:
    values = [one.value for one in mark.args if isinstance(one, ast.Constant) and type(one.value) is int]
    if mark.keywords or not values or len(values) != len(mark.args):
        raise BadMark(f"{place}:{mark.lineno}: a mark holds the numbers of lines and nothing else")
    return values
