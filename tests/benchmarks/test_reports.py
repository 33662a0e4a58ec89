"""Reports over many shipments: what they take of memory and time, in a process of its own.

`REPORT_SHIPMENTS=1000000` measures a million, which takes a quarter of an hour.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.store import Store
from tests.factories import PARCEL, RECIPIENT, SHIPPER

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

MANY = int(os.environ.get("REPORT_SHIPMENTS", "12000"))
FEW = min(MANY // 4, 50_000)
MOST_MORE = 1.15  # times the memory for `FEW` that `MANY` may take
DAYS, FIRST, AT_ONCE = 60, datetime(2026, 1, 1, 12, tzinfo=UTC), 5000
CARRIERS, COUNTRIES, SKUS = ("ups", "usps", "fedex"), ("US", "US", "CA", "DE"), ("L-1", "B-1", "M-1", "P-1")
REPORTS = """
import json, resource, sys, time
from pathlib import Path
from shipcli.bootstrap import ProcessApp
from shipcli.clocks import real_clock
from shipcli.config import load
from shipcli.features.reports.sales import catch_up
from shipcli.features.reports.service import make_report
from shipcli.store.store import Store

names = ("spend", "cost", "zones", "carriers", "bills", "day", "late")
unit = 1024 if sys.platform != "darwin" else 1
with Store.open(Path(sys.argv[1]), clock=real_clock) as store:
    app = ProcessApp(Path(sys.argv[1]).parent, load(Path("nowhere"), {}), store)
    started = time.process_time()
    told = {"rows": catch_up(app), "catching up": time.process_time() - started}
    for name in names:
        started = time.process_time()
        by = "sku,carrier,service,zone,country,day" if name == "cost" else ""
        report = make_report(app, name, by=by, first="2026-01-01", last="2026-12-31")
        told[name] = time.process_time() - started
        if name == "zones":
            told["labels"] = sum(section.total["labels"] for section in report.sections)
    told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps(told))
"""


def make_shipment(number: int) -> dict[str, Any]:
    """A shipment as one of many, of one of sixty days; each thousandth has a bill above its price."""
    carrier, price = CARRIERS[number % 3], 5 + number % 97 / 10
    rate = {"service": f"{carrier}_ground", "carrier_id": carrier, "total_charge": price, "currency": "USD",
            "meta": {"zone": str(number % 8)}}  # fmt: skip
    item = {"title": "Goods", "sku": SKUS[number % 4], "quantity": 1, "weight": 1, "weight_unit": "KG"}
    bill = {"description": "Weight correction", "amount": price + 3, "currency": "USD"}
    return {
        "id": f"shp_{number:032x}", "object_type": "shipment", "carrier_name": carrier, "carrier_id": carrier,
        "status": "cancelled" if number % 50 == 0 else "delivered", "service": rate["service"],
        "tracking_number": f"1Z{number:010}", "reference": f"SO-{number}", "shipper": SHIPPER,
        "recipient": {**RECIPIENT, "country_code": COUNTRIES[number % 4]}, "options": {}, "metadata": {},
        "parcels": [{**PARCEL, "items": [item]}], "selected_rate": rate, "rates": [rate],
        "meta": {"billing": [bill]} if number % 1000 == 1 else {}, "test_mode": True,
        "created_at": (FIRST + timedelta(days=number % DAYS)).isoformat(),
    }  # fmt: skip


def write_store(path: Path, count: int) -> None:
    with Store.open(path, clock=lambda: FIRST) as store:
        for start in range(0, count, AT_ONCE):
            with store.transaction() as tx:
                for number in range(start, min(start + AT_ONCE, count)):
                    tx.put("shipment", make_shipment(number), test_mode=True)


@pytest.fixture
def measured(tmp_path: Path) -> dict[int, dict[str, float]]:
    """What the reports took over few shipments and over many; the stores are removed afterwards."""
    told = {}
    for count in (FEW, MANY):
        path = tmp_path / f"{count}.db"
        write_store(path, count)
        command = [sys.executable, "-c", REPORTS, str(path)]
        told[count] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for file in tmp_path.glob(f"{count}.db*"):
            file.unlink()
    return told


def test_reports_take_as_much_memory_for_many_shipments_as_for_few(
    measured: dict[int, dict[str, float]], capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        for count, told in measured.items():
            seconds = ", ".join(
                f"{name} {told[name]:.2f} s" for name in told if name not in ("rows", "labels", "memory")
            )
            print(f"\n{count} shipments: {told['memory'] / 1e6:.0f} MB at most; {seconds}", end="")
    for count, told in measured.items():
        assert told["rows"] == count
        assert told["labels"] == count - len(range(0, count, 50))
    assert measured[MANY]["memory"] <= measured[FEW]["memory"] * MOST_MORE
