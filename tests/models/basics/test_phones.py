"""Phone numbers: whatever stands in front of, between and behind the digits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shipcli.models import AddressData
from shipcli.models.basics.phones import format_phone_number, is_no_phone, parse_phone, split_extension
from shipcli.models.parts.address import AddressPatch

PLAIN = "503-555-0162"
SIGNS = [
    " x{}", "x{}", " ext {}", " ext. {}", " Ext:{}", " extension {}", " #{}", "#{}", ";{}", ";ext={}", ", {}",
    " доб. {}", " poste {}", " Durchwahl {}", " (ext {})", " int. {}", " anexo {}", " ramal {}", " wew. {}",
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@settings(deadline=None, max_examples=20, derandomize=True)
@given(extension=st.from_regex(r"\A[0-9]{1,6}\Z"))
def test_an_extension_is_kept_apart_however_it_is_written(sign: str, extension: str) -> None:
    phone = parse_phone(PLAIN + sign.format(extension), "US")
    assert phone is not None
    assert (phone.digits, phone.extension) == ("15035550162", extension)
    stored = format_phone_number(PLAIN + sign.format(extension), "US")
    assert len(stored) <= 20
    assert parse_phone(stored, "US") == phone
    assert format_phone_number(stored, "US") == stored


@pytest.mark.parametrize("model", [AddressData, AddressPatch])
def test_an_extension_is_never_cut_off(model: type[AddressPatch]) -> None:
    text = "+1 503-555-0162 ext. 60021"
    assert model(country_code="US", phone_number=text).phone_number == "+15035550162 x60021"


def test_what_is_part_of_the_number_is_no_extension() -> None:
    assert split_extension("+49 30 1234-56") == ("+49 30 1234-56", "")
    assert format_phone_number("+33 1 42 68 53 00", "FR") == "+33 1 42 68 53 00"
    assert format_phone_number("Tel. 503-555-0162 (mobile)", "US") == "+1 503-555-0162"
    assert format_phone_number("1-800-FLOWERS", "US") == "+1 800-356-9377"


@pytest.mark.parametrize("text", ["n/a", "n.a.", "-", "0000000000", "none", "000-000-0000", "NULL", "+0"])
def test_words_for_no_number_are_no_number(text: str) -> None:
    assert is_no_phone(text)
    assert AddressData(country_code="US", phone_number=text).phone_number is None


@pytest.mark.parametrize("text", [PLAIN, "110", "+47 22 55 01 00"])
def test_a_number_is_a_number(text: str) -> None:
    assert not is_no_phone(text)


@pytest.mark.parametrize("text", ["call me", "503-CALL-NOW", "ext 5"])
def test_letters_are_not_dialled(text: str) -> None:
    with pytest.raises(ValueError, match="phone_number"):
        AddressData(country_code="US", phone_number=text)
