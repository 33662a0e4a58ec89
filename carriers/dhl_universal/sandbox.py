"""The unified tracking server of a sandbox: magic numbers, and labels that the group's simulators sold."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Party
from shipcli.carrier.simulation.points import SimulatedPoint
from shipcli.carrier.simulation.simulator import LABEL, Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking

CATALOGUE = load_catalogue(__file__)
DIVISIONS = ("dhl_express", "dhl_parcel_de", "dhl_poland", "dpdhl")
PATH, LANGUAGES = "/track/shipments", {"en", "de"}
METRES, HOME = 1000, "DE"  # metres in a kilometre


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

    @route("GET", "/location-finder/v1/find-by-address")
    def places(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        if not query.get("countryCode") or not (query.get("postalCode") or query.get("addressLocality")):
            raise Refusal("Bad request", "A country, and a postal code or a city are needed.")
        place = Party(
            country=query["countryCode"],
            postal_code=query.get("postalCode", ""),
            city=query.get("addressLocality", ""),
        )
        radius = Decimal(query.get("radius", "500")) / METRES
        points = self.points.list_near(place, most=int(query.get("limit", "15")), radius_km=radius)
        return self.json({"locations": [write_place(point) for point in points]})

    def make_point_id(self, number: int) -> str:
        return str(400 + number % 600)

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


def write_place(point: SimulatedPoint) -> dict[str, Any]:
    kind, keyword = CATALOGUE.table("point_kinds")[point.kind.value]
    network = "parcel" if point.country == HOME else "express"  # whose places have no numbers for labels
    services = [f"{network}:drop-off", *([f"{network}:pick-up"] if point.pick_up else [])]
    named = {"keyword": keyword, "keywordId": point.id} if point.country == HOME else {}
    address = {
        "countryCode": point.country,
        "postalCode": point.postal_code,
        "addressLocality": point.city,
        "streetAddress": point.street,
    }
    return {
        "url": f"/locations/8003-{point.id}",
        "location": {
            "ids": [{"locationId": f"8003-{point.id}", "provider": network}],
            "type": kind,
            **named,
        },
        "name": f"{keyword} {point.id}" if named else point.name,
        "distance": int(point.distance_km * METRES),
        "place": {
            "address": address,
            "geo": {"latitude": point.latitude, "longitude": point.longitude},
        },
        "openingHours": [
            {
                "opens": f"{opens}:00",
                "closes": f"{closes}:00",
                "dayOfWeek": f"http://schema.org/{day.title()}",
            }
            for day, opens, closes in point.hours
        ],
        "serviceTypes": services,
    }


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
