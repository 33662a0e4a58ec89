"""Which weight is taken of a scale; where scales are, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from shipcli.models import Invalid, NotFound
from shipcli.models.basics.errors import Conflict
from shipcli.scales import opening
from shipcli.scales.opening import open_scale, take_weight
from shipcli.scales.readings import ScaleError, ScaleReading, ScaleState
from shipcli.scales.registry import add_scale, choose_scale, list_scales, remove_scale
from shipcli.scales.targets import parse_target
from shipcli.scales.udev import explain_access


class ReadAloud:
    """A scale whose readings are written down."""

    def __init__(self, readings: Sequence[ScaleReading]) -> None:
        self._readings = iter(readings)

    def read(self) -> ScaleReading:
        return next(self._readings)

    def close(self) -> None:
        self._readings = iter(())


def say(*grams: int, state: ScaleState = ScaleState.STABLE) -> list[ScaleReading]:
    return [ScaleReading(Decimal(amount), "G", state) for amount in grams]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PAUSE_S", 0.0)


def test_a_weight_counts_when_it_lies_still_twice() -> None:
    readings = [*say(0, 400), *say(900, state=ScaleState.UNSTABLE), *say(900, 1000, 1002)]
    assert take_weight(ReadAloud(readings)).weight == 1002


@pytest.mark.parametrize(
    ("readings", "reason"),
    [
        (say(0, 0, 0), "Nothing lies"),
        (say(1, 2, 3, state=ScaleState.UNSTABLE), "does not come to rest"),
        (say(100, 200, 300), "does not come to rest"),
        (say(30000, 30000, 30000, state=ScaleState.OVERLOAD), "an overload"),
        (say(-5, -5, -5), "less than nothing"),
    ],
)
def test_what_is_no_weight_is_said(readings: list[ScaleReading], reason: str) -> None:
    with pytest.raises(ScaleError, match=reason):
        take_weight(ReadAloud(readings), tries=3)


def test_a_scale_that_a_person_reads_is_asked_for_once() -> None:
    answers = iter(["2lb6oz"])
    scale = open_scale(parse_target("typed:"), lambda question: next(answers))
    assert take_weight(scale).describe() == "2.375 lb"


@pytest.mark.parametrize(
    "text",
    ["serial:/dev/ttyUSB0?protocol=toledo&line=9600,7E1", "serial:COM3?protocol=sics&line=2400,8N1",
     "hid:0922:8003", "simulated:1.2kg,unstable", "typed:"],
)  # fmt: skip
def test_a_target_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_target(text)) == text


def test_a_protocol_brings_its_usual_line() -> None:
    assert parse_target("serial:/dev/ttyUSB0", "nci").line == "9600,7E1"
    assert parse_target("serial:/dev/ttyUSB0").split_line() == (9600, 8, "N", 1)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("ttyUSB0", "to"),
        ("serail:/dev/ttyUSB0", "to"),
        ("serial:", "to"),
        ("serial:/dev/ttyUSB0?protocol=scis", "protocol"),
        ("serial:/dev/ttyUSB0?line=fast", "line"),
        ("serial:/dev/ttyUSB0?protocol=8217", "unit"),
        ("serial:/dev/ttyUSB0?protocol=8217&unit=oz", "unit"),
        ("serial:/dev/ttyUSB0?unit=kg", "unit"),
        ("hid:dymo", "to"),
        ("simulated:heavy", "weight"),
        ("simulated:1kg,tired", "to"),
    ],
)
def test_a_wrong_target_is_named(text: str, field: str) -> None:
    with pytest.raises(Invalid) as raised:
        parse_target(text)
    assert [problem.field for problem in raised.value.problems] == [field]


def test_a_scale_is_kept_by_name(tmp_path: Path) -> None:
    add_scale(tmp_path, "bench", parse_target("serial:/dev/ttyUSB0", "toledo"))
    assert choose_scale(tmp_path).target.protocol == "toledo"
    with pytest.raises(Conflict):
        add_scale(tmp_path, "bench", parse_target("typed:"))
    add_scale(tmp_path, "desk", parse_target("hid:0922:8003"))
    with pytest.raises(ScaleError, match="name one: bench, desk"):
        choose_scale(tmp_path)
    assert choose_scale(tmp_path, default="desk").name == "desk"
    assert [scale.is_default for scale in list_scales(tmp_path, "desk")] == [False, True]
    with pytest.raises(NotFound, match="did you mean desk"):
        choose_scale(tmp_path, "desc")
    remove_scale(tmp_path, "desk")
    assert choose_scale(tmp_path).is_default


def test_a_target_needs_no_name(tmp_path: Path) -> None:
    assert str(choose_scale(tmp_path, "simulated:2lb").target) == "simulated:2lb"


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "scales.toml").write_text("[bench\n")
    with pytest.raises(Invalid, match=r"scales\.toml"):
        list_scales(tmp_path)


def test_the_rule_for_a_usb_scale_names_it() -> None:
    assert (
        'ATTRS{idVendor}=="0922", ATTRS{idProduct}=="8003"'
        in explain_access(parse_target("hid:0922:8003"))[1]
    )
    assert explain_access(parse_target("hid:")) == []
