"""The graph of imports, read from the source: nothing is imported."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

Edges = Mapping[str, Set[str]]


@dataclass
class Graph:
    """Modules with the number of their lines, and what each imports: at its top, and in its functions."""

    lines: dict[str, int] = field(default_factory=dict)
    top: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    inner: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    inner_statements: list[tuple[str, int, set[str]]] = field(default_factory=list)
    late: set[str] = field(default_factory=set)  # packages that find their names when they are asked for

    def circles(self) -> list[list[str]]:
        """Modules that import each other, over however many steps; imports inside functions count."""
        edges = {one: self.top[one] | self.inner[one] for one in self.lines}
        return [sorted(one) for one in _components(edges) if len(one) > 1]

    def list_idle(self) -> list[str]:
        """Imports in functions that put nothing off: what they name was loaded with their own module."""
        loaded = {one: _reached(self.top, one) | _packages(one) for one, _, _ in self.inner_statements}
        return [
            f"{one}:{line}"
            for one, line, targets in self.inner_statements
            if targets <= loaded[one] - self.late
        ]

    def rooms(self) -> Counter[str]:
        """Lines by folder of the package: the part of a name that a newcomer reads first."""
        found: Counter[str] = Counter()
        for name, count in self.lines.items():
            parts = name.split(".")
            depth = 3 if parts[1:2] in (["features"], ["cli"]) else 2
            found[".".join(parts[:depth])] += count
        return found


def read_graph(root: Path, package: str) -> Graph:
    """The graph of a package in a folder."""
    graph = Graph()
    files = {_name(root, path): path for path in (root / package).rglob("*.py")}
    for name, path in files.items():
        text = path.read_text("utf-8")
        graph.lines[name] = len(text.splitlines())
        if "\ndef __getattr__(" in text:
            graph.late.add(name)
        for node, is_inner in _imports(ast.parse(text), is_inner=False):
            targets = {one for one in _targets(node, files) if one in files}
            late = targets if is_inner else {one for one in targets if _is_late(package, name, one, node)}
            graph.inner[name] |= late - {name}
            graph.top[name] |= targets - late - {name}
            if targets and is_inner:
                graph.inner_statements.append((name, node.lineno, targets))
    return graph


def _is_late(package: str, name: str, target: str, node: ast.stmt) -> bool:
    """Whether the terminal imports a module from below itself whole: it is loaded when it is first used."""
    terminal = f"{package}.cli."
    is_whole = isinstance(node, ast.ImportFrom) and target != node.module
    return is_whole and name.startswith(terminal) and not target.startswith(terminal)


def _packages(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts))}


def _name(root: Path, path: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(node: ast.AST, *, is_inner: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Import statements, and whether they stand in a function; those for types alone are left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, is_inner
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _imports(child, is_inner=is_inner or inside)


def _targets(node: ast.stmt, known: Container[str]) -> Iterator[str]:
    """Modules that a statement means: `from a import b` means a.b where that is a module, else a."""
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names)
    if isinstance(node, ast.ImportFrom) and node.module:
        for one in node.names:
            inside = f"{node.module}.{one.name}"
            yield inside if inside in known else node.module


def _components(edges: Edges) -> list[set[str]]:
    """Strongly connected parts: reached from a module, and reaching it."""
    reach = {one: _reached(edges, one) for one in edges}
    parts: list[set[str]] = []
    seen: set[str] = set()
    for one in edges:
        if one not in seen:
            part = {other for other in reach[one] if one in reach[other]} | {one}
            seen |= part
            parts.append(part)
    return parts


def _reached(edges: Edges, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for one in edges.get(waiting.pop(), ()):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
