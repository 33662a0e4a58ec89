"""What the carrier of a row would refuse, by the column: for files that are checked and not bought yet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pydantic import ValidationError

from shipcli.carrier.sending.foresight import find_seller, foresee_refusal
from shipcli.models import Problem, ShipmentData, ShipmentRequest


def list_refused_fields(data: ShipmentData, now: datetime) -> Iterator[Problem]:
    """Yield the fields that the carrier of a row's service does not take; none where no service is named."""
    service = str(data.options.get("preferred_service") or "")
    kind = find_seller(service)
    if kind is None or not kind.can("ship"):
        return
    try:
        request = ShipmentRequest.model_validate({**data.model_dump(), "service": service})
    except ValidationError:
        return
    yield from dict.fromkeys(foresee_refusal(kind, request, now))
