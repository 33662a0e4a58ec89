"""Papers handed over before a shipment needs them (paperless documents). Pure."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.models import DocumentFile, DocumentUploadRequest, UploadDetails, UploadedDocument

from .parts import CATALOGUE


def write_documents(shipper_number: str | None, request: DocumentUploadRequest) -> Json:
    body = {
        "Request": {"TransactionReference": {"CustomerContext": "document upload"}},
        "ShipperNumber": shipper_number,
        "UserCreatedForm": [_document(file) for file in request.document_files],
    }
    return {"UploadRequest": drop_empty(body)}


def _document(file: DocumentFile) -> Json:
    types = CATALOGUE.table("document_types")
    extension = file.doc_name.rpartition(".")[2] if "." in file.doc_name else "pdf"
    return {
        "UserCreatedFormFileName": file.doc_name,
        "UserCreatedFormFileFormat": (file.doc_format or extension).lower(),
        "UserCreatedFormDocumentType": types.get(file.doc_type or "other", types["other"]),
        "UserCreatedFormFile": file.doc_file,
    }


def read_documents(body: Json) -> UploadDetails:
    """Shapes: one history with one or many numbers, or a history per document. UPS keeps no file name."""
    numbers = [
        str(number)
        for history in as_list(get_path(body, "UploadResponse/FormsHistoryDocumentID"))
        for number in as_list(history.get("DocumentID"))
    ]
    return UploadDetails(documents=[UploadedDocument(doc_id=number, file_name=number) for number in numbers])
