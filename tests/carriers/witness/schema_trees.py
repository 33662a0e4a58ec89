"""Published schemas as trees without references: what says nothing about a value is left out.

Members of `allOf` are merged, as closed ones would refuse each other's members; what a closed schema says
beside its alternatives is said in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

Schema = dict[str, Any]

KEPT = frozenset({
    "type", "format", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "required", "minItems", "maxItems", "nullable", "uniqueItems", "minProperties",
})  # fmt: skip
ALTERNATIVES = ("oneOf", "anyOf")
GREATER = ("minLength", "minimum", "minItems", "minProperties")
LESSER = ("maxLength", "maximum", "maxItems")


class SchemaTrees:
    """The schemas of one document, each reference resolved once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._known: dict[str, Schema] = {}

    def resolve(self, node: Any) -> Any:
        """What a reference means; anything else is itself."""
        while isinstance(node, dict) and "$ref" in node:
            place: Any = self._document
            for step in node["$ref"].removeprefix("#/").split("/"):
                place = place[step.replace("~1", "/").replace("~0", "~")]
            node = place
        return node

    def expand(self, node: Any, above: tuple[str, ...] = ()) -> Schema:
        """The tree of a schema; a schema inside itself may be anything there."""
        if not isinstance(node, dict):
            return {} if node is not False else {"not": {}}
        reference = node.get("$ref")
        if reference is None:
            return self._expand_members(node, above)
        if reference in above:
            return {}
        if reference not in self._known:
            self._known[reference] = self.expand(self.resolve(node), (*above, reference))
        return self._known[reference]

    def _expand_members(self, node: Mapping[str, Any], above: tuple[str, ...]) -> Schema:
        tree: Schema = {key: value for key, value in node.items() if key in KEPT and value is not None}
        if isinstance(node.get("properties"), dict):
            tree["properties"] = {
                str(key): self.expand(one, above) for key, one in node["properties"].items()
            }
        for key in ("items", "additionalProperties"):
            if isinstance(node.get(key), dict):
                tree[key] = self.expand(node[key], above)
            elif isinstance(node.get(key), bool):
                tree[key] = node[key]
        for key in ALTERNATIVES:
            if node.get(key):
                tree[key] = [self.expand(one, above) for one in node[key]]
        parts = [self.expand(one, above) for one in node.get("allOf") or ()]
        return spread_closed(reduce(merge, parts, tree))


def merge(first: Schema, second: Schema) -> Schema:
    """One schema that says what both say."""
    merged = {**second, **first}
    if "properties" in first and "properties" in second:
        merged["properties"] = merge_members(first["properties"], second["properties"])
    if "required" in first and "required" in second:
        merged["required"] = list(dict.fromkeys([*first["required"], *second["required"]]))
    if "enum" in first and "enum" in second:
        merged["enum"] = [one for one in first["enum"] if one in second["enum"]] or first["enum"]
    if False in (first.get("additionalProperties"), second.get("additionalProperties")):
        merged["additionalProperties"] = False
    for names, choose in ((GREATER, max), (LESSER, min)):
        for key in names:
            if key in first and key in second:
                merged[key] = choose(first[key], second[key])
    for key in ALTERNATIVES:
        if key in first and key in second:
            merged[key] = [merge(one, other) for one in first[key] for other in second[key]]
    return merged


def merge_members(first: Mapping[str, Schema], second: Mapping[str, Schema]) -> dict[str, Schema]:
    shared = {name: merge(first[name], second[name]) for name in first.keys() & second.keys()}
    return {**second, **first, **shared}


def spread_closed(tree: Schema) -> Schema:
    """A tree whose members are said in each alternative, where one of them is closed."""
    for key in ALTERNATIVES:
        if key in tree and any(one.get("additionalProperties") is False for one in (tree, *tree[key])):
            rest = {name: value for name, value in tree.items() if name != key}
            if "properties" in rest:
                return {key: [spread_closed(merge(rest, one)) for one in tree[key]]}
    return tree


def list_branches(trees: Sequence[Schema]) -> Iterator[Schema]:
    """The schemas and all their alternatives."""
    for tree in trees:
        yield tree
        for key in ALTERNATIVES:
            yield from list_branches(tree.get(key, ()))
