"""`python -m tests.walks`: what `ship`, `POST /v1/shipments`, an import row and a webhook pass on their way.

Each is done once to warm up and once more under the counter, in the sandbox of a folder that is thrown away.
Carriers are counted as well. How deep a walk gets is told too: the frames of ours from the command to where
carriers are asked for prices, and at the deepest. Below stands the graph of imports: modules, circles (those
in functions counted), imports inside functions, the largest rooms. `--json` gives the same as JSON.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import shipcli
import shipcli.carriers
from tests.walks.imports import Graph, read_graph
from tests.worker.receiver import receiving

PACKAGE = str(Path(shipcli.__file__).parent)
CARRIERS = Path(next(iter(shipcli.carriers.__path__)))  # in a checkout they lie beside the package
OURS = (PACKAGE, str(CARRIERS))
QUOTE = str(Path("features", "shipments", "rating.py"))
SHIP = (
    "ship", "--to-name", "Ada Brooks", "--to-line1", "123 Main St", "--to-city", "Boston", "--to-state", "MA",
    "--to-postal-code", "02134", "--weight", "2lb", "--size", "12x8x4in", "--cheapest", "--yes", "--json",
)  # fmt: skip
ADDRESS = {"address_line1": "1 Main St", "city": "Boston", "state_code": "MA", "postal_code": "02134",
           "country_code": "US", "person_name": "Ada Brooks"}  # fmt: skip
SHIPMENT = {
    "shipper": ADDRESS,
    "recipient": ADDRESS | {"address_line1": "2 Main St", "person_name": "Bo Dean"},
    "parcels": [
        {"weight": 2, "weight_unit": "LB", "length": 12, "width": 8, "height": 4, "dimension_unit": "IN"}
    ],
    "service": "ups_ground",
    "carrier_ids": ["ups"],
}  # fmt: skip
ROW = {
    "Shipper name": "Dock One", "Shipper address 1": "400 Market St", "Shipper city": "Philadelphia",
    "Shipper state": "PA", "Shipper postal code": "19106", "Shipper country": "US",
    "Recipient name": "Ada Brooks", "Recipient address 1": "12 Harbor St", "Recipient city": "Boston",
    "Recipient state": "MA", "Recipient postal code": "02210", "Recipient country": "US",
    "Parcel weight": "0.6", "Parcel weight unit": "KG", "Parcel length": "20", "Parcel width": "15",
    "Parcel height": "8", "Parcel dimension unit": "CM",
}  # fmt: skip
Act = Callable[[Path], None]


@dataclass
class Walk:
    """What one wish passes."""

    name: str
    functions: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    statements: int = 0
    commits: int = 0
    to_quote: int = 0
    deepest: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "walk": self.name,
            "functions": len(self.functions),
            "files": len(self.files),
            "statements": self.statements,
            "commits": self.commits,
            "to_quote": self.to_quote,
            "deepest": self.deepest,
        }


def count_frames(frame: FrameType | None) -> int:
    """The frames of ours on a stack."""
    count = 0
    while frame:
        count += frame.f_code.co_filename.startswith(OURS)
        frame = frame.f_back
    return count


@contextmanager
def counted(walk: Walk) -> Iterator[None]:
    """Count what runs meanwhile, in all threads."""

    def see(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(OURS):
            return
        function, depth = f"{name}:{frame.f_code.co_qualname}", count_frames(frame)
        walk.files.add(name)
        walk.functions.add(function)
        walk.deepest = max(walk.deepest, depth)
        if function.endswith(f"{QUOTE}:quote"):
            walk.to_quote = depth

    def say(statement: str) -> None:
        walk.statements += 1
        walk.commits += statement.strip().upper().startswith("COMMIT")

    connect = sqlite3.connect

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(say)
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]
    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        sqlite3.connect = connect


def run(home: Path, *words: str) -> None:
    """One command line in the sandbox of a home.

    Errors: RuntimeError when it fails.
    """
    from shipcli.cli.main import main

    with redirect_stdout(TextIOWrapper(BytesIO(), "utf-8")):
        code = main(["--sandbox", "--home", str(home), *words])
    if code:
        raise RuntimeError(f"shipcli {words[0]} ended with {code}")


def ship(home: Path) -> None:
    run(home, *SHIP)


def post(home: Path) -> None:
    run(home, "api", "POST", "/v1/shipments", "-d", f"@{home / 'shipment.json'}")


def import_row(home: Path) -> None:
    """A row whose reference nobody had before."""
    number = len(list(home.glob("*.csv")))
    path = home / f"{number}.csv"
    row = {**ROW, "Reference": f"WALK-{number}"}
    path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", "utf-8")
    run(home, "import", "shipments", str(path), "--buy", "cheapest", "--yes")


def deliver(home: Path) -> None:
    """What waits to be told is delivered; the receiver is there already."""
    run(home, "worker", "--once")


def walk_all(home: Path) -> list[Walk]:
    """Every walk once to warm up, then counted."""
    home.mkdir()
    (home / "shipment.json").write_text(json.dumps(SHIPMENT), "utf-8")
    walks = []
    with receiving() as receiver:
        fields = [word for pair in ADDRESS.items() for word in ("-d", "=".join(pair))]
        run(home, "addresses", "create", *fields)
        run(home, "addresses", "default", "@last")
        run(home, "webhooks", "create", "--url", receiver.url(), "--events", "shipment_purchased")
        for name, act in (("ship", ship), ("POST /v1/shipments", post), ("import row", import_row)):
            act(home)
            walks.append(Walk(name))
            with counted(walks[-1]):
                act(home)
        deliver(home)
        ship(home)
        walks.append(Walk("webhook"))
        with counted(walks[-1]):
            deliver(home)
    return walks


def show(walks: list[Walk], graph: Graph, carriers: Graph) -> None:
    for walk in walks:
        row = walk.to_dict()
        print(f"{row['walk']:20} {row['functions']:5} functions  {row['files']:4} files  "
              f"{row['statements']:4} SQL statements  {row['commits']:3} commits  "
              f"{row['to_quote']:3} frames to quote, {row['deepest']} at the deepest")  # fmt: skip
    circles, total = graph.circles(), sum(graph.lines.values())
    print(
        f"\n{len(graph.lines)} modules, {total:,} lines, {len(graph.inner_statements)} imports in functions"
    )
    print(f"carriers: {len(carriers.lines)} modules, {sum(carriers.lines.values()):,} lines")
    print(f"{len(circles)} circles of modules", *(f"\n  {', '.join(one)}" for one in circles))
    for room, count in graph.rooms().most_common(8):
        print(f"  {room:30} {count:6,} lines  {count / total:5.1%}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.walks", description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="as JSON")
    wants_json = parser.parse_args().json
    graph = read_graph(Path(PACKAGE).parent, "shipcli")
    carriers = read_graph(CARRIERS.parent, CARRIERS.name)
    with TemporaryDirectory(prefix="shipcli-walks-") as folder:
        walks = walk_all(Path(folder) / "home")
    if wants_json:
        print(json.dumps({"walks": [one.to_dict() for one in walks], "modules": len(graph.lines),
                          "lines": sum(graph.lines.values()),
                          "carriers": {"modules": len(carriers.lines), "lines": sum(carriers.lines.values())},
                          "circles": graph.circles(),
                          "imports_in_functions": len(graph.inner_statements),
                          "rooms": graph.rooms()}))  # fmt: skip
    else:
        show(walks, graph, carriers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
