"""A label that is bought is kept, whatever makes no sense in its price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from shipcli.carrier import registry
from shipcli.models import Label
from shipcli.models import json as plain_json
from tests.carriers.places import HAND_MADE, list_recorded_rows
from tests.carriers.recordings import Case, find
from tests.carriers.replay import run

NO_NUMBER = "n/a"


def is_amount(value: Any, amount: Decimal) -> bool:
    if isinstance(value, bool):
        return False
    try:
        return Decimal(str(value).strip()) == amount
    except InvalidOperation:
        return False


def spoil(value: Any, amount: Decimal) -> Any:
    """The answer with every number that is the price replaced."""
    if isinstance(value, dict):
        return {name: spoil(one, amount) for name, one in value.items()}
    if isinstance(value, list):
        return [spoil(one, amount) for one in value]
    return NO_NUMBER if is_amount(value, amount) else value


def spoil_text(text: str, amount: Decimal) -> str:
    """Of JSON or XML; anything else stays as it is."""
    if text.lstrip().startswith(("{", "[")):
        return plain_json.dumps(spoil(plain_json.loads(text), amount))
    try:
        root = etree.fromstring(text.encode())
    except etree.XMLSyntaxError:
        return text
    for node in root.iter(etree.Element):
        if is_amount(node.text, amount):
            node.text = NO_NUMBER
    return etree.tostring(root, encoding="unicode")


def spoilt(case: Case) -> Case:
    """The case with the price spoilt where it is told last: before that nothing is bought."""
    amount = Decimal(str(case.data["parsed"]["selected_rate"]["total_charge"]))
    answers = list(case.data["carrier_response"])
    for at, answer in reversed([*enumerate(answers)]):
        body = answer.get("body") or ""
        changed = spoil_text(body, amount)
        if NO_NUMBER in changed and NO_NUMBER not in body:
            answers[at] = {**answer, "body": changed}
            break
    return replace(case, data={**case.data, "carrier_response": answers})


def is_priced(data: Mapping[str, Any]) -> bool:
    priced = data["operation"] == "shipment" and (data.get("parsed") or {}).get("selected_rate")
    return bool(priced and data.get("http") and "parsed" in (data.get("checks") or ("parsed",)))


def list_priced(folder: Path) -> list[Any]:
    return [pytest.param(case, id=case.key) for case in find([folder]) if is_priced(case.data)]


@pytest.mark.parametrize("case", [*list_priced(HAND_MADE), *list_recorded_rows(list_priced)])
def test_a_price_that_cannot_be_read_loses_no_label(case: Case, request: pytest.FixtureRequest) -> None:
    wanted = request.config.getoption("--carrier")
    if wanted and case.slug not in wanted:
        pytest.skip("another carrier was asked for")
    carrier = registry.get(case.slug)
    whole, broken = run(case, carrier)[0].result, run(spoilt(case), carrier)[0]
    assert isinstance(whole, Label)
    assert isinstance(broken.result, Label), broken.messages
    assert broken.result.tracking_number == whole.tracking_number
