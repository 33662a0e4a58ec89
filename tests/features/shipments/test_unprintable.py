"""A text that no font can print is a refusal, before anything is sold."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.features.core.app import App
from shipcli.features.paper import labels
from shipcli.features.shipments import proxy, purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import OutcomeUnknown, Refused, Shipment
from tests.carriers.bench import address, customs, lane, parcel
from tests.factories import RECIPIENT, body, draft
from tests.features.conftest import live_labels

NAME = "Ana 𓀀 Ruiz"
SELLERS = [kind.slug for kind in registry.list_working() if kind.can("ship") and kind.can("rate")]


def bought(app: App, slug: str, name: str, **changes: Any) -> Shipment:
    """A label of a carrier on a lane that it serves, for somebody of this name."""
    kind = registry.get(slug)
    origin, destination = lane(kind)
    parcels = [parcel()]
    made = shipments.create_shipment(
        app,
        draft(
            carrier_ids=[slug],
            shipper=address(origin, "Ann Sender").model_dump(exclude_unset=True),
            recipient={
                **address(destination, "Bo Receiver").model_dump(exclude_unset=True),
                "person_name": name,
            },
            parcels=[one.model_dump(exclude_unset=True) for one in parcels],
            customs=customs(origin, destination, parcels),
            **changes,
        ),
    )
    return purchase.buy(app, made, made.rates[0])


@pytest.mark.parametrize("slug", SELLERS)
def test_a_name_that_can_be_printed_but_for_its_pictures_is_sold(app: App, slug: str) -> None:
    assert bought(app, slug, "Zoë Łukasz 🎉").status == "purchased"


@pytest.mark.parametrize("slug", SELLERS)
def test_a_name_that_no_font_can_print_is_refused_and_nothing_is_sold(app: App, slug: str) -> None:
    with pytest.raises(Refused) as caught:
        bought(app, slug, NAME)
    assert not isinstance(caught.value, OutcomeUnknown)
    assert caught.value.message.startswith("recipient.person_name: has EGYPTIAN HIEROGLYPH A001 (U+13000)")
    assert caught.value.status == 400
    assert live_labels(app) == {}
    assert [row["state"] for row in app.store.select("intents")] == ["failed"]


@pytest.mark.parametrize("slug", SELLERS)
def test_a_reference_that_no_font_can_print_never_leaves_a_label_that_cannot_be_drawn(
    app: App, slug: str
) -> None:
    sold: list[Shipment] = []
    with suppress(Refused):
        sold.append(bought(app, slug, "Bo Receiver", reference="Order 𓀀"))
    assert len(live_labels(app)) == len(sold)
    assert all(labels.get_label(app, one).content for one in sold)


def test_a_simulators_refusal_is_one_of_the_field(app: App) -> None:
    with pytest.raises(Refused) as caught:
        bought(app, "ups", NAME)
    (message,) = caught.value.messages
    assert (message.code, message.carrier_name, message.carrier_id) == ("validation", "ups", "ups")


def test_the_draft_stays_and_can_be_bought_when_it_is_mended(app: App) -> None:
    from shipcli.features.book import addresses
    from shipcli.models import AddressPatch, ShipmentPurchaseData, ShipmentRateData

    made = shipments.create_shipment(
        app, draft(carrier_ids=["ups"], recipient={**RECIPIENT, "person_name": NAME})
    )
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    with pytest.raises(Refused):
        shipments.purchase_shipment(app, made.id, wanted)
    assert shipments.get_shipment(app, made.id).status == "draft"
    addresses.update_address(app, str(made.recipient.id), AddressPatch(person_name="Ana Ruiz"))
    rated = shipments.fetch_rates(app, made.id, ShipmentRateData())
    wanted = ShipmentPurchaseData(selected_rate_id=rated.rates[0].id)
    assert shipments.purchase_shipment(app, made.id, wanted).status == "purchased"


def test_a_purchase_that_stores_nothing_is_refused_likewise(app: App) -> None:
    from shipcli.models import RateRequestData, ShippingRequestData

    given = body(recipient={**RECIPIENT, "person_name": NAME})
    rates = proxy.fetch_rates(app, RateRequestData.model_validate({**given, "carrier_ids": ["ups"]})).rates
    wanted = {**given, "rates": [one.model_dump() for one in rates], "selected_rate_id": rates[0].id}
    with pytest.raises(Refused, match=r"U\+13000"):
        proxy.buy_label(app, ShippingRequestData.model_validate(wanted))
    assert live_labels(app) == {}
