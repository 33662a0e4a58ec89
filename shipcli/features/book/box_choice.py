"""Choose own boxes for goods by the sizes of their products: `--box auto`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid
from shipcli.models.basics.units import convert_length, convert_weight
from shipcli.models.parts.packing import Container, Piece, pack_pieces

if TYPE_CHECKING:
    from shipcli.features.book.boxes import Boxes
    from shipcli.models.parts.parcel import Goods

AUTO = "auto"
SIDES = ("length", "width", "height")
FIELD = "package_preset"
FindProduct = Callable[[str], Mapping[str, Any] | None]
Load = tuple[str, list[tuple[int, int]]]  # a box, and the places of goods with how many of each


def is_auto(name: object) -> bool:
    """Whether a box is to be chosen."""
    return isinstance(name, str) and name.casefold() == AUTO


def choose_boxes(boxes: Boxes, product: FindProduct, goods: Sequence[tuple[Goods, int]]) -> list[Load]:
    """The smallest own box that holds goods, or several boxes.

    Shapes: `goods` are articles and how many of each.
    Errors: Invalid naming the articles whose size is not known, or that fit no box.
    """
    if not boxes:
        raise Invalid(FIELD, "You have no boxes to choose from: shipcli parcels presets add M 12x8x4in")
    sized = [(article, quantity, _find_sides(article, product)) for article, quantity in goods]
    unknown = [article for article, _, sides in sized if sides is None]
    if unknown:
        raise Invalid(FIELD, _describe_unknown(unknown))
    pieces = [
        Piece(place, sides, float(article.weight_in("G") or 0))
        for place, (article, quantity, sides) in enumerate(sized)
        if sides
        for _ in range(quantity)
    ]
    containers = [_make_container(name, box) for name, box in boxes.items()]
    packed = pack_pieces(pieces, containers)
    if pieces and not packed:
        too_large = [_name(article) for article, _, sides in sized if sides and not _fits(sides, containers)]
        raise Invalid(FIELD, f"None of your boxes holds {', '.join(too_large) or 'so much weight'}")
    return [(load.container.name, _count(load.pieces)) for load in packed]


def _describe_unknown(articles: Sequence[Goods]) -> str:
    """Which sizes are not known; products are found by their SKU, of which there may be none."""
    skus = [article.sku for article in articles if article.sku]
    advice = f"shipcli products set {shlex.quote(skus[0])} --size 4x3x3in" if skus else "it has no SKU"
    return f"The size of {', '.join(map(_name, articles))} is not known: {advice}"


def _count(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    keys = [piece.key for piece in pieces]
    return [(key, keys.count(key)) for key in sorted(set(keys))]


def _fits(sides: tuple[float, float, float], containers: Sequence[Container]) -> bool:
    return bool(any(pack_pieces([Piece(0, sides)], [container]) for container in containers))


def _name(article: Goods) -> str:
    return str(article.sku or article.title or "an article without SKU")


def _find_sides(article: Goods, product: FindProduct) -> tuple[float, float, float] | None:
    facts = product(article.sku) if article.sku else None
    return _measure(facts) if facts and facts.get("length") else None


def _measure(facts: Mapping[str, Any]) -> tuple[float, float, float]:
    unit = str(facts["dimension_unit"])
    length, width, height = (float(convert_length(Decimal(facts[side]), unit, "CM")) for side in SIDES)
    return length, width, height


def _make_container(name: str, box: Mapping[str, Any]) -> Container:
    most = box.get("max_weight")
    limit = float(convert_weight(Decimal(most), box["max_weight_unit"], "G")) if most else None
    return Container(name, _measure(box), limit, float(box.get("price") or 0))
