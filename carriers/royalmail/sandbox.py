"""Royal Mail's tracking server in the sandbox."""

from __future__ import annotations

from http import HTTPStatus

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)
TERMS = "X-Accept-RMG-Terms"


class RoyalmailSandbox(Simulator):
    slug = "royalmail"
    refusals = {
        "bad_login": ("E0007", "The client is not registered", 401),
        "unknown_number": ("E1142", "The barcode reference isn't recognised", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        status = HTTPStatus(refusal.status)
        body = CATALOGUE.fill("refusal", no=refusal, status=status, code=str(status.value))
        return self.json(body, status)

    def authorise(self, request: Request) -> Reply | None:
        client = request.header("X-IBM-Client-Id"), request.header("X-IBM-Client-Secret")
        if not self.is_valid_client(*client):
            raise self.refusal("bad_login")
        if request.header(TERMS) != "yes":
            raise Refusal("E0004", f"Failed header validation for {TERMS}")
        return None

    @route("GET", "/mailpieces/v2/{number}/events")
    def events(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country="GB")
        return self.json(write_piece(path["number"], seen))


def write_piece(number: str, seen: SimulatedTracking) -> Json:
    """Events newest first, as the real server gives them."""
    events = [write_event(scan) for scan in reversed(seen.scans)]
    signature = {"recipientName": "S. Ample"} if seen.delivered else None
    due = seen.estimated.date().isoformat() if seen.estimated else None
    values = {"last": events[0], "signature": signature, "due": due, "events": events}
    return dict(CATALOGUE.fill("piece", number=number, **values))


def write_event(scan: Scan) -> Json:
    names = CATALOGUE.table("scans")
    code, name = names.get(scan.status) or names["in_transit"]
    at = scan.at.isoformat(timespec="seconds")
    return dict(CATALOGUE.fill("event", scan=scan, code=code, name=name, at=at))
