"""Freightcom's old server in the sandbox: quotes, labels, cancellations at one address."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.forms import fill_form
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
RULES = {
    "QuoteRequest": CATALOGUE.rules("quote"),
    "ShippingRequest": CATALOGUE.rules("ship"),
    "ShipmentCancelRequest": CATALOGUE.rules("cancel"),
}
FORMS = CATALOGUE.table("forms")
SPACE = "http://www.freightcom.net/XMLSchema"
READ_SPACE = "http://www.freightcom.net/xml/XMLSchema"  # of prices and faults
VERSION, ORDER, FIRST_ORDER = "3.1.0", "order", 181000


class FreightcomSimulator(Simulator):
    """Freightcom in a sandbox, on both of its hosts."""

    slug = "freightcom"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    currency = "CAD"
    auth_scheme = "body"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        body = {"@version": VERSION, "ErrorReply": {"Error": {"@Message": refusal.text}}}
        return self.xml(xml.element("Freightcom", body, READ_SPACE))

    def is_authorised(self, request: Request) -> bool:
        root = request.xml
        return self.is_valid_client(root.get("username") or "", root.get("password") or "")

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"05280041{serial:07d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return str(FIRST_ORDER + self.next_number(ORDER))

    @route("POST", "/rpc2", root="Freightcom")
    def answer_document(self, request: Request, path: dict[str, str]) -> Reply:
        """What is asked is the one element of the document."""
        node = request.xml[0]
        name, body = str(node.tag), convert_to_plain(node)
        self.enforce(RULES[name], body)
        answers = {"QuoteRequest": self.quote, "ShippingRequest": self.ship}
        answer = answers.get(name, self.cancel)(body)
        space = READ_SPACE if name == "QuoteRequest" else SPACE
        return self.xml(xml.element("Freightcom", {"@version": VERSION, **answer}, space))

    def quote(self, body: Json) -> Json:
        priced = self.backend.quote(read_booking(body))
        matches = [price for price in priced if body["@serviceId"] in ("0", price.offer.code)]
        quotes = {"Quote": [write_quote(price) for price in matches]}
        return {"QuoteReply": fill_form(quotes, FORMS["QuoteReply"])}

    def ship(self, body: Json) -> Json:
        booking = read_booking(body)
        if booking.abroad and not booking.items:
            raise Refusal("Error", "Required field: CustomsInvoice is missing.", 200)
        sold = write_sale(self.backend.buy(booking))
        return {"ShippingReply": fill_form(sold, FORMS["ShippingReply"])}

    def cancel(self, body: Json) -> Json:
        number = body["Order"]["@orderId"]
        self.backend.void(number)
        order = {"@orderId": number, "@message": "Order has been cancelled!"}
        return {"ShipmentCancelReply": {"Order": order, "Status": {"@statusId": "4"}}}


def read_booking(body: Json) -> Booking:
    goods = as_list(get_path(body, "CustomsInvoice/Item"))
    extras = {"saturday": body.get("@isSaturdayService"), "cod": body.get("COD")}
    packages = as_list(body["Packages"]["Package"])
    return Booking(
        shipper=_party(body["From"]),
        recipient=_party(body["To"]),
        weights=tuple(convert_weight(Decimal(package["@weight"]), "LB", "KG") for package in packages),
        service=body["@serviceId"],
        reference=get_path(body, "Reference/@code"),
        extras=tuple(name for name, value in extras.items() if value),
        items=tuple(_item(article) for article in goods),
    )


def _party(address: Json) -> Party:
    return Party(
        name=address.get("@attention") or "",
        company=address["@company"].strip(),
        lines=tuple(line for name in ("@address1", "@address2") if (line := address.get(name))),
        city=address.get("@city") or "",
        state=address.get("@state") or "",
        postal_code=address["@zip"],
        country=address["@country"],
        residential=address.get("@residential") == "True",
    )


def _item(item: Json) -> BookedItem:
    return BookedItem(
        description=item["@description"],
        quantity=int(item["@quantity"]),
        value=Decimal(item["@unitPrice"]),
        currency="CAD",
        origin=item["@originCountry"],
        code=item["@code"],
    )


def write_quote(priced: PricedOffer) -> Json:
    """Shapes: a service's number begins with that of its carrier."""
    offer = priced.offer
    names = [(CATALOGUE.surcharges[name].code, amount) for name, amount in priced.extras.items()]
    return {
        "@carrierId": offer.code[:2],
        "@carrierName": "Freightcom",
        "@serviceId": offer.code,
        "@serviceName": _title(offer.code),
        "@transitDays": offer.days,
        "@baseCharge": offer.base,
        "@fuelSurcharge": offer.fuel,
        "@totalCharge": priced.total,
        "@currency": priced.currency,
        "Surcharge": [{"@id": "null", "@name": name, "@amount": amount} for name, amount in names],
    }


def _title(code: str) -> str:
    return CATALOGUE.services.slug(code).removeprefix("freightcom_").replace("_", " ").title()


def write_sale(sale: Sale) -> Json:
    from shipcli.drawing import draw_labels

    booking = sale.booking
    carrier, _, service = _title(booking.service).partition(" ")
    mark = CATALOGUE.table("label_marks").get(booking.service)
    specs = [
        draw_booking(booking, number, at, carrier, service, mark=mark, caption=group_text(number, 4, 4, 4))
        for at, number in enumerate(sale.numbers)
    ]
    invoice = encode_file(draw_invoice("Commercial invoice", booking, {"Order": sale.identifier}))
    return {
        "Order": {"@id": sale.identifier},
        "Carrier": {"@carrierName": carrier, "@serviceName": service},
        "Package": [{"@trackingNumber": number} for number in sale.numbers],
        "Labels": encode_file(draw_labels(specs, "PDF")),
        "CustomsInvoice": invoice if booking.abroad else None,
        "Quote": write_quote(sale.priced),
    }
