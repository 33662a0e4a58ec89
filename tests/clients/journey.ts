// From an address to a webhook with the generated TypeScript client; what it was told is printed as JSON.
// Usage: node journey.js URL API_KEY RECEIVER_URL

import * as shipping from "./client";

const shipper: shipping.AddressData = {
    personName: "Dock Two",
    addressLine1: "2600 Benjamin Franklin Pkwy",
    city: "Philadelphia",
    stateCode: "PA",
    postalCode: "19130",
    countryCode: "US",
    phoneNumber: "+1 215-763-8100",
};
const recipient: shipping.AddressData = {
    personName: "Ana Ruiz",
    addressLine1: "1625 N Central Ave",
    city: "Phoenix",
    stateCode: "AZ",
    postalCode: "85004",
    countryCode: "US",
    phoneNumber: "+1 602-262-7902",
};
const parcel: shipping.ParcelData = {
    weight: 5,
    weightUnit: "LB",
    width: 12,
    height: 8,
    length: 16,
    dimensionUnit: "IN",
};

/** A value that a created object always has. */
function given<T>(value: T | null | undefined): T {
    if (value === null || value === undefined) throw new Error("a value is missing");
    return value;
}

/** What every step answered. */
async function journey(configuration: shipping.Configuration, receiver: string) {
    const shipments = new shipping.ShipmentsApi(configuration);
    const files = new shipping.FilesApi(configuration);
    const trackers = new shipping.TrackersApi(configuration);
    const webhooks = new shipping.WebhooksApi(configuration);

    const address = await new shipping.AddressesApi(configuration).create({ addressData: recipient });
    const draft = await shipments.create({
        shipmentData: { shipper, recipient, parcels: [parcel], carrierIds: ["ups"], reference: "J-1" },
    });
    const bought = await shipments.purchase({
        id: given(draft.id),
        shipmentPurchaseData: { selectedRateId: given(draft.rates?.[0]?.id), labelType: "PDF" },
    });
    const label = await files.downloadLabel({ id: given(bought.id), format: "pdf" });
    const number = given(bought.trackingNumber);
    const tracker = await trackers.retrieve({ idOrTrackingNumber: number });
    const found = await trackers.list({ trackingNumber: number });
    const webhook = await webhooks.create({
        webhookData: { url: receiver, enabledEvents: ["shipment_cancelled"], description: "Journey" },
    });
    const trial = await webhooks.test({
        id: given(webhook.id),
        webhookTestRequest: { payload: { order: 1042 } },
    });
    const voided = await shipments.cancel({ id: given(bought.id) });
    return {
        address: shipping.AddressToJSON(address),
        draft: shipping.ShipmentToJSON(draft),
        bought: shipping.ShipmentToJSON(bought),
        label: Buffer.from(await label.arrayBuffer()).toString("base64"),
        tracker: shipping.TrackingStatusToJSON(tracker),
        found: shipping.TrackerListToJSON(found),
        webhook: shipping.WebhookToJSON(webhook),
        trial: shipping.OperationToJSON(trial),
        voided: shipping.ShipmentToJSON(voided),
        missing: await missing(shipments),
    };
}

/** How the client tells that a shipment is not there. */
async function missing(shipments: shipping.ShipmentsApi) {
    try {
        await shipments.retrieve({ id: "shp_none" });
    } catch (refusal) {
        if (!(refusal instanceof shipping.ResponseError)) throw refusal;
        return { status: refusal.response.status, ...(await refusal.response.json()) };
    }
    throw new Error("a shipment that is not there was found");
}

const [url, key, receiver] = process.argv.slice(2);
const configuration = new shipping.Configuration({ basePath: given(url), apiKey: `Token ${given(key)}` });
journey(configuration, given(receiver)).then((told) => console.log(JSON.stringify(told)));
