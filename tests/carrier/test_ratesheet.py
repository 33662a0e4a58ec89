"""Prices from service levels, and rate sheets as rows of a table."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    FIELD_ERROR,
    Carrier,
    CarrierConfig,
    CarrierError,
    Context,
    Credentials,
    Flow,
)
from shipcli.carrier.ratesheet import (
    Route,
    explain_rejections,
    find_zone,
    list_quotes,
    rate_by_sheet,
    reject_reason,
)
from shipcli.carrier.service_level import ServiceLevel, Zone, override_levels, read_levels
from shipcli.carrier.sheet_rows import read_sheet
from shipcli.models import Invalid, Parcel, Quote, RateRequest, json
from tests.shared import find_shared, list_rows


def level(**values: Any) -> ServiceLevel:
    zones = values.pop("zones", [{"rate": 10}])
    return ServiceLevel.model_validate(
        {"service_code": "parcel", "service_name": "Parcel", "currency": "EUR", "zones": zones, **values}
    )


def ask(*weights: Any, to: str = "FR", origin: str | None = "FR", **values: Any) -> RateRequest:
    recipient = {"country_code": to, **values.pop("recipient", {})}
    parcels = [{"weight": weight, "weight_unit": "KG"} for weight in weights or (1,)]
    return RateRequest.model_validate(
        {"shipper": {"country_code": origin}, "recipient": recipient, "parcels": parcels, **values}
    )


def price(levels: list[ServiceLevel], request: RateRequest, **values: Any) -> dict[str, Decimal]:
    return {
        str(one.service): one.total_charge for one in list_quotes(levels, request, carrier_name="x", **values)
    }


def box(**values: Any) -> Parcel:
    return Parcel.model_validate({"weight": 1, "weight_unit": "KG", "dimension_unit": "CM", **values})


# -- which services fit ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domicile", "international", "at_home", "abroad"),
    [
        (None, None, True, True),
        (True, None, True, False),
        (None, True, False, True),
        (False, None, False, True),
        (None, False, True, False),
        (True, True, True, True),
        (False, True, False, True),
        (False, False, False, False),
    ],
)
def test_a_service_goes_where_domicile_and_international_say(
    domicile: bool | None, international: bool | None, at_home: bool, abroad: bool
) -> None:
    one = level(domicile=domicile, international=international)
    assert (bool(price([one], ask())), bool(price([one], ask(to="DE")))) == (at_home, abroad)


def test_the_account_country_stands_for_a_shipper_without_one() -> None:
    one = level(domicile=True)
    assert price([one], ask(origin=None, to="FR"), home="FR")
    assert not price([one], ask(origin=None, to="FR"), home="DE")


def test_a_shipment_of_unknown_origin_is_domestic() -> None:
    assert price([level(domicile=True)], ask(origin=None))


def test_an_inactive_service_is_not_offered() -> None:
    assert price([level(active=False)], ask()) == {}


def test_only_services_asked_for_are_quoted() -> None:
    levels = [level(), level(service_code="express")]
    assert set(price(levels, ask(services=["express", "other_carrier_ground"]))) == {"express"}


def test_names_that_the_sheet_does_not_know_restrict_nothing() -> None:
    assert set(price([level()], ask(services=["other_carrier_ground"]))) == {"parcel"}


def test_weight_limits_count_in_the_unit_of_the_service() -> None:
    one = level(min_weight="0.5", max_weight=70, weight_unit="LB")
    assert price([one], ask("31.7"))
    assert not price([one], ask(32))
    assert not price([one], ask("0.2"))


def test_a_box_may_be_turned_when_all_three_limits_are_given() -> None:
    one = level(max_length=35, max_width=25, max_height=10)
    route = Route.of(ask())
    assert reject_reason(one, route, box(length=10, width=35, height=25)) is None
    assert (
        reject_reason(one, route, box(length=11, width=35, height=25)) == "does not take parcels of this size"
    )


def test_a_single_limit_holds_for_its_own_side() -> None:
    one, route = level(max_length=175), Route.of(ask())
    assert reject_reason(one, route, box(length=170, width=10, height=10)) is None
    assert reject_reason(one, route, box(length=176, width=10, height=10))


def test_sizes_are_converted() -> None:
    one, route = level(max_length=10, dimension_unit="IN"), Route.of(ask())
    assert reject_reason(one, route, box(length="25.4")) is None
    assert reject_reason(one, route, box(length="25.5"))


def test_unknown_sizes_fit() -> None:
    assert price([level(max_length=10, max_width=10, max_height=10)], ask())


def test_a_parcel_without_weight_is_refused_by_name() -> None:
    with pytest.raises(Invalid, match="weight"):
        price([level()], ask(None))


# -- zones and prices ------------------------------------------------------------------------------

BRACKETS = [{"max_weight": 1, "rate": 5}, {"max_weight": 2, "rate": 7}, {"max_weight": 5, "rate": 9}]


@pytest.mark.parametrize(("weight", "rate"), [("0.2", 5), (1, 5), ("1.001", 7), (2, 7), (5, 9)])
def test_the_lowest_bracket_that_holds_the_weight_prices_it(weight: Any, rate: int) -> None:
    assert price([level(zones=BRACKETS[::-1])], ask(weight)) == {"parcel": rate}


@pytest.mark.parametrize(("weight", "rate"), [("1.9", 5), (2, 7), ("2.1", 7), (5, 7)])
def test_a_weight_where_brackets_meet_is_priced_above_if_the_service_says_so(weight: Any, rate: int) -> None:
    zones = [{"min_weight": 0, "max_weight": 2, "rate": 5}, {"min_weight": 2, "max_weight": 5, "rate": 7}]
    assert price([level(zones=zones, border_above=True)], ask(weight)) == {"parcel": rate}
    assert price([level(zones=zones)], ask(2)) == {"parcel": 5}
    assert price([level(zones=BRACKETS, border_above=True)], ask(2)) == {"parcel": 7}


def test_a_price_is_told_as_a_line_if_the_service_names_it() -> None:
    named, plain = level(charge="Base Charge"), level(service_code="plain")
    quotes = list_quotes([named, plain], ask(1, 2), carrier_name="x")
    lines = [[(line.name, line.amount, line.currency) for line in quote.extra_charges] for quote in quotes]
    assert lines == [[("Base Charge", 20, "EUR")], []]


def test_a_weight_beyond_the_last_bracket_is_not_priced() -> None:
    assert price([level(zones=BRACKETS)], ask("5.01")) == {}


def test_brackets_with_a_lower_end_start_there() -> None:
    zones = [{"min_weight": 2, "max_weight": 5, "rate": 9}]
    assert price([level(zones=zones)], ask("1.99")) == {}
    assert price([level(zones=zones)], ask(2)) == {"parcel": 9}


def test_a_zone_of_countries_beats_the_zone_for_the_rest() -> None:
    one = level(zones=[{"rate": 30}, {"rate": 12, "country_codes": ["de", "AT"]}])
    assert price([one], ask(to="DE")) == {"parcel": 12}
    assert price([one], ask(to="JP")) == {"parcel": 30}


def test_a_country_without_a_zone_is_not_served() -> None:
    assert price([level(zones=[{"rate": 12, "country_codes": ["DE"]}])], ask(to="JP")) == {}


@pytest.mark.parametrize(
    ("area", "code", "inside"),
    [
        ("75*", "75008", True),
        ("75*", "69001", False),
        ("1000-1999", "1500", True),
        ("1000-1999", "2000", False),
        ("90000-90299", "90210-1234", True),
        ("SW1A 1AA", "sw1a1aa", True),
        ("SW1*", "SW1A 1AA", True),
        ("K1A", "K1A 0B1", False),
        ("10118", "10118-0001", True),
        ("100-0001", "1000001", True),
        ("75*", None, False),
    ],
)
def test_postal_codes_are_full_a_beginning_or_a_range(area: str, code: str | None, inside: bool) -> None:
    one = level(zones=[{"rate": 3, "postal_codes": [area]}])
    assert bool(price([one], ask(to="US", recipient={"postal_code": code}))) is inside


def test_a_postal_zone_beats_the_zone_of_its_country() -> None:
    zones = [
        {"rate": 9, "country_codes": ["FR"]},
        {"rate": 4, "country_codes": ["FR"], "postal_codes": ["75*"]},
    ]
    assert price([level(zones=zones)], ask(recipient={"postal_code": "75001"})) == {"parcel": 4}
    assert price([level(zones=zones)], ask(to="DE", recipient={"postal_code": "75001"})) == {}


def test_cities_and_postal_codes_of_a_zone_mean_either() -> None:
    one = level(zones=[{"rate": 4, "postal_codes": ["75*"], "cities": ["Saint-Denis"]}])
    assert price([one], ask(recipient={"city": "SAINT-DENIS", "postal_code": "93200"}))
    assert price([one], ask(recipient={"city": "Paris", "postal_code": "75001"}))
    assert not price([one], ask(recipient={"city": "Lyon", "postal_code": "69001"}))


def test_parcels_are_priced_each_and_summed() -> None:
    assert price([level(zones=BRACKETS)], ask(1, 2, 5)) == {"parcel": 21}


def test_a_service_that_one_parcel_does_not_fit_is_not_offered() -> None:
    levels = [level(zones=BRACKETS), level(service_code="freight", zones=[{"rate": 80}])]
    assert price(levels, ask(1, 6)) == {"freight": 160}


def test_the_days_are_the_zones_else_the_services_and_the_slowest_parcels() -> None:
    zones = [{"max_weight": 1, "rate": 5, "transit_days": 2}, {"max_weight": 9, "rate": 7}]
    one = level(transit_days=4, zones=zones)
    days = [
        list_quotes([one], ask(*weights), carrier_name="x")[0].transit_days
        for weights in [(1,), (2,), (1, 2)]
    ]
    assert days == [2, 4, 4]


def test_a_quote_names_the_service_and_who_asked() -> None:
    found = list_quotes([level(zones=[{"rate": "4.50"}])], ask(), carrier_name="acme", carrier_id="acme-1")
    assert found == [
        Quote(
            carrier_name="acme",
            carrier_id="acme-1",
            service="parcel",
            total_charge=Decimal("4.50"),
            currency="EUR",
            meta={"service_name": "Parcel"},
        )
    ]


def test_an_exact_zone_is_found_for_a_weight() -> None:
    zone = find_zone(level(zones=BRACKETS), Route.of(ask()), Decimal(2))
    assert zone == Zone(rate=Decimal(7), max_weight=Decimal(2))


def test_a_changed_service_prices_by_its_new_zones() -> None:
    one = level(zones=[{"rate": 30}, {"rate": 12, "country_codes": ["DE"]}])
    assert price([one], ask(to="DE")) == {"parcel": 12}
    assert price([one.model_copy(update={"zones": one.zones[:1]})], ask(to="DE")) == {"parcel": 30}


def test_a_service_that_has_priced_looks_like_one_that_has_not() -> None:
    one, other = level(zones=BRACKETS), level(zones=BRACKETS)
    price([one], ask())
    assert (one, one.model_dump()) == (other, other.model_dump())


# -- when nothing fits -----------------------------------------------------------------------------


def test_the_message_says_why_for_each_service() -> None:
    levels = [level(max_weight=2), level(service_code="abroad", international=True)]
    message = explain_rejections(levels, ask(30))
    assert message.code == FIELD_ERROR
    assert message.details == {
        "parcel": "takes up to 2 KG, the parcel weighs 30",
        "abroad": "does not go inside the country",
    }


def test_a_place_that_no_service_reaches_has_its_own_code() -> None:
    message = explain_rejections([level(zones=[{"rate": 1, "country_codes": ["DE"]}])], ask(to="JP"))
    assert message.code == DESTINATION_NOT_SERVICED
    assert message.message == "No service fits: parcel has no zone for JP"


# -- levels as data --------------------------------------------------------------------------------


def test_the_plain_form_leaves_out_what_is_not_said() -> None:
    assert level(zones=[{"label": "Zone 1", "rate": 0}]).model_dump() == {
        "service_code": "parcel",
        "service_name": "Parcel",
        "currency": "EUR",
        "active": True,
        "metadata": {},
        "zones": [{"label": "Zone 1", "rate": 0}],
    }


def test_levels_of_a_connection_replace_those_they_name() -> None:
    own = [level(zones=[{"rate": 3}]), level(service_code="mine")]
    merged = override_levels([level(), level(service_code="other")], own)
    assert [(one.service_code, one.zones[0].rate) for one in merged] == [
        ("other", 10),
        ("parcel", 3),
        ("mine", 10),
    ]


# -- a carrier that rates by its sheet --------------------------------------------------------------


class Account(Credentials):
    account_country_code: str | None = None


class Van(Carrier[Account, CarrierConfig]):
    slug = "van"
    name = "Van"
    Credentials = Account
    Config = CarrierConfig
    service_levels = read_levels(
        [
            {"service_code": "eco", "service_name": "Eco", "currency": "EUR", "zones": [{"rate": "5.50"}]},
            {"service_code": "night", "service_name": "Night", "currency": "EUR", "domicile": True,
             "zones": [{"rate": 9}]},
        ]
    )  # fmt: skip

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)


def rated(request: RateRequest, *own: ServiceLevel, country: str | None = None) -> dict[str, Decimal]:
    context = Context(now=datetime(2025, 3, 4, tzinfo=UTC), carrier_id="van-1", rate_sheet=own)
    flow = Van.open({"account_country_code": country}, {}, context).rate(request)
    with pytest.raises(StopIteration) as done:
        next(flow)
    return {one.service: one.total_charge for one in done.value.value if one.carrier_id == "van-1"}


def test_a_carrier_states_its_levels_and_has_rates() -> None:
    assert Van.capabilities() == ["rating"]
    assert rated(ask()) == {"eco": Decimal("5.50"), "night": 9}


def test_a_sheet_of_the_connection_replaces_the_services_it_names() -> None:
    own = level(service_code="eco", zones=[{"rate": 4}])
    assert rated(ask(to="DE"), own) == {"eco": 4}


def test_the_connection_owns_what_its_sheet_adds() -> None:
    context = Context(now=datetime(2025, 3, 4, tzinfo=UTC), rate_sheet=(level(),))
    assert Van.open({}, {}, context).list_offered() == ["eco", "night", "parcel"]


def test_the_country_of_the_account_is_the_shippers_when_none_is_given() -> None:
    assert rated(ask(origin=None, to="FR"), country="DE") == {"eco": Decimal("5.50")}


def test_a_carrier_without_a_fitting_service_says_why() -> None:
    flow = Van.open({}, {}, Context(now=datetime(2025, 3, 4, tzinfo=UTC))).rate(
        ask(to="DE", services=["night"])
    )
    with pytest.raises(CarrierError, match="night does not go outside the country"):
        next(flow)


# -- a table ---------------------------------------------------------------------------------------

ROW = {"service_code": "eco", "currency": "EUR", "zone": "A", "max_weight": "2", "rate": "4.90"}


def problems(*rows: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        read_sheet(rows)
    return [tuple(problem) for problem in caught.value.problems]


def test_a_row_is_a_service_with_one_zone() -> None:
    row = {
        "Service Code": "eco", "Service Name": "Economy", "Currency": "eur", "domicile": "yes",
        "international": None, "zone": "EU 1", "country_codes": "be, FR;de", "max_weight": 2.0,
        "transit_days": 3, "rate": 4.9,
    }  # fmt: skip
    assert [one.model_dump() for one in read_sheet([row])] == [
        {
            "service_code": "eco",
            "service_name": "Economy",
            "currency": "EUR",
            "active": True,
            "domicile": True,
            "metadata": {},
            "zones": [
                {
                    "label": "EU 1",
                    "rate": Decimal("4.9"),
                    "max_weight": 2,
                    "transit_days": 3,
                    "country_codes": ["BE", "FR", "DE"],
                }
            ],
        }
    ]


def test_rows_of_one_service_are_its_zones() -> None:
    rows = [ROW, {**ROW, "service_code": "fast"}, {**ROW, "max_weight": "5", "rate": 7, "currency": ""}]
    assert [(one.service_code, [zone.rate for zone in one.zones]) for one in read_sheet(rows)] == [
        ("eco", [Decimal("4.90"), 7]),
        ("fast", [Decimal("4.90")]),
    ]


def test_a_service_without_a_name_is_named_after_its_code() -> None:
    assert read_sheet([{**ROW, "service_code": "next_day"}])[0].service_name == "Next Day"


def test_postal_codes_keep_their_blanks() -> None:
    assert read_sheet([{**ROW, "postal_codes": "K1A 0B1; 75*"}])[0].zones[0].postal_codes == [
        "K1A 0B1",
        "75*",
    ]


def test_empty_rows_are_passed_over_but_counted() -> None:
    assert problems(ROW, {"service_code": "", "rate": float("nan")}, {**ROW, "rate": "x"}) == [
        ("row 4, rate", "must be a number")
    ]


def test_every_wrong_cell_is_named_by_row_and_column() -> None:
    wrong = {
        **ROW, "currency": "EURO", "rate": "-1", "transit_days": "1.5", "domicile": "perhaps",
        "country_codes": "FR XX", "weight_unit": "stone",
    }  # fmt: skip
    assert problems(ROW, wrong) == [
        ("row 3, currency", "'EURO' is not a currency code such as EUR"),
        ("row 3, domicile", "must be yes or no"),
        ("row 3, weight_unit", "must be one of KG, LB, OZ, G"),
        ("row 3, country_codes", "XX: not a country code such as FR"),
        ("row 3, transit_days", "must be a whole number"),
        ("row 3, rate", "must not be negative"),
    ]


def test_a_missing_cell_is_named() -> None:
    assert problems({**ROW, "rate": ""}) == [("row 2, rate", "is required")]
    assert problems({**ROW, "currency": ""}) == [("row 2, currency", "is required")]


def test_missing_and_unknown_columns_are_named_with_the_nearest() -> None:
    assert problems({"service_code": "eco", "currency": "EUR", "rates": 4}) == [
        ("row 1, rate", "the column is missing"),
        ("row 1, rates", "there is no such column; did you mean rate?"),
    ]


def test_an_empty_table_is_refused() -> None:
    assert problems() == [("row 2", "the sheet has no rows")]


def test_rows_that_contradict_the_first_of_their_service_are_refused() -> None:
    assert problems(ROW, {**ROW, "max_weight": 5, "currency": "USD"}) == [
        ("row 3, currency", "is USD, but the first row of eco says EUR")
    ]


def test_what_only_a_later_row_says_of_a_service_is_refused() -> None:
    assert problems(ROW, {**ROW, "max_weight": 5, "domicile": "yes"}) == [
        ("row 3, domicile", "must stand in the first row of eco")
    ]


def test_the_same_bracket_twice_is_refused() -> None:
    assert problems(ROW, {**ROW, "zone": "B", "max_weight": "2.0"}) == [
        ("row 3, zone", "is the same zone and bracket as row 2")
    ]


def test_a_bracket_that_ends_before_it_starts_is_refused() -> None:
    assert problems({**ROW, "min_weight": 3}) == [("row 2, max_weight", "must not be less than min_weight")]


# -- recorded ---------------------------------------------------------------------------------------


def recorded(folder: Path) -> list[Any]:
    found = sorted(folder.glob("*/cases/rates-*.json"))
    cases = [(path, json.loads(path.read_bytes())) for path in found]
    return [
        pytest.param(case, id=f"{case['carrier']}/{path.name}")
        for path, case in cases
        if not case["http"] and case["parsed"] and not case["settings"].get("services")
    ]


@pytest.mark.parametrize("case", list_rows("carriers", recorded))
def test_recorded_rate_sheets_give_the_recorded_rates(case: dict[str, Any]) -> None:
    facts = json.loads(find_shared(f"carriers/{case['carrier']}/facts.json").read_bytes())
    levels = [ServiceLevel.model_validate(one) for one in facts["service_levels"]]
    request = RateRequest.model_validate(case["unified_request"])
    home = case["connection"].get("account_country_code")
    found = list_quotes(levels, request, carrier_name=case["carrier"], home=home)
    assert {(one.service, one.total_charge, one.currency) for one in found} == {
        (one["service"], one["total_charge"], one["currency"]) for one in case["parsed"]
    }


def test_published_service_levels_come_back_as_they_are() -> None:
    published = json.loads(find_shared("contract/references.json").read_bytes())["references"]
    for levels in published["service_levels"].values():
        assert [ServiceLevel.model_validate(one).model_dump() for one in levels] == levels
