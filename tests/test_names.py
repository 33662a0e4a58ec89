"""Names that a newcomer can rely on: a class name stands for one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import shipcli

ROOT = Path(shipcli.__file__).parent
# A participle alone says neither what is done nor to what: not `chosen` but `choose_rate`.
PARTICIPLE = re.compile(
    r"_*([a-z]+(ed|ing)|told|kept|made|found|known|chosen|said|held|taken|given|drawn|sent|sold|paid|shown"
    r"|written|bought|begun|gone|left|lost|spent|built|cut)"
)
VERBS = {"succeed", "ring", "embed", "need"}
NOUNS = {"docstring", "setting", "everything", "heading", "bearing", "string", "shipping", "tracking"}
# Of a model they give a copy, as `sorted` does; of a budget and of SQLite they say what holds in a block.
COPIES, BLOCKS = {"changed", "completed", "given"}, {"reserved", "explained"}


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


def test_no_function_is_called_by_a_participle_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and node.name.lstrip("_") not in VERBS | NOUNS | COPIES | BLOCKS
        and not _is_property(node)
    ]
    assert found == []


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
