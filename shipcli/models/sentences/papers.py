"""Templates, generated documents, and files for carriers."""

SENTENCES = {
    "slug": "Name for links and for commands: lower-case letters, digits and underscores; must be new.",
    "template": "The document as HTML with Jinja2 placeholders such as `{{ shipment.tracking_number }}`.",
    "DocumentTemplate.name": "What people call the template, up to 255 characters.",
    "DocumentTemplate.active": "False takes the template out of use; it stays stored.",
    "DocumentTemplate.description": "What the template is for, up to 255 characters.",
    "DocumentTemplate.options": "How it is made: `prefetch` holds small templates that are filled in first.",
    "DocumentTemplatePatch.name": "What people call the template, up to 255 characters.",
    "DocumentTemplatePatch.active": "False takes the template out of use; it stays stored.",
    "DocumentTemplatePatch.description": "What the template is for, up to 255 characters.",
    "DocumentTemplatePatch.options": (
        "How it is made: `prefetch` holds small templates that are filled in first."
    ),
    "related_object": (
        "What it is filled with: `shipment`, `order`, or `other` for just the `data` of the request."
    ),
    "template_id": "The stored template to fill, by its id; unknown is 404.",
    "DocumentData.template": "A template to fill without storing it; needed when `template_id` is not given.",
    "doc_format": "Format of the file; a generated one is always PDF, and the word is given back.",
    "doc_name": "Name of the file, with its ending.",
    "DocumentData.data": (
        "What to fill it with: `shipments` or `orders` with ids and commas, or values of your own."
    ),
    "DocumentData.options": "How to make this document, as the options of templates.",
    "GeneratedDocument.doc_file": "The document, base64 of a PDF.",
    "DocumentFileData.doc_file": "The file, base64, at most 5 MB when decoded.",
    "DocumentFileData.doc_format": (
        "Format of the file, such as pdf; by the ending of its name if you say nothing."
    ),
    "DocumentFileData.doc_type": (
        "What the paper is: commercial_invoice, pro_forma_invoice, certificate_of_origin, packing_list, "
        "other, or a carrier's own word."
    ),
    "DocumentUploadData.shipment_id": "The bought shipment that the files belong to, by its id.",
    "DocumentUploadData.document_files": "The files to send; at least one.",
    "DocumentUploadRecord.documents": "The files that the carrier took; those of later uploads are added.",
    "UploadedDocument.doc_id": (
        "The carrier's number of the file; give it in `options.doc_references` of a shipment."
    ),
    "UploadedDocument.file_name": "Name of the file, as it was sent.",
}
