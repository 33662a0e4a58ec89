"""Read a condition: `and`, `or`, `not` and parentheses around comparisons; `and` binds before `or`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from shipcli.models.conditions.comparisons import make_check
from shipcli.models.conditions.names import (
    OPERATORS,
    RATE_NAMES,
    ROUND,
    Name,
    describe_unknown_name,
    find_name,
)
from shipcli.models.conditions.nodes import All, Comparison, Either, Facts, Negation, Node, Seen, Test
from shipcli.models.conditions.tokens import END, ConditionToken, list_tokens, mark_place
from shipcli.models.conditions.values import READERS

_COMPARES = frozenset({"=", "!=", "<", "<=", ">", ">=", "in", "contains", "between"})
_DEEPEST = 50  # parentheses and negations inside each other


@dataclass(frozen=True)
class Condition:
    """A condition that was read; `is_fulfilled` evaluates it."""

    text: str
    root: Node

    @cached_property
    def is_fulfilled(self) -> Test:
        """Whether facts fulfil it."""
        return self.root.compile()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it uses."""
        return frozenset(comparison.name for comparison in self.root.list_comparisons())

    @property
    def is_of_rates(self) -> bool:
        """Whether it can be evaluated only for a rate."""
        return not self.names.isdisjoint(RATE_NAMES)

    def look(self, facts: Facts) -> list[Seen]:
        """Every comparison in it, with the value that it saw."""
        return [
            Seen(each.text, facts.get(each.name), each.test(facts.get(each.name)))
            for each in self.root.list_comparisons()
        ]


@lru_cache(maxsize=1024)
def parse_condition(text: str) -> Condition:
    """Read a condition.

    Errors: Invalid on `condition`, with the place marked and the nearest name suggested.
    """
    parser = _Parser(text)
    root = parser.read_any()
    if parser.next.kind != END:
        raise parser.refuse(parser.next, f"Expected and, or, or the end, not {parser.next.text!r}")
    return Condition(text, root)


class _Parser:
    """The place in a condition up to which it was read."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._place, self._depth = text, list_tokens(text), 0, 0

    @property
    def next(self) -> ConditionToken:
        """The token that is read next."""
        return self._tokens[self._place]

    def refuse(self, token: ConditionToken, reason: str, last: ConditionToken | None = None) -> Exception:
        """The error for a token, or for those up to another."""
        return mark_place(self._text, token.start, (last or token).end, reason)

    def _take(self) -> ConditionToken:
        token = self.next
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return token

    def _expect(self, kind: str, after: str) -> ConditionToken:
        if self.next.kind != kind:
            raise self.refuse(self.next, f"Expected {kind!r} {after}, not {self.next.text!r}")
        return self._take()

    def read_any(self) -> Node:
        """Parts joined by `or`."""
        return self._join("or", self._read_all, Either)

    def _read_all(self) -> Node:
        return self._join("and", self._read_part, All)

    def _join(self, word: str, read: Callable[[], Node], kind: Callable[[tuple[Node, ...]], Node]) -> Node:
        parts = [read()]
        while self.next.kind == word:
            self._take()
            parts.append(read())
        return kind(tuple(parts)) if len(parts) > 1 else parts[0]

    def _read_part(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.refuse(self.next, f"No more than {_DEEPEST} parts can be inside each other")
        try:
            return self._read_inner()
        finally:
            self._depth -= 1

    def _read_inner(self) -> Node:
        if self.next.kind == "not":
            self._take()
            return Negation(self._read_part())
        if self.next.kind == "(":
            self._take()
            part = self.read_any()
            self._expect(")", "after the part in parentheses")
            return part
        return self._read_comparison()

    def _read_comparison(self) -> Node:
        first = self._take()
        if first.kind != "word":
            raise self.refuse(first, f"Expected a name, such as weight or country, not {first.text!r}")
        name = find_name(first.text)
        if name is None:
            raise self.refuse(first, describe_unknown_name(first.text))
        is_negated = self.next.kind == "not"
        if is_negated:
            self._take()
        sign = self._take_sign(name)
        values = self._read_values(name, sign)
        text = self._text[first.start : self._tokens[self._place - 1].end]
        check = make_check(name.type, sign, values)
        test = (lambda fact: not check(fact)) if is_negated else check
        return Comparison(name.name, sign, text, test, tuple(values))

    def _take_sign(self, name: Name) -> str:
        token = self._take()
        allowed = OPERATORS[name.type]
        if token.kind not in _COMPARES:
            raise self.refuse(token, f"Expected a comparison of {name.name}, such as =, not {token.text!r}")
        if token.kind not in allowed:
            signs = ", ".join(sorted(allowed))
            raise self.refuse(token, f"{name.name} can't be compared by {token.text}, only by {signs}")
        return token.kind

    def _read_values(self, name: Name, sign: str) -> list[Any]:
        if sign == "between":
            first = self._read_value(name)
            self._expect("and", f"between the two values of {name.name}")
            return self._check_range(name, first, self._read_value(name))
        if sign != "in":
            return [self._read_value(name)]
        self._expect("(", "after in")
        values = [self._read_value(name)]
        while self.next.kind == ",":
            self._take()
            values.append(self._read_value(name))
        self._expect(")", "after the values")
        return values

    def _check_range(self, name: Name, first: Any, last: Any) -> list[Any]:
        end = self._tokens[self._place - 1]
        if isinstance(first, tuple) and first[0] != last[0]:
            raise self.refuse(end, "Both amounts must be of one currency")
        if last < first and name.type not in ROUND:
            raise self.refuse(end, "The second value must not be below the first: nothing is between them")
        return [first, last]

    def _read_value(self, name: Name) -> Any:
        first = last = self._take()
        if first.kind not in ("word", "text"):
            raise self.refuse(first, f"Expected a value of {name.name}, not {first.text!r}")
        while first.kind == "word" and self.next.kind in ("word", "in"):  # `in` after a number are inches
            last = self._take()
        text = first.text if first.kind == "text" else self._text[first.start : last.end]
        try:
            return READERS[name.type](text)
        except ValueError as error:
            comma = "; a number has a point, and no comma" if self.next.kind == "," else ""
            raise self.refuse(first, f"{error}{comma if first.text.isdecimal() else ''}", last) from None
