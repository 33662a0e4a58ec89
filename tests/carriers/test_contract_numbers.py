"""The numbers of every simulator have the form and the check digit of its carrier's."""

from __future__ import annotations

import pytest

from shipcli.carrier import registry
from shipcli.carrier.number_forms import OWNERS, POSTS, NumberOwner, list_mistyped, list_number_carriers
from shipcli.models.basics.barcodes import read_barcode
from tests.carriers import errands
from tests.carriers.bench import Bench

FAMILIES = {
    "fedex_ws": "fedex",
    "usps_wt": "usps",
    "usps_international": "usps",
    "usps_wt_international": "usps",
    "sapient": "royalmail",
}  # carriers whose numbers are another's


def test_a_sold_number_has_the_form_of_its_carrier_and_of_no_other(bench: Bench) -> None:
    carrier = bench.carrier_class
    if not carrier.can("ship"):
        pytest.skip("sells no labels")
    label = errands.buy(bench, bench.request(service=errands.service(bench)))
    for number in label.meta.get("tracking_numbers") or [label.tracking_number]:
        assert carrier.takes_number(number), number
        assert read_barcode(number) == number
        if carrier.number_forms and not carrier.hub:
            assert not list_mistyped(number)
            assert FAMILIES.get(carrier.slug, carrier.slug) in (
                list_number_carriers(number) or [carrier.slug]
            )


@pytest.mark.parametrize("owner", OWNERS, ids=lambda owner: owner.carriers[0])
def test_what_tells_a_carrier_by_its_number_is_among_its_own_forms(owner: NumberOwner) -> None:
    carriers = [registry.get(slug) for slug in owner.carriers]
    assert any(not one.number_forms or set(owner.forms) & set(one.number_forms) for one in carriers)


def test_the_post_of_every_country_is_a_carrier() -> None:
    assert {slug for slugs in POSTS.values() for slug in slugs} <= set(registry.list_slugs())
