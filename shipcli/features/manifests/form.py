"""The end-of-day form of carriers that make none of their own, drawn from the shipments."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from shipcli.models import Address, Shipment
from shipcli.models.json import number_text
from shipcli.models.units import convert_weight

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

THOUSANDTH = Decimal("0.001")


class FormContent(NamedTuple):
    """What a form says."""

    title: str
    address: tuple[str, ...]
    details: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]


def draw_manifest(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    *,
    reference: str | None = None,
    others: Sequence[str] = (),
) -> bytes:
    """An A4 PDF that lists the shipments, for the driver to sign; of `others` only the numbers are known."""
    form = form_of(app, account, address, shipments, reference, others)
    return write_form(form, sample=bool(app.sandbox or account.config.sandbox))


def form_of(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    reference: str | None,
    others: Sequence[str],
) -> FormContent:
    """What the form of these shipments says."""
    unit = _unit(shipments)
    name = str(account.connection.get("display_name") or account.kind.name)
    parcels = sum(len(shipment.parcels) for shipment in shipments)
    details = [
        ("Date", account.open(app).today_at(address).isoformat()),
        ("Account", account.carrier_id),
        ("Shipments", str(len(shipments) + len(others))),
        ("Parcels", str(parcels + len(others))),
        ("Weight", _weight(shipments, unit)),
        ("Reference", reference or ""),
    ]
    rows = [_row(shipment, unit) for shipment in shipments]
    names = (address.person_name, address.company_name)
    lines = (*names, *address.lines, _town(address), address.country_name)
    return FormContent(
        f"End-of-day form: {name}",
        tuple(line or "" for line in lines),
        tuple((label, value) for label, value in details if value),
        (*rows, *((number, "", "", "", "1", "") for number in others)),
    )


def _row(shipment: Shipment, unit: str) -> tuple[str, ...]:
    return (
        str(shipment.tracking_number),
        str((shipment.meta or {}).get("service_name") or shipment.service or ""),
        shipment.recipient.name or "",
        " ".join(part for part in (_town(shipment.recipient), shipment.recipient.country_code) if part),
        str(len(shipment.parcels)),
        _weight([shipment], unit),
    )


def _town(address: Address) -> str:
    return " ".join(part for part in (address.city, address.state_code, address.postal_code) if part)


def _unit(shipments: Sequence[Shipment]) -> str:
    """The weight unit of the form: the one of the first parcel, ounces and grams as their larger ones."""
    units = (parcel.weight_unit for shipment in shipments for parcel in shipment.parcels)
    return {"OZ": "LB", "LB": "LB"}.get(next(units, None) or "", "KG")


def _weight(shipments: Sequence[Shipment], unit: str) -> str:
    known = [
        convert_weight(parcel.weight, parcel.weight_unit or "LB", unit)
        for shipment in shipments
        for parcel in shipment.parcels
        if parcel.weight is not None
    ]
    return f"{number_text(sum(known, Decimal(0)).quantize(THOUSANDTH).normalize())} {unit}" if known else ""


def write_form(form: FormContent, *, sample: bool) -> bytes:
    """The form as PDF. No day's end fails for a character that no font has: it becomes a question mark."""
    from shipcli.documents.manifest import pages
    from shipcli.drawing.pdf import write_pdf

    made = pages(form.title, form.rows, address=form.address, details=form.details, sample=sample)
    return write_pdf(made, form.title)
