"""How a model is published as a named schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shipcli.models.base import Model
from shipcli.operations.schema import Schema


@dataclass(frozen=True)
class Component:
    """One named schema. Lists of fields are written as one text, separated by spaces.

    Shapes: `like` is the body whose maximum lengths and words apply; `required` replaces the model's own
            required fields; `filled` fields accept null as input, or are left out if null, and are published
            without null; `null` fields may be null; `bare` fields are published without their default,
            `unlimited` ones without their maximum; `paths`, `addresses` and `moments` are texts with a
            format; `words` are enumerations; `references` names components to use instead of those of the
            model's own fields; `also` are additional fields that replace another one.
    """

    name: str
    model: type[Model]
    like: type[Model] | None = None
    required: str | None = None
    filled: str = ""
    null: str = ""
    bare: str = ""
    unlimited: str = ""
    paths: str = ""
    addresses: str = ""
    moments: str = ""
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, Schema] = field(default_factory=dict)
