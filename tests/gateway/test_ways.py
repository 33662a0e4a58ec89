"""Every command that maps to operations, on the store and through a server."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from shipcli.cli import command_table
from shipcli.cli.command_map import map_commands
from shipcli.features.customers.settings import change_settings
from shipcli.features.identity.users import create_user, enrol
from shipcli.models import json
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.table import OPERATIONS, SERVED
from shipcli.security.passwords import PERIOD_S, compute_code
from tests.api.conftest import body
from tests.documents.samples import texts
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER
from tests.gateway.conftest import Line, Served

PASSWORD = "correct horse battery"
LOOKED_UP = ("list", "retrieve", "references")


def test_every_operation_has_a_command_of_its_own() -> None:
    called = {one for row in map_commands() for one in row["operations"]}
    assert {row.id for row in OPERATIONS} - called == set()
    assert len(OPERATIONS) == 80


def test_the_map_is_printed_as_json(typed: Line) -> None:
    shown = typed("--command-map")
    assert shown.code == 0
    rows = {row["command"]: row for row in json.loads(shown.out)}
    assert rows["addresses create"]["operations"] == ["$create"]
    assert rows["orders dismiss"]["deprecated"] is True
    assert rows["db path"]["operations"] == []


# -- the same output -------------------------------------------------------------------------------

READS = [
    ["addresses", "list"],
    ["addresses", "find", "ruiz"],
    ["addresses", "list", "--limit", "1", "--offset", "1"],
    ["addresses", "list", "--all", "--sort", "city"],
    ["parcels", "list"],
    ["parcels", "presets", "--carrier", "ups"],
    ["carriers", "list"],
    ["carriers", "get", "ups"],
    ["carriers", "services", "usps"],
    ["carriers", "services", "canpar"],
    ["carriers", "options", "usps"],
    ["carriers", "presets", "ups"],
    ["carriers", "presets", "fedex"],
    ["carriers", "get", "upps"],
    ["locations", "10001", "--country", "US", "--carrier", "ups"],
    ["locations", "10115", "--country", "DE", "--carrier", "usps"],
    ["connections", "list"],
    ["connections", "list", "--carrier-name", "ups"],
    ["connections", "get", "ups"],
    ["references", "get"],
    ["references", "get", "incoterms"],
    ["references", "get", "incoterm"],
    ["shipments", "list"],
    ["shipments", "list", "--status", "purchased,draft", "--limit", "2"],
    ["shipments", "list", "--status", "bought"],
    ["shipments", "list", "--created-after", "soon"],
    ["shipments", "get", "WAYS-1"],
    ["shipments", "get", "nothing"],
    ["trackers", "list"],
    ["orders", "list"],
    ["orders", "get", "WAYS-1"],
    ["pickups", "list"],
    ["manifests", "list"],
    ["batches", "list"],
    ["webhooks", "list"],
    ["webhooks", "list", "--reveal"],
    ["templates", "list"],
    ["uploads", "list"],
    ["addresses", "create", "--name", "Nobody"],
    ["shipments", "buy", "WAYS-1", "--cheapest"],
    ["addresses", "delete", "adr_00000000000000000000000000000000", "-y"],
]


@pytest.fixture(scope="module")
def stocked(served: Served) -> Served:
    """Some of everything."""
    from shipcli.features.book.addresses import create_address
    from shipcli.features.book.parcels import create_parcel
    from shipcli.features.orders.service import create_order
    from shipcli.features.paper.templates import create_template
    from shipcli.features.shipments.service import create_shipment
    from shipcli.features.webhooks.service import create_webhook
    from shipcli.models import (
        AddressData,
        DocumentTemplateData,
        OrderData,
        ParcelData,
        ShipmentData,
        WebhookData,
    )

    app = served.app
    for one in (RECIPIENT, SHIPPER):
        create_address(app, AddressData.model_validate(one))
    create_parcel(app, ParcelData.model_validate(PARCEL))
    for changes in ({"reference": "WAYS-1"}, {"reference": "WAYS-2", "service": "standard_service"}):
        create_shipment(app, ShipmentData.model_validate(body(**changes)))
    order = {"order_id": "WAYS-1", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    create_order(app, OrderData.model_validate(order))
    create_webhook(app, WebhookData(url="http://127.0.0.1:9/hook", enabled_events=["all"]))
    create_template(app, DocumentTemplateData(name="Note", slug="note", template="<p>{{ data.word }}</p>"))
    return served


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)], ids=["text", "json", "csv"])
@pytest.mark.parametrize("line", READS, ids=" ".join)
def test_a_line_says_the_same_on_both_ways(
    stocked: Served, here: Line, there: Line, line: list[str], form: tuple[str, ...]
) -> None:
    near, far = here(*line, *form), there(*line, *form)
    assert (far.code, far.out) == (near.code, near.out)
    assert re.sub(r'"request_id":"[^"]+"', '"request_id":null', far.err) == near.err


# -- every command through the server --------------------------------------------------------------


class Desk:
    """Lines through the server; which commands were typed and which operations they came to."""

    def __init__(self, served: Served, there: Line) -> None:
        self.served, self._there = served, there
        self.done: dict[str, set[str]] = {}

    def __call__(self, *words: str, code: int = 0, typed: str = "") -> Any:
        """The answer of a line as JSON."""
        self.served.operations()
        got = self._there(*words, "--json", "-y", typed=typed)
        assert got.code == code, f"{words}: {got.code}\n{got.err}\n{got.out[:300]}"
        self.done.setdefault(" ".join(_command(words)), set()).update(self.served.operations())
        return json.loads(got.out) if got.out.strip() else None


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    row = command_table.find_noun(words[0])
    assert row is not None
    return (row.name, words[1]) if row.verbs else (row.name,)


@pytest.fixture
def desk(stocked: Served, there: Line) -> Desk:
    return Desk(stocked, there)


def test_every_command_comes_to_its_operations(desk: Desk, tmp_path: Path) -> None:
    for work in (_addresses, _carriers, _shipping, _orders, _rules, _watching, _customers,
                 _ends_of_days, _papers, _batches,
                 _straight_through, _log_ins, _reports):  # fmt: skip
        work(desk, tmp_path)
    control = {row.id for row in CONTROL}  # in `tests/api/test_control_plane.py`
    rows = {row["command"]: row["operations"] for row in map_commands() if set(row["operations"]) - control}
    names = {row.id: row.name for row in SERVED}
    elsewhere = ("import ", "export ", "eod")  # in `test_files`
    assert {one for one in rows if one not in desk.done and not one.startswith(elsewhere)} == set()
    for command in desk.done & rows.keys():
        operations = rows[command]
        wanted = {names[one] for one in operations}
        assert wanted <= desk.done[command], command
        others = {one for one in desk.done[command] - wanted if not one.startswith(LOOKED_UP)}
        assert others == set(), command


def _file(folder: Path, name: str, value: Any) -> str:
    path = folder / name
    path.write_bytes(value if isinstance(value, bytes) else json.dump_bytes(value))
    return str(path)


def _addresses(desk: Desk, folder: Path) -> None:
    made = desk("addresses", "create", "--from-file", _file(folder, "address.json", RECIPIENT))
    desk("addresses", "get", made["id"])
    desk("addresses", "update", "@last", "--city", "Tempe")
    assert desk("addresses", "get", made["id"][:-4])["city"] == "Tempe"
    desk("addresses", "validate", made["id"])
    desk("addresses", "validate", made["id"], "--carrier", "usps")
    desk("addresses", "update", made["id"], "--nickname", "desk two", "--name", "Zora Quill")
    assert desk("addresses", "get", "Desk Two")["id"] == desk("addresses", "get", "quill")["id"] == made["id"]
    desk("addresses", "list")
    assert desk("addresses", "find", "tempe")["count"] == 1
    twin = _file(folder, "twin.csv", b"Full name,Town,Land\nquill zora,tempe,US\n")
    assert desk("addresses", "import", twin)["created"] == 1
    desk("addresses", "create", "--name", "Zora Quill", "--city", "Tempe",
         "--country", "US", "--phone", "480 555 0100")  # fmt: skip
    assert len(desk("addresses", "duplicates", "--merge", "-y")) == 1
    desk("config", "set", "shipper", made["id"])
    desk("addresses", "default", "@last")
    assert desk("addresses", "default")["value"] == made["id"]
    assert desk("addresses", "delete", made["id"])["id"] == made["id"]
    assert desk("find", "WAYS-2")[0]["kind"] == "shipment"
    assert {one["kind"] for one in desk("find", ITEM["title"])} == {"order"}
    parcel = desk("parcels", "create", "--weight", "2kg")
    desk("parcels", "get", parcel["id"])
    desk("parcels", "update", parcel["id"], "--weight", "3kg")
    desk("parcels", "list")
    desk("parcels", "presets")
    desk("parcels", "presets", "--carrier", "ups")
    desk("parcels", "delete", parcel["id"])


def _carriers(desk: Desk, folder: Path) -> None:
    for line in ("carriers list", "carriers get ups", "carriers services ups", "carriers options ups",
                 "carriers presets ups", "carriers fields ups", "references get countries",
                 "connections list", "server status",
                 "locations 10001 --country US --carrier ups --within 5km --limit 2"):  # fmt: skip
        assert desk(*line.split())
    given = {"display_name": "Van", "custom_carrier_name": "van"}
    made = desk("connections", "add", "generic", "--carrier-id", "van", "--credentials-file",
                _file(folder, "credentials.json", given))  # fmt: skip
    desk("connections", "update", made["id"], "--inactive")
    assert desk("connections", "get", "van")["active"] is False
    desk("connections", "remove", made["id"])
    checked = desk("connections", "add", "generic", "--check", "--carrier-id", "x", "--credentials-file",
                   str(folder / "credentials.json"))  # fmt: skip
    desk("connections", "update", checked["id"], "--check", "--metadata", "a=1")
    assert [one["accepted"] for one in desk("connections", "check", checked["id"])] == [True]
    desk("connections", "remove", checked["id"])
    sheet = _file(folder, "mydhl.json", {"username": "key", "password": "secret"})
    moved = desk("connections", "migrate", "dhl_express", "--carrier-id", "dhl", "--check",
                 "--credentials-file", sheet)  # fmt: skip
    assert (moved["carrier_name"], desk("connections", "get", "dhl_express")["active"]) == ("mydhl", False)
    desk("connections", "update", "dhl_express", "--active")
    desk("connections", "remove", moved["id"])


def _shipping(desk: Desk, folder: Path) -> None:
    draft = desk("shipments", "create", "--from-file", _file(folder, "draft.json", body(reference="DESK-1")))
    desk("shipments", "list", "--reference", "DESK-1")
    desk("shipments", "update", "DESK-1", "--metadata", "bench=2")
    desk("shipments", "rates", draft["id"])
    desk("shipments", "get", "DESK-1")
    desk("shipments", "create", "--from-file",
         _file(folder, "bought.json", body(service="standard_service", reference="DESK-2")))  # fmt: skip
    desk("shipments", "create", "--from-file", str(folder / "bought.json"), "--max-total", "0.01", code=11)
    desk("shipments", "cancel", desk("shipments", "list", "--reference", "DESK-2", "--status", "purchased")[
        "results"][0]["id"])  # fmt: skip
    bought = desk("shipments", "buy", draft["id"], "--cheapest", "--idempotency-key", "auto")
    assert desk("shipments", "buy", draft["id"], "--cheapest", "--idempotency-key", "auto") == bought
    desk("shipments", "buy", draft["id"], "--cheapest", code=5)
    unrated = desk("shipments", "create", "--from-file", _file(folder, "d3.json", body(reference="DESK-3")))
    desk("shipments", "rates", unrated["id"], "--option", "insurance=10")
    _rates_gone(desk, unrated["id"])
    desk("shipments", "buy", unrated["id"], "--fastest")
    desk("labels", "save", draft["id"], "-o", str(folder / "one.pdf"))
    assert (folder / "one.pdf").read_bytes().startswith(b"%PDF")
    desk("labels", "save", draft["id"], "-o", str(folder / "one.png"))
    desk("labels", "merge", draft["id"], unrated["id"], "-o", str(folder / "two.zpl"))
    for one, code in (("print", 0), ("reprint", 0), ("labels print", 5), ("labels reprint", 0)):
        desk(*one.split(), draft["id"], "--to", f"spool:{folder}", code=code)
    assert (folder / "two.zpl").read_bytes().count(b"^XA") >= 2
    assert desk("labels", "void", unrated["id"], "--reason", "wrong box")["status"] == "cancelled"
    assert desk("ship", draft["id"], "--cheapest", code=5) is None
    third = desk("shipments", "create", "--from-file", _file(folder, "d4.json", body(reference="DESK-4")))
    assert desk("ship", third["id"], "--weight", "7lb", "--cheapest")["status"] == "purchased"
    desk("void", third["id"], "--reason", "wrong box")
    new = ("ship", "--from-file", _file(folder, "ship.json", body()), "--cheapest")
    desk(*new, "--dry-run")
    desk(*new, "--max-total", "0.01", code=11)
    assert desk("shipments", "list", "--limit", "1")["results"][0]["status"] == "cancelled"
    assert desk(*new, "--label", str(folder / "ship.pdf"))["tracking_number"]
    fourth = desk("shipments", "create", "--from-file", _file(folder, "d5.json", body(reference="DESK-5")))
    _rates_gone(desk, fourth["id"])
    desk("ship", fourth["id"], "--cheapest")
    assert desk("quote", "--from-file", _file(folder, "quote.json", _priced()))["rates"]
    mug = ("--goods", "Mug:2:12.50USD:6912.00:CN")
    abroad = ("--to-city", "Berlin", "--to-postal-code", "10117", "--to-country", "DE")
    sent = desk("shipments", "create", "--from-file", _file(folder, "goods.json", body()), *abroad, *mug)
    assert [one["hs_code"] for one in sent["customs"]["commodities"]] == ["6912.00"]
    assert desk("rates", "quote", "--from-file", _file(folder, "quote.json", _priced()))["rates"]
    offer = {**_priced(), "rates": desk("quote", "--from-file", str(folder / "quote.json"))["rates"]}
    offer["selected_rate_id"] = offer["rates"][0]["id"]
    desk("labels", "buy", "--from-file", _file(folder, "offer.json", offer), "-o", str(folder / "bought.pdf"))
    assert (folder / "bought.pdf").read_bytes().startswith(b"%PDF")


def _rates_gone(desk: Desk, shipment_id: str) -> None:
    """A change of the parcel empties the rates of a draft."""
    from shipcli.features.book.parcels import update_parcel
    from shipcli.features.shipments.service import get_shipment
    from shipcli.models import ParcelPatch

    app = desk.served.app
    parcel = get_shipment(app, shipment_id).parcels[0]
    update_parcel(app, str(parcel.id), ParcelPatch.model_validate({"weight": 6}))
    assert get_shipment(app, shipment_id).rates == []


def _priced() -> dict[str, Any]:
    return {name: value for name, value in body().items() if name != "carrier_ids"} | {
        "carrier_ids": ["generic"]
    }


def _rules(desk: Desk, folder: Path) -> None:
    file = folder / "rules.yaml"
    desk("rules", "add", "country=CA", "--service", "cheapest", "--name", "North")
    desk("rules", "add", "country=MX", "--option", "insurance=100", "--name", "South")
    assert [rule["name"] for rule in desk("rules", "list")] == ["North", "South"]
    assert desk("rules", "move", "South", "1")["position"] == 1
    assert desk("rules", "disable", "South")["enabled"] is False
    assert desk("rules", "enable", "South")["enabled"] is True
    assert desk("rules", "get", "1")["name"] == "South"
    assert [trial["summary"] for trial in desk("rules", "test", "WAYS-1")] == ["Nothing is left to ship"]
    desk("rules", "export", "-o", str(file))
    assert [rule["name"] for rule in desk("rules", "import", str(file))] == ["South", "North"]
    assert desk("explain", "WAYS-1")["kind"] == "shipment"
    desk("rules", "delete", "North")
    desk("rules", "delete", "South")


def _orders(desk: Desk, folder: Path) -> None:
    order = {"order_id": "DESK-1", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [ITEM]}
    desk("orders", "create", "--from-file", _file(folder, "order.json", order))
    desk("orders", "create", "--from-file", str(folder / "order.json"), code=5)
    desk("orders", "update", "DESK-1", "-d", "metadata.note=fragile")
    assert desk("orders", "get", "DESK-1")["metadata"] == {"note": "fragile"}
    desk("orders", "list")
    desk("orders", "cancel", "DESK-1")
    desk("orders", "create", "--from-file", str(folder / "order.json"))
    newest = desk("orders", "list", "--limit", "1")["results"][0]["id"]
    desk("orders", "dismiss", newest)
    desk("orders", "create", "--from-file", _file(folder, "second.json", {**order, "order_id": "DESK-2"}))
    desk("methods", "map", "Express", "ups_ground")
    desk("orders", "edit", "DESK-2", "--name", "Ada Brooks")
    part = desk("orders", "split", "DESK-2", "--sku", f"{ITEM['title']}:1")
    desk("orders", "combine", "DESK-2", part["order_id"])
    plan = desk("orders", "fulfil", "DESK-2", "--dry-run")
    assert desk("orders", "get", "DESK-2")["shipments"] == []
    done = desk("orders", "fulfil", "DESK-2", "--merge", str(folder / "fulfilled.pdf"))
    assert [one["status"] for one in done] == ["purchased"]
    assert [one["total_charge"] for one in done] == [one["total_charge"] for one in plan]
    assert desk("orders", "fulfil", "DESK-2")[0]["shipment_id"] == done[0]["shipment_id"]
    assert len(desk("orders", "get", "DESK-2")["shipments"]) == 1
    lists = [str(folder / name) for name in ("of-order.pdf", "of-shipment.pdf")]
    desk("documents", "make", "picklist", "DESK-2", "--orders", "-o", lists[0])
    desk("documents", "make", "picklist", done[0]["shipment_id"], "-o", lists[1])
    assert all("DESK-2" in texts(Path(name).read_bytes())[0] for name in lists)
    desk("documents", "make", "slip", done[0]["shipment_id"], "--paper", "4x6", "-o", lists[0])
    assert "Packing slip SAMPLE" in texts(Path(lists[0]).read_bytes())[0]
    desk("documents", "make", "gs1", done[0]["shipment_id"], "-o", lists[0], code=2)
    desk("orders", "create", "--from-file", _file(folder, "third.json", {**order, "order_id": "#DESK-3"}))
    weighed = ("ship", "DESK-3", "--weight", "2lb6oz", "--weight", "1lb", "--cheapest")
    shipped = desk(*weighed)
    assert [parcel["weight"] for parcel in shipped["parcels"]] == [2.375, 1]
    assert len(desk("orders", "get", "#DESK-3")["shipments"]) == 1
    desk("return", shipped["id"], "--carrier", "ups", "--cheapest")
    desk(*weighed, code=5)
    desk(*weighed, "--dry-run", code=5)
    back = desk("return", "DESK-2", "--carrier", "ups", "--cheapest")
    assert back["metadata"] == {"return_of": done[0]["shipment_id"]}
    desk("orders", "fulfil", "--unfulfilled", "--max-total", "0.01", code=11)
    desk("orders", "fulfil", "--unfulfilled", "--label-dir", str(folder))


def _watching(desk: Desk, folder: Path) -> None:
    number = desk("shipments", "list", "--reference", "DESK-1")["results"][0]["tracking_number"]
    made = desk("trackers", "add", "1ZA1B2C30300000399", "--carrier", "ups", "--pending-pickup")
    assert desk("trackers", "get", made["tracking_number"])["id"] == made["id"]
    desk("trackers", "list")
    desk("trackers", "update", made["id"], "--metadata", "a=1")
    desk("trackers", "create", "ups", "1ZA1B2C30300000399")
    assert desk("trackers", "refresh", made["id"])["id"] == made["id"]
    desk("trackers", "remove", made["id"])
    shipment = desk(
        "ship", "--from-file", _file(folder, "usps.json", body(carrier_ids=["usps"])), "--cheapest"
    )
    found = desk("track", shipment["tracking_number"])
    assert found["tracking_number"] == shipment["tracking_number"]
    desk("track", shipment["id"])
    assert "usps.com" in desk("open", shipment["tracking_number"])["carrier_tracking_link"]
    desk("trackers", "remove", found["id"])
    desk("track", shipment["tracking_number"], "--carrier", "usps")
    desk("track", "nothing-of-ours", code=3)
    assert number
    hook = desk("webhooks", "create", "--url", "http://127.0.0.1:9/x", "--events", "all")
    desk("webhooks", "get", hook["id"])
    desk("webhooks", "list")
    desk("webhooks", "update", hook["id"], "--disable")
    assert desk("webhooks", "test", hook["id"], code=8)["success"] is False
    desk("webhooks", "delete", hook["id"])


def _customers(desk: Desk, folder: Path) -> None:
    change_settings(desk.served.app, {"events": ["purchased"]})
    to = {**RECIPIENT, "email": "ana@example.org"}
    told = _file(folder, "told.json", body(carrier_ids=["generic"], recipient=to))
    number = desk("ship", "--from-file", told, "--cheapest")["tracking_number"]
    (mail,) = desk("mail", "list")
    assert desk("mail", "get", mail["id"])["address"] == "ana@example.org"
    assert desk("trackers", "link", number)["url"].startswith("http://127.0.0.1:")
    change_settings(desk.served.app, {"events": []})


def _ends_of_days(desk: Desk, folder: Path) -> None:
    picked = desk("pickups", "schedule", "usps", "2031-05-08", "9-17", "--at", "Dock 2")
    desk("pickups", "get", picked["id"])
    desk("pickups", "list")
    desk("pickups", "update", picked["id"], "--instruction", "ring twice")
    desk("pickups", "update", picked["id"], "--drop", "WAYS-2")
    desk("pickups", "cancel", picked["id"], "--reason", "rain")
    assert desk("pickups", "list")["results"][0]["meta"]["status"] == "cancelled"
    desk("shipments", "resolve", "WAYS-2", "--not-bought", code=5)
    desk("pickups", "resolve", picked["id"], "--not-booked", code=3)
    made = desk("manifests", "create", "usps")
    desk("manifests", "get", made["id"])
    desk("manifests", "list")
    desk("manifests", "resolve", made["id"], "--not-made", code=3)
    desk("manifests", "print", made["id"], "-o", str(folder / "form.pdf"))
    assert (folder / "form.pdf").read_bytes().startswith(b"%PDF")
    desk("manifests", "create", "usps")
    again = desk("ship", "--from-file", str(folder / "usps.json"), "--cheapest")
    assert desk("manifests", "create", "usps", again["id"])["shipment_identifiers"]


def _papers(desk: Desk, folder: Path) -> None:
    html = _file(folder, "page.html", b"<p>{{ data.word }}</p>")
    made = desk("templates", "create", "--name", "Desk", "--slug", "desk", "--html", html)
    desk("templates", "get", "desk")
    desk("templates", "list")
    desk("templates", "update", "desk", "--name", "Bench")
    desk("templates", "preview", "desk", "-o", str(folder / "preview.pdf"))
    desk("documents", "generate", made["id"], "-d", "word=hello", "-o", str(folder / "page.pdf"))
    for name in ("preview.pdf", "page.pdf"):
        assert (folder / name).read_bytes().startswith(b"%PDF")
    desk("templates", "delete", "desk")
    bought = desk("shipments", "list", "--status", "purchased", "--limit", "2")["results"]
    desk("documents", "merge", "label", *(one["id"] for one in bought), "-o", str(folder / "labels.pdf"))
    desk("documents", "merge", "manifest", desk("manifests", "list")["results"][0]["id"],
         "-o", str(folder / "forms.pdf"))  # fmt: skip
    order = desk("orders", "get", "WAYS-1")
    parcel = {"weight": 1, "weight_unit": "KG",
              "items": [{**ITEM, "parent_id": order["line_items"][0]["id"], "quantity": 1}]}  # fmt: skip
    ordered = body(parcels=[parcel], service="standard_service", reference="DESK-9")
    desk("shipments", "create", "--from-file", _file(folder, "ordered.json", ordered))
    desk("documents", "merge", "label", order["id"], "--orders", "-o", str(folder / "ordered.pdf"))
    abroad = {
        **RECIPIENT,
        "city": "Toronto",
        "state_code": "ON",
        "postal_code": "M5V 3L9",
        "country_code": "CA",
    }
    paid = desk("ship", "--from-file", _file(folder, "ups.json", body(carrier_ids=["ups"], recipient=abroad)),
                "--cheapest")  # fmt: skip
    record = desk("uploads", "create", paid["id"], _file(folder, "invoice.pdf", b"%PDF-1.4 x"))
    desk("uploads", "get", record["id"])
    desk("uploads", "list")


def _batches(desk: Desk, folder: Path) -> None:
    order = {"order_id": "BATCH-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    made = desk("batches", "orders", _file(folder, "orders.json", {"orders": [order]}))
    assert made["status"] == "completed"
    desk("batches", "shipments", _file(folder, "shipments.json", {"shipments": [body()]}))
    tracked = {"tracking_number": "1ZA1B2C30300000400", "carrier_name": "ups"}
    desk("batches", "trackers", _file(folder, "trackers.json", {"trackers": [tracked]}))
    desk("batches", "list")
    desk("batches", "get", made["id"])
    desk("batches", "watch", made["id"])
    content = b"Tracking Number,Carrier\n1ZA1B2C30300000401,ups\n"
    desk("batches", "import", _file(folder, "trackers.csv", content), "--type", "trackers")


def _straight_through(desk: Desk, folder: Path) -> None:
    rates = desk("proxy", "rates", "--from-file", _file(folder, "rates.json", _priced()))["rates"]
    offer = {**_priced(), "carrier_ids": None, "rates": rates, "selected_rate_id": rates[0]["id"]}
    bought = desk("proxy", "shipping", "--from-file", _file(folder, "offer.json", offer))
    assert base64.b64decode(bought["docs"]["label"]).startswith(b"%PDF")
    desk("proxy", "void", "generic", "-d", f"shipment_identifier={bought['tracking_number']}")
    usps = desk("ship", "--from-file", str(folder / "usps.json"), "--cheapest")
    number = usps["tracking_number"]
    desk("proxy", "tracking", "-d", f'tracking_number="{number}"', "-d", "carrier_name=usps")
    desk("proxy", "track", "usps", number)
    day = {"pickup_date": "2031-05-08", "ready_time": "09:00", "closing_time": "17:00", "address": SHIPPER,
           "parcels": [PARCEL]}  # fmt: skip
    picked = desk("proxy", "pickup", "usps", "--from-file", _file(folder, "pickup.json", day))["pickup"]
    day["confirmation_number"] = picked["confirmation_number"]
    desk("proxy", "pickup-update", "usps", "--from-file", _file(folder, "pickup.json", day))
    desk("proxy", "pickup-cancel", "usps", "--from-file", _file(folder, "pickup.json", day))
    form = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": [number]}
    desk("proxy", "manifest", "--from-file", _file(folder, "manifest.json", form))


def _log_ins(desk: Desk, folder: Path) -> None:
    user = create_user(desk.served.app, "bench@example.com", PASSWORD)
    pair = desk("auth", "token", user.email, "--password-file", "-", typed=f"{PASSWORD}\n")
    desk("auth", "refresh", "--token-file", "-", typed=f"{pair['refresh']}\n")
    desk("auth", "verify", "--token-file", "-", typed=f"{pair['access']}\n")
    desk("auth", "verify", "--token-file", "-", typed="nonsense\n", code=4)
    secret = parse_qs(urlsplit(enrol(desk.served.app, user.id)).query)["secret"][0]
    pair = desk("auth", "token", user.email, "--password-file", "-", typed=f"{PASSWORD}\n")
    code = compute_code(base64.b32decode(secret), int(time.time()) // PERIOD_S)
    desk("auth", "otp", code, "--token-file", "-", typed=f"{pair['refresh']}\n")


def _reports(desk: Desk, folder: Path) -> None:
    for name in ("day", "spend", "cost", "zones", "carriers", "bills"):
        assert desk("reports", name, "--last", "week")["name"] == name
    assert desk("reports", "late")["name"] == "late"
