"""A purchase that is interrupted, with each of the newer carriers: nothing is lost, and nothing bought twice.

What a carrier can be asked for by our own key is found; what it can't is for a person to say.
"""

from __future__ import annotations

import pytest

from shipcli.carrier import registry
from shipcli.features.core.app import App
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import Conflict, OutcomeUnknown, Shipment
from tests.additions import CARRIERS
from tests.features.conftest import resolve
from tests.features.losing import losing
from tests.features.shipments.purchases import (
    Killed,
    buy,
    dead,
    killed,
    list_sold,
    make_selling,
    rate_on_lane,
)

ASKED = [slug for slug in sorted(CARRIERS) if registry.get(slug).can("recover")]
SILENT = [slug for slug in sorted(CARRIERS) if slug not in ASKED]


def lose_answer(app: App, slug: str) -> Shipment:
    """A shipment whose carrier sold a label and was not heard."""
    made = rate_on_lane(app, slug)
    with losing(app, slug, after=make_selling(app)), pytest.raises(OutcomeUnknown):
        buy(app, made)
    return shipments.get_shipment(app, made.id)


@pytest.mark.parametrize("slug", ASKED)
def test_a_lost_answer_is_found_by_the_key_of_the_purchase(app: App, slug: str) -> None:
    made = rate_on_lane(app, slug)
    with losing(app, slug, after=make_selling(app)):
        bought = buy(app, made)
    (sold,) = list_sold(app)
    assert (bought.status, bought.shipment_identifier) == ("purchased", sold.identifier)


@pytest.mark.parametrize("slug", SILENT)
def test_what_nobody_can_be_asked_for_is_bought_by_a_persons_word(app: App, slug: str) -> None:
    doubtful = lose_answer(app, slug)
    assert doubtful.status == "needs_attention"
    with pytest.raises(Conflict):
        buy(app, doubtful)
    (sold,) = list_sold(app)
    settled = resolve(app, doubtful.id, bought=sold.number)
    assert (settled.status, settled.tracking_number) == ("purchased", sold.number)
    assert list_sold(app) == [sold]


@pytest.mark.parametrize("slug", SILENT)
def test_what_was_not_bought_by_a_persons_word_can_be_bought(app: App, slug: str) -> None:
    doubtful = lose_answer(app, slug)
    draft = resolve(app, doubtful.id, bought=None)
    assert draft.status == "draft"
    assert buy(app, rate_on_lane(app, slug)).status == "purchased"


@pytest.mark.parametrize("slug", sorted(CARRIERS))
def test_a_purchase_that_is_killed_after_the_sale_is_settled_by_the_next_process(
    app: App, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    made = rate_on_lane(app, slug)
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            buy(app, made)
    dead(app)
    (sold,) = list_sold(app)
    assert purchase.settle_open(app) == [made.id]
    settled = shipments.get_shipment(app, made.id)
    if settled.status == "needs_attention":
        assert slug in SILENT
        settled = resolve(app, made.id, bought=sold.number)
    assert (settled.status, list_sold(app)) == ("purchased", [sold])
    assert settled.shipment_identifier in sold
