"""The contents of a shipment: its goods, their value, description, units and sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from shipcli.carrier.catalogue import RowTable
from shipcli.carrier.catalogue_rows import CatalogueRow
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Commodity, Invalid, Parcel, RateRequest, Shipment, ShipmentRequest
from shipcli.models.basics.plain_text import cut_at_word
from shipcli.models.basics.reference import list_eu_countries
from shipcli.models.parts.articles import LONGEST_DESCRIPTION, read_variant
from shipcli.models.parts.parcel import LONGEST_ITEM_TEXT

ONE = Decimal(1)
SHORTEST_TITLE = 10  # characters of a title that stay before a long variant


def list_goods(request: RateRequest | ShipmentRequest | Shipment) -> Sequence[Commodity]:
    """Return the declared goods, else the items of the parcels."""
    declared = request.customs.commodities if request.customs else ()
    return declared or [item for parcel in request.parcels for item in parcel.items]


def say_variant(item: Commodity, changes: Mapping[str, str]) -> Commodity:
    """Return an item with changes, whose title and description both say its variant.

    What is longer than an item's fields is shortened at a word before the variant.
    """
    variant = read_variant(item).strip()
    said = {
        name: _add_variant(text, variant, most)
        for name, most in (("title", LONGEST_ITEM_TEXT), ("description", LONGEST_DESCRIPTION))
        if variant and (text := getattr(item, name)) and variant.casefold() not in text.casefold()
    }
    return item.model_copy(update={**changes, **said})


def cut_item_text(item: Commodity, text: str | None, most: int) -> str | None:
    """Return the first characters of a title or description, or None if there are none.

    The variant that it ends with (`say_variant`) stays.
    """
    variant = read_variant(item).strip()
    bare = (text or "").removesuffix(f" ({variant})")
    if not variant or not text or bare == text or len(text) <= most:
        return cut_text(text, most)
    return _add_variant(bare, variant, most)


def _add_variant(text: str, variant: str, most: int) -> str:
    room = max(most - len(f" ({variant})"), SHORTEST_TITLE)
    return f"{cut_at_word(text, room)[0]} ({variant})"[:most]


def list_currencies_of(items: Iterable[Commodity]) -> list[str]:
    """Return the currencies of goods that have a value, each once."""
    return list(
        dict.fromkeys(item.value_currency for item in items if item.value_amount and item.value_currency)
    )


def sum_goods(items: Iterable[Commodity]) -> Decimal:
    """Return the value of goods; 0 when none is given.

    Errors: Invalid for goods in several currencies, whose values make no sum.
    """
    items = list(items)
    if len(currencies := list_currencies_of(items)) > 1:
        raise Invalid("customs.commodities", f"are in {' and '.join(currencies)}, which make no sum")
    return sum((item.quantity * (item.value_amount or Decimal(0)) for item in items), Decimal(0))


def holds_only_documents(parcels: Sequence[Parcel]) -> bool:
    return bool(parcels) and all(parcel.is_document for parcel in parcels)


def is_dutiable(request: RateRequest | ShipmentRequest) -> bool:
    """Goods that cross a border, but for those that stay in the union."""
    ends = request.shipper.country_code, request.recipient.country_code
    return (
        ends[0] != ends[1]
        and not holds_only_documents(request.parcels)
        and not set(ends) <= list_eu_countries()
    )


def join_words(*lists: Sequence[str | None]) -> str | None:
    """Return the words of the first list that has any, each once: `Lamp, Bulb`."""
    words = next((words for words in lists if any(words)), ())
    return ", ".join(dict.fromkeys(word for word in words if word)) or None


def list_parcel_goods(request: RateRequest | ShipmentRequest, parcel: Parcel) -> Sequence[Commodity]:
    """Return what one parcel declares where each has a declaration: of several its own items, else all goods.

    Errors: Invalid when goods are declared for several parcels and this one has no items: declared with
            each parcel, they would count twice at customs.
    """
    declared = request.customs.commodities if request.customs else ()
    if len(request.parcels) == 1:
        return declared or parcel.items
    if declared and not parcel.items:
        raise Invalid("parcels.items", "say what each parcel holds: each is declared by itself")
    return parcel.items


def list_goods_by_parcel(request: RateRequest | ShipmentRequest) -> Sequence[Commodity]:
    """Return what the declarations of single parcels name: of one parcel the declared goods, else its items;
    of several their items, else the declared goods.
    """
    declared = request.customs.commodities if request.customs else ()
    items = [item for parcel in request.parcels for item in parcel.items]
    return (declared or items) if len(request.parcels) == 1 else (items or declared)


def choose_terms(carrier: str, terms: Mapping[str, str], incoterm: str | None, usual: str) -> str:
    """Return the carrier's word for the terms of delivery, the usual one where none are named.

    Errors: Invalid for terms that it does not offer: with others somebody else might pay the duties.
    """
    if incoterm and incoterm not in terms:
        raise Invalid("customs.incoterm", f"{carrier} delivers by {', '.join(terms)}, not by {incoterm}")
    return terms[incoterm] if incoterm else usual


def choose_units(request: RateRequest | ShipmentRequest) -> tuple[str, str]:
    """Return the units of weight and size of a whole shipment.

    Shipments from the United States have pounds and inches; elsewhere the unit of the first parcel decides.
    """
    first = request.parcels[0].weight_unit if request.parcels else None
    pounds = request.shipper.country_code == "US" or first in ("LB", "OZ")
    return ("LB", "IN") if pounds else ("KG", "CM")


def name_sides(parcel: Parcel, unit: str, **names: str) -> dict[str, Decimal]:
    """Return the known sides, up to the hundredth: `name_sides(parcel, "CM", length="lengthInCM", ...)`.

    They have the carrier's names, in its order.
    """
    sides = ((name, getattr(parcel, f"{side}_in")(unit)) for side, name in names.items())
    return {name: round_measure(side) for name, side in sides if side}


def round_sides(parcel: Parcel, unit: str) -> list[Decimal] | None:
    """Return length, width and height as whole numbers, rounded up, or None when one is not known."""
    sides = (parcel.length_in(unit), parcel.width_in(unit), parcel.height_in(unit))
    rounded = [round_measure(side, ONE) for side in sides if side]
    return rounded if len(rounded) == len(sides) else None


def find_common_packaging(parcels: Sequence[Parcel], packaging: RowTable[CatalogueRow], own_code: str) -> str:
    """Return the code of the packaging of all parcels, for carriers that take one for a whole shipment.

    `own_code` is that of the sender's own packaging, used for mixtures and for packaging the carrier lacks.
    """
    rows = [packaging.get(parcel.packaging_type) for parcel in parcels]
    codes = {row.code if row else own_code for row in rows}
    return codes.pop() if len(codes) == 1 else own_code
