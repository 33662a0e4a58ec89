"""What a house does while something fails: it buys through the API, in batches and files, and tells of it."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from tests.engines.house import CARRIERS, SERVERS, SharedHouse
from tests.engines.scene import PATIENCE_S, Scene
from tests.factories import body
from tests.features.files.rows import file_content, row

AWAY, RUNNING, MISSING = 503, 409, 404
BUYERS, BATCH_ROWS, FILE_ROWS, ORDERS = 4, 4, 3, 8
BOX = {f"Parcel {side}": "20" for side in ("length", "width", "height")} | {"Parcel dimension unit": "CM"}


@dataclass
class Promises:
    """What the house has said: the shipments bought, by reference, and the orders it has; what it refused."""

    references: list[str] = field(default_factory=list)
    shipments: dict[str, str] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    vanished: list[str] = field(default_factory=list)  # acknowledged, and not there later


class Client:
    """A client of the servers that sends everything under a key, again and again until it is answered."""

    def __init__(self, house: SharedHouse, promises: Promises) -> None:
        self._house, self._promises = house, promises

    def post(self, path: str, key: str, value: Any, first: int = 0) -> dict[str, Any]:
        """Send a body to one server and then the other, until one has done it."""
        return self._insist("POST", path, value, {"Idempotency-Key": key}, first)

    def get(self, path: str) -> dict[str, Any]:
        """Read from the server that answers."""
        return self._insist("GET", path, None, {}, 0)

    def _insist(
        self, method: str, path: str, value: Any, headers: dict[str, str], first: int
    ) -> dict[str, Any]:
        end, turn = time.monotonic() + PATIENCE_S, first
        while time.monotonic() < end:
            server = SERVERS[turn % len(SERVERS)]
            try:
                status, answer = self._house.send(server, method, path, value, headers)
            except (OSError, HTTPException, ValueError):
                status, answer = AWAY, {}
            if status < 300:
                return answer
            if status == MISSING:
                self._promises.vanished.append(path)
                return {}
            if status not in (AWAY, RUNNING):
                self._promises.refusals.append(f"{method} {path}: {status} {json.dumps(answer)[:300]}")
                return answer
            turn += 1
            time.sleep(0.1)
        self._promises.refusals.append(f"{method} {path}: no answer within {PATIENCE_S:g} s: {answer}")
        return {}


def buy_singly(scene: Scene, promises: Promises, name: str) -> None:
    """Buy some labels at once through the API."""
    client = Client(scene.house, promises)

    def buy(number: int) -> None:
        value = write_body(name, number)
        promises.references.append(value["reference"])
        bought = client.post("/v1/shipments", value["reference"], value, number)
        if bought.get("status") == "purchased":
            promises.shipments[value["reference"]] = bought["tracking_number"]

    do_at_once(buy, BUYERS)


def write_body(name: str, number: int) -> dict[str, Any]:
    """A body that buys, in turns from each carrier."""
    slug = list(CARRIERS)[number % len(CARRIERS)]
    return body(reference=f"{name}-{number}", carrier_ids=[slug], service=CARRIERS[slug])


def buy_in_batches(scene: Scene, promises: Promises, name: str) -> None:
    """Buy a batch through the API, which a worker sees to, and a file on the command line."""
    do_at_once(lambda number: (buy_batch, buy_file)[number](scene, promises, name), 2)


def buy_batch(scene: Scene, promises: Promises, name: str) -> None:
    """Send a batch, and wait until a worker has bought all of it; one that has vanished is sent again."""
    client, name = Client(scene.house, promises), f"{name}-batch"
    values = [write_body(name, number) for number in range(BATCH_ROWS)]
    promises.references += [value["reference"] for value in values]
    batch: dict[str, Any] = {}
    end = time.monotonic() + PATIENCE_S
    while batch.get("status") in (None, "queued", "running") and time.monotonic() < end:
        if batch:
            time.sleep(0.2)
            batch = client.get(f"/v1/batches/operations/{batch['id']}")
        else:
            batch = client.post("/v1/batches/shipments", name, {"shipments": values})
    if batch.get("status") != "completed":
        promises.refusals.append(f"the batch {name}: {json.dumps(batch)[:600]}")


def buy_file(scene: Scene, promises: Promises, name: str) -> None:
    """Type the line that imports a file until it has bought all of it."""
    names = [f"{name}-file-{number}" for number in range(FILE_ROWS)]
    carriers = list(CARRIERS)
    path = scene.house.folder / f"{name}.csv"
    path.write_bytes(
        file_content(
            [row(0, Carrier=carriers[at % 2], Reference=each, **BOX) for at, each in enumerate(names)]
        )
    )
    promises.references += names
    line = scene.house.write_line("desk", "import", "shipments", str(path), "--buy", "cheapest", "--yes")
    end, done = time.monotonic() + PATIENCE_S, None
    while done is None or (done.returncode and time.monotonic() < end):
        done = subprocess.run(line, env=scene.house.environ, capture_output=True, text=True)
    if done.returncode:
        promises.refusals.append(f"the file {name}: {done.returncode} {done.stderr[-600:]}")


def tell_of_orders(scene: Scene, promises: Promises, name: str) -> None:
    """Take orders in through the API, and wait until the subscriber has heard of each."""
    client = Client(scene.house, promises)

    def take(number: int) -> None:
        id = f"{name}-{number}"
        order = {"order_id": id, "shipping_to": body()["recipient"], "line_items": [ITEM]}
        promises.orders.append(client.post("/v1/orders", id, order, number).get("id", ""))

    do_at_once(take, ORDERS)
    ours, end = set(promises.orders[-ORDERS:]), time.monotonic() + PATIENCE_S
    while missing := ours - list_told(scene):
        if time.monotonic() > end:
            promises.refusals.append(f"{len(missing)} of {name} were not told of")
            return
        time.sleep(0.1)
        ours -= {id for id in missing if not client.get(f"/v1/orders/{id}")}


ITEM = {"title": "Lamp", "quantity": 1, "weight": 0.5, "weight_unit": "KG"}


def list_told(scene: Scene) -> set[str]:
    """The ids of the objects that the subscriber has heard of."""
    return {str(json.loads(each.body)["data"].get("id")) for each in list(scene.receiver.received)}


def do_at_once(do: Callable[[int], None], count: int) -> None:
    """Call a function with each number, at once."""
    with ThreadPoolExecutor(count) as pool:
        for each in [pool.submit(do, number) for number in range(count)]:
            each.result()


Trade = Callable[[Scene, Promises, str], None]
TRADES: dict[str, Trade] = {
    "purchases": buy_singly,
    "batches": buy_in_batches,
    "deliveries": tell_of_orders,
}
