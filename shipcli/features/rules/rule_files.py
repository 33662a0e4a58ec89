"""All rules as one YAML file that people read and change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shipcli.models import Invalid
from shipcli.models.basics.text import describe_unreadable
from shipcli.models.rule import RuleData, ShippingRule

HEAD = "# Rules, tried from top to bottom: for each thing they set, the first that fits wins.\n"


def write_rules(rules: Sequence[ShippingRule]) -> str:
    """Rules as YAML; what a rule does not set is left out."""
    import yaml  # only the few commands that read or write such files need it

    fields = list(RuleData.model_fields)
    plain = [{name: getattr(rule, name) for name in fields} for rule in rules]
    return HEAD + yaml.safe_dump(
        {"rules": [_drop_usual(each) for each in plain]}, sort_keys=False, allow_unicode=True, width=1000
    )


def _drop_usual(plain: Mapping[str, Any]) -> dict[str, Any]:
    order = ("name", "condition", *(name for name in plain if name not in ("name", "condition")))
    return {
        name: plain[name]
        for name in order
        if plain[name] not in (None, {}) and not (name == "enabled" and plain[name])
    }


def read_rule_file(path: Path) -> list[RuleData]:
    """The rules of a YAML file.

    Errors: Invalid naming the file, and the rule that is wrong.
    """
    import yaml

    try:
        plain = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Invalid(str(path), f"can't be read: {describe_unreadable(error)}") from None
    rows = plain.get("rules") if isinstance(plain, Mapping) else None
    if not isinstance(rows, list):
        raise Invalid(str(path), "has no list of rules: write rules: and below it - condition: ...")
    return [_read_rule(row, f"{path}: rules[{place}]") for place, row in enumerate(rows)]


def _read_rule(row: Any, place: str) -> RuleData:
    if not isinstance(row, Mapping):
        raise Invalid(place, "is no rule: write - condition: ...")
    unknown = [str(name) for name in row if name not in RuleData.model_fields]
    if unknown:
        raise Invalid(place, f"a rule has no {', '.join(unknown)}, only {', '.join(RuleData.model_fields)}")
    try:
        return RuleData.model_validate(dict(row))
    except ValidationError as error:
        raise Invalid.from_pydantic(error, place) from None
