"""The unified tracking server of a sandbox: magic numbers, and labels that the group's simulators sold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.simulator import LABEL, Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking

CATALOGUE = load_catalogue(__file__)
DIVISIONS = ("dhl_express", "dhl_parcel_de", "dhl_poland", "dpdhl")
PATH, LANGUAGES = "/track/shipments", {"en", "de"}


class DhlUniversalSandbox(Simulator):
    slug = "dhl_universal"
    auth_scheme = "token"
    token_header = "dhl-api-key"

    refusals = {
        "bad_login": ("Unauthorized", "Unauthorized for given resource.", 401),
        "unknown_number": ("No result found", "No shipment with given tracking number found.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        body = {"title": refusal.code, "detail": refusal.text, "status": refusal.status, "instance": PATH}
        return self.json(body, refusal.status)

    @route("GET", PATH)
    def shipments(self, request: Request, path: dict[str, str]) -> Reply:
        number = request.query.get("trackingNumber", "")
        if not number or request.query.get("language", "en") not in LANGUAGES:
            raise Refusal("Bad request", "A query parameter is missing or wrong.")
        label = self._label(number)
        seen = self.require_tracking(number, label, "DE")
        return self.json({"shipments": [write_shipment(number, seen, label)]})

    def _label(self, number: str) -> Mapping[str, Any]:
        labels = (self.ledger.get(division, LABEL, number) for division in DIVISIONS)
        return next((label for label in labels if label), {})


def write_shipment(number: str, seen: SimulatedTracking, label: Mapping[str, Any]) -> dict[str, Any]:
    """One entry of `shipments`; events newest first, as the real server gives them."""
    events = [write_event(scan) for scan in reversed(seen.scans)]
    reference = label.get("reference")
    return {
        "id": number,
        "service": "express",
        "origin": {"address": {"countryCode": seen.scans[0].country}},
        "destination": {"address": {"countryCode": seen.scans[-1].country}},
        "status": events[0],
        "estimatedTimeOfDelivery": seen.estimated.isoformat() if seen.estimated else None,
        "details": {
            "product": {"productName": "DHL Sandbox Parcel"},
            "references": {"number": reference, "type": "customer-reference"} if reference else None,
        },
        "events": events,
    }


def write_event(scan: Scan) -> dict[str, Any]:
    phrase = CATALOGUE.table("said").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    return {
        "timestamp": scan.at.isoformat(),
        "location": {"address": {"countryCode": scan.country, "addressLocality": scan.city.upper()}},
        "statusCode": phrase,
        "status": scan.status.replace("_", " ").upper(),
        "description": scan.description,
    }
