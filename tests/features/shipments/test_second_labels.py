"""One label for a reference, and one buyer of it at a time."""

from __future__ import annotations

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.second_labels import check_reference, hold_reference, refuse_second
from shipcli.models import Conflict, Shipment
from shipcli.models.basics.errors import AlreadyBought
from tests.factories import draft
from tests.features.shipments.purchases import bought, in_doubt


def drafted(app: App, **changes: object) -> Shipment:
    return shipments.create_shipment(app, draft(**changes))


def test_a_second_label_for_a_reference_is_refused_with_the_number_of_the_first(app: App) -> None:
    first = bought(app, "usps")
    with pytest.raises(AlreadyBought) as caught:
        check_reference(app, drafted(app), again=False)
    number = first.tracking_number
    assert caught.value.message == f"SO-1 has a label already, {number}: its shipment is purchased"


def test_a_second_label_is_sold_to_whoever_says_that_it_is_wanted(app: App) -> None:
    bought(app, "usps")
    check_reference(app, drafted(app), again=True)


def test_of_several_labels_the_newest_is_named(app: App) -> None:
    bought(app, "usps")
    newest = bought(app, "usps")
    with pytest.raises(AlreadyBought, match=str(newest.tracking_number)):
        check_reference(app, drafted(app), again=False)


def test_a_purchase_in_doubt_counts_as_a_label(timed: App) -> None:
    in_doubt(timed)
    with pytest.raises(AlreadyBought, match=r"^SO-1 may have a label: its shipment is needs_attention$"):
        check_reference(timed, drafted(timed), again=False)


def test_other_references_drafts_and_parcels_without_a_reference_are_no_obstacle(app: App) -> None:
    bought(app, "usps", reference="SO-2")
    drafted(app)
    check_reference(app, drafted(app), again=False)
    bought(app, "usps", reference=None)
    check_reference(app, drafted(app, reference=None), again=False)


@pytest.mark.parametrize("status", ["draft", "cancelled"])
def test_what_has_no_label_is_no_obstacle(app: App, status: str) -> None:
    refuse_second(drafted(app), [{"id": "shp_other", "status": status, "tracking_number": "1"}])


def test_a_shipment_is_no_obstacle_to_itself(app: App) -> None:
    itself = bought(app, "usps")
    check_reference(app, itself, again=False)


def test_a_label_of_the_other_mode_is_no_obstacle(app: App) -> None:
    bought(app, "usps")
    check_reference(app.in_mode(not app.test_mode), drafted(app), again=False)


def test_one_buyer_at_a_time_has_a_reference(app: App) -> None:
    wanted = drafted(app)
    held = "Somebody else is buying a label for SO-1 right now"
    with hold_reference(app, wanted):
        with pytest.raises(Conflict) as caught, hold_reference(app, wanted):
            raise AssertionError("two buyers at once")
        with hold_reference(app, drafted(app, reference="SO-2")):
            pass
        with hold_reference(app.in_mode(not app.test_mode), wanted):
            pass
    assert caught.value.message == held
    with hold_reference(app, wanted):
        pass  # free again


def test_parcels_without_a_reference_do_not_wait_for_each_other(app: App) -> None:
    nameless = drafted(app, reference=None)
    with hold_reference(app, nameless), hold_reference(app, nameless):
        pass
