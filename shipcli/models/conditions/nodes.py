"""What a condition is made of, once read: comparisons, and how they are joined."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Facts = Mapping[str, Any]  # by name, as the types of names say; missing or None where it is not known
Test = Callable[[Facts], bool]


class Seen(NamedTuple):
    """A comparison as it turned out: its text, the value it saw (None if not known) and the outcome."""

    comparison: str
    value: Any
    is_fulfilled: bool


class Node(ABC):
    """A part of a condition."""

    @abstractmethod
    def compile(self) -> Test:
        """A function that evaluates it."""

    @abstractmethod
    def list_comparisons(self) -> Iterator[Comparison]:
        """Every comparison in it, in the order of the text."""


@dataclass(frozen=True)
class Comparison(Node):
    """A name compared with values; `test` gets the fact, which is None if it is not known."""

    name: str
    operator: str
    text: str
    test: Callable[[Any], bool]
    values: tuple[Any, ...] = ()

    def compile(self) -> Test:
        """The comparison with the fact of its name."""
        name, test = self.name, self.test
        return lambda facts: test(facts.get(name))

    def list_comparisons(self) -> Iterator[Comparison]:
        """Itself."""
        yield self


@dataclass(frozen=True)
class All(Node):
    """Parts that must all be fulfilled."""

    parts: tuple[Node, ...]

    def compile(self) -> Test:
        """Whether all are; the first that is not ends it."""
        tests = tuple(part.compile() for part in self.parts)
        return lambda facts: all(test(facts) for test in tests)

    def list_comparisons(self) -> Iterator[Comparison]:
        """Those of its parts."""
        for part in self.parts:
            yield from part.list_comparisons()


@dataclass(frozen=True)
class Either(Node):
    """Parts of which one must be fulfilled."""

    parts: tuple[Node, ...]

    def compile(self) -> Test:
        """Whether any is; the first that is ends it."""
        tests = tuple(part.compile() for part in self.parts)
        return lambda facts: any(test(facts) for test in tests)

    def list_comparisons(self) -> Iterator[Comparison]:
        """Those of its parts."""
        for part in self.parts:
            yield from part.list_comparisons()


@dataclass(frozen=True)
class Negation(Node):
    """A part that must not be fulfilled."""

    part: Node

    def compile(self) -> Test:
        """Whether it is not."""
        test = self.part.compile()
        return lambda facts: not test(facts)

    def list_comparisons(self) -> Iterator[Comparison]:
        """Those of its part."""
        yield from self.part.list_comparisons()
