"""The borders of a carrier's limits, tried from both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier.limits import Limit
from shipcli.models import Address, Parcel, RateRequest, ShipmentRequest
from tests.carriers.bench import LANES, AnyCarrier, Bench, parcel

HERE = ("US", "CA", "GB", "DE", "FR", "AU", "PL", "BE", "NL", "IT", "ES", "AM", "NZ", "AT", "CH")


STEPS: Mapping[str, Decimal] = {
    "LB": Decimal("0.1"),
    "KG": Decimal("0.1"),
    "IN": Decimal(1),
    "CM": Decimal(1),
}


BOXES = {"US": "P.O. Box 12", "DE": "Postfach 12", "CA": "PO Box 12", "FR": "BP 12"}


FORCES = {"address_line1": "PSC 3", "city": "APO", "state_code": "AE", "postal_code": "09012"}


class Border(NamedTuple):
    """A limit: parcels and options that keep it, and such as do not."""

    name: str
    kept: Mapping[str, Any]
    broken: Mapping[str, Any]


def list_borders(limit: Limit, country: str, steps: int = 1) -> Iterator[Border]:
    """The borders of a row; what a parcel lacks of size does not change its weight."""
    if limit.weight:
        most, unit = limit.weight
        light, heavy = [{"weight": one, "weight_unit": unit} for one in (most, most + STEPS[unit])]
        yield Border("weight", {"parcel": light}, {"parcel": heavy})
    if limit.longest:
        most, unit = limit.longest
        over = _size(most + steps * STEPS[unit], unit)
        yield Border("longest", {"parcel": _size(most, unit)}, {"parcel": over})
    if limit.length_girth:
        yield _make_girth_border(*limit.length_girth, steps)
    if limit.sides:
        sides = dict(zip(("length", "width", "height"), limit.sides, strict=True))
        box: dict[str, Any] = {**sides, "dimension_unit": limit.size_unit}
        yield Border("sides", {"parcel": box}, {"parcel": {**box, "height": box["height"] + 1 + steps}})
    if limit.insured:
        low, high = [{"options": {"insurance": limit.insured[0] + more}} for more in (0, 1)]
        yield Border("insured", low, high)
    if not limit.po_box and country in BOXES:
        yield Border("po_box", {}, {"recipient": {"address_line1": BOXES[country], "address_line2": None}})
    if not limit.military and country == "US":
        yield Border("military", {}, {"recipient": FORCES})
    for packaging in limit.packaging:
        yield Border(packaging, {}, {"parcel": {"packaging_type": packaging}})
    for option in limit.options:
        yield Border(option, {}, {"options": {option: True}})


def _size(longest: Decimal, unit: str) -> dict[str, Any]:
    return {"length": longest, "width": 4, "height": 4, "dimension_unit": unit}


def _make_girth_border(most: Decimal, unit: str, steps: int) -> Border:
    length, side = most * Decimal("0.64"), most * Decimal("0.09")
    kept = {"length": length, "width": side, "height": side, "dimension_unit": unit}
    over = {**kept, "length": length + steps * STEPS[unit]}
    return Border("length_girth", {"parcel": kept}, {"parcel": over})


class Counter:
    """A carrier and its simulator on a lane, where limits can be left to either."""

    def __init__(self, carrier_class: AnyCarrier, where: tuple[str, str]) -> None:
        self.bench = Bench(carrier_class, where)

    def _body(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        box: Parcel = parcel().model_copy(update=_as_numbers(wish.get("parcel", {})))
        body = self.bench.shipment(box)
        recipient: Address = body["recipient"].model_copy(update=wish.get("recipient", {}))
        return {**body, "recipient": recipient, "options": {**body["options"], **wish.get("options", {})}}

    def price(self, wish: Mapping[str, Any], services: Sequence[str] = ()) -> tuple[set[str], list[str]]:
        body = {**self._body(wish), "services": list(services)}
        outcome = self.bench.ask("rate", RateRequest.model_validate(body))
        messages = [str(message.message) for message in outcome.messages]
        return {str(one.service) for one in outcome.result or []}, messages

    def buy(self, wish: Mapping[str, Any], service: str) -> tuple[bool, list[str]]:
        self.bench.purchases += 1
        request = ShipmentRequest.model_validate({**self._body(wish), "service": service})
        outcome = self.bench.ask("ship", request, key=f"{self.bench.purchases:032x}")
        return outcome.result is not None, [str(message.message) for message in outcome.messages]


def _as_numbers(sizes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, str) else Decimal(value) for name, value in sizes.items()}


def list_lanes(carrier_class: AnyCarrier, limit: Limit) -> Iterator[tuple[str, str, list[str]]]:
    """The first lane at home and the first abroad on which services of a row are sold, and those services."""
    kinds = set()
    for origin, destination in (
        *((one, one) for one in HERE),
        *LANES,
        ("DE", "FR"),
        ("CA", "US"),
        ("US", "CA"),
    ):
        is_home = origin == destination
        if is_home in kinds:
            continue
        counter = Counter(carrier_class, (origin, destination))
        sold, _ = counter.price({}) if _holds(limit, origin) else (set(), [])
        services = sorted(one for one in sold if limit.covers(one))
        if services and counter.buy({}, services[0])[0]:
            kinds.add(is_home)
            yield origin, destination, services


def _holds(limit: Limit, origin: str) -> bool:
    return not limit.origins or (
        f"!{origin}" not in limit.origins and (origin in limit.origins or limit.origins[0].startswith("!"))
    )


def list_faults(carrier_class: AnyCarrier, limit: Limit) -> list[str]:
    faults = []
    for origin, destination, services in list_lanes(carrier_class, limit):
        counter = Counter(carrier_class, (origin, destination))
        for border in list_borders(limit, destination):
            where = f"{origin}-{destination} {border.name} of {services[0]}"
            faults += [f"{where}: {fault}" for fault in find_faults(counter, border, services)]
    return faults


def find_faults(counter: Counter, border: Border, services: Sequence[str]) -> Iterator[str]:
    kept, over = counter.price(border.kept), counter.price(border.broken)
    both = [one for one in services if one in kept[0]]
    if not both:
        yield f"nothing is offered at the limit: {kept[1]}"
        return
    if over[0] & set(both):
        yield f"offered over the limit: {over[0] & set(both)}"
    if not counter.price(border.broken, both)[1]:
        yield "nobody says why what was asked for is not offered"
    sold, said = counter.buy(border.kept, both[0])
    if not sold:
        yield f"not sold at the limit: {said}"
    sold, said = counter.buy(border.broken, both[0])
    if sold or not any(text.startswith(f"{both[0]}: ") for text in said):
        yield f"over the limit: sold is {sold}, {said}"
