"""Which borders goods cross: areas with customs rules of their own, by postal code and by country code."""

from __future__ import annotations

import pytest

from shipcli.models.basics.areas import Place, crosses_customs

MADRID, VALENCIA, VIENNA, LONDON = ("ES", "28001"), ("ES", "46001"), ("AT", "1010"), ("GB", "SW1A 1AA")
PORTLAND = ("US", "97201", "OR")
CROSSED = [
    (VALENCIA, ("ES", "52001")), (VALENCIA, ("ES", "51001")), (MADRID, ("ES", "38001")),
    (MADRID, ("IC", "35001")),
    (("FI", "00100"), ("FI", "22100")), (("FI", "00100"), ("FI", "AX-22100")), (("DE", "10115"),
    ("DE", "78266")),
    (("DE", "10115"), ("DE", "27498")), (("IT", "20121"), ("IT", "23041")), (("IT", "20121"),
    ("IT", "22061")),
    (("IT", "20121"), ("SM", "47890")), (("IT", "00184"), ("VA", "00120")), (("GR", "10552"),
    ("GR", "63086")),
    (("FR", "75001"), ("FR", "97400")), (("FR", "75001"), ("GP", "97110")), (("FR", "75001"),
    ("FR", "98800")),
    (LONDON, ("GB", "JE2 3AB")), (LONDON, ("GG", "GY1 1AA")), (LONDON, VIENNA), (VIENNA, ("CH", "8001")),
    (("DK", "1050"), ("DK", "3900")), (PORTLAND, ("VI", "00802")), (PORTLAND, ("US", "00802", "VI")),
    (PORTLAND, ("US", "96910")), (PORTLAND, ("US", "96349", "AP")), (("US", "09012", "AE"), PORTLAND),
    (("US", "09012", "AE"), ("US", "09012", "AE")), (PORTLAND, ("CA", "M5V1E3", "ON")),
]  # fmt: skip
INSIDE = [
    (MADRID, VALENCIA), (MADRID, VIENNA), (VIENNA, ("GB", "BT78 1AA")), (("GB", "BT781AA"),
    ("IE", "D02 AF30")),
    (LONDON, ("GB", "BT1 5GS")), (LONDON, ("IM", "IM1 1AA")), (LONDON, ("GB", "IM1 1AA")),
    (("FR", "75001"), ("MC", "98000")), (("FR", "75001"), ("FR", "98000")), (("CH", "8001"),
    ("LI", "9490")),
    (("CH", "8001"), ("DE", "78266")), (PORTLAND, ("PR", "00926")), (PORTLAND, ("US", "00926", "PR")),
    (("ES", "38001"), ("IC", "35001")), (("PT", "1000-001"), ("PT", "9000-001")), (("GR", "10552"),
    ("EL", "")),
]  # fmt: skip


def cross(origin: tuple[str, ...], destination: tuple[str, ...]) -> bool:
    names = ("country_code", "postal_code", "state_code")
    here, there = (dict(zip(names, place, strict=False)) for place in (origin, destination))
    assert crosses_customs(here, there) == crosses_customs(there, here)
    return crosses_customs(here, there)


@pytest.mark.parametrize(("origin", "destination"), CROSSED)
def test_a_customs_border_may_run_through_a_country(origin: tuple[str], destination: tuple[str]) -> None:
    assert cross(origin, destination)


@pytest.mark.parametrize(("origin", "destination"), INSIDE)
def test_a_customs_zone_may_be_larger_than_a_country(origin: tuple[str], destination: tuple[str]) -> None:
    assert not cross(origin, destination)


def test_a_territory_is_known_as_state_as_country_and_by_its_postal_code() -> None:
    for place in (Place("PR"), Place("US", "PR"), Place("US", "", "00926")):
        assert (place.territory, place.force) == ("PR", None)
    assert Place("US", "OR", "00926").territory is None
    assert (Place("US", "AP").force, Place("US", "", "09012").force) == ("AP", "AE")
