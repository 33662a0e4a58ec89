"""A return whose answer is lost: the carrier has sold one label, and no second one is bought."""

from __future__ import annotations

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, OutcomeUnknown, Shipment
from tests.features.losing import losing
from tests.features.shipments.purchases import buy, list_sold, make_selling, rate_on_lane

ASKED = ("bpost", "purolator")
SILENT = ("australiapost", "colissimo", "geodis", "sapient")


def rate_return(app: App, slug: str) -> Shipment:
    return rate_on_lane(app, slug, reference="SO-1-R", customs=None, options={"is_return": True})


@pytest.mark.parametrize("slug", ASKED)
def test_a_lost_return_is_found_by_the_key_of_its_purchase(app: App, slug: str) -> None:
    draft = rate_return(app, slug)
    with losing(app, slug, after=make_selling(app)):
        bought = buy(app, draft)
    (sold,) = list_sold(app)
    assert (bought.status, bought.shipment_identifier) == ("purchased", sold.identifier)


@pytest.mark.parametrize("slug", SILENT)
def test_a_lost_return_that_nobody_can_be_asked_for_is_not_bought_again(app: App, slug: str) -> None:
    draft = rate_return(app, slug)
    with losing(app, slug, after=make_selling(app)), pytest.raises(OutcomeUnknown):
        buy(app, draft)
    doubtful = shipments.get_shipment(app, draft.id)
    assert doubtful.status == "needs_attention"
    with pytest.raises(Conflict):
        buy(app, doubtful)
    assert len(list_sold(app)) == 1
