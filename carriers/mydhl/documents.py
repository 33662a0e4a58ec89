"""Papers that are handed in after a purchase. Pure. Source: MyDHL API 3.1.1, upload-image."""

from __future__ import annotations

from datetime import date

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import decode_file
from shipcli.models import DocumentFile, DocumentUploadRequest, Invalid, UploadDetails, UploadedDocument

from .parts import CATALOGUE

OPTIONS = CATALOGUE.option_table("document_options")
USUAL_PRODUCT = "P"


def find_number(request: DocumentUploadRequest) -> str:
    """Errors: Invalid for papers of no shipment."""
    if not request.tracking_number:
        raise Invalid("tracking_number", "is missing: DHL takes papers of a shipment that is bought")
    return request.tracking_number


def write_upload(request: DocumentUploadRequest, account: str, today: date) -> Json:
    product = RequestOptions(OPTIONS, request.options).text("mydhl_product_code")
    return {
        "originalPlannedShippingDate": request.shipment_date or today.isoformat(),
        "accounts": [{"typeCode": "shipper", "number": account}],
        "productCode": product or USUAL_PRODUCT,
        "documentImages": [write_file(file) for file in request.document_files],
    }


def write_file(file: DocumentFile) -> Json:
    """Errors: Invalid for a file that is no base64 text."""
    if not decode_file(file.doc_file):
        raise Invalid("document_files", f"{file.doc_name} is no file in base64")
    return {
        "typeCode": find_type(file.doc_type),
        "imageFormat": (file.doc_format or "PDF").upper(),
        "content": file.doc_file,
    }


def find_type(name: str | None) -> str:
    """The code of a kind of papers; a code of DHL's own is taken as it is."""
    types = CATALOGUE.table("document_types")
    return str(types.get(name or "", name if name in types.values() else "CIN"))


def read_upload(request: DocumentUploadRequest, number: str) -> UploadDetails:
    """The answer says nothing: what was handed in is found under the number of the shipment."""
    names = [file.doc_name or "document" for file in request.document_files]
    return UploadDetails(documents=[UploadedDocument(doc_id=number, file_name=name) for name in names])
