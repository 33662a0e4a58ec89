"""A shipment on a terminal: its service, number and price, where it goes, what is in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shipcli.cli.console.cells import format_cell
from shipcli.cli.console.list_views import (
    RETURN_OF,
    format_age,
    format_money,
    format_price,
    format_size,
    format_total,
    format_weight,
)
from shipcli.cli.console.order_card import describe_place

Plain = Mapping[str, Any]
MOST_RATES = 5
CHARGED = "max_total"  # of a purchase's budget: nothing a person wrote
OF_ORDER = ("order_id", "order_source")  # in the metadata: the order it fulfils


def write_shipment_card(shipment: Plain) -> list[tuple[str, str]]:
    """The lines of the card, each with its heading."""
    return [(title, text) for title, text in _write_lines(shipment) if text]


def _write_lines(shipment: Plain) -> Iterator[tuple[str, str]]:
    metadata, meta = shipment.get("metadata") or {}, shipment.get("meta") or {}
    yield "shipment", ", ".join(filter(None, (shipment.get("reference"), shipment["status"])))
    yield "return of", str(metadata.get(RETURN_OF) or "")
    yield "order", " of ".join(str(metadata[name]) for name in OF_ORDER if metadata.get(name))
    yield "service", " of ".join(filter(None, (shipment.get("service"), shipment.get("carrier_id"))))
    yield "price", format_price(shipment)
    yield "tracking", shipment.get("tracking_number") or ""
    yield "label", _describe_label(shipment)
    yield "to", describe_place(shipment["recipient"])
    yield "from", describe_place(shipment["shipper"])
    for parcel in shipment.get("parcels") or []:
        yield "parcel", _describe_parcel(parcel)
    for article in (shipment.get("customs") or {}).get("commodities") or []:
        yield "declared", _describe_article(article)
    yield from _write_offers(shipment)
    yield "pickup", str(meta.get("pickup_id") or "")
    for message in shipment.get("messages") or []:
        yield "message", ": ".join(filter(None, (message.get("carrier_id"), message.get("message"))))
    yield from _write_extras(shipment, metadata)
    yield "created", f"{format_age(shipment.get('created_at'))} ago"
    yield "id", str(shipment["id"])


def _describe_label(shipment: Plain) -> str:
    url = shipment.get("label_url")
    return f"{shipment.get('label_type') or ''} {url}".strip() if url else ""


def _describe_parcel(parcel: Plain) -> str:
    """2.5 LB, 12 x 8 x 4 IN, ups_small_box, Books: 2 x Mug."""
    articles = [
        f"{item.get('quantity')} x {item.get('title') or item.get('sku')}"
        for item in parcel.get("items") or []
    ]
    parts = (format_weight(parcel), format_size(parcel), parcel.get("package_preset"), parcel.get("content"))
    return ", ".join([*(str(part) for part in parts if part), *articles])


def _describe_article(article: Plain) -> str:
    """2 x Mug, 12.50 USD, 6912.00, CN."""
    name = article.get("title") or article.get("description") or article.get("sku") or ""
    value = format_money(article.get("value_amount"), article.get("value_currency"))
    parts = (
        f"{article.get('quantity')} x {name}",
        value,
        article.get("hs_code"),
        article.get("origin_country"),
    )
    return ", ".join(str(part) for part in parts if part)


def _write_offers(shipment: Plain) -> Iterator[tuple[str, str]]:
    """The cheapest rates of a draft, from which somebody chooses still."""
    rates = sorted(shipment.get("rates") or [], key=lambda rate: rate["total_charge"])
    if shipment["status"] != "draft":
        return
    for rate in rates[:MOST_RATES]:
        yield "rate", f"{rate['service']} of {rate['carrier_id']}, {format_total(rate)}"
    if len(rates) > MOST_RATES:
        yield "", f"and {len(rates) - MOST_RATES} more rates"


def _write_extras(shipment: Plain, metadata: Plain) -> Iterator[tuple[str, str]]:
    notes = {name: value for name, value in metadata.items() if name not in (*OF_ORDER, CHARGED, RETURN_OF)}
    for title, values in (("options", shipment.get("options") or {}), ("metadata", notes)):
        yield title, ", ".join(f"{name} {format_cell(value)}" for name, value in values.items())
