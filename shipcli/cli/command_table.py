"""Every noun and verb: which commands there are, without importing any; what they say is in `help_index`.

Add a noun here when its module exists. A noun without verbs is a command itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shipcli.cli.help_index import read_help

EVERYWHERE = "*"  # a command that asks no store and no server, or chooses between them by itself


class Verb(NamedTuple):
    """One command of a noun.

    Shapes: `calls` are the API operations it runs, by name, separated by spaces (reading what a line names
            is not told); a command without any works on this machine only. `instead` names what replaces a
            deprecated one.
    """

    name: str
    calls: str = ""
    instead: str = ""
    hidden: bool = False


class Noun(NamedTuple):
    """One noun: its module is `shipcli.cli.commands.<group>.<module>`, by default that with its name.

    A `module` with a dot names its group too. `about` is what a noun with verbs is about, `default` is the
    verb meant when none is given.
    """

    name: str
    about: str = ""
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

    @property
    def title(self) -> str:
        """The line of the first page of help."""
        return self.about or read_help(self.name)["help"].removesuffix(".")

    def verb(self, name: str) -> Verb | None:
        """The verb with a name or alias."""
        verbs = {verb.name: verb for verb in self.verbs}
        return verbs.get(name) or verbs.get(ALIASES.get(name, ""))


ALIASES = {"show": "get"}
TOOLS = frozenset({
    ("listen",), ("logs",), ("traces",), ("events",), ("keys",), ("users",), ("oauth",), ("worker",),
    ("doctor",), ("webhooks", "deliveries"), ("webhooks", "replay"), ("sandbox",),
})  # fmt: skip
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
}  # how the first page of help is parted, and the folders of the commands


def group_nouns(group: str, *nouns: Noun) -> tuple[Noun, ...]:
    """The nouns in a group."""
    return tuple(noun._replace(group=group) for noun in nouns)


NOUNS: tuple[Noun, ...] = (
    *group_nouns("bench",
        Noun("ship", calls="findPurchase quoteShipment quoteDraft buyRate buyOrder"),
        Noun("return", module="returns", calls="retrieveShipment findPurchase quoteShipment buyRate"),
        Noun("quote", module="rates", calls="fetchRates"),
        Noun("track", module="moving.trackers", calls="retrieveTracker addTracker"),
        Noun("open", module="moving.trackers", calls="retrieveShipment"),
        Noun("print", module="print_labels", calls="retrieveShipment"),
        Noun("reprint", module="print_labels", calls="retrieveShipment"),
        Noun("void", module="labels", calls="cancelShipment updateShipment"),
        Noun("find", calls="listShipments listOrders listTrackers listAddresses"),
        Noun("eod", calls="createManifest schedulePickup"),
        Noun("station", "Packing station: scan, weigh, buy, print", (
            Verb("run", EVERYWHERE),
            Verb("sheet", EVERYWHERE),
        ), default="run"),
        Noun("shipments", "Shipments: drafts and bought labels", (
            Verb("list", "listShipments"),
            Verb("get", "retrieveShipment"),
            Verb("create", "createShipment findPurchase quoteShipment buyRate"),
            Verb("update", "updateShipment"),
            Verb("rates", "fetchShipmentRates"),
            Verb("buy", "findPurchase quoteDraft buyRate"),
            Verb("cancel", "cancelShipment"),
            Verb("resolve", "resolveShipment"),
        ), singular="shipment"),
        Noun("rates", "Rates: prices of carriers", (
            Verb("quote", "fetchRates"),
        ), singular="rate"),
        Noun("labels", "Labels: save, merge, print, void", (
            Verb("save", "retrieveShipment"),
            Verb("merge", "retrieveShipment"),
            Verb("print", "retrieveShipment"),
            Verb("reprint", "retrieveShipment"),
            Verb("void", "cancelShipment updateShipment"),
            Verb("buy", "fetchRates buyLabel"),
        ), singular="label"),
        Noun("addresses", "Addresses: store, check and find them", (
            Verb("list", "listAddresses"),
            Verb("get", "retrieveAddress"),
            Verb("create", "createAddress"),
            Verb("update", "updateAddress"),
            Verb("delete", "discardAddress"),
            Verb("find", "listAddresses"),
            Verb("validate", "retrieveAddress validateAddress"),
            Verb("default", "retrieveAddress"),
            Verb("import", "createAddress"),
            Verb("duplicates", "listAddresses updateAddress discardAddress"),
        ), singular="address"),
        Noun("parcels", "Parcels: weights, sizes and the carriers' boxes", (
            Verb("list", "listParcels"),
            Verb("get", "retrieveParcel"),
            Verb("create", "createParcel"),
            Verb("update", "updateParcel"),
            Verb("delete", "discardParcel"),
            Verb("presets", "references listCarriers"),
        ), singular="parcel"),
    ),
    *group_nouns("orders",
        Noun("orders", "Orders: what was sold and must be shipped", (
            Verb("list", "listOrders"),
            Verb("get", "retrieveOrder"),
            Verb("create", "createOrder"),
            Verb("update", "updateOrder"),
            Verb("edit", "retrieveOrder editOrder"),
            Verb("split", "retrieveOrder splitOrder"),
            Verb("combine", "retrieveOrder combineOrders"),
            Verb("cancel", "cancelOrder"),
            Verb("dismiss", "dismissOrder", instead="shipcli orders cancel"),
            Verb("fulfil", "quoteShipment buyOrder"),
        ), singular="order"),
        Noun("methods", "Methods: the service for each delivery method that customers pay for", (
            Verb("list"),
            Verb("map", "references"),
            Verb("remove"),
        ), singular="method"),
        Noun("rules", "Rules: conditions that choose service, box, options and printer", (
            Verb("list", "listRules"),
            Verb("add", "addRule"),
            Verb("get", "retrieveRule"),
            Verb("test", "testRules"),
            Verb("move", "updateRule"),
            Verb("enable", "updateRule"),
            Verb("disable", "updateRule"),
            Verb("delete", "retrieveRule discardRule"),
            Verb("import", "replaceRules"),
            Verb("export", "listRules"),
        ), singular="rule"),
        Noun("explain", calls="explainChoice"),
        Noun("products", "Products: weight, value and customs data by SKU", (
            Verb("list"),
            Verb("get"),
            Verb("set"),
            Verb("import"),
            Verb("delete"),
        ), singular="product"),
    ),
    *group_nouns("files",
        Noun("import", "Import files: orders, shipments, trackers, invoices", (
            Verb("orders", "storeOrders"),
            Verb("shipments", "findRows storeRows fetchShipmentRates purchaseShipment takeBack"),
            Verb("trackers", "addTracker"),
            Verb("invoices", "importFile"),
            Verb("templates"),
            Verb("columns"),
            Verb("example"),
        ), module="import_nouns"),
        Noun("export", "Export files: those that imports read, and numbers back to the shops", (
            Verb("orders", "listOrders exportRows"),
            Verb("shipments", "listShipments exportRows"),
            Verb("trackers", "listTrackers exportRows"),
            Verb("tracking", "listNumbers markNumbers"),
        )),
        Noun("reports", "Reports: costs, carriers, what is late, and the carriers' bills", (
            Verb("day", "readReport"),
            Verb("spend", "readReport"),
            Verb("cost", "readReport"),
            Verb("zones", "readReport"),
            Verb("carriers", "readReport"),
            Verb("late", "readReport"),
            Verb("bills", "readReport"),
        ), singular="report"),
        Noun("batches", "Batches: many objects in one request, processed in the background", (
            Verb("list", "listBatchOperations"),
            Verb("get", "retrieveBatchOperation"),
            Verb("watch", "retrieveBatchOperation"),
            Verb("retry"),
            Verb("orders", "createOrders"),
            Verb("shipments", "createShipments"),
            Verb("trackers", "createTrackers"),
            Verb("import", "importFile"),
        ), singular="batch"),
    ),
    *group_nouns("moving",
        Noun("trackers", "Trackers: where parcels are", (
            Verb("list", "listTrackers"),
            Verb("get", "retrieveTracker"),
            Verb("add", "addTracker"),
            Verb("create", "createTracker", instead="shipcli trackers add"),
            Verb("update", "updateTracker"),
            Verb("remove", "removeTracker"),
            Verb("refresh", "addTracker"),
            Verb("link", "retrieveTrackingLink"),
        ), singular="tracker"),
        Noun("mails", "Mails: what customers are told of their parcels", (
            Verb("list", "listMails"),
            Verb("get", "retrieveMail"),
            Verb("setup"),
            Verb("look"),
            Verb("edit"),
            Verb("preview"),
            Verb("test"),
            Verb("retry"),
        ), singular="mail"),
        Noun("pickups", "Pickups: collections booked with carriers", (
            Verb("list", "listPickups"),
            Verb("get", "retrievePickup"),
            Verb("schedule", "schedulePickup"),
            Verb("update", "updatePickup dropFromPickup"),
            Verb("cancel", "cancelPickup"),
            Verb("resolve", "resolvePickup"),
        ), singular="pickup"),
        Noun("manifests", "Manifests: the carriers' lists of a day's shipments", (
            Verb("list", "listManifests"),
            Verb("get", "retrieveManifest"),
            Verb("create", "createManifest"),
            Verb("print", "retrieveManifest"),
            Verb("resolve", "resolveManifest"),
        ), singular="manifest"),
    ),
    *group_nouns("papers",
        Noun("documents", "Documents: invoices, slips, customs forms, and your own", (
            Verb("generate", "generateDocument"),
            Verb("make", "retrieveShipment retrieveOrder"),
            Verb("merge", "retrieveShipment retrieveOrder retrieveManifest"),
        ), singular="document"),
        Noun("templates", "Templates: layouts of your own documents", (
            Verb("list", "listDocumentTemplates"),
            Verb("get", "retrieveDocumentTemplate"),
            Verb("create", "createDocumentTemplate"),
            Verb("update", "updateDocumentTemplate"),
            Verb("delete", "discardDocumentTemplate"),
            Verb("preview", "generateDocument"),
        ), singular="template"),
        Noun("uploads", "Uploads: documents sent to carriers", (
            Verb("list", "listUploads"),
            Verb("get", "retrieveUpload"),
            Verb("create", "uploadDocuments"),
        ), singular="upload"),
        Noun("printers", "Printers: where labels and documents are printed, and the print queue", (
            Verb("list"),
            Verb("add"),
            Verb("test"),
            Verb("remove"),
            Verb("default"),
            Verb("queue"),
            Verb("resume"),
            Verb("cancel"),
        ), singular="printer"),
        Noun("scales", "Scales: serial, on USB or simulated, for --weight scale and the station", (
            Verb("list", EVERYWHERE),
            Verb("add", EVERYWHERE),
            Verb("test", EVERYWHERE),
            Verb("remove", EVERYWHERE),
        ), singular="scale"),
    ),
    *group_nouns("carriers",
        Noun("carriers", "Carriers: what each one offers and needs", (
            Verb("list", "listCarriers"),
            Verb("get", "listCarriers"),
            Verb("services", "getServices"),
            Verb("options", "references"),
            Verb("presets", "references listCarriers"),
            Verb("fields", "listCarriers"),
        ), singular="carrier"),
        Noun("connections", "Connections: your accounts with carriers", (
            Verb("list", "listCarrierConnections"),
            Verb("get", "retrieveCarrierConnection"),
            Verb("add", "addCarrierConnection checkConnection"),
            Verb("update", "updateCarrierConnection checkConnection"),
            Verb("migrate", "retrieveCarrierConnection addCarrierConnection updateCarrierConnection "
                            "checkConnection"),
            Verb("remove", "removeCarrierConnection"),
            Verb("check", "checkConnection"),
        ), singular="connection"),
        Noun("locations", calls="findLocations"),
        Noun("references", "Reference maps: countries, services, options", (
            Verb("get", "references"),
        ), singular="reference", default="get"),
        Noun("proxy", "Requests passed straight to carriers, with API bodies; nothing is stored", (
            Verb("rates", "fetchRates"),
            Verb("shipping", "fetchRates buyLabel"),
            Verb("void", "voidLabel"),
            Verb("tracking", "getTracking"),
            Verb("track", "trackShipment", instead="shipcli proxy tracking"),
            Verb("pickup", "pickupSchedule"),
            Verb("pickup-update", "pickupUpdate"),
            Verb("pickup-cancel", "pickupCancel"),
            Verb("manifest", "generateManifest"),
        )),
    ),
    *group_nouns("events",
        Noun("webhooks", "Webhooks: addresses that events are sent to", (
            Verb("list", "listWebhooks"),
            Verb("get", "retrieveWebhook"),
            Verb("create", "createWebhook"),
            Verb("update", "updateWebhook"),
            Verb("delete", "removeWebhook"),
            Verb("test", "testWebhook"),
            Verb("deliveries", "listDeliveries"),
            Verb("replay", "replayEvents"),
        ), singular="webhook"),
        Noun("events", "Events: what happened", (
            Verb("list", "listEvents"),
            Verb("get", "retrieveEvent"),
        ), singular="event"),
        Noun("listen", calls="beginListening listPendingEvents markEventsPassed"),
        Noun("trigger", calls="triggerSandboxEvent"),
    ),
    *group_nouns("server",
        Noun("server", "The API server on this machine", (
            Verb("start"),
            Verb("status", "ping"),
        )),
        Noun("worker", "Background work: webhooks, mails, trackers, purchases", (
            Verb("run"),
            Verb("status", "readWorkerStatus"),
            Verb("jobs", "listJobs retryJobs discardJobs"),
        ), default="run"),
        Noun("api", calls=EVERYWHERE),
        Noun("mcp", calls=EVERYWHERE),
        Noun("auth", "Log-ins to servers that --api-url names", (
            Verb("login", EVERYWHERE),
            Verb("logout", EVERYWHERE),
            Verb("status", EVERYWHERE),
            Verb("token", "authenticate"),
            Verb("otp", "getVerifiedToken"),
            Verb("refresh", "refreshToken"),
            Verb("verify", "verifyToken"),
        )),
        Noun("keys", "API keys of the server", (
            Verb("create", "createKey"),
            Verb("list", "listKeys"),
            Verb("revoke", "revokeKey"),
        )),
        Noun("users", "Users: people who log in to the server", (
            Verb("create", "createUser"),
            Verb("list", "listUsers"),
            Verb("disable", "disableUser"),
            Verb("password", "retrieveUser changePassword"),
            Verb("totp", "retrieveUser requireCodes requireNoCodes"),
        ), singular="user"),
        Noun("oauth", "OAuth2 clients: programs that act for users of the server", (
            Verb("create", "createClient"),
            Verb("list", "listClients"),
            Verb("remove", "removeClient"),
        )),
        Noun("logs", "The request log of the server", (
            Verb("list", "listSandboxRecords"),
            Verb("get", "retrieveSandboxRecord"),
            Verb("curl", "retrieveSandboxRecord"),
            Verb("tail", "followSandboxRecords"),
        )),
        Noun("traces", "Exchanges with carriers", (
            Verb("list", "listSandboxRecords"),
            Verb("get", "retrieveSandboxRecord"),
        )),
    ),
    *group_nouns("home",
        Noun("setup"),
        Noun("config", "Settings, and where each value comes from", (
            Verb("show"),
            Verb("set", "retrieveAddress"),
            Verb("get"),
            Verb("unset"),
        )),
        Noun("db", "The store: look inside, backup, restore, care", (
            Verb("path"),
            Verb("info"),
            Verb("tables"),
            Verb("schema"),
            Verb("query"),
            Verb("export"),
            Verb("backup"),
            Verb("restore"),
            Verb("migrate"),
            Verb("check"),
            Verb("copy"),
            Verb("prune"),
        )),
        Noun("sandbox", "The sandbox: simulated carriers", (
            Verb("ledger", "readSandboxLedger"),
            Verb("list", EVERYWHERE),
            Verb("scenarios", "listSandboxScenarios"),
            Verb("clock", "showSandboxClock freezeSandboxClock setSandboxClock advanceSandboxClock "
                          "setSandboxClockSpeed followRealTime"),
            Verb("track", "moveSandboxParcel"),
            Verb("fault", "listSandboxFaults addSandboxFault removeSandboxFault clearSandboxFaults "
                          "applySandboxProfile"),
            Verb("requests", "listSandboxRequests clearSandboxRequests"),
            Verb("inbox", "listSandboxInbox"),
            Verb("expect", "expectSandboxRequests"),
            Verb("reset", "resetSandbox"),
            Verb("snapshot", "saveSnapshot restoreSnapshot listSnapshots removeSnapshot"),
            Verb("workspace", "createWorkspace listWorkspaces removeWorkspace"),
            Verb("record", EVERYWHERE),
            Verb("replay", EVERYWHERE),
            Verb("up"),
            Verb("wait", EVERYWHERE),
        )),
        Noun("demo"),
        Noun("doctor"),
        Noun("completion", "Completion of the command line in your shell", (
            Verb("bash", EVERYWHERE),
            Verb("zsh", EVERYWHERE),
            Verb("fish", EVERYWHERE),
            Verb("powershell", EVERYWHERE),
            Verb("install", EVERYWHERE),
        )),
        Noun("fields", calls=EVERYWHERE),
        Noun("options", module="about", calls=EVERYWHERE),
        Noun("version", module="about", calls=EVERYWHERE),
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


def shows_what_happens(path: Sequence[str]) -> bool:
    """Whether a command shows or serves what goes on in a store, as a developer with a sandbox needs it."""
    return tuple(path[:1]) in TOOLS or tuple(path) in TOOLS


def list_words() -> list[str]:
    """Every noun that can be typed."""
    return [name for row in NOUNS if not row.hidden for name in (row.name, row.singular) if name]
