"""The base of every model, and the field types they share.

Modules of models leave out `from __future__ import annotations`: reading annotations back from text takes
a third of their import time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache, partial
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_LARGEST_EXPONENT = 30
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
T = TypeVar("T")


class Model(BaseModel):
    """A frozen value; keys it does not know are ignored, numbers given for text become text."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        coerce_numbers_to_str=True,
        protected_namespaces=(),
        # Schemas are built when a model is first used, so that a command pays for those it needs only.
        defer_build=True,
    )

    @classmethod
    def of(cls, other: BaseModel, **values: Any) -> Self:
        """The same fields read from another kind of model, some of them replaced."""
        return cls.model_validate(other.model_dump() | values)

    @classmethod
    def completed(cls, plain: Mapping[str, Any], **extra: Any) -> dict[str, Any]:
        """The REST form of values that were checked before: all fields, with defaults for those left out.

        Objects inside are taken as they are; a field without a default must be among the values.
        """
        defaults, fresh = _list_defaults(cls)
        fields = {name: plain.get(name, default) for name, default in defaults.items()} | extra
        for name, make in fresh:
            if name not in plain and name not in extra:
                fields[name] = make()
        return fields


class Stored(Model):
    """What an object nested in another gains when it is stored: an identifier and the name of its kind."""

    id: str | None = None
    object_type: str = ""


class Record(Model):
    """An object of its own: always with an identifier."""

    id: str
    object_type: str = ""


@cache
def _list_defaults(model: type[Model]) -> tuple[dict[str, Any], tuple[tuple[str, Callable[[], Any]], ...]]:
    """The default of every field, in order; and what makes those anew that hold other values."""
    defaults = {
        name: field.get_default(call_default_factory=True) for name, field in model.model_fields.items()
    }
    return defaults, tuple((name, type(value)) for name, value in defaults.items() if value in ({}, []))


class TextWithout:
    """Text without the characters that no label, no XML and no spreadsheet holds."""

    def __init__(self, unwanted: str) -> None:
        self.pattern = f"^[^{unwanted}]*$"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return cast("CoreSchema", {**handler(source), "pattern": self.pattern})

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {name: value for name, value in handler(schema).items() if name != "pattern"}


class OneOf:
    """Text from a set that is looked up when it is first needed, such as the country codes."""

    def __init__(self, values: Callable[[], Collection[str]], *, blank: bool = False) -> None:
        self.values = values
        self.blank = blank

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(schema) | {"enum": [*self.values(), *([""] if self.blank else [])]}

    def check(self, value: str) -> str:
        """The value itself, when it is one of the set."""
        if value not in self.values() and not (self.blank and value == ""):
            raise PydanticCustomError("not_among", "is not known", {"names": self.values()})
        return value


def make_field_error(field: str, reason: str) -> PydanticCustomError:
    """The error for a validator of a whole model to raise when one field is at fault."""
    return PydanticCustomError("field", "{field}: {reason}", {"field": field, "reason": reason})


def read_decimal(value: Any) -> Decimal:
    """A finite Decimal from an int, a text, a Decimal or a float (by its repr).

    Errors: ValueError for anything else, bool included.
    """
    if isinstance(value, str):
        value = value.strip()
        if not _NUMBER.fullmatch(value):
            raise ValueError("must be a number")
    elif isinstance(value, float):
        value = repr(value)
    elif isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("must be a number")
    number = value if type(value) is Decimal else Decimal(value)
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise ValueError("must be a number of ordinary size")
    return number


def write_timestamp(value: Any) -> Any:
    """The text of an instant in UTC, always with six decimals, so that text order is time order."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("must carry a time zone")
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _check_not_negative(value: Decimal) -> Decimal:
    if value < 0:
        raise ValueError("must not be negative")
    return value


def _check_whole(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a whole number")
    return value


def _check_day(value: str) -> str:
    try:
        date.fromisoformat(value if _DAY.fullmatch(value) else "")
    except ValueError:
        raise ValueError("must be a date written YYYY-MM-DD") from None
    return value


def _fill(value: str) -> str:
    if not (text := value.strip()):
        raise ValueError("must not be empty")
    return text


def _check_time(value: str) -> str:
    if not _TIME.fullmatch(value):
        raise ValueError("must be a time written HH:MM")
    return value


def _write_date(value: Any) -> Any:
    return value.isoformat() if type(value) is date else value


def _fill_null(empty: Callable[[], Any], value: Any) -> Any:
    return empty() if value is None else value


def is_none(value: object) -> bool:
    """Whether a field that is left out when empty is empty."""
    return value is None


PLAIN_TEXT = TextWithout(r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f")
PLAIN_LINE = TextWithout(r"\x00-\x1f\x7f-\x9f")  # nor line breaks
_number_schema = WithJsonSchema({"type": "number", "format": "double"})
Number = Annotated[Decimal, PlainValidator(read_decimal), _number_schema]
Money = Number
Size = Annotated[Decimal, PlainValidator(read_decimal), AfterValidator(_check_not_negative), _number_schema]
WholeNumber = Annotated[int, BeforeValidator(_check_whole)]
Count = Annotated[int, BeforeValidator(_check_whole), Field(ge=0)]
Timestamp = Annotated[str, BeforeValidator(write_timestamp)]
Day = Annotated[str, BeforeValidator(_write_date), AfterValidator(_check_day)]
Time = Annotated[str, AfterValidator(_check_time)]
NonEmptyText = Annotated[str, AfterValidator(_fill)]  # never empty, no spaces around it
Object = Annotated[dict[str, Any], BeforeValidator(partial(_fill_null, dict))]
ListOrNull = Annotated[list[T], BeforeValidator(partial(_fill_null, list))]
# Defaults that are made anew: pydantic would copy a plain `{}` with a walk through it.
NO_KEYS: Any = Field(default_factory=dict, json_schema_extra={"default": {}})
NO_ITEMS: Any = Field(default_factory=list, json_schema_extra={"default": []})
OmittedIfNone = Annotated[T | None, Field(exclude_if=is_none)]
