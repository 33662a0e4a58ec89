"""Errors, their trees and their sentences."""

import pytest
from pydantic import ValidationError

from shipcli.models import (
    BatchShipmentData,
    Conflict,
    IdempotencyConflict,
    Invalid,
    InvalidRows,
    LimitReached,
    Message,
    NoConnection,
    NotAuthorised,
    NotFound,
    OutcomeUnknown,
    ParcelData,
    Refused,
    ShipcliError,
    ShipmentData,
    Unreachable,
)
from shipcli.models.batch import split_by_row
from tests.models.samples import ADDRESS, ITEM, PARCEL, SHIPMENT


def refusal(model: type, body: object) -> Invalid:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)  # type: ignore[attr-defined]  # any model
    return Invalid.from_pydantic(caught.value)


def test_a_missing_field_is_named_in_message_and_details() -> None:
    error = refusal(ShipmentData, SHIPMENT | {"recipient": {"city": "Moncton"}})
    assert error.message == "recipient.country_code: is required"
    assert error.body() == {
        "errors": [
            {
                "code": "validation",
                "message": "recipient.country_code: is required",
                "details": {"recipient": {"country_code": ["is required"]}},
            }
        ]
    }


def test_rows_without_a_problem_are_empty_objects() -> None:
    error = refusal(ShipmentData, SHIPMENT | {"parcels": [PARCEL, {"weight": 1}]})
    assert error.details == {"parcels": [{}, {"weight_unit": ["is required"]}]}


def test_an_empty_list_is_reported_on_the_list() -> None:
    error = refusal(ShipmentData, SHIPMENT | {"parcels": []})
    assert error.details == {"parcels": {"non_field_errors": ["must not be empty"]}}
    assert error.message == "parcels: must not be empty"


def test_children_of_a_plain_list_are_reported_by_position() -> None:
    assert Invalid("enabled_events[0]", "is not known").details == {"enabled_events": {"0": ["is not known"]}}


def test_a_body_that_is_no_object_is_refused_as_a_whole() -> None:
    assert refusal(ShipmentData, [1]).details == {"non_field_errors": ["must be an object"]}


def test_a_wrong_word_gets_a_suggestion() -> None:
    assert refusal(ParcelData, PARCEL | {"weight_unit": "kg"}).message.endswith("did you mean KG?")


def test_a_reference_in_place_of_an_object_leaves_the_path_of_its_neighbours_alone() -> None:
    items = [{"id": "cdt_1"}, ITEM | {"weight": "heavy"}]
    error = refusal(ShipmentData, SHIPMENT | {"parcels": [{"id": "pcl_1"}, PARCEL | {"items": items}]})
    assert error.message == "parcels[1].items[1].weight: must be a number"


def test_several_problems_are_held_by_one_error() -> None:
    error = Invalid.many([("city", "is required"), ("parcels[1].weight", "must not be negative")])
    assert error.message == "city: is required; parcels[1].weight: must not be negative"
    assert error.details == {"city": ["is required"], "parcels": [{}, {"weight": ["must not be negative"]}]}


def test_an_error_can_be_seen_from_the_object_around_it() -> None:
    assert Invalid("weight", "is required").under("parcels[0]").message == "parcels[0].weight: is required"


def test_an_error_of_a_row_carries_its_index() -> None:
    (item,) = Invalid("city", "is required", index=3).items()
    assert item["index"] == 3


def test_a_batch_gives_one_item_for_each_wrong_row() -> None:
    rows = [SHIPMENT, {"shipper": ADDRESS, "parcels": [PARCEL]}, SHIPMENT | {"parcels": []}]
    error = split_by_row(refusal(BatchShipmentData, {"shipments": rows}), "shipments")
    assert isinstance(error, InvalidRows)
    assert [(item["index"], item["details"]) for item in error.items()] == [
        (1, {"recipient": ["is required"]}),
        (2, {"parcels": {"non_field_errors": ["must not be empty"]}}),
    ]


def test_a_batch_without_rows_gives_one_error() -> None:
    error = split_by_row(refusal(BatchShipmentData, {"shipments": []}), "shipments")
    assert error.details == {"shipments": {"non_field_errors": ["must not be empty"]}}


def test_a_refusal_answers_with_the_carrier_messages() -> None:
    error = Refused([Message(code="9", message="No service there", carrier_name="acme")])
    assert str(error) == "No service there"
    assert error.body() == {
        "messages": [{"message": "No service there", "code": "9", "details": None, "carrier_name": "acme"}]
    }


def test_a_refusal_of_tracking_may_be_a_404() -> None:
    assert Refused([], status=404).status == 404


def test_a_missing_connection_has_the_words_clients_know() -> None:
    assert NoConnection().message == "No active carrier connection found to process the request"


def test_a_missing_object_is_named() -> None:
    assert NotFound("shipment", "shp_1").message == "Shipment shp_1 not found"


@pytest.mark.parametrize(
    ("error", "code", "status", "exit_code"),
    [
        (Invalid("city", "is required"), "validation", 400, 6),
        (Invalid("service", "is not offered", "service_unavailable"), "service_unavailable", 400, 6),
        (NotFound("order"), "not_found", 404, 3),
        (NoConnection(), "not_found", 404, 3),
        (Conflict("Already bought"), "state_error", 409, 5),
        (IdempotencyConflict(), "idempotency_conflict", 409, 5),
        (Refused([]), "carrier_refused", 424, 7),
        (OutcomeUnknown([]), "outcome_unknown", 424, 7),
        (LimitReached("Too dear"), "limit_reached", 400, 11),
        (NotAuthorised("Who are you?"), "not_authenticated", 401, 4),
        (Unreachable("No answer"), "unreachable", 503, 8),
    ],
)
def test_every_error_has_its_code_status_and_exit_code(
    error: ShipcliError, code: str, status: int, exit_code: int
) -> None:
    assert (error.code, error.status, error.exit_code) == (code, status, exit_code)


def test_a_refusal_in_a_report_names_its_carrier() -> None:
    no = ("ups", "ups-main", "No")
    texts = (no, ("fedex", None, "Never"), (None, None, "Why"), no)
    messages = [
        Message.model_validate({"carrier_name": name, "carrier_id": carrier_id, "message": text})
        for name, carrier_id, text in texts
    ]
    assert Refused(messages).describe() == "ups-main: No; fedex: Never; Why"
    assert Refused([]).describe() == "The carrier refused the request"
    assert Conflict("It is taken").describe() == "It is taken"
