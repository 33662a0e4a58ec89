"""What rules set, and what they leave alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.book.boxes import save_box
from shipcli.features.book.drafts import make_draft
from shipcli.features.core.app import App
from shipcli.features.files.shipment_changes import is_other_parcel
from shipcli.features.orders.rule_trials import explain_object, try_rules
from shipcli.features.orders.service import create_order
from shipcli.features.rules import rule_files
from shipcli.features.rules import service as rules
from shipcli.features.rules.facts import describe_fact, read_fact
from shipcli.features.shipments.service import create_shipment, fetch_rates
from shipcli.features.shipments.ship import RateCriteria, make_rated_draft, select_rate
from shipcli.models import Conflict, Invalid, NotFound, OrderData, ShipmentRateData
from shipcli.models.conditions import parse_condition
from shipcli.models.rule import RuleData, RulePatch, RuleSet, RuleTrialRequest
from tests.factories import ITEM, RECIPIENT, SHIPPER, draft
from tests.features.conftest import Clock

SIZES = {"length": "12", "width": "8", "height": "4", "dimension_unit": "IN"}
LIGHT = {"parcels": [{"weight": 1, "weight_unit": "LB"}]}


def add(app: App, condition: str, **settings: Any) -> None:
    rules.add_rule(app, RuleData(condition=condition, **settings))


def choose(app: App, criteria: RateCriteria, **changes: Any) -> Any:
    """The service that is chosen without a person."""
    from shipcli.features.shipments.defaults import read_defaults

    rated = make_rated_draft(app, draft(**changes))
    return select_rate(read_defaults(app), rated, criteria, lambda offered: pytest.fail("it asks"))


def test_the_first_rule_that_sets_a_thing_wins(app: App) -> None:
    add(app, "weight<2lb", printer="dock", options={"insurance": 50})
    add(app, "country=US", printer="desk", options={"insurance": 70, "signature_confirmation": True})
    stored = create_shipment(app, draft(**LIGHT))
    assert (stored.options["insurance"], stored.options["signature_confirmation"]) == (50, True)
    assert explain_object(app, stored.id).settings["printer"] == "dock"
    rules.change_rule(app, "rule 2", RulePatch(position=1))
    fetched = fetch_rates(app, stored.id, ShipmentRateData())
    assert fetched.options["insurance"] == 70
    rules.replace_rules(app, RuleSet(rules=[]))
    assert "insurance" not in fetch_rates(app, stored.id, ShipmentRateData()).options


def test_a_request_wins_over_rules(app: App) -> None:
    save_box(app, "M", SIZES)
    add(app, "country=US", service="standard_service", box="M", options={"insurance": 50}, label_type="PNG")
    stored = create_shipment(
        app,
        draft(options={"insurance": 9}, label_type="ZPL", services=["ups_ground"],
              parcels=[{"weight": 1, "weight_unit": "LB", **SIZES, "length": "6"}]),
    )  # fmt: skip
    assert (stored.options["insurance"], stored.label_type) == (9, "ZPL")
    assert stored.parcels[0].length == 6
    assert "service" not in explain_object(app, stored.id).settings
    assert choose(app, RateCriteria(service="ups_ground"), **LIGHT).service == "ups_ground"
    assert choose(app, RateCriteria(rule="cheapest", carriers=("ups",)), **LIGHT).carrier_id == "ups"


def test_a_box_counts_its_tare_where_goods_were_added_up(app: App) -> None:
    save_box(app, "M", {**SIZES, "weight": "4", "weight_unit": "OZ"})
    add(app, "country=US", box="M")
    goods = [{"title": "Mug", "weight": 1, "weight_unit": "LB", "quantity": 2}]
    added_up, weighed = (
        make_rated_draft(
            app, draft(parcels=[{"weight": weight, "weight_unit": "LB", "items": goods}])
        ).parcels[0]
        for weight in (2, 3)
    )
    assert (added_up.length, added_up.weight) == (12, Decimal("2.25"))
    assert (weighed.length, weighed.weight) == (12, 3)


def test_a_row_is_the_same_parcel_after_a_rule_chose_its_box(app: App) -> None:
    save_box(app, "M", SIZES)
    add(app, "country=US", box="M", options={"insurance": 50})
    data = draft(**LIGHT)
    stored = create_shipment(app, data)
    assert stored.parcels[0].length == 12
    assert not is_other_parcel(make_draft(app, data), data.options, stored)


def test_rates_decide_where_a_condition_is_about_them(app: App) -> None:
    add(app, "carrier=ups and transit_days<=3", service="cheapest", name="Quick")
    add(app, "weight>0g", service="fastest", name="Else")
    rate = choose(app, RateCriteria(), **LIGHT)
    assert rate.carrier_id == "ups"
    assert rate.transit_days <= 3
    stored = create_shipment(app, draft(**LIGHT))
    explained = {row.service: row.outcome for row in explain_object(app, stored.id).rates}
    assert explained["ups_ground"].startswith("left out: not transit_days<=3") or rate.service == "ups_ground"
    assert explained["standard_service"].startswith("left out: not carrier=ups")
    assert stored.rates[0].carrier_id == "ups"


def test_what_is_not_offered_is_said_and_not_replaced(app: App) -> None:
    add(app, "country=US", service="canadapost_regular_parcel", name="North")
    with pytest.raises(
        Invalid, match=r"The rule 'North' chooses canadapost_regular_parcel, which is not offered"
    ):
        choose(app, RateCriteria(rule="cheapest"), **LIGHT)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"condition": "wieght<2lb", "service": "cheapest"}, r"Did you mean weight\? \(at 1: »wieght«<2lb\)"),
        ({"condition": "weight<2", "service": "cheapest"}, "A weight is a number with its unit"),
        ({"condition": "weight<1,5kg", "service": "cheapest"}, "a number has a point, and no comma"),
        ({"condition": "sku=A&B", "service": "cheapest"}, "a text with such signs is put in quotes"),
        ({"condition": "value>$100", "service": "cheapest"}, r"such as 100USD, not '\$100'"),
        ({"condition": "weight<2lb"}, "a rule sets a service"),
        ({"condition": "weight<2lb", "service": "ups_grnd"}, "Did you mean ups_ground"),
        ({"condition": "weight<2lb", "box": "XXL"}, "There is no box 'XXL'"),
        ({"condition": "weight<2lb", "options": {"insurence": 1}}, "Did you mean insurance"),
        ({"condition": "weight<2lb", "options": {"insurance": "abc"}}, "insurance: 'abc' is not a number"),
        ({"condition": "weight<2lb", "options": {"saturday_delivery": "maybe"}}, "neither true nor false"),
        ({"condition": "carrier=upss", "service": "cheapest"}, "carrier=upss: there is no carrier 'upss'"),
        ({"condition": "service=ups_grnd", "service": "cheapest"}, "Did you mean ups_ground"),
        ({"condition": "transit_days<2", "box": "M"}, "is known when carriers have answered"),
    ],
)
def test_a_wrong_rule_is_refused(app: App, fields: dict[str, Any], reason: str) -> None:
    save_box(app, "M", SIZES)
    with pytest.raises(Invalid, match=reason):
        rules.add_rule(app, RuleData.model_validate(fields))
    assert rules.list_rules(app).rules == []


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("state=AZ", True), ("state=Arizona", True), ("state in (ca, ARIZONA)", True), ("state=US-AZ", True),
        ("state!=Arizona", False), ("state=Nevada", False), ("zip=85004", True), ("zip=85004-1234", True),
        ("zip between 85000 and 85004", True), ("tag=“vip”", True), ("tag in (‘b2b’, „vip“)", True),
    ],
)  # fmt: skip
def test_places_and_texts_are_known_by_all_their_spellings(app: App, condition: str, fits: bool) -> None:
    """A shop writes the code and the whole ZIP code, the person who writes the rule the name."""
    add(app, condition, options={"insurance": 50})
    to = {**RECIPIENT, "postal_code": "85004-1234"}
    stored = create_shipment(app, draft(**LIGHT, recipient=to, metadata={"tags": "vip"}))
    assert ("insurance" in stored.options) is fits, explain_object(app, stored.id)


@pytest.mark.parametrize(
    ("place", "day", "hour"),
    [
        ({"state_code": "CA", "postal_code": "94105"}, "tue", 20),
        ({"state_code": None, "postal_code": "02134"}, "tue", 23),
        ({"state_code": "QLD", "postal_code": "4000", "country_code": "AU"}, "wed", 13),
        ({"state_code": None, "postal_code": "10115", "country_code": "DE"}, "wed", 5),
    ],
)
def test_day_and_hour_are_those_of_where_a_parcel_leaves(
    timed: App, clock: Clock, place: dict[str, Any], day: str, hour: int
) -> None:
    clock.advance(hours=-11)  # half past three in the morning of a Wednesday in UTC
    add(timed, f"day={day} and hour={hour}", options={"insurance": 50})
    stored = create_shipment(timed, draft(shipper={**SHIPPER, **place}))
    assert stored.options.get("insurance") == 50


@pytest.mark.parametrize(
    ("condition", "hours"),
    [("hour between 22 and 6", [22, 23, 0, 6]), ("hour between 9 and 12", [9, 12]),
     ("hour not between 22 and 6", [7, 12, 9, 21])],
)  # fmt: skip
def test_hours_and_days_go_round(condition: str, hours: list[int]) -> None:
    test = parse_condition(condition).is_fulfilled
    assert {hour for hour in (0, 6, 7, 9, 12, 21, 22, 23) if test({"hour": Decimal(hour)})} == set(hours)
    assert not parse_condition("hour between 22 and 6").is_fulfilled({"hour": None})
    weekend = parse_condition("day between fri and mon").is_fulfilled
    assert [day for day in range(7) if weekend({"day": Decimal(day)})] == [0, 4, 5, 6]


def test_a_decision_of_an_earlier_version_is_explained(app: App) -> None:
    """It kept the code of the state alone."""
    assert read_fact("state", "az") == ("az",)
    assert describe_fact("state", ("az", "arizona")) == "az"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "can't be read: No such file or directory"),
        (b"rules: [\n", "can't be read: line 2: expected the node content"),
        (b"rules:\n- {name: M\xfcll}\n", "can't be read: it is not a text in UTF-8"),
        (b"rules: \x07\n", "can't be read: unacceptable character #x0007"),
    ],
)
def test_a_file_that_can_not_be_read_says_why_in_words(
    tmp_path: Any, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "rules.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Invalid) as caught:
        rule_files.read_rule_file(path)
    assert reason in caught.value.message
    assert "Errno" not in caught.value.message
    assert "\n" not in caught.value.message


def test_rules_are_for_what_is_sent(app: App) -> None:
    add(app, "country=US", service="usps_ground_advantage", options={"insurance": 50}, label_type="ZPL")
    back = create_shipment(app, draft(**LIGHT, options={"is_return": True}, carrier_ids=["ups"]))
    assert ("insurance" in back.options, back.label_type) == (False, "PDF")
    explained = explain_object(app, back.id)
    assert (explained.summary, explained.rules) == ("It is a return: rules are for what is sent", [])


def test_rules_are_named_moved_and_removed(app: App) -> None:
    for name in ("A", "B", "C"):
        add(app, "country=US", service="cheapest", name=name)
    with pytest.raises(Conflict, match="There is a rule 'a' already"):
        add(app, "country=US", service="cheapest", name="a")
    rules.change_rule(app, "c", RulePatch(position=1))
    rules.change_rule(app, "A", RulePatch(position=9))
    assert [rule.name for rule in rules.list_rules(app).rules] == ["C", "B", "A"]
    assert rules.remove_rule(app, "2").name == "B"
    with pytest.raises(NotFound, match="There is no rule 'B'"):
        rules.get_rule(app, "B")


def test_a_file_of_rules_is_read_as_it_was_written(app: App, tmp_path: Any) -> None:
    add(app, "country!=US and (tag=fragile or value>=100USD)", options={"insurance": 100}, name="Insured")
    add(app, "method=Next Day", service="fastest", enabled=False)
    before = rules.list_rules(app).rules
    path = tmp_path / "rules.yaml"
    path.write_text(rule_files.write_rules(before))
    after = rules.replace_rules(app, RuleSet(rules=rule_files.read_rule_file(path))).rules
    alike = [rule.model_copy(update={"id": "", "created_at": ""}) for rule in (*before, *after)]
    assert alike[:2] == alike[2:]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a", "has no list of rules"),
        ("rules: [{when: a}]", "a rule has no when"),
        ("rules: [{", "can't be read"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(tmp_path: Any, text: str, reason: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    with pytest.raises(Invalid, match=reason) as caught:
        rule_files.read_rule_file(path)
    assert "rules.yaml" in caught.value.message


def test_orders_are_tried_by_tag_method_and_source(app: App) -> None:
    for number, metadata in (
        ("1", {"tags": "Fragile, gift"}),
        ("2", {"shipping_method": "Next Day"}),
        ("3", {}),
    ):
        create_order(
            app,
            OrderData.model_validate(
                {"order_id": number, "source": "shopify", "shipping_to": RECIPIENT, "shipping_from": SHIPPER,
                 "line_items": [ITEM], "metadata": metadata}
            ),
        )  # fmt: skip
    add(app, "tag=fragile and source=Shopify", options={"insurance": 100}, name="Fragile")
    add(app, 'method="next day"', service="fastest", name="Next")
    trial = try_rules(app, RuleTrialRequest())
    assert {row.id: row.settings for row in trial.orders} == {
        "1": {"options.insurance": 100}, "2": {"service": "fastest"}, "3": {},
    }  # fmt: skip
    assert trial.matches == {"Fragile": 1, "Next": 1}
    assert app.store.count("shipment") == 0
