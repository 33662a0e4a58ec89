"""Files and homes that scenarios begin with."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shipcli.models import json
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.faults.children import Act
from tests.faults.scenario import Line

CANADA = {
    "person_name": "Dock Two", "company_name": "Harbour Goods", "address_line1": "125 Main St",
    "city": "Ottawa", "state_code": "ON", "postal_code": "K1A0B1", "country_code": "CA",
    "phone_number": "+1 613-555-0100", "email": "dock@example.com",
}  # fmt: skip
MONTREAL = {
    **CANADA, "address_line1": "1 Rue Main", "city": "Montreal", "state_code": "QC", "postal_code": "H2B1A0",
}  # fmt: skip
ADDRESSES = {
    "ups": (SHIPPER, RECIPIENT),
    "fedex": (SHIPPER, RECIPIENT),
    "usps": (SHIPPER, RECIPIENT),
    "generic": (SHIPPER, RECIPIENT),
    "canadapost": (CANADA, MONTREAL),
}
SERVICES = {
    "ups": "ups_ground",
    "fedex": "fedex_ground",
    "usps": "usps_ground_advantage",
    "generic": "standard_service",
    "canadapost": "canadapost_expedited_parcel",
}


def body(carrier: str, reference: str = "SO-1", **more: Any) -> dict[str, Any]:
    """A shipment that this carrier serves."""
    shipper, recipient = ADDRESSES[carrier]
    return {
        "shipper": shipper, "recipient": recipient, "parcels": [PARCEL], "reference": reference,
        "carrier_ids": [carrier], **more,
    }  # fmt: skip


@dataclass(frozen=True)
class Parcels:
    """A file `parcels.json` with shipments of a carrier, references SO-1 and so on; and an empty sandbox."""

    carrier: str
    count: int = 1
    label_type: str = "PDF"

    def __call__(self, folder: Path) -> int:
        numbers = range(1, self.count + 1)
        bodies = [body(self.carrier, f"SO-{number}", label_type=self.label_type) for number in numbers]
        (folder / "parcels.json").write_bytes(json.dump_bytes(bodies if self.count > 1 else bodies[0]))
        return Line("shipments", "list")(folder)


@dataclass(frozen=True)
class After:
    """Lines that are carried out when something was prepared."""

    first: Act
    lines: tuple[Line, ...]

    def __call__(self, folder: Path) -> int:
        return self.first(folder) or next((code for line in self.lines if (code := line(folder))), 0)


@dataclass(frozen=True)
class Table:
    """A file `rows.csv` with a shipment of each of these carriers, references SO-1 and so on."""

    carriers: tuple[str, ...]

    def __call__(self, folder: Path) -> int:
        rows = [_row(carrier, f"SO-{at}") for at, carrier in enumerate(self.carriers, 1)]
        with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return Line("shipments", "list")(folder)


def _row(carrier: str, reference: str) -> dict[str, str]:
    shipper, recipient = ADDRESSES[carrier]
    return {
        **_cells("Shipper", shipper), **_cells("Recipient", recipient), "Parcel weight": "2",
        "Parcel weight unit": "KG", "Carrier": carrier, "Reference": reference,
    }  # fmt: skip


def _cells(side: str, address: dict[str, Any]) -> dict[str, str]:
    return {
        f"{side} name": address["person_name"], f"{side} address 1": address["address_line1"],
        f"{side} city": address["city"], f"{side} state": address["state_code"],
        f"{side} postal code": address["postal_code"], f"{side} country": address["country_code"],
        f"{side} phone": address.get("phone_number", ""),
    }  # fmt: skip


@dataclass(frozen=True)
class Orders:
    """Orders SO-1 and so on, and a default shipper."""

    count: int = 1

    def __call__(self, folder: Path) -> int:
        item = {"title": "Lamp", "sku": "L-1", "quantity": 2, "weight": 1, "weight_unit": "KG"}
        orders = [
            {"order_id": f"SO-{at}", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [item]}
            for at in range(1, self.count + 1)
        ]
        (folder / "orders.json").write_bytes(json.dump_bytes(orders))
        return Line("orders", "create", "--from-file", "{folder}/orders.json")(folder)


@dataclass(frozen=True)
class Offer:
    """A file `offer.json` with the rates of a parcel and the one that is wanted."""

    carrier: str

    def __call__(self, folder: Path) -> int:
        Parcels(self.carrier)(folder)
        code = Line("quote", "--from-file", "{folder}/parcels.json", "-o", "{folder}/rates.json")(folder)
        asked = json.loads((folder / "parcels.json").read_bytes())
        rates = json.loads((folder / "rates.json").read_bytes())["rates"]
        (chosen,) = [rate for rate in rates if rate["service"] == SERVICES[self.carrier]]
        offer = {**asked, "rates": rates, "selected_rate_id": chosen["id"]}
        (folder / "offer.json").write_bytes(json.dump_bytes(offer))
        (folder / "rates.json").unlink()
        return code
