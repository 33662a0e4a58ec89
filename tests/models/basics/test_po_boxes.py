"""Which address lines name a post office box."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipcli.models.basics.po_boxes import find_po_box, is_po_box

BOXES = [
    ("P.O.Box 12", "US"), ("PO Box", "US"), ("PO BOX A", "US"), ("P O Box 77", "US"), ("POB 12", "US"),
    ("P.O. Box #12", "US"), ("P/O Box 5", "US"), ("P.O. Drawer 5", "US"), ("Post Office Box 9", "GB"),
    ("12 Main St, PO Box 4", "US"), ("PO Box No. 12", "IN"), ("P.O.B. 12", "IL"), ("Post Box No 12", "IN"),
    ("Postfach 10 20", "DE"), ("Postfach", "AT"), ("Pf. 12", "HU"), ("Case postale 12", "CH"),
    ("Casilla 3", "CL"), ("Apartado 4", "ES"), ("Apdo. Postal 5", "MX"), ("Apartado de Correos 4", "ES"),
    ("Boîte postale 3", "FR"), ("Boite Postale N° 12", "FR"), ("BP 12", "FR"), ("B.P. 12", "CI"),
    ("CP 55", "CA"), ("C.P. 55", "CA"), ("Casella Postale 12", "IT"), ("Postbus 1", "NL"),
    ("Caixa Postal 5", "BR"), ("Locked Bag 12", "AU"), ("GPO Box 12", "AU"), ("G.P.O. Box 12", "HK"),
    ("Private Bag X12", "ZA"), ("Private Bag 12", "NZ"), ("P.M.B. 12", "NG"), ("Pk. 5", "TR"),
    ("skrytka pocztowa 5", "PL"), ("Skr. poczt. 5", "PL"), ("Postboks 5", "NO"), ("Postbox 12", "DK"),
    ("Box 123", "SE"), ("PL 12", "FI"), ("а/я 5", "RU"), ("12 PO Box", "CA"),
]  # fmt: skip
STREETS = [
    ("Post Office Rd", "US"), ("12 Post Office Rd", "US"), ("1 Box Hill", "GB"), ("Postbox Lane", "GB"),
    ("12 Boxwood Ave", "US"), ("BP Station Rd", "GB"), ("BP Station Rd", "FR"), ("BP 12 Station", "GB"),
    ("Box Hill 3", "AU"), ("Postfachweg 12", "DE"), ("Calle Casilla 3", "CL"), ("Calle Apartado 4", "MX"),
    ("Apartment 4", "US"), ("RR 2 Box 15", "US"), ("PSC 802 Box 74", "US"), ("CP 28001", "MX"),
    ("Pob. 2", "PH"), ("1 Post Box Cottages", "GB"), ("Old Post Office Lane 5", "GB"), ("GPO Lane 4", "AU"),
    ("P.O. Boxwood 4", "US"), ("PO Box Hill Road", "GB"), ("Postweg 12", "DE"), ("Via Po 12", "IT"),
    ("Private Bagley Rd 4", "US"), ("Boxholmsvägen 12", "SE"), ("350 5th Ave", "US"), ("Plaza 12", "FI"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "country"), BOXES)
def test_a_box_is_known_in_the_words_of_its_country(line: str, country: str) -> None:
    assert is_po_box(line, country)
    assert is_po_box(f"  {line.upper()} ", country)
    assert find_po_box(["1 Main St", None, line], country) == line


@pytest.mark.parametrize(("line", "country"), STREETS)
def test_a_street_that_holds_the_word_is_none(line: str, country: str) -> None:
    assert not is_po_box(line, country)
    assert not is_po_box(line.upper(), country)


@given(
    st.sampled_from(["P.O. Box", "PO Box", "p.o.box", "P. O. BOX", "Post Office Box", "POBox"]),
    st.sampled_from([" ", "  ", " # ", " No. ", ": "]),
    st.integers(1, 999_999),
    st.sampled_from(["US", "GB", "DE", "KE", None]),
)
def test_a_box_is_known_however_it_is_spaced(words: str, between: str, number: int, country: str) -> None:
    assert is_po_box(f"{words}{between}{number}", country)


@given(
    st.integers(1, 99_999),
    st.sampled_from(["Boxwood", "Box Hill", "Postal", "Post Office", "Boxer", "Pobox Farm", "Casilla"]),
    st.sampled_from(["Rd", "Street", "Ave", "Lane", "Drive"]),
    st.sampled_from(["US", "GB", "AU", "CA", None]),
)
def test_a_numbered_street_is_no_box(number: int, name: str, kind: str, country: str) -> None:
    assert not is_po_box(f"{number} {name} {kind}", country)
