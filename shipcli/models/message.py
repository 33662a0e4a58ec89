"""What a carrier said beside, or instead of, a result."""

from typing import Any

from shipcli.models.base import LeftOut, Model


class Message(Model):
    """A carrier's note or refusal; keys without a value are left out, details excepted."""

    message: LeftOut[str] = None
    code: LeftOut[str] = None
    details: dict[str, Any] | None = None
    carrier_name: LeftOut[str] = None
    carrier_id: LeftOut[str] = None
