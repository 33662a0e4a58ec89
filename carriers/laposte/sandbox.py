"""La Poste's tracking server in the sandbox: magic numbers, and labels that simulators of the group sold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.json_paths import Json
from shipcli.carrier.simulator import LABEL, Refusal, Simulator, route
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

CATALOGUE = load_catalogue(__file__)
MOST, LANGUAGES = 10, {"fr_FR", "en_US"}


class LaposteSandbox(Simulator):
    slug = "laposte"
    sellers: tuple[str, ...] = ("colissimo", "chronopost")
    refusals = {
        "bad_login": ("UNAUTHORIZED", "Unauthorized", 401),
        "unknown_number": ("404", "Nous ne trouvons pas de courrier ou colis à ce numéro.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"code": refusal.code, "message": refusal.text}, refusal.status)

    def authorise(self, request: Request) -> Reply | None:
        key = request.header("X-Okapi-Key")
        if not key or self.refused_credentials(key):
            raise self.refusal("bad_login")
        return None

    @route("GET", "/suivi/v2/idships/{numbers}")
    def shipments(self, request: Request, path: dict[str, str]) -> Reply:
        numbers, language = unquote(path["numbers"]).split(","), request.query.get("lang", "fr_FR")
        if len(numbers) > MOST or language not in LANGUAGES:
            raise Refusal("400", "Une des valeurs transmises n'est pas valide.")
        found = [self._item(number, language) for number in numbers]
        statuses = {int(one["returnCode"]) for one in found}
        status = statuses.pop() if len(statuses) == 1 else 207
        return self.json(found[0] if len(found) == 1 else found, status)

    def _item(self, number: str, language: str) -> Json:
        label = self._label(number)
        seen = self.simulate_tracking(number, label, "FR")
        head = {"lang": language, "scope": "open"}
        if seen is None:
            no = self.refusal("unknown_number")
            return {**head, "returnCode": no.status, "returnMessage": no.text, "idShip": number}
        return {**head, "returnCode": 200, "shipment": write_shipment(number, seen, label)}

    def _label(self, number: str) -> Mapping[str, Any]:
        found = (self.ledger.get(seller, LABEL, number) for seller in self.sellers)
        return next((label for label in found if label), {})


def write_shipment(number: str, seen: SimulatedTracking, label: Mapping[str, Any]) -> Json:
    """Events newest first, as the real server gives them."""
    first, last = seen.scans[0], seen.scans[-1]
    due = seen.estimated.isoformat() if seen.estimated else None
    return {
        "idShip": number,
        "product": "colissimo",
        "isFinal": seen.delivered,
        "entryDate": first.at.isoformat(),
        "estimDate": due,
        "deliveryDate": last.at.isoformat() if seen.delivered else None,
        "event": [write_event(scan) for scan in reversed(seen.scans)],
        "contextData": {
            "originCountry": first.country,
            "arrivalCountry": label.get("destination") or last.country,
        },
        "url": f"https://www.laposte.fr/outils/suivre-vos-envois?code={number}",
    }


def write_event(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    return {"code": code, "label": scan.description, "date": scan.at.isoformat(timespec="seconds")}
