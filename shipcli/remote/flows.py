"""Use-cases that are no operation of the API, made of operations.

Every flow takes the remote in the place of the app and gives what the use-case of this machine gives. Flows
are found by that use-case, so a command asks for one name and need not know where it runs.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from shipcli.features.batches import service as batches
from shipcli.features.connections import catalog
from shipcli.features.connections import service as connections
from shipcli.features.core.checkpoints import read_cursor, write_cursor
from shipcli.features.manifests import service as manifests
from shipcli.features.orders import fulfilment
from shipcli.features.orders import service as orders
from shipcli.features.papers import generate as documents
from shipcli.features.papers import labels
from shipcli.features.shipments import second_labels, ship
from shipcli.features.shipments.service import get_shipment
from shipcli.features.spreadsheets import export as exporting
from shipcli.features.spreadsheets import handlers as row_handlers
from shipcli.features.trackers import lookup as whereabouts
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.gateway.gateway import OnlyHere
from shipcli.gateway.http import StandIns
from shipcli.gateway.where import Where
from shipcli.models import (
    BatchOperation,
    CarrierDetails,
    Connection,
    ConnectionData,
    DocumentData,
    DocumentTemplate,
    ImportData,
    NotFound,
    Refused,
    Shipment,
    Tracker,
    TrackingData,
    WebhookTestData,
    nearest,
)
from shipcli.operations import doors
from shipcli.operations.form import FormField
from shipcli.remote import bench as bench_there
from shipcli.remote import files
from shipcli.remote import fulfilling as fulfilling_there
from shipcli.remote import importing as importing_there

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway

Document = dict[str, Any]


# -- carriers and references -----------------------------------------------------------------------


def get_carrier(remote: HttpGateway, slug: str) -> CarrierDetails:
    """Errors: NotFound naming the nearest."""
    every: list[CarrierDetails] = remote.ask(doors.list_carriers)
    found = {one.carrier_name: one for one in every}
    if slug not in found:
        near = nearest(slug, found)
        hint = f" Did you mean {near}?" if near else ""
        known = ", ".join(sorted(found))
        raise NotFound("carrier", slug, message=f"There is no carrier {slug!r}.{hint} Known: {known}.")
    return found[slug]


def get_options(remote: HttpGateway, slug: str) -> dict[str, Any]:
    """Errors: NotFound."""
    get_carrier(remote, slug)
    found: dict[str, Any] = get_reference(remote, "options").get(slug, {})
    return found


def get_presets(remote: HttpGateway, slug: str) -> dict[str, Any]:
    """Errors: NotFound."""
    get_carrier(remote, slug)
    facts = catalog.known_facts(slug)
    found: dict[str, Any] = get_reference(remote, "package_presets").get(slug)
    return found or (facts.presets if facts else {})


def references(remote: HttpGateway, *, reduced: bool = True) -> dict[str, Any]:
    """The reference maps, without what the server says of itself."""
    found: dict[str, Any] = remote.ask(doors.references, host=remote.url, reduced=reduced)
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def get_reference(remote: HttpGateway, name: str) -> Any:
    """Errors: NotFound naming the nearest."""
    return catalog.map_named(references(remote, reduced=False), name)


def add_connection(
    remote: HttpGateway, data: ConnectionData, *, check: bool = False, is_system: bool = False
) -> Connection:
    """A connection, removed again when its carrier is to be asked and refuses the credentials.

    Errors: as that of this machine; OnlyHere for a shared connection: the API has no word for it.
    """
    if is_system:
        raise OnlyHere("--system")
    added = remote.ask(doors.add_connection, data)
    try:
        return remote.ask(connections.check_connection, added.id) if check else added
    except Refused:
        remote.ask(connections.remove_connection, added.id)
        raise


# -- trackers --------------------------------------------------------------------------------------


def track(remote: HttpGateway, word: str, *, carrier: str | None = None, anew: bool = False) -> Document:
    """The tracker of a number, an id or a shipment; one that is not watched yet is added.

    The server refreshes what it watches by itself; `anew` has it ask now, if it did not just do so.
    Errors: UnknownNumber when nothing tells the carrier; those of the API.
    """
    known = _watched(remote, word)
    if known is not None and not (anew and not known.delivered):
        return known.plain()
    if known is not None:
        return _added(remote, known.tracking_number, str(known.carrier_name))
    shipped = remote.find("shipment", word, 1)
    number, name = whereabouts.shipped_number(dict(shipped[0])) if shipped else (word, None)
    if not (carrier or name):
        raise whereabouts.UnknownNumber(word)
    return _added(remote, number, str(carrier or name))


def _watched(remote: HttpGateway, word: str) -> Tracker | None:
    if word.startswith("shp_"):
        shipment: Shipment = remote.ask(get_shipment, word)
        word = shipment.tracker_id or whereabouts.shipped_number(shipment.plain())[0]
    try:
        found: Tracker = remote.ask(doors.get_tracker, word)
    except NotFound:
        return None
    return found


def _added(remote: HttpGateway, number: str, carrier: str) -> Document:
    wanted = TrackingData(tracking_number=number, carrier_name=carrier)
    made: Tracker = remote.ask(trackers.add_tracker, wanted)
    return made.plain()


# -- documents and webhooks ------------------------------------------------------------------------


def generate_pdf(remote: HttpGateway, data: DocumentData) -> bytes:
    """The PDF of a template and data."""
    return base64.b64decode(remote.ask(documents.generate, data).doc_file)


def render_template(remote: HttpGateway, template: DocumentTemplate, data: Mapping[str, Any]) -> bytes:
    """The PDF of a stored template."""
    return generate_pdf(remote, DocumentData.model_validate({"template_id": template.id, "data": dict(data)}))


def try_webhook(remote: HttpGateway, webhook_id: str, data: WebhookTestData) -> webhooks.Trial:
    """Whether the target took a trial; a server does not tell what it answered."""
    return webhooks.Trial(remote.ask(webhooks.test_webhook, webhook_id, data).success)


def import_data(remote: HttpGateway, data: ImportData, name: str, content: bytes) -> BatchOperation:
    """A batch of the rows of a file, which the server reads."""
    fields = {field: str(value) for field, value in data.plain().items() if value is not None}
    form = {field: FormField(text.encode()) for field, text in fields.items()}
    return remote.ask(doors.import_file, {**form, doors.FILE: FormField(content, name)})


def export(remote: HttpGateway, what: str, wanted: exporting.Wanted) -> exporting.ExportSheet:
    """The rows of an export, newest object first.

    Errors: Invalid for an unknown status, column or instant.
    """
    if wanted.since:
        return _export_changes(remote, what, wanted, wanted.since)
    row = exporting.EXPORTS[what]
    columns = exporting.columns_of(row, wanted.exclude)
    given = {"status": list(exporting.statuses_of(row, wanted.statuses))}
    rows = exporting.rows_of(row, columns, remote.each(row.kind, Where(given)))
    return exporting.ExportSheet(list(columns.values()), rows, lambda: None)


def _export_changes(
    remote: HttpGateway, what: str, wanted: exporting.Wanted, since: str
) -> exporting.ExportSheet:
    """What changed there; how far a named export came is kept in the store of this machine."""
    named, place = since.startswith("@"), f"{what} {remote.url}"
    instant = read_cursor(remote.own(), place, since[1:]) if named else since
    lists = {"status": ",".join(wanted.statuses), "exclude": ",".join(wanted.exclude)}
    found = remote.ask(exporting.export_rows, what, **lists, since=instant)

    def finish() -> None:
        if named:
            write_cursor(remote.own(), place, since[1:], found["until"])

    return exporting.ExportSheet(found["headers"], iter(found["rows"]), finish)


def refresh_trackers(remote: HttpGateway, wanted: Sequence[Tracker]) -> list[Tracker]:
    """The trackers as the carriers know them now: a number that is added again is asked about.

    The server does not ask twice within a minute, nor about what is delivered.
    """
    asked = (
        TrackingData(tracking_number=one.tracking_number, carrier_name=one.carrier_name) for one in wanted
    )
    return [remote.ask(trackers.add_tracker, one) for one in asked]


def same(use: Callable[..., Any]) -> Callable[..., Any]:
    """The operation of another function that takes and gives the same."""
    return lambda remote, *given, **named: remote.ask(use, *given, **named)


def leave_to_server(server: HttpGateway, *given: Any) -> list[Any]:
    """Nothing: a server settles what was interrupted there by itself."""
    return []


FLOWS: StandIns = {
    batches.import_data: import_data,
    ship.buy_label: bench_there.buy_label,
    ship.new_draft: bench_there.new_draft,
    ship.settle_interrupted: leave_to_server,
    ship.buy_new: bench_there.buy_new,
    ship.buy_stored: bench_there.buy_stored,
    ship.store_draft: bench_there.store_draft,
    ship.stored_draft: bench_there.stored_draft,
    second_labels.check_reference: bench_there.check_reference,
    second_labels.one_at_a_time: lambda server, draft: nullcontext(),  # it is the server's to say
    catalog.get_carrier: get_carrier,
    catalog.get_options: get_options,
    catalog.get_presets: get_presets,
    catalog.get_reference: get_reference,
    catalog.list_carriers: same(doors.list_carriers),
    catalog.references: references,
    connections.add_connection: add_connection,
    documents.generate_pdf: generate_pdf,
    documents.render_template: render_template,
    fulfilment.buy_proposed: fulfilling_there.buy_proposed,
    fulfilment.settle_first: leave_to_server,
    exporting.export: export,
    labels.get_label: files.get_label,
    labels.merge_labels: files.merge_labels,
    manifests.merge_forms: files.merge_forms,
    manifests.finish_interrupted: leave_to_server,
    orders.create_order: same(orders.create_plain_order),
    trackers.get_tracker: same(doors.get_tracker),
    trackers.refresh: refresh_trackers,
    webhooks.try_webhook: try_webhook,
    row_handlers.open_rows: importing_there.open_rows,
    whereabouts.track: track,
}
