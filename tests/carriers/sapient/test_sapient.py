"""SAPIENT: what neither the cases nor the contract show."""

from __future__ import annotations

from typing import Any

import pytest
from shipcli.carriers.sapient import Sapient
from shipcli.carriers.sapient.parts import CATALOGUE, code_of, write_enhancements

from shipcli.carrier import RequestOptions
from tests.carriers.bench import Bench


def codes(**options: Any) -> list[str]:
    given = RequestOptions(CATALOGUE.options, options, extra_names=Sapient.also_reads)
    return [one["Code"] for one in write_enhancements(given)]


def test_every_service_has_a_code_of_its_own_and_a_level() -> None:
    wires = [row.code for row in CATALOGUE.services]
    assert len(wires) == len(set(wires)) == 195
    assert [row.service_code for row in CATALOGUE.service_levels] == CATALOGUE.services.slugs()


def test_what_is_insured_asks_for_the_first_level_and_a_named_level_for_itself() -> None:
    assert codes(insurance=7000) == ["CL1"]
    assert codes(sapient_CL3=1) == ["CL3"]
    assert codes(insurance=0) == []


def test_an_extra_that_is_refused_is_not_asked_for() -> None:
    assert codes(sapient_customs_email=False, sapient_customs_phone="no", sapient_email=True) == ["Email"]


@pytest.mark.parametrize(
    ("service", "code"),
    [
        ("sapient_royal_mail_1st_class", "RM"),
        ("evri_next_day", "EVRI"),
        ("sapient_ups_standard", "UPS"),
        ("groups_of_upside", "YODEL"),
        ("carrier_service", "YODEL"),
    ],
)
def test_the_carrier_behind_is_the_one_in_the_name_else_that_of_the_account(service: str, code: str) -> None:
    assert code_of(service, "YODEL") == code


def test_a_quote_names_the_carrier_behind() -> None:
    bench = Bench(Sapient, ("GB", "GB"))
    named = {(quote.meta or {}).get("rate_provider") for quote in bench.quote().result or []}
    bench.close()
    assert named == {"royalmail"}
