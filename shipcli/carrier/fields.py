"""Credentials and settings as lists of fields: how they are read, described and explained to people.

Errors name a field, never its value.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from shipcli.carrier.catalogue_rows import TYPE_NAMES
from shipcli.models import Invalid

M = TypeVar("M", bound=BaseModel)
HOST_MARK = "names a host that is asked"
SERVER_URL = "server_url"  # the setting that the kit itself asks in place of the carrier's host
ServerUrl = Annotated[str | None, HOST_MARK]  # the type of any setting that is a host
# Marks of credentials of a carrier whose API was replaced. What the published document said stays true: the
# former ones stand in it as required, the new ones as optional.
FORMER = "was needed by an API that is gone; people are not asked for it"
NEEDED = "is needed by the API of today; people are asked for it"


def read_model(model: type[M], values: Mapping[str, Any], prefix: str) -> M:
    """Return the values as a model.

    Errors: Invalid naming the fields that are missing or wrong, after the prefix.
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        problems = [
            (
                prefix + ".".join(str(part) for part in problem["loc"]),
                _choose_reason(problem["type"], problem["msg"]),
            )
            for problem in error.errors(include_input=False, include_url=False)
        ]
        raise Invalid.many(problems) from None


def _choose_reason(kind: str, text: str) -> str:
    return "This field is required." if kind == "missing" else text


def list_types(info: FieldInfo) -> set[Any]:
    """Return the types of a field, those of a union one by one, without None."""
    annotation = info.annotation
    if get_origin(annotation) in (Union, types.UnionType):
        return set(get_args(annotation)) - {type(None)}
    return {annotation}


def list_hosts(model: BaseModel) -> dict[str, str]:
    """Return the values of the fields that name hosts, by field."""
    fields = type(model).model_fields.items()
    names = [name for name, info in fields if name == SERVER_URL or HOST_MARK in info.metadata]
    return {name: value for name in names if isinstance(value := getattr(model, name), str) and value}


def describe_field(info: FieldInfo) -> dict[str, Any]:
    """Return whether a field is required, its type and, where there are any, its default and choices."""
    kind = next(iter(list_types(info)))
    type_name = TYPE_NAMES.get(get_origin(kind) or kind, "string")
    required = info.is_required() or FORMER in info.metadata
    entry: dict[str, Any] = {"required": required, "type": type_name}
    if get_origin(kind) is Literal:
        entry["enum"] = list(get_args(kind))
    default = None if required else info.get_default(call_default_factory=False)
    if default is not None:
        entry["default"] = default.get_secret_value() if isinstance(default, SecretStr) else default
    return entry


COUNTRY = re.compile(r"country")
# The first pattern that a field's name holds; {} is the carrier's name.
KINDS = (
    (COUNTRY, "Two letters: the country in which your account with {} is billed, such as US."),
    (re.compile(r"lang"), "Two letters: the language in which {} answers, such as en."),
    (
        re.compile(r"services|service_type"),
        "The services and prices of this account; leave them as they are.",
    ),
    (re.compile(r"region"), "The region of your account with {}."),
    (re.compile(r"count$"), "How many {} has set aside for you, when it told you so."),
    (
        re.compile(r"account|contract|customer|billing|mailer|registration|meter|code_client"),
        "A number of your account, on invoices of {} and in your contract.",
    ),
    (
        re.compile(r"secret|pass|credential|pin$"),
        "Shown or sent by {} together with the user name or key that it belongs to.",
    ),
    (
        re.compile(r"key|token|client_id|app_id|developer_id"),
        "On the web site of {} for developers, or in your account there under API or Integrations.",
    ),
    (
        re.compile(r"user|principal|identi|id$"),
        "The name with which your programs log in at {}; it came with the access to its API.",
    ),
)
OTHERWISE = "{} gave it to you with the access to its API."


def explain_credential(field: str, name: str, explanations: Mapping[str, str]) -> str:
    """Return a sentence on where a credential is found: the carrier's own, else one for such fields.

    `name` is the carrier's, `explanations` are its sentences, by field.
    """
    if explanation := explanations.get(field):
        return explanation
    return next((text for pattern, text in KINDS if pattern.search(field)), OTHERWISE).format(name)
