"""Orders, batches and imports."""

SENTENCES = {
    "order_id": "The order's number in your shop; with `source` it must be new, otherwise 409.",
    "order_date": "Day of the order, YYYY-MM-DD.",
    "source": "Where the order comes from, such as the name of a shop; API if you say nothing.",
    "shipping_to": "Where the order goes: an address, or the id of a stored one.",
    "shipping_from": "Where the order leaves from; null for your usual sender.",
    "line_items": "What was ordered, one entry for each article; at least one.",
    "Order.status": (
        "How far the order is: `unfulfilled`, `partial` once some pieces are shipped, then `fulfilled` "
        "and `delivered`."
    ),
    "Order.shipments": "The shipments that hold pieces of the order, the newest first.",
    "Order.billing_address": "Who is billed for the order; it is not sent to carriers.",
    "OrderData.billing_address": "Who is billed for the order; it is not sent to carriers.",
    "Order.options": (
        "Wishes that a shipment of the order takes over, such as `preferred_service` or "
        "`signature_confirmation`."
    ),
    "OrderData.options": (
        "Wishes that a shipment of the order takes over, such as `preferred_service` or "
        "`signature_confirmation`."
    ),
    "OrderUpdateData.options": "Wishes to add or to replace; null removes one, those not named stay.",
    "BatchShipmentData.shipments": (
        "The shipments to store, and to buy where a row has `service` or `options.preferred_service`."
    ),
    "BatchOrderData.orders": "The orders to store; one with a known number and source is kept as it is.",
    "BatchTrackerData.trackers": (
        "The numbers to track; a number that is tracked already is not stored twice."
    ),
    "BatchResource.id": "The object that was made of the row; left out if there is none.",
    "BatchResource.status": "How far this row is; `failed` has `errors`.",
    "BatchResource.errors": "Why the row failed; null if it did not.",
    "BatchOperation.status": (
        "How far the batch is: `completed_with_errors` if only some rows failed, `failed` if all did."
    ),
    "BatchOperation.resource_type": "What the rows are: orders, shipments, trackers or billing.",
    "BatchOperation.resources": "One entry for each row, in the order of the file or body.",
    "import.resource_type": "What the rows of the file are: order, shipment, trackers or billing.",
    "import.data_template": (
        "Slug of a stored data template, for files with other headings than the usual ones."
    ),
    "import.data_file": "The file: CSV, XLS or XLSX, told apart by content.",
}
