"""Files sent to carriers for bought shipments: one record per shipment, to which every upload adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.core.shipment_lookup import find_connection_id
from shipcli.models import (
    Address,
    Conflict,
    DocumentFileData,
    DocumentUploadData,
    DocumentUploadRecord,
    DocumentUploadRequest,
    Invalid,
    Message,
    NoConnection,
    NotFound,
    ShipcliError,
    Shipment,
    UploadDetails,
)
from shipcli.models.requests import DocumentFile

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

KIND, FAILURE, PAPERLESS = "upload", "failure", "paperless"
UPLOADABLE = ("purchased", "shipped", "in_transit")


class NoPaperless(ShipcliError):
    """The carrier of the shipment takes no documents."""

    code = FAILURE
    exit_code: ClassVar[int] = 7
    status = 406


def upload(app: App, data: DocumentUploadData) -> DocumentUploadRecord:
    """Send files to the carrier of a shipment, and return the record of all it has.

    Errors: Invalid for a file without a name, and, with code failure, if there is no such shipment or it has
            no label; Conflict in another status; NoPaperless; Refused; OutcomeUnknown.
    """
    check_names(data.document_files)
    shipment = get_uploadable(app, data.shipment_id)
    account = find_paperless_account(app, shipment)
    request = DocumentUploadRequest(
        document_files=[DocumentFile.model_validate(file.model_dump()) for file in data.document_files],
        tracking_number=shipment.tracking_number,
        shipment_date=str(shipment.options.get("shipping_date") or shipment.created_at)[:10],
        reference=data.reference,
        options={
            **make_lane_options("origin", shipment.shipper),
            **make_lane_options("destination", shipment.recipient),
            **shipment.options,
        },
    )
    details, messages = ask_carrier(app, account, "upload_document", request, object_id=shipment.id)
    with app.store.transaction() as tx:
        record = add_files(app, tx, shipment, account, details, messages, data.reference)
        tx.put(KIND, record.model_dump(), extra={"shipment_id": shipment.id})
    return record


def check_names(files: Sequence[DocumentFileData]) -> None:
    """Errors: Invalid for files without a name: carriers call each by it."""
    blank = [number for number, file in enumerate(files) if not file.doc_name.strip()]
    if blank:
        raise Invalid.many([(f"document_files[{number}].doc_name", "must not be empty") for number in blank])


def make_lane_options(end: str, address: Address) -> dict[str, Any]:
    """Return country and postal code of one end of a shipment, which carriers want with its documents."""
    details = {"country_code": address.country_code, "postal_code": address.postal_code}
    return {f"{end}_{name}": value for name, value in details.items() if value}


def get_uploadable(app: App, shipment_id: str) -> Shipment:
    """Return a shipment that documents can be sent for.

    Errors: Invalid, code failure, if there is none or it has no label; Conflict in another status.
    """
    document = app.store.get("shipment", shipment_id, app.test_mode)
    if document is None:
        raise Invalid("shipment_id", f"There is no shipment {shipment_id}", FAILURE)
    shipment = Shipment.model_validate(document)
    if not shipment.tracking_number:
        raise Invalid("shipment_id", "The shipment has no label: buy it first", FAILURE)
    if shipment.status not in UPLOADABLE:
        raise Conflict(f"The shipment is {shipment.status}: its carrier takes no more documents", FAILURE)
    return shipment


def find_paperless_account(app: App, shipment: Shipment) -> Account:
    """Return the account a shipment was bought with.

    Errors: NoConnection if it no longer exists; NoPaperless if its carrier takes no documents.
    """
    names = (find_connection_id(shipment), shipment.carrier_id)
    try:
        account = accounts.find_named_account(app, *names, PAPERLESS, shipment.carrier_name)
    except NoConnection:
        accounts.find_named_account(app, *names, "shipping", shipment.carrier_name)
        raise NoPaperless(f"{shipment.carrier_name} takes no documents") from None
    if not account.kind.can("upload_document"):
        text = f"{shipment.carrier_name} takes documents with the purchase only, as options.doc_files"
        raise NoPaperless(text)
    return account


def add_files(
    app: App,
    tx: Transaction,
    shipment: Shipment,
    account: Account,
    details: UploadDetails,
    messages: Sequence[Message],
    reference: str | None,
) -> DocumentUploadRecord:
    """Return the record of a shipment with the files of one more upload."""
    record = find_record(tx, shipment.id) or DocumentUploadRecord(id=app.new_id("uprec_"))
    return record.model_copy(
        update={
            "carrier_name": account.slug,
            "carrier_id": account.carrier_id,
            "documents": [*record.documents, *details.documents],
            "reference": reference or record.reference,
            "messages": list(messages),
            "meta": {**(record.meta or {}), **details.meta},
        }
    )


def find_record(reader: Reader, shipment_id: str) -> DocumentUploadRecord | None:
    """Return the record of the files that a carrier has accepted for a shipment."""
    rows = reader.select("uploads", {"shipment_id": shipment_id})
    document = reader.get(KIND, rows[0]["id"]) if rows else None
    return DocumentUploadRecord.model_validate(document) if document else None


def get_upload(app: App, record_id: str) -> DocumentUploadRecord:
    """Errors: NotFound."""
    document = app.store.get(KIND, record_id)
    if document is None:
        raise NotFound("upload", record_id)
    return DocumentUploadRecord.model_validate(document)
