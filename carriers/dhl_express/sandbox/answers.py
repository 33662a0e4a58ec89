"""What the simulated DHL answers: the templates of its data file, filled in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from string import ascii_uppercase
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.price_list import find_arrival_day
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.xml import Element, document, element, find

CATALOGUE = load_catalogue(__file__)
LONGEST_WAYBILL = 11  # characters; what is longer is the number of a piece


def write(root: str, body: Json) -> Element:
    return document(root, body, "http://www.dhl.com", "res")


def add_header(answer: Element, request: Element, now: datetime) -> Element:
    """The answer with the header of its question, which comes first; a refusal has it beside its status."""
    request_header = next(request.iter("ServiceHeader"), None)
    echoed = {
        name: find(request_header, name)
        for name in ("MessageReference", "SiteID")
        if request_header is not None
    }
    header = element("ServiceHeader", {"MessageTime": f"{now:%Y-%m-%dT%H:%M:%S}", **echoed})
    parent = answer.find("GetQuoteResponse")
    parent = answer if parent is None else parent
    if (response := parent.find("Response")) is None:
        response = element("Response", {})
        parent.insert(0, response)
    elif request_header is not None:  # only a refusal repeats the password, hidden
        header.append(element("Password", "********"))
    response.insert(0, header)
    return answer


def write_answer(root: str, answer: str, **values: Any) -> Element:
    return write(root, CATALOGUE.fill(answer, **values))


def write_prices(booking: Booking, offers: Sequence[PricedOffer], now: datetime) -> Element:
    start = booking.ship_date or now.date()
    return write_answer(
        "DCTResponse", "prices", products=[_write_product(offer, booking, start) for offer in offers]
    )


def name_area(party: Party) -> str:
    """The three letters of the service area that a party is in."""
    letters = [character for character in party.city.upper() if character in ascii_uppercase]
    return "".join([*letters, *party.country, "X"][:3])


def _write_product(priced: PricedOffer, booking: Booking, start: Any) -> Json:
    offer, surcharges = priced.offer, CATALOGUE.surcharges
    extras = [(surcharges[word].code, word.upper(), amount) for word, amount in priced.extras.items()]
    lines = [("FF", "FUEL SURCHARGE", offer.fuel), *extras]
    charges = [CATALOGUE.fill("charge", code=code, name=name, amount=amount) for code, name, amount in lines]
    name, arrival = CATALOGUE.table("products")[offer.code][1], find_arrival_day(start, offer.days)
    places = {"priced": priced, "offer": offer, "name": name, "start": start, "arrival": arrival}
    areas = {"origin": name_area(booking.shipper), "destination": name_area(booking.recipient)}
    return CATALOGUE.fill("product", charges=charges, **places, **areas)


def write_sale(sale: Sale, order: Json, label: str, invoice: str | None) -> Element:
    booking, currency = sale.booking, sale.priced.currency
    return write_answer(
        "ShipmentResponse",
        "sale",
        order=order,
        details=order["ShipmentDetails"],
        dutiable=order.get("Dutiable") or {"DeclaredCurrency": currency, "TermsOfTrade": "DAP"},
        barcode=encode_file(sale.identifier.encode()),
        origin=name_area(booking.shipper),
        destination=name_area(booking.recipient),
        sale=sale,
        price=sale.priced,
        count=len(sale.numbers),
        region=order.get("RegionCode", "AM"),
        mark=CATALOGUE.table("products")[sale.booking.service][0],
        pieces=[_write_piece(at, plate) for at, plate in enumerate(sale.numbers, 1)],
        kind=order["LabelImageFormat"],
        label=label,
        form=CATALOGUE.fill("invoice", invoice=invoice) if invoice else None,
    )


def _write_piece(at: int, plate: str) -> Json:
    return CATALOGUE.fill("piece", at=at, plate=plate, barcode=encode_file(plate.encode()))


def write_waybill(number: str, seen: SimulatedTracking | None, label: Json) -> Json:
    """Shapes: a piece is answered with its waybill, and what it was tracked by beside it."""
    is_piece = len(number) > LONGEST_WAYBILL
    kind = "LPNumber" if is_piece else "AWBNumber"
    if seen is None:
        return CATALOGUE.fill("unknown_waybill", number=number, kind=kind)
    blank = dict.fromkeys(("recipient_name", "weight_kg", "destination", "recipient_postal_code"))
    held = {**blank, "origin": seen.scans[0].country, **label}
    due = f"{seen.estimated:%Y-%m-%dT%H:%M:%S}" if seen.estimated else None
    scans = [_write_scan(scan) for scan in seen.scans]
    first, last = seen.scans[0], seen.scans[-1]
    places = {"area": name_area(Party(country=first.country, city=first.city)), "city": last.city}
    waybill = label.get("identifier", "") if is_piece else number
    tracked_by = {kind: number} if is_piece else None
    return CATALOGUE.fill(
        "waybill",
        waybill=waybill,
        tracked_by=tracked_by,
        first=first,
        label=held,
        due=due,
        scans=scans,
        **places,
    )


def _write_scan(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    signatory = "S. AMPLE" if scan.status == "delivered" else ""
    return CATALOGUE.fill("scan", scan=scan, code=code, signatory=signatory, city=scan.city.upper())
