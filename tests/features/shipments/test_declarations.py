"""What a declaration must say before anything is bought: words that carriers know, exports that are filed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.carrier.exports import check_export
from shipcli.features.connections.option_names import (
    check_customs_names,
    list_unsent_customs,
    list_unsent_options,
)
from shipcli.features.shipments.requirements import describe_other_payer, describe_payer
from shipcli.models import Address, Customs, Invalid, Rate, Shipment
from tests.carriers.bench import Bench, said
from tests.carriers.errands import ERRANDS, run_errand


def shipped(to: dict[str, str], *values: int, options: dict[str, Any] | None = None) -> Shipment:
    goods = [
        {"value_amount": value, "value_currency": "USD", "quantity": 1, "hs_code": f"9002.1{at}"}
        for at, value in enumerate(values)
    ]
    customs = Customs.model_validate({"commodities": goods, "options": options or {}})
    return Shipment.model_construct(
        shipper=Address(country_code="US"), recipient=Address(**to), customs=customs, parcels=[], options={}
    )


MEXICO, TERRITORY = {"country_code": "MX"}, {"country_code": "US", "state_code": "PR"}


@pytest.mark.parametrize("to", [MEXICO, {"country_code": "PR"}, TERRITORY])
def test_goods_over_2500_usd_leave_the_us_with_the_number_of_their_declaration(to: dict[str, str]) -> None:
    with pytest.raises(Invalid, match=r"customs\.options\.aes"):
        check_export(shipped(to, 4100))
    check_export(shipped(to, 4100, options={"aes": "X20261126123456"}))
    check_export(shipped(to, 4100, options={"eel_pfc": "NOEEI 30.36"}))


@pytest.mark.parametrize(
    ("to", "values"),
    [
        (MEXICO, (2500, 2500)),
        ({"country_code": "CA"}, (9000,)),
        ({"country_code": "US"}, (9000,)),
        ({"country_code": "GU"}, (9000,)),
        ({"country_code": "US", "state_code": "AE"}, (9000,)),
    ],
)
def test_no_declaration_is_asked_where_none_is_needed(to: dict[str, str], values: tuple[int, ...]) -> None:
    check_export(shipped(to, *values))


@pytest.mark.parametrize("verb", ["rate", "ship"])
def test_every_way_to_a_carrier_asks_for_the_number_before_a_purchase(verb: str) -> None:
    bench = Bench(registry.get("fedex"), ("US", "DE"))
    request = ERRANDS[verb](bench)
    goods = [
        item.model_copy(update={"value_amount": Decimal(2600), "quantity": 1})
        for item in request.customs.commodities
    ]
    request = request.model_copy(
        update={"customs": request.customs.model_copy(update={"commodities": goods})}
    )
    outcome = run_errand(bench, verb, request)
    in_yen = [
        item.model_copy(update={"value_amount": Decimal(400000), "value_currency": "JPY"}) for item in goods
    ]
    request = request.model_copy(
        update={
            "customs": request.customs.model_copy(update={"commodities": in_yen}),
            "options": {**request.options, "exchange_rates": "JPY=0.0068USD"},
        }
    )
    of_yen = run_errand(bench, verb, request)
    bench.close()
    for one in (outcome, of_yen):
        assert ("customs.options.aes" in said(one)) == (verb == "ship")


def test_a_misspelt_option_of_a_declaration_is_refused_with_the_nearest() -> None:
    with pytest.raises(Invalid, match=r"customs\.options\.eori_numbr.*did you mean eori_number\?"):
        check_customs_names(Customs(options={"eori_numbr": "IT1"}))
    check_customs_names(Customs(options={"eori_number": "IT1", "IOSSNUMBER": "IM1", "ioss": "IM1"}))


def test_what_a_carrier_is_not_told_is_named() -> None:
    shipment = shipped(MEXICO, 10, options={"ioss": "IM1", "license_number": "L1"})
    assert list_unsent_customs(registry.get("canpar"), shipment) == [
        "customs.options.ioss", "customs.options.license_number",
    ]  # fmt: skip
    assert list_unsent_customs(registry.get("seko"), shipment) == ["customs.options.license_number"]


@pytest.mark.parametrize(
    ("slug", "customs", "service", "misses"),
    [
        ("canadapost", {"duty": {"paid_by": "sender"}}, "canadapost_expedited_parcel_usa", True),
        ("canadapost", {"incoterm": "DDP"}, "canadapost_expedited_parcel_usa", True),
        ("canadapost", {"duty": {"paid_by": "recipient"}}, "canadapost_expedited_parcel_usa", False),
        ("asendia_us", {"duty": {"paid_by": "sender"}}, "asendia_us_e_com_tracked_ddp", False),
        ("asendia_us", {"duty": {"paid_by": "sender"}}, "asendia_us_fully_tracked", True),
        ("dhl_express", {"duty": {"paid_by": "sender"}}, "dhl_express_worldwide_nondoc", False),
    ],
)
def test_a_payer_of_duties_whom_the_forms_can_not_name_is_said_before_the_purchase(
    slug: str, customs: dict[str, Any], service: str, misses: bool
) -> None:
    shipment = shipped(MEXICO, 10).model_copy(update={"customs": Customs.model_validate(customs)})
    price: dict[str, Any] = {"total_charge": 1, "currency": "USD"}
    rate = Rate(id="rat_1", carrier_name=slug, carrier_id=slug, service=service, **price)
    texts = [note.message for note in list_unsent_options(registry.get(slug), shipment, rate)]
    assert any("pays the duties" in str(text) for text in texts) == misses


@pytest.mark.parametrize(
    ("service", "told"),
    [
        ("landmark_maxipak_scan_pddp", "the sender pays them (DDP)"),
        ("landmark_minipak_scan_ddu", "the recipient pays them (DDU)"),
        ("easypost_asendia_us_epaq_elite_dap", "the recipient pays them (DAP)"),
        ("easypost_apc_parcel_connect_priority_ddupqw", "the recipient pays them (DDU)"),
        ("easypost_canadapost_xpresspost", "the recipient pays them (DAP)"),
        ("ups_ground", "the recipient pays them (DAP)"),
        (None, "the recipient pays them (DAP)"),
    ],
)
def test_who_pays_duties_that_nobody_is_named_for_follows_the_service(service: str | None, told: str) -> None:
    assert describe_payer(Customs(), service).endswith(told)
    named = describe_payer(Customs(incoterm="DDP"), "ups_ground")
    assert named.endswith("the sender pays them (DDP)")


@pytest.mark.parametrize(
    ("service", "payer", "told"),
    [
        ("landmark_maxipak_scan_pddp", "recipient", "the sender pays the duties (DDP)"),
        ("landmark_maxipak_scan_ddu", "sender", "the recipient pays the duties (DDU)"),
        ("landmark_maxipak_scan_pddp", "sender", None),
        ("landmark_maxipak_scan_ddu", "recipient", None),
        ("ups_ground", "sender", None),
    ],
)
def test_a_service_by_which_somebody_else_pays_the_duties_is_told(
    service: str, payer: str, told: str | None
) -> None:
    customs = Customs.model_validate({"duty": {"paid_by": payer}})
    text = describe_other_payer(customs, service)
    assert bool(text) is bool(told)
    assert (told or "") in (text or "")
