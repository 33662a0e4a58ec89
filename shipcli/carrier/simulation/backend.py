"""What every simulated carrier does, whatever its wire format: quote, buy, void, pick up, manifest.

A simulator reads a request into a `Booking`, calls its backend, and writes the answer. What the backend
refuses is worded by the carrier (`Simulator.refusals`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier.limits import BrokenLimit
from shipcli.carrier.simulation.bookings import (
    LABEL,
    MANIFEST,
    PICKUP,
    Booking,
    PricedOffer,
    Refusal,
    Sale,
)
from shipcli.carrier.simulation.price_list import (
    PER_DOLLAR,
    Offer,
    choose_currency,
    price,
    sum_offers,
    to_cents,
    zone,
)
from shipcli.carrier.simulation.scenarios import MAGIC
from shipcli.carrier.simulation.simulated_carrier import SimulatedCarrier
from shipcli.drawing.text.shaping import shape

SUNDAY = 7
TOO_HEAVY = "The shipment is heavier than the carrier takes"
REFUSED_PARCEL = 2  # of the parcels of a purchase in the scenario `partial`


class SimulatorBackend:
    """The backend of one simulator."""

    def __init__(self, simulator: SimulatedCarrier) -> None:
        self._simulator = simulator

    def quote(self, booking: Booking, codes: Collection[str] = ()) -> list[PricedOffer]:
        """Return every service (of those wanted) that takes all parcels there, cheapest first.

        Errors: Refusal `no_service` when there is none, `over_limit` when limits are why.
        """
        simulator, currency = self._simulator, choose_currency(booking.origin.country)
        rate = PER_DOLLAR[currency] if simulator.local_money else Decimal(1)
        parcels = [self._list_offers(booking, weight) for weight in booking.weights]
        offers = [
            sum_offers([offers[code] for offers in parcels], rate)
            for code in (parcels[0] if parcels else ())
            if (not codes or code in codes) and all(code in offers for offers in parcels)
        ]
        offers = self._keep_within_limits(booking, offers)
        if not offers:
            raise simulator.refusal("no_service")
        extras = self._price_extras(booking, rate)
        money = currency if simulator.local_money else simulator.currency
        return sorted(
            (PricedOffer(offer, extras, money) for offer in offers), key=lambda priced: priced.total
        )

    def _keep_within_limits(self, booking: Booking, offers: Sequence[Offer]) -> list[Offer]:
        """Return the offers of services whose limits the shipment keeps.

        Errors: Refusal `over_limit` when there is none.
        """
        allowed = [offer for offer in offers if not self._find_broken(offer.code, booking)]
        if offers and not allowed:
            raise self._refuse_over_limit(offers[0].code, booking)
        return allowed

    def _find_broken(self, code: str, booking: Booking) -> list[BrokenLimit]:
        return self._simulator.limits.find_broken_of_code(code, booking.measure())

    def _refuse_over_limit(self, code: str, booking: Booking) -> Refusal:
        """The refusal in the carrier's own code for it, else in that of a service that it does not have."""
        text = self._find_broken(code, booking)[0].problem.text
        if "over_limit" in self._simulator.refusals:
            return self._simulator.refusal("over_limit", text)
        refusal = self._simulator.refusal("no_service")
        return Refusal(refusal.code, f"The shipment is over a limit: {text}", refusal.status)

    def _list_offers(self, booking: Booking, weight: Decimal) -> dict[str, Offer]:
        """The offers for one parcel, by the codes of their services."""
        start, end = booking.origin, booking.recipient
        number = zone(start.country, end.country, start.postal_code, end.postal_code)
        return {
            tariff.code: price(tariff, number, weight)
            for tariff in self._simulator.tariffs
            if tariff.packaging == booking.packaging and tariff.serves(start.country, end.country, weight)
        }

    def _price_extras(self, booking: Booking, rate: Decimal) -> dict[str, Decimal]:
        names = list(booking.extras)
        if booking.recipient.residential:
            names.append("residential")
        prices = {}
        for name in dict.fromkeys(names):
            if surcharge := self._simulator.surcharges.get(name):
                count = len(booking.weights) if surcharge.per_parcel else 1
                prices[name] = to_cents(surcharge.amount * count * rate)
        return prices

    def price(self, booking: Booking) -> PricedOffer:
        """Return the price of the booked service.

        Errors: Refusal `no_service`, `over_limit`.
        """
        if self._find_broken(booking.service, booking):
            raise self._refuse_over_limit(booking.service, booking)
        priced = next(
            (offered for offered in self.quote(booking) if offered.offer.code == booking.service), None
        )
        if priced is None:
            raise self._simulator.refusal("no_service")
        return priced

    def buy(self, booking: Booking, **record: Any) -> Sale:
        """Sell the labels of a shipment; every parcel is a label in the ledger.

        A parcel whose reference is a magic number gets that number. `record` is stored with each label.
        Errors: Refusal `no_service`; Unprintable for a text that no font can print: nothing is sold then,
                even where the label is drawn by a later call.
        """
        for line in booking.list_texts():
            shape(line)
        self._refuse_by_scenario(booking)
        priced, simulator = self.price(booking), self._simulator
        numbers = self._choose_numbers(booking)
        identifier = simulator.make_identifier(booking, numbers)
        share = to_cents(priced.total / len(numbers))
        records = [
            simulator.sell(
                number,
                identifier=identifier,
                reference=booking.reference_of(at),
                key=booking.key,
                service=booking.service,
                total=priced.total - share * (len(numbers) - 1) if at == 0 else share,
                currency=priced.currency,
                origin=booking.origin.country,
                destination=booking.recipient.country,
                recipient_name=booking.recipient.name or booking.recipient.company,
                recipient_postal_code=booking.recipient.postal_code,
                weight_kg=booking.weights[at],
                scenario=simulator.scenario,
                **record,
            )
            for at, number in enumerate(numbers)
        ]
        return Sale(booking, priced, numbers, identifier, records)

    def _refuse_by_scenario(self, booking: Booking) -> None:
        """Errors: Refusal of a purchase that is to fail."""
        simulator = self._simulator
        match simulator.scenario:
            case "declined":
                raise simulator.refusal("declined")
            case "over_limit":
                raise self._refuse_for_weight()
            case "partial" if simulator.count_parcels(len(booking.weights)) >= REFUSED_PARCEL:
                refusal = simulator.refusal("declined")
                raise Refusal(refusal.code, f"Parcel {REFUSED_PARCEL} was declined", refusal.status)

    def _refuse_for_weight(self) -> Refusal:
        simulator = self._simulator
        if "over_limit" in simulator.refusals:
            return simulator.refusal("over_limit", TOO_HEAVY)
        refusal = simulator.refusal("no_service")
        return Refusal(refusal.code, TOO_HEAVY, refusal.status)

    def _choose_numbers(self, booking: Booking) -> tuple[str, ...]:
        """A number for each parcel: the one that the caller chose, if it is free, else the carrier's next."""
        chosen: list[str] = []
        for at in range(len(booking.weights)):
            reference = booking.reference_of(at) or ""
            wished = [name for name in (reference, *self._simulator.numbers) if MAGIC.match(name)]
            free = (name for name in wished if name not in chosen and not self._simulator.find_sold(name))
            chosen.append(
                next(free, "") or self._simulator.make_number(booking, self._simulator.next_number())
            )
        return tuple(chosen)

    def find_labels(self, identifier: str) -> list[dict[str, Any]]:
        """Return the labels of a shipment, by its identifier or the number of one of them.

        Errors: Refusal `unknown_label`.
        """
        simulator = self._simulator
        labels = simulator.ledger.find(simulator.slug, LABEL, identifier=identifier)
        if not labels and (label := simulator.find_sold(identifier)):
            labels = [label]
        if not labels:
            raise simulator.refusal("unknown_label", identifier)
        return labels

    def find_by_key(self, key: str) -> list[dict[str, Any]]:
        """Return the labels bought under a key or a reference of the caller, if there are any."""
        simulator = self._simulator
        return simulator.ledger.find(simulator.slug, LABEL, key=key) if key else []

    def void(self, identifier: str) -> list[dict[str, Any]]:
        """Cancel the labels of a shipment.

        Errors: Refusal `unknown_label`, `voided_before`, `too_late` (on a manifest, or delivered).
        """
        labels = self.find_labels(identifier)
        self._refuse_if("voided_before", [label for label in labels if label["voided_at"]])
        self._refuse_if("too_late", [label for label in labels if self._is_too_late(label)])
        return [self._simulator.void_label(label) for label in labels]

    def _refuse_if(self, situation: str, labels: Sequence[Mapping[str, Any]]) -> None:
        """Errors: Refusal naming the labels that are in a situation, if any is."""
        if labels:
            raise self._simulator.refusal(situation, ", ".join(str(label["number"]) for label in labels))

    def _is_too_late(self, label: Mapping[str, Any]) -> bool:
        number = str(label["number"])
        tracking = self._simulator.simulate_tracking(number)
        delivered = tracking is not None and tracking.delivered
        is_manifested = bool(label["manifested_at"]) or label.get("scenario") == "void_late"
        return is_manifested or (delivered and not MAGIC.match(number))

    def manifest(self, identifiers: Sequence[str], **record: Any) -> tuple[str, list[dict[str, Any]]]:
        """Put labels on a manifest; return its number and the labels.

        Errors: Refusal `unknown_label`, `voided_before`, `closed_before`.
        """
        simulator = self._simulator
        labels = [label for identifier in identifiers for label in self.find_labels(identifier)]
        self._refuse_if("voided_before", [label for label in labels if label["voided_at"]])
        self._refuse_if("closed_before", [label for label in labels if label["manifested_at"]])
        number = simulator.make_form_number(simulator.next_number(MANIFEST))
        now = simulator.clock().isoformat()
        closed = [simulator.change(label, manifest=number, manifested_at=now) for label in labels]
        simulator.ledger.put(simulator.slug, MANIFEST, number, {"number": number, **record})
        return number, closed

    # -- pickups -------------------------------------------------------------------------------

    def schedule_pickup(self, day: str, **record: Any) -> dict[str, Any]:
        """Book a pickup.

        Errors: Refusal `bad_day` for a day that is over or a Sunday.
        """
        simulator = self._simulator
        self._check_day(day)
        number = simulator.make_pickup_number(simulator.next_number(PICKUP))
        booked = {"number": number, "day": day, "cancelled_at": None, **record}
        simulator.ledger.put(simulator.slug, PICKUP, number, booked)
        return booked

    def update_pickup(self, number: str, day: str, **record: Any) -> dict[str, Any]:
        """Errors: Refusal `unknown_pickup`, `bad_day`."""
        booked = self.find_pickup(number)
        self._check_day(day)
        changed = {**booked, "day": day, **record}
        self._simulator.ledger.put(self._simulator.slug, PICKUP, number, changed)
        return changed

    def cancel_pickup(self, number: str) -> None:
        """Errors: Refusal `unknown_pickup`, also when it is cancelled already."""
        booked = self.find_pickup(number)
        cancelled = {**booked, "cancelled_at": self._simulator.clock().isoformat()}
        self._simulator.ledger.put(self._simulator.slug, PICKUP, number, cancelled)

    def find_pickup(self, number: str) -> dict[str, Any]:
        """Errors: Refusal `unknown_pickup`."""
        pickup = self._simulator.ledger.get(self._simulator.slug, PICKUP, number)
        if pickup is None or pickup["cancelled_at"]:
            raise self._simulator.refusal("unknown_pickup", number)
        return pickup

    def _check_day(self, day: str) -> None:
        try:
            pickup_date = date.fromisoformat(day)
        except ValueError:
            raise self._simulator.refusal("bad_day") from None
        if pickup_date < self._simulator.earliest_today or pickup_date.isoweekday() == SUNDAY:
            raise self._simulator.refusal("bad_day")
