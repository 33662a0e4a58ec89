"""Limits of services: at the border, in either unit, and what a price says of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.models import RateRequest, ShipmentRequest
from tests.carriers.bench import Bench, parcel
from tests.carriers.errands import lane_across_customs

GROUND = "ups_ground"
APO = {"address_line1": "PSC 3 Box 12", "city": "APO", "state_code": "AE", "postal_code": "09012"}


def ask(bench: Bench, verb: str, box: dict[str, Any], **values: Any) -> tuple[list[str], list[str]]:
    """What is offered or bought, and what is said of it."""
    options, recipient = values.pop("options", {}), values.pop("recipient", {})
    size = {name: Decimal(value) if name != "weight_unit" and name[-4:] != "unit" else value
            for name, value in box.items()}  # fmt: skip
    body = bench.shipment(parcel().model_copy(update=size))
    body = {
        **body,
        "options": {**body["options"], **options},
        "recipient": body["recipient"].model_copy(update=recipient),
        **values,
    }
    kind = RateRequest if verb == "rate" else ShipmentRequest
    outcome = bench.ask(verb, kind.model_validate(body))
    bought = outcome.result if isinstance(outcome.result, list) else filter(None, [outcome.result])
    return [str(getattr(one, "service", GROUND)) for one in bought or ()], [
        str(message.message) for message in outcome.messages
    ]


@pytest.mark.parametrize(
    ("weight", "unit", "is_taken"),
    [
        ("150", "LB", True),
        ("150.01", "LB", False),
        ("2400", "OZ", True),
        ("68.04", "KG", True),
        ("68.039", "KG", True),
        ("68.1", "KG", False),
    ],
)
def test_a_weight_at_the_limit_is_taken_in_every_unit(weight: str, unit: str, is_taken: bool) -> None:
    bench, box = Bench(registry.get("ups")), {"weight": weight, "weight_unit": unit}
    offered, said = ask(bench, "rate", box)
    assert (GROUND in offered) == is_taken, said
    bought, said = ask(bench, "ship", box, service=GROUND)
    assert bool(bought) == is_taken, said


def test_a_price_names_the_service_and_the_limit() -> None:
    offered, said = ask(
        Bench(registry.get("ups")), "rate", {"weight": 151, "weight_unit": "LB"}, services=[GROUND]
    )
    assert (offered, said) == ([], ["ups_ground: at most 150 lb a parcel"])


def test_other_services_are_priced_beside_one_over_its_limit() -> None:
    box = {"length": 60, "width": 15, "height": 10, "dimension_unit": "IN"}
    bench = Bench(registry.get("usps"))
    assert ask(bench, "rate", box) == (["usps_ground_advantage"], [])
    named = ["usps_ground_advantage", "usps_priority_mail"]
    offered, said = ask(bench, "rate", box, services=named)
    assert offered == ["usps_ground_advantage"]
    assert len(said) == 1
    assert "usps_priority_mail" in said[0]
    assert said[0].endswith("length and girth together at most 108 in")


def test_smart_post_is_not_offered_on_saturdays() -> None:
    bench, saturday = Bench(registry.get("fedex")), {"saturday_delivery": True}
    assert "fedex_smart_post" in ask(bench, "rate", {})[0]
    assert "fedex_smart_post" not in ask(bench, "rate", {}, options=saturday)[0]
    bought, said = ask(bench, "ship", {}, options=saturday, service="fedex_smart_post")
    assert (bought, said) == (
        [],
        ["fedex_smart_post: options.saturday_delivery: is not delivered on Saturdays by choice"],
    )


def test_the_forces_are_served_by_the_post_and_not_by_ups() -> None:
    assert ask(Bench(registry.get("usps")), "rate", {}, recipient=APO)[0]
    offered, said = ask(Bench(registry.get("ups")), "rate", {}, recipient=APO)
    assert (offered, said) == ([], ["ups: delivers to no military address (APO, FPO, DPO)"])


def test_a_box_beside_a_street_is_not_delivered_to() -> None:
    offered, said = ask(Bench(registry.get("ups")), "rate", {}, recipient={"address_line2": "P O Box 77"})
    assert (offered, said) == ([], ["ups: delivers to no post office box"])
    assert ask(Bench(registry.get("ups")), "rate", {}, recipient={"address_line2": "1 Box Hill"})[0]


def test_domestic_services_are_not_offered_from_abroad() -> None:
    bench = Bench(registry.get("seko"), ("GB", "US"))
    offered, _ = ask(bench, "rate", {})
    assert offered
    assert not [one for one in offered if "domestic" in one]
    bought, said = ask(
        Bench(registry.get("seko"), ("GB", "US")), "ship", {}, service="seko_domestic_standard"
    )
    assert (bought, said) == ([], ["seko_domestic_standard: stays inside a country"])


@pytest.mark.parametrize(
    ("slug", "where", "lacks", "refusal"),
    [
        ("dpdhl", ("DE", "US"), ("hs_code",), None),
        ("dpdhl", ("DE", "US"), ("value_amount",), None),
        ("dpdhl", ("DE", "US"), ("hs_code", "sku"), "wants the hs_code or sku of Mug"),
        ("tnt", ("NL", "US"), ("hs_code",), None),
        ("tnt", ("NL", "US"), ("hs_code", "sku"), "wants the hs_code or sku of Mug"),
        ("tnt", ("NL", "US"), ("value_amount",), "wants the value_amount of Mug"),
        ("tnt", ("NL", "US"), ("origin_country",), "wants the origin_country of Mug"),
        ("dpd", ("BE", "US"), ("hs_code",), None),
        ("dpd", ("BE", "US"), ("hs_code", "sku"), "wants the hs_code or sku of Mug"),
    ],
)
@pytest.mark.parametrize("place", ["declaration", "parcel"])
@pytest.mark.parametrize("verb", ["rate", "ship"])
def test_goods_lack_nothing_that_is_declared(
    verb: str, place: str, slug: str, where: tuple[str, str], lacks: tuple[str, ...], refusal: str | None
) -> None:
    """Be it said in the declaration or of the parcel."""
    bench = Bench(registry.get(slug), where)
    full = {"title": "Mug", "quantity": 1, "weight": "0.2", "weight_unit": "KG", "value_amount": 5,
            "value_currency": "USD", "origin_country": "CN", "hs_code": "691200", "sku": "M-1"}  # fmt: skip
    goods = {name: value for name, value in full.items() if name not in lacks}
    is_declared = place == "declaration"
    customs = {**bench.shipment()["customs"], "commodities": [goods] if is_declared else []}
    services = {"dpdhl": "dpdhl_paket_international", "tnt": "tnt_economy_express", "dpd": "dpd_cl"}
    named = {"service": services[slug]} if verb == "ship" else {}
    box = parcel(items=[] if is_declared else [goods])
    done, said = ask(bench, verb, {}, parcels=[box], customs=customs, **named)
    assert bool(done) == (refusal is None), said
    wants = [text.partition(": ")[2] for text in said if " wants the " in text]
    assert wants == ([refusal] if refusal else [])


@pytest.mark.parametrize(
    "slug", ["australiapost", "canadapost", "dhl_express", "sapient", "usps_international"]
)
def test_what_is_said_to_be_missing_of_undeclared_goods_is_all_that_is(slug: str) -> None:
    carrier_class = registry.get(slug)
    where = lane_across_customs(carrier_class)
    assert where
    bench = Bench(carrier_class, where)
    done, said = ask(bench, "rate", {}, parcels=[parcel(items=[])], customs=None)
    (text,) = said
    assert not done
    assert f"{slug}: wants the goods declared that pass customs: add customs.commodities (--goods)" in text
    currency = next(iter(carrier_class.goods_currencies), "USD")
    full = {"title": "Mug", "quantity": 1, "value_amount": 5, "value_currency": currency, "weight": "0.2"}
    goods = {name: full[name] for name in text.partition("each with ")[2].split(", ")}
    assert ask(bench, "rate", {}, parcels=[parcel(items=[])], customs={"commodities": [goods]})[0]
