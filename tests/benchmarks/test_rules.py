"""What rules cost an import, as a share of the same import without them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.files.engine import ImportPlan
from shipcli.features.rules import service as rules
from shipcli.models.rule import RuleData, RuleSet
from shipcli.readers.tables import DataFile
from tests.benchmarks.rows import csv_file
from tests.benchmarks.yardstick import SLACK, against
from tests.features.importing import import_shipments

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]
ROWS, RULES = 10, 20


def make_rules() -> RuleSet:
    """Rules of which none fits until the last."""
    unfit = (f"country=SE and (weight<{n}lb or value>{n}USD) and postal_code={n}" for n in range(1, RULES))
    conditions = [*unfit, "weight>0lb"]
    rows = [RuleData(condition=text, printer="dock") for text in conditions]
    return RuleSet(rules=rows)


def make_import(app: App) -> Callable[[], None]:
    """An import of new rows, each time it is called."""
    numbers = count()

    def run() -> None:
        content = csv_file(ROWS).replace(b"SO-", f"SO{next(numbers)}-".encode())
        import_shipments(app, DataFile("rows.csv", content), ImportPlan(buy="cheapest"))

    return run


def test_rules_cost_at_most_a_twentieth_of_an_import(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, ruled = (open_app(tmp_path / name, sandbox=True, environ={}) for name in ("plain", "ruled"))
    rules.replace_rules(ruled, make_rules())
    _, ratio = against(make_import(ruled), make_import(plain), count=1, rounds=7)
    plain.close()
    ruled.close()
    with capsys.disabled():
        print(f"\nan import with {RULES} rules costs {ratio:5.3f} of one without", end="")
    assert ratio <= 1.05 * SLACK
