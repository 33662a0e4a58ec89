"""Generated sets of rules, each with a condition as text and as a tree, and a naive evaluation of the tree.

The evaluation reads shipments as plain data, in units of its own, and shares nothing with the product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

GRAMS = {"kg": 1000.0, "lb": 453.6, "oz": 28.35, "g": 1.0}
CM = {"cm": 1.0, "in": 2.54}
Tree = tuple[Any, ...]
Order: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def make_leaf(draw: Random) -> Tree:
    """A comparison: name, sign, values, their texts."""
    name = draw.choice(
        ["weight", "length", "value", "country", "state", "postal_code", "sku", "source", "quantity"]
    )
    if name in ("weight", "length", "value", "quantity"):
        sign = draw.choice([*Order, "between"])
        values = sorted(_draw_amounts(draw, name), key=lambda pair: pair[0])
        return name, sign, [value for value, _ in values], [text for _, text in values]
    texts = {
        "country": ["US", "CA", "DE"], "state": ["AZ", "NY", "on"],
        "postal_code": ["85004", "10001", "K1A 0B1"],
        "sku": ["MUG", "lamp", "CHAIR-2"], "source": ["shopify", "API", "Etsy"],
    }[name]  # fmt: skip
    sign = draw.choice(["=", "!=", "in"])
    values = draw.sample(texts, 2)
    return name, sign, values, values


def _draw_amounts(draw: Random, name: str) -> list[tuple[float, str]]:
    if name == "weight":
        pairs = [(draw.randint(1, 40), draw.choice(list(GRAMS))) for _ in range(2)]
        return [(number * GRAMS[unit], f"{number}{unit}") for number, unit in pairs]
    if name == "length":
        pairs = [(draw.randint(1, 40), draw.choice(list(CM))) for _ in range(2)]
        return [(number * CM[unit], f"{number} {unit}") for number, unit in pairs]
    unit = "USD" if name == "value" else ""
    return [(float(number), f"{number}{unit}") for number in (draw.randint(1, 60), draw.randint(1, 60))]


def make_tree(draw: Random, depth: int = 2) -> Tree:
    """A condition."""
    if depth == 0 or draw.random() < 0.3:
        return make_leaf(draw)
    word = draw.choice(["and", "or", "not"])
    return (word, *(make_tree(draw, depth - 1) for _ in range(1 if word == "not" else 2)))


def write_tree(tree: Tree) -> str:
    """A condition as its text, with parentheses around every part."""
    if tree[0] == "not":
        return f"not ({write_tree(tree[1])})"
    if tree[0] in ("and", "or"):
        return f"({write_tree(tree[1])}) {tree[0].upper()} ({write_tree(tree[2])})"
    name, sign, _, texts = tree
    quoted = [f'"{text}"' if " " in text and text[0] > "9" else text for text in texts]
    if sign == "in":
        return f"{name} in ({', '.join(quoted)})"
    return f"{name} between {quoted[0]} and {quoted[1]}" if sign == "between" else f"{name}{sign}{quoted[0]}"


def evaluate(tree: Tree, seen: Mapping[str, Any]) -> bool:
    """Whether facts in grams, centimetres and dollars fulfil a condition."""
    if tree[0] == "not":
        return not evaluate(tree[1], seen)
    if tree[0] == "and":
        return evaluate(tree[1], seen) and evaluate(tree[2], seen)
    if tree[0] == "or":
        return evaluate(tree[1], seen) or evaluate(tree[2], seen)
    name, sign, values, _ = tree
    fact = seen[name]
    if sign in ("=", "!=", "in"):
        texts = [text.lower().replace(" ", "") for text in (values if sign == "in" else values[:1])]
        facts = fact if isinstance(fact, list) else [fact]
        return any(each.lower().replace(" ", "") in texts for each in facts) is (sign != "!=")
    if fact is None:
        return False
    return values[0] <= fact <= values[1] if sign == "between" else Order[sign](fact, values[0])
