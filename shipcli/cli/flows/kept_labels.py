"""What is said before labels are cancelled that their carriers don't take back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.cli.console.stderr import note
from shipcli.features.shipments import ship

if TYPE_CHECKING:
    from shipcli.models import Shipment


def note_kept(shipments: Sequence[Shipment]) -> None:
    """Say which labels are cancelled here alone."""
    for text in filter(None, map(ship.describe_kept, shipments)):
        note(text)
