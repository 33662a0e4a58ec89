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
        known = {verb.name: verb for verb in self.verbs}
        return known.get(name) or known.get(ALIASES.get(name, ""))


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
    return tuple(one._replace(group=group) for one in nouns)


NOUNS: tuple[Noun, ...] = (
    *group_nouns("bench",
        Noun("ship", "Buy labels in one step, of orders, drafts or new shipments",
             calls="createShipment updateParcel fetchShipmentRates purchaseShipment cancelShipment "
                   "fetchRates"),
        Noun("quote", "Ask all carriers for prices; nothing is stored", module="rates",
             calls="fetchRates"),
        Noun("track", "Show where a parcel is", module="moving.trackers",
             calls="retrieveTracker addTracker"),
        Noun("open", "Open the carrier's own tracking page, and print its address",
             module="moving.tracking_page", calls="retrieveShipment"),
        Noun("print", "Print labels", module="print_labels", calls="retrieveShipment"),
        Noun("reprint", "Print labels again: those named, or the last ones after a jam",
             module="print_labels", calls="retrieveShipment"),
        Noun("void", "Void labels with their carriers", module="labels",
             calls="cancelShipment updateShipment"),
        Noun("find", "Find shipments, orders, trackers and addresses by any words in them",
             calls="listShipments listOrders listTrackers listAddresses"),
        Noun("eod", "Close the day: manifests, pickups, and what still lacks a label",
             calls="createManifest schedulePickup"),
        Noun("shipments", "Shipments: what is sent", (
            Verb("list", "List the shipments, newest first.", "listShipments"),
            Verb("get", "Show shipments.", "retrieveShipment"),
            Verb("create", "Store a draft with its rates, of each shipment of a file.",
                 "createShipment purchaseShipment cancelShipment"),
            Verb("update", "Change a draft; metadata of any shipment.", "updateShipment"),
            Verb("rates", "Ask carriers again what a draft costs.", "fetchShipmentRates"),
            Verb("buy", "Buy the labels of drafts, at the rate named or chosen.",
                 "fetchShipmentRates purchaseShipment"),
            Verb("cancel", "Cancel shipments; labels that were bought are voided.", "cancelShipment"),
            Verb("resolve", "Close a purchase, or a void, whose outcome is unknown.", "resolveShipment"),
        ), singular="shipment"),
        Noun("rates", "Rates: what carriers ask", (
            Verb("quote", "Ask all carriers for prices; nothing is stored.",
                 "fetchRates"),
        ), singular="rate"),
        Noun("labels", "Labels: save, merge, print, void", (
            Verb("save", "Save labels as files, one per shipment.", "retrieveShipment"),
            Verb("merge", "Merge labels into one file, in the order named.", "retrieveShipment"),
            Verb("print", "Print labels.", "retrieveShipment"),
            Verb("reprint", "Print labels again: those named, or the last ones after a jam.",
                 "retrieveShipment"),
            Verb("void", "Void labels with their carriers.", "cancelShipment updateShipment"),
            Verb("buy", "Buy a label at one of the rates in a file; no shipment is stored.",
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
            Verb("default", "Make an address the one that ships when none is named: the setting `shipper`.",
                 "retrieveAddress"),
        ), singular="address"),
        Noun("parcels", "Parcels: weights, sizes and the carriers' boxes", (
            Verb("list", "List the stored parcels, newest first.", "listParcels"),
            Verb("get", "Show parcels.", "retrieveParcel"),
            Verb("create", "Store a parcel, or every parcel of a file.", "createParcel"),
            Verb("update", "Change fields of a parcel.", "updateParcel"),
            Verb("delete", "Delete parcels.", "discardParcel"),
            Verb("presets", "List your boxes and the carriers'; add and remove your own.",
                 "references listCarriers"),
        ), singular="parcel"),
    ),
    *group_nouns("orders",
        Noun("orders", "Orders: what was sold and is to be shipped", (
            Verb("list", "List the orders, newest first.", "listOrders"),
            Verb("get", "Show orders with their shipments.", "retrieveOrder"),
            Verb("create", "Store an order, or every order of a file.", "createOrder"),
            Verb("update", "Change options and metadata of an order.", "updateOrder"),
            Verb("cancel", "Cancel orders of which nothing was shipped.", "cancelOrder"),
            Verb("dismiss", "Cancel orders; the older name of it.", "dismissOrder",
                 instead="shipcli orders cancel"),
            Verb("fulfil", "Turn orders into bought shipments.",
                 "createShipment purchaseShipment fetchRates"),
        ), singular="order"),
    ),
    *group_nouns("orders",
        Noun("products", "Products: what is known of articles, by SKU", (
            Verb("list", "List the products, newest first."),
            Verb("get", "Show products."),
            Verb("set", "Write down what is known of an article; what is not named stays."),
            Verb("import", "Import products from a file with the columns SKU, Weight, HS tariff number, "
                 "Origin country, Value."),
            Verb("delete", "Forget products."),
        ), singular="product"),
    ),
    *group_nouns("files",
        Noun("import", "Import files: orders, shipments, trackers, invoices", (
            Verb("orders", "Import orders from a file; rows with the same order number are one order.",
                 "createOrder updateOrder"),
            Verb("shipments", "Import shipments from a file; with --buy their labels are bought.",
                 "createShipment fetchShipmentRates purchaseShipment cancelShipment"),
            Verb("trackers", "Import trackers from a file; update asks the carriers of known numbers again.",
                 "addTracker"),
            Verb("invoices", "Import lines of carrier invoices; each is noted with its shipment, once.",
                 "importFile"),
            Verb("templates", "Manage data templates: which columns of a file fill which fields."),
        ), module="import_nouns"),
        Noun("export", "Export files that imports read back", (
            Verb("orders", "Export orders, a row per line item; fulfilled and delivered ones by default.",
                 "listOrders exportRows"),
            Verb("shipments", "Export shipments, a row each; bought and moving ones by default.",
                 "listShipments exportRows"),
            Verb("trackers", "Export trackers, a row each.", "listTrackers exportRows"),
        )),
        Noun("batches", "Batches: many objects in one request, done in the background", (
            Verb("list", "List the batches, newest first.", "listBatchOperations"),
            Verb("get", "Show batches with what became of their resources.", "retrieveBatchOperation"),
            Verb("watch", "Follow a batch to its end; its outcome is the exit code.",
                 "retrieveBatchOperation"),
            Verb("retry",
                 "Try the failed resources of a batch again, or go on with one that was interrupted."),
            Verb("orders", "Store the orders of a file; those that exist are used as they are.",
                 "createOrders"),
            Verb("shipments", "Store and rate the shipments of a file; those that name a service are bought.",
                 "createShipments"),
            Verb("trackers", "Watch the tracking numbers of a file.", "createTrackers"),
            Verb("import", "Import a file as it is, in the background.", "importFile"),
        ), singular="batch"),
    ),
    *group_nouns("moving",
        Noun("trackers", "Trackers: where parcels are", (
            Verb("list", "List the trackers, newest first.", "listTrackers"),
            Verb("get", "Show trackers, as they are stored.", "retrieveTracker"),
            Verb("add", "Watch a tracking number.", "addTracker"),
            Verb("create", "Watch a tracking number, the old way.", "createTracker",
                 instead="shipcli trackers add"),
            Verb("update", "Change the info and metadata of a tracker.", "updateTracker"),
            Verb("remove", "Stop watching; the shipments stay.", "removeTracker"),
            Verb("refresh", "Ask the carriers now.", "addTracker"),
        ), singular="tracker"),
        Noun("pickups", "Pickups: collections booked with carriers", (
            Verb("list", "List the pickups, newest first.", "listPickups"),
            Verb("get", "Show pickups.", "retrievePickup"),
            Verb("schedule", "Book a collection of bought shipments.",
                 "schedulePickup"),
            Verb("update", "Change a booked collection, with the carrier too.", "updatePickup"),
            Verb("cancel", "Cancel booked collections; their shipments are free again.",
                 "cancelPickup"),
            Verb("resolve", "Say what became of a pickup whose outcome is unknown.", "resolvePickup"),
        ), singular="pickup"),
        Noun("manifests", "Manifests: the carriers' forms of a day's shipments", (
            Verb("list", "List the manifests, newest first.", "listManifests"),
            Verb("get", "Show manifests.", "retrieveManifest"),
            Verb("create", "Close bought shipments with their carrier, on a form per account and place.",
                 "createManifest"),
            Verb("print", "Print the forms of manifests, or write them to a file.", "retrieveManifest"),
            Verb("resolve", "Say what became of a manifest whose outcome is unknown.", "resolveManifest"),
        ), singular="manifest"),
    ),
    *group_nouns("papers",
        Noun("documents", "Documents: invoices, slips, customs forms, and your own", (
            Verb("generate", "Make a document of a template and your data.", "generateDocument"),
            Verb("make", "Make built-in documents of shipments or orders, as one file or on paper.",
                 "retrieveShipment retrieveOrder"),
            Verb("merge", "Merge labels, invoices or manifests into one file, in the order named.",
                 "retrieveShipment retrieveOrder retrieveManifest"),
        ), singular="document"),
        Noun("templates", "Templates: what your own documents are made of", (
            Verb("list", "List the templates, newest first.", "listDocumentTemplates"),
            Verb("get", "Show templates.", "retrieveDocumentTemplate"),
            Verb("create", "Store a template.", "createDocumentTemplate"),
            Verb("update", "Change fields of a template.", "updateDocumentTemplate"),
            Verb("delete", "Delete templates.", "discardDocumentTemplate"),
            Verb("preview", "Render a template with a sample, or with your own shipments or orders.",
                 "generateDocument"),
        ), singular="template"),
        Noun("uploads", "Uploads: documents that carriers were sent", (
            Verb("list", "List what carriers were sent, newest first.", "listUploads"),
            Verb("get", "Show what carriers were sent.", "retrieveUpload"),
            Verb("create", "Send documents of a bought shipment to its carrier.", "uploadDocuments"),
        ), singular="upload"),
        Noun("printers", "Printers: where papers go, and what waits for them", (
            Verb("list", "List the printers."),
            Verb("add", "Add a printer."),
            Verb("test", "Print a page that says what a printer is."),
            Verb("remove", "Forget a printer."),
            Verb("default", "Make a printer the one where nothing else decides: the setting `printer`."),
            Verb("queue", "List the print jobs that wait or may have been printed, newest first."),
            Verb("resume", "Send waiting jobs again; one that may have been printed only when it is named."),
            Verb("cancel", "Give up a print job, or say that it was printed after all."),
        ), singular="printer"),
    ),
    *group_nouns("carriers",
        Noun("carriers", "Carriers: what each one offers and needs", (
            Verb("list", "List the carriers.", "listCarriers"),
            Verb("get", "Show what a carrier offers and what a connection to it needs.", "listCarriers"),
            Verb("services", "List the services of a carrier.", "getServices"),
            Verb("options", "List the shipping options of a carrier.", "references"),
            Verb("presets", "List the boxes of a carrier with their sizes.", "references listCarriers"),
            Verb("fields", "List what a connection asks for, and where each value is found.", "listCarriers"),
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
        Noun("proxy", "Straight through to carriers: API bodies in, API answers out, nothing stored", (
            Verb("rates", "Ask carriers for prices.", "fetchRates"),
            Verb("shipping", "Buy a label at one of the given rates.", "fetchRates buyLabel"),
            Verb("void", "Have a carrier take a label back.", "voidLabel"),
            Verb("tracking", "Ask a carrier about a number.", "getTracking"),
            Verb("track", "Ask a carrier about a number, the old way.", "trackShipment",
                 instead="shipcli proxy tracking"),
            Verb("pickup", "Book a collection with a carrier.", "pickupSchedule"),
            Verb("pickup-update", "Change a collection with a carrier.", "pickupUpdate"),
            Verb("pickup-cancel", "Cancel a collection with a carrier.", "pickupCancel"),
            Verb("manifest", "Have a carrier close shipments.", "generateManifest"),
        )),
    ),
    *group_nouns("events",
        Noun("webhooks", "Webhooks: who is told of events", (
            Verb("list", "List the webhooks; secrets are masked.", "listWebhooks"),
            Verb("get", "Show webhooks; secrets are masked.", "retrieveWebhook"),
            Verb("create", "Subscribe a web address to events; its secret is shown.", "createWebhook"),
            Verb("update", "Change a webhook, or enable it again.", "updateWebhook"),
            Verb("delete", "Delete webhooks, and what waits to be delivered to them.", "removeWebhook"),
            Verb("test", "Send a trial body, built from -d key=value, and tell what the target answered.",
                 "testWebhook"),
            Verb("deliveries", "List the newest attempts to deliver."),
            Verb("replay",
                 "Deliver events again: those named, else all it missed since the last one it took."),
        ), singular="webhook"),
        Noun("events", "Events: what happened", (
            Verb("list", "List what happened, newest first."),
            Verb("get", "Show events."),
        ), singular="event"),
        Noun("listen", "Print events as they happen, and forward them; nothing is lost over a restart"),
    ),
    *group_nouns("server",
        Noun("server", "The API server on this machine", (
            Verb("start", "Serve the API until a signal comes."),
            Verb("status", "Ask a server what it is and whether it answers.", "ping"),
        )),
        Noun("worker", "Background work: webhooks, trackers, purchases", (
            Verb("run", "Do background work: deliver webhooks, refresh trackers, settle purchases."),
            Verb("status", "Show how much work waits, runs and failed, and which workers run."),
            Verb("jobs", "List jobs, do failed ones again, or discard them."),
        ), default="run"),
        Noun("api", "Send any request to the API", calls=EVERYWHERE),
        Noun("auth", "Log-ins to servers that --api-url names", (
            Verb("login", "Keep the key of a server, once it is known to be good.", EVERYWHERE),
            Verb("logout", "Forget the key of a server.", EVERYWHERE),
            Verb("status", "Say which server commands ask, and as whom.", EVERYWHERE),
            Verb("token", "Get a pair of tokens for an e-mail address and its password.", "authenticate"),
            Verb("otp", "Take the second step of a log-in.", "getVerifiedToken"),
            Verb("refresh", "Get a new pair of tokens.", "refreshToken"),
            Verb("verify", "Say whether a token is good.", "verifyToken"),
        )),
        Noun("keys", "API keys of the server", (
            Verb("create", "Make an API key for this mode; it is shown once."),
            Verb("list", "List the API keys; the keys themselves are not kept."),
            Verb("revoke", "Revoke API keys; they are refused from now on."),
        )),
        Noun("users", "Users: people who log in to the server", (
            Verb("create", "Add a user; the password is asked for, or read from a file."),
            Verb("list", "List the users."),
            Verb("disable", "Disable users; they are logged out and can't log in any more."),
            Verb("password", "Give a user another password; they are logged out."),
            Verb("totp", "Ask a user for codes of an authenticator app; what the app reads is shown once."),
        ), singular="user"),
        Noun("oauth", "OAuth2 clients: programs that act for users of the server", (
            Verb("create", "Add a client; its secret is shown once."),
            Verb("list", "List the clients; their secrets are not kept."),
            Verb("remove", "Remove clients; what they were given is refused from now on."),
        )),
        Noun("logs", "The request log of the server", (
            Verb("list", "List the calls of the API, newest first."),
            Verb("get", "Show calls with what was sent and answered."),
            Verb("curl", "Print calls as lines for the shell; the key comes from SHIPCLI_API_KEY."),
            Verb("tail", "Print calls as they happen."),
        )),
        Noun("traces", "Exchanges with carriers", (
            Verb("list", "List the exchanges with carriers, newest first."),
            Verb("get", "Show exchanges with what was sent and answered."),
        )),
    ),
    *group_nouns("home",
        Noun("setup", "Set up mode, units, shipper, a carrier and a printer"),
        Noun("config", "Settings and where each value comes from", (
            Verb("show", "Show all settings, and what each is for."),
            Verb("set", "Set a setting in your settings file.", "retrieveAddress"),
            Verb("get", "Print one setting."),
            Verb("unset", "Remove a setting from your settings file."),
        )),
        Noun("db", "The store: look inside, backup, restore, care", (
            Verb("path", "Print where the store is."),
            Verb("info", "Show the size, version and contents of the store."),
            Verb("tables", "List the tables of the store."),
            Verb("schema", "Print the SQL that makes the tables of the store."),
            Verb("query", "Show the rows of an SQL statement; nothing can be changed this way."),
            Verb("export", "Write all rows of a table, as CSV unless another form is asked for."),
            Verb("backup", "Write a backup of the store, unless the store is damaged."),
            Verb("restore", "Put a backup in place of the store."),
            Verb("migrate", "Bring an older store to the version of this program."),
            Verb("check", "Look for damage in the store, and for the backup to restore."),
            Verb("prune", "Remove old traces and logs."),
        )),
        Noun("sandbox", "The sandbox: simulated carriers", (
            Verb("ledger", "Show what the simulated carriers hold."),
            Verb("up", "Serve a sandbox that is thrown away afterwards."),
        )),
        Noun("demo", "The main job on a sample file, simulated and offline"),
        Noun("doctor", "Look for what is wrong or missing, and say what to type"),
        Noun("completion", "Completion of the command line in your shell", (
            Verb("bash", "Print the completion script for bash.", EVERYWHERE),
            Verb("zsh", "Print the completion script for zsh.", EVERYWHERE),
            Verb("fish", "Print the completion script for fish.", EVERYWHERE),
            Verb("powershell", "Print the completion script for PowerShell.", EVERYWHERE),
            Verb("install", "Install completion for your shell.", EVERYWHERE),
        )),
        Noun("options", "Explain the options that every command takes", calls=EVERYWHERE),
        Noun("version", "Print the version", calls=EVERYWHERE),
    ),
)  # fmt: skip


def find_noun(name: str) -> Noun | None:
    """The noun with a name, plural or singular."""
    return next((row for row in NOUNS if name and name in (row.name, row.singular)), None)


def list_calls(path: Sequence[str]) -> tuple[str, ...]:
    """The names of the API operations that a command runs."""
    row = find_noun(path[0])
    found = row.verb(path[1]) if row and len(path) > 1 else row
    return tuple(found.calls.split()) if found else ()


def list_words() -> list[str]:
    """Every noun that can be typed."""
    return [name for row in NOUNS if not row.hidden for name in (row.name, row.singular) if name]
