"""Labels bought at the bench, from files, for orders and over the API."""

from __future__ import annotations

from dataclasses import dataclass

from tests.faults.samples import SERVICES, After, Offer, Orders, Parcels, Table, body
from tests.faults.scenario import Done, Figures, Line, Request, Scenario
from tests.faults.witness import examine_purchases, live_labels, opened, purchases

ASKED_ABOUT = frozenset({"attention"})
MIXED = ("ups", "canadapost", "generic")


@dataclass(frozen=True)
class Bought:
    """So many parcels are wished for."""

    wanted: int

    def __call__(self, done: Done) -> Figures:
        return examine_purchases(done, self.wanted)


def _ship(carrier: str, count: int = 1) -> Scenario:
    line = Line("ship", "--from-file", "{folder}/parcels.json", "--service", SERVICES[carrier], "-y")
    name = f"ship-{carrier}" if count == 1 else f"ship-{count}-{carrier}"
    return Scenario(name, Parcels(carrier, count), line, Bought(count), accepted=ASKED_ABOUT)


def _stored(carrier: str, *act: str) -> Scenario:
    create = Line("shipments", "create", "--from-file", "{folder}/parcels.json")
    line = Line(*act, "SO-1", "--cheapest", "-y")
    prepare = After(Parcels(carrier), (create,))
    return Scenario(f"{'-'.join(act)}-draft-{carrier}", prepare, line, Bought(1), accepted=ASKED_ABOUT)


def _touched(carrier: str, *again: str) -> Scenario:
    """A draft whose purchase was killed, and that another command than a purchase names next."""
    stored = _stored(carrier, "ship")
    return Scenario(f"{'-'.join(again)}-after-ship-{carrier}", stored.prepare, stored.act, _settled,
                    Line(*again, "SO-1", "-y"), accepted=ASKED_ABOUT | {"missing"})  # fmt: skip


def _settled(done: Done) -> Figures:
    with opened(done.folder) as app:
        return purchases(app, 1)


def _straight(carrier: str) -> Scenario:
    """A label without a stored shipment: the output and the file are all that is left of it."""
    line = Line("labels", "buy", "--from-file", "{folder}/offer.json", "-o", "{folder}/label.pdf", "-y")
    return Scenario(f"labels-buy-{carrier}", Offer(carrier), line, _bought_straight, accepted=ASKED_ABOUT)


def _bought_straight(done: Done) -> Figures:
    with opened(done.folder) as app:
        numbers = [str(one["number"]) for one in live_labels(app)]
    doubted = done.second.code != 0
    return {
        "attention": doubted,
        "twice": max(0, len(numbers) - (1 if done.first.was_killed else 2)),
        "untold": not doubted and not all(number in done.said for number in numbers),
    }


def _posted(carrier: str) -> Scenario:
    request = Request("POST", "/v1/shipments", body(carrier, service=SERVICES[carrier]))
    return Scenario(f"post-shipment-{carrier}", Parcels(carrier), request, Bought(1), accepted=ASKED_ABOUT)


IMPORT = Line("import", "shipments", "{folder}/rows.csv", "--buy", "cheapest",
              "--labels", "{folder}/labels.pdf", "--summary", "{folder}/run.json", "-y")  # fmt: skip
FULFIL = Line("orders", "fulfil", "--unfulfilled", "--cheapest", "--carrier", "generic", "-y",
              "--merge", "{folder}/labels.pdf")  # fmt: skip

SCENARIOS = [
    *(_ship(carrier) for carrier in ("ups", "usps", "canadapost", "generic")),
    _ship("generic", 2),
    *(_stored(carrier, "ship") for carrier in ("ups", "canadapost")),
    *(_stored(carrier, "shipments", "buy") for carrier in ("usps", "canadapost")),
    *(_touched(carrier, "shipments", verb) for carrier, verb in (("canadapost", "get"), ("usps", "cancel"))),
    *(_straight(carrier) for carrier in ("ups", "canadapost")),
    Scenario("import-buy", Table(MIXED), IMPORT, Bought(len(MIXED)), accepted=ASKED_ABOUT),
    Scenario("orders-fulfil", Orders(2), FULFIL, Bought(2), accepted=ASKED_ABOUT),
    *(_posted(carrier) for carrier in ("ups", "canadapost")),
]
