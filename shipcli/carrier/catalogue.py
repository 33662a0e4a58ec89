"""Catalogue rows: what a carrier sells and what its words are, written down once.

`/v1/references`, validation of options, wire codes and the command line all read these rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, TypeVar

from shipcli.models import Invalid, Message

R = TypeVar("R", bound="CatalogueRow")

TYPE_NAMES: Mapping[type, str] = {
    bool: "boolean", Decimal: "float", int: "integer", str: "string", list: "list", dict: "object"
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRow:
    """A word of ours (slug) and the carrier's word for it (code)."""

    slug: str
    code: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(CatalogueRow):
    """A service level. `title` is shown where the code is no name; `origins` limits it to shipper
    countries.
    """

    title: str | None = None
    origins: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(CatalogueRow):
    """An extra. `type` is the type its value takes; `values` the only ones allowed; `path` where it goes on
    the wire.

    `aliases` are unified or older names that mean this option (insurance, signature_confirmation ...).
    """

    type: type = bool
    values: tuple[str, ...] = ()
    default: Any = None
    path: str | None = None
    object_name: str | None = None  # the type shown in references when it is a model, e.g. "Address"

    @property
    def type_name(self) -> str:
        return self.object_name or TYPE_NAMES[self.type]

    def read(self, value: Any) -> Any:
        """The value in this option's type.

        Errors: Invalid naming the option.
        """
        return READERS[self.type](self.slug, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneBefore:
    """How a carrier that is asked a second time says that it did this already.

    `verb` is what it was asked for; `code` its own word for it, None where the code says nothing; `text` a
    pattern found in its sentence.
    """

    verb: str
    code: str | None = None
    text: str = ""

    def fits(self, verb: str, message: Message) -> bool:
        """Whether a message says it."""
        said = self.code is None or message.code == self.code
        return verb == self.verb and said and bool(re.search(self.text, message.message or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset(CatalogueRow):
    """A box of the carrier with its size (and, for envelopes, the weight it may hold)."""

    code: str = ""
    width: Decimal | None = None
    height: Decimal | None = None
    length: Decimal | None = None
    dimension_unit: str | None = None
    weight: Decimal | None = None
    weight_unit: str | None = None

    def plain(self) -> dict[str, Any]:
        names = ("width", "height", "length", "weight", "weight_unit", "dimension_unit")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def _boolean(slug: str, value: Any) -> bool:
    if isinstance(value, str):
        word = value.strip().lower()
        if word in {"true", "yes", "y", "1", "on"}:
            return True
        if word in {"false", "no", "n", "0", "off", ""}:
            return False
        raise Invalid(f"options.{slug}", f"{value!r} is neither true nor false")
    return bool(value)


def _decimal(slug: str, value: Any) -> Decimal:
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        number = Decimal("NaN")
    if not number.is_finite():
        raise Invalid(f"options.{slug}", f"{value!r} is not a number")
    return number


def _integer(slug: str, value: Any) -> int:
    return int(_decimal(slug, value))


def _list(slug: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [one.strip() for one in value.split(",") if one.strip()]
    return list(value) if isinstance(value, Iterable) else [value]


READERS: Mapping[type, Any] = {
    bool: _boolean,
    Decimal: _decimal,
    int: _integer,
    str: lambda slug, value: str(value),
    list: _list,
    dict: lambda slug, value: value,
}


class RowTable(Generic[R]):
    """Rows in order, found by slug, alias or code."""

    def __init__(self, rows: Sequence[R] = ()) -> None:
        self.rows = tuple(rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, slug: object) -> bool:
        return slug in self._by_slug

    @cached_property
    def _by_slug(self) -> dict[str, R]:
        aliases = {alias: row for row in self.rows for alias in row.aliases}
        return aliases | {row.slug: row for row in self.rows}

    @cached_property
    def _by_code(self) -> dict[str, R]:
        return {row.code: row for row in reversed(self.rows)}

    def get(self, slug: str | None) -> R | None:
        """The row of a slug or alias."""
        return self._by_slug.get(slug) if slug else None

    def of_code(self, code: str | None) -> R | None:
        """The first row with a carrier code."""
        return self._by_code.get(code) if code else None

    def code(self, slug: str) -> str:
        """The carrier's word; an unknown slug stands for itself."""
        row = self._by_slug.get(slug)
        return row.code if row else slug

    def slug(self, code: str) -> str:
        """Our word; an unknown code stands for itself."""
        row = self._by_code.get(code)
        return row.slug if row else code

    def slugs(self) -> list[str]:
        return [row.slug for row in self.rows]

    def codes(self) -> dict[str, str]:
        """Slug to code, as `/v1/references` shows services."""
        return {row.slug: row.code for row in self.rows}


class ServiceTable(RowTable[Service]):
    """Service levels; `names` are upper case with blanks, as `/v1/references` shows them."""

    def names(self) -> dict[str, str]:
        return {row.slug: row.slug.replace("_", " ").upper() for row in self.rows}

    def chosen(self, slugs: Iterable[str]) -> list[Service]:
        """The rows among the slugs that this carrier owns, in the order asked for."""
        return [row for slug in slugs if (row := self.get(slug))]


class OptionTable(RowTable[Option]):
    """Options, and which of a request's options this carrier takes."""

    def chosen(self, options: Mapping[str, Any]) -> list[ChosenOption]:
        """The options the carrier takes, in catalogue order, values in their type.

        A null or empty value, and a boolean that is false, chooses nothing. A name of ours beats an alias.
        """
        return [one for row in self.rows if (one := self._value(row, options)) is not None]

    def _value(self, row: Option, options: Mapping[str, Any]) -> ChosenOption | None:
        for name in (row.slug, *row.aliases):
            value = options.get(name)
            if value is None or value == "":
                continue
            read = row.read(value)
            return None if read is False else ChosenOption(row, read)
        return None

    def value(self, slug: str, options: Mapping[str, Any], default: Any = None) -> Any:
        """One option's value by slug or alias, typed; the default when not chosen."""
        row = self.get(slug)
        chosen = self._value(row, options) if row else None
        return chosen.value if chosen else default


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """An option row with the value a request gave it."""

    row: Option
    value: Any

    @property
    def slug(self) -> str:
        return self.row.slug

    @property
    def code(self) -> str:
        return self.row.code


@dataclass(frozen=True)
class StatusMap:
    """A carrier's tracking codes and the unified status each stands for."""

    codes: Mapping[str, str] = field(default_factory=dict)
    default: str = "in_transit"

    def read(self, code: str | None) -> str:
        return self.codes.get(code or "", self.default)
