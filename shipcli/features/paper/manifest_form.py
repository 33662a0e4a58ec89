"""Draw the end-of-day form for carriers that do not make one themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from shipcli.documents import facts
from shipcli.drawing.form import lay_out_form
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.drawing.formats.pdf_file import is_own_document
from shipcli.drawing.table import TableColumn
from shipcli.features.connections.accounts import open_account
from shipcli.features.core.shipment_lookup import find_shipments
from shipcli.features.paper.stationery import make_stationery
from shipcli.models import Address, Manifest, Shipment

if TYPE_CHECKING:
    from shipcli.drawing.elements import Page
    from shipcli.drawing.paper import Letterhead, PaperSize
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

COLUMNS = (
    TableColumn("Tracking number", 21, narrow=52),
    TableColumn("Service", 20, narrow=0, is_clear=True),
    TableColumn("Recipient", 24, narrow=0, is_clear=True),
    TableColumn("Destination", 17, narrow=0, is_clear=True),
    TableColumn("Parcels", 8, "R", narrow=15),
    TableColumn("Weight", 10, "R", narrow=23),
)
SIGNATURE = "Received by the driver: name, date, signature"


class FormContent(NamedTuple):
    """The content of a form."""

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
    at: datetime | None = None,
    paper: PaperSize | None = None,
) -> bytes:
    """Draw a PDF that lists the shipments, for the driver to sign; only the numbers of `others` are known.

    `at` is when they were closed, by default now; `paper` defaults to that of the settings or the country.
    """
    look = make_stationery(app, "manifest", address.country_code, paper)
    day = (at or app.now()).astimezone(account.open(app).now_at(address).tzinfo).date()
    form = _list_shipments(account, address, shipments, reference, others, day)
    return write_form(form, replace(look, sample=bool(app.sandbox or account.config.sandbox)))


def redraw_form(app: App, manifest_id: str, content: bytes, paper: PaperSize) -> bytes:
    """Redraw a stored form for another paper; unchanged if a carrier made it or its connection is gone."""
    manifest = Manifest.model_validate(app.store.get("manifest", manifest_id, app.test_mode))
    account = open_account(app, str((manifest.meta or {}).get("connection_id")))
    if account is None or not is_own_document(content):
        return content
    shipments = find_shipments(app, manifest.shipment_identifiers)
    return draw_manifest(
        app,
        account,
        Address.model_validate(manifest.address.model_dump()),
        list(shipments.values()),
        reference=manifest.reference,
        others=[identifier for identifier in manifest.shipment_identifiers if identifier not in shipments],
        at=app.store.select("manifests", {"id": manifest_id})[0]["created_at"],
        paper=paper,
    )


def _list_shipments(
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    reference: str | None,
    others: Sequence[str],
    day: date,
) -> FormContent:
    """Build the content of the form for these shipments."""
    unit = facts.choose_weight_unit(shipments[0]) if shipments else "KG"
    name = str(account.connection.get("display_name") or account.kind.name)
    parcels = sum(len(shipment.parcels) for shipment in shipments)
    details = [
        ("Date", day.isoformat()),
        ("Account", account.carrier_id),
        ("Shipments", str(len(shipments) + len(others))),
        ("Parcels", str(parcels + len(others))),
        ("Weight", _format_weight(shipments, unit)),
        ("Reference", reference or ""),
    ]
    rows = [_make_row(shipment, unit) for shipment in shipments]
    return FormContent(
        f"End-of-day form: {name}",
        tuple(facts.format_party(address, contact=False)),
        tuple((label, value) for label, value in details if value),
        (*rows, *((number, "", "", "", "1", "") for number in others)),
    )


def _make_row(shipment: Shipment, unit: str) -> tuple[str, ...]:
    return (
        str(shipment.tracking_number),
        str((shipment.meta or {}).get("service_name") or shipment.service or ""),
        shipment.recipient.name or "",
        " ".join(
            part for part in (facts.format_town(shipment.recipient), shipment.recipient.country_code) if part
        ),
        str(len(shipment.parcels)),
        _format_weight([shipment], unit),
    )


def _format_weight(shipments: Sequence[Shipment], unit: str) -> str:
    weights = [
        weight for shipment in shipments if (weight := facts.sum_gross_weight(shipment, unit)) is not None
    ]
    return facts.format_weight(sum(weights, Decimal(0)), unit) if weights else ""


def write_form(form: FormContent, look: Letterhead) -> bytes:
    """Write the form as PDF."""
    return write_pdf(draw_pages(form, look), form.title)


def draw_pages(form: FormContent, look: Letterhead) -> tuple[Page, ...]:
    """Draw the form: the list of what a driver collects, which the driver signs."""
    return lay_out_form(
        form.title, form.rows, COLUMNS, look,
        parties=[("From", form.address)], details=form.details, signature=SIGNATURE,
    )  # fmt: skip
