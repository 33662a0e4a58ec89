"""La Poste's tracking server in the sandbox: magic numbers, and labels that simulators of the group sold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.simulator import LABEL, Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)
LANGUAGES = {"fr_FR", "en_US"}


class LaposteSandbox(Simulator):
    slug = "laposte"
    auth_scheme = "token"
    token_header = "x-okapi-key"
    sellers: tuple[str, ...] = ("colissimo", "chronopost")
    refusals = {
        "bad_login": ("UNAUTHORIZED", "Unauthorized", 401),
        "unknown_number": ("404", "Nous ne trouvons pas de courrier ou colis à ce numéro.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"code": refusal.code, "message": refusal.text}, refusal.status)

    @route("GET", "/suivi/v2/idships/{numbers}")
    def shipments(self, request: Request, path: dict[str, str]) -> Reply:
        numbers, language = unquote(path["numbers"]).split(","), request.query.get("lang", "fr_FR")
        if language not in LANGUAGES:
            raise Refusal("400", "Une des valeurs transmises n'est pas valide.")
        items = [self._item(number, language) for number in numbers]
        statuses = {int(item["returnCode"]) for item in items}
        status = statuses.pop() if len(statuses) == 1 else 207
        return self.json(items[0] if len(items) == 1 else items, status)

    def _item(self, number: str, language: str) -> Json:
        label = self._label(number)
        seen = self.simulate_tracking(number, label, "FR")
        if seen is None:
            unknown = {"no": self.refusal("unknown_number"), "language": language, "number": number}
            return dict(CATALOGUE.fill("unknown", **unknown))
        return write_shipment(number, seen, label, language)

    def _label(self, number: str) -> Mapping[str, Any]:
        labels = (self.ledger.get(seller, LABEL, number) for seller in self.sellers)
        return next((label for label in labels if label), {})


def write_shipment(number: str, seen: SimulatedTracking, label: Mapping[str, Any], language: str) -> Json:
    """Events newest first, as the real server gives them."""
    first, last, due = seen.scans[0], seen.scans[-1], seen.estimated
    values = {
        "first": first.at.isoformat(),
        "due": due.isoformat() if due else None,
        "delivered": last.at.isoformat() if seen.delivered else None,
        "origin": first.country,
        "destination": label.get("destination") or last.country,
        "events": [write_event(scan) for scan in reversed(seen.scans)],
    }
    return dict(CATALOGUE.fill("known", number=number, seen=seen, language=language, **values))


def write_event(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    return dict(CATALOGUE.fill("event", scan=scan, code=code, date=scan.at.isoformat(timespec="seconds")))
