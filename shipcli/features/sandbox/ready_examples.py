"""Examples of the reference, ready to be sent: what they name is made, their log-ins are those of a user."""

from __future__ import annotations

import base64
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from shipcli.features.identity import jwt, users
from shipcli.features.pickups.service import get_pickup
from shipcli.features.sandbox.reference_objects import make_reference_objects
from shipcli.features.shipments.service import get_shipment
from shipcli.models import Conflict, NotFound, TokenObtainPair
from shipcli.models.sentences.body_examples import BODIES, number_id
from shipcli.security import passwords

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.sandbox import ExampleData

PERSON, WITH_CODES = "reference@sandbox.example", "reference-codes@sandbox.example"
LOG_IN, SECOND_STEP = "TokenObtainPair", "VerifiedTokenObtainPair"
_MAKING = Lock()  # two tabs may ask at once
LOG_INS = (LOG_IN, "TokenRefresh", "TokenVerify", SECOND_STEP)
BOOKINGS = {  # the pickups that they name by the carrier's number
    "PickupUpdateData": number_id("pck_", 1),
    "PickupUpdateRequest": number_id("pck_", 1),
    "PickupCancelRequest": number_id("pck_", 5),
}
VOID = "ShipmentCancelRequest"
FRESH = (*LOG_INS, *BOOKINGS, VOID)


def prepare_example(app: App, data: ExampleData) -> dict[str, Any]:
    """Make the objects that examples name, once; the example of a body, if one is asked for.

    Errors: NotFound for an unknown body; Conflict if the sandbox lacks the carriers of the examples.
    """
    if data.body and data.body not in BODIES:
        raise NotFound("body", data.body)
    with _MAKING:
        if not make_reference_objects(app):
            raise Conflict(
                "The examples need connections of UPS, USPS and FedEx: start the sandbox with those"
            )
    return {"body": BODIES.get(data.body, {}) | _find_fresh_values(app.in_mode(True), data.body)}


def _find_fresh_values(app: App, body: str) -> dict[str, str]:
    if body in LOG_INS:
        return _log_in(app, body)
    if body in BOOKINGS:
        return {"confirmation_number": get_pickup(app, BOOKINGS[body]).confirmation_number}
    if body == VOID:
        return {"shipment_identifier": get_shipment(app, number_id("shp_", 16)).shipment_identifier or ""}
    return {}


def _log_in(app: App, body: str) -> dict[str, str]:
    """The values of a log-in, with a new password each time."""
    email = WITH_CODES if body == SECOND_STEP else PERSON
    password = _set_new_password(app, email)
    if body == LOG_IN:
        return {"email": email, "password": password}
    code = _enrol(app, email) if body == SECOND_STEP else ""
    pair = jwt.obtain(app, TokenObtainPair(email=email, password=password), peer="")
    values = {"refresh": pair.refresh, "access": pair.access, "token": pair.access, "otp_token": code}
    return {name: values[name] for name in BODIES[body]}


def _set_new_password(app: App, email: str) -> str:
    password = passwords.make_secret().hex()
    try:
        users.set_password(app, email, password)
    except NotFound:
        users.create_user(app, email, password, name="Reference")
    return password


def _enrol(app: App, email: str) -> str:
    """Set up the second step of a user; the code that their app shows now."""
    secret = parse_qs(urlsplit(users.enrol(app, email)).query)["secret"][0]
    return passwords.compute_code(base64.b32decode(secret), int(app.now().timestamp()) // passwords.PERIOD_S)
