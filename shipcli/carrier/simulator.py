"""The base of every carrier's simulator: routes, ledger, tariff, journeys and drawn labels.

A simulator speaks its carrier's wire format. It takes the kit's own `Request` and returns the kit's own
`Reply`, keeps what it sold in the ledger, refuses what its carrier would refuse, and knows no other time than
the injected clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from shipcli.carrier.ledger import Ledger
from shipcli.carrier.tracking_simulation import SimulatedTracking, is_magic_number, simulate_tracking
from shipcli.carrier.wire import REFUSAL_HEADER, Reply, Request
from shipcli.drawing.errors import Unprintable
from shipcli.models import json as plain_json

if TYPE_CHECKING:
    from lxml.etree import _Element

Handler = Callable[[Any, Request, dict[str, str]], Reply]
H = TypeVar("H", bound=Callable[..., Reply])

LABEL, PICKUP, MANIFEST, SEEN = "label", "pickup", "manifest", "seen"
SLOW_S = 8.0
UNPRINTABLE = "unprintable"


def route(method: str, path: str) -> Callable[[H], H]:
    """Mark a method as the handler of a path; `{name}` matches one segment and is passed by that name."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path) + r"/?\Z")

    def mark(handler: H) -> H:
        routes: list[tuple[str, re.Pattern[str]]] = getattr(handler, "routes", [])
        handler.routes = [*routes, (method, pattern)]  # type: ignore[attr-defined]
        return handler

    return mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """One service of a simulated price list.

    Units: `base` and `per_kg` in the currency of the quote, at zone 1; `zone_step` is a share added per zone.
    """

    code: str
    base: Decimal
    per_kg: Decimal
    days: int
    zone_step: Decimal = Decimal("0.08")
    domestic: bool | None = None  # None: both
    origins: frozenset[str] = frozenset()
    destinations: frozenset[str] = frozenset()
    max_kg: Decimal = Decimal(70)

    def serves(self, origin: str, destination: str, weight_kg: Decimal) -> bool:
        return (
            self.domestic in (None, origin == destination)
            and (not self.origins or origin in self.origins)
            and (not self.destinations or destination in self.destinations)
            and weight_kg <= self.max_kg
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A priced service. `base` + `fuel` = `total`, to the cent."""

    code: str
    total: Decimal
    base: Decimal
    fuel: Decimal
    days: int


FUEL_SHARE = Decimal("0.12")
CENT = Decimal("0.01")


def zone(origin: str, destination: str, from_postal: str = "", to_postal: str = "") -> int:
    """1 to 8 inside a country, by the distance of the first postal characters; 9 to a neighbour, else 12."""
    if origin == destination:
        apart = abs(ord((from_postal or "0")[0].upper()) - ord((to_postal or "0")[0].upper()))
        return 1 + min(apart, 7)
    neighbours = {frozenset({"US", "CA"}), frozenset({"US", "MX"})}
    return 9 if frozenset({origin, destination}) in neighbours else 12


def price(tariff: Tariff, zone_number: int, weight_kg: Decimal) -> Offer:
    """What a tariff costs; never 0."""
    factor = 1 + tariff.zone_step * (zone_number - 1)
    base = ((tariff.base + tariff.per_kg * weight_kg) * factor).quantize(CENT, ROUND_HALF_UP)
    base = max(base, CENT)
    fuel = (base * FUEL_SHARE).quantize(CENT, ROUND_HALF_UP)
    days = tariff.days + (zone_number >= 5)
    return Offer(tariff.code, base + fuel, base, fuel, days)


class Simulator:
    """One carrier's server. Subclasses set `slug` and define handlers with `@route`."""

    slug: ClassVar[str]
    tariffs: ClassVar[Sequence[Tariff]] = ()
    _routes: ClassVar[list[tuple[str, re.Pattern[str], str]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        names = [name for name in dir(cls) if hasattr(getattr(cls, name), "routes")]
        cls._routes = [(method, path, name) for name in names for method, path in getattr(cls, name).routes]

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self.ledger, self.clock = ledger, clock

    # -- answering -----------------------------------------------------------------------------

    def answer(self, request: Request) -> Reply:
        """The reply to a request; one ledger transaction."""
        upset = self.upset(request)
        if upset and upset.status != 200:
            return upset
        try:
            with self.ledger.transaction():
                reply = self.dispatch(request)
        except Unprintable as error:  # the label can't be drawn: the ledger has rolled back, nothing is sold
            reply = self.unprintable(error)
        return replace(reply, delay_s=upset.delay_s) if upset else reply

    def unprintable(self, error: Unprintable) -> Reply:
        """The refusal of a text that no font can print; carriers with a form of their own write that."""
        body = {"code": UNPRINTABLE, "message": str(error)}
        return self.json({"errors": [body]}, 400, {REFUSAL_HEADER: UNPRINTABLE})

    def dispatch(self, request: Request) -> Reply:
        for method, pattern, name in self._routes:
            found = pattern.match(request.path) if method == request.method else None
            if found:
                refusal = self.authorise(request)
                return refusal or getattr(self, name)(request, found.groupdict())
        return self.unknown_path(request)

    def upset(self, request: Request) -> Reply | None:
        """The scenarios that have nothing to do with a carrier's format: down, slow, garbled ..."""
        name = request.scenario or ""
        if name in UPSETS:
            return UPSETS[name]
        return None

    def authorise(self, request: Request) -> Reply | None:
        """A refusal when the credentials are wrong; None when they are right.

        By convention of the sandbox, credentials that contain "denied" or "expired" are refused.
        """
        return None

    def observe(self, verb: str, carrier: Any, result: Any) -> None:
        """Enter what a carrier without a network did by itself; carriers that are asked need nothing here."""

    def refused_credentials(self, *values: str) -> bool:
        return any("denied" in value or "expired" in value for value in values)

    def unknown_path(self, request: Request) -> Reply:
        return Reply(404, f"no such path: {request.method} {request.path}".encode())

    # -- replies -------------------------------------------------------------------------------

    def json(self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
        return Reply(status, plain_json.dumpb(body), {"content-type": "application/json", **(headers or {})})

    def xml(self, tree: _Element, status: int = 200) -> Reply:
        from shipcli.carrier.xml import render

        return Reply(status, render(tree), {"content-type": "text/xml; charset=utf-8"})

    def file(self, content: bytes, content_type: str) -> Reply:
        return Reply(200, content, {"content-type": content_type})

    # -- selling -------------------------------------------------------------------------------

    def offers(
        self, origin: str, destination: str, weight_kg: Decimal, from_postal: str = "", to_postal: str = ""
    ) -> list[Offer]:
        """Every service of the price list that goes there, priced by zone and weight, cheapest first."""
        number = zone(origin, destination, from_postal, to_postal)
        fit = (tariff for tariff in self.tariffs if tariff.serves(origin, destination, weight_kg))
        return sorted((price(tariff, number, weight_kg) for tariff in fit), key=lambda offer: offer.total)

    def sell(self, number: str, **record: Any) -> dict[str, Any]:
        """Enter a label in the ledger: bought now, not voided.

        Shapes: `record` should hold reference, key, service, total, currency, origin, destination, and what
                the carrier needs later (identifier, label format ...).
        """
        entry = {
            "number": number, "identifier": number, "reference": None, "key": None, **record,
            "bought_at": self.clock().isoformat(), "voided_at": None, "manifested_at": None,
        }  # fmt: skip
        self.ledger.put(self.slug, LABEL, number, entry)
        return entry

    def sold(self, number: str) -> dict[str, Any] | None:
        """The label of a number, by its number or identifier."""
        known = self.ledger.get(self.slug, LABEL, number)
        return known or next(iter(self.ledger.find(self.slug, LABEL, identifier=number)), None)

    def change(self, label: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """Write a label back with other values, e.g. voided_at."""
        entry = {**label, **values}
        self.ledger.put(self.slug, LABEL, str(label["number"]), entry)
        return entry

    def void_label(self, label: Mapping[str, Any]) -> dict[str, Any]:
        return self.change(label, voided_at=self.clock().isoformat())

    def next_number(self, series: str = LABEL) -> int:
        return self.ledger.next_number(self.slug, series)

    # -- tracking ------------------------------------------------------------------------------

    def first_seen(self, number: str) -> datetime | None:
        """When a magic number was first asked for; None for other numbers."""
        if not is_magic_number(number):
            return None
        known = self.ledger.get(self.slug, SEEN, number)
        if known is None:
            known = {"at": self.clock().isoformat()}
            self.ledger.put(self.slug, SEEN, number, known)
        return datetime.fromisoformat(known["at"])

    def simulate_tracking(
        self, number: str, label: Mapping[str, Any] | None = None, country: str = "US"
    ) -> SimulatedTracking | None:
        """What has happened to a number by now: of a label sold here (or given), or of a magic number.

        None when unknown. `country` is where magic numbers travel.
        """
        label = label or self.sold(number) or {}
        started = datetime.fromisoformat(label["bought_at"]) if label else self.first_seen(number)
        origin, destination = label.get("origin") or country, label.get("destination") or country
        return simulate_tracking(number, started, self.clock(), str(origin), str(destination))


UPSETS: Mapping[str, Reply] = {
    "error": Reply(500, b"<html><body>Internal Server Error</body></html>", {"content-type": "text/html"}),
    "garbled": Reply(202, b'{"half": [', {"content-type": "application/json"}),
    "unavailable": Reply(503, b"", {}),
    "rate_limited": Reply(429, b"", {"retry-after": "60"}),
    "closed": Reply(0),
    "slow": Reply(200, delay_s=SLOW_S),
    "timeout": Reply(200, delay_s=3600.0),
}
