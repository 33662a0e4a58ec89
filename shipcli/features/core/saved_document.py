"""What the followers of a write are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from shipcli.models import ShipcliError

Cause = Literal["content", "outcome", "tracked", "noted"]


@dataclass(frozen=True)
class SavedDocument:
    """A document that was just written, and why.

    Shapes: `cause` is "content" if the contents may have changed, "outcome" if a purchase or a void ended,
            "tracked" if a carrier reported a status, "noted" for changes that no follower reacts to.
            `error` is why a purchase ended without a known outcome.
    """

    kind: str
    document: Mapping[str, Any]
    cause: Cause
    is_new: bool
    error: ShipcliError | None = None
