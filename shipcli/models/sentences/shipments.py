"""Rates, shipments and purchases."""

_OPTIONS = (
    "Shipping options by name. `shipment_date` is deprecated: give `shipping_date`. Common ones: `insurance` "
    "and `declared_value` are amounts, `signature_confirmation` and `saturday_delivery` true or false; "
    "`/v1/references` lists those of each carrier."
)

SENTENCES = {
    "shipper": 'Where the shipment starts: an address, or the id of a stored one as `{"id": "adr_..."}`.',
    "recipient": 'Where the shipment goes: an address, or the id of a stored one as `{"id": "adr_..."}`.',
    "return_address": "Where undeliverable parcels go back to; null for that of the shipper.",
    "ShipmentFields.billing_address": "Address of whoever pays the carrier, if it is not the shipper.",
    "ShippingData.billing_address": "Address of whoever pays the carrier, if it is not the shipper.",
    "parcels": (
        'The pieces of the shipment, at least one; a stored one may be given as `{"id": "pcl_..."}`.'
    ),
    "payment": "Who pays the carrier; the sender, if you say nothing.",
    "customs": "The declaration for customs; needed when goods cross a border.",
    "label_type": "Format of the label: PDF, PNG for screens, or ZPL for label printers.",
    "selected_rate_id": (
        "The rate to buy, by its id among `rates`; an unknown one is 400 `service_unavailable`."
    ),
    "service": (
        "The service, such as `ups_ground`, by the names of `GET /v1/carriers/{carrier_name}/services`."
    ),
    "ShipmentFields.service": "The service that was bought; null while the shipment is a draft.",
    "ShipmentFields.status": (
        "How far the shipment is: it is a `draft` until its label is bought; `needs_attention` asks for a "
        "person, because a purchase or a void may have failed."
    ),
    "ShipmentFields.carrier_name": "The carrier that sold the label, by its slug; null while it is a draft.",
    "ShipmentFields.carrier_id": (
        "The connection through which the label was bought; null while it is a draft."
    ),
    "ShipmentFields.tracking_number": (
        "The number by which the recipient follows the parcel; null until the label is bought."
    ),
    "ShipmentFields.shipment_identifier": "The carrier's own number of the purchase, by which it is voided.",
    "ShipmentFields.tracking_url": (
        "Path of this server that shows where the parcel is; null until there is a tracker."
    ),
    "ShipmentFields.tracker_id": "The tracker that was made with the purchase, by its id.",
    "ShipmentFields.rates": (
        "What the carriers offered, the cheapest first; empty after a change that makes them wrong."
    ),
    "ShipmentFields.selected_rate": "The rate that was bought; null while it is a draft.",
    "ShipmentFields.selected_rate_id": "Id of the rate that was bought; null while it is a draft.",
    "ShipmentFields.services": "The services to which rating was limited; empty if it was not.",
    "ShipmentFields.carrier_ids": "The connections to which rating was limited; empty if it was not.",
    "Shipment.label_url": "Path of the label's file on this server; null until it is bought.",
    "Shipment.invoice_url": "Path of the commercial invoice on this server; null if there is none.",
    "ShipmentFields.options": _OPTIONS,
    "ShippingData.options": _OPTIONS,
    "RateRequestData.options": _OPTIONS,
    "ShippingResponse.docs": (
        "The label, and the invoice if there is one, in the answer itself: nothing is stored."
    ),
    "Documents.label": "The label, base64 of a file in the format of `label_type`.",
    "Documents.invoice": "The commercial invoice, base64 of a PDF; null if there is none.",
    "ShipmentData.service": (
        "Buys at once: the service to buy, which must be among the rates; without it a draft is stored."
    ),
    "ShippingRequestData.rates": (
        "The rates as `POST /v1/proxy/rates` answered them, with the one to buy among them."
    ),
    "ShipmentDataReference.id": (
        "A stored draft to buy instead of making a new one; unknown ids are refused with their row."
    ),
    "ShipmentCancelData.shipment_identifier": (
        "The carrier's own number of the purchase, as `shipment_identifier` of the shipment."
    ),
    "ShipmentCancelData.service": "The service that was bought; some carriers ask for it.",
    "ShipmentCancelData.options": "What a carrier needs to know to void it, by name; mostly empty.",
    "ShipmentUpdateData.options": (
        "Shipping options to add or to replace; null removes one. Those not named stay."
    ),
    "ShipmentRateData.options": "Shipping options to add before rates are fetched again; null removes one.",
    "RateResponse.rates": "What the carriers offer, the cheapest first.",
    "Rate.id": "Identifies the rate in a purchase; a new one with each rating.",
    "Rate.service": "The offered service by its name; buy it by the id of the rate.",
    "Rate.total_charge": "Price with all surcharges and taxes that the carrier tells, in `currency`.",
    "Rate.transit_days": "Working days until delivery; null if the carrier does not say.",
    "Rate.estimated_delivery": (
        "Day of delivery by the carrier's estimate, YYYY-MM-DD; null if it gives none."
    ),
    "Rate.extra_charges": "The parts of the price; for information, as the total holds them.",
    "OperationStatus.operation": "What was done, in words.",
    "OperationStatus.success": "Whether it was done; for a webhook test, whether the receiver answered 2xx.",
    "OperationResponse.confirmation": "That the carrier did it; left out if it did not.",
}
