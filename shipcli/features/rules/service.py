"""The stored rules: added, changed, moved and removed; the first that sets a thing wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.rules.checks import check_rule
from shipcli.models import Conflict, Invalid, NotFound
from shipcli.models.basics.text import suggest_nearest
from shipcli.models.rule import RuleData, RuleList, RulePatch, RuleSet, ShippingRule

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.basics.problems import Problem
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

TABLE = "rules"
Row = dict[str, Any]
FIELDS = tuple(RuleData.model_fields)


def read_rows(reader: Reader) -> list[Row]:
    """The rules as plain data, in the order in which they are tried."""
    return [{**row["rule"], "id": row["id"]} for row in reader.select(TABLE, order="position")]


def list_naming_box(app: App, box: str) -> list[str]:
    """The names of the rules that set a box."""
    rows = read_rows(app.store)
    return [row["name"] for row in rows if str(row.get("box") or "").casefold() == box.casefold()]


def list_rules(app: App) -> RuleList:
    """All rules, in the order in which they are tried."""
    return RuleList(rules=_number(read_rows(app.store)))


def _number(rows: Sequence[Row]) -> list[ShippingRule]:
    return [ShippingRule.model_validate({**row, "position": number}) for number, row in enumerate(rows, 1)]


def get_rule(app: App, word: str) -> ShippingRule:
    """A rule, by its name, its position or its id.

    Errors: NotFound suggesting the nearest name.
    """
    rules = _number(read_rows(app.store))
    return rules[find_place(rules, word)]


def find_place(rules: Sequence[ShippingRule], word: str) -> int:
    """The place of a rule, counted from 0.

    Errors: NotFound suggesting the nearest name.
    """
    for place, rule in enumerate(rules):
        if word in (rule.id, str(rule.position)) or word.casefold() == rule.name.casefold():
            return place
    hint = suggest_nearest(word, [rule.name for rule in rules]) or " See: shipcli rules list"
    raise NotFound("rule", word, message=f"There is no rule {word!r}.{hint}")


def add_rule(app: App, data: RuleData) -> ShippingRule:
    """Add a rule behind the others.

    Errors: Invalid for a condition, a service or a box that is none; Conflict for a name that is taken.
    """
    check_rule(app, data)
    with app.store.transaction() as tx:
        rows = read_rows(tx)
        rule = _make_row(app, data, rows)
        _write(tx, [*rows, rule])
    return _number([*rows, rule])[-1]


def _make_row(app: App, data: RuleData, others: Sequence[Row]) -> Row:
    names = {str(row["name"]).casefold() for row in others}
    numbers = (f"rule {number}" for number in range(len(others) + 1, 2 * len(others) + 2))
    name = data.name or next(name for name in numbers if name not in names)
    if name.casefold() in names:
        raise Conflict(f"There is a rule {name!r} already")
    if name.isdecimal():
        raise Invalid("name", "a name is more than a number, which stands for a place")
    return {**data.model_dump(), "name": name, "id": app.new_id("rul_"), "created_at": app.stamp()}


def _write(tx: Transaction, rows: Sequence[Row]) -> None:
    """Store the rules in this order, and no others."""
    kept = {row["id"] for row in rows}
    for row in tx.select(TABLE):
        if row["id"] not in kept:
            tx.remove(TABLE, {"id": row["id"]})
    for place, row in enumerate(rows, 1):
        tx.upsert(TABLE, {"id": row["id"], "position": place, "rule": dict(row)})


def change_rule(app: App, word: str, data: RulePatch) -> ShippingRule:
    """Change the given fields of a rule, or its place.

    Errors: NotFound; as `add_rule`.
    """
    changes = data.model_dump(exclude_unset=True)
    position = changes.pop("position", None)
    with app.store.transaction() as tx:
        rows = read_rows(tx)
        place = find_place(_number(rows), word)
        row, others = rows[place], [*rows[:place], *rows[place + 1 :]]
        changed = RuleData.model_validate({name: row.get(name) for name in FIELDS} | changes)
        if changes.keys() - {"enabled"}:
            check_rule(app, changed)
        if any(str(other["name"]).casefold() == str(changed.name).casefold() for other in others):
            raise Conflict(f"There is a rule {changed.name!r} already")
        target = place if position is None else min(position - 1, len(others))
        ordered = [*others[:target], {**row, **changed.model_dump()}, *others[target:]]
        _write(tx, ordered)
    return _number(ordered)[target]


def remove_rule(app: App, word: str) -> ShippingRule:
    """Remove a rule and return it.

    Errors: NotFound.
    """
    with app.store.transaction() as tx:
        rows = read_rows(tx)
        rules = _number(rows)
        place = find_place(rules, word)
        _write(tx, [*rows[:place], *rows[place + 1 :]])
    return rules[place]


def replace_rules(app: App, data: RuleSet) -> RuleList:
    """Put rules in the place of all others; those only checked are not stored.

    Errors: Invalid naming the rules that are wrong; Conflict for a name that stands twice.
    """
    rows: list[Row] = []
    problems: list[Problem] = []
    for place, rule in enumerate(data.rules):
        try:
            check_rule(app, rule)
        except Invalid as error:
            problems += error.under(f"rules[{place}]").problems
        rows.append(_make_row(app, rule, rows))
    if problems:
        raise Invalid.many(problems)
    if not data.check:
        with app.store.transaction() as tx:
            _write(tx, rows)
    return RuleList(rules=_number(rows))
