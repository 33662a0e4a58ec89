"""Colissimo's label service in the sandbox; its tracking is that of La Poste's simulator."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import MultipartPart, Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models import json as plain_json
from shipcli.models.basics.check_digits import compute_check_digit

from ..laposte.sandbox import LaposteSandbox

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("label")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
BATCH = "uuid:00000000-0000-4000-8000-{:012d}"
INFO = "application/json;charset=UTF-8"


class ColissimoSimulator(Simulator):
    """Colissimo in a sandbox."""

    slug = "colissimo"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("30000", "Identifiant ou mot de passe incorrect", 401),
        "no_service": ("30204", "Le service n'existe pas pour ce pays"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self._answer([write_info("refusal", code=refusal.code, text=refusal.text)], refusal.status)

    def is_authorised(self, request: Request) -> bool:
        if request.method == "GET":
            return True  # tracking has credentials of its own
        body = request.json
        return self.is_valid_client(body.get("contractNumber", ""), body.get("password", ""))

    @route("GET", "/suivi/v2/idships/{numbers}")
    def shipments(self, request: Request, path: dict[str, str]) -> Reply:
        tracking = LaposteSandbox(self.ledger, self.clock)
        tracking.lenient = self.lenient
        return tracking.dispatch(request)

    @route("POST", "/sls-ws/SlsServiceWSRest/2.0/generateLabel")
    def generate(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(RULES, request.json)
        sale = self.backend.buy(read_booking(request.json))
        return self._answer([write_info("sale", number=sale.identifier), *draw_papers(sale)])

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"{serial:010d}"
        return f"6A{body}{compute_check_digit(body)}"

    def _answer(self, parts: list[MultipartPart], status: int = 200) -> Reply:
        """The parts as Colissimo sends them: named by their Content-ID, each in its own type."""
        mark = BATCH.format(self.next_number("answer"))
        sections = [
            f"--{mark}\r\nContent-Type: {part.content_type}\r\nContent-Transfer-Encoding: binary\r\n"
            f"Content-ID: <{part.name}>\r\n\r\n".encode()
            + bytes(part.content)  # type: ignore[arg-type]
            for part in parts
        ]
        content = b"\r\n".join([*sections, f"--{mark}--\r\n".encode()])
        return Reply(status, content, {"content-type": f'multipart/mixed; boundary="{mark}"'})


def write_info(answer: str, **values: str) -> MultipartPart:
    return MultipartPart(
        "jsonInfos", plain_json.dump_bytes(CATALOGUE.fill(answer, **values)), content_type=INFO
    )


# -- the order as it is understood -----------------------------------------------------------------


def read_booking(body: Json) -> Booking:
    letter = body["letter"]
    parcel, service = letter["parcel"], letter["service"]
    extras = {"insurance": "insuranceValue", "cash_on_delivery": "codamount", "receipt": "returnReceipt"}
    return Booking(
        shipper=read_party(letter["sender"]["address"], PARTY),
        recipient=read_party(letter["addressee"]["address"], PARTY),
        weights=(Decimal(parcel["weight"]),),
        service=service["productCode"],
        account=body["contractNumber"],
        reference=letter["sender"].get("senderParcelRef"),
        extras=tuple(name for name, member in extras.items() if parcel.get(member)),
        items=read_items(as_list(get_path(letter, "customsDeclarations/contents/article")), ITEM),
        label=body["outputFormat"]["outputPrintingType"].partition("_")[0],
        ship_date=date.fromisoformat(service["depositDate"]),
    )


# -- papers ----------------------------------------------------------------------------------------


def draw_papers(sale: Sale) -> list[MultipartPart]:
    """The label, and the customs form of goods that are declared."""
    from shipcli.drawing import draw_label

    booking = sale.booking
    label = draw_label(design_label(sale), booking.label)
    parts = [MultipartPart("label", label, content_type="application/octet-stream")]
    if booking.items:
        form = draw_invoice("CN23 customs declaration", booking, {"Parcel": sale.identifier})
        parts.append(MultipartPart("cn23", form, content_type="application/octet-stream"))
    return parts


def design_label(sale: Sale) -> LabelSpec:
    booking, number = sale.booking, sale.identifier
    to = booking.recipient
    return draw_booking(
        booking,
        number,
        0,
        "Colissimo",
        CATALOGUE.services.slug(booking.service).removeprefix("colissimo_").replace("_", " ").capitalize(),
        mark=booking.service,
        routing=f"{to.country} {to.postal_code}",
        caption=group_text(number, 2, 5, 5),
        code2d=("datamatrix", f"%{to.postal_code:0>7}{number}{booking.service}"),
    )
