"""No regular expression of the product takes four times as long for a text that is twice as long.

Patterns of pydantic (`pattern=`) are not among them: they are matched by an engine that never searches twice.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import shipcli
from tests.growth import grows_too_fast, list_texts

ROOT = Path(__file__).parents[1]
METHODS = {"match", "fullmatch", "search", "sub", "subn", "findall", "finditer", "split"}
# Patterns that stand in tables, by the name of the table or of the field: how they are used.
IN_TABLES: Mapping[str, str] = {"TOWN_FORMS": "fullmatch", "_ACTIONS": "fullmatch"}


@cache
def trees() -> dict[Path, ast.Module]:
    paths = [path for folder in ("shipcli", "carriers") for path in (ROOT / folder).rglob("*.py")]
    return {path: ast.parse(path.read_text()) for path in paths}


@cache
def methods() -> dict[str, set[str]]:
    """How the product uses patterns, by the names they have."""
    found: dict[str, set[str]] = defaultdict(set)
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                match node.value:
                    case ast.Name(id=name) | ast.Attribute(attr=name):
                        found[name].add(node.attr)
    return found


def list_inline() -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """The patterns that are written where they are used: `re.sub(r"...", ...)`."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                    args=[ast.Constant(value=str() | bytes() as text), *_],
                ) if method in METHODS:
                    yield f"{path.relative_to(ROOT)}:{text!r}", re.compile(text), method


def list_named() -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """The patterns that modules hold, by their names, those in tables among them."""
    for module in list_modules():
        for name, value in vars(module).items():
            for pattern in find_patterns(value):
                used = methods().get(name) or {IN_TABLES.get(name, "search")}
                for method in sorted(used):
                    yield f"{name}:{pattern.pattern!r}", pattern, method


def list_modules() -> Iterator[Any]:
    for row in pkgutil.walk_packages(shipcli.__path__, "shipcli."):
        if not row.name.endswith("__main__"):
            yield importlib.import_module(row.name)


def find_patterns(value: Any, depth: int = 4) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        yield from find_patterns(list(value.values()), depth)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from find_patterns(item, depth - 1)
    elif depth and hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        yield from find_patterns([getattr(value, name, None) for name in value.__dataclass_fields__], depth)


def use(pattern: re.Pattern[Any], method: str) -> Callable[[Any], object]:
    """What is done with a text: a replacement changes nothing about the search."""
    match method:
        case "sub" | "subn":
            return lambda text: pattern.sub("" if isinstance(text, str) else b"", text)
        case "finditer":
            return pattern.findall
    work: Callable[[Any], object] = getattr(pattern, method)
    return work


def find_slow_text(pattern: re.Pattern[Any], method: str) -> tuple[str, str, str] | None:
    """A text of which twice as much takes too much work, if there is any."""
    work = use(pattern, method)
    for before, pump, after in list_texts(pattern):

        def make(length: int, before: str = before, pump: str = pump, after: str = after) -> Any:
            text = before + pump * (length // len(pump)) + after
            return text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")

        if grows_too_fast(work, make):
            return before, pump, after
    return None


@pytest.mark.slow
def test_no_pattern_takes_four_times_as_long_for_twice_the_text() -> None:
    every = {(name, method): pattern for name, pattern, method in (*list_named(), *list_inline())}
    assert len(every) > 150
    slow = {
        f"{name} in {method}": text
        for (name, method), pattern in every.items()
        if (text := find_slow_text(pattern, method))
    }
    assert slow == {}


@pytest.mark.parametrize(
    "pattern", [r"\^XA(?s:.*?)\^XZ", r"(a|a)*b", r"\s+$", r"(\w+) not found", r"<a[^>]*>"]
)
def test_a_pattern_that_searches_again_and_again_is_noticed(pattern: str) -> None:
    assert find_slow_text(re.compile(pattern), "search")


@pytest.mark.parametrize("pattern", [r"\d+x", r"[a-z]+-[0-9]+", r"\s*x\s*"])
def test_a_pattern_that_begins_at_one_place_is_not(pattern: str) -> None:
    assert find_slow_text(re.compile(pattern), "match") is None
