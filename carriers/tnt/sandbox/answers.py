"""What the simulated TNT answers, as its services write it."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import PricedOffer, Sale
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list

CATALOGUE = load_catalogue(__file__)
DEPOT = "SP8"


def write_prices(rate_id: str, offers: Sequence[PricedOffer]) -> Json:
    rated = [_write_rated(offer) for offer in offers]
    services = {"rateId": rate_id, "currency": offers[0].currency, "ratedService": rated}
    return {"requestId": "1", "priceResponse": {"ratedServices": services}}


def _write_rated(priced: PricedOffer) -> Json:
    lines = [("FUEL SURCHARGE", priced.offer.fuel)]
    lines += [(name.upper(), amount) for name, amount in priced.extras.items()]
    charges = [
        {"chargeItem": at, "chargeCategory": "SURCHARGE", "description": name, "chargeValue": cost}
        for at, (name, cost) in enumerate(lines, 1)
    ]
    name = CATALOGUE.services.slug(priced.offer.code).removeprefix("tnt_").replace("_", " ").title()
    return {
        "product": {"id": priced.offer.code, "productDesc": name},
        "totalPrice": priced.total,
        "totalPriceExclVat": priced.total,
        "vatAmount": "0.00",
        "chargeElements": {"chargeElement": charges},
    }


def write_sale(sale: Sale, name: str, group: int) -> Json:
    made = {"CONREF": name, "CONNUMBER": sale.identifier, "SUCCESS": "Y"}
    price = {
        "RATEID": name,
        "SERVICE": sale.booking.service,
        "CURRENCY": sale.priced.currency,
        "RATE": sale.priced.total,
        "RESULT": "Y",
    }
    return {
        "GROUPCODE": group,
        "CREATE": made,
        "RATE": {"PRICE": price},
        "BOOK": {"CONSIGNMENT": made},
        "SHIP": {"CONSIGNMENT": made},
        "PRINT": {"CONNOTE": "CREATED", "LABEL": "CREATED", "MANIFEST": "CREATED", "INVOICE": "CREATED"},
    }


def write_label(consignment: Json) -> Json:
    """The data that a label is rendered from."""
    identity, day = consignment["consignmentIdentity"], consignment["collectionDateTime"][:10]
    no = {"@code": "1", "@renderInstructions": "no"}
    lines = as_list(consignment["pieceLine"])
    return {
        "@key": consignment["@key"],
        "pieceLabelData": [_write_piece(at, line) for at, line in enumerate(lines, 1)],
        "consignmentLabelData": {
            "consignmentNumber": identity["consignmentNumber"],
            "sender": consignment["sender"],
            "delivery": consignment["delivery"],
            "account": consignment["account"],
            "totalNumberOfPieces": consignment["totalNumberOfPieces"],
            "product": {"@id": consignment["product"]["id"], "#text": consignment["product"]["id"]},
            "collectionDate": day,
            "marketDisplay": {**no, "#text": "INTL"},
            "originDepot": {"depotCode": DEPOT},
            "destinationDepot": {"depotCode": DEPOT, "dueDayOfMonth": int(day[8:]), "dueDate": day},
        },
    }


def _write_piece(at: int, line: Json) -> Json:
    weight = line["pieceMeasurements"]["weight"]
    return {
        "pieceNumber": at,
        "weightDisplay": {"@code": weight, "@renderInstructions": "yes", "#text": f"{weight}kg"},
        "pieceReference": as_list(line["pieces"])[0]["pieceReference"],
        "barcode": {"@symbology": "128C", "#text": f"{at:028d}"},
    }


def write_consignment(number: str, seen: SimulatedTracking | None) -> Json:
    if seen is None:
        return {"@access": "public", "ConsignmentNumber": number, "SummaryCode": "CNF"}
    statuses = CATALOGUE.statuses
    summary = statuses.code(seen.status)
    return {
        "@access": "public",
        "ConsignmentNumber": number,
        "CollectionDate": {"@format": "YYYYMMDD", "#text": f"{seen.scans[0].at:%Y%m%d}"},
        "SummaryCode": "INT" if summary == "OD" else summary,
        "StatusData": [_write_scan(scan) for scan in reversed(seen.scans)],
    }


def _write_scan(scan: Scan) -> Json:
    return {
        "StatusCode": CATALOGUE.statuses.code(scan.status),
        "StatusDescription": scan.description,
        "LocalEventDate": {"@format": "YYYYMMDD", "#text": f"{scan.at:%Y%m%d}"},
        "LocalEventTime": {"@format": "HHMM", "#text": f"{scan.at:%H%M}"},
        "Depot": scan.city[:3].upper(),
        "DepotName": scan.city,
    }
