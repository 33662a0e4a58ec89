"""A carrier's remarks beside, or instead of, a result."""

from typing import Any

from shipcli.models.base import Model, OmittedIfNone


class Message(Model):
    """A carrier's note or refusal; keys without a value are left out, details excepted."""

    message: OmittedIfNone[str] = None
    code: OmittedIfNone[str] = None
    details: dict[str, Any] | None = None
    carrier_name: OmittedIfNone[str] = None
    carrier_id: OmittedIfNone[str] = None
