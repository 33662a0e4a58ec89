"""Trade documents, handed over before or after the shipment is bought."""

from __future__ import annotations

from datetime import date

from shipcli.carrier import Call, Flow, MultipartPart, RequestOptions, ask_strictly
from shipcli.carrier.fields import read_model
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.label_files import decode_file
from shipcli.models import DocumentFile, DocumentUploadRequest, Invalid
from shipcli.models import json as plain_json

from .parts import CATALOGUE, Consignment

OPTIONS = CATALOGUE.option_table("document_options")
BEFORE, AFTER = "ETDPreshipment", "ETDPostshipment"
USUAL = "commercial_invoice"
HOST, PATH = "documents", "/documents/v1/etds/upload"


def write_documents(request: DocumentUploadRequest, day: date) -> list[Call]:
    """A call for each document. One that belongs to no number yet is uploaded ahead of its shipment."""
    options = RequestOptions(OPTIONS, request.options)
    ahead = options.flag("pre_shipment") or not request.tracking_number
    facts = {
        "trackingNumber": None if ahead else request.tracking_number,
        "shipmentDate": f"{request.shipment_date or day.isoformat()}T00:00:00",
        "originCountryCode": options.text("origin_country_code"),
        "destinationCountryCode": options.text("destination_country_code"),
    }
    head = {
        "workflowName": BEFORE if ahead else AFTER,
        "carrierCode": options.text("fedex_carrier_code"),
    }
    return [write_upload(file, head, facts) for file in request.document_files]


def write_upload(file: DocumentFile, head: Json, facts: Json) -> Call:
    """Uploading twice leaves one paper too many, and nothing else.

    Errors: Invalid for a file that is no base64 text.
    """
    content = decode_file(file.doc_file)
    if not content:
        raise Invalid("document_files", f"{file.doc_name} is no file in base64")
    media = media_type(file)
    facts = {"shipDocumentType": document_type(file.doc_type), **facts}
    document = drop_empty({**head, "name": file.doc_name, "contentType": media, "meta": facts})
    parts = [
        MultipartPart("document", plain_json.dumps(document)),
        MultipartPart("attachment", content, file.doc_name, media),
    ]
    return Call("POST", PATH, parts=parts, host=HOST, repeatable=True, about={"document": file.doc_name})


def document_type(name: str | None) -> str:
    return str(CATALOGUE.table("document_types").get(name or "other", "OTHER"))


def media_type(file: DocumentFile) -> str:
    """What kind of file it is: said as such, or by a short name, or by the end of its name."""
    named = (file.doc_format or file.doc_name.rpartition(".")[2]).lower()
    media_types = CATALOGUE.table("media_types")
    return named if "/" in named else str(media_types.get(named, media_types["pdf"]))


def read_document(body: Json) -> str | None:
    """The number of a document."""
    number = get_path(body, "output/meta/docId")
    return str(number) if number else None


def _read_file(entry: Json) -> DocumentFile:
    """Errors: Invalid naming the member of the option that is wrong."""
    return read_model(
        DocumentFile, {"doc_name": "invoice.pdf", "doc_type": USUAL, **entry}, "options.doc_files."
    )


def attach(consignment: Consignment) -> Flow[list[Json]]:
    """The trade documents of a paperless shipment: named by their numbers, or uploaded now.

    Errors: CarrierError when one is refused; nothing is bought then.
    """
    options, request = consignment.options, consignment.request
    if not options.flag("fedex_electronic_trade_documents"):
        return []
    references = options.objects("doc_references", "doc_id")
    entries = options.objects("doc_files", "doc_file")
    files = [_read_file(entry) for entry in entries]
    places = {
        "origin_country_code": request.shipper.country_code,
        "destination_country_code": request.recipient.country_code,
    }
    upload = DocumentUploadRequest(document_files=files, options=places)
    replies = yield from ask_strictly(write_documents(upload, consignment.day))
    sent = [
        {"doc_id": read_document(reply.json), "doc_type": file.doc_type}
        for reply, file in zip(replies, files, strict=True)
    ]
    return [
        {"documentType": document_type(document.get("doc_type") or USUAL), "documentId": document["doc_id"]}
        for document in (*references, *sent)
    ]
