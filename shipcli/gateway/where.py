"""What a list is narrowed to, as both ways read it: the query of a server, and conditions of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from shipcli.features.core.filters import read_filters as conditions_of
from shipcli.store.query import flag, text

if TYPE_CHECKING:
    from shipcli.features.core.filters import Rules
    from shipcli.store.query import Filter


@dataclass(frozen=True)
class Where:
    """What a list is narrowed to: filters as given and as the store reads them, and words to be anywhere."""

    given: Mapping[str, Any] = field(default_factory=dict)
    conditions: Sequence[Filter] = ()
    words: tuple[str, ...] = ()

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row has every word in some text of it."""
        from shipcli.features.search.service import has_words

        return not self.words or has_words(row, self.words)


EVERYTHING = Where()


def make_where(rules: Rules, given: Mapping[str, Any], alone: Where = EVERYTHING) -> Where:
    """What a list is narrowed to by filters, beside what it is narrowed to without any.

    Errors: Invalid for a date that cannot be read, or an unknown status.
    """
    conditions = [*alone.conditions, *conditions_of(rules, given)]
    return replace(alone, given={**alone.given, **given}, conditions=conditions)


def select_all_pickups() -> Where:
    """All pickups, cancelled ones as well: a store lists them unasked, our servers on request."""
    return Where({"cancelled": "all"})


def select_standalone(words: Sequence[str] = ()) -> Where:
    """Addresses and parcels of their own, with all these words in them."""
    return Where({}, [flag("attached", False), *(text(word) for word in words)], tuple(words))
