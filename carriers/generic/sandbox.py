"""The sandbox of a custom carrier: nobody answers calls, so what was sold is entered from the results."""

from __future__ import annotations

from typing import Any

from shipcli.carrier.simulation.simulator import LABEL, Simulator

from . import Drawn, Generic, Voided


class GenericSandbox(Simulator):
    slug = "generic"

    def observe(self, verb: str, carrier: Any, result: Any) -> None:
        """Enter what was sold or voided; the same label seen again changes nothing."""
        if isinstance(result, Drawn):
            with self.ledger.transaction():
                self._sold(carrier, result)
        elif isinstance(result, Voided):
            with self.ledger.transaction():
                self._voided(result.request.shipment_identifier)

    def _sold(self, carrier: Generic, label: Drawn) -> None:
        numbers = label.meta.get("tracking_numbers") or [label.tracking_number]
        for number, parcel in zip(numbers, label.request.parcels, strict=True):
            stored = self.ledger.get(self.slug, LABEL, number)
            if stored and (stored["key"] == label.key or stored["voided_at"] is None):
                continue
            quote = label.selected_rate if len(numbers) == 1 else carrier.price(label.request, [parcel])
            self.sell(
                number,
                identifier=label.shipment_identifier,
                reference=label.request.reference,
                key=label.key,
                service=label.request.service,
                total=quote.total_charge if quote else None,
                currency=quote.currency if quote else None,
                origin=label.request.shipper.country_code,
                destination=label.request.recipient.country_code,
                postal_code=label.request.recipient.postal_code,
            )

    def _voided(self, identifier: str) -> None:
        pieces = self.ledger.find(self.slug, LABEL, identifier=identifier)
        for piece in pieces or filter(None, [self.find_sold(identifier)]):
            if piece["voided_at"] is None:
                self.void_label(piece)
