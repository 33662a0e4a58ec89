"""The rows of a catalogue: services, options, boxes, with their codes on the wire; how values are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from shipcli.carrier.wire.rounding import read_amount
from shipcli.models import Invalid, Message
from shipcli.models.basics.decimals import convert_decimal_comma

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
