"""Catalogue rows: the services, options, packaging and statuses of a carrier, with their codes on the wire.

`/v1/references`, validation of options, wire codes and the command line all read these rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Invalid, Message
from shipcli.models.basics.decimals import convert_decimal_comma
from shipcli.models.basics.reference import list_eu_countries

R = TypeVar("R", bound="CatalogueRow")

MONEY = frozenset({"insurance", "cash_on_delivery", "declared_value"})  # the unified words for amounts

TYPE_NAMES: Mapping[type, str] = {
    bool: "boolean", int: "integer", str: "string", list: "list", dict: "object", float: "float",
    Decimal: "float",  # after float: this is the type that "float" means in catalogues
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRow:
    """A word of ours (slug) and the carrier's word for it (code)."""

    slug: str
    code: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(CatalogueRow):
    """A service level, with what is needed to recognise it in the carrier's replies.

    Shapes: `wire` is the code on the wire where the one that is shown is a name; `origins` are the shipper
            countries where the wire code means this service ("EU": all of the union, "*": anywhere else);
            `carrier` is the carrier behind a hub, as the hub calls it; `listed` False is for services that
            are sold and read but not listed (`/v1/references`); `unnamed` ones are listed without a code;
            `returns` says whether customers send goods back by it, "only" so, or "also"; "back" is "only"
            where the other services take returns as well.
    """

    wire: str | None = None
    origins: tuple[str, ...] = ()
    carrier: str | None = None
    listed: bool = True
    unnamed: bool = False
    returns: Literal["only", "also", "back"] | None = None

    @property
    def wire_code(self) -> str:
        return self.wire or self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(CatalogueRow):
    """An extra.

    Shapes: `type` is the type of its value, `values` those that the carrier knows (others are sent too);
            `path` says where it goes in the body, `paths` where it differs by verb ("rate", "ship"); `sent`
            is what goes there in place of the value ("Y").
            `aliases` are unified or older names of this option (insurance, signature_confirmation).
            `local` is the reason why an option is never sent. `or_flag`: a plain true is valid too, where
            the carrier needs no value. `levels` are the lists in which its code is sent ("package",
            "shipment"). `kind_of` is the unified option that is refused unless an option such as this one
            says of which kind (`refused_alone`). `pattern` is the form of the text of its value, `example` a
            value of that form. `listed` False is for options that are sent but not in the references.
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
    pattern: str | None = None
    example: str | None = None
    listed: bool = True
    object_name: str | None = None  # the type shown in references when it is a model, e.g. "Address"

    def path_in(self, verb: str) -> str | None:
        """Return where the option goes in the body of a verb, or None if it does not go there."""
        return self.paths.get(verb) if self.paths else self.path

    @property
    def type_name(self) -> str:
        return self.object_name or TYPE_NAMES[self.type]

    @property
    def is_money(self) -> bool:
        """Whether its value is an amount to insure or to collect."""
        return not MONEY.isdisjoint(self.aliases)

    def read(self, value: Any) -> Any:
        """Return the value in this option's type.

        Errors: Invalid naming the option.
        """
        if self.or_flag and isinstance(value, bool):
            return value
        if self.type is dict and value is not False and not isinstance(value, Mapping | list):
            raise Invalid(f"options.{self.slug}", f"is not an {self.type_name.lower()}")
        typed = READERS[self.type](self.slug, value)
        if self.pattern and not re.fullmatch(self.pattern, str(typed)):
            raise Invalid(f"options.{self.slug}", f"{value!r} is no value such as {self.example}")
        return typed


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneBefore:
    """A message by which a carrier says that what it is asked for was done before.

    `verb` is what it was asked for; `code` the code of the message, None where that varies; `text` a pattern
    found in its text.
    """

    verb: str
    code: str | None = None
    text: str = ""

    def fits(self, verb: str, message: Message) -> bool:
        """Whether a message says so of a verb."""
        has_code = self.code is None or message.code == self.code
        return verb == self.verb and has_code and bool(re.search(self.text, message.message or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiState:
    """What is published about the state of a carrier's API; nobody asked the carrier.

    Shapes: `state` is one of `API_STATES`; `since` is a day; `successor` names the API that replaced it, for
            people; `checked` is the month in which somebody last looked, and `source` one of `API_SOURCES`.
    """

    state: str = "unknown"
    since: str | None = None
    successor: str | None = None
    checked: str | None = None
    source: str | None = None


API_SOURCES: Mapping[str, str] = {
    "description": "the carrier's published description of its API",
    "schema": "the carrier's published schemas",
    "notice": "a notice of the carrier, or reports about it",
    "connectors": "connectors of others that are still maintained",
    "cases": "exchanges that were recorded with it, and its fact sheet",
}
API_STATES: Mapping[str, str] = {
    "alive": "its owner says so",
    "presumed": "others still use or maintain it",
    "superseded": "a newer one has taken its place, and this one may answer",
    "retiring": "its end is announced",
    "off": "it answers nobody any more",
    "unknown": "nobody says",
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

    def to_dict(self) -> dict[str, Any]:
        names = (
            "width", "height", "length", "weight", "weight_unit", "dimension_unit", "packaging_type",
        )  # fmt: skip
        return {name: value for name in names if (value := getattr(self, name)) is not None}


YES = frozenset({"true", "yes", "y", "1", "on"})
NO = frozenset({"false", "no", "n", "0", "off", ""})


def _read_boolean(slug: str, value: Any) -> bool:
    if isinstance(value, str):
        word = value.strip().lower()
        if word in YES or word in NO:
            return word in YES
        raise Invalid(f"options.{slug}", f"{value!r} is neither true nor false")
    return bool(value)


def _read_decimal(slug: str, value: Any) -> Decimal:
    number = read_amount(convert_decimal_comma(value) if isinstance(value, str) else value)
    if number is None:
        raise Invalid(f"options.{slug}", f"{value!r} is not a number")
    return number


def _read_integer(slug: str, value: Any) -> int:
    number = _read_decimal(slug, value)
    if number != int(number):
        raise Invalid(f"options.{slug}", f"{value!r} is not a whole number")
    return int(number)


def _read_list(slug: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
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
        """Return the row of a slug or alias."""
        return self._by_slug.get(slug) if slug else None

    def of_code(self, code: str | None) -> R | None:
        """Return the first row with a carrier code."""
        return self._by_code.get(code) if code else None

    def code(self, slug: str) -> str:
        """Return the carrier's code of a slug; an unknown slug stands for itself."""
        row = self._by_slug.get(slug)
        return row.code if row else slug

    def slug(self, code: str) -> str:
        """Return the slug of a carrier's code; an unknown code stands for itself."""
        row = self._by_code.get(code)
        return row.slug if row else code

    def slugs(self) -> list[str]:
        return [row.slug for row in self.rows]

    def codes(self) -> dict[str, str | None]:
        """Return slugs with their codes, as `/v1/references` shows them; None where there is no code."""
        return {row.slug: row.code or None for row in self.rows}


class ServiceTable(RowTable[Service]):
    """Service levels, found by slug, or by what comes over the wire."""

    @cached_property
    def _by_wire(self) -> dict[tuple[str, str | None], list[Service]]:
        groups: dict[tuple[str, str | None], list[Service]] = {}
        for row in self.rows:
            for key in {(row.wire_code, row.carrier), (row.wire_code, None)}:
                groups.setdefault(key, []).append(row)
        return groups

    def find_wire(
        self, code: str, *, carrier: str | None = None, origin: str | None = None
    ) -> Service | None:
        """Return the service of a wire code: of a carrier behind a hub, for a shipper's country.

        A row that names the origin is preferred to one for the union, that to one for anywhere.
        """
        rows = self._by_wire.get((code, carrier), ())
        ranked = [(rank, row) for row in rows if (rank := _rank(row.origins, origin)) is not None]
        return min(ranked, key=lambda pair: pair[0])[1] if ranked else None

    def wire_code(self, slug: str) -> str:
        """Return the code that is sent for a slug; an unknown slug stands for itself."""
        row = self.get(slug)
        return row.wire_code if row else slug

    def find_slug(self, code: str, **key: Any) -> str:
        """Return the slug of a wire code (see `find_wire`); an unknown code stands for itself."""
        row = self.find_wire(code, **key)
        return row.slug if row else code

    def codes(self) -> dict[str, str | None]:
        return {row.slug: None if row.unnamed else row.code for row in self.rows if row.listed}

    @cached_property
    def returning(self) -> tuple[str, ...]:
        """The services by which customers send goods back, where not all of them are."""
        return tuple(row.slug for row in self.rows if row.returns in ("only", "also"))

    def brings_back(self, slug: str | None) -> bool:
        """Whether customers send goods back by a service."""
        row = self.get(slug) or self.of_code(slug)
        return not self.returning or bool(row and row.returns)

    def is_outward(self, slug: str | None) -> bool:
        """Whether goods are sent to customers by a service."""
        row = self.get(slug) or self.of_code(slug)
        return row is None or row.returns not in ("only", "back")

    def names(self) -> dict[str, str]:
        return {slug: slug.replace("_", " ").upper() for slug in self.codes()}

    def list_chosen(self, slugs: Iterable[str]) -> list[Service]:
        """Return the rows of those slugs that are this carrier's, in their order."""
        return [row for slug in slugs if (row := self.get(slug))]


def _rank(origins: tuple[str, ...], origin: str | None) -> int | None:
    """Return how well a service's origins fit a country, 0 best, or None if they do not."""
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
        """Return the options the carrier takes, in catalogue order, values in their type.

        A null or empty value, false, and an amount of 0 choose nothing: spreadsheets have columns full of
        zeros. The slug goes before its aliases.
        """
        places = sorted({place for name in options for place in self._places.get(name, ())})
        choices = [self._choose(self.rows[place], options) for place in places]
        return [choice for choice in choices if choice is not None]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where in the table the rows of a name are; several may share an alias."""
        places: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            for name in (row.slug, *row.aliases):
                places.setdefault(name, []).append(place)
        return places

    def _choose(self, row: Option, options: Mapping[str, Any]) -> ChosenOption | None:
        for name in (row.slug, *row.aliases):
            value = options.get(name)
            if value is None or value == "":
                continue
            typed = row.read(value)
            is_zero = row.is_money and read_amount(typed) == 0
            return None if typed is False or is_zero else ChosenOption(row, typed)
        return None

    def value(self, slug: str, options: Mapping[str, Any], default: Any = None) -> Any:
        """Return one option's value by slug or alias, typed; the default when not chosen."""
        row = self.get(slug)
        chosen = self._choose(row, options) if row else None
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
        """What is sent: the row's own text for it, else the value."""
        return self.row.sent or self.value


@dataclass(frozen=True)
class StatusMap:
    """A carrier's tracking codes and the unified status each stands for."""

    codes: Mapping[str, str] = field(default_factory=dict)
    default: str = "in_transit"

    def read(self, code: str | None) -> str:
        return self.codes.get(code or "", self.default)

    def code(self, status: str) -> str:
        """Return the first code of a status, which simulators send."""
        return self._by_status.get(status) or self._by_status.get(self.default) or status

    @cached_property
    def _by_status(self) -> dict[str, str]:
        return {status: code for code, status in reversed([*self.codes.items()])}
