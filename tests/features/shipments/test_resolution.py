"""What a person says of a purchase that nobody else can look up, and says again when it was wrong."""

from __future__ import annotations

import base64

import pytest

from shipcli.features.core.app import App
from shipcli.features.paper import labels
from shipcli.features.paper.printing import printouts
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.resolution import resolve_purchase
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    Conflict,
    Invalid,
    NotFound,
    Refused,
    Shipment,
    ShipmentPurchaseData,
    ShipmentResolveData,
)
from shipcli.workflows.open_day import read_open_day
from tests.features.conftest import live_labels
from tests.features.pickups.bookings import booked
from tests.features.shipments.purchases import bought, in_doubt

PDF = b"%PDF-1.4\n%%EOF"
NUMBER, OTHER = "1Z999AA10123456784", "1Z5R89390357567127"


def say(app: App, shipment: Shipment, number: str | None = None, label: bytes | None = None) -> Shipment:
    file = base64.b64encode(label).decode() if label else None
    said = ShipmentResolveData(bought=number is not None, tracking_number=number, label=file)
    return resolve_purchase(app, shipment.id, said)


@pytest.mark.parametrize(
    ("carrier", "number"),
    [("ups", "1Z999"), ("ups", "1Z999AA10123456785"), ("usps", "9400111201080805483017"), ("usps", "12 34")],
)
def test_a_number_that_is_none_of_the_carriers_is_refused(timed: App, carrier: str, number: str) -> None:
    shipment = in_doubt(timed, carrier)
    with pytest.raises(Invalid, match="is not a tracking number of"):
        say(timed, shipment, number)
    assert shipments.get_shipment(timed, shipment.id).status == "needs_attention"


def test_a_purchase_without_its_number_is_not_closed(timed: App) -> None:
    with pytest.raises(Invalid, match="which tracking number"):
        resolve_purchase(timed, in_doubt(timed).id, ShipmentResolveData(bought=True))


def test_a_wrong_number_is_corrected_by_another(timed: App) -> None:
    shipment = in_doubt(timed)
    wrong = say(timed, shipment, OTHER)
    right = say(timed, shipment, NUMBER)
    assert (right.status, right.tracking_number) == ("purchased", NUMBER)
    assert right.tracker_id != wrong.tracker_id
    assert [tracker["tracking_number"] for tracker in timed.store.each("tracker")] == [NUMBER]
    assert [message for message in right.messages if message.code == "outcome_unknown"] == []


def test_a_label_that_was_not_bought_after_all_is_a_draft_again(timed: App) -> None:
    shipment = in_doubt(timed)
    say(timed, shipment, NUMBER, PDF)
    back = say(timed, shipment)
    assert (back.status, back.tracking_number, back.label_url) == ("draft", None, None)
    assert timed.store.count("tracker") == 0
    assert timed.store.file(back.id, "label") is None
    chosen = ShipmentPurchaseData(selected_rate_id=back.rates[0].id)
    again = shipments.purchase_shipment(timed, back.id, chosen)
    assert live_labels(timed) == {"SO-1": [again.tracking_number]}


def test_a_label_that_was_bought_after_all_is_kept(timed: App) -> None:
    shipment = in_doubt(timed)
    say(timed, shipment)
    assert say(timed, shipment, NUMBER).tracking_number == NUMBER


def test_metadata_that_was_changed_since_stays(timed: App) -> None:
    from shipcli.models import ShipmentUpdateData

    shipment = in_doubt(timed)
    say(timed, shipment, OTHER)
    note = ShipmentUpdateData.model_validate({"metadata": {"shelf": "B4"}})
    shipments.update_shipment(timed, shipment.id, note)
    assert say(timed, shipment, NUMBER).metadata["shelf"] == "B4"


def test_a_draft_that_was_bought_since_is_not_resolved(timed: App) -> None:
    shipment = in_doubt(timed)
    back = say(timed, shipment)
    shipments.purchase_shipment(timed, back.id, ShipmentPurchaseData(selected_rate_id=back.rates[0].id))
    with pytest.raises(Conflict, match="bought meanwhile"):
        say(timed, shipment, NUMBER)


def test_what_a_pickup_holds_is_not_resolved_otherwise(timed: App) -> None:
    shipment = in_doubt(timed, "usps")
    number = "9400111201080805483016"
    say(timed, shipment, number)
    booked(timed, shipments.get_shipment(timed, shipment.id))
    with pytest.raises(Conflict, match="in a pickup"):
        say(timed, shipment)


def test_of_a_purchase_that_is_known_there_is_nothing_to_say(timed: App) -> None:
    sold = bought(timed)
    with pytest.raises(Conflict, match="nothing to resolve"):
        say(timed, sold, NUMBER)
    with pytest.raises(NotFound):
        resolve_purchase(timed, "shp_none", ShipmentResolveData(bought=False))


# -- its label -------------------------------------------------------------------------------------


def test_a_label_file_is_kept_and_can_be_printed(timed: App) -> None:
    shipment = say(timed, in_doubt(timed), NUMBER, PDF)
    assert (shipment.label_type, str(shipment.label_url).rpartition(".")[2]) == ("PDF", "pdf")
    assert labels.get_label(timed, shipment).content == PDF
    assert [one["id"] for one in printouts.list_unprinted(timed)[0]] == [shipment.id]


def test_a_label_file_says_its_own_format(timed: App) -> None:
    shipment = say(timed, in_doubt(timed), NUMBER, b"^XA^FO1,1^XZ")
    assert shipment.label_type == "ZPL"
    assert labels.get_label(timed, shipment).format == "ZPL"


def test_a_label_file_may_come_later(timed: App) -> None:
    shipment = in_doubt(timed)
    say(timed, shipment, NUMBER)
    assert labels.get_label(timed, say(timed, shipment, NUMBER, PDF)).content == PDF


def test_a_file_that_is_no_label_is_refused(timed: App) -> None:
    with pytest.raises(Invalid, match="not a PDF"):
        say(timed, in_doubt(timed), NUMBER, b"hello")


def test_a_parcel_without_a_label_file_stands_in_nobodys_way(timed: App) -> None:
    say(timed, in_doubt(timed), NUMBER)
    other = bought(timed)
    assert [one["id"] for one in printouts.list_unprinted(timed)[0]] == [other.id]
    assert read_open_day(LocalGateway(timed)).lacking == ()


# -- voided ----------------------------------------------------------------------------------------


def test_a_label_of_canada_post_is_voided_by_the_number_that_a_person_typed(timed: App) -> None:
    from shipcli.models import ShipmentCancelData

    sold = bought(timed, "canadapost")
    given = ShipmentCancelData(shipment_identifier=str(sold.tracking_number))
    assert proxy.void_label(timed, "canadapost", given).confirmation is not None
    assert live_labels(timed) == {}
    with pytest.raises(Refused, match="no shipment with the PIN"):
        proxy.void_label(timed, "canadapost", given)
