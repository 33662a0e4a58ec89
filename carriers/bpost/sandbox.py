"""bpost's Shipping Manager and its tracking in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.xml import element

if TYPE_CHECKING:
    from lxml.etree import _Element

    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)
ORDER_RULES, UPDATE_RULES = CATALOGUE.rules("order"), CATALOGUE.rules("update")
ORDERS, SPACE = "/services/shm/{account}/orders", "http://schema.post.be/shm/deepintegration/v5/"
EXCEPTION = "http://schema.post.be/api/shm/v1/"
TRACKING, COMMON = "http://schema.post.be/tracking/v1/", "http://schema.post.be/announcement/common/v1/"
ORDER, SENDER_NUMBER, GRAMS_PER_KG = "order", "32321234565990", 1000
PARCEL = "01"  # the kind of an announced item


class BpostSimulator(Simulator):
    """bpost in a sandbox."""

    slug = "bpost"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    currency = "EUR"
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("401", "The account or its passphrase is not known.", 401),
        "invalid": ("400", "The order is not valid.", 400),
        "no_service": ("400", "The product is not delivered there.", 400),
        "unknown_label": ("404", "The order {} is not found.", 404),
        "voided_before": ("409", "The order is in CANCELLED state and cannot be modified anymore.", 409),
        "too_late": ("409", "The order is in IN_TRANSIT state and cannot be modified anymore.", 409),
        "unknown_number": ("404", "The item is not found.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        body = {"code": refusal.code, "message": refusal.text}
        return self.xml(element("businessException", body, EXCEPTION), refusal.status)

    # -- orders --------------------------------------------------------------------------------

    @route("POST", ORDERS)
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        """An order has no answer; its reference names one order alone."""
        order = self.read_xml(request, ORDER, ORDER_RULES)
        reference = order["reference"]
        if self.ledger.get(self.slug, ORDER, reference):
            raise Refusal("409", "The order is in PRINTED state and cannot be modified anymore.", 409)
        sale = self.backend.buy(read_booking(order))
        self.ledger.put(self.slug, ORDER, reference, {"order": order, "numbers": list(sale.numbers)})
        return Reply(201)

    @route("POST", ORDERS + "/{reference}")
    def update(self, request: Request, path: dict[str, str]) -> Reply:
        self.read_xml(request, "orderUpdate", UPDATE_RULES)
        self.backend.void(unquote(path["reference"]))
        return Reply(200)

    @route("GET", ORDERS + "/{reference}/labels/{size}")
    def labels(self, request: Request, path: dict[str, str]) -> Reply:
        reference = unquote(path["reference"])
        stored = self.ledger.get(self.slug, ORDER, reference)
        kind = CATALOGUE.table("printed").get(request.header("Accept"))
        if stored is None:
            raise self.refusal("unknown_label", reference)
        if kind is None:
            raise Refusal("406", "There is no such kind of label.", 406)
        return self.xml(write_labels(read_booking(stored["order"]), stored["numbers"], kind))

    def make_number(self, booking: Booking, serial: int) -> str:
        """Twenty-four digits: the sender's, a serial, the kind of the item."""
        return f"{SENDER_NUMBER}{serial % 10**7:07d}030"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        return str(booking.key)

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/services/trackedmail/item/{number}/trackingInfo")
    def tracking(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.require_tracking(number, country="BE")
        return self.xml(write_tracking(number, seen, self.find_sold(number) or {}))


# -- the order as it is understood -----------------------------------------------------------------


def read_booking(order: Json) -> Booking:
    """The boxes of an order, which have one recipient; its reference is the key of the labels."""
    boxes = as_list(order["box"])
    method = read_method(boxes[0])
    return Booking(
        shipper=read_party(boxes[0]["sender"]),
        recipient=read_recipient(method),
        weights=tuple(read_weight(read_method(box)) for box in boxes),
        service=method["product"],
        account=order["accountId"],
        reference=order["reference"],
        key=order["reference"],
        extras=tuple(name for name in CATALOGUE.surcharges if name in (method.get("options") or {})),
        items=tuple(item for box in boxes for item in read_items(read_method(box))),
    )


def read_method(box: Json) -> Json:
    """What stands in the box of a country or of the world, under whatever name."""
    [method] = (box.get("nationalBox") or box["internationalBox"]).values()
    delivery: Json = method
    return delivery


def read_weight(method: Json) -> Decimal:
    return Decimal(method.get("weight") or method.get("parcelWeight") or GRAMS_PER_KG) / GRAMS_PER_KG


def read_party(party: Json) -> Party:
    address = party["address"]
    street = " ".join(part for part in (address["streetName"], address.get("number")) if part)
    return Party(
        country=address["countryCode"],
        name=party["name"],
        company=party.get("company", ""),
        lines=tuple(line for line in (street, address.get("addressLineTwo")) if line),
        city=address["locality"],
        postal_code=address["postalCode"],
        phone=party.get("phoneNumber", ""),
    )


def read_recipient(method: Json) -> Party:
    """Who receives at home, or the place where the parcel waits for somebody."""
    if "receiver" in method:
        return read_party(method["receiver"])
    prefix = next(name.removesuffix("Address") for name in method if name.endswith("Address"))
    names = {"name": method["receiverName"], "company": method[f"{prefix}Name"]}
    return read_party({**names, "address": method[f"{prefix}Address"]})


def read_items(method: Json) -> list[BookedItem]:
    return [
        BookedItem(
            description=content["itemDescription"],
            quantity=int(content["numberOfItemType"]),
            value=Decimal(content["valueOfItem"]),
            currency=get_path(method, "customsInfo/currency") or "EUR",
            origin=content["originOfGoods"],
            code=content["hsTariffCode"],
        )
        for content in as_list(get_path(method, "parcelContents/parcelContent"))
    ]


# -- answers ---------------------------------------------------------------------------------------


def write_labels(booking: Booking, numbers: list[str], kind: str) -> _Element:
    """A label for each box."""
    from shipcli.drawing import draw_label

    labels = [
        {
            "barcode": number,
            "mimeType": "image/png" if kind == "PNG" else "application/pdf",
            "bytes": encode_file(draw_label(design_label(booking, number, at), kind)),
            "zplCode": "",
        }
        for at, number in enumerate(numbers)
    ]
    return element("labels", {"label": labels}, SPACE)


def design_label(booking: Booking, number: str, at: int) -> LabelSpec:
    to = booking.recipient
    return draw_booking(
        booking,
        number,
        at,
        "bpost",
        booking.service,
        mark="BE" if not booking.abroad else to.country,
        routing=to.postal_code,
        caption=group_text(number, 4, 4, 4, 4, 4),
    )


def write_tracking(number: str, seen: SimulatedTracking, label: Mapping[str, Any]) -> _Element:
    """States with the oldest first."""
    weight = Decimal(str(label.get("weight_kg") or 0))
    body = {
        "@xmlns:common": COMMON,
        "itemCode": number,
        "sender": write_client("", "", seen.scans[0]),
        "addressee": write_client(
            label.get("recipient_name") or "", label.get("recipient_postal_code") or "", seen.scans[-1]
        ),
        "deliveryTime": seen.estimated.isoformat(timespec="seconds") if seen.estimated else None,
        "customerReference": label.get("reference"),
        "itemDetail": {"weightInGrams": int(weight * GRAMS_PER_KG), "type": PARCEL},
        "stateInfo": [write_state(scan) for scan in seen.scans],
        "trackingId": number,
    }
    return element("itemTracking", body, TRACKING)


def write_client(name: str, postal_code: str, scan: Scan) -> Json:
    """An end of the way, in the city of a scan; streets are not said."""
    address = {
        "streetName": "",
        "postalCode": postal_code,
        "city": scan.city,
        "countryCode": scan.country,
    }
    return {"common:name": name, "common:address": address}


def write_state(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    return {
        "time": scan.at.isoformat(timespec="seconds"),
        "stateCode": code,
        "stateDescription": scan.description,
    }
