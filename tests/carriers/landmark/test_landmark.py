"""The terms of trade of Landmark Global, which stand in the names of its services."""

from __future__ import annotations

import pytest
from shipcli.carriers.landmark.shipments import is_delivered_by

from shipcli.models import Customs


@pytest.mark.parametrize(
    ("service", "incoterm", "fits"),
    [
        ("landmark_maxipak_scan_ddp", "DDP", True),
        ("landmark_maxipak_scan_ddp", "DAP", False),
        ("landmark_maxipak_scan_ddu", "DAP", True),
        ("landmark_maxipak_scan_ddu", "DDP", False),
        ("landmark_maxipak_scan_pddp", None, True),
    ],
)
def test_a_service_is_sold_by_its_own_terms(service: str, incoterm: str | None, fits: bool) -> None:
    assert is_delivered_by(service, Customs(incoterm=incoterm)) is fits


@pytest.mark.parametrize(
    ("service", "payer", "fits"),
    [
        ("landmark_maxipak_scan_pddp", "recipient", True),
        ("landmark_maxipak_scan_pddp", "sender", True),
        ("landmark_maxipak_scan_ddu", "recipient", True),
        ("landmark_maxipak_scan_ddu", "sender", False),
    ],
)
def test_a_service_is_sold_to_whom_pays_the_duties_by_its_terms(service: str, payer: str, fits: bool) -> None:
    assert is_delivered_by(service, Customs.model_validate({"duty": {"paid_by": payer}})) is fits
