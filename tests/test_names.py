"""What a newcomer can rely on: a class name stands for one thing, each kind of row has one writer."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import shipcli

ROOT = Path(shipcli.__file__).parent


def test_every_class_name_is_used_once() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_shipments_orders_trackers_and_pickups_have_one_writer() -> None:
    kinds = ("shipment", "order", "tracker", "pickup")
    writers = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for kind in kinds
        if f'.put("{kind}"' in path.read_text("utf-8")
    }
    assert writers == set()
    assert "tx.put(kind, document" in (ROOT / "features" / "core" / "repository.py").read_text("utf-8")
