"""Requests under a key that make something: killed anywhere and sent again, it is there once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.factories import RECIPIENT
from tests.faults.children import Act
from tests.faults.samples import SERVICES, Parcels, body
from tests.faults.scenario import Done, Figures, Line, Request, Scenario
from tests.faults.witness import examine_purchases, opened

BOUNDARY = "part"
FILE = b"Tracking Number,Carrier\nSC1000000001,ups\nSC1000000002,ups\n"
EMPTY = Parcels("generic")


@dataclass(frozen=True)
class Steps:
    """One act after the other, until one fails."""

    acts: tuple[Act, ...]

    def __call__(self, folder: Path) -> int:
        return next((code for act in self.acts if (code := act(folder))), 0)


@dataclass(frozen=True)
class MadeOnce:
    """There is one object of a kind, whoever was told of it."""

    kind: str

    def __call__(self, done: Done) -> Figures:
        with opened(done.folder) as app:
            count = app.store.count(self.kind)
            left = len(app.store.select("idempotency", {"state": "running"}))
        return {
            "twice": max(count - 1, 0),
            "missing": count == 0,
            "held": left,
            "unfinished": done.second.code,
        }


@dataclass(frozen=True)
class BatchBought:
    """There is one batch, and a label for each of its rows."""

    rows: int

    def __call__(self, done: Done) -> Figures:
        made = MadeOnce("batch")(done)
        bought = {**examine_purchases(done, self.rows), "untold": 0}  # a worker tells nobody
        return {**bought, **made, "twice": made["twice"] + bought["twice"]}


def _form(content: bytes) -> bytes:
    parts = (
        ('name="resource_type"', b"trackers"),
        ('name="data_file"; filename="rows.csv"', content),
    )
    lines = [
        b"--%s\r\ncontent-disposition: form-data; %s\r\n\r\n%s\r\n"
        % (BOUNDARY.encode(), about.encode(), value)
        for about, value in parts
    ]
    return b"".join(lines) + b"--%s--\r\n" % BOUNDARY.encode()


def _batch(carrier: str, rows: int) -> Scenario:
    wanted = [body(carrier, f"SO-{at}", service=SERVICES[carrier]) for at in range(1, rows + 1)]
    posted = Request("POST", "/v1/batches/shipments", {"shipments": wanted})
    steps = Steps((posted, Line("worker", "--once")))
    return Scenario(f"keyed-batch-{carrier}", EMPTY, steps, BatchBought(rows))


def _made(name: str, kind: str, path: str, value: object) -> Scenario:
    return Scenario(f"keyed-{name}", EMPTY, Request("POST", path, value), MadeOnce(kind))


HOOK = {"url": "http://127.0.0.1:9/", "enabled_events": ["all"]}
TEMPLATE = {"name": "Note", "slug": "note", "template": "<p>Hello</p>"}
NUMBER = {"tracking_number": "SC0100000001", "carrier_name": "ups"}

SCENARIOS = [
    _batch("generic", 2),
    Scenario(
        "keyed-import",
        EMPTY,
        Request(
            "POST",
            "/v1/batches/data/import",
            _form(FILE),
            media=f"multipart/form-data; boundary={BOUNDARY}",
        ),
        MadeOnce("batch"),
    ),
    _made("webhook", "webhook", "/v1/webhooks", HOOK),
    _made("template", "template", "/v1/documents/templates", TEMPLATE),
    _made("tracker", "tracker", "/v1/trackers", NUMBER),
    _made("address", "address", "/v1/addresses", RECIPIENT),
]
