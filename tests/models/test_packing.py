"""Packing: what is packed lies inside and apart, the smallest box is taken, several where none does."""

from __future__ import annotations

import sys
from itertools import pairwise, permutations
from random import Random

import pytest

from shipcli.models.parts.packing import Container, Piece, pack_pieces

SMALL, LARGE = Container("S", (10, 10, 10), 1000), Container("L", (30, 20, 10), 5000)


def pack(pieces: list[Piece], *boxes: Container) -> list[tuple[str, int]]:
    return [(load.container.name, len(load.pieces)) for load in pack_pieces(pieces, boxes)]


def count_searches(pieces: list[Piece]) -> int:
    """How often a place in a box is sought while pieces are packed."""
    names: list[str] = []
    sys.setprofile(lambda frame, event, _: names.append(frame.f_code.co_name) if event == "call" else None)
    try:
        pack(pieces, SMALL)
    finally:
        sys.setprofile(None)
    return names.count("_find_spot")


@pytest.mark.parametrize(
    ("sides", "count", "boxes"),
    [
        ((10, 10, 10), 1, [("S", 1)]),
        ((5, 5, 5), 8, [("S", 8)]),
        ((5, 5, 5), 9, [("L", 9)]),
        ((10, 10, 10), 6, [("L", 6)]),
        ((10, 10, 10), 7, [("L", 6), ("S", 1)]),
        ((20, 10, 30), 1, [("L", 1)]),  # turned
        ((4, 1, 25), 2, [("L", 2)]),
        ((31, 1, 1), 1, []),
    ],
)
def test_the_smallest_box_is_taken(
    sides: tuple[float, float, float], count: int, boxes: list[tuple[str, int]]
) -> None:
    assert pack([Piece(0, sides) for _ in range(count)], LARGE, SMALL) == boxes


def test_weight_limits_a_box() -> None:
    assert pack([Piece(0, (5, 5, 5), 600)] * 1, SMALL, LARGE) == [("S", 1)]
    assert pack([Piece(0, (5, 5, 5), 600), Piece(1, (5, 5, 5), 600)], SMALL, LARGE) == [("L", 2)]
    assert pack([Piece(0, (1, 1, 1), 6000)], SMALL, LARGE) == []


def test_the_cheaper_of_two_equal_boxes_is_taken() -> None:
    dear, cheap = Container("dear", (9, 9, 9), price=2), Container("cheap", (9, 9, 9), price=1)
    assert pack([Piece(0, (5, 5, 5))], dear, cheap) == [("cheap", 1)]


def test_the_order_of_a_boxs_sides_makes_it_no_smaller() -> None:
    for one, two in permutations(permutations((7.62, 10.16, 12.7)), 2):
        dear, cheap = Container("dear", one, price=2), Container("cheap", two, price=1)  # type: ignore[arg-type]
        assert pack([Piece(0, (5, 5, 5))], dear, cheap) == [("cheap", 1)]


def test_five_hundred_equal_pieces_are_tried_once_for_each_box() -> None:
    few, many = (count_searches([Piece(0, (5, 5, 5)) for _ in range(number)]) for number in (100, 500))
    assert 0 < many <= 6 * few


@pytest.mark.parametrize("seed", range(20))
def test_every_piece_is_packed_once_within_volume_and_weight(seed: int) -> None:
    draw = Random(seed)
    pieces = [
        Piece(key, (draw.randint(1, 10), draw.randint(1, 10), draw.randint(1, 10)), draw.randint(1, 900))
        for key in range(draw.randint(1, 25))
    ]
    loads = pack_pieces(pieces, [LARGE, SMALL])
    assert sorted(piece.key for load in loads for piece in load.pieces) == list(range(len(pieces)))
    for load in loads:
        volume = sum(piece.sides[0] * piece.sides[1] * piece.sides[2] for piece in load.pieces)
        assert volume <= load.container.volume
        assert sum(piece.weight for piece in load.pieces) <= (load.container.limit or 0)


def test_a_box_cut_into_pieces_is_put_together_again() -> None:
    draw = Random(3)
    cuts = [0, *sorted(draw.sample(range(1, 30), 4)), 30]
    pieces = [Piece(key, (20.0, float(end - start), 10.0)) for key, (start, end) in enumerate(pairwise(cuts))]
    assert pack(pieces, LARGE) == [("L", 5)]
