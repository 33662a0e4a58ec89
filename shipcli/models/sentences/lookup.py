"""Finds the sentence of a field: that of its model, of a model it extends, or of all models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shipcli.models.base import Model
from shipcli.models.sentences import (
    accounts,
    additions,
    common,
    customs,
    goods,
    orders,
    papers,
    pickups,
    places,
    rules,
    shipments,
    trackers,
)

_TABLES = (
    common, accounts, additions, customs, goods, orders, papers, pickups, places, rules, shipments, trackers,
)  # fmt: skip


@cache
def list_sentences() -> Mapping[str, str]:
    """Every sentence: by `Model.field`, or by the field alone where it means the same in all models."""
    return {name: text for table in _TABLES for name, text in table.SENTENCES.items()}


def find_sentence(model: type[Model], field: str) -> str | None:
    """The sentence of a field; None if there is none."""
    names = [f"{kind.__name__}.{field}" for kind in model.__mro__]
    return next((list_sentences()[name] for name in (*names, field) if name in list_sentences()), None)
