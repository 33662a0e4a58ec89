"""Reports on a terminal: numbers are whole however narrow it is, and bars are of signs that it has."""

from __future__ import annotations

import pytest

from shipcli.cli.console.report_view import draw_report
from shipcli.models import Report

COLUMNS = [
    {"name": "sku", "title": "Article"}, {"name": "labels", "title": "Labels", "kind": "count"},
    {"name": "voided", "title": "Voided", "kind": "count"},
    {"name": "spend", "title": "Spend", "kind": "money"},
    {"name": "per_parcel", "title": "A parcel", "kind": "money"},
    {"name": "share", "title": "Share", "kind": "share"},
]  # fmt: skip
SKUS = ("MUG-WITH-A-LONG-NUMBER", "缶", "B\x1b[31mK")
REPORT = Report.model_validate({
    "name": "cost", "title": "Costs", "first": "2026-11-01", "last": "2026-11-27", "sections": [{
        "title": "USD", "currency": "USD", "columns": COLUMNS,
        "rows": [{"sku": sku, "labels": 12_345, "voided": 1, "spend": "98765.40", "per_parcel": "8.00",
                  "share": 0.33} for sku in SKUS],
        "total": {"labels": 37_035, "spend": "296296.20"},
        "chart": {"title": "Costs by article", "label": "sku", "value": "spend"},
    }],
})  # fmt: skip


@pytest.mark.parametrize("width", [20, 30, 40, 60, 80, 200])
def test_a_number_is_whole_or_its_column_is_left_out(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    drawn = draw_report(REPORT, color=False, charts=False)
    numbers = [word for line in drawn.splitlines()[3:] for word in line.split() if word[0].isdecimal()]
    assert set(numbers) <= {"12,345", "1", "98,765.40", "8.00", "33%", "37,035", "296,296.20"}
    assert ("98,765.40" in drawn, "296,296.20" in drawn) == (width > 20, width > 20)
    assert "\x1b" not in drawn


@pytest.mark.parametrize(("encoding", "sign"), [("utf-8", "█"), ("ascii", "#"), ("latin-1", "#")])
def test_bars_are_drawn_with_signs_that_the_terminal_has(encoding: str, sign: str) -> None:
    drawn = draw_report(REPORT, color=False, charts=True, encoding=encoding)
    (title, *bars) = drawn.splitlines()[-4:]
    assert title == "Costs by article"
    assert all(bar.count(sign) >= 10 for bar in bars)
    assert len({bar.replace("缶", "xx").index(sign) for bar in bars}) == 1
