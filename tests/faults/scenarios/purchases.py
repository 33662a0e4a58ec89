"""Labels bought at the bench, from files, for orders and over the API."""

from __future__ import annotations

from dataclasses import dataclass

from tests.faults.samples import SERVICES, Orders, Parcels, Table, body
from tests.faults.scenario import Done, Figures, Line, Request, Scenario
from tests.faults.witness import examine_purchases

ASKED_ABOUT = frozenset({"attention"})
MIXED = ("ups", "canadapost", "generic")


@dataclass(frozen=True)
class Bought:
    """So many parcels are wished for."""

    wanted: int

    def __call__(self, done: Done) -> Figures:
        return examine_purchases(done, self.wanted)


def _posted(carrier: str) -> Scenario:
    request = Request("POST", "/v1/shipments", body(carrier, service=SERVICES[carrier]))
    return Scenario(f"post-shipment-{carrier}", Parcels(carrier), request, Bought(1), accepted=ASKED_ABOUT)


IMPORT = Line("import", "shipments", "{folder}/rows.csv", "--buy", "cheapest",
              "--labels", "{folder}/labels.pdf",
              "--summary", "{folder}/run.json", "-y")  # fmt: skip
FULFIL = Line("orders", "fulfil", "--unfulfilled", "--cheapest", "--carrier", "generic", "-y")

SCENARIOS = [
    Scenario("import-buy", Table(MIXED), IMPORT, Bought(len(MIXED)), accepted=ASKED_ABOUT),
    Scenario("orders-fulfil", Orders(2), FULFIL, Bought(2), accepted=ASKED_ABOUT | {"untold"}),
    *(_posted(carrier) for carrier in ("ups", "canadapost")),
]
