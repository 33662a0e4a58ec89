"""Rules, what they set, and why."""

_SETTINGS = {
    "service": "The service to buy, or cheapest or fastest; null if the rule chooses none.",
    "box": "The box of parcels without a size: your own, or one of a carrier.",
    "options": "Shipping options that the rule sets, by name.",
    "printer": "The printer of the labels, by its name.",
    "label_type": "The format of the label.",
}
_RULE = {**_SETTINGS, "name": "What the rule is called; no two have the same name.",
         "condition": "When the rule applies, such as `country!=US and weight<2lb`.",
         "enabled": "False for a rule that is not tried."}  # fmt: skip
_MODELS = ("RuleData", "RulePatch", "ShippingRule")
SENTENCES = {
    **{f"{model}.{name}": text for model in _MODELS for name, text in _RULE.items()},
    "RulePatch.position": "The new place of the rule, counted from 1.",
    "ShippingRule.position": "The place of the rule, counted from 1; the first is tried first.",
    "RuleList.rules": "The rules, in the order in which they are tried.",
    "RuleSet.rules": "The rules that take the place of all others.",
    "RuleSet.check": "True to check the rules and store nothing.",
    "RuleOutcome.rule": "The rule, by its name.",
    "RuleOutcome.condition": "The condition as it was when it was tried.",
    "RuleOutcome.outcome": "What became of it: sets, matched, not_matched or waits_for_rates.",
    "RuleOutcome.sets": "What it set, as `name=value`.",
    "RuleOutcome.overruled": "What it would have set if it had not been set before, and by what.",
    "RuleOutcome.seen": "Each comparison, the value that it saw, and whether it was fulfilled.",
    "RateOutcome.carrier_id": "The connection that offers the rate.",
    "RateOutcome.service": "The service of the rate.",
    "RateOutcome.total_charge": "What the rate costs, in `currency`.",
    "RateOutcome.currency": "The currency of the price.",
    "RateOutcome.outcome": "Whether it was chosen or kept, or why it was left out.",
    "Explanation.kind": "What is explained: a shipment or an order.",
    "Explanation.status": "The status of the shipment or the order.",
    "Explanation.summary": "The decision in one sentence.",
    "Explanation.settings": "What was decided, by name.",
    "Explanation.rules": "What became of each rule.",
    "Explanation.rates": "What became of each rate.",
    "RuleTrialRequest.ids": "The orders to try, by id; empty for unfulfilled ones.",
    "RuleTrialRequest.limit": "How many unfulfilled orders are tried, the newest first.",
    "RuleTrialRequest.rules": "Rules to try in the place of those stored.",
    "RuleTrial.orders": "What the rules would do with each order.",
    "RuleTrial.matches": "How many of the orders each rule fits.",
}
