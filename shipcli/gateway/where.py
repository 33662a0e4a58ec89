"""The filters of a list in both forms: the query of a server, and the conditions of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from shipcli.features.core.filters import list_tests
from shipcli.features.core.filters import read_filters as conditions_of
from shipcli.store.query import flag, text

if TYPE_CHECKING:
    from shipcli.features.core.filters import RowTest, Rules
    from shipcli.store.query import Filter


@dataclass(frozen=True)
class ListFilter:
    """The filters of a list, as given and as the store reads them, words that must occur anywhere, and tests
    that rows are put to after they were read.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    conditions: Sequence[Filter] = ()
    words: tuple[str, ...] = ()
    tests: tuple[RowTest, ...] = ()

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether every word occurs in some text of a row, and it passes the tests."""
        from shipcli.features.admin.search import has_words

        return (not self.words or has_words(row, self.words)) and self.passes(row)

    def passes(self, row: Mapping[str, Any]) -> bool:
        """Whether a row passes the tests."""
        return all(test(row) for test in self.tests)


EVERYTHING = ListFilter()


def make_where(rules: Rules, filters: Mapping[str, Any], alone: ListFilter = EVERYTHING) -> ListFilter:
    """The filters of a list, in addition to those that always apply.

    Errors: Invalid for a date that cannot be read, or an unknown status.
    """
    conditions = [*alone.conditions, *conditions_of(rules, filters)]
    queried = {name: value for name, value in filters.items() if name not in rules or not rules[name].test}
    tests = (*alone.tests, *list_tests(rules, filters))
    return replace(alone, given={**alone.given, **queried}, conditions=conditions, tests=tests)


def select_all_pickups() -> ListFilter:
    """All pickups, cancelled ones included: a store lists them anyway, our servers on request."""
    return ListFilter({"cancelled": "all"})


def select_standalone(words: Sequence[str] = ()) -> ListFilter:
    """Addresses and parcels that are part of no other object, with all these words in them."""
    return ListFilter({}, [flag("attached", False), *(text(word) for word in words)], tuple(words))
