"""What a schema makes mandatory and nillable is there, nil where it has no value."""

from __future__ import annotations

from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.wire.nillable import spell_nils
from shipcli.carrier.wire.xml import SCHEMA_INSTANCE, element

SHAPE = {"box": {"width": None, "rows": {"item": {"name": None, "price": None}}}, "note": None}


def test_members_without_a_value_are_nil_and_read_as_absent() -> None:
    value = {"box": {"width": 3, "rows": {"item": [{"name": "a"}, {"price": 2}]}}, "more": "x"}
    tree = element("order", spell_nils(value, SHAPE), "urn:a")
    nils = [str(one.tag) for one in tree.iter() if one.get(f"{{{SCHEMA_INSTANCE}}}nil") == "true"]
    assert nils == ["{urn:a}price", "{urn:a}name", "{urn:a}note"]
    plain = convert_to_plain(element("order", spell_nils(value, SHAPE)))
    assert plain == {"box": {"width": "3", "rows": {"item": [{"name": "a"}, {"price": "2"}]}}, "more": "x"}


def test_a_group_that_is_left_out_is_nil_itself() -> None:
    tree = element("order", spell_nils({"note": ""}, SHAPE))
    assert [(one.tag, len(one), one.text) for one in tree] == [("box", 0, None), ("note", 0, None)]
    assert [one.get(f"{{{SCHEMA_INSTANCE}}}nil") for one in tree] == ["true", None]
