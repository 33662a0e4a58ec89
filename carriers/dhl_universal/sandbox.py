"""The unified tracking server of a sandbox: magic numbers, and labels that the group's simulators sold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli.carrier import Reply, Request
from shipcli.carrier.simulator import LABEL, Simulator, route
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

CODES: Mapping[str, str] = {
    "pending": "pre-transit",
    "delivered": "delivered",
    "delivery_failed": "failure",
    "delivery_delayed": "unknown",
    "unknown": "unknown",
}  # everything else is "transit"
DIVISIONS = ("dhl_express", "dhl_parcel_de", "dhl_poland", "dpdhl")
LANGUAGES = {"en", "de"}


class DhlUniversalSandbox(Simulator):
    slug = "dhl_universal"

    def authorise(self, request: Request) -> Reply | None:
        key = request.header("DHL-API-Key")
        if not key or self.refused_credentials(key):
            return self._problem(401, "Unauthorized", "Unauthorized for given resource.", request)
        return None

    @route("GET", "/track/shipments")
    def shipments(self, request: Request, path: dict[str, str]) -> Reply:
        number, language = request.query.get("trackingNumber", ""), request.query.get("language", "en")
        if not number or language not in LANGUAGES:
            return self._problem(400, "Bad request", "A query parameter is missing or wrong.", request)
        label = self._label(number)
        travelled = self.simulate_tracking(number, label, "DE")
        if travelled is None:
            detail = "No shipment with given tracking number found."
            return self._problem(404, "No result found", detail, request)
        return self.json({"shipments": [shipment(number, travelled, label)]})

    def _label(self, number: str) -> Mapping[str, Any]:
        found = (self.ledger.get(division, LABEL, number) for division in DIVISIONS)
        return next((label for label in found if label), {})

    def _problem(self, status: int, title: str, detail: str, request: Request) -> Reply:
        body = {"title": title, "detail": detail, "status": status, "instance": request.path}
        return self.json(body, status)


def shipment(number: str, travelled: SimulatedTracking, label: Mapping[str, Any]) -> dict[str, Any]:
    """One entry of `shipments`; events newest first, as the real server gives them."""
    events = [event(scan) for scan in reversed(travelled.scans)]
    reference = label.get("reference")
    return {
        "id": number,
        "service": "express",
        "origin": {"address": {"countryCode": travelled.scans[0].country}},
        "destination": {"address": {"countryCode": travelled.scans[-1].country}},
        "status": events[0],
        "estimatedTimeOfDelivery": travelled.estimated.isoformat() if travelled.estimated else None,
        "details": {
            "product": {"productName": "DHL Sandbox Parcel"},
            "references": {"number": reference, "type": "customer-reference"} if reference else None,
        },
        "events": events,
    }


def event(scan: Scan) -> dict[str, Any]:
    return {
        "timestamp": scan.at.isoformat(),
        "location": {"address": {"countryCode": scan.country, "addressLocality": scan.city.upper()}},
        "statusCode": CODES.get(scan.status, "transit"),
        "status": scan.status.replace("_", " ").upper(),
        "description": scan.description,
    }
