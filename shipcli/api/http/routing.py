"""Finds the target of a path and method. Literal path segments win over placeholders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class RoutePlace(NamedTuple, Generic[T]):
    """A path that exists: the target of each method, and the values in the path."""

    methods: dict[str, T]
    values: tuple[str, ...]


class _RouteNode(Generic[T]):
    """A segment of a path."""

    __slots__ = ("any", "methods", "steps")

    def __init__(self) -> None:
        self.steps: dict[str, _RouteNode[T]] = {}
        self.any: _RouteNode[T] | None = None
        self.methods: dict[str, T] = {}


class Routes(Generic[T]):
    """All targets by path."""

    def __init__(self) -> None:
        self._root: _RouteNode[T] = _RouteNode()
        self._plain: dict[str, RoutePlace[T]] = {}

    def add(self, method: str, path: str, target: T) -> None:
        """Add a target; path segments in braces match any value."""
        node = self._root
        for step in path.split("/"):
            if step.startswith("{"):
                node.any = node.any or _RouteNode()
                node = node.any
            else:
                node = node.steps.setdefault(step, _RouteNode())
        node.methods[method] = target
        if "{" not in path:
            self._plain[path] = RoutePlace(node.methods, ())

    def find(self, path: str) -> RoutePlace[T] | None:
        """Find what is served at a path, None if nothing is."""
        return self._plain.get(path) or self._search(self._root, path.split("/"), ())

    def _search(self, node: _RouteNode[T], steps: list[str], values: tuple[str, ...]) -> RoutePlace[T] | None:
        if not steps:
            return RoutePlace(node.methods, values) if node.methods else None
        step, remaining = steps[0], steps[1:]
        child = node.steps.get(step)
        route = self._search(child, remaining, values) if child else None
        if route is None and node.any is not None and step:
            route = self._search(node.any, remaining, (*values, step))
        return route

    def add_all(self, rows: Iterable[tuple[str, str, T]]) -> None:
        """Add many targets: method, path, target."""
        for row in rows:
            self.add(*row)
