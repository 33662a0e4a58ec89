"""Dicom's tracking server in the sandbox."""

from __future__ import annotations

from datetime import UTC

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)


class DicomSandbox(Simulator):
    slug = "dicom"
    auth_scheme = "basic"
    refusals = {
        "bad_login": (None, "Authorization has been denied for this request.", 401),
        "unknown_number": ("NotFound", "The tracking number does not exist.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"Code": refusal.code, "Message": refusal.text}, refusal.status)

    @route("GET", "/v1/tracking/{number}")
    def tracking(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country="CA")
        activities = [write_activity(scan) for scan in reversed(seen.scans)]
        ends = {"origin": seen.scans[0].country, "destination": seen.scans[-1].country}
        return self.json(CATALOGUE.fill("shipment", number=path["number"], activities=activities, **ends))


def write_activity(scan: Scan) -> Json:
    words = CATALOGUE.table("scans")
    status, group = words.get(scan.status) or words["in_transit"]
    return dict(CATALOGUE.fill("activity", scan=scan, at=scan.at.astimezone(UTC), status=status, group=group))
