"""What documents state about a shipment or an order: parties, goods, sums, weights; in words, before any
drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from shipcli.documents.amounts import format_money
from shipcli.models import Address, Commodity, Shipment
from shipcli.models.basics.json import write_number
from shipcli.models.basics.reference import list_content_types, list_incoterms
from shipcli.models.parts.address import PostalAddress
from shipcli.models.parts.articles import find_title, find_variant

GRAM = Decimal("0.001")
CUSTOMS_IDS = {
    "eori_number": "EORI",
    "vat_registration_number": "VAT",
    "nip_number": "NIP",
    "aes": "AES / ITN",
    "eel_pfc": "EEL / PFC",
    "license_number": "Licence",
    "certificate_number": "Certificate",
}
NOT_STATED = "not stated"
PAYERS = {"sender": "Sender", "recipient": "Recipient", "third_party": "Third party"}


@dataclass(frozen=True)
class DeclaredGoods:
    """The declared goods of a shipment, their weight unit and their sums."""

    items: tuple[Commodity, ...]
    unit: str
    currency: str

    @property
    def sums(self) -> dict[str, Decimal]:
        """The value of all goods by currency, in the order of first use."""
        totals: dict[str, Decimal] = {}
        for item in self.items:
            code = item.value_currency or self.currency
            totals[code] = totals.get(code, Decimal(0)) + (sum_line_value(item) or 0)
        return totals

    @property
    def weight(self) -> Decimal | None:
        """The net weight of all goods; None if that of one is unknown."""
        weights = [sum_line_weight(item, self.unit) for item in self.items]
        stated = [weight for weight in weights if weight is not None]
        return sum(stated, Decimal(0)) if stated and len(stated) == len(weights) else None

    @property
    def pieces(self) -> int:
        """The number of pieces of all goods."""
        return sum(item.quantity for item in self.items)


def list_contents(shipment: Shipment) -> list[Commodity]:
    """The contents of a shipment's parcels."""
    return [item for parcel in shipment.parcels for item in parcel.items]


def collect_goods(shipment: Shipment) -> DeclaredGoods:
    """The declared goods; the contents of the parcels if nothing is declared."""
    declared = shipment.customs.commodities if shipment.customs else []
    items = declared or list_contents(shipment)
    return DeclaredGoods(tuple(items), choose_weight_unit(shipment), choose_currency(shipment, items))


def choose_currency(shipment: Shipment, items: Sequence[Commodity]) -> str:
    """The currency of values that name none."""
    duty = shipment.customs.duty if shipment.customs else None
    named = next((item.value_currency for item in items if item.value_currency), None)
    paid = shipment.payment.currency if shipment.payment else None
    return str(named or (duty and duty.currency) or shipment.options.get("currency") or paid or "USD")


def choose_weight_unit(shipment: Shipment) -> str:
    """The unit of the weights: that of the first parcel, ounces and grams as their larger ones."""
    first = next((parcel.weight_unit for parcel in shipment.parcels if parcel.weight_unit), None)
    return "LB" if first in ("LB", "OZ") else "KG"


def sum_gross_weight(shipment: Shipment, unit: str) -> Decimal | None:
    """The weight of all parcels; None if none is known."""
    weights = [parcel.weight_in(unit) for parcel in shipment.parcels if parcel.weight is not None]
    return sum(weights, Decimal(0)) if weights else None


def sum_line_value(item: Commodity) -> Decimal | None:
    """The value of all pieces of a line."""
    return None if item.value_amount is None else item.value_amount * item.quantity


def sum_line_weight(item: Commodity, unit: str) -> Decimal | None:
    """The weight of all pieces of a line."""
    weight = item.weight_in(unit)
    return None if weight is None else weight * item.quantity


# -- in words --------------------------------------------------------------------------------------


def format_weight(weight: Decimal | None, unit: str = "") -> str:
    """`1.25 KG`, to the gram."""
    if weight is None:
        return ""
    return f"{write_number(weight.quantize(GRAM, ROUND_HALF_UP))} {unit}".rstrip()


def format_value(amount: Decimal | None, currency: str) -> str:
    """`1,234.50 EUR`, or a note that the value is not stated."""
    return NOT_STATED if amount is None else f"{format_money(amount, currency)} {currency}"


def list_total_values(goods: DeclaredGoods) -> list[str]:
    """The value of all goods in each currency; a note instead if one of them has no value."""
    if any(item.value_amount is None for item in goods.items):
        return [NOT_STATED]
    return [format_value(total, code) for code, total in goods.sums.items()]


def format_party(address: PostalAddress, *, contact: bool = True) -> list[str]:
    """A party in lines: company or person first, then the address, then phone and email."""
    names = list(dict.fromkeys(name for name in (address.company_name, address.person_name) if name))
    reach = [address.phone_number, address.email] if contact else []
    return [
        line for line in (*names, *address.lines, format_town(address), address.country_name, *reach) if line
    ]


def format_town(address: PostalAddress) -> str:
    """The town with its state and postal code."""
    return " ".join(part for part in (address.city, address.state_code, address.postal_code) if part)


def format_party_with_tax(address: PostalAddress) -> list[str]:
    """A party in lines, with the tax numbers last."""
    return [*format_party(address), *list_tax_ids(address)]


def list_tax_ids(address: PostalAddress) -> list[str]:
    """The tax numbers of a party."""
    pairs = (("Tax ID", address.federal_tax_id), ("State tax ID", address.state_tax_id))
    return [f"{name}: {value}" for name, value in pairs if value]


def find_importer(shipment: Shipment) -> Address | None:
    """The party that pays the duties, if it is neither shipper nor recipient."""
    customs = shipment.customs
    importer = customs and (
        customs.duty_billing_address or (customs.duty and customs.duty.duty_billing_address)
    )
    return importer or None


def list_customs_ids(shipment: Shipment) -> list[tuple[str, str]]:
    """The registrations that a declaration names."""
    options = shipment.customs.options if shipment.customs else {}
    return [(name, str(options[key])) for key, name in CUSTOMS_IDS.items() if options.get(key)]


def format_origin(item: Commodity) -> str:
    """The country an item was made in, or a note that it is not stated."""
    return item.origin_country or NOT_STATED


def list_without_origin(shipment: Shipment) -> list[str]:
    """The goods without a country of origin."""
    return [describe_item(item)[0] for item in collect_goods(shipment).items if not item.origin_country]


def describe_incoterm(shipment: Shipment) -> str:
    """The incoterm with its meaning."""
    code = shipment.customs.incoterm if shipment.customs else None
    return f"{code} ({list_incoterms()[code]})" if code and code in list_incoterms() else code or ""


def describe_export_reason(shipment: Shipment) -> str:
    """Why the goods cross the border."""
    kind = shipment.customs.content_type if shipment.customs else None
    return list_content_types().get(kind or "", kind or "").replace("_", " ").capitalize()


def name_service(shipment: Shipment) -> str:
    """Carrier and service in words; the carrier only once, even if its name is part of the service."""
    meta = shipment.meta or {}
    name = str(meta.get("service_name") or (shipment.service or "").replace("_", " ").upper())
    carrier = str(meta.get("rate_provider") or shipment.carrier_name or "").replace("_", " ").upper()
    same = name.split()[:1] == carrier.split()[:1] or _keep_letters(name).startswith(_keep_letters(carrier))
    return name if same else f"{carrier} {name}".strip()


def _keep_letters(text: str) -> str:
    return "".join(letter for letter in text.upper() if letter.isalnum())


def choose_shipping_date(shipment: Shipment) -> str:
    """The shipping date: the requested one, else the day the shipment was created."""
    options = shipment.options
    return str(options.get("shipping_date") or options.get("shipment_date") or shipment.created_at or "")[:10]


def describe_parcel(shipment: Shipment, at: int) -> list[str]:
    """Which of the parcels it is, its weight and its size, as far as they are known."""
    parcel, unit = shipment.parcels[at], choose_weight_unit(shipment)
    lines = [f"Parcel {at + 1} of {len(shipment.parcels)}"]
    if parcel.weight is not None:
        lines.append(format_weight(parcel.weight_in(unit), unit))
    sides = [side for side in (parcel.length, parcel.width, parcel.height) if side is not None]
    if len(sides) == 3:
        lines.append(f"{' x '.join(map(write_number, sides))} {parcel.size_unit}")
    return lines


def describe_item(item: Commodity) -> tuple[str, tuple[str, ...]]:
    """The whole title of an item, then its variant and its further description if there are any."""
    title, variant, description = find_title(item), find_variant(item), item.description or ""
    said = {"", title, f"{title} ({variant})"}
    is_said = description in said or (title + f" ({variant})").startswith(description)
    more = [variant, "" if is_said or not title else description]
    return title or description or "Goods", tuple(text for text in more if text)


def select_filled(pairs: Iterable[tuple[str, str | None]]) -> list[tuple[str, str]]:
    """The pairs that have a value."""
    return [(name, value) for name, value in pairs if value]
