"""Which field is wrong and why: sentences, and the tree that API answers carry."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.models.basics.text import find_nearest

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

WHOLE = "non_field_errors"
_MOST_NAMES = 20
_STEP = re.compile(r"\[(\d+)\]|([^.\[]+)")
_SENTENCES = {
    "missing": "is required",
    "string_type": "must be text",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "string_pattern_mismatch": "must not hold control characters",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of ordinary size",
    "int_from_float": "must be a whole number",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "too_short": "must not be empty",
    "too_long": "must have at most {max_length} entries",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}


class Problem(NamedTuple):
    """One wrong field: its path, such as `parcels[0].weight`, and the reason."""

    field: str
    reason: str

    def under(self, prefix: str) -> Problem:
        """The same problem as seen from an object that holds this one at `prefix`."""
        return Problem(join(prefix, self.field), self.reason)


def join(prefix: str, path: str) -> str:
    """Two paths as one."""
    dot = "." if prefix and path and not path.startswith("[") else ""
    return f"{prefix}{dot}{path}"


def describe(problems: Iterable[tuple[str, str]]) -> str:
    """All problems in one line: `recipient.city: is required; parcels: must not be empty`."""
    named = ((path.removesuffix(WHOLE).rstrip("."), reason) for path, reason in problems)
    return "; ".join(f"{path}: {reason}" if path else reason for path, reason in named)


def make_details_tree(problems: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Problems as fields, nested the way the data is; rows without a problem are empty objects."""
    root = _ProblemNode()
    for path, reason in problems:
        root.at(_split_steps(path)).reasons.append(reason)
    tree = root.render()
    return tree if isinstance(tree, dict) else {WHOLE: tree}


def flatten(tree: Any, path: str = "") -> Iterator[Problem]:
    """The problems of such a tree, one by one."""
    if isinstance(tree, str):
        yield Problem(path, tree)
    elif isinstance(tree, list):
        for index, branch in enumerate(tree):
            yield from flatten(branch, path if isinstance(branch, str) else f"{path}[{index}]")
    elif isinstance(tree, Mapping):
        for name, branch in tree.items():
            yield from flatten(branch, f"{path}[{name}]" if str(name).isdigit() else join(path, str(name)))


def list_problems(error: ValidationError, prefix: str = "") -> Iterator[Problem]:
    """The problems of a failed validation in our own words."""
    for item in error.errors(include_url=False):
        path = join(prefix, join_steps(item["loc"]))
        yield Problem(join(path, _find_place(item)), _describe_problem(item))


def join_steps(steps: Sequence[int | str]) -> str:
    """Keys and positions as a path: ("parcels", 0, "weight") gives parcels[0].weight."""
    path = ""
    for step in steps:
        path = f"{path}[{step}]" if isinstance(step, int) else join(path, step)
    return path


def _find_place(item: ErrorDetails) -> str:
    if item["type"] == "field":
        return str(item["ctx"]["field"])
    return WHOLE if item["type"] == "too_short" else ""


def _describe_problem(item: ErrorDetails) -> str:
    context: Mapping[str, Any] = item.get("ctx", {})
    kind = item["type"]
    if kind == "value_error":
        return str(context["error"])
    if kind == "field":
        return str(context["reason"])
    if kind == "not_among":
        return describe_unknown(item["input"], context["names"])
    if kind in ("literal_error", "enum"):
        return describe_unknown(item["input"], re.findall(r"'([^']*)'", str(context["expected"])))
    sentence = _SENTENCES.get(kind)
    return sentence.format_map(context) if sentence else item["msg"][:1].lower() + item["msg"][1:]


def describe_unknown(value: Any, names: Collection[str]) -> str:
    """What to say of a value that is none of these names, with the nearest one.

    Shapes: names may lead to titles, such as CA to Canada; a value that is like a title means its name.
    """
    titles = {title: name for name, title in names.items()} if isinstance(names, Mapping) else {}
    close = find_nearest(value, [*names, *titles]) if isinstance(value, str) else None
    close = titles.get(close or "", close)
    if close:
        return f"{value[:40]!r} is not known; did you mean {close}?"
    if len(names) <= _MOST_NAMES:
        return f"must be one of {', '.join(name for name in names if name)}"
    return f"{value[:40]!r} is not known" if isinstance(value, str) else "is not known"


def split_row(path: str, key: str) -> tuple[int, str] | None:
    """The row and the rest of a path that starts with a list: `rows[3].city` gives 3 and `city`."""
    match = re.fullmatch(rf"{re.escape(key)}\[(\d+)\]\.?(.*)", path)
    return (int(match[1]), match[2]) if match else None


def _split_steps(path: str) -> list[int | str]:
    return [int(position) if position else key for position, key in _STEP.findall(path)]


class _ProblemNode:
    """A place in the tree while it is built."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.children: dict[int | str, _ProblemNode] = {}

    def at(self, steps: Sequence[int | str]) -> _ProblemNode:
        """The place that the steps lead to, made when missing."""
        node = self
        for step in steps:
            node = node.children.setdefault(step, _ProblemNode())
        return node

    def render(self) -> Any:
        """The finished part of the tree from here down."""
        if not self.children:
            return self.reasons
        whole = {WHOLE: self.reasons} if self.reasons else {}
        rows = [step for step in self.children if isinstance(step, int)]
        if len(rows) < len(self.children) or whole or not any(self.children[row].children for row in rows):
            return whole | {str(step): child.render() for step, child in self.children.items()}
        return [self._row(position) for position in range(max(rows) + 1)]

    def _row(self, position: int) -> Any:
        child = self.children.get(position)
        if child is None:
            return {}
        return child.render() if child.children else {WHOLE: child.reasons}
