"""Small cases of the fake carrier, good as they stand; tests plant a fault in a copy."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

from shipcli.models import json as plain_json
from tests.carriers.fake import Fake
from tests.carriers.recordings import Case
from tests.carriers.replay import Report, replay

PDF = base64.b64encode(b"%PDF-1.4 SAMPLE").decode()
ADDRESS = {"postal_code": "10001", "country_code": "US"}
PARCEL = {"weight": 2, "weight_unit": "KG"}
COMMON: dict[str, Any] = {
    "carrier": "fake",
    "checks": ["http", "parsed"],
    "clock": "2024-12-16T10:30:00Z",
    "settings": {"user": "ann", "api_key": "s3cret"},
    "connection": {"carrier_id": "fake", "test_mode": False},
    "cached_auth": {"fake|ann": {"access_token": "tok", "expires_in": "3600"}},
    "messages": [],
    "volatile": [],
    "unordered": [],
}
RATES: dict[str, Any] = {
    **COMMON,
    "operation": "rates",
    "unified_request": {"shipper": ADDRESS, "recipient": ADDRESS, "parcels": [PARCEL]},
    "http": [
        {
            "method": "POST",
            "url": "https://fake.example/rates",
            "headers": {"Authorization": "Bearer tok", "X-User": "ann", "Content-Type": "application/json"},
            "content_type": "application/json",
            "body": '{"kg": "2.0"}',
        }
    ],
    "carrier_response": [
        {
            "call": 0,
            "status": 200,
            "format": "json",
            "body": '{"rates": [{"service": "fake_ground", "price": 9.5}]}',
        }
    ],
    "parsed": [{"service": "fake_ground", "total_charge": 9.5, "currency": "USD"}],
}
SHIPMENT: dict[str, Any] = {
    **COMMON,
    "operation": "shipment",
    "unified_request": {**RATES["unified_request"], "service": "fake_ground"},
    "http": [
        {
            "method": "POST",
            "url": "https://fake.example/labels",
            "headers": {},
            "content_type": "application/json",
            "body": '{"service": "GND"}',
        },
        {
            "method": "GET",
            "url": "https://fake.example/labels/T1.pdf?size=4x6",
            "headers": {},
            "content_type": None,
            "body": None,
        },
    ],
    "carrier_response": [
        {"call": 0, "status": 200, "format": "json", "body": '{"number": "T1"}'},
        {"call": 1, "status": 200, "format": "json", "body": json.dumps({"file": PDF})},
    ],
    "parsed": {
        "tracking_number": "T1",
        "shipment_identifier": "T1",
        "label_type": "PDF",
        "docs": {"label": PDF},
    },
}


class FakeWithFiles(Fake):
    """The fake carrier, reading its file out of the JSON."""

    def ship(self, request: Any) -> Any:
        label = yield from super().ship(request)
        return label.model_copy(update={"docs": {"label": json.loads(label.docs["label"])["file"]}})


def run(data: dict[str, Any], carrier: Any = FakeWithFiles) -> Report:
    return replay(Case(Path("case.json"), json_of(data)), lambda slug: carrier)


def json_of(data: dict[str, Any]) -> Any:
    return plain_json.loads(json.dumps(data))


def changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of a case with another value at a path such as `http/0/body`."""
    data = copy.deepcopy(data)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    place: Any = data
    for step in way:
        place = place[step]
    place[last] = value
    return data
