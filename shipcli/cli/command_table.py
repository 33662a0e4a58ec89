"""Every noun and verb: what `--help` and completion show without importing a command.

Add a noun here when its module exists. A noun without verbs is a command itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

EVERYWHERE = "*"  # a command that asks no store and no server, or chooses between them by itself


class Verb(NamedTuple):
    """One command of a noun.

    Shapes: `calls` are the API operations it runs, by name, separated by spaces (reading what a line names
            is not told); a command without any works on this machine only. `instead` names what replaces a
            deprecated one.
    """

    name: str
    help: str
    calls: str = ""
    instead: str = ""
    hidden: bool = False


class Noun(NamedTuple):
    """One noun: its module is `shipcli.cli.commands.<group>.<module>`, unless `module` names a group too.

    `default` is the verb meant when none is given.
    """

    name: str
    help: str
    verbs: tuple[Verb, ...] = ()
    module: str = ""
    singular: str = ""
    default: str = ""
    hidden: bool = False
    calls: str = ""
    group: str = ""

    @property
    def path(self) -> str:
        """The module that contains the commands."""
        module = self.module or self.name.replace("-", "_")
        return f"shipcli.cli.commands.{module if '.' in module else f'{self.group}.{module}'}"

    def verb(self, name: str) -> Verb | None:
        """The verb with a name or alias."""
        verbs = {verb.name: verb for verb in self.verbs}
        return verbs.get(name) or verbs.get(ALIASES.get(name, ""))


ALIASES = {"show": "get"}
GROUPS = {
    "bench": "At the bench",
    "orders": "Orders",
    "files": "Files in and out",
    "moving": "On the way",
    "papers": "Papers and printers",
    "carriers": "Carriers",
    "events": "Events",
    "server": "Server",
    "home": "This machine",
}  # how the first page of help is parted


def group_nouns(group: str, *nouns: Noun) -> tuple[Noun, ...]:
    """The nouns in a group."""
    return tuple(noun._replace(group=group) for noun in nouns)


NOUNS: tuple[Noun, ...] = (
    *group_nouns("bench",
        Noun("ship", "Buy labels for orders, drafts or new shipments in one step",
             calls="createShipment updateParcel fetchShipmentRates purchaseShipment cancelShipment "
                   "fetchRates"),
        Noun("quote", "Ask all carriers for prices, without storing anything", module="rates",
             calls="fetchRates"),
        Noun("track", "Show where a parcel is", module="moving.trackers",
             calls="retrieveTracker addTracker"),
        Noun("open", "Open the carrier's own tracking page, and print its address",
             module="moving.trackers", calls="retrieveShipment"),
        Noun("print", "Print labels", module="print_labels", calls="retrieveShipment"),
        Noun("reprint", "Print labels again: the named ones, or the last ones after a jam",
             module="print_labels", calls="retrieveShipment"),
        Noun("void", "Void labels with their carriers", module="labels",
             calls="cancelShipment updateShipment"),
        Noun("find", "Find shipments, orders, trackers and addresses by any words in them",
             calls="listShipments listOrders listTrackers listAddresses"),
        Noun("eod", "Close the day: make manifests, book pickups, list what still lacks a label",
             calls="createManifest schedulePickup"),
        Noun("shipments", "Shipments: drafts and bought labels", (
            Verb("list", "List the shipments, newest first.", "listShipments"),
            Verb("get", "Show shipments.", "retrieveShipment"),
            Verb("create", "Store a shipment, or each shipment of a file, as a draft with its rates.",
                 "createShipment purchaseShipment cancelShipment"),
            Verb("update", "Change a draft, or the metadata of any shipment.", "updateShipment"),
            Verb("rates", "Ask carriers again for the rates of a draft.", "fetchShipmentRates"),
            Verb("buy", "Buy labels for drafts, at a chosen or named rate.",
                 "fetchShipmentRates purchaseShipment"),
            Verb("cancel", "Cancel shipments and void their labels.", "cancelShipment"),
            Verb("resolve", "Say what became of a purchase or void whose outcome is unknown.",
                 "resolveShipment"),
        ), singular="shipment"),
        Noun("rates", "Rates: prices of carriers", (
            Verb("quote", "Ask all carriers for prices, without storing anything.",
                 "fetchRates"),
        ), singular="rate"),
        Noun("labels", "Labels: save, merge, print, void", (
            Verb("save", "Save labels as files, one for each shipment.", "retrieveShipment"),
            Verb("merge", "Merge labels into one file, in the given order.", "retrieveShipment"),
            Verb("print", "Print labels.", "retrieveShipment"),
            Verb("reprint", "Print labels again: the named ones, or the last ones after a jam.",
                 "retrieveShipment"),
            Verb("void", "Void labels with their carriers.", "cancelShipment updateShipment"),
            Verb("buy", "Buy a label at one of the rates in a file, without storing a shipment.",
                 "fetchRates buyLabel"),
        ), singular="label"),
        Noun("addresses", "Addresses: store, check and find them", (
            Verb("list", "List the stored addresses, newest first.", "listAddresses"),
            Verb("get", "Show addresses.", "retrieveAddress"),
            Verb("create", "Store an address, or every address of a file.", "createAddress"),
            Verb("update", "Change fields of an address.", "updateAddress"),
            Verb("delete", "Delete addresses.", "discardAddress"),
            Verb("find", "Find addresses by any text in them.", "listAddresses"),
            Verb("validate", "Check an address against the postal rules of its country.", "retrieveAddress"),
            Verb("default", "Make an address the default sender, or show which one is (setting `shipper`).",
                 "retrieveAddress"),
        ), singular="address"),
        Noun("parcels", "Parcels: weights, sizes and the carriers' boxes", (
            Verb("list", "List the stored parcels, newest first.", "listParcels"),
            Verb("get", "Show parcels.", "retrieveParcel"),
            Verb("create", "Store a parcel, or every parcel of a file.", "createParcel"),
            Verb("update", "Change fields of a parcel.", "updateParcel"),
            Verb("delete", "Delete parcels.", "discardParcel"),
            Verb("presets", "List the carriers' boxes and your own; add or remove your own.",
                 "references listCarriers"),
        ), singular="parcel"),
    ),
    *group_nouns("orders",
        Noun("orders", "Orders: what was sold and must be shipped", (
            Verb("list", "List the orders, newest first.", "listOrders"),
            Verb("get", "Show orders with their shipments.", "retrieveOrder"),
            Verb("create", "Store an order, or every order of a file.", "createOrder"),
            Verb("update", "Change options and metadata of an order.", "updateOrder"),
            Verb("cancel", "Cancel orders of which nothing has been shipped.", "cancelOrder"),
            Verb("dismiss", "Cancel orders; the former name of `shipcli orders cancel`.", "dismissOrder",
                 instead="shipcli orders cancel"),
            Verb("fulfil", "Buy labels for orders.",
                 "createShipment purchaseShipment fetchRates"),
        ), singular="order"),
        Noun("products", "Products: weight, value and customs data by SKU", (
            Verb("list", "List the products, newest first."),
            Verb("get", "Show products."),
            Verb("set", "Set the weight, value, customs number, origin or title of a product."),
            Verb("import", "Import products from a file with columns such as SKU, Weight, Value."),
            Verb("delete", "Delete products."),
        ), singular="product"),
    ),
    *group_nouns("files",
        Noun("import", "Import files: orders, shipments, trackers, invoices", (
            Verb("orders", "Import orders from a file; rows with the same order number are one order.",
                 "createOrder updateOrder"),
            Verb("shipments", "Import shipments from a file; with --buy their labels are bought.",
                 "createShipment fetchShipmentRates purchaseShipment cancelShipment"),
            Verb("trackers", "Import trackers from a file.", "addTracker"),
            Verb("invoices", "Import lines of carrier invoices and store each with its shipment, once.",
                 "importFile"),
            Verb("templates", "Manage data templates: which columns of a file fill which fields."),
        ), module="import_nouns"),
        Noun("export", "Export files that can be imported again", (
            Verb("orders", "Export orders, one row per line item; by default fulfilled and delivered ones.",
                 "listOrders exportRows"),
            Verb("shipments", "Export shipments, one row each; by default bought, moving and delivered ones.",
                 "listShipments exportRows"),
            Verb("trackers", "Export trackers, one row each.", "listTrackers exportRows"),
        )),
        Noun("batches", "Batches: many objects in one request, processed in the background", (
            Verb("list", "List the batches, newest first.", "listBatchOperations"),
            Verb("get", "Show batches with the outcome of each element.", "retrieveBatchOperation"),
            Verb("watch", "Follow a batch to its end; the exit code tells the outcome.",
                 "retrieveBatchOperation"),
            Verb("retry",
                 "Retry the failed elements of a batch, or continue an interrupted one."),
            Verb("orders", "Store the orders of a file; existing ones stay as they are.",
                 "createOrders"),
            Verb("shipments", "Store and rate the shipments of a file; buy those that name a service.",
                 "createShipments"),
            Verb("trackers", "Track the numbers of a file.", "createTrackers"),
            Verb("import", "Import a file in the background.", "importFile"),
        ), singular="batch"),
    ),
    *group_nouns("moving",
        Noun("trackers", "Trackers: where parcels are", (
            Verb("list", "List the trackers, newest first.", "listTrackers"),
            Verb("get", "Show trackers, as they are stored.", "retrieveTracker"),
            Verb("add", "Track a number.", "addTracker"),
            Verb("create", "Track a number; the former name of `shipcli trackers add`.", "createTracker",
                 instead="shipcli trackers add"),
            Verb("update", "Change the info and metadata of a tracker.", "updateTracker"),
            Verb("remove", "Stop tracking numbers; their shipments stay.", "removeTracker"),
            Verb("refresh", "Ask the carriers for news of trackers.", "addTracker"),
        ), singular="tracker"),
        Noun("pickups", "Pickups: collections booked with carriers", (
            Verb("list", "List the pickups, newest first.", "listPickups"),
            Verb("get", "Show pickups.", "retrievePickup"),
            Verb("schedule", "Book a pickup for bought shipments.",
                 "schedulePickup"),
            Verb("update", "Change a booked pickup, also with the carrier.", "updatePickup"),
            Verb("cancel", "Cancel booked pickups; their shipments can be booked again.",
                 "cancelPickup"),
            Verb("resolve", "Say what became of a pickup whose outcome is unknown.", "resolvePickup"),
        ), singular="pickup"),
        Noun("manifests", "Manifests: the carriers' lists of a day's shipments", (
            Verb("list", "List the manifests, newest first.", "listManifests"),
            Verb("get", "Show manifests.", "retrieveManifest"),
            Verb("create", "Close bought shipments with their carrier: one manifest per account and address.",
                 "createManifest"),
            Verb("print", "Print manifests, or write them to a file.", "retrieveManifest"),
            Verb("resolve", "Say what became of a manifest whose outcome is unknown.", "resolveManifest"),
        ), singular="manifest"),
    ),
    *group_nouns("papers",
        Noun("documents", "Documents: invoices, slips, customs forms, and your own", (
            Verb("generate", "Make a document from a template and your data.", "generateDocument"),
            Verb("make", "Make or print built-in documents for shipments or orders.",
                 "retrieveShipment retrieveOrder"),
            Verb("merge", "Merge labels, invoices or manifests into one file, in the given order.",
                 "retrieveShipment retrieveOrder retrieveManifest"),
        ), singular="document"),
        Noun("templates", "Templates: layouts of your own documents", (
            Verb("list", "List the templates, newest first.", "listDocumentTemplates"),
            Verb("get", "Show templates.", "retrieveDocumentTemplate"),
            Verb("create", "Store a template.", "createDocumentTemplate"),
            Verb("update", "Change fields of a template.", "updateDocumentTemplate"),
            Verb("delete", "Delete templates.", "discardDocumentTemplate"),
            Verb("preview", "Render a template with sample data, or with your own shipments or orders.",
                 "generateDocument"),
        ), singular="template"),
        Noun("uploads", "Uploads: documents sent to carriers", (
            Verb("list", "List the uploads, newest first.", "listUploads"),
            Verb("get", "Show uploads.", "retrieveUpload"),
            Verb("create", "Send documents of a bought shipment to its carrier.", "uploadDocuments"),
        ), singular="upload"),
        Noun("printers", "Printers: where labels and documents are printed, and the print queue", (
            Verb("list", "List the printers."),
            Verb("add", "Add a printer."),
            Verb("test", "Print a test page."),
            Verb("remove", "Remove a printer."),
            Verb("default", "Make a printer the default, or show which one is (setting `printer`)."),
            Verb("queue", "List print jobs that wait or may have been printed, newest first."),
            Verb("resume", "Print waiting jobs; one that may have been printed already must be named."),
            Verb("cancel", "Cancel a print job, or mark it as printed."),
        ), singular="printer"),
    ),
    *group_nouns("carriers",
        Noun("carriers", "Carriers: what each one offers and needs", (
            Verb("list", "List the carriers.", "listCarriers"),
            Verb("get", "Show what a carrier offers and what a connection to it needs.", "listCarriers"),
            Verb("services", "List the services of a carrier.", "getServices"),
            Verb("options", "List the shipping options of a carrier.", "references"),
            Verb("presets", "List the boxes of a carrier with their sizes.", "references listCarriers"),
            Verb("fields", "List the fields of a connection, and where to find their values.",
                 "listCarriers"),
        ), singular="carrier"),
        Noun("connections", "Connections: your accounts with carriers", (
            Verb("list", "List the connections; credentials are masked.", "listCarrierConnections"),
            Verb("get", "Show connections; credentials are masked.", "retrieveCarrierConnection"),
            Verb("add", "Add an account with a carrier.", "addCarrierConnection checkConnection"),
            Verb("update", "Change a connection.", "updateCarrierConnection checkConnection"),
            Verb("remove", "Remove connections; what was bought with them stays.",
                 "removeCarrierConnection"),
            Verb("check", "Ask carriers whether they accept the stored credentials.",
                 "checkConnection"),
        ), singular="connection"),
        Noun("references", "Reference maps: countries, services, options", (
            Verb("get", "Show a reference map, or the names of all maps.", "references"),
        ), singular="reference", default="get"),
        Noun("proxy", "Requests passed straight to carriers, with API bodies; nothing is stored", (
            Verb("rates", "Ask carriers for prices.", "fetchRates"),
            Verb("shipping", "Buy a label at one of the given rates.", "fetchRates buyLabel"),
            Verb("void", "Void a label.", "voidLabel"),
            Verb("tracking", "Track a number.", "getTracking"),
            Verb("track", "Track a number; the former name of `shipcli proxy tracking`.", "trackShipment",
                 instead="shipcli proxy tracking"),
            Verb("pickup", "Book a pickup.", "pickupSchedule"),
            Verb("pickup-update", "Change a pickup.", "pickupUpdate"),
            Verb("pickup-cancel", "Cancel a pickup.", "pickupCancel"),
            Verb("manifest", "Make a manifest of shipments.", "generateManifest"),
        )),
    ),
    *group_nouns("events",
        Noun("webhooks", "Webhooks: addresses that events are sent to", (
            Verb("list", "List the webhooks; secrets are masked.", "listWebhooks"),
            Verb("get", "Show webhooks; secrets are masked.", "retrieveWebhook"),
            Verb("create", "Send events to a web address; the signing secret is shown.", "createWebhook"),
            Verb("update", "Change a webhook, or enable it again.", "updateWebhook"),
            Verb("delete", "Delete webhooks and their pending deliveries.", "removeWebhook"),
            Verb("test", "Send a test event, built from -d key=value, and show the response.",
                 "testWebhook"),
            Verb("deliveries", "List the newest delivery attempts."),
            Verb("replay",
                 "Deliver events again: the named ones, else those missed since the last success."),
        ), singular="webhook"),
        Noun("events", "Events: what happened", (
            Verb("list", "List the events, newest first."),
            Verb("get", "Show events."),
        ), singular="event"),
        Noun("listen", "Print and forward events as they happen; a restart continues where it stopped"),
    ),
    *group_nouns("server",
        Noun("server", "The API server on this machine", (
            Verb("start", "Serve the API until it is interrupted."),
            Verb("status", "Ask a server what it is and whether it answers.", "ping"),
        )),
        Noun("worker", "Background work: webhooks, trackers, purchases", (
            Verb("run", "Do background work: deliver webhooks, refresh trackers, settle purchases."),
            Verb("status", "Show the number of jobs that wait, run and failed, and the workers."),
            Verb("jobs", "List jobs, retry failed ones, or discard them."),
        ), default="run"),
        Noun("api", "Send any request to the API", calls=EVERYWHERE),
        Noun("auth", "Log-ins to servers that --api-url names", (
            Verb("login", "Check and store the API key of a server.", EVERYWHERE),
            Verb("logout", "Delete the stored API key of a server.", EVERYWHERE),
            Verb("status", "Show which server is used, and whether it accepts the key.", EVERYWHERE),
            Verb("token", "Get a pair of tokens for an e-mail address and its password.", "authenticate"),
            Verb("otp", "Complete a log-in with a code of the authenticator app.", "getVerifiedToken"),
            Verb("refresh", "Exchange a refresh token for a new pair of tokens.", "refreshToken"),
            Verb("verify", "Check whether a token is valid.", "verifyToken"),
        )),
        Noun("keys", "API keys of the server", (
            Verb("create", "Create an API key for test or live data; it is shown only once."),
            Verb("list", "List the API keys, without the keys themselves."),
            Verb("revoke", "Revoke API keys."),
        )),
        Noun("users", "Users: people who log in to the server", (
            Verb("create", "Create a user; you are asked for the password, unless a file holds it."),
            Verb("list", "List the users."),
            Verb("disable", "Disable users: log them out and refuse further log-ins."),
            Verb("password", "Change the password of a user and log them out."),
            Verb("totp", "Require codes of an authenticator app; the secret for the app is shown only once."),
        ), singular="user"),
        Noun("oauth", "OAuth2 clients: programs that act for users of the server", (
            Verb("create", "Create a client; its secret is shown only once."),
            Verb("list", "List the clients, without their secrets."),
            Verb("remove", "Remove clients and revoke their tokens."),
        )),
        Noun("logs", "The request log of the server", (
            Verb("list", "List the calls of the API, newest first."),
            Verb("get", "Show calls with request and response."),
            Verb("curl", "Print calls as curl commands; the key is read from SHIPCLI_API_KEY."),
            Verb("tail", "Print calls as they happen."),
        )),
        Noun("traces", "Exchanges with carriers", (
            Verb("list", "List the exchanges with carriers, newest first."),
            Verb("get", "Show exchanges with request and response."),
        )),
    ),
    *group_nouns("home",
        Noun("setup", "Set up mode, units, shipper, a carrier and a printer"),
        Noun("config", "Settings, and where each value comes from", (
            Verb("show", "Show all settings and their meanings."),
            Verb("set", "Set a setting in your settings file.", "retrieveAddress"),
            Verb("get", "Print one setting."),
            Verb("unset", "Remove a setting from your settings file."),
        )),
        Noun("db", "The store: look inside, backup, restore, care", (
            Verb("path", "Print where the store is."),
            Verb("info", "Show the size, version and contents of the store."),
            Verb("tables", "List the tables of the store."),
            Verb("schema", "Print the SQL that creates the tables of the store."),
            Verb("query", "Show the rows of an SQL statement that only reads."),
            Verb("export", "Write all rows of a table, by default as CSV."),
            Verb("backup", "Back up the store, unless it is damaged."),
            Verb("restore", "Replace the store with a backup."),
            Verb("migrate", "Upgrade an older store to the version of this program."),
            Verb("check", "Check the store for damage, and find the backup to restore."),
            Verb("prune", "Remove old traces and logs."),
        )),
        Noun("sandbox", "The sandbox: simulated carriers", (
            Verb("ledger", "Show what the simulated carriers sold."),
            Verb("up", "Serve a sandbox that is deleted afterwards."),
        )),
        Noun("demo", "Buy labels for a sample file, simulated and offline"),
        Noun("doctor", "Look for what is wrong or missing, and show how to mend it"),
        Noun("completion", "Completion of the command line in your shell", (
            Verb("bash", "Print the completion script for bash.", EVERYWHERE),
            Verb("zsh", "Print the completion script for zsh.", EVERYWHERE),
            Verb("fish", "Print the completion script for fish.", EVERYWHERE),
            Verb("powershell", "Print the completion script for PowerShell.", EVERYWHERE),
            Verb("install", "Install completion for your shell.", EVERYWHERE),
        )),
        Noun("options", "Explain the options that every command takes", module="about", calls=EVERYWHERE),
        Noun("version", "Print the version", module="about", calls=EVERYWHERE),
    ),
)  # fmt: skip


def find_noun(name: str) -> Noun | None:
    """The noun with a name, plural or singular."""
    return next((row for row in NOUNS if name and name in (row.name, row.singular)), None)


def list_calls(path: Sequence[str]) -> tuple[str, ...]:
    """The names of the API operations that a command runs."""
    row = find_noun(path[0])
    command = row.verb(path[1]) if row and len(path) > 1 else row
    return tuple(command.calls.split()) if command else ()


def list_words() -> list[str]:
    """Every noun that can be typed."""
    return [name for row in NOUNS if not row.hidden for name in (row.name, row.singular) if name]
