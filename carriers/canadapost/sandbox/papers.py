"""What the simulated Canada Post understands of an order, and the papers it draws: labels and manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Party, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.check_digits import compute_check_digit

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
COUNTRIES = {"domestic": "CA", "united-states": "US"}


def make_pin(customer: str, serial: int) -> str:
    """A 16-digit parcel number: customer, serial, check digit."""
    body = f"{int(customer) % 10**7:07}{serial % 10**8:08}"
    return f"{body}{compute_check_digit(body)}"


def title(code: str) -> str:
    """A service's name as people read it."""
    slug = CATALOGUE.services.slug(code).removeprefix("canadapost_")
    return slug.replace("_", " ").title().replace("Usa", "USA")


def spaced(code: str, country: str) -> str:
    """A postal code as it is printed: J3B 8E5."""
    return f"{code[:3]} {code[3:]}" if country == "CA" else code


def read_scenario(body: Json) -> Booking:
    """The parcel of a question for prices."""
    [(kind, address)] = body["destination"].items()
    return Booking(
        shipper=Party(country="CA", postal_code=body["origin-postal-code"]),
        recipient=read_party(address, CATALOGUE.paths("place"), COUNTRIES.get(kind, "")),
        weights=(_weight(body),),
        parcels=(_measure(body),),
    )


def read_order(body: Json, customer: str) -> Booking:
    spec, day = body["delivery-spec"], body.get("expected-mailing-date")
    customs = spec.get("customs") or {}
    return Booking(
        shipper=_read_address(spec["sender"]),
        recipient=_read_address(spec["destination"]),
        weights=(_weight(spec),),
        parcels=(_measure(spec),),
        service=spec["service-code"],
        account=customer,
        reference=get_path(spec, "references/customer-ref-1"),
        key=body.get("customer-request-id"),
        items=read_items(as_list(get_path(customs, "sku-list/item")), ITEM, customs.get("currency", "")),
        label=get_path(spec, "print-preferences/encoding") or "PDF",
        ship_date=date.fromisoformat(day) if day else None,
        billing=get_path(spec, "settlement-info/intended-method-of-payment") or "",
    )


def read_return(body: Json, customer: str) -> Booking:
    """The order of a return, from the customer to the shop."""
    return Booking(
        shipper=_read_resident(body["returner"]),
        recipient=_read_resident(body["receiver"]),
        weights=(_weight(body),),
        parcels=(_measure(body),),
        service=body["service-code"],
        account=customer,
        reference=get_path(body, "references/customer-ref-1"),
        label=get_path(body, "print-preferences/encoding") or "PDF",
    )


def _read_resident(body: Json) -> Party:
    place = body["domestic-address"]
    details = {**place, "prov-state": place["province"], "postal-zip-code": place["postal-code"]}
    return _read_address({**body, "address-details": {**details, "country-code": "CA"}})


def _measure(body: Json) -> MeasuredParcel:
    size = get_path(body, "parcel-characteristics/dimensions") or {}
    return measure_parcel(_weight(body), "KG", [size.get(name) for name in ("length", "width", "height")])


def _weight(body: Json) -> Decimal:
    return Decimal(get_path(body, "parcel-characteristics/weight"))


def _read_address(body: Json) -> Party:
    party = read_party(body, PARTY)
    return replace(party, postal_code=spaced(party.postal_code, party.country))


def draw(booking: Booking, number: str) -> bytes:
    """The label of a parcel, in the encoding it was ordered in."""
    from shipcli.drawing import draw_label

    return draw_label(design_label(booking, number), booking.label)


def design_label(booking: Booking, number: str) -> LabelSpec:
    to, service = booking.recipient, booking.service
    furniture = {
        "mark": service.split(".")[1],
        "routing": to.postal_code or to.country,
        "caption": group_text(number, 4, 4, 4, 4),
        "code2d": ("datamatrix", f"{to.postal_code.replace(' ', '')} {number} {service}"),
    }
    return draw_booking(booking, number, 0, "Canada Post Postes Canada", title(service), **furniture)


def draw_manifest(form: Mapping[str, Any], labels: Sequence[Mapping[str, Any]]) -> bytes:
    """The form the driver signs."""
    from shipcli.drawing import LETTER, draw_form

    rows = [
        (label["number"], title(label["service"]), f"{label['weight_kg']} kg", str(label["total"]))
        for label in labels
    ]
    return draw_form(
        "Canada Post manifest",
        rows,
        columns=("Item", "Service", "Weight", "Amount CAD"),
        details=(("PO number", f"P{form['number'][-9:]}"), ("Items", str(len(rows)))),
        sample=True,
        sheet=LETTER,
    )
