"""What assistants can read besides the answers of tools: labels as files, and the scenarios of a sandbox."""

from __future__ import annotations

import re
from typing import NamedTuple

from shipcli.assistants.calls import Send, call_operation
from shipcli.features.paper.labels import get_label
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.shipments.service import get_shipment
from shipcli.gateway.gateway import Gateway
from shipcli.gateway.where import make_where
from shipcli.models import NotFound, json
from shipcli.operations.control_plane import SCENARIOS

LABEL_TEMPLATE = "shipcli://shipments/{id}/label.{format}"
SCENARIO_TABLE = "shipcli://sandbox/scenarios"
MEDIA = {"pdf": "application/pdf", "png": "image/png"}
NEWEST = 20
_LABEL = re.compile(r"shipcli://shipments/([A-Za-z0-9_]+)/label\.(pdf|png)")


class ResourceFile(NamedTuple):
    """A resource: where it is, what it is, and its content if it was read."""

    uri: str
    name: str
    media_type: str
    content: bytes = b""


def list_resources(gateway: Gateway) -> list[ResourceFile]:
    """The newest labels; in a sandbox the table of its scenarios as well."""
    where = make_where(SHIPMENTS, {"status": "purchased"})
    _, rows = gateway.page("shipment", where, NEWEST, 0)
    shipments = [json.loads(row) if isinstance(row, str) else row for row in rows]
    labels = [_describe(str(row["id"]), str(row.get("tracking_number") or row["id"])) for row in shipments]
    return [*labels, *_list_of_sandbox(gateway)]


def _describe(id: str, number: str) -> ResourceFile:
    uri = LABEL_TEMPLATE.format(id=id, format="pdf")
    return ResourceFile(uri, f"label {number}", MEDIA["pdf"])


def _list_of_sandbox(gateway: Gateway) -> list[ResourceFile]:
    if not gateway.is_sandbox:
        return []
    return [ResourceFile(SCENARIO_TABLE, "scenarios of the sandbox", "application/json")]


def read_resource(gateway: Gateway, send: Send, uri: str) -> ResourceFile:
    """The content of a resource.

    Errors: NotFound for another address, or a shipment without a label.
    """
    if uri == SCENARIO_TABLE and gateway.is_sandbox:
        table = call_operation(send, SCENARIOS[0], {})
        return ResourceFile(uri, "", "application/json", json.dump_bytes(table))
    match = _LABEL.fullmatch(uri)
    if match is None:
        raise NotFound("resource", message=f"There is no {uri}; a label is {LABEL_TEMPLATE}, as pdf or png")
    shipment = gateway.ask(get_shipment, match[1])
    label = gateway.ask(get_label, shipment, match[2].upper())
    return ResourceFile(uri, "", MEDIA[match[2]], label.content)
