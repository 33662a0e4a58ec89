"""Lists: how the values of filters are read, what they ask of the store, and pages of results.

Every room has its own tables of filters. The API's query parameters, the served document and the options of
the command line read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.config import FALSE, TRUE
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import nearest
from shipcli.store import query
from shipcli.store.query import Filter

if TYPE_CHECKING:
    from shipcli.features.core.app import App

PAGE, LARGEST_PAGE, FARTHEST = 20, 100, 2**62
TEXT, FLAG, MOMENT = "text", "flag", "moment"


@dataclass(frozen=True, slots=True)
class FilterRule:
    """One filter of a list: the conditions a given value makes, and the type of the value.

    Shapes: it takes `several` values, or one; `words` are all the values there are, where that is known.
            `help` is what the command line says of it; `option` how it is called there, where that is not
            its name. Those that are not `published` stand in no document: old clients know nothing of them.
    """

    read: Callable[[Any], Iterable[Filter]]
    type: str = TEXT
    several: bool = False
    words: tuple[str, ...] = ()
    help: str = ""
    option: tuple[str, ...] = ()
    published: bool = True

    def __call__(self, value: Any) -> list[Filter]:
        return list(self.read(value))


Rules = Mapping[str, FilterRule]


def filters(table: Rules, given: Mapping[str, Any]) -> list[Filter]:
    """The conditions of the filters that were given; all must hold. Names not in the table are ignored.

    Errors: Invalid for a date that cannot be read, or an unknown status.
    """
    named = [(table[name], value) for name, value in given.items() if name in table]
    return [one for rule, value in named if _says_something(rule, value) for one in rule(value)]


def _says_something(rule: FilterRule, value: Any) -> bool:
    """Whether a value is not empty: `?status=` asks for nothing, not for those without a status."""
    if value in (None, "", []):
        return False
    return bool(words(value)) if rule.several else last(value) != ""


# -- pages -------------------------------------------------------------------------------------


def size_of(text: str | None) -> int:
    """How many results a page holds: at most 100; 20 for anything but a positive number."""
    return min(_number(text) or PAGE, LARGEST_PAGE)


def start_of(text: str | None) -> int:
    """How many results come before a page; 0 for anything but a positive number."""
    return min(_number(text), FARTHEST)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 30 else 0


Found = tuple[int, Iterable[Any]]
Lister = Callable[["App", Sequence[Filter], int, int], Found]


@cache
def list_stored(kind: str) -> Lister:
    """The list of a kind as it rests in the store: the stored JSON texts, newest first.

    It is the same function every time, so that its operation can be found by it.
    """

    def page(app: App, where: Sequence[Filter], limit: int, offset: int) -> Found:
        found = app.store.page(kind, where, limit, offset, app.test_mode)
        return found.count, found.items

    return page


# -- how values are read -----------------------------------------------------------------------


def words(value: Any) -> list[str]:
    """The words of a value given once, several times, or with commas."""
    given = [value] if isinstance(value, str) else [str(one) for one in value]
    return [word for one in given for part in one.split(",") if (word := part.strip())]


def last(value: Any) -> Any:
    """The value that counts when one was given several times."""
    return value[-1] if isinstance(value, list) else value


def moment(name: str, test: Callable[[datetime], Filter]) -> FilterRule:
    """A date or an instant; without a zone it is UTC."""

    def read(value: Any) -> Iterable[Filter]:
        try:
            found = datetime.fromisoformat(str(last(value)))
            yield test(found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC))
        except (ValueError, OverflowError):
            text = f"{last(value)!r} is not a date such as 2024-12-31 or 2024-12-31T08:00Z"
            raise Invalid(name, text) from None

    return FilterRule(read, MOMENT, help="Date or instant, UTC.")


def one_of_values(
    column: str, help: str, known: tuple[str, ...] = (), name: str = "", option: tuple[str, ...] = ()
) -> FilterRule:
    """One of several values.

    Errors (of the rule): Invalid for a value that is not among the known ones, if any are given.
    """

    def read(value: Any) -> Iterable[Filter]:
        wanted = words(value)
        for word in wanted if known else ():
            if word not in known:
                near = nearest(word, known)
                asked = f"; did you mean {near}?" if near else ""
                raise Invalid(name or column, f"{word!r} is not one of {', '.join(known)}{asked}")
        yield query.one_of(column, wanted)

    return FilterRule(read, several=True, words=known, help=help, option=option)


def part(column: str, help: str) -> FilterRule:
    """Text somewhere in a column."""
    return FilterRule(lambda value: [query.contains(column, str(last(value)))], help=help)


def text(scope: str, help: str) -> FilterRule:
    """Text somewhere in the fields of a search."""
    return FilterRule(lambda value: [query.text(str(last(value)), scope)], help=help)


def equal(column: str, help: str, option: tuple[str, ...] = ()) -> FilterRule:
    """One value of a column."""
    return FilterRule(lambda value: [query.equal(column, str(last(value)))], help=help, option=option)


def flag(column: str, help: str, option: str) -> FilterRule:
    """A yes or no; a value that is neither is ignored."""

    def read(value: Any) -> Iterable[Filter]:
        said = truth(value)
        return [] if said is None else [query.flag(column, said)]

    return FilterRule(read, FLAG, help=help, option=(option,))


def only(column: str, help: str) -> FilterRule:
    """Those a column says yes to, when asked for; all otherwise."""
    return FilterRule(lambda value: [query.flag(column, True)] if truth(value) else [], FLAG, help=help)


def truth(value: Any) -> bool | None:
    """What a word says, in any case; None for any other word."""
    word = str(last(value)).strip().lower()
    return True if word in TRUE else False if word in FALSE and word else None


def key(scope: str, help: str) -> FilterRule:
    """A key at the top level of an object; of several all must be there."""
    return FilterRule(lambda value: [query.pair_key(scope, word) for word in words(value)], help=help)


def value(scope: str, help: str) -> FilterRule:
    """A value at the top level of an object; numbers are compared by their text."""
    return FilterRule(lambda value: [query.pair_value(scope, str(last(value)))], help=help)


# -- what several lists take ------------------------------------------------------------------

CREATED: Rules = {
    "created_after": moment("created_after", query.since),
    "created_before": moment("created_before", query.until),
}
METADATA: Rules = {
    "metadata_key": key("metadata", "Has these metadata keys."),
    "metadata_value": value("metadata", "Some metadata has this value."),
}
OPTIONS: Rules = {
    "option_key": key("options", "Has these options."),
    "option_value": value("options", "Some option has this value."),
}
IDS = one_of_values("id", "Ids.")
CARRIER = ("--carrier", "--carrier-name")
STATUS = "Status; repeat it or use commas."
