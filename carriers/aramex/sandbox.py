"""Aramex's tracking server in the sandbox."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import element

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("tracking")
V1 = "http://ws.aramex.net/ShippingAPI/v1/"
ARRAYS = "http://schemas.microsoft.com/2003/10/Serialization/Arrays"


class AramexSimulator(Simulator):
    """Aramex in a sandbox."""

    slug = "aramex"
    auth_scheme = "body"
    refusals = {"bad_login": ("ERR01", "ClientInfo - Invalid username or password")}

    def is_authorised(self, request: Request) -> bool:
        client = self.read_soap(request).get("ClientInfo") or {}
        return self.is_valid_client(client.get("UserName", ""), client.get("Password", ""))

    def refuse(self, refusal: Refusal) -> Reply:
        note = {"Notification": {"Code": refusal.code, "Message": refusal.text}}
        return self._answer({"Notifications": note, "HasErrors": True})

    @route("POST", "/ShippingAPI.V2/Tracking/Service_1_0.svc", action="TrackShipments")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_soap(request, RULES)
        scans_by_number = {
            number: self.simulate_tracking(number, country="AE")
            for number in as_list(body["Shipments"]["string"])
        }
        tracked = [write_updates(number, seen) for number, seen in scans_by_number.items() if seen]
        unknown = [number for number, seen in scans_by_number.items() if seen is None]
        return self._answer(
            {
                "HasErrors": False,
                "TrackingResults": {"a:KeyValueOfstringArrayOfTrackingResultmFAkxlpY": tracked},
                "NonExistingWaybills": {"a:string": unknown},
            }
        )

    def _answer(self, body: dict[str, Any]) -> Reply:
        return make_soap_reply(element("ShipmentTrackingResponse", {"@xmlns:a": ARRAYS, **body}, V1))


def write_updates(number: str, seen: SimulatedTracking) -> Json:
    """The entry of a number, its updates newest first."""
    updates = [write_update(number, scan) for scan in reversed(seen.scans)]
    return {"a:Key": number, "a:Value": {"TrackingResult": updates}}


def write_update(number: str, scan: Scan) -> Json:
    return {
        "@xmlns": V1,
        "WaybillNumber": number,
        "UpdateCode": CATALOGUE.statuses.code(scan.status),
        "UpdateDescription": scan.description,
        "UpdateDateTime": f"{scan.at:%Y-%m-%dT%H:%M:%S}",
        "UpdateLocation": f"{scan.city}, {scan.country}",
        "Comments": "",
        "ProblemCode": "",
        "GrossWeight": "",
        "ChargeableWeight": "",
        "WeightUnit": "",
    }
