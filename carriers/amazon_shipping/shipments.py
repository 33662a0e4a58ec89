"""Labels: which of the documents on offer is bought, and what came of a purchase. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import convert_files, list_files
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Label, Message, Quote, ShipmentRequest

from .rates import Offer

LABEL, CUSTOMS_FORM = "LABEL", "CUSTOM_FORM"
RESOLUTION = 203  # dots per inch, of the usual printer of labels
# A purchase that Amazon can't make: of a price that it never gave.
NO_PRICE = {"requestToken": "0", "rateId": "0"}


def choose_kind(request: ShipmentRequest) -> str:
    """PDF, ZPL, or of a single label PNG."""
    requested = (request.label_type or "PDF").split("_")[0]
    kinds = ("PDF", "ZPL") if len(request.parcels) > 1 else ("PDF", "ZPL", "PNG")
    return requested if requested in kinds else "PDF"


def write_purchase(token: str, offer: Offer, kind: str) -> Json:
    body = {
        "requestToken": token,
        "rateId": offer.rate["rateId"],
        "requestedDocumentSpecification": choose_specification(offer.rate, kind),
    }
    extras = [{"id": extra["id"]} for extra in offer.extras]
    return {**body, **({"requestedValueAddedServices": extras} if extras else {})}


def write_look_up(kind: str) -> Json:
    """A purchase by which nothing is bought, so that the key of an earlier one is all that it says."""
    size = {"width": 4, "length": 6, "unit": "INCH"}
    paper = {"format": kind, "size": size, "needFileJoining": False, "requestedDocumentTypes": [LABEL]}
    return {**NO_PRICE, "requestedDocumentSpecification": paper}


def choose_specification(rate: Json, kind: str) -> Json:
    """The document in the format that is wanted, else in the first that the service has: it is converted.

    Source: PurchaseShipmentRequest: the purchase fails unless it is among those that came with the price.
    """
    rows = as_list(rate.get("supportedDocumentSpecifications"))
    row = next((row for row in rows if row["format"] == kind), rows[0])
    paper = row["printOptions"][0]
    resolutions, joins = as_list(paper.get("supportedDPIs")), paper["supportedFileJoiningOptions"]
    details = paper["supportedDocumentDetails"]
    body = {
        "format": row["format"],
        "size": row["size"],
        "dpi": RESOLUTION if RESOLUTION in resolutions else next(iter(resolutions), None),
        "pageLayout": next(iter(paper["supportedPageLayouts"]), None),
        "requestedDocumentTypes": [detail["name"] for detail in details if is_wanted(detail)],
    }
    return {**drop_empty(body), "needFileJoining": False not in joins}


def is_wanted(detail: Json) -> bool:
    return bool(detail.get("isMandatory")) or detail["name"] in (LABEL, CUSTOMS_FORM)


# -- answers ---------------------------------------------------------------------------------------


def read_label(sold: Json, kind: str, quote: Quote | None = None) -> Label:
    """A bought shipment with the documents that came with it.

    Shapes: `tracker_id` is the carrier that moves it, without which Amazon tracks nothing.
    """
    rows = as_list(sold["packageDocumentDetails"])
    numbers = [str(row["trackingId"]) for row in rows if row.get("trackingId")] or [str(sold["shipmentId"])]
    behind = (quote.meta or {}).get("carrier_id") if quote else None
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=str(sold["shipmentId"]),
        label_type=kind,
        docs=read_documents(rows, kind),
        selected_rate=quote,
        meta={
            **({"tracker_id": behind} if behind else {}),
            **({"tracking_numbers": numbers} if len(numbers) > 1 else {}),
        },
    )


def read_documents(rows: Sequence[Json], kind: str) -> dict[str, str]:
    """The label of all packages, none where one is missing, and their papers for customs."""
    labels = list_files(find_document(row, LABEL) for row in rows)
    papers = [file for row in rows if (file := find_document(row, CUSTOMS_FORM))]
    return {
        **({"label": convert_files(labels, kind)} if labels else {}),
        **({"invoice": convert_files(papers, "PDF")} if papers else {}),
    }


def find_document(row: Json, name: str) -> str | None:
    files = read_each(
        as_list(row.get("packageDocuments")),
        lambda document: document["contents"] if document["type"] == name else None,
    )
    return str(files[0]) if files else None


def says_known_key(messages: Sequence[Message]) -> bool:
    """Whether a refusal says that there was a purchase by the same key."""
    return any("idempoten" in f"{message.code} {message.message}".lower() for message in messages)
