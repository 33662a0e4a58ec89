"""What data cannot say of TGE: numbers that go on from purchase to purchase, faults of its facade."""

from __future__ import annotations

import pytest
from shipcli.carriers.tge import Tge
from shipcli.carriers.tge.shipments import make_sscc

from shipcli.carrier import Reply
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap

LANE = ("AU", "AU")


def test_every_purchase_has_the_numbers_after_those_of_the_one_before() -> None:
    bench = Bench(Tge, LANE, credentials={"shipment_count": 41, "sscc_count": 6})
    labels = [bench.bought(), bench.bought()]
    bench.close()
    assert [label.tracking_number for label in labels] == ["0000042", "0000043"]
    assert [label.meta["SSCCs"] for label in labels] == [[make_sscc("", 7)], [make_sscc("", 8)]]


def test_numbers_used_elsewhere_are_left_out_and_none_is_given_again() -> None:
    bench, given = Bench(Tge, LANE), []
    for used in (41, 99, 41):
        bench.credentials = {"shipment_count": used}
        given.append(bench.bought().tracking_number)
    bench.close()
    assert given == ["0000042", "0000100", "0000101"]


def test_every_parcel_has_numbers_of_its_own() -> None:
    bench = Bench(Tge, LANE, credentials={"shipment_count": 0, "sscc_count": 0})
    outcome = bench.buy(parcel("1"), parcel("2"))
    bench.close()
    assert outcome.result, said(outcome)
    assert outcome.result.meta["ShipmentIDs"] == ["0000001", "0000002"]
    assert len(set(outcome.result.meta["SSCCs"])) == 2
    assert outcome.result.meta["shipment_count"] == 2


def test_a_parcel_number_has_the_prefix_and_a_check_digit() -> None:
    assert make_sscc("9327510", 341761002) == "00093275103417610023"


@pytest.mark.parametrize(
    ("body", "doubtful"),
    [
        (b'{"Exception": "NullPointer"}', True),
        (
            b'{"TollMessage": {"ErrorMessages": {"ErrorMessage": [{"ErrorMessage": ""}]}}, "Exception": "n"}',
            False,
        ),
        (b'{"message": "Forbidden"}', False),
    ],
)
def test_a_fault_of_the_facade_leaves_a_purchase_in_doubt(body: bytes, doubtful: bool) -> None:
    bench = Bench(Tge, LANE)
    request = bench.request()
    Tap(bench, after=lambda asked, reply: Reply(200, body))
    outcome = bench.ask("ship", request)
    bench.close()
    assert (outcome.failed, outcome.unknown) == (True, doubtful)
