"""What a mapping changes in a cell."""

from __future__ import annotations

import pytest

from shipcli.models import Invalid
from shipcli.readers.transforms import check, transform


@pytest.mark.parametrize(
    ("given", "transforms", "wanted"),
    [
        ("'02134", ["strip_apostrophe"], "02134"),
        ("O'Neil", ["strip_apostrophe"], "O'Neil"),
        ("m5v 2t6", ["upper"], "M5V 2T6"),
        ("ABC", ["lower"], "abc"),
        ("United States", ["country"], "US"),
        ("the netherlands", ["country"], "NL"),
        ("South Korea", ["country"], "KR"),
        ("gb", ["country"], "GB"),
        ("Deutschland", ["country"], "DE"),
        ("Atlantis", ["country"], "Atlantis"),
        ("A very long name", ["cut:6"], "A very"),
        ("$12.00", ["amount"], "12.00"),
        ("US $1,234.50", ["amount"], "1234.50"),
        ("1.234,50 €", ["amount"], "1234.50"),
        ("12,50 €", ["amount"], "12.50"),
        ("1,234", ["amount"], "1234"),
        ("1 234,50 kr", ["amount"], "1234.50"),
        ("-$5.00", ["amount"], "-5.00"),
        ("(3.10)", ["amount"], "-3.10"),
        (".35", ["amount"], ".35"),
        ("$.99", ["amount"], ".99"),
        ("-.5", ["amount"], "-.5"),
        ("($.50)", ["amount"], "-.50"),
        (",5 kg", ["amount"], ".5"),
        ("0,350 kg", ["amount"], "0.350"),
        ("-0,350", ["amount"], "-0.350"),
        ("10,350", ["amount"], "10350"),
        ("Rs.500", ["amount"], "500"),
        ("kr. 12,50", ["amount"], "12.50"),
        ("free", ["amount"], "free"),
        ("$12.00", ["currency"], "USD"),
        ("C $12.00", ["currency"], "CAD"),
        ("AU $12.00", ["currency"], "AUD"),
        ("£3", ["currency"], "GBP"),
        ("EUR 3", ["currency"], "EUR"),
        ("12.00", ["currency"], ""),
        ("11/20/24", ["date:%m/%d/%y"], "2024-11-20"),
        ("Nov-20-24", ["date:%m/%d/%y|%b-%d-%y"], "2024-11-20"),
        ("2024-11-20 09:00:00 -0500", ["date"], "2024-11-20"),
        ("2024-11-20T09:00:00Z", ["date"], "2024-11-20"),
        ("2024-11-20", ["date:%m/%d/%y"], "2024-11-20"),
        ("13/45/24", ["date:%m/%d/%y"], "13/45/24"),
        ("2024-11-2012", ["date"], "2024-11-2012"),
        ("'ab", ["strip_apostrophe", "upper"], "AB"),
        ("", ["upper"], ""),
    ],
)
def test_a_cell_is_changed(given: str, transforms: list[str], wanted: str) -> None:
    assert transform(given, transforms) == wanted


@pytest.mark.parametrize("known", ["upper", "cut:35", "date", "date:%d.%m.%Y", "amount"])
def test_a_known_transform_passes(known: str) -> None:
    check(known)


def test_an_unknown_transform_names_the_nearest() -> None:
    with pytest.raises(Invalid, match="Did you mean upper"):
        check("uper")


@pytest.mark.parametrize("wrong", ["cut", "cut:x", "cut:-1"])
def test_a_cut_needs_a_length(wrong: str) -> None:
    with pytest.raises(Invalid, match="number"):
        check(wrong)
