"""What earlier commands left open with carriers."""

from __future__ import annotations

from shipcli.cli.console.stderr import note
from shipcli.cli.gateway import ask


def settle_interrupted() -> None:
    """Settle what processes that died left open with carriers, and report the results."""
    from shipcli.features.shipments.ship import settle_interrupted

    for one in ask(settle_interrupted):
        number = f", {one.tracking_number}" if one.tracking_number else ""
        note(f"an interrupted purchase was settled: {one.reference or one.id} is {one.status}{number}")
