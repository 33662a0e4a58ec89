"""eShipper: what neither the cases nor the contract show."""

from __future__ import annotations

import pytest
from shipcli.carriers.eshipper.parts import CATALOGUE, read_carrier, read_service


def test_no_two_services_of_a_carrier_share_their_name() -> None:
    keys = [(row.carrier, row.code) for row in CATALOGUE.services]
    assert len(keys) == len(set(keys)) == 216


@pytest.mark.parametrize(
    ("carrier", "service", "slug"),
    [
        ("UPS", "Ground", "eshipper_ups_ground"),
        ("Canpar", "Ground", "eshipper_canpar_ground"),
        ("Federal Express", "Fedex Ground", "eshipper_fedex_ground"),
        ("Canada Post", "Xpress Post USA", "eshipper_canadapost_xpress_post_usa"),
        ("Day & Ross", "LTL", "eshipper_day_ross_ltl"),
        ("Fleet Optics", "Next Day", "eshipper_fleet_optics_next_day"),
    ],
)
def test_a_name_that_carriers_share_is_read_by_its_carrier(carrier: str, service: str, slug: str) -> None:
    assert read_service({"carrierName": carrier, "serviceName": service}) == slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("FedEx", "fedex"),
        ("eShipper LTL", "eshipper"),
        ("SmartePost INTL", "smarte_post_intl"),
        ("FlashBird", "flash_bird"),
    ],
)
def test_a_carrier_is_known_by_each_of_its_names(name: str, slug: str) -> None:
    assert read_carrier(name) == slug
