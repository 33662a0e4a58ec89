"""What a lenient sandbox answers for what its carriers never issued: as if they had, for test suites written
against servers that remember nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shipcli.carrier.simulation.bookings import PICKUP
from shipcli.carrier.simulation.simulated_carrier import SimulatedCarrier
from shipcli.carrier.wire.label_files import encode_file
from shipcli.drawing import draw_form
from shipcli.models import (
    CancelRequest,
    Confirmation,
    ManifestDetails,
    ManifestRequest,
    PickupCancelRequest,
    PickupDetails,
    PickupUpdateRequest,
)

FOREIGN_SERIES = "foreign"


def answer_leniently(simulator: SimulatedCarrier, request: Any) -> Any:
    """The success that stands for a request about something foreign; None for what the carrier is asked."""
    match request:
        case CancelRequest(shipment_identifier=identifier) if not _is_known(simulator, [identifier]):
            return Confirmation(success=True, operation="Cancel Shipment")
        case PickupCancelRequest(confirmation_number=number) if not _is_booked(simulator, number):
            return Confirmation(success=True, operation="Cancel Pickup")
        case PickupUpdateRequest(confirmation_number=number) if not _is_booked(simulator, number):
            return PickupDetails(
                confirmation_number=number,
                pickup_date=request.pickup_date,
                ready_time=request.ready_time,
                closing_time=request.closing_time,
            )
        case ManifestRequest(shipment_identifiers=names) if not _is_known(simulator, names):
            return _make_form(simulator, names)
    return None


def _is_known(simulator: SimulatedCarrier, names: Sequence[str]) -> bool:
    return all(simulator.find_sold(name) for name in names)


def _is_booked(simulator: SimulatedCarrier, number: str) -> bool:
    return simulator.ledger.get(simulator.slug, PICKUP, number) is not None


def _make_form(simulator: SimulatedCarrier, names: Sequence[str]) -> ManifestDetails:
    number = simulator.make_form_number(simulator.next_number(FOREIGN_SERIES))
    paper = draw_form(f"Manifest {number}", [[name] for name in names], columns=["Shipment"], sample=True)
    return ManifestDetails(doc={"manifest": encode_file(paper)}, meta={"manifest_number": number})
