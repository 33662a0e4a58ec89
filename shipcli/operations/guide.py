"""What the served document teaches beside its operations: keys, modes, errors, test values, events."""

from __future__ import annotations

from typing import Any

from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.operations.schema import REFERENCE, Schema

DESCRIPTION = """Rates, labels, tracking, pickups and manifests of many carriers through one API.

## Keys
Send `Authorization: Token KEY`, or the key as the user name of Basic authentication. `shipcli
sandbox up` prints a key; `shipcli keys create` makes one. A session sends `Authorization: Bearer
TOKEN`, with a token of `POST /api/token` or of OAuth2. A key that may only read is answered with
403 where something changes.

## Modes
A key belongs to test mode or to live mode. Objects of one mode are unknown in the other (404).
Sessions choose by `X-Test-Mode: true`. Every answer says its mode in `X-Test-Mode`. A live key buys
labels for money.

## Errors
Errors of a request are `{"errors": [{"code", "message", "details"}]}`. What carriers refuse is
`{"messages": [...]}` with the status 424, or 404 for numbers that they do not know. Rely on codes,
not on texts. 409 means that the state of an object forbids it. Each answer has an `X-Request-Id`
for questions.

## Repeats
A POST with an `Idempotency-Key` of your choice is carried out once: the same again within a week
gets the same answer, also after a lost connection. The refusal of a carrier is remembered too, so
take another key to try again; its 429 is not. If the outcome of a purchase is unknown, the shipment
needs attention and is not bought twice.

## Pages
Lists are answered in pages, newest first: `limit` from 1 to 100 (20 if absent), `offset` from 0,
and the addresses `next` and `previous`.

## Rate limits
Off by default. A server that has one answers 429 with `Retry-After` in seconds. Too many wrong keys
from an address are 429 as well.

## Test values
In a sandbox, and only there:

- Tracking numbers decide what is tracked: `SC0000000001` pending, `SC0100000001` in transit,
  `SC0200000001` out for delivery, `SC0300000001` delivered, `SC0400000001` on hold, `SC0700000001`
  a failed delivery, `SC1000000001` a whole journey. `EZ1000000001` to `EZ7000000007` and
  `SHIPPO_DELIVERED` with its kin work as well.
- `options.sandbox_scenario` or the header `X-Sandbox-Scenario` makes a carrier act: `declined`,
  `unavailable`, `rate_limited`, `timeout`, `slow`, `garbled`, `closed`, `error`. `GET
  /_sandbox/scenarios` lists them by carrier.
- `shipcli sandbox up --seed demo` makes the objects that the examples here name, so that each works
  as it stands.

## Webhooks
Each event is posted to the webhooks of its mode that ask for it; the callbacks of `POST
/v1/webhooks` show its body and headers. The signature is `v1,` and the base64 of HMAC-SHA256 over
`ID.TIMESTAMP.BODY`, keyed with the bytes that follow `whsec_` in the secret, read as base64. Answer
2xx within ten seconds: other answers are tried again for up to three days.
"""
SERVERS = [{"url": "/", "description": "This server. A sandbox sells nothing: its carriers are simulated."}]
TAGS = {
    "API": "What this server is, and its reference data.",
    "Auth": "Log-in of people, for sessions; programs use keys.",
    "Addresses": "Addresses for reuse.",
    "Batches": "Many objects at once, done in the background.",
    "Carriers": "Which carriers there are, and what each can do.",
    "Connections": "Your accounts with carriers.",
    "Documents": "Templates, documents made of them, and papers for carriers.",
    "Manifests": "End-of-day forms for what is handed over.",
    "Orders": "What customers bought, and what of it is shipped.",
    "Parcels": "Parcels for reuse.",
    "Pickups": "Collections by carriers.",
    "Proxy": "Carriers directly: nothing is stored.",
    "Shipments": "Drafts with rates, bought labels, voids.",
    "Trackers": "Where parcels are.",
    "Webhooks": "Events sent to you.",
    "Additions": "What this server has beside the published contract; other servers of it lack these.",
    "Files": "Labels, invoices, forms and tables to download.",
}
_DATA = {
    "shipment": "Shipment", "tracker": "TrackingStatus", "order": "Order", "batch": "BatchOperation",
}  # fmt: skip
_HEADERS = {
    "webhook-id": "Id of the event, the same for each attempt: use it to drop repeats.",
    "webhook-timestamp": "When it was sent, in seconds since 1970; refuse what is older than five minutes.",
    "webhook-signature": "The signature, `v1,` and base64.",
    "X-Event-Id": "The webhook's secret itself, for receivers that compare it.",
}


def describe_callbacks() -> dict[str, Any]:
    """What a webhook is sent, by event."""
    return {
        name: {"{$request.body#/url}": {"post": _describe_event(name)}}
        for name in EVENT_NAMES
        if name != "all"
    }


def _describe_event(name: str) -> dict[str, Any]:
    parameters = [
        {"in": "header", "name": header, "required": True, "description": text, "schema": {"type": "string"}}
        for header, text in _HEADERS.items()
    ]
    schema = _make_envelope(name)
    return {
        "operationId": f"event_{name}",
        "summary": f"The event {name}",
        "description": f"Sent to webhooks with `{name}` or `all` among their events.",
        "tags": ["Webhooks"],
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": "The event was taken; anything else is sent again."}},
    }


def _make_envelope(name: str) -> Schema:
    """The body of an event: a few facts, and the object as `GET` answers it."""
    texts = {
        "id": ("string", "Id of the event, `evt_` and 32 hexadecimal digits."),
        "type": ("string", "Name of the event."),
        "event": ("string", "Name of the event again, for older receivers."),
        "test_mode": ("boolean", "Whether it happened in test mode."),
        "pending_webhooks": ("integer", "How many webhooks the event is sent to."),
        "created_at": ("string", "When it happened, in UTC."),
    }
    properties: Schema = {field: {"type": kind, "description": text} for field, (kind, text) in texts.items()}
    properties["data"] = {"$ref": REFERENCE + _DATA[name.partition("_")[0]]}
    return {"type": "object", "properties": properties, "required": sorted(properties)}
