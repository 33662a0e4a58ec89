"""What a run of the tests skipped, and why: `python -m tests.skipped REPORT.xml --needing-shared FILE`.

REPORT.xml is pytest's own (`--junit-xml`, family xunit1). FILE gets the tests that need what lies beside a
checkout, one a line, without their parameters: those may be read from there as well.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from tests.shared import NEEDED


class SkippedTest(NamedTuple):
    test: str  # file and function
    reason: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("--needing-shared", type=Path, required=True)
    options = parser.parse_args()
    root = etree.parse(options.report).getroot()
    if not any(case.find("skipped") is None for case in root.iter("testcase")):
        parser.error("no test ran")
    skipped = list(list_skipped(root))
    for reason, count in sorted(Counter(reason for _, reason in skipped).items()):
        print(f"{count:5} skipped: {reason}")
    options.needing_shared.write_text("".join(f"{test}\n" for test in list_needing_shared(skipped)))


def list_skipped(root: etree._Element) -> Iterator[SkippedTest]:
    for case in root.iter("testcase"):
        for node in case.iter("skipped"):
            function = str(case.get("name")).partition("[")[0]
            yield SkippedTest(f"{case.get('file')}::{function}", str(node.get("message")))


def list_needing_shared(skipped: list[SkippedTest]) -> list[str]:
    return sorted({row.test for row in skipped if row.reason.startswith(NEEDED)})


if __name__ == "__main__":
    main()
