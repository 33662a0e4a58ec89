"""Declared departures are narrow, and say by what and when they were found right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.carriers import deviations

SLUGS = sorted(path.parent.name for path in deviations.HERE.glob(f"*/{deviations.FILE}"))
WHOLE_SIDES = re.compile(
    r"[*/]*|(http|parsed|messages|request|answer)(/\*)*(/(body|url|query|headers|status))?[*/]*"
)
# Rows from before a date was asked for, whose sources nobody read again. No carrier gets more of them.
UNDATED = {
    "australiapost": 1, "boxknight": 1, "bpost": 1, "colissimo": 3, "dhl_parcel_de": 1, "dpd": 1,
    "dpdhl": 1, "easypost": 3, "easyship": 2, "eshipper": 1, "geodis": 1, "nationex": 4, "purolator": 1,
    "roadie": 5, "seko": 5, "usps_wt_international": 1,
}  # fmt: skip


@pytest.mark.parametrize("slug", SLUGS)
def test_no_row_pardons_a_whole_side(slug: str) -> None:
    """Such as every body, or every status: `parsed/*/status: expected null, got *` says what departs."""
    wide = [one.path for one in deviations.of_carrier(slug) if is_whole_side(one.path)]
    assert not wide


@pytest.mark.parametrize("slug", SLUGS)
def test_a_row_says_when_its_source_was_read(slug: str) -> None:
    undated = [one.path for one in deviations.of_carrier(slug) if not one.date]
    assert len(undated) <= UNDATED.get(slug, 0), f"a new row has no date: {undated}"


@pytest.mark.parametrize(
    "path", ["http", "parsed", "messages", "http/*/body", "http/*/body*", "parsed/*/status", "*", "request *"]
)
def test_what_is_a_whole_side(path: str) -> None:
    assert is_whole_side(path)


@pytest.mark.parametrize(
    "path",
    [
        "http/*/body/value",
        "parsed/*/status: expected null, got *",
        "http/*/headers/accept",
        "parsed/*/events/*/location",
        "messages: not expected *CNF*",
        "request POST /pickup/v1 header/x-id",
    ],
)
def test_what_is_a_part(path: str) -> None:
    assert not is_whole_side(path)


def test_a_row_without_a_source_or_a_date_is_refused(tmp_path: Path) -> None:
    row = '{"operation": "%s", "path": "parsed/*/x", "reason": "r", "source": "%s"}'
    for slug, operation, source in (("undated", "published", "s"), ("sourceless", "rates", " ")):
        (tmp_path / slug).mkdir()
        (tmp_path / slug / deviations.FILE).write_text(f"[{row % (operation, source)}]")
        with pytest.raises(ValueError, match="an entry"):
            deviations.of_carrier(slug, tmp_path)


def is_whole_side(path: str) -> bool:
    """Whether a pattern says neither which member departs nor how."""
    return bool(WHOLE_SIDES.fullmatch(path)) or path in ("request *", "answer *")
