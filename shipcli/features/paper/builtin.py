"""The built-in documents of stored shipments and orders: many in one file, in the order given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.documents.gs1 import is_sscc, make_sscc
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.features.core.repository import save
from shipcli.features.paper.stationery import make_stationery
from shipcli.models import Invalid, Order, Shipment

if TYPE_CHECKING:
    from shipcli.drawing.elements import Page
    from shipcli.drawing.paper import Letterhead, PaperSize
    from shipcli.features.core.app import App

CODES = "sscc"  # where a shipment's container codes stand in its meta
PREFIX, COUNTER = "gs1_prefix", "sscc"  # the setting, and the counter of each prefix
CUSTOMS_FORMS = ("cn22", "cn23")
FORCES = frozenset({"AA", "AE", "AP"})  # states of the military post of the US
KINDS = ("invoice", "slip", "cn22", "cn23", "gs1", "return")
Pages = tuple["Page", ...]


def make_documents(
    app: App,
    kind: str,
    shipments: Sequence[Shipment],
    prefix: str | None = None,
    paper: PaperSize | None = None,
) -> bytes:
    """Return documents of shipments as one PDF: invoice, slip, cn22, cn23, gs1 or return.

    `prefix` is the GS1 company prefix for container codes that are not given yet; without `paper` settings
    and the shipper's country say which it is.
    Errors: Invalid for another kind, for no shipment, for a logistic label without a prefix, for papers of
            customs that have no goods or cross no border.
    """
    if kind not in KINDS:
        raise Invalid("kind", f"{kind!r} is not one of {', '.join(KINDS)}")
    if not shipments:
        raise Invalid("shipments", "There is nothing to make documents of.")
    refuse_pointless(kind, shipments)
    if kind == "gs1":
        shipments = [add_codes(app, shipment, prefix or app.config[PREFIX]) for shipment in shipments]
    draw = _choose_drawing(kind)
    pages = [
        page
        for shipment in shipments
        for page in draw(shipment, _fill_stationery(app, kind, shipment, paper))
    ]
    return _write(pages, kind)


def make_order_documents(
    app: App, kind: str, orders: Sequence[Order], prefix: str | None = None, paper: PaperSize | None = None
) -> bytes:
    """Return documents of orders as one PDF: packing slips of the orders themselves, all others of their
    shipments that are bought.

    Errors: as `make_documents`; Invalid if no order has such a shipment.
    """
    if kind != "slip":
        return make_documents(app, kind, list_bought_shipments(orders), prefix, paper)
    from shipcli.documents.slips import draw_order_slip

    def make_order_stationery(order: Order) -> Letterhead:
        sender = order.shipping_from
        return make_stationery(app, kind, sender.country_code if sender else None, paper)

    return _write(
        [page for order in orders for page in draw_order_slip(order, make_order_stationery(order))], kind
    )


def list_bought_shipments(orders: Sequence[Order]) -> list[Shipment]:
    """Return the bought shipments of orders, each once, oldest first."""
    bought = (
        shipment
        for order in orders
        for shipment in order.shipments[::-1]
        if shipment.tracking_number and shipment.status != "cancelled"
    )
    return list({shipment.id: shipment for shipment in bought}.values())


# -- checks ----------------------------------------------------------------------------------------


def refuse_pointless(kind: str, shipments: Sequence[Shipment]) -> None:
    """Errors: Invalid naming every shipment that can't have such a paper, and why."""
    reasons = [(shipment, reason) for shipment in shipments if (reason := find_obstacle(kind, shipment))]
    if reasons:
        raise Invalid.many(
            [("shipments", f"{shipment.display_name}: {reason}") for shipment, reason in reasons]
        )


def find_obstacle(kind: str, shipment: Shipment) -> str | None:
    """Return why a document would be empty or wrong for a shipment, or None if it would be neither."""
    from shipcli.documents.facts import collect_goods

    if kind in CUSTOMS_FORMS and not passes_customs(shipment):
        return f"it stays in {shipment.shipper.country_code}, so it needs no {kind.upper()}"
    if kind in (*CUSTOMS_FORMS, "invoice") and not collect_goods(shipment).items:
        return "no goods were declared, so there is nothing to list"
    return None


def passes_customs(shipment: Shipment) -> bool:
    """Return whether the post may require a customs form; it also does for mail to forces abroad."""
    to = shipment.recipient
    abroad = shipment.shipper.country_code != to.country_code
    return abroad or (to.country_code == "US" and to.state_code in FORCES)


def _write(pages: Sequence[Page], title: str) -> bytes:
    return write_pdf(pages, title)


# -- one shipment ----------------------------------------------------------------------------------


def _choose_drawing(kind: str) -> Callable[[Shipment, Letterhead], Pages]:
    from shipcli.documents import invoice, logistic_label, postal_forms, slips

    return {
        "invoice": invoice.draw_invoice,
        "slip": slips.draw_packing_slip,
        "cn22": postal_forms.draw_cn22,
        "cn23": postal_forms.draw_cn23,
        "gs1": lambda shipment, stationery: logistic_label.draw_logistic_labels(
            shipment, list_codes(shipment), stationery
        ),
        "return": slips.draw_return_slip,
    }[kind]


def _fill_stationery(app: App, kind: str, shipment: Shipment, paper: PaperSize | None) -> Letterhead:
    from shipcli.documents.facts import choose_shipping_date

    stationery = make_stationery(app, kind, shipment.shipper.country_code, paper)
    day = choose_shipping_date(shipment) or stationery.day
    return replace(stationery, day=day, sample=is_sample(app, shipment))


def is_sample(app: App, shipment: Shipment) -> bool:
    """Return whether the shipment was bought from a simulated carrier; of a connection that is not known here
    (any more), whether it is test data.
    """
    from shipcli.features.connections.accounts import open_account
    from shipcli.features.core.shipment_lookup import find_connection_id

    if app.sandbox:
        return True
    account = open_account(app, find_connection_id(shipment) or "")
    return bool(account.config.sandbox if account else shipment.test_mode)


# -- container codes -------------------------------------------------------------------------------


def list_codes(shipment: Shipment) -> list[str]:
    """Return the container codes that a shipment's parcels have."""
    stored = list((shipment.meta or {}).get(CODES) or [])
    numbers = [str(parcel.reference_number or "").removeprefix("00") for parcel in shipment.parcels]
    return stored or [number for number in numbers if is_sscc(number)]


def add_codes(app: App, shipment: Shipment, prefix: str | None) -> Shipment:
    """Return the shipment with a container code for every parcel, and store new codes, so that they stay.

    Errors: Invalid if it needs codes and there is no company prefix.
    """
    if len(list_codes(shipment)) == len(shipment.parcels):
        return shipment
    if not prefix:
        raise Invalid(PREFIX, "A logistic label needs your GS1 company prefix: name it, or set gs1_prefix.")
    with app.store.transaction() as tx:
        document: dict[str, Any] | None = tx.get("shipment", shipment.id, app.test_mode)
        current = Shipment.model_validate(document) if document else shipment
        if len(list_codes(current)) == len(current.parcels):
            return current
        codes = [make_sscc(prefix, tx.next_number(f"{COUNTER}/{prefix}")) for _ in current.parcels]
        changed = current.model_copy(update={"meta": {**(current.meta or {}), CODES: codes}})
        if document:
            save(app, tx, "shipment", changed.model_dump(), "noted")
    return changed
