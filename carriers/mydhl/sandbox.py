"""The server of MyDHL as a simulator: prices, labels, tracking, collections, papers, addresses."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.points import SimulatedPoint, announce_hold
from shipcli.carrier.simulation.scenarios import MAGIC
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_waybill_check_digit
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
ORDER_RULES, RATE_RULES = CATALOGUE.rules("order"), CATALOGUE.rules("rate")
POINT_RULES, LETTERS, MOST_POINTS = CATALOGUE.rules("locations"), string.ascii_uppercase, 10
PICKUP_RULES, PAPER_RULES = CATALOGUE.rules("pickup"), CATALOGUE.rules("papers")
PLACE, PARTY, ITEM = CATALOGUE.paths("place"), CATALOGUE.paths("party"), CATALOGUE.paths("item")
PRODUCTS = CATALOGUE.table("products")
BASE = "/mydhlapi/test"
UNITS = {"metric": "KG", "imperial": "LB"}
TITLES = {400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 422: "Unprocessable Entity"}
DOCUMENT_PRODUCT = "D"


class MyDhlSimulator(Simulator):
    """MyDHL in a sandbox."""

    slug = "mydhl"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    local_money = True
    auth_scheme = "basic"
    example_point = "SPL123"
    refusals = {
        "bad_login": ("401", "Invalid Credentials", 401),
        "invalid": ("1000", "Validation error", 422),
        "no_service": ("996", "The requested product is not available between origin and destination", 400),
        "unknown_label": ("7096", "The provided Shipment Identification Number {} is invalid", 400),
        "unknown_number": ("404", "No result found", 404),
        "unknown_point": ("8012", "The service point {} is not known", 400),
        "unknown_pickup": ("PU014", "The pickup {} is not known, or is already cancelled", 404),
        "bad_day": ("PU008", "Nothing is picked up on that day", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """The code stands before the text."""
        body = {
            "instance": urlsplit(self.request.url).path,
            "detail": f"{refusal.code}: {refusal.text}",
            "title": TITLES.get(refusal.status, "Bad Request"),
            "status": str(refusal.status),
        }
        return self.json(body, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        """The licence plate of a piece."""
        return f"JD{14_700_000_000_000_000 + serial:018d}"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        """The waybill."""
        if MAGIC.match(numbers[0]):
            return str(numbers[0])
        body = f"{int(numbers[0][2:]) % 1_000_000_000:09d}"
        return f"{body}{compute_waybill_check_digit(body)}"

    def make_pickup_number(self, serial: int) -> str:
        return f"PRG{serial:012d}"

    # -- prices and labels ---------------------------------------------------------------------

    @route("POST", f"{BASE}/rates")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(RATE_RULES, body)
        codes = [body["productCode"]] if body.get("productCode") else []
        offers = self.backend.quote(read_question(body), codes)
        fitting = [offer for offer in offers if offer.offer.code != DOCUMENT_PRODUCT or takes_documents(body)]
        weight = sum((Decimal(str(package["weight"])) for package in body["packages"]), Decimal(0))
        units = body["unitOfMeasurement"]
        return self.json({"products": [self._write_product(one, weight, units) for one in fitting]})

    def _write_product(self, priced: PricedOffer, weight: Decimal, units: str) -> Json:
        offer = priced.offer
        due = self.clock() + timedelta(days=offer.days)
        network, name = PRODUCTS[offer.code]
        lines = [{"typeCode": "SPRQT", "price": offer.total}]
        lines += [
            {"typeCode": self.surcharges[extra].code, "price": amount}
            for extra, amount in priced.extras.items()
        ]
        money = {"currencyType": "BILLC", "priceCurrency": priced.currency}
        delivery = {
            "deliveryTypeCode": "QDDF",
            "estimatedDeliveryDateAndTime": f"{due:%Y-%m-%d}T23:59:00",
            "totalTransitDays": offer.days,
        }
        return {
            "productName": name,
            "productCode": offer.code,
            "localProductCode": offer.code,
            "networkTypeCode": network,
            "isCustomerAgreement": False,
            "weight": {"volumetric": 0, "provided": weight, "unitOfMeasurement": units},
            "totalPrice": [{**money, "price": priced.total}],
            "totalPriceBreakdown": [{**money, "priceBreakdown": lines}],
            "deliveryCapabilities": delivery,
        }

    @route("POST", f"{BASE}/shipments")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ORDER_RULES, body)
        booking, id = read_order(body), get_path(body, "onDemandDelivery/servicePointId")
        sale = self.backend.buy(announce_hold(booking, self.require_point(id)) if id else booking)
        label = draw(sale)
        facts = {"number": sale.identifier, "key": sale.booking.key, "label": label}
        self.ledger.put(self.slug, "order", sale.identifier, facts)
        return self.json(write_sale(sale, body, label), 201)

    @route("GET", f"{BASE}/servicepoints")
    def find_points(self, request: Request, path: dict[str, str]) -> Reply:
        """Whatever is wrong stands in an answer with status 200."""
        query = request.query
        problem = next(POINT_RULES.problems(query), None)
        if problem:
            status = {"statusCode": int(problem.code), "statusMessage": problem.text}
            return self.json({"status": status, "servicePoints": None})
        unit, radius = query.get("resultUom", "km"), query.get("maxDistance")
        points = self.points.list_near(
            read_searched(query),
            most=int(query.get("servicePointResults", MOST_POINTS)),
            radius_km=Decimal(radius) if radius else None,
            picks="86" in query.get("capability", "").split(","),
        )
        none = {"statusCode": 201, "statusMessage": "Error: No Service Points found."}
        status = {"statusCode": 1, "statusMessage": "OK"} if points else none
        return self.json({"status": status, "servicePoints": [write_point(point, unit) for point in points]})

    def make_point_id(self, number: int) -> str:
        area = "".join(LETTERS[number // 26**place % 26] for place in range(3))
        return f"{area}{number % 1000:03d}"

    @route("GET", f"{BASE}/shipments/{{number}}/get-image")
    def image(self, request: Request, path: dict[str, str]) -> Reply:
        order = self.ledger.get(self.slug, "order", path["number"])
        if order is None:
            raise self.refusal("unknown_number")
        paper = {"shipmentTrackingNumber": path["number"], "typeCode": "waybill", "encodingFormat": "PDF"}
        return self.json({"documents": [{**paper, "content": order["label"]}]})

    @route("PATCH", f"{BASE}/shipments/{{number}}/upload-image")
    def take_papers(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PAPER_RULES, request.json)
        if not self.find_sold(path["number"]):
            raise self.refusal("unknown_label", path["number"])
        return Reply(200)

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", f"{BASE}/tracking")
    def tracking(self, request: Request, path: dict[str, str]) -> Reply:
        query = parse_qsl(urlsplit(request.url).query)
        key = dict(query).get("shipmentReference")
        numbers = [value for name, value in query if name == "shipmentTrackingNumber"]
        if key:
            numbers = [order["number"] for order in self.ledger.find(self.slug, "order", key=key)]
        rows = [row for number in numbers if (row := self._write_tracking(number))]
        if not rows:
            raise self.refusal("unknown_number")
        return self.json({"shipments": rows})

    def _write_tracking(self, number: str) -> Json | None:
        tracked = self.simulate_tracking(number)
        if tracked is None:
            return None
        label = self.find_sold(number) or {}
        due = {"estimatedDeliveryDate": f"{tracked.estimated:%Y-%m-%d}"} if tracked.estimated else {}
        return {
            "shipmentTrackingNumber": number,
            "status": "Success",
            "shipmentTimestamp": f"{tracked.scans[0].at:%Y-%m-%dT%H:%M:%S}",
            "productCode": label.get("service") or "P",
            "description": "Shipment",
            "events": [write_scan(scan) for scan in tracked.scans],
            "numberOfPieces": 1,
            **due,
        }

    @route("GET", f"{BASE}/shipments/{{number}}/proof-of-delivery")
    def proof(self, request: Request, path: dict[str, str]) -> Reply:
        raise self.refusal("unknown_number")

    # -- collections and addresses -------------------------------------------------------------

    @route("POST", f"{BASE}/pickups")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PICKUP_RULES, request.json)
        booked = self.backend.schedule_pickup(**read_pickup_times(request.json))
        answer = {"dispatchConfirmationNumbers": [booked["number"]]}
        return self.json({**answer, "readyByTime": booked["ready"], "nextPickupDate": booked["day"]}, 201)

    @route("PATCH", f"{BASE}/pickups/{{number}}")
    def change_pickup(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PICKUP_RULES, request.json)
        booked = self.backend.update_pickup(path["number"], **read_pickup_times(request.json))
        answer = {"dispatchConfirmationNumber": booked["number"]}
        return self.json({**answer, "readyByTime": booked["ready"], "nextPickupDate": booked["day"]})

    @route("DELETE", f"{BASE}/pickups/{{number}}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        if not (request.query.get("requestorName") and request.query.get("reason")):
            raise Refusal("1009", "A cancellation names who asks for it, and why", 400)
        self.backend.cancel_pickup(path["number"])
        return Reply(200)

    @route("GET", f"{BASE}/address-validate")
    def validate(self, request: Request, path: dict[str, str]) -> Reply:
        asked = request.query
        if "NOWHERE" in asked.get("cityName", "").upper():
            raise Refusal("8006", "No location found for the address", 404)
        city = asked.get("cityName", "").upper()
        place = {"countryCode": asked["countryCode"], "postalCode": asked.get("postalCode", "")}
        return self.json({"warnings": [], "address": [{**place, "cityName": city}]})


def read_searched(query: Mapping[str, str]) -> Party:
    """Near which address points are looked for: the words of the postal code stand before the city."""
    words = query["address"].rpartition(", ")[2].split()
    code = [*takewhile(lambda word: any(map(str.isdigit, word)), words)]
    return Party(country=query["countryCode"], postal_code=" ".join(code), city=" ".join(words[len(code) :]))


def write_point(point: SimulatedPoint, unit: str) -> Json:
    distance, digits = point.distance_in(unit.upper()), "73,74,78,79,80,81,82"
    return {
        "facilityTypeCode": "EC",
        "serviceAreaCode": point.id[:3],
        "servicePointName": "DHL Express Service Point",
        "servicePointNameFormatted": "DHL Express Service Point",
        "localName": point.name,
        "servicePointType": CATALOGUE.table("point_kinds")[point.kind.value],
        "address": {
            "addressLine1": point.street,
            "city": point.city.upper(),
            "zipCode": point.postal_code,
            "country": point.country,
        },
        "geoLocation": {"latitude": point.latitude, "longitude": point.longitude},
        "distance": f"{distance} {unit}",
        "distanceValue": str(distance),
        "distanceMetric": distance,
        "openingHours": {
            "openingHours": [
                {"dayOfWeek": day, "openingTime": opens, "closingTime": closes}
                for day, opens, closes in point.hours
            ]
        },
        "servicePointCapabilities": {
            "shipmentDropOff": True,
            "shipmentCollection": point.pick_up,
            "capabilityCodes": f"{digits},86,87" if point.pick_up else digits,
        },
        "contactDetails": {"phoneNumber": point.phone},
        "svpStatus": "A",
        "facilityId": point.id,
    }


def takes_documents(body: Json) -> bool:
    return not body["isCustomsDeclarable"]


def read_pickup_times(body: Json) -> dict[str, str]:
    """Errors: Refusal for a closing time before the ready time."""
    moment = str(body["plannedPickupDateAndTime"])
    times = {"day": moment[:10], "ready": moment[11:16], "closes": str(body.get("closeTime") or "18:00")}
    if times["ready"] >= times["closes"]:
        raise Refusal("PU012", "The closing time is before the ready time", 400)
    return times


def read_question(body: Json) -> Booking:
    ends = body["customerDetails"]
    return Booking(
        shipper=read_party(ends["shipperDetails"], PLACE),
        recipient=read_party(ends["receiverDetails"], PLACE),
        weights=read_weights(body["packages"], body["unitOfMeasurement"]),
        extras=read_extras(body),
    )


def read_order(body: Json) -> Booking:
    """What is ordered; its last reference is the key of the purchase."""
    people, content = body["customerDetails"], body["content"]
    references = [row["value"] for row in as_list(body.get("customerReferences"))]
    goods = as_list(get_path(content, "exportDeclaration/lineItems"))
    return Booking(
        shipper=read_party(people["shipperDetails"], PARTY),
        recipient=read_party(people["receiverDetails"], PARTY),
        weights=read_weights(content["packages"], content["unitOfMeasurement"]),
        service=body["productCode"],
        account=body["accounts"][0]["number"],
        reference=references[0] if len(references) > 1 else None,
        references=tuple(get_path(one, "customerReferences/0/value") for one in content["packages"]),
        key=references[-1] if references else None,
        extras=read_extras(body),
        items=read_items(goods, ITEM, content.get("declaredValueCurrency") or ""),
        label=str(get_path(body, "outputImageProperties/encodingFormat") or "pdf").upper(),
        ship_date=date.fromisoformat(str(body["plannedShippingDateAndTime"])[:10]),
    )


def read_weights(packages: Sequence[Json], units: str) -> tuple[Decimal, ...]:
    return tuple(convert_weight(Decimal(str(one["weight"])), UNITS[units], "KG") for one in packages)


def read_extras(body: Json) -> tuple[str, ...]:
    codes = {service["serviceCode"] for service in as_list(body.get("valueAddedServices"))}
    return tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in codes)


def write_sale(sale: Sale, body: Json, label: str) -> Json:
    priced, number = sale.priced, sale.identifier
    images = {row["typeCode"] for row in as_list(get_path(body, "outputImageProperties/imageOptions"))}
    papers = [{"imageFormat": sale.booking.label, "content": label, "typeCode": "label"}]
    if "invoice" in images:
        papers.append({"imageFormat": "PDF", "content": draw_form(sale, body), "typeCode": "invoice"})
    lines = [{"name": PRODUCTS[priced.offer.code][1], "price": priced.offer.total}]
    lines += [{"name": extra.upper(), "price": amount} for extra, amount in priced.extras.items()]
    charge = {"currencyType": "BILLC", "priceCurrency": priced.currency, "price": priced.total}
    return {
        "shipmentTrackingNumber": number,
        "trackingUrl": f"https://express.api.dhl.com{BASE}/tracking?shipmentTrackingNumber={number}",
        "packages": [
            {"referenceNumber": at, "trackingNumber": plate} for at, plate in enumerate(sale.numbers, 1)
        ],
        "documents": papers,
        "shipmentCharges": [{**charge, "serviceBreakdown": lines}],
    }


def draw(sale: Sale) -> str:
    """The labels of all pieces as one file in base64."""
    from shipcli.drawing import draw_label, merge

    booking = sale.booking
    mark, name = PRODUCTS[booking.service]
    furniture = {"mark": mark, "routing": routing_code(booking)}
    caption = f"WAYBILL {group_text(sale.identifier, 2, 4, 4)}"
    specs = [
        draw_booking(
            booking, sale.identifier, at, "DHL EXPRESS", name, postal_barcode=f"J{plate}", caption=caption,
            **furniture,
        )
        for at, plate in enumerate(sale.numbers)
    ]  # fmt: skip
    return encode_file(merge([draw_label(spec, booking.label) for spec in specs], booking.label))


def routing_code(booking: Booking) -> str:
    """The code of the way to the door: country, postal code, product and features."""
    to = booking.recipient
    postal = "".join(character for character in to.postal_code.upper() if character.isalnum())
    return f"2L{to.country}{postal}+48000001"


def draw_form(sale: Sale, body: Json) -> str:
    invoice = get_path(body, "content/exportDeclaration/invoice") or {}
    facts = {
        "Waybill": sale.identifier,
        "Invoice": str(invoice.get("number") or ""),
        "Invoice date": str(invoice.get("date") or ""),
        "Terms": str(get_path(body, "content/incoterm") or ""),
    }
    return encode_file(draw_invoice("DHL Express invoice", sale.booking, facts))


def write_scan(scan: Scan) -> Json:
    area = {"code": scan.city[:3].upper(), "description": f"{scan.city}-{scan.country}"}
    return {
        "date": f"{scan.at:%Y-%m-%d}",
        "time": f"{scan.at:%H:%M:%S}",
        "typeCode": CATALOGUE.statuses.code(scan.status),
        "description": scan.description,
        "serviceArea": [area],
    }
