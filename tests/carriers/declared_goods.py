"""What goes out with a purchase abroad names the goods and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import GOODS, PIECES, WORTH, cheapest
from tests.carriers.tap import Tap

VARIANT = "Blue / Large"


def check_declared_goods(border: Bench) -> None:
    """Buy a parcel with goods across a customs border, and look for them in what was sent."""
    sent = buy_goods(border, GOODS)
    sums = (WORTH, PIECES * WORTH)
    worth = [text for one in sums for text in (str(one), f"{one * 100:.0f}")]  # some count in cents
    assert str(GOODS["title"]) in sent
    assert any(amount in sent for amount in worth), f"none of {worth} is declared"


def check_declared_variant(border: Bench) -> None:
    """The variant of goods is sent with them, however long their title and description are."""
    long = {
        "title": "Crimson scarf of the softest wool",
        "description": f"A knitted scarf {'and so on ' * 8}",
    }
    for texts in ({"description": None}, {"title": None}, long):
        goods = {**GOODS, **texts, "metadata": {"variant": VARIANT}}
        assert VARIANT in buy_goods(border, goods), texts


def buy_goods(border: Bench, goods: Mapping[str, Any]) -> str:
    """What is sent for a parcel with these goods."""
    box = parcel("1.5", items=[goods])
    service, tap = cheapest(border.quote(box).result or []), Tap(border)
    outcome = border.buy(box, service=service)
    assert outcome.result, said(outcome)
    sent = "\n".join(f"{unquote_plus(one.url)}\n{one.content.decode('utf-8', 'replace')}" for one in tap.sent)
    return sent + unquote_plus(sent)  # of a form
