"""Trade documents, handed over after the purchase. Pure."""

from __future__ import annotations

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, every, find
from shipcli.models import DocumentUploadRequest, UploadDetails, UploadedDocument

from .parts import CATALOGUE

OPTIONS = CATALOGUE.option_table("document_options")
PLACES = ("origin_country_code", "origin_postal_code", "destination_country_code", "destination_postal_code")


def write_documents(request: DocumentUploadRequest) -> Json:
    options, types = RequestOptions(OPTIONS, request.options), CATALOGUE.table("document_types")
    return {
        "ProcessingOptions": {"PostShipmentUploadDetail": {"TrackingNumber": request.tracking_number}},
        **{OPTIONS.code(name): options.text(name) for name in PLACES},
        "Documents": [
            {
                "LineNumber": at,
                "CustomerReference": request.reference,
                "DocumentProducer": options.text("fedex_document_producer") or "CUSTOMER",
                "DocumentType": types.get(file.doc_type or "other", "OTHER"),
                "FileName": file.doc_name,
                "DocumentContent": file.doc_file,
                "ExpirationDate": options.text("fedex_expiration_date"),
            }
            for at, file in enumerate(request.document_files, 1)
        ],
    }


def read_documents(reply: Element) -> UploadDetails:
    """The documents that were taken."""
    taken = [
        UploadedDocument(doc_id=find(status, "DocumentId"), file_name=find(status, "FileName"))
        for status in every(reply, "DocumentStatuses")
        if find(status, "DocumentId")
    ]
    return UploadDetails(documents=taken)
