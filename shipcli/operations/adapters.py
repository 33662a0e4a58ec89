"""Adapters for use-cases whose arguments differ from what a request carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.admin import instance
from shipcli.features.connections import service as connections
from shipcli.features.files.batches import service as batches
from shipcli.features.shipments import proxy
from shipcli.features.trackers import service as trackers
from shipcli.models import ImportData, Invalid, NotFound, Tracker, TrackingData
from shipcli.models.basics.errors import UnknownTracker

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.models import BatchOperation, Connection, ConnectionData
    from shipcli.models.answers import TrackingResponse
    from shipcli.operations.form import Form

FILE = "data_file"
ANYBODY = "anybody"


def list_references(app: App, *, host: str, reduced: bool = True) -> dict[str, Any]:
    """The reference maps, with the caller's own carriers when the caller is known."""
    return instance.list_references(app, host=host, reduced=reduced, signed_in=app.caller != ANYBODY)


def add_connection(app: App, data: ConnectionData, *, once: IdempotencyKey | None = None) -> Connection:
    """Add a connection; if the settings say so, its carrier is asked whether it accepts the credentials.

    Errors: as `connections.add_connection`.
    """
    return connections.add_connection(app, data, check=app.config["check_credentials"], once=once)


def get_tracker(app: App, id_or_number: str) -> Tracker:
    """Get a tracker in the caller's mode; an anonymous caller who knows its id or number sees both modes.

    Errors: NotFound.
    """
    modes = (True, False) if app.caller == ANYBODY else (app.test_mode,)
    matches = [match for mode in modes if (match := _find_tracker(app.in_mode(mode), id_or_number))]
    if not matches:
        raise UnknownTracker(id_or_number)
    return max(matches, key=lambda tracker: tracker.id)


def _find_tracker(app: App, id_or_number: str) -> Tracker | None:
    try:
        return trackers.get_tracker(app, id_or_number)
    except NotFound:
        return None


def create_tracker(app: App, carrier_name: str, tracking_number: str, *, hub: str | None = None) -> Tracker:
    """Create a tracker for the number in a path.

    Errors: as `trackers.add_tracker`.
    """
    return trackers.add_tracker(app, _make_tracking(carrier_name, tracking_number), hub=hub)


def track_shipment(
    app: App, carrier_name: str, tracking_number: str, *, hub: str | None = None
) -> TrackingResponse:
    """Ask a carrier about the number in a path.

    Errors: as `proxy.get_tracking`.
    """
    return proxy.get_tracking(app, _make_tracking(carrier_name, tracking_number), hub=hub)


def _make_tracking(carrier_name: str, tracking_number: str) -> TrackingData:
    return TrackingData(carrier_name=carrier_name, tracking_number=tracking_number)


def import_file(app: App, form: Form, *, once: IdempotencyKey | None = None) -> BatchOperation:
    """Import the rows of an uploaded file as a batch.

    Errors: Invalid; InvalidRows naming every bad cell.
    """
    texts = {name: form[name].text for name in ("resource_type", "data_template") if name in form}
    try:
        data = ImportData.model_validate({name: text for name, text in texts.items() if text})
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None
    if FILE not in form or not form[FILE].content:
        raise Invalid(FILE, "is required")
    name = form[FILE].filename or FILE
    try:
        return batches.import_data(app, data, name, form[FILE].content, once=once)
    except Invalid as error:
        raise _blame_form_field(error, name) from None


def _blame_form_field(error: Invalid, name: str) -> Invalid:
    """The same error, with problems of the file as a whole reported for the form's field."""
    problems = [
        (FILE, f"{name}: {reason}") if field == name else (field, reason) for field, reason in error.problems
    ]
    return Invalid.many(problems, error.code, index=error.index)
