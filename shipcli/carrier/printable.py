"""A character of a request that the fonts of labels do not have: said of its field, with what to do."""

from __future__ import annotations

import unicodedata
from typing import Any

from shipcli.carrier.field_samples import list_fields
from shipcli.models import Message
from shipcli.models.basics.problems import join_steps, make_details_tree

CODE = "validation"


def explain_unprintable(request: Any, character: str | None) -> Message | None:
    """Return the message naming the first field with a character; None if none has it."""
    if not character:
        return None
    fields = (
        path for path, value, _ in list_fields(request) if isinstance(value, str) and character in value
    )
    path = next(fields, None)
    if path is None:
        return None
    field, reason = join_steps(path), describe_character(character)
    return Message(code=CODE, message=f"{field}: {reason}", details=make_details_tree([(field, reason)]))


def describe_character(character: str) -> str:
    """Say which character can't be printed, by its name, and what to do."""
    name = unicodedata.name(character, "a character without a name")
    code_point = f"U+{ord(character):04X}"
    return f"has {name} ({code_point}), which labels can't show: leave it out or write it otherwise"
