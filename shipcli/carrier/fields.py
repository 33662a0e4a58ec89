"""Credential and config models as lists of fields; read with errors that name the field, never its value."""

from __future__ import annotations

import types
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from shipcli.models import Invalid

M = TypeVar("M", bound=BaseModel)


def read_model(model: type[M], values: Mapping[str, Any], prefix: str) -> M:
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        problems = [
            (prefix + ".".join(str(part) for part in one["loc"]), _choose_reason(one["type"], one["msg"]))
            for one in error.errors(include_input=False, include_url=False)
        ]
        raise Invalid.many(problems) from None


def _choose_reason(kind: str, text: str) -> str:
    return "This field is required." if kind == "missing" else text


def list_types(info: FieldInfo) -> set[Any]:
    annotation = info.annotation
    if get_origin(annotation) in (Union, types.UnionType):
        return set(get_args(annotation)) - {type(None)}
    return {annotation}


def describe_field(info: FieldInfo) -> dict[str, Any]:
    """Required, type and, where there are any, default and choices."""
    kind = next(iter(list_types(info)))
    entry: dict[str, Any] = {"required": info.is_required(), "type": _name_type(kind)}
    if get_origin(kind) is Literal:
        entry["enum"] = list(get_args(kind))
    default = info.get_default(call_default_factory=False) if not info.is_required() else None
    if default is not None:
        entry["default"] = default.get_secret_value() if isinstance(default, SecretStr) else default
    return entry


TYPES: Mapping[Any, str] = {
    bool: "boolean",
    int: "integer",
    Decimal: "float",
    float: "float",
    dict: "object",
    list: "list",
}


def _name_type(kind: Any) -> str:
    return TYPES.get(get_origin(kind) or kind, "string")
