"""Use-cases that are no operation of the API, made of operations.

Each takes the server in the place of the app and gives what the use-case of this machine gives. They are
found by that use-case, so nobody who asks for it need know where it runs.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import accounts, catalog
from shipcli.features.connections import service as connections
from shipcli.features.core.checkpoints import read_cursor, write_cursor
from shipcli.features.files import export as exporting
from shipcli.features.files import row_handlers
from shipcli.features.files.batches import service as batches
from shipcli.features.orders import fulfilment
from shipcli.features.orders import service as orders
from shipcli.features.paper import documents, labels
from shipcli.features.pickups import manifests
from shipcli.features.shipments import ship
from shipcli.features.shipments.service import get_shipment
from shipcli.features.trackers import lookup as whereabouts
from shipcli.features.trackers import service as trackers
from shipcli.features.webhooks import service as webhooks
from shipcli.gateway import files
from shipcli.gateway.gateway import LocalOnly
from shipcli.gateway.http import Versions
from shipcli.gateway.import_rows import list_services, open_rows
from shipcli.gateway.ship_defaults import list_active_connections
from shipcli.gateway.steps import STEPS
from shipcli.gateway.where import ListFilter
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
    Tracker,
    TrackingData,
    WebhookTestData,
    suggest_nearest,
)
from shipcli.operations import adapters
from shipcli.operations.form import FormField

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway

Document = dict[str, Any]


# -- carriers and references -----------------------------------------------------------------------


def get_carrier(server: HttpGateway, slug: str) -> CarrierDetails:
    """Errors: NotFound naming the nearest."""
    every = server.ask(catalog.list_carriers)
    carriers = {carrier.carrier_name: carrier for carrier in every}
    if slug not in carriers:
        hint = suggest_nearest(slug, carriers)
        names = ", ".join(sorted(carriers))
        raise NotFound("carrier", slug, message=f"There is no carrier {slug!r}.{hint} Known: {names}.")
    return carriers[slug]


def get_options(server: HttpGateway, slug: str) -> dict[str, Any]:
    """Errors: NotFound."""
    get_carrier(server, slug)
    options: dict[str, Any] = get_reference(server, "options").get(slug, {})
    return options


def get_presets(server: HttpGateway, slug: str) -> dict[str, Any]:
    """Errors: NotFound."""
    get_carrier(server, slug)
    facts = catalog.find_facts(slug)
    presets: dict[str, Any] = get_reference(server, "package_presets").get(slug)
    return presets or (facts.presets if facts else {})


def list_all_services(server: HttpGateway) -> list[str]:
    """The services of the server's accounts; none, which is any, when one has a sheet that only it knows."""
    return sorted(
        list_services(server, {str(row["carrier_name"]) for row in list_active_connections(server)})
    )


def list_references(server: HttpGateway, *, reduced: bool = True) -> dict[str, Any]:
    """The reference maps, without what the server says of itself."""
    references: dict[str, Any] = server.ask(adapters.list_references, host=server.url, reduced=reduced)
    return {name: value for name, value in references.items() if isinstance(value, dict)}


def get_reference(server: HttpGateway, name: str) -> Any:
    """Errors: NotFound naming the nearest."""
    return catalog.find_map(list_references(server, reduced=False), name)


def add_connection(
    server: HttpGateway, data: ConnectionData, *, check: bool = False, is_system: bool = False
) -> Connection:
    """A connection, removed again when its carrier is to be asked and refuses the credentials.

    Errors: as that of this machine; OnlyHere for a shared connection: the API has no word for it.
    """
    if is_system:
        raise LocalOnly("--system")
    added = server.ask(adapters.add_connection, data)
    try:
        return server.ask(connections.check_connection, added.id) if check else added
    except Refused:
        server.ask(connections.remove_connection, added.id)
        raise


# -- trackers --------------------------------------------------------------------------------------


def track(server: HttpGateway, word: str, *, carrier: str | None = None, anew: bool = False) -> Document:
    """The tracker of a number, an id or a shipment; one that is not watched yet is added.

    The server refreshes what it watches by itself; `anew` has it ask now, if it did not just do so.
    Errors: UnknownNumber when nothing tells the carrier; those of the API.
    """
    tracker = _find_tracker(server, word)
    if tracker is not None and not (anew and not tracker.delivered):
        return tracker.model_dump()
    if tracker is not None:
        return _add_tracker(server, tracker.tracking_number, str(tracker.carrier_name))
    matches = server.find("shipment", word, 1)
    shipment = server.ask(get_shipment, str(matches[0]["id"])).model_dump() if matches else None
    number, name = whereabouts.find_shipped_number(shipment) if shipment else (word, None)
    if not (carrier or name):
        raise whereabouts.UnknownNumber(word)
    return _add_tracker(server, number, str(carrier or name))


def _find_tracker(server: HttpGateway, word: str) -> Tracker | None:
    matches = server.find("shipment", word, 2) if word.startswith("shp_") else []
    if len(matches) == 1:
        shipment = server.ask(get_shipment, str(matches[0]["id"]))
        word = shipment.tracker_id or whereabouts.find_shipped_number(shipment.model_dump())[0]
    try:
        return server.ask(adapters.get_tracker, word)
    except NotFound:
        return None


def _add_tracker(server: HttpGateway, number: str, carrier: str) -> Document:
    data = TrackingData(tracking_number=number, carrier_name=carrier)
    made = server.ask(trackers.add_tracker, data)
    return made.model_dump()


# -- documents and webhooks ------------------------------------------------------------------------


def generate_pdf(server: HttpGateway, data: DocumentData) -> bytes:
    """The PDF of a template and data."""
    return base64.b64decode(server.ask(documents.generate, data).doc_file)


def render_template(server: HttpGateway, template: DocumentTemplate, data: Mapping[str, Any]) -> bytes:
    """The PDF of a stored template."""
    return generate_pdf(server, DocumentData.model_validate({"template_id": template.id, "data": dict(data)}))


def try_webhook(server: HttpGateway, webhook_id: str, data: WebhookTestData) -> webhooks.WebhookTestResult:
    """Whether the target took a trial; a server does not tell what it answered."""
    return webhooks.WebhookTestResult(server.ask(webhooks.test_webhook, webhook_id, data).success)


def import_data(server: HttpGateway, data: ImportData, name: str, content: bytes) -> BatchOperation:
    """A batch of the rows of a file, which the server reads."""
    fields = {field: str(value) for field, value in data.model_dump().items() if value is not None}
    form = {field: FormField(text.encode()) for field, text in fields.items()}
    return server.ask(adapters.import_file, {**form, adapters.FILE: FormField(content, name)})


def export(server: HttpGateway, what: str, selection: exporting.ExportRequest) -> exporting.ExportSheet:
    """The rows of an export, newest object first.

    Errors: Invalid for an unknown status, column or instant.
    """
    if selection.since:
        return _export_changes(server, what, selection, selection.since)
    row = exporting.EXPORTS[what]
    columns = exporting.select_columns(row, selection.exclude)
    filters = {"status": list(exporting.choose_statuses(row, selection.statuses))}
    rows = exporting.write_rows(row, columns, server.each(row.kind, ListFilter(filters)))
    return exporting.ExportSheet(list(columns.values()), rows, lambda: None)


def _export_changes(
    server: HttpGateway, what: str, selection: exporting.ExportRequest, since: str
) -> exporting.ExportSheet:
    """What changed there; how far a named export came is kept in the store of this machine."""
    named, source = since.startswith("@"), f"{what} {server.url}"
    instant = read_cursor(server.own(), source, since[1:]) if named else since
    lists = {"status": ",".join(selection.statuses), "exclude": ",".join(selection.exclude)}
    answer = server.ask(exporting.export_rows, what, **lists, since=instant)

    def finish() -> None:
        if named:
            write_cursor(server.own(), source, since[1:], answer["until"])

    return exporting.ExportSheet(answer["headers"], iter(answer["rows"]), finish)


def refresh_trackers(server: HttpGateway, watched: Sequence[Tracker]) -> list[Tracker]:
    """The trackers as the carriers know them now: a number that is added again is asked about.

    The server does not ask twice within a minute, nor about what is delivered.
    """
    requests = (
        TrackingData(tracking_number=tracker.tracking_number, carrier_name=tracker.carrier_name)
        for tracker in watched
    )
    return [server.ask(trackers.add_tracker, request) for request in requests]


def make_version(use: Callable[..., Any]) -> Callable[..., Any]:
    """The operation of another function that takes and gives the same."""
    return lambda server, *arguments, **named: server.ask(use, *arguments, **named)


def leave_to_server(server: HttpGateway, *arguments: Any) -> list[Any]:
    """Nothing: a server settles what was interrupted there by itself."""
    return []


VERSIONS: Versions = {
    **STEPS,
    batches.import_data: import_data,
    ship.settle_interrupted: leave_to_server,
    accounts.list_all_services: list_all_services,
    catalog.get_carrier: get_carrier,
    catalog.get_options: get_options,
    catalog.get_presets: get_presets,
    catalog.get_reference: get_reference,
    catalog.list_references: list_references,
    connections.add_connection: add_connection,
    documents.generate_pdf: generate_pdf,
    documents.render_template: render_template,
    fulfilment.settle_first: leave_to_server,
    exporting.export: export,
    labels.get_label: files.get_label,
    labels.merge_labels: files.merge_labels,
    manifests.merge_forms: files.merge_forms,
    manifests.finish_interrupted: leave_to_server,
    orders.create_order: make_version(orders.create_plain_order),
    trackers.get_tracker: make_version(adapters.get_tracker),
    trackers.refresh: refresh_trackers,
    webhooks.try_webhook: try_webhook,
    row_handlers.open_rows: open_rows,
    whereabouts.track: track,
}
