"""Trackers and their events."""

SENTENCES = {
    "tracking_number": "The carrier's number on the label; spaces are dropped.",
    "info": "What you or the carrier know about the parcel besides its events.",
    "TrackingData.carrier_name": (
        "The carrier of the number, by its slug; those that can be tracked are listed here."
    ),
    "TrackingData.account_number": "Your account with the carrier, for carriers that show more to its owner.",
    "TrackingData.reference": "Your own number, for carriers that find parcels by it.",
    "TrackerFields.status": (
        "Where the parcel is, in the same words for all carriers; `unknown` before the first scan."
    ),
    "TrackerFields.delivered": "True once it has been handed over.",
    "TrackerFields.estimated_delivery": (
        "Day of delivery by the carrier's estimate, YYYY-MM-DD; null if it gives none."
    ),
    "TrackerFields.events": "The scans, the newest first.",
    "Tracker.delivery_image_url": "Path of the photo of the delivery on this server; null if there is none.",
    "Tracker.signature_image_url": (
        "Path of the picture of the signature on this server; null if there is none."
    ),
    "TrackerDetails.images": "Proofs of delivery in the answer itself, as nothing is stored.",
    "Images.delivery_image": "Photo of the delivery, base64; null if the carrier has none.",
    "Images.signature_image": "Picture of the signature, base64; null if the carrier has none.",
    "TrackingEvent.date": "Day of the scan where it happened, YYYY-MM-DD.",
    "TrackingEvent.time": "Time of the scan where it happened, HH:MM; null if the carrier does not say.",
    "TrackingEvent.code": "The carrier's own code of the event.",
    "TrackingEvent.description": "What happened, in the carrier's words.",
    "TrackingEvent.location": "Where it happened, as the carrier writes it; left out if it does not say.",
    "TrackingEvent.latitude": "Degrees north of the place; null if the carrier does not say.",
    "TrackingEvent.longitude": "Degrees east of the place; null if the carrier does not say.",
    "TrackingInfo.carrier_tracking_link": "The carrier's own page about the parcel.",
    "TrackingInfo.customer_name": "Who gets the parcel, as you want to read it.",
    "TrackingInfo.expected_delivery": "The day that you promised or the carrier expects.",
    "TrackingInfo.note": "Your remark on the parcel.",
    "TrackingInfo.order_date": "Day of the order that the parcel belongs to.",
    "TrackingInfo.order_id": "Number of the order that the parcel belongs to.",
    "TrackingInfo.package_weight": "Weight as the carrier measured it, as text, in `package_weight_unit`.",
    "TrackingInfo.package_weight_unit": "Unit of `package_weight`, such as LB.",
    "TrackingInfo.shipment_package_count": "How many pieces the shipment has, as text.",
    "TrackingInfo.shipment_pickup_date": "Day on which the carrier collected it.",
    "TrackingInfo.shipment_delivery_date": "Day on which it was delivered.",
    "TrackingInfo.shipment_service": "Service by which it travels, in the carrier's words.",
    "TrackingInfo.shipment_origin_country": "Country that it comes from, by two letters.",
    "TrackingInfo.shipment_origin_postal_code": "Postal code that it comes from.",
    "TrackingInfo.shipment_destination_country": "Country that it goes to, by two letters.",
    "TrackingInfo.shipment_destination_postal_code": "Postal code that it goes to.",
    "TrackingInfo.shipping_date": "Day on which it was handed to the carrier.",
    "TrackingInfo.signed_by": "Who signed for it; null before delivery or without signature.",
    "TrackingInfo.source": "Where the tracker comes from, such as `api` or a shop.",
    "TrackingResponse.tracking": "What the carrier knows of the number; left out if it knows nothing.",
}
