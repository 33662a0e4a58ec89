"""What each operation does, in a sentence or two, for the served document and for tools made of the table."""

from __future__ import annotations

from collections.abc import Mapping

_RESOLVE = "For objects that need attention after a lost answer: say what the carrier's own page shows"

OPERATIONS: Mapping[str, str] = {
    "ping": (
        "Tells version, addresses and switched-on features. Needs no key, so it shows whether a server is "
        "there."
    ),
    "references": (
        "Countries, currencies, units, and for each carrier its services, options and credentials. "
        "`reduced=false` adds the maps that rarely matter. Keep it by its ETag: it changes with the "
        "version only."
    ),
    "authenticate": (
        "Answers a pair of tokens; the access token goes into `Authorization: Bearer`. With a second step "
        "its pair works only after `/api/token/verified`. Wrong credentials are 401 `no_active_account`."
    ),
    "refreshToken": (
        "Answers a new pair for a refresh token that has not expired; the old one stays valid until it does."
    ),
    "getVerifiedToken": "Answers a pair that works, for the pair of a log-in and the code of the user's app.",
    "verifyToken": "Answers an empty object for a good token and 401 `token_not_valid` for any other.",
    "listAddresses": (
        "Lists the addresses that you stored; those inside shipments and orders are not among them."
    ),
    "createAddress": ('Stores an address for reuse: elsewhere `{"id": "adr_..."}` stands for a copy of it.'),
    "retrieveAddress": "Reads a stored address, or one of a shipment or order, by its id.",
    "updateAddress": (
        "Changes the fields that are given. In a draft its rates are dropped; in a bought shipment it is 409."
    ),
    "discardAddress": "Removes a stored address; 409 while a shipment or an order uses it.",
    "listParcels": "Lists the parcels that you stored; those inside shipments are not among them.",
    "createParcel": 'Stores a parcel for reuse: elsewhere `{"id": "pcl_..."}` stands for a copy of it.',
    "retrieveParcel": "Reads a stored parcel, or one of a shipment, by its id.",
    "updateParcel": (
        "Changes weight, sides or content as given. In a draft its rates are dropped; in a bought "
        "shipment it is 409."
    ),
    "discardParcel": "Removes a parcel; 409 for the only one of a shipment.",
    "listCarriers": (
        "Lists the carriers with what each can do and which credentials it needs; all on one page."
    ),
    "getServices": "Maps the names of a carrier's services, which requests use, to the carrier's own codes.",
    "listCarrierConnections": (
        "Lists the accounts with carriers, those of the installation among them without credentials."
    ),
    "addCarrierConnection": (
        "Stores an account with a carrier in the mode of the key. What lacks is named in a 400; unknown "
        "fields are dropped. In a sandbox any credentials will do."
    ),
    "retrieveCarrierConnection": (
        "Reads a connection with its credentials, unless it is one of the installation."
    ),
    "updateCarrierConnection": (
        "Changes the fields that are given; credentials and settings are merged, null removes one."
    ),
    "removeCarrierConnection": (
        "Removes a connection; what was shipped with it stays. 409 while a booked pickup needs it."
    ),
    "fetchRates": (
        "Asks the carriers for rates and stores nothing. What only some carriers refuse is in `messages`; "
        "424 if all do."
    ),
    "buyLabel": (
        "Buys one of the rates of `/v1/proxy/rates` and answers the label itself, base64: nothing is "
        "stored, so keep it. Costs money with a live key."
    ),
    "voidLabel": "Asks the carrier to take back a label that was bought without storing it.",
    "getTracking": (
        "Asks the carrier where a parcel is, stores nothing; 404 with `messages` if it does not know the "
        "number."
    ),
    "trackShipment": "Older form of `POST /v1/proxy/tracking`; ask that one.",
    "pickupSchedule": "Books a collection of parcels and stores nothing; keep the confirmation number.",
    "pickupUpdate": "Changes a booking that is not stored; name it by its confirmation number.",
    "pickupCancel": "Cancels a booking that is not stored; name it by its confirmation number.",
    "generateManifest": (
        "Has a carrier make its form for the labels of a day and answers it base64: nothing is stored."
    ),
    "listShipments": (
        "Lists shipments with what they hold; filters combine, each may be repeated or list values with "
        "commas."
    ),
    "createShipment": (
        "Rates a shipment and stores it as a draft. With `service` it buys that service at once; with a "
        "live key this costs money. 424 if all carriers refuse: then nothing is stored."
    ),
    "retrieveShipment": "Reads a shipment with its rates, label path and tracking number.",
    "updateShipment": (
        "Changes label format, reference, payment, options and metadata; 409 for a cancelled one."
    ),
    "cancelShipment": (
        "Removes a draft from sale or voids a bought label with its carrier; 409 when it is on its way."
    ),
    "purchaseShipment": (
        "Buys a rate of a draft, once: a second purchase is 409. With a live key this costs money. If the "
        "carrier's answer is lost, the shipment needs attention and is not bought again."
    ),
    "fetchShipmentRates": (
        "Asks the carriers again and replaces the rates of a draft; needed after changes to addresses or "
        "parcels."
    ),
    "listTrackers": "Lists trackers; filters combine.",
    "addTracker": (
        "Follows a number from now on: 202 for a new tracker, 200 for one that exists. A number that the "
        "carrier does not know is 404, unless `pending_pickup` is true. In a sandbox the test numbers "
        "show every status."
    ),
    "createTracker": "Older form of `POST /v1/trackers`; ask that one.",
    "retrieveTracker": (
        "Reads a tracker by id or number. Without a key it looks at all trackers, as pages for recipients do."
    ),
    "updateTracker": "Changes your own facts about a parcel: `info` and `metadata`.",
    "removeTracker": "Stops following a number.",
    "listOrders": "Lists orders with their lines and shipments; filters combine.",
    "createOrder": "Stores an order. The same number and source again is 409, so a repeat is safe.",
    "retrieveOrder": "Reads an order with its lines, how much of each is unshipped, and its shipments.",
    "updateOrder": "Changes options and metadata of an order; `/edit` corrects address and lines.",
    "dismissOrder": "Older form of `POST /v1/orders/{id}/cancel`; ask that one.",
    "cancelOrder": "Cancels an order of which nothing was shipped; 409 otherwise.",
    "listPickups": "Lists the collections that were booked.",
    "schedulePickup": (
        "Books a collection of bought shipments, named by their tracking numbers, and stores it."
    ),
    "retrievePickup": "Reads a pickup with its confirmation number.",
    "updatePickup": "Changes a booked pickup with its carrier; what is not given stays.",
    "cancelPickup": "Cancels a pickup with its carrier; a second time is 409.",
    "listManifests": "Lists manifests; filters combine.",
    "createManifest": (
        "Has a carrier make its form for bought shipments and stores it; each shipment is on one manifest "
        "only."
    ),
    "retrieveManifest": "Reads a manifest with the path of its form.",
    "listWebhooks": "Lists the webhooks of the key's mode, with their secrets.",
    "createWebhook": (
        "Has events of the key's mode sent to an address. See Callbacks for what is sent and how it is "
        "signed."
    ),
    "retrieveWebhook": "Reads a webhook with its secret.",
    "updateWebhook": "Changes address, events or whether it sends; enabling it sends what waits.",
    "removeWebhook": "Removes a webhook; what waits for it is not sent.",
    "testWebhook": (
        "Sends your payload to the address now, signed like an event, and says whether it answered 2xx."
    ),
    "generateDocument": (
        "Fills a template with data, shipments or orders and answers a PDF, base64. Errors of the "
        "template are 400 with its line."
    ),
    "listDocumentTemplates": "Lists the templates of documents, each with its text.",
    "createDocumentTemplate": "Stores a template in HTML with Jinja2; its slug must be new.",
    "retrieveDocumentTemplate": "Reads a template with its text.",
    "updateDocumentTemplate": "Changes the fields that are given.",
    "discardDocumentTemplate": "Removes a template; documents made of it are not stored anyway.",
    "listUploads": "Lists which files carriers got, a record for each shipment.",
    "uploadDocuments": (
        "Sends invoices and other papers of a bought shipment to its carrier; 406 if it takes none."
    ),
    "retrieveUpload": "Reads which files of a shipment its carrier got.",
    "listBatchOperations": "Lists batches, with the state of each row.",
    "retrieveBatchOperation": "Reads a batch; ask until its status is neither queued nor running.",
    "createOrders": "Stores many orders; one row that is wrong refuses all with its `index`.",
    "createShipments": (
        "Stores many shipments and buys those with a service, in the background. One row that is wrong "
        "refuses all with its `index`."
    ),
    "createTrackers": "Follows many numbers; one row that is wrong refuses all with its `index`.",
    "importFile": (
        "Takes a CSV, XLS or XLSX file with the headings of exports, or with those of a data template. "
        "Answers at once; the rows are done in the background."
    ),
    "retrieveCarrier": "Reads what one carrier can do and which credentials it needs.",
    "listCustoms": "Lists the customs declarations that you stored.",
    "createCustoms": (
        'Stores a declaration for reuse: elsewhere `{"id": "cst_..."}` stands for a copy of it.'
    ),
    "retrieveCustoms": "Reads a customs declaration by its id.",
    "updateCustoms": "Changes the fields that are given; 409 once its shipment is bought.",
    "discardCustoms": "Removes a customs declaration; 409 while a shipment uses it.",
    "resolveShipment": _RESOLVE
    + ", bought or not, voided or not. Nothing is sent to the carrier; 409 if nothing is in doubt.",
    "resolvePickup": _RESOLVE
    + ", booked or not. Nothing is sent to the carrier; 409 if nothing is in doubt.",
    "resolveManifest": _RESOLVE
    + ", made or not. Nothing is sent to the carrier; 409 if nothing is in doubt.",
    "returnShipment": "Makes a rated draft from the recipient back to the shipper; buy it like any other.",
    "editOrder": "Corrects the address and the lines of an order that is not wholly shipped.",
    "splitOrder": "Moves lines of an order to a new one, to ship them apart.",
    "combineOrders": "Moves the lines of orders for the same recipient into one, to ship them together.",
    "dropFromPickup": "Takes shipments out of a booked pickup; the carrier is told.",
    "checkConnection": (
        "Makes a harmless call with the credentials: 200 if the carrier takes them, 424 with its words if "
        "not."
    ),
    "validateAddress": (
        "Checks an address offline, then, if a carrier is named, with it: what is wrong by field, how the "
        "carrier writes it, what it may be. Nothing is stored."
    ),
    "findLocations": (
        "Asks carriers for the places near a postal code or a city, nearest first. The `id` of one that "
        "hands parcels out is a value for the option `hold_at_location` of a shipment."
    ),
    "exportRows": "Reads the rows of an export as JSON, only what changed if `since` is given.",
    "readReport": "Reads a report: its sections, each in one currency, with their rows and totals.",
    "listNumbers": "Lists the numbers that a shop has not been told yet; mark them once it was.",
    "markNumbers": "Says which numbers a shop was told, so that they are not listed again.",
    "listRules": "Lists the rules in the order in which they are tried.",
    "addRule": "Adds a rule behind the others; what it sets counts for drafts that are rated from now on.",
    "replaceRules": "Puts rules in the place of all others, or only checks them.",
    "testRules": "Says what the rules would set for stored orders; nothing is stored, no carrier is asked.",
    "retrieveRule": "Reads a rule by its id, its name or its place.",
    "updateRule": "Changes fields of a rule, switches it on or off, or moves it to another place.",
    "discardRule": "Deletes a rule; what it decided before stays with the shipments.",
    "explainChoice": (
        "Says which rules fitted a shipment, what each condition saw, and why rates were left out; of an "
        "order that is not shipped, what the rules would do."
    ),
    "listMails": "Lists the newest mails to customers, or those in one state.",
    "retrieveMail": "Reads a mail: its state, why it is in it, and its text where it was not sent.",
    "retrieveTrackingLink": (
        "Reads the link to the page on which a customer follows a parcel; it opens without a key, for this "
        "number only."
    ),
    "listSteps": "Tells that a command on another machine may work with this store.",
    "listIds": "Finds the ids that a word on a command line may mean.",
    "quoteShipment": "Rates a shipment, storing nothing, for a command that asks before it buys.",
    "quoteDraft": "Rates a stored draft with another weight or other sides, storing nothing.",
    "findPurchase": "Reads what was bought with a key, so that a repeat does not buy again.",
    "buyRate": "Buys a rated draft once per key. With a live key this costs money.",
    "takeBack": "Voids a label whose price passes what its run may spend.",
    "buyOrder": "Buys a shipment for the rest of an order. With a live key this costs money.",
    "findRows": "Reads what became of rows of a file in earlier runs.",
    "storeRows": "Stores the drafts of rows of a file, each with its key.",
    "storeOrders": "Stores or changes the orders of a file.",
}

FILES: Mapping[str, str] = {
    "render_template": (
        "Fills a template and answers a PDF; the whole query is `data` to it. Errors of the template are "
        "409 with its line."
    ),
    "status": "For monitors: 200 while the store can be written, 507 when its disk is full. Needs no key.",
    "document": "This document as JSON with `Accept: application/json`, otherwise as YAML. Needs no key.",
    "download": (
        "Answers the file itself, to be shown, or to be saved with `download`. 404 until there is one. On "
        "a server that other machines reach it needs a key or the `token` of the link."
    ),
    "export": (
        "Answers a table, a row for each object or line, with the headings that imports read. Filters "
        "combine."
    ),
}

PARAMETERS: Mapping[str, str] = {
    "id": "Id of the object, as it was answered when it was made.",
    "ids": "Ids of the objects, with commas between.",
    "carrier_name": "Carriers by their slug, such as `ups`.",
    "tracking_number": "The carrier's number, or a part of it in lists.",
    "id_or_tracking_number": "Id of the tracker, or the carrier's number.",
    "format": "Format of the file.",
    "slug": "Slug of the template, which names the file.",
    "name": "Name of the file, with its ending.",
    "download": "Present: the answer is to be saved and not shown.",
    "preview": "Present: the answer is to be shown in the browser.",
    "shipments": "Ids of shipments, with commas between.",
    "manifests": "Ids of manifests, with commas between.",
    "orders": "Ids of orders, with commas between.",
    "exclude": "Fields to leave out, with commas between.",
    "reduced": "False adds currencies, terms of trade, units and options; true if absent.",
    "hub": "Asks through this hub, such as `easypost`, instead of the carrier itself.",
    "pending_pickup": "True stores a number that the carrier does not know yet.",
    "data_file": "The file, if it is not a field of the form.",
    "data_template": "Slug of a stored data template, if it is not a field of the form.",
    "resource_type": "Kinds of rows: orders, shipments, trackers or billing.",
    "active": "Only connections that are in use (true) or out of use (false).",
    "system_only": "True for the connections of the installation alone.",
    "address": "A part of name, street, town, postal code, e-mail address or telephone number.",
    "keyword": "A part of the address, or of the numbers and references.",
    "created_after": "Only what was stored then or later: YYYY-MM-DD, or a moment in ISO 8601.",
    "created_before": "Only what was stored then or before: YYYY-MM-DD, or a moment in ISO 8601.",
    "has_manifest": "True: on a manifest; false: on none.",
    "has_tracker": "True: with a tracker; false: without.",
    "metadata_key": "Only objects whose `metadata` has this key.",
    "metadata_value": "Only objects whose `metadata` has this value under any key.",
    "meta_key": "Only objects whose `meta` has this key.",
    "meta_value": "Only objects whose `meta` has this value under any key.",
    "option_key": "Only objects whose `options` have this key.",
    "option_value": "Only objects whose `options` have this value under any key.",
    "reference": "A part of your own number.",
    "service": "Services by name, of the bought rate.",
    "status": "Statuses, with commas between; an unknown word is 400.",
    "shipment_id": "The shipment that the files belong to.",
    "order_id": "Numbers of orders, with commas between.",
    "source": "Where orders come from, with commas between.",
    "what": "Which rows: orders, shipments or trackers.",
    "since": "Only what changed then or later: a moment in ISO 8601.",
    "limit": "How many, the newest first; at most 1,000.",
    "state": "Only mails in this state: waiting, sending, sent, kept, unclear, failed or skipped.",
    "shop": "Name of the shop that is to be told.",
    "again": "True lists those also that the shop was told.",
    "readReport.name": "The report: bills, carriers, cost, day, late, spend or zones.",
    "findLocations.country_code": "Country of the address: two letters, such as US.",
    "findLocations.postal_code": "Near which postal code; may be left out where a city is given.",
    "findLocations.city": "Near which city.",
    "findLocations.state_code": "State or province of the city, by its code.",
    "findLocations.address_line1": "Street and number; without them the middle of the postal code counts.",
    "findLocations.carrier_name": "Carriers, or names of connections, with commas between; all if absent.",
    "findLocations.purpose": "Only where parcels are handed in (drop_off), or held to be fetched (pick_up).",
    "findLocations.limit": "How many, the nearest first; 10 if absent, at most 50.",
    "findLocations.radius_km": "At most so many kilometres away.",
    "by": "What to group by, with commas between, such as `carrier,week`.",
    "first": "The first day, YYYY-MM-DD; thirty days before the last if absent.",
    "last": "The last day, YYYY-MM-DD; today if absent.",
}
