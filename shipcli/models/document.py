"""Document templates, generated documents and files uploaded to carriers."""

import base64
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from shipcli.models.base import (
    NO_ITEMS,
    NO_KEYS,
    ListOrNull,
    Model,
    Object,
    OmittedIfNone,
    Record,
    make_field_error,
)
from shipcli.models.basics.enums import RelatedObject
from shipcli.models.message import Message
from shipcli.models.parts.address import Text50

LARGEST_FILE = 5_242_880  # bytes, decoded


def _check_slug(value: str) -> str:
    if not value or not value.isascii() or not all(c.islower() or c.isdigit() or c == "_" for c in value):
        raise ValueError("must hold lower-case letters, digits and underscores only")
    return value


def _check_base64(value: str) -> str:
    compact = "".join(value.split())
    try:
        size = len(base64.b64decode(compact, validate=True))
    except ValueError:
        raise ValueError("must be base64 text") from None
    if not 0 < size <= LARGEST_FILE:
        raise ValueError("must be a file of 1 byte to 5 MiB" if size else "must not be an empty file")
    return compact


Text255 = Annotated[str, Field(max_length=255)]
Slug = Annotated[str, Field(max_length=255), AfterValidator(_check_slug)]
FileText = Annotated[str, AfterValidator(_check_base64)]


class DocumentTemplate(Record):
    """A template as stored."""

    object_type: str = "document-template"
    name: str
    slug: str
    template: str
    active: bool = True
    description: str | None = None
    related_object: str = "other"
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class DocumentTemplatePatch(Model):
    """Body that changes a template; `given()` tells which fields."""

    name: Text255 = ""
    slug: Slug = ""
    template: str = ""
    active: bool = True
    description: Text255 | None = None
    related_object: RelatedObject = "other"
    options: Object = NO_KEYS
    metadata: Object = NO_KEYS


class DocumentTemplateData(DocumentTemplatePatch):
    """Body that makes a template."""

    name: Text255
    slug: Slug
    template: str


class DocumentData(Model):
    """Body that generates a document, from a stored template or from a text."""

    template_id: str | None = None
    template: str | None = None
    doc_format: str | None = None
    doc_name: str | None = None
    data: Object = NO_KEYS
    options: Object = NO_KEYS

    @model_validator(mode="after")
    def _require_template(self) -> Self:
        if not self.template and not self.template_id:
            raise make_field_error("template", "is required when template_id is not given")
        return self


class GeneratedDocument(Model):
    """A document as base64 text; keys the caller did not send are left out."""

    template_id: OmittedIfNone[str] = None
    doc_format: OmittedIfNone[str] = None
    doc_name: OmittedIfNone[str] = None
    doc_file: str


class DocumentFileData(Model):
    """One file to send to a carrier."""

    doc_file: FileText = Field(repr=False)
    doc_name: str
    doc_format: str | None = None
    doc_type: Text50 | None = "other"


class DocumentUploadData(Model):
    """Body that sends files for a bought shipment to its carrier."""

    shipment_id: str
    document_files: Annotated[list[DocumentFileData], Field(min_length=1)]
    reference: Text50 | None = None


class UploadedDocument(Model):
    """A file as the carrier knows it."""

    doc_id: OmittedIfNone[str] = None
    file_name: OmittedIfNone[str] = None


class DocumentUploadRecord(Record):
    """The files of a shipment that a carrier took."""

    object_type: str = "document-upload-record"
    carrier_name: str | None = None
    carrier_id: str | None = None
    documents: ListOrNull[UploadedDocument] = NO_ITEMS
    reference: str | None = None
    messages: ListOrNull[Message] = NO_ITEMS
    meta: dict[str, Any] | None = None
