"""Fifty generated sets of rules, against an evaluation of its own: what is set, and how it is explained."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from shipcli.features.book.drafts import make_draft
from shipcli.features.core.app import App
from shipcli.features.orders.rule_trials import explain_shipment
from shipcli.features.rules import service as rules
from shipcli.features.rules.application import apply_rules
from shipcli.models import ShipmentData
from shipcli.models.rule import RuleData, RuleSet
from tests.factories import body
from tests.features.rules.generated import CM, GRAMS, evaluate, make_tree, write_tree

PLACES = [("US", "AZ", "85004"), ("US", "NY", "10001"), ("CA", "ON", "K1A 0B1")]


def draw_shipment(draw: Random) -> tuple[ShipmentData, dict[str, Any]]:
    """A shipment, and its facts as the naive evaluation sees them."""
    country, state, code = draw.choice(PLACES)
    unit, size_unit = draw.choice(["KG", "LB", "OZ"]), draw.choice(["CM", "IN"])
    weight, sides = draw.randint(1, 40), [draw.randint(1, 40) for _ in range(3)]
    skus, quantity, price = draw.sample(["MUG", "LAMP", "CHAIR-2"], 2), draw.randint(1, 5), draw.randint(1, 9)
    items = [
        {"sku": sku, "quantity": quantity, "weight": 0.1, "weight_unit": "KG", "value_amount": price,
         "value_currency": "USD"}
        for sku in skus
    ]  # fmt: skip
    parcel = {"weight": weight, "weight_unit": unit, "dimension_unit": size_unit, "items": items}
    parcel |= dict(zip(("length", "width", "height"), sides, strict=True))
    source = draw.choice(["shopify", "API"])
    data = body(parcels=[parcel], metadata={"order_source": source})
    data["recipient"] = {
        **data["recipient"],
        "country_code": country,
        "state_code": state,
        "postal_code": code,
    }
    facts = {
        "weight": weight * GRAMS[unit.lower()], "length": max(sides) * CM[size_unit.lower()],
        "value": float(2 * quantity * price), "country": country, "state": state, "postal_code": code,
        "sku": skus, "source": source, "quantity": float(2 * quantity),
    }  # fmt: skip
    return ShipmentData.model_validate(data), facts


@pytest.mark.parametrize("seed", range(50))
def test_rules_decide_and_explain_as_an_evaluation_of_its_own(app: App, seed: int) -> None:
    draw = Random(seed)
    trees = [make_tree(draw) for _ in range(4)]
    settings = [{"printer": f"p{n}"} | ({"options": {"insurance": n}} if n % 2 else {}) for n in range(4)]
    rows = [
        RuleData(name=f"rule-{n}", condition=write_tree(tree), **setting)
        for n, (tree, setting) in enumerate(zip(trees, settings, strict=True))
    ]
    rules.replace_rules(app, RuleSet(rules=rows))
    for _ in range(4):
        data, facts = draw_shipment(draw)
        draft = apply_rules(app, make_draft(app, data))
        fitting = [n for n, tree in enumerate(trees) if evaluate(tree, facts)]
        insured = [n for n in fitting if n % 2]
        explanation = explain_shipment(draft)
        assert explanation.settings.get("printer") == (f"p{fitting[0]}" if fitting else None), facts
        assert draft.options.get("insurance") == (insured[0] if insured else None)
        outcomes = {row.rule: row.outcome for row in explanation.rules}
        setting = {*fitting[:1], *insured[:1]}
        expected = [
            "sets" if n in setting else "matched" if n in fitting else "not_matched" for n in range(4)
        ]
        assert [outcomes[f"rule-{n}"] for n in range(4)] == expected
