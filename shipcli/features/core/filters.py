"""Lists: how filter values are read, which store conditions they make, and pages of results.

Every feature has its own table of filters. The API's query parameters, the OpenAPI document and the options
of the command line are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.config import FALSE, TRUE
from shipcli.features.core.dates import parse_instant
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import find_nearest
from shipcli.store import query
from shipcli.store.query import Filter

if TYPE_CHECKING:
    from shipcli.features.core.app import App

RowTest = Callable[[Mapping[str, Any]], bool]
PAGE, LARGEST_PAGE, LARGEST_OFFSET = 20, 100, 2**62
TEXT, FLAG, MOMENT = "text", "flag", "moment"


@dataclass(frozen=True, slots=True)
class FilterRule:
    """One filter of a list: the conditions made from a value, and the type of the value.

    Shapes: with `several` it takes more than one value; `words` are all allowed values, if they are known.
            `help` is its help text on the command line, `option` its option there if it differs from the
            name. Filters that are not `published` are left out of the OpenAPI document. `test` is there for
            what no column of the store holds: it makes the test of a value that rows are put to once read.
    """

    read: Callable[[Any], Iterable[Filter]]
    type: str = TEXT
    several: bool = False
    words: tuple[str, ...] = ()
    help: str = ""
    option: tuple[str, ...] = ()
    published: bool = True
    test: Callable[[Any], RowTest] | None = None

    def __call__(self, value: Any) -> list[Filter]:
        return list(self.read(value))


Rules = Mapping[str, FilterRule]


def read_filters(table: Rules, values: Mapping[str, Any]) -> list[Filter]:
    """The conditions for the filters given; all must hold. Names that are not in the table are ignored.

    Errors: Invalid for a date that cannot be parsed, or an unknown status.
    """
    named = [(table[name], value) for name, value in values.items() if name in table]
    return [condition for rule, value in named if _has_value(rule, value) for condition in rule(value)]


def list_tests(table: Rules, values: Mapping[str, Any]) -> list[RowTest]:
    """The tests for the filters given that no condition of the store stands for; all must hold.

    Errors: Invalid for a value that cannot be read.
    """
    named = [(table[name], value) for name, value in values.items() if name in table]
    return [rule.test(value) for rule, value in named if rule.test and _has_value(rule, value)]


def _has_value(rule: FilterRule, value: Any) -> bool:
    """Whether a value is not empty: `?status=` means no filter, not objects without a status."""
    if value in (None, "", []):
        return False
    return bool(split_words(value)) if rule.several else take_last(value) != ""


# -- pages -------------------------------------------------------------------------------------


def read_page_size(text: str | None) -> int:
    """The page size: at most 100; 20 for anything but a positive number."""
    return min(_read_number(text) or PAGE, LARGEST_PAGE)


def read_offset(text: str | None) -> int:
    """The offset of a page; 0 for anything but a positive number."""
    return min(_read_number(text), LARGEST_OFFSET)


def _read_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 30 else 0


ListPage = tuple[int, Iterable[Any]]
Lister = Callable[["App", Sequence[Filter], int, int], ListPage]


@cache
def list_stored(kind: str) -> Lister:
    """A function that lists a kind as stored: the JSON texts, newest first.

    Cached, so that the same kind always gives the same function: its operation is looked up by it.
    """

    def page(app: App, where: Sequence[Filter], limit: int, offset: int) -> ListPage:
        page_items = app.store.page(kind, where, limit, offset, app.test_mode)
        return page_items.count, page_items.items

    return page


# -- reading values ----------------------------------------------------------------------------


def split_words(value: Any) -> list[str]:
    """The words of a value that was given once, several times, or separated by commas."""
    texts = [value] if isinstance(value, str) else [str(item) for item in value]
    return [word for text in texts for part in text.split(",") if (word := part.strip())]


def take_last(value: Any) -> Any:
    """The last value, if a filter that takes one value was given several."""
    return value[-1] if isinstance(value, list) else value


def filter_by_moment(name: str, test: Callable[[datetime], Filter]) -> FilterRule:
    """Filter by a date or an instant; UTC unless it has a time zone."""

    def read(value: Any) -> Iterable[Filter]:
        try:
            yield test(parse_instant(str(take_last(value))).astimezone(UTC))
        except (ValueError, OverflowError):
            text = f"{take_last(value)!r} is not a date such as 2024-12-31 or 2024-12-31T08:00Z"
            raise Invalid(name, text) from None

    return FilterRule(read, MOMENT, help="Date or instant, UTC.")


def filter_by_values(
    column: str, help: str, choices: tuple[str, ...] = (), name: str = "", option: tuple[str, ...] = ()
) -> FilterRule:
    """Filter by a column that has one of several values.

    Errors (of the rule): Invalid for a value that is not in `known`, unless that is empty.
    """

    def read(value: Any) -> Iterable[Filter]:
        requested = split_words(value)
        for word in requested if choices else ():
            if word not in choices:
                near = find_nearest(word, choices)
                hint = f"; did you mean {near}?" if near else ""
                raise Invalid(name or column, f"{word!r} is not one of {', '.join(choices)}{hint}")
        yield query.one_of(column, requested)

    return FilterRule(read, several=True, words=choices, help=help, option=option)


def filter_by_part(column: str, help: str) -> FilterRule:
    """Filter by text anywhere in a column."""
    return FilterRule(lambda value: [query.contains(column, str(take_last(value)))], help=help)


def filter_by_text(scope: str, help: str) -> FilterRule:
    """Filter by text anywhere in the searched fields."""
    return FilterRule(lambda value: [query.text(str(take_last(value)), scope)], help=help)


def filter_by_value(column: str, help: str, option: tuple[str, ...] = ()) -> FilterRule:
    """Filter by a column that equals a value."""
    return FilterRule(lambda value: [query.equal(column, str(take_last(value)))], help=help, option=option)


def filter_by_flag(column: str, help: str, option: str) -> FilterRule:
    """Filter by a boolean column; a value that is neither true nor false is ignored."""

    def read(value: Any) -> Iterable[Filter]:
        flag = read_bool(value)
        return [] if flag is None else [query.flag(column, flag)]

    return FilterRule(read, FLAG, help=help, option=(option,))


def filter_only_true(column: str, help: str) -> FilterRule:
    """Only objects whose boolean column is true if the value is true; all objects otherwise."""
    return FilterRule(lambda value: [query.flag(column, True)] if read_bool(value) else [], FLAG, help=help)


def read_bool(value: Any) -> bool | None:
    """True or False for the words that mean it, in upper or lower case; None for any other word."""
    word = str(take_last(value)).strip().lower()
    return True if word in TRUE else False if word in FALSE and word else None


def filter_by_pair_key(scope: str, help: str) -> FilterRule:
    """Filter by keys at the top level of an object; all of them must be present."""
    return FilterRule(lambda value: [query.pair_key(scope, word) for word in split_words(value)], help=help)


def filter_by_pair_value(scope: str, help: str) -> FilterRule:
    """Filter by a value at the top level of an object; numbers are compared as text."""
    return FilterRule(lambda value: [query.pair_value(scope, str(take_last(value)))], help=help)


# -- filters that several lists share ---------------------------------------------------------

CREATED: Rules = {
    "created_after": filter_by_moment("created_after", query.since),
    "created_before": filter_by_moment("created_before", query.until),
}
METADATA: Rules = {
    "metadata_key": filter_by_pair_key("metadata", "Has these metadata keys."),
    "metadata_value": filter_by_pair_value("metadata", "Some metadata has this value."),
}
OPTIONS: Rules = {
    "option_key": filter_by_pair_key("options", "Has these options."),
    "option_value": filter_by_pair_value("options", "Some option has this value."),
}
IDS = filter_by_values("id", "Ids.")
CARRIER = ("--carrier", "--carrier-name")
STATUS = "Status; repeat it or use commas."
