"""Dicom's tracking server in the sandbox."""

from __future__ import annotations

from datetime import UTC

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.json_paths import Json
from shipcli.carrier.simulator import Refusal, Simulator, route
from shipcli.carrier.tracking_simulation import Scan

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
        seen = self.simulate_tracking(path["number"], country="CA")
        if seen is None:
            raise self.refusal("unknown_number")
        body = {
            "trackingNumber": path["number"],
            "deliveryType": "GRD",
            "category": "Parcel",
            "sender": {"countryCode": seen.scans[0].country},
            "consignee": {"countryCode": seen.scans[-1].country},
            "activities": [write_activity(scan) for scan in reversed(seen.scans)],
        }
        return self.json(body)


def write_activity(scan: Scan) -> Json:
    status, group = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.table("scans")["in_transit"]
    return {
        "activityDate": f"{scan.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "status": status,
        "statusDetail": scan.description,
        "group": group,
        "terminal": scan.city[:3].upper(),
    }
