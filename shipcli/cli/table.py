"""Every noun and verb: what `--help` and completion show without importing a command.

Add a noun here when its module exists. A noun without verbs is a command itself.
"""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """One command of a noun. `instead` names what replaces a deprecated one."""

    name: str
    help: str
    instead: str = ""
    hidden: bool = False


class Noun(NamedTuple):
    """One noun: its module is `shipcli.cli.<module>`. `default` is the verb meant when none is given."""

    name: str
    help: str
    verbs: tuple[Verb, ...] = ()
    module: str = ""
    singular: str = ""
    default: str = ""
    hidden: bool = False

    @property
    def path(self) -> str:
        """The module that holds the commands."""
        return f"shipcli.cli.{self.module or self.name.replace('-', '_')}"

    def verb(self, name: str) -> Verb | None:
        """The verb of a name or alias."""
        known = {verb.name: verb for verb in self.verbs}
        return known.get(name) or known.get(ALIASES.get(name, ""))


ALIASES = {"show": "get"}

NOUNS: tuple[Noun, ...] = (
    Noun("ship", "Buy labels in one step, of drafts or of new shipments"),
    Noun("quote", "Ask all carriers for prices; nothing is stored", module="rates"),
    Noun("track", "Show where a parcel is", module="trackers"),
    Noun("print", "Print labels", module="labels"),
    Noun("reprint", "Print labels again", module="labels"),
    Noun("void", "Void labels with their carriers", module="labels"),
    Noun("find", "Find shipments, trackers and addresses by any words in them"),
    Noun("addresses", "Addresses: store, check and find them", (
        Verb("list", "List the stored addresses, newest first."),
        Verb("get", "Show addresses."),
        Verb("create", "Store an address, or every address of a file."),
        Verb("update", "Change fields of an address."),
        Verb("delete", "Delete addresses."),
        Verb("find", "Find addresses by any text in them."),
        Verb("validate", "Check an address against the postal rules of its country."),
        Verb("default", "Make an address the one that ships when a command names none."),
    ), singular="address"),
    Noun("parcels", "Parcels: weights, sizes and the carriers' boxes", (
        Verb("list", "List the stored parcels, newest first."),
        Verb("get", "Show parcels."),
        Verb("create", "Store a parcel, or every parcel of a file."),
        Verb("update", "Change fields of a parcel."),
        Verb("delete", "Delete parcels."),
        Verb("presets", "List the boxes of the carriers."),
    ), singular="parcel"),
    Noun("shipments", "Shipments: what is sent", (
        Verb("list", "List the shipments, newest first."),
        Verb("get", "Show shipments."),
        Verb("create", "Store a draft with its rates, of each shipment of a file."),
        Verb("update", "Change a draft; metadata of any shipment."),
        Verb("rates", "Ask carriers again what a draft costs."),
        Verb("buy", "Buy the labels of drafts, at the rate named or chosen."),
        Verb("cancel", "Cancel shipments; labels that were bought are voided."),
        Verb("resolve", "Close a purchase whose outcome is unknown."),
    ), singular="shipment"),
    Noun("rates", "Rates: what carriers ask", (
        Verb("quote", "Ask all carriers for prices; nothing is stored."),
    ), singular="rate"),
    Noun("labels", "Labels: save, merge, print, void", (
        Verb("save", "Save labels as files, one per shipment."),
        Verb("merge", "Merge labels into one file, in the order named."),
        Verb("print", "Print labels."),
        Verb("reprint", "Print labels again."),
        Verb("void", "Void labels with their carriers."),
        Verb("buy", "Buy a label at one of the rates in a file; no shipment is stored."),
    ), singular="label"),
    Noun("trackers", "Trackers: where parcels are", (
        Verb("list", "List the trackers, newest first."),
        Verb("get", "Show trackers, as they are stored."),
        Verb("add", "Watch a tracking number."),
        Verb("update", "Change the info and metadata of a tracker."),
        Verb("remove", "Stop watching; the shipments stay."),
        Verb("refresh", "Ask the carriers now."),
    ), singular="tracker"),
    Noun("orders", "Orders: what was sold and is to be shipped", (
        Verb("list", "List the orders, newest first."),
        Verb("get", "Show orders with their shipments."),
        Verb("create", "Store an order, or every order of a file."),
        Verb("update", "Change options and metadata of an order."),
        Verb("cancel", "Cancel orders of which nothing was shipped."),
        Verb("dismiss", "Cancel orders; the older name of it.", instead="shipcli orders cancel"),
        Verb("fulfil", "Turn orders into bought shipments."),
    ), singular="order"),
    Noun("batches", "Batches: many objects in one request, done in the background", (
        Verb("list", "List the batches, newest first."),
        Verb("get", "Show batches with what became of their resources."),
        Verb("watch", "Follow a batch to its end; its outcome is the exit code."),
        Verb("retry", "Try the failed resources of a batch again, or go on with one that was interrupted."),
        Verb("orders", "Store the orders of a file; those that exist are used as they are."),
        Verb("shipments", "Store and rate the shipments of a file; those that name a service are bought."),
        Verb("trackers", "Watch the tracking numbers of a file."),
    ), singular="batch"),
    Noun("import", "Import files: orders, shipments, trackers, invoices", (
        Verb("orders", "Import orders from a file; rows with the same order number are one order."),
        Verb("shipments", "Import shipments from a file; with --buy their labels are bought."),
        Verb("trackers", "Import trackers from a file; update asks the carriers of known numbers again."),
        Verb("invoices", "Import lines of carrier invoices; each is noted with its shipment, once."),
        Verb("templates", "Manage data templates: which columns of a file fill which fields."),
    ), module="imports"),
    Noun("export", "Export files that imports read back", (
        Verb("orders", "Export orders, a row per line item; fulfilled and delivered ones by default."),
        Verb("shipments", "Export shipments, a row each; bought and moving ones by default."),
        Verb("trackers", "Export trackers, a row each."),
    ), module="exports"),
    Noun("pickups", "Pickups: collections booked with carriers", (
        Verb("list", "List the pickups, newest first."),
        Verb("get", "Show pickups."),
        Verb("schedule", "Book a collection of bought shipments."),
        Verb("update", "Change a booked collection, with the carrier too."),
        Verb("cancel", "Cancel booked collections; their shipments are free again."),
    ), singular="pickup"),
    Noun("manifests", "Manifests: the carriers' forms of a day's shipments", (
        Verb("list", "List the manifests, newest first."),
        Verb("get", "Show manifests."),
        Verb("create", "Close bought shipments with their carrier, on a form per account and place."),
        Verb("print", "Print the forms of manifests, or write them to a file."),
    ), singular="manifest"),
    Noun("eod", "Close the day: manifests, pickups, and what still lacks a label"),
    Noun("webhooks", "Webhooks: who is told of events", (
        Verb("list", "List the webhooks; secrets are masked."),
        Verb("get", "Show webhooks; secrets are masked."),
        Verb("create", "Subscribe a web address to events; its secret is shown."),
        Verb("update", "Change a webhook, or enable it again."),
        Verb("delete", "Delete webhooks, and what waits to be delivered to them."),
        Verb("test", "Send a trial body, built from -d key=value, and tell what the target answered."),
        Verb("deliveries", "List the newest attempts to deliver."),
        Verb("replay", "Deliver events again: those named, else all it missed since the last one it took."),
    ), singular="webhook"),
    Noun("events", "Events: what happened", (
        Verb("list", "List what happened, newest first."),
        Verb("get", "Show events."),
    ), singular="event"),
    Noun("listen", "Print events as they happen, and forward them; nothing is lost over a restart"),
    Noun("worker", "Background work: webhooks, trackers, purchases", (
        Verb("run", "Do background work: deliver webhooks, refresh trackers, settle purchases."),
        Verb("status", "Show how much work waits, runs and failed, and which workers run."),
        Verb("jobs", "List jobs, do failed ones again, or discard them."),
    ), default="run"),
    Noun("documents", "Documents: invoices, slips, customs forms, and your own", (
        Verb("generate", "Make a document of a template and your data."),
        Verb("make", "Make built-in documents of shipments or orders, as one file."),
        Verb("merge", "Merge labels, invoices or manifests into one file, in the order named."),
    ), singular="document"),
    Noun("templates", "Templates: what your own documents are made of", (
        Verb("list", "List the templates, newest first."),
        Verb("get", "Show templates."),
        Verb("create", "Store a template."),
        Verb("update", "Change fields of a template."),
        Verb("delete", "Delete templates."),
        Verb("preview", "Render a template with a sample, or with your own shipments or orders."),
    ), singular="template"),
    Noun("uploads", "Uploads: documents that carriers were sent", (
        Verb("list", "List what carriers were sent, newest first."),
        Verb("get", "Show what carriers were sent."),
        Verb("create", "Send documents of a bought shipment to its carrier."),
    ), singular="upload"),
    Noun("printers", "Printers: where papers go, and what waits for them", (
        Verb("list", "List the printers."),
        Verb("add", "Add a printer."),
        Verb("test", "Print a page that says what a printer is."),
        Verb("remove", "Forget a printer."),
        Verb("default", "Make a printer the one that is meant where nothing else decides."),
        Verb("queue", "List the print jobs that wait or may have been printed, newest first."),
        Verb("resume", "Send waiting jobs again; one that may have been printed only when it is named."),
        Verb("cancel", "Give up a print job, or say that it was printed after all."),
    ), singular="printer"),
    Noun("carriers", "Carriers: what each one offers and needs", (
        Verb("list", "List the carriers."),
        Verb("get", "Show what a carrier offers and what a connection to it needs."),
        Verb("services", "List the services of a carrier."),
        Verb("options", "List the shipping options of a carrier."),
        Verb("fields", "List what a connection to a carrier is asked for."),
    ), singular="carrier"),
    Noun("connections", "Connections: your accounts with carriers", (
        Verb("list", "List the connections; credentials are masked."),
        Verb("get", "Show connections; credentials are masked."),
        Verb("add", "Add an account with a carrier."),
        Verb("update", "Change a connection."),
        Verb("remove", "Remove connections; what was bought with them stays."),
        Verb("check", "Ask carriers whether they accept the stored credentials."),
    ), singular="connection"),
    Noun("references", "Reference maps: countries, services, options", (
        Verb("get", "Show a reference map, or the names of all maps."),
    ), singular="reference", default="get"),
    Noun("config", "Settings and where each value comes from", (
        Verb("show", "Show all settings."),
        Verb("set", "Set a setting in your settings file."),
        Verb("get", "Print one setting."),
        Verb("unset", "Remove a setting from your settings file."),
    )),
    Noun("db", "The store: backup, restore, care", (
        Verb("path", "Print where the store is."),
        Verb("info", "Show the size, version and contents of the store."),
        Verb("backup", "Write a backup of the store."),
        Verb("restore", "Put a backup in place of the store."),
        Verb("migrate", "Bring an older store to the version of this program."),
        Verb("check", "Look for damage in the store."),
        Verb("prune", "Remove old traces and logs."),
    )),
    Noun("sandbox", "The sandbox: simulated carriers", (
        Verb("ledger", "Show what the simulated carriers hold."),
        Verb("up", "Serve a sandbox that is thrown away afterwards."),
    )),
    Noun("server", "The API server on this machine", (
        Verb("start", "Serve the API until a signal comes."),
    ), module="serve"),
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
    Noun("demo", "The main job on a sample file, simulated and offline"),
    Noun("doctor", "Look for what is wrong, from the store to purchases"),
    Noun("completion", "Completion of the command line in your shell", (
        Verb("bash", "Print the completion script for bash."),
        Verb("zsh", "Print the completion script for zsh."),
        Verb("fish", "Print the completion script for fish."),
        Verb("powershell", "Print the completion script for PowerShell."),
        Verb("install", "Install completion for your shell."),
    )),
    Noun("version", "Print the version"),
)  # fmt: skip


def noun(name: str) -> Noun | None:
    """The noun of a name, plural or singular."""
    return next((row for row in NOUNS if name and name in (row.name, row.singular)), None)


def words() -> list[str]:
    """Every noun that can be typed."""
    return [name for row in NOUNS if not row.hidden for name in (row.name, row.singular) if name]
