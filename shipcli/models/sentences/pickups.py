"""Pickups and manifests."""

SENTENCES = {
    "confirmation_number": "The carrier's number of the pickup, which it asks for on the phone.",
    "pickup_date": "Day of the collection, YYYY-MM-DD, not in the past.",
    "ready_time": "From when the parcels are ready, HH:MM at the place.",
    "closing_time": "Until when somebody is there, HH:MM at the place, after `ready_time`.",
    "instruction": "A word to the driver, up to 50 characters, such as which bell to ring.",
    "package_location": "Where the parcels lie, up to 50 characters, such as `front desk`.",
    "Pickup.pickup_charge": "What the carrier takes for it; null if nothing or unknown.",
    "Pickup.address": "Where the parcels are collected.",
    "Pickup.parcels": "The pieces to collect.",
    "PickupSchedule.options": "What a carrier needs to know for a pickup, by name.",
    "PickupUpdateData.options": "What a carrier needs to know for a pickup; those not named stay.",
    "PickupData.address": "Where the parcels are collected; null for the shipper of the shipments.",
    "PickupData.tracking_numbers": "The bought shipments to collect, by tracking number; at least one.",
    "PickupUpdateData.address": (
        "Parts of the address to change, or the id of a stored one that takes its place."
    ),
    "PickupUpdateData.tracking_numbers": (
        "The shipments to collect from now on, by tracking number; empty to leave them."
    ),
    "PickupUpdateData.confirmation_number": (
        "The carrier's number of the pickup; that of the stored one if you leave it out."
    ),
    "PickupRequestData.address": "Where the parcels are collected.",
    "PickupRequestData.parcels": "The pieces to collect; at least one.",
    "reason": "Why it is cancelled; carriers that ask get it.",
    "PickupCancelRequestData.address": (
        "Where the parcels would have been collected; some carriers ask for it."
    ),
    "PickupCancelRequestData.pickup_date": "Day of the collection, YYYY-MM-DD; some carriers ask for it.",
    "PickupResponse.pickup": "The pickup that the carrier confirmed; left out if it did not.",
    "shipment_identifiers": "The shipments, by the carrier's own numbers.",
    "Manifest.address": "Where the parcels are handed over.",
    "Manifest.options": "What was said about the manifest to the carrier, by name.",
    "Manifest.manifest_url": "Path of the form to print on this server; null if the carrier gave none.",
    "ManifestForm.carrier_name": "The carrier that collects, by its slug; it takes its own labels only.",
    "ManifestForm.address": "Where the parcels are handed over: an address, or the id of a stored one.",
    "ManifestForm.options": "What a carrier needs to know for a manifest, by name.",
    "ManifestForm.reference": "Your own number of the manifest.",
    "ManifestData.shipment_ids": (
        "The bought shipments, by id; those on a manifest already are left out with a message."
    ),
    "ManifestData.shipment_identifiers": "May be given in place of `shipment_ids`.",
    "ManifestRequestData.shipment_identifiers": (
        "The labels by the carrier's own numbers, as buying them answered."
    ),
    "ProxyManifest.doc": "The form itself, as nothing is stored.",
    "ManifestDocument.manifest": "The form to print, base64 of a PDF.",
    "ManifestResponse.manifest": "The manifest that the carrier made; left out if it made none.",
}
