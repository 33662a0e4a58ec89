"""What the simulated Canada Post understands of an order, and the papers it draws: labels and manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.carrier.simulated_papers import draw_booking, group_text

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

CATALOGUE = load_catalogue(__file__)
COUNTRIES = {"domestic": "CA", "united-states": "US"}
SIDE = 3  # characters of each half of a Canadian postal code


def make_pin(customer: str, serial: int) -> str:
    """A 16-digit parcel number: customer, serial, check digit (modulus 10, weights 3 and 1)."""
    body = f"{int(customer) % 10**7:07}{serial % 10**8:08}"
    total = sum(int(digit) * (1 if at % 2 else 3) for at, digit in enumerate(body))
    return f"{body}{-total % 10}"


def title(code: str) -> str:
    """A service's name as people read it."""
    slug = CATALOGUE.services.slug(code).removeprefix("canadapost_")
    return slug.replace("_", " ").title().replace("Usa", "USA")


def spaced(code: str, country: str) -> str:
    """A postal code as it is printed: J3B 8E5."""
    return f"{code[:SIDE]} {code[SIDE:]}" if country == "CA" else code


# -- orders ----------------------------------------------------------------------------------------


def read_scenario(body: Json) -> Booking:
    """The parcel of a question for prices."""
    [(kind, place)] = body["destination"].items()
    country = COUNTRIES.get(kind) or place["country-code"]
    code = place.get("postal-code") or place.get("zip-code") or ""
    return Booking(
        shipper=Party(country="CA", postal_code=body["origin-postal-code"]),
        recipient=Party(country=country, postal_code=code),
        weights=(_weight(body),),
    )


def read_order(body: Json, customer: str) -> Booking:
    spec, day = body["delivery-spec"], body.get("expected-mailing-date")
    return Booking(
        shipper=_party(spec["sender"]),
        recipient=_party(spec["destination"]),
        weights=(_weight(spec),),
        service=spec["service-code"],
        account=customer,
        reference=get_path(spec, "references/customer-ref-1"),
        key=body.get("customer-request-id"),
        items=tuple(_items(spec.get("customs") or {})),
        label=get_path(spec, "print-preferences/encoding") or "PDF",
        ship_date=date.fromisoformat(day) if day else None,
        billing=get_path(spec, "settlement-info/intended-method-of-payment") or "",
    )


def _weight(body: Json) -> Decimal:
    return Decimal(get_path(body, "parcel-characteristics/weight"))


def _party(party: Json) -> Party:
    address = party["address-details"]
    country = address["country-code"]
    return Party(
        country=country,
        name=party.get("name") or "",
        company=party.get("company") or "",
        lines=tuple(line for at in (1, 2) if (line := address.get(f"address-line-{at}"))),
        city=address.get("city") or "",
        state=address.get("prov-state") or "",
        postal_code=spaced(address.get("postal-zip-code") or "", country),
    )


def _items(customs: Json) -> list[BookedItem]:
    return [
        BookedItem(
            description=one["customs-description"],
            quantity=int(one["customs-number-of-units"]),
            value=Decimal(one["customs-value-per-unit"]),
            currency=customs["currency"],
        )
        for one in as_list(get_path(customs, "sku-list/item"))
    ]


# -- drawing ---------------------------------------------------------------------------------------


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
    from shipcli.drawing import draw_form

    rows = [
        (one["number"], title(one["service"]), f"{one['weight_kg']} kg", str(one["total"])) for one in labels
    ]
    return draw_form(
        "Canada Post manifest",
        rows,
        columns=("Item", "Service", "Weight", "Amount CAD"),
        details=(("PO number", f"P{form['number'][-9:]}"), ("Items", str(len(rows)))),
        sample=True,
    )
