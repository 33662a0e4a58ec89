"""How a fact is compared with values. What is not known fulfils nothing but `!=`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from shipcli.models.conditions.values import Worth

Check = Callable[[Any], bool]
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def make_check(type: str, sign: str, values: Sequence[Any]) -> Check:
    """The function that compares a fact of a type with the values of a condition."""
    if sign == "!=":
        same = make_check(type, "=", values)
        return lambda fact: not same(fact)
    if type in ("texts", "state"):
        return _check_texts(sign, values)
    if type == "money":
        return _check_money(sign, values)
    return _check_single(sign, values)


def _check_single(sign: str, values: Sequence[Any]) -> Check:
    first = values[0]
    if sign == "contains":
        return lambda fact: fact is not None and first in fact
    if sign == "between":
        last = values[1]
        if last < first:  # over midnight, or over the weekend
            return lambda fact: fact is not None and not last < fact < first
        return lambda fact: fact is not None and first <= fact <= last
    if sign in _ORDER:
        compare = _ORDER[sign]
        return lambda fact: fact is not None and compare(fact, first)
    choices = frozenset(values)
    return lambda fact: fact in choices


def _check_texts(sign: str, values: Sequence[str]) -> Check:
    if sign == "contains":
        part = values[0]
        return lambda fact: any(part in text for text in fact or ())
    choices = frozenset(values)
    return lambda fact: not choices.isdisjoint(fact or ())


def _check_money(sign: str, values: Sequence[Worth]) -> Check:
    check, currency = _check_single(sign, values), values[0].currency
    if sign == "in":
        return check
    return lambda fact: fact is not None and fact.currency == currency and check(fact)
