"""Examples of answers: what a sandbox answered to the examples of bodies, and an error of each kind."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

FILE = "answer_examples.json"
_CARRIER = {"carrier_name": "ups", "carrier_id": "ups"}


def _error(code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"errors": [{"code": code, "message": message, **({"details": details} if details else {})}]}


ERRORS: dict[int, dict[str, Any]] = {
    400: _error("validation", "country_code: is required", country_code=["is required"]),
    401: _error("invalid_token", "The API key is not known or was revoked"),
    404: _error("not_found", "There is no such object in this mode"),
    405: _error("method_not_allowed", "Method PUT is not allowed here, only GET, POST"),
    406: _error("failure", "The carrier takes no documents"),
    409: _error("state_error", "The shipment is purchased already"),
    413: _error("request_too_large", "The body is larger than the server takes"),
    415: _error("unsupported_media_type", "The body must be application/json"),
    429: _error("throttled", "Too many requests; ask again in 12 seconds"),
    500: _error(
        "internal_error", "Something went wrong on the server; the request id names the record of it"
    ),
    503: _error(
        "store_busy", "The store can't be used at the moment and nothing was saved: send the request again"
    ),
    507: _error("store_full", "The disk is full: nothing was stored"),
}
REFUSED = {
    "messages": [
        {
            "code": "111210",
            "message": "The service is not available between these places",
            "details": None,
            **_CARRIER,
        }
    ]
}
_UNKNOWN = _error("not_found", "Tracker 1Z999AA10123456784 not found")
UNKNOWN = {**_UNKNOWN, "messages": [{**_UNKNOWN["errors"][0], "details": None}]}


@cache
def read_answers() -> dict[str, Any]:
    """Answers by the published name of their model, or by the name of their operation."""
    answers: dict[str, Any] = json.loads(resources.files("shipcli.operations").joinpath(FILE).read_bytes())
    return answers
