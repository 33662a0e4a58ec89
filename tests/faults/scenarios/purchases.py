"""Labels bought at the bench, from files, for orders and over the API."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shipcli.models import json
from tests.faults.samples import SERVICES, After, Offer, Orders, Parcels, Table, body
from tests.faults.scenario import Done, Figures, Line, Request, Scenario
from tests.faults.witness import RECOVERING, examine_purchases, live_labels, opened, purchases

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
    return Scenario(
        f"labels-buy-{carrier}", Offer(carrier), line, BoughtStraight(carrier), accepted=ASKED_ABOUT
    )


@dataclass(frozen=True)
class PostedOffer:
    """The same over the API, under a key."""

    def __call__(self, folder: Path) -> int:
        return Request("POST", "/v1/proxy/shipping", json.loads((folder / "offer.json").read_bytes()))(folder)


def _posted_straight(carrier: str) -> Scenario:
    examine = BoughtStraight(carrier, repeats_buy=False)
    return Scenario(f"keyed-label-{carrier}", Offer(carrier), PostedOffer(), examine, accepted=ASKED_ABOUT)


@dataclass(frozen=True)
class BoughtStraight:
    """One label, and whoever wanted it has it; or its carrier can't be asked.

    `repeats_buy` says that the same again after a success is another wish.
    """

    carrier: str
    repeats_buy: bool = True

    def __call__(self, done: Done) -> Figures:
        with opened(done.folder) as app:
            numbers = [str(one["number"]) for one in live_labels(app)]
            left = len(app.store.select("intents"))
        doubted = done.second.code != 0
        wanted = 2 if self.repeats_buy and not done.first.was_killed else 1
        return {
            "attention": doubted and self.carrier not in RECOVERING,
            "needless": doubted and self.carrier in RECOVERING,
            "open": left,
            "twice": max(0, len(numbers) - wanted),
            "missing": not numbers and not doubted,
            "untold": not doubted and not all(number in done.said for number in numbers),
        }


def _posted(carrier: str) -> Scenario:
    request = Request("POST", "/v1/shipments", body(carrier, service=SERVICES[carrier]))
    return Scenario(f"post-shipment-{carrier}", Parcels(carrier), request, Bought(1), accepted=ASKED_ABOUT)


IMPORT = Line("import", "shipments", "{folder}/rows.csv", "--buy", "cheapest",
              "--merge", "{folder}/labels.pdf", "--summary", "{folder}/run.json", "-y")  # fmt: skip
FULFIL = Line("orders", "fulfil", "--unfulfilled", "--cheapest", "--carrier", "generic", "-y",
              "--merge", "{folder}/labels.pdf")  # fmt: skip
SHIP_ORDER = Line("ship", "SO-1", "--cheapest", "--carrier", "generic", "-y")

SCENARIOS = [
    *(_ship(carrier) for carrier in ("ups", "usps", "fedex", "canadapost", "generic")),
    _ship("generic", 2),
    *(_stored(carrier, "ship") for carrier in ("fedex", "canadapost")),
    *(_stored(carrier, "shipments", "buy") for carrier in ("usps", "canadapost")),
    *(_touched(carrier, "shipments", verb) for carrier, verb in (("canadapost", "get"), ("usps", "cancel"))),
    *(_straight(carrier) for carrier in ("fedex", "canadapost")),
    *(_posted_straight(carrier) for carrier in ("fedex", "canadapost")),
    Scenario("import-buy", Table(MIXED), IMPORT, Bought(len(MIXED)), accepted=ASKED_ABOUT),
    Scenario("orders-fulfil", Orders(2), FULFIL, Bought(2), accepted=ASKED_ABOUT),
    Scenario("ship-order-generic", Orders(1), SHIP_ORDER, Bought(1), accepted=ASKED_ABOUT),
    *(_posted(carrier) for carrier in ("ups", "fedex", "canadapost")),
]
