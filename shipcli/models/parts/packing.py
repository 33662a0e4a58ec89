"""Pack pieces into boxes: the smallest box that holds all, else as few as a simple search finds.

Pieces are turned and put at the corners of those that are in already, the largest first. That finds no
better packing than a person would; what it finds fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

Sides = tuple[float, float, float]
MOST_PIECES = 60  # in a box: the search grows with the third power
SLACK = 1e-6


@dataclass(frozen=True)
class Piece:
    """One piece of goods, in centimetres and grams; `key` says which."""

    key: int
    sides: Sides
    weight: float = 0.0


@dataclass(frozen=True)
class Container:
    """A box, by its inner size; `limit` is what its content may weigh."""

    name: str
    sides: Sides
    limit: float | None = None
    price: float = 0.0

    @property
    def volume(self) -> float:
        """What is inside, to a thousandth: the order of the sides makes no difference."""
        return round(self.sides[0] * self.sides[1] * self.sides[2], 3)


@dataclass(frozen=True)
class PackedBox:
    """A box and the pieces in it."""

    container: Container
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class _Placed:
    corner: Sides
    sides: Sides


def pack_pieces(pieces: Sequence[Piece], containers: Sequence[Container]) -> list[PackedBox]:
    """Pack all pieces; empty if one of them fits no box."""
    by_size = sorted(containers, key=lambda container: (container.volume, container.price))
    left, packed = list(pieces), list[PackedBox]()
    while left:
        best = _choose_box(left, by_size)
        if not best.pieces:
            return []
        packed.append(best)
        inside = set(map(id, best.pieces))
        left = [piece for piece in left if id(piece) not in inside]
    return packed


def _choose_box(pieces: Sequence[Piece], by_size: Sequence[Container]) -> PackedBox:
    """The smallest box for all pieces, else that with the most of them."""
    best = PackedBox(by_size[0], ())
    for container in by_size:
        filled = fill_container(pieces, container)
        if len(filled) == len(pieces):
            return PackedBox(container, filled)
        if len(filled) > len(best.pieces):
            best = PackedBox(container, filled)
    return best


def fill_container(pieces: Sequence[Piece], container: Container) -> tuple[Piece, ...]:
    """The pieces that a box holds, at best all."""
    orders: tuple[Callable[[Piece], float], ...] = (
        lambda piece: -piece.sides[0] * piece.sides[1] * piece.sides[2],
        lambda piece: -max(piece.sides),
    )
    fillings = (_fill(sorted(pieces, key=order), container) for order in orders)
    best: tuple[Piece, ...] = ()
    for filling in fillings:
        best = max(best, filling, key=len)
        if len(best) == len(pieces):
            break
    return best


def _fill(pieces: Sequence[Piece], container: Container) -> tuple[Piece, ...]:
    placed, inside, weight = list[_Placed](), list[Piece](), 0.0
    corners: set[Sides] = {(0.0, 0.0, 0.0)}
    without_spot = set[Sides]()  # until something more is placed: equal pieces are tried once
    for piece in pieces:
        if len(inside) == MOST_PIECES:
            break
        is_too_heavy = container.limit is not None and weight + piece.weight > container.limit + SLACK
        if is_too_heavy or piece.sides in without_spot:
            continue
        spot = _find_spot(piece, container, placed, corners)
        if spot is None:
            without_spot.add(piece.sides)
            continue
        without_spot.clear()
        placed.append(spot)
        inside.append(piece)
        weight += piece.weight
        corners |= _list_corners(spot)
        corners.discard(spot.corner)
    return tuple(inside)


def _find_spot(
    piece: Piece, container: Container, placed: Sequence[_Placed], corners: set[Sides]
) -> _Placed | None:
    """The lowest corner at which the piece, turned in some way, lies beside the others."""
    turns = sorted(set(permutations(piece.sides)))
    for corner in sorted(corners, key=lambda corner: (corner[2], corner[1], corner[0])):
        for turn in turns:
            spot = _Placed(corner, (turn[0], turn[1], turn[2]))
            if _is_inside(spot, container) and not any(_overlap(spot, other) for other in placed):
                return spot
    return None


def _is_inside(spot: _Placed, container: Container) -> bool:
    return all(
        start + side <= inner + SLACK
        for start, side, inner in zip(spot.corner, spot.sides, container.sides, strict=True)
    )


def _overlap(spot: _Placed, other: _Placed) -> bool:
    return all(
        spot.corner[axis] < other.corner[axis] + other.sides[axis] - SLACK
        and other.corner[axis] < spot.corner[axis] + spot.sides[axis] - SLACK
        for axis in range(3)
    )


def _list_corners(spot: _Placed) -> set[Sides]:
    (x, y, z), (length, width, height) = spot.corner, spot.sides
    return {(x + length, y, z), (x, y + width, z), (x, y, z + height)}
