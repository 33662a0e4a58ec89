"""The web services of GEODIS in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("order")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
SIGNATURE, PARTS = "X-GEODIS-Service", 4
# A hash shows no key; those of the words that a sandbox refuses are known.
REFUSED_KEYS = ("denied", "expired", "denied-secret")
LETTERS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class GeodisSimulator(Simulator):
    """GEODIS in a sandbox, on its mock host and on the real one."""

    slug = "geodis"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    currency = "EUR"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        body = {"ok": False, "codeErreur": refusal.code, "texteErreur": refusal.text}
        return self.json(body, refusal.status)

    def authorise(self, request: Request) -> Reply | None:
        identifier, *parts = request.header(SIGNATURE).split(";")
        if len(parts) != PARTS - 1 or not self.is_valid_client(identifier, "signed"):
            raise self.refusal("bad_login")
        service = "api/" + request.path.partition("/api/")[2]
        signed_text = ";".join([identifier, *parts[:2], service, request.content.decode()])
        if parts[2] in (sha256(f"{key};{signed_text}".encode()).hexdigest() for key in REFUSED_KEYS):
            raise self.refusal("bad_login")
        return None

    @route("POST", "/services/services-mock/api/wsclient/enregistrement-envois")
    @route("POST", "/services/api/wsclient/enregistrement-envois")
    def register(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(RULES, request.json)
        kind = CATALOGUE.table("printed")[request.json["typeImpressionEtiquette"]]
        sale = self.backend.buy(read_booking(request.json["listEnvois"][0], kind))
        return self._answer([write_sale(sale)])

    @route("POST", "/services/services-mock/api/wsclient/suppression-envois")
    @route("POST", "/services/api/wsclient/suppression-envois")
    def delete(self, request: Request, path: dict[str, str]) -> Reply:
        [number] = request.json["listNosSuivis"]
        self.backend.void(number)
        return self._answer([{"index": 0, "noSuivi": number, "msgErreurSuppression": None}])

    @route("POST", "/services/services-mock/api/zoomclient/recherche-envoi")
    @route("POST", "/services/api/zoomclient/recherche-envoi")
    def search(self, request: Request, path: dict[str, str]) -> Reply:
        number = request.json["noSuivi"]
        labels = self.ledger.find(self.slug, "label", identifier=number)
        label = labels[0] if labels else {}
        seen = self.require_tracking(number, label, "FR")
        return self.json({"ok": True, "contenu": write_tracking(number, seen, label)})

    def make_number(self, booking: Booking, serial: int) -> str:
        """The number of a unit: that of its shipment, and which one it is."""
        return f"1G{_code(serial)}"

    def _answer(self, shipments: Sequence[Json]) -> Reply:
        return self.json({"ok": True, "codeErreur": None, "contenu": {"listRetoursEnvois": shipments}})


def _code(serial: int) -> str:
    digits = ""
    for _ in range(10):
        serial, remainder = divmod(serial, len(LETTERS))
        digits = LETTERS[remainder] + digits
    return digits


# -- the order as it is understood -----------------------------------------------------------------


def read_booking(order: Json, kind: str) -> Booking:
    extras = {"insurance": "valeurDeclaree", "cash_on_delivery": "contreRemboursement"}
    chosen = [name for name, member in extras.items() if order.get(member)]
    units = order["listUmgs"]
    invoices = as_list(get_path(order, "informationDouane/listFactures"))
    return Booking(
        shipper=read_party(order["expediteur"], PARTY),
        recipient=read_party(order["destinataire"], PARTY),
        weights=tuple(Decimal(unit["poids"]) for unit in units),
        service=order["codeProduit"],
        account=order.get("codeClient"),
        reference=order.get("reference1"),
        references=tuple(unit.get("referenceColis") for unit in units),
        extras=(*chosen, *([str(order["optionLivraison"])] if order.get("optionLivraison") else [])),
        items=read_items([{**order, **invoice} for invoice in invoices], ITEM),
        label=kind,
        ship_date=date.fromisoformat(order["dateDepartEnlevement"]),
    )


# -- answers ---------------------------------------------------------------------------------------


def write_sale(sale: Sale) -> Json:
    units = [{"numeroUM": at, "typeUM": "PC"} for at, _ in enumerate(sale.numbers, 1)]
    return dict(CATALOGUE.fill("shipment", sale=sale, units=units, file=draw(sale)))


def draw(sale: Sale) -> str:
    """A label for each unit in one file; all bear the number of the shipment."""
    from shipcli.drawing import draw_label, merge

    booking, number = sale.booking, sale.identifier
    names, to = CATALOGUE.table("service_names"), booking.recipient
    specs = [
        draw_booking(
            booking,
            number,
            at,
            "GEODIS",
            names[booking.service],
            mark=booking.service,
            routing=f"{to.country}-{to.postal_code}",
            postal_barcode=f"{unit}{at + 1:03d}",
            caption=group_text(number, 4, 4, 4),
        )
        for at, unit in enumerate(sale.numbers)
    ]
    return encode_file(merge([draw_label(spec, booking.label) for spec in specs], booking.label))


def write_tracking(number: str, seen: SimulatedTracking, label: Mapping[str, Any]) -> Json:
    """Events newest first."""
    scans, due = seen.scans, seen.estimated
    held = {**dict.fromkeys(("reference", "recipient_name", "recipient_postal_code")), **label}
    values = {
        "label": held,
        "first": scans[0],
        "last": scans[-1],
        "due": f"{due:%Y-%m-%d}" if due else None,
        "told": f"Livraison le {scans[-1].at:%d/%m/%Y}" if seen.delivered else "",
        "events": [write_event(scan) for scan in reversed(scans)],
    }
    return dict(CATALOGUE.fill("tracking", number=number, **values))


def write_event(scan: Scan) -> Json:
    codes = CATALOGUE.table("scans")
    return dict(CATALOGUE.fill("event", scan=scan, code=codes.get(scan.status, codes["in_transit"])))
