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

from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Invalid, Message
from shipcli.models.basics.reference import list_eu_countries

R = TypeVar("R", bound="CatalogueRow")

MONEY = frozenset({"insurance", "cash_on_delivery", "declared_value"})  # the unified words for amounts

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
    """A service level, keyed by what its carrier needs to know it again.

    Shapes: `wire` is the code on the wire where the one that is shown is a name; `origins` are the shipper
            countries where the wire code means this service ("EU": all of the union, "*": anywhere else);
            `carrier` is the carrier behind a hub, in the word that its readers ask with; `listed` False is
            for services that are sold and read but stand in no list (`/v1/references`); `unnamed` ones stand
            there without a code.
    """

    wire: str | None = None
    origins: tuple[str, ...] = ()
    carrier: str | None = None
    listed: bool = True
    unnamed: bool = False

    @property
    def wire_code(self) -> str:
        return self.wire or self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(CatalogueRow):
    """An extra.

    Shapes: `type` is the type of its value, `values` those that the carrier knows (others are sent too);
            `path` says where it goes in the body, `paths` where it differs by verb ("rate", "ship"); `sent`
            is what goes there in place of the value ("Y").
            `aliases` are unified or older names that mean this option (insurance, signature_confirmation).
            `local` is the reason why an option reaches no wire. `or_flag`: true may stand in place of the
            value, where the carrier takes the wish without it. `levels` are the lists in which its code
            stands among others ("package", "shipment"). `kind_of` is the unified word that is refused unless
            an option such as this one says of which kind (`refused_alone`).
    """

    type: type = bool
    values: tuple[str, ...] = ()
    path: str | None = None
    paths: Mapping[str, str] = field(default_factory=dict)
    sent: str | None = None
    local: str | None = None
    or_flag: bool = False
    levels: tuple[str, ...] = ()
    kind_of: str | None = None
    object_name: str | None = None  # the type shown in references when it is a model, e.g. "Address"

    def path_in(self, verb: str) -> str | None:
        """Where the option goes in the body of a verb; None if it does not go there."""
        return self.paths.get(verb) if self.paths else self.path

    @property
    def type_name(self) -> str:
        return self.object_name or TYPE_NAMES[self.type]

    @property
    def is_money(self) -> bool:
        """Whether its value is an amount to insure or to collect."""
        return not MONEY.isdisjoint(self.aliases)

    def read(self, value: Any) -> Any:
        """The value in this option's type.

        Errors: Invalid naming the option.
        """
        if self.or_flag and isinstance(value, bool):
            return value
        if self.type is dict and value is not False and not isinstance(value, Mapping | list):
            raise Invalid(f"options.{self.slug}", f"is not an {self.type_name.lower()}")
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
class ApiState:
    """What is known of a carrier's API, on paper: nobody asked the carrier.

    Shapes: `state` is one of `API_STATES`; `since` is a day; `successor` names the API that took its place,
            for people.
    """

    state: str = "unchecked"
    since: str | None = None
    successor: str | None = None


API_STATES: Mapping[str, str] = {
    "alive": "its owner says so",
    "presumed": "others still use or maintain it",
    "superseded": "a newer one has taken its place, and this one may answer",
    "retiring": "its end is announced",
    "off": "it answers nobody any more",
    "unchecked": "nothing is known",
    "local": "there is none: nobody is asked",
}


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
    packaging_type: str | None = None

    def __post_init__(self) -> None:
        for name in ("width", "height", "length", "weight"):  # numbers of a data file
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, Decimal(str(value)))

    def plain(self) -> dict[str, Any]:
        names = (
            "width", "height", "length", "weight", "weight_unit", "dimension_unit", "packaging_type",
        )  # fmt: skip
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def _read_boolean(slug: str, value: Any) -> bool:
    if isinstance(value, str):
        word = value.strip().lower()
        if word in {"true", "yes", "y", "1", "on"}:
            return True
        if word in {"false", "no", "n", "0", "off", ""}:
            return False
        raise Invalid(f"options.{slug}", f"{value!r} is neither true nor false")
    return bool(value)


def _read_decimal(slug: str, value: Any) -> Decimal:
    number = read_amount(value)
    if number is None:
        raise Invalid(f"options.{slug}", f"{value!r} is not a number")
    return number


def _read_integer(slug: str, value: Any) -> int:
    return int(_read_decimal(slug, value))


def _read_list(slug: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [one.strip() for one in value.split(",") if one.strip()]
    return list(value) if isinstance(value, Iterable) else [value]


READERS: Mapping[type, Any] = {
    bool: _read_boolean,
    Decimal: _read_decimal,
    int: _read_integer,
    str: lambda slug, value: str(value),
    list: _read_list,
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

    def codes(self) -> dict[str, str | None]:
        """Slug to code, as `/v1/references` shows services; None where the carrier has no word for it."""
        return {row.slug: row.code or None for row in self.rows}


class ServiceTable(RowTable[Service]):
    """Service levels, found by slug, or by what comes over the wire."""

    @cached_property
    def _by_wire(self) -> dict[tuple[str, str | None], list[Service]]:
        found: dict[tuple[str, str | None], list[Service]] = {}
        for row in self.rows:
            for key in {(row.wire_code, row.carrier), (row.wire_code, None)}:
                found.setdefault(key, []).append(row)
        return found

    def find_wire(
        self, code: str, *, carrier: str | None = None, origin: str | None = None
    ) -> Service | None:
        """The service of a wire code: of a carrier behind a hub, for a shipper's country.

        The row that names the origin goes before one for the union, that before one for anywhere.
        """
        rows = self._by_wire.get((code, carrier), ())
        ranked = [(rank, row) for row in rows if (rank := _rank(row.origins, origin)) is not None]
        return min(ranked, key=lambda one: one[0])[1] if ranked else None

    def wire_code(self, slug: str) -> str:
        """The code that goes out for a slug; an unknown slug stands for itself."""
        row = self.get(slug)
        return row.wire_code if row else slug

    def find_slug(self, code: str, **key: Any) -> str:
        """Our word for a wire code (see `find_wire`); an unknown code stands for itself."""
        row = self.find_wire(code, **key)
        return row.slug if row else code

    def codes(self) -> dict[str, str | None]:
        return {row.slug: None if row.unnamed else row.code for row in self.rows if row.listed}

    def names(self) -> dict[str, str]:
        return {slug: slug.replace("_", " ").upper() for slug in self.codes()}

    def list_chosen(self, slugs: Iterable[str]) -> list[Service]:
        """The rows among the slugs that this carrier owns, in the order asked for."""
        return [row for slug in slugs if (row := self.get(slug))]


def _rank(origins: tuple[str, ...], origin: str | None) -> int | None:
    """How well a service's origins fit a country, 0 best; None if they do not."""
    if origin in origins:
        return 0
    if "EU" in origins and origin in list_eu_countries():
        return 1
    if "*" in origins:
        return 2
    return None if origins else 3


class OptionTable(RowTable[Option]):
    """Options, and which of a request's options this carrier takes."""

    def list_chosen(self, options: Mapping[str, Any]) -> list[ChosenOption]:
        """The options the carrier takes, in catalogue order, values in their type.

        A null or empty value, a boolean that is false, and no money, choose nothing: tables have columns full
        of zeros. A name of ours beats an alias.
        """
        places = sorted({at for name in options for at in self._places.get(name, ())})
        return [one for at in places if (one := self._value(self.rows[at], options)) is not None]

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        """Where the rows stand that a name means: its own, and those that have it as an alias."""
        found: dict[str, list[int]] = {}
        for at, row in enumerate(self.rows):
            for name in (row.slug, *row.aliases):
                found.setdefault(name, []).append(at)
        return found

    def _value(self, row: Option, options: Mapping[str, Any]) -> ChosenOption | None:
        for name in (row.slug, *row.aliases):
            value = options.get(name)
            if value is None or value == "":
                continue
            read = row.read(value)
            no_money = row.is_money and read_amount(read) == 0
            return None if read is False or no_money else ChosenOption(row, read)
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

    @property
    def sent(self) -> Any:
        """What goes out: the row's own word for it, else the value."""
        return self.row.sent or self.value


@dataclass(frozen=True)
class StatusMap:
    """A carrier's tracking codes and the unified status each stands for."""

    codes: Mapping[str, str] = field(default_factory=dict)
    default: str = "in_transit"

    def read(self, code: str | None) -> str:
        return self.codes.get(code or "", self.default)

    def code(self, status: str) -> str:
        """A code that means a status, the first of its rows: what simulators say."""
        return self._by_status.get(status) or self._by_status.get(self.default) or status

    @cached_property
    def _by_status(self) -> dict[str, str]:
        return {status: code for code, status in reversed([*self.codes.items()])}
