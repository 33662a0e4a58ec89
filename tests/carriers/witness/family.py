"""A family of requests for each verb: every service, option, packaging and format, odd people, mixtures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from shipcli.carrier import Option
from shipcli.models import Message, Model, RateRequest, ShipmentRequest
from tests.carriers.bench import AnyCarrier, Bench
from tests.carriers.errands import ERRANDS, service, two_parcels

MIXTURES = 4  # random ones, for each verb and lane
TEXTS = ("7", "2025-03-05", "probe@example.com", "GB", "10:00")
LONG = "The Old Station House of the Wholesale Trading Company"[:50]
FOREIGN = "Zoë Łukasz-Ångström (Çelik) & Søn"
LONG_EMAIL = f"{'the.wholesale.department.' * 2}of.the.north@customer-service.wholesale-trading.example.com"
WORD = re.compile(r"\w+")
# Who has little of what an option or a service may tell a carrier of its recipient.
BARE: Mapping[str, Any] = {
    "person_name": "Cher", "company_name": None, "email": None, "phone_number": None, "address_line2": None,
}  # fmt: skip
PEOPLE: Sequence[Mapping[str, Any]] = (
    {},
    {"person_name": LONG, "company_name": LONG},
    {"person_name": FOREIGN, "company_name": FOREIGN, "city": "São João-d'Été"},
    {"person_name": "Cher", "company_name": None},
    {"person_name": None},
    {"email": None, "phone_number": None},
    {"email": LONG_EMAIL},
    {"person_name": "Иван Петров", "company_name": "中文公司"},
    {"company_name": None, "address_line2": "Apt. 12, Floor 3"},
    {"address_line1": LONG, "address_line2": LONG},
    {"person_name": None, "company_name": None},
    {"person_name": "🎈", "company_name": " ", "city": "🎈"},
    {"phone_number": "n/a", "email": "", "state_code": ""},
    {"city": None, "state_code": None},
    {"postal_code": None},
    {"postal_code": " "},
    {"address_line1": "", "address_line2": "Unit 4"},
    {"address_line1": None},
    {"country_code": None},
    {"residential": True, "federal_tax_id": "12-3456789", "state_tax_id": "77"},
)
PARCELS: Sequence[Mapping[str, Any]] = (
    {},
    {"length": None, "width": None, "height": None},
    {"weight": "0.03"},
    {"weight": "3.141592", "length": 33.333, "width": 21.987, "height": 9.125},
    {
        "reference_number": "Shelf 12/A (long) 1234567890",
        "description": "Two cotton shirts & a crimson scarf",
    },
    {"is_document": True, "items": []},
    {"items": []},
    {"description": "", "reference_number": "", "packaging_type": None},
    {"weight": 4, "weight_unit": "LB", "dimension_unit": "IN", "length": 9, "width": 8, "height": 7},
)


@dataclass(frozen=True)
class Variation:
    """What a request has beside the usual one."""

    options: Mapping[str, Any] = field(default_factory=dict)
    sender: Mapping[str, Any] = field(default_factory=dict)
    recipient: Mapping[str, Any] = field(default_factory=dict)
    box: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    are_two: bool = False
    declaration: Mapping[str, Any] = field(default_factory=dict)

    def mix(self, other: Variation) -> Variation:
        return Variation(
            **{name: {**getattr(self, name), **getattr(other, name)}
               for name in ("options", "sender", "recipient", "box", "values", "declaration")},
            are_two=self.are_two or other.are_two,
        )  # fmt: skip


def list_requests(bench: Bench, verb: str, random: Random) -> Iterator[Model]:
    """The family of one verb; what the models refuse is no member."""
    makers: Mapping[str, Callable[[Bench, Variation], Model]] = {
        "rate": make_question,
        "estimate_transit": make_question,
        "ship": make_purchase,
    }
    variations = list(list_variations(bench, verb, random))
    if verb in makers:
        made: Iterator[Model | None] = (attempt(makers[verb], bench, one) for one in variations)
        yield from (one for one in made if one is not None)
        return
    usual = ERRANDS[verb](bench)
    yield usual
    if verb == "find_locations":
        yield from list_searches(usual)
    if verb in ("schedule_pickup", "update_pickup", "validate_address"):
        for one in variations:
            changed = attempt(change_collection, usual, one)
            yield from [changed] if changed else []


def list_searches(usual: Model) -> Iterator[Model]:
    """Searches near odd addresses, for one purpose, within a distance."""
    place = usual.model_dump()["address"]
    changes: Sequence[Mapping[str, Any]] = (
        {"purpose": "drop_off"}, {"purpose": "pick_up", "radius_km": "7.5"}, {"limit": 3, "radius_km": "400"},
    )  # fmt: skip
    yield from (type(usual).model_validate({"address": place, **one}) for one in changes)
    bare = {"country_code": place["country_code"], "postal_code": place["postal_code"]}
    yield type(usual).model_validate({"address": bare})
    for one in PEOPLE[1:]:
        if one.get("country_code", "") is not None:
            yield type(usual).model_validate({"address": {**place, **one}})


def attempt(make: Callable[..., Model], *arguments: Any) -> Model | None:
    try:
        return make(*arguments)
    except ValueError:
        return None


def list_variations(bench: Bench, verb: str, random: Random) -> Iterator[Variation]:
    carrier_class = bench.carrier_class
    singles = [Variation(sender=one) for one in PEOPLE]
    if verb in ("rate", "estimate_transit", "ship"):
        is_repeated = verb != "ship" and bench.lane[0] != bench.lane[1]  # services are asked for at home
        singles = [*list_shipment_variations(carrier_class, verb, random)]
        singles += [] if is_repeated else list_product_variations(carrier_class, verb)
    if verb in ("schedule_pickup", "update_pickup"):
        rows = list(carrier_class.catalogue.option_table("pickup_options")) if carrier_class.catalogue else []
        singles += [Variation(options={row.slug: draw_value(row, random)}) for row in rows]
    yield from singles
    for _ in range(MIXTURES):
        first, *others = random.sample(singles, k=min(3, len(singles)))
        for one in others:
            first = first.mix(one)
        yield first


def list_shipment_variations(carrier_class: AnyCarrier, verb: str, random: Random) -> Iterator[Variation]:
    yield Variation()
    yield Variation(are_two=True)
    yield from (Variation(sender=one) for one in PEOPLE[1:])
    yield from (Variation(recipient=one) for one in PEOPLE[1:])
    yield from (Variation(box=one) for one in PARCELS[1:])
    yield from (Variation(options={row.slug: draw_value(row, random)}) for row in carrier_class.options)
    for row in carrier_class.options if verb == "ship" else ():
        yield Variation(options={row.slug: draw_value(row, random)}, recipient=BARE)
    catalogue = carrier_class.catalogue
    for row in catalogue.customs_options if catalogue else ():
        yield Variation(declaration={"options": {row.slug: draw_value(row, random)}})
    for incoterm in ("DAP", "DDP"):
        payer = "sender" if incoterm == "DDP" else "recipient"
        yield Variation(declaration={"incoterm": incoterm, "duty": {"paid_by": payer, "currency": "USD"},
                                     "invoice": "INV-7", "invoice_date": "2025-03-01"})  # fmt: skip
    if carrier_class.can("upload_document"):
        yield Variation(options={"doc_references": [{"doc_id": "2025-03-03-15.00.00.000001"}]})
    if carrier_class.can("ship_return"):
        yield from list_return_variations(carrier_class)
    if verb == "ship":
        yield Variation(values={"reference": "Order 1234567890-ABCDEF / 2025 (second half)"})
        for name in carrier_class.label_formats:
            yield Variation(values={"label_type": name})


def list_return_variations(carrier_class: AnyCarrier) -> Iterator[Variation]:
    """Returns of odd people, in odd boxes, by every service."""
    usual = Variation(options={"is_return": True})
    yield usual
    yield usual.mix(Variation(are_two=True))
    yield from (usual.mix(Variation(sender=one, recipient=one)) for one in PEOPLE[1:])
    yield from (usual.mix(Variation(box=one)) for one in PARCELS[1:])
    yield from (usual.mix(Variation(values={"service": slug})) for slug in carrier_class.services.slugs())


def list_product_variations(carrier_class: AnyCarrier, verb: str) -> Iterator[Variation]:
    """Every service and every packaging."""
    yield from (Variation(box={"packaging_type": row.slug}) for row in carrier_class.packaging)
    for slug in carrier_class.services.slugs():
        named = Variation(values={"service": slug} if verb == "ship" else {"services": [slug]})
        yield named
        if verb == "ship":
            yield named.mix(Variation(recipient=BARE))


def draw_value(row: Option, random: Random) -> Any:
    if row.values:
        return random.choice(row.values)
    if row.example:
        return row.example
    kinds: Mapping[str, Sequence[Any]] = {
        "boolean": [True],
        "float": [55, 7.25],
        "integer": [7, 1],
        "string": TEXTS,
    }
    return random.choice(kinds.get(row.type_name, [{"probe": "7"}]))


def supply_options(
    carrier_class: AnyCarrier, request: Model, messages: Sequence[Message], random: Random
) -> Model | None:
    """The request with the options that a refusal names, as a service needs them; None if it names none."""
    named = {name for one in messages for name in list_names(one)}
    chosen = getattr(request, "options", None) or {}
    rows = [row for row in carrier_class.options if row.slug in named and row.slug not in chosen]
    if not rows:
        return None
    return request.model_copy(
        update={"options": {**chosen, **{row.slug: draw_value(row, random) for row in rows}}}
    )


def list_names(message: Message) -> set[str]:
    """The options that a refusal tells of, and what else stands in its words."""
    return {*((message.details or {}).get("options") or {}), *WORD.findall(message.message or "")}


# -- requests --------------------------------------------------------------------------------------


def make_shipment(bench: Bench, one: Variation, **values: Any) -> dict[str, Any]:
    boxes = two_parcels() if one.are_two else [bench_parcel()]
    boxes[0] = type(boxes[0]).model_validate({**boxes[0].model_dump(), **one.box})
    made = bench.shipment(*boxes, **values)
    declaration = {"customs": {**made["customs"], **one.declaration}} if made["customs"] else {}
    people = {"shipper": one.sender, "recipient": one.recipient}
    return {
        **made,
        **declaration,
        **{name: {**made[name].model_dump(), **change} for name, change in people.items()},
        "options": {**made["options"], **one.options},
        **one.values,
    }


def bench_parcel() -> Any:
    return two_parcels()[0]


def make_question(bench: Bench, one: Variation) -> Model:
    return RateRequest.model_validate(make_shipment(bench, one))


def make_purchase(bench: Bench, one: Variation) -> Model:
    usual = {"service": service(bench), "label_type": "PDF"}
    return ShipmentRequest.model_validate(make_shipment(bench, one, **usual))


def change_collection(usual: Model, one: Variation) -> Model:
    values = usual.model_dump()
    place = {**values["address"], **one.sender}
    options = {**(values.get("options") or {}), **one.options}
    return type(usual).model_validate({**values, "address": place, "options": options})
