"""What conditions can ask of a draft and of its rates; only the names that rules use are looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shipcli.features.book.drafts import find_local_zone
from shipcli.features.book.methods import read_paid_method
from shipcli.features.core.shipment_lookup import find_order_ids
from shipcli.models.basics.places import find_state_code, list_state_names
from shipcli.models.basics.text import fold_text
from shipcli.models.conditions.names import NAMES, RATE_NAMES
from shipcli.models.conditions.values import DAYS, Worth, fold_code, fold_words, measure_in_cm, weigh_in_grams

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Parcel, Rate, Shipment
    from shipcli.models.parts.parcel import Goods


# Of a type, the unit in which it is compared, and how much of that another unit is.
UNITS: Mapping[str, tuple[str, Mapping[str, Decimal]]] = {
    "weight": ("g", {unit: weigh_in_grams(Decimal(1), unit.upper()) for unit in ("g", "kg", "lb", "oz")}),
    "length": ("cm", {unit: measure_in_cm(Decimal(1), unit.upper()) for unit in ("cm", "in")}),
}


@dataclass(frozen=True)
class DraftSource:
    """A draft, with what else is known of it; its order is read when a rule asks for it."""

    app: App
    draft: Shipment

    @cached_property
    def order(self) -> Mapping[str, Any]:
        """The order that it is for; empty if there is none, or there are several."""
        ids = find_order_ids(self.app.store, self.draft.order_line_ids)
        document = self.app.store.get("order", next(iter(ids))) if len(ids) == 1 else None
        return document or {}

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What the order says of itself, else the draft."""
        return {**self.draft.metadata, **(self.order.get("metadata") or {})}

    @cached_property
    def goods(self) -> list[Goods]:
        """The goods in its parcels, else those that it declares."""
        packed: list[Goods] = [item for parcel in self.draft.parcels for item in parcel.items]
        return packed or list(self.draft.customs.commodities if self.draft.customs else [])

    @cached_property
    def sides(self) -> list[tuple[Decimal, ...]]:
        """The sides of the parcels in centimetres, the longest first; empty if one has no size."""
        measured = [_measure(parcel) for parcel in self.draft.parcels]
        return [] if None in measured else [sides for sides in measured if sides]

    @cached_property
    def moment(self) -> datetime:
        """Now, at the sender's."""
        return self.app.now().astimezone(find_local_zone(self.draft.shipper))


def _measure(parcel: Parcel) -> tuple[Decimal, ...] | None:
    if parcel.length is None or parcel.width is None or parcel.height is None:
        return None
    lengths = (parcel.length, parcel.width, parcel.height)
    return tuple(sorted((measure_in_cm(side, parcel.size_unit) for side in lengths), reverse=True))


def _find_side(place: int) -> Callable[[DraftSource], Decimal | None]:
    return lambda source: max((sides[place] for sides in source.sides), default=None)


def _find_girth(source: DraftSource) -> Decimal | None:
    return max((2 * (sides[1] + sides[2]) for sides in source.sides), default=None)


def _find_volume(source: DraftSource) -> Decimal | None:
    volumes = [sides[0] * sides[1] * sides[2] for sides in source.sides]
    return sum(volumes, Decimal(0)) if volumes else None


def _find_weight(source: DraftSource) -> Decimal | None:
    parcels = source.draft.parcels
    if any(parcel.weight is None for parcel in parcels):
        return None
    return sum((parcel.weight_in("G") for parcel in parcels), Decimal(0))


def _find_value(source: DraftSource) -> Worth | None:
    worths = [item for item in source.goods if item.value_amount is not None]
    currencies = {str(item.value_currency or source.draft.options.get("currency") or "") for item in worths}
    if len(currencies) != 1 or not all(currencies):
        return None
    amounts = (Decimal(item.value_amount or 0) * item.quantity for item in worths)
    return Worth(currencies.pop().upper(), sum(amounts, Decimal(0)))


def _find_tags(source: DraftSource) -> tuple[str, ...]:
    tags = source.metadata.get("tags") or source.metadata.get("tag") or ()
    words = tags.split(",") if isinstance(tags, str) else tags
    return tuple(fold_words(tag) for tag in words if str(tag).strip())


def _find_state(source: DraftSource) -> tuple[str, ...] | None:
    """How the state may be called: as it is written, by its code (`US-CA` too) and its names."""
    country, state = source.draft.recipient.country_code or "", source.draft.recipient.state_code
    if not state:
        return None
    code = find_state_code(country, state)
    alike = (name for name, own in list_state_names(country).items() if own == code)
    return tuple(dict.fromkeys((fold_text(state), fold_text(f"{country}{code or state}"), *alike)))


def _find_source(source: DraftSource) -> str | None:
    name = source.order.get("source") or source.draft.metadata.get("order_source")
    return _fold(name or source.metadata.get("source"))


def _fold(text: object) -> str | None:
    return fold_words(text) if text else None


FACTS: dict[str, Callable[[DraftSource], Any]] = {
    "weight": _find_weight,
    "length": _find_side(0),
    "width": _find_side(1),
    "height": _find_side(2),
    "girth": _find_girth,
    "volume": _find_volume,
    "parcels": lambda source: Decimal(len(source.draft.parcels)),
    "quantity": lambda source: Decimal(sum(item.quantity for item in source.goods)),
    "value": _find_value,
    "country": lambda source: source.draft.recipient.country_code,
    "state": _find_state,
    "postal_code": lambda source: fold_code(source.draft.recipient.postal_code or "") or None,
    "sku": lambda source: tuple(fold_words(item.sku) for item in source.goods if item.sku),
    "tag": _find_tags,
    "method": lambda source: _fold(read_paid_method({"metadata": source.metadata})),
    "source": _find_source,
    "day": lambda source: Decimal(source.moment.weekday()),
    "hour": lambda source: Decimal(source.moment.hour),
}


def list_facts(app: App, draft: Shipment, names: Iterable[str]) -> dict[str, Any]:
    """The facts of a draft with these names; those of rates are left out."""
    source = DraftSource(app, draft)
    return {name: FACTS[name](source) for name in sorted(names) if name not in RATE_NAMES}


def list_rate_facts(rate: Rate) -> dict[str, Any]:
    """The facts of a rate."""
    meta = rate.meta or {}
    zone = meta.get("zone") or meta.get("usps_zone")
    return {
        "carrier": tuple(dict.fromkeys(map(fold_words, (rate.carrier_id, rate.carrier_name)))),
        "service": _fold(rate.service),
        "transit_days": None if rate.transit_days is None else Decimal(rate.transit_days),
        "zone": _fold(zone),
        "price": Worth(str(rate.currency), rate.total_charge),
    }


# -- as they are stored and shown ------------------------------------------------------------------


def write_fact(name: str, value: Any) -> Any:
    """A fact as plain data, from which it is read again."""
    if isinstance(value, Worth):
        return [value.currency, str(value.amount)]
    return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Decimal) else value


def read_fact(name: str, value: Any) -> Any:
    """A fact of plain data."""
    kind = NAMES[name].type if name in NAMES else "text"
    if value is None or kind in ("text", "code", "country"):
        return value
    if kind == "money":
        return Worth(value[0], Decimal(value[1]))
    if kind == "state":  # earlier versions stored its code alone
        return (value,) if isinstance(value, str) else tuple(value)
    return tuple(value) if kind == "texts" else Decimal(value)


def describe_fact(name: str, value: Any, comparison: str = "") -> str:
    """A fact for people: `2 lb`, `12.5 USD`, `sat`; what is not known is `unknown`.

    Shapes: a weight or a length is in the unit of the comparison, else in grams or centimetres.
    """
    kind = NAMES[name].type
    if value is None or value == ():
        return "none" if kind == "texts" else "unknown"
    if kind == "money":
        return f"{value.amount:f} {value.currency}"
    if kind == "state":
        return str(value[0])
    if kind == "day":
        return DAYS[int(value)]
    if kind in UNITS and isinstance(value, Decimal):
        return _describe_measure(kind, value, comparison)
    units = {"volume": " cm3"}
    if isinstance(value, Decimal):
        return f"{value.quantize(Decimal('0.1')).normalize():f}{units.get(kind, '')}"
    return ", ".join(value) if kind == "texts" else str(value)


def _describe_measure(kind: str, value: Decimal, comparison: str) -> str:
    """A weight or a length in the first unit that a comparison names: `1.625 lb`."""
    usual, factors = UNITS[kind]
    words = re.findall(r"\d\s*([a-z]+)", comparison.casefold())
    unit = next((word for word in words if word in factors), usual)
    finest = Decimal("0.1") if unit == usual else Decimal("0.001")
    return f"{(value / factors[unit]).quantize(finest).normalize():f} {unit}"
