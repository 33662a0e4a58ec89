"""Quote against price against the carrier's bill, and what to dispute of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.reports.sales import BILLING, TABLE, is_paid_by_sender, read_units
from shipcli.models.report import ReportColumn, ReportSection
from shipcli.store.query import at_least, at_most, equal, present

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.query import Filter

VOIDED, TWICE, WEIGHED, DEARER, FOREIGN, OTHERS = (
    "voided but billed", "billed twice", "weighed again", "dearer than bought", "another currency",
    "billed though others pay",
)  # fmt: skip
SUMS = {
    "labels": ("count distinct", "shipment_id"), "quoted": ("sum", "quoted"), "bought": ("sum", "charge"),
    "billed": ("sum", "billed"),
}  # fmt: skip
COMPARED = (
    ReportColumn(name="carrier", title="Carrier"),
    ReportColumn(name="labels", title="Billed labels", kind="count"),
    ReportColumn(name="quoted", title="Quoted", kind="money"),
    ReportColumn(name="bought", title="Bought", kind="money"),
    ReportColumn(name="billed", title="Billed", kind="money"),
    ReportColumn(name="difference", title="Billed above bought", kind="money"),
)  # fmt: skip
DISPUTED = (
    ReportColumn(name="tracking_number", title="Number"), ReportColumn(name="carrier", title="Carrier"),
    ReportColumn(name="reason", title="Why"), ReportColumn(name="line", title="Line of the bill"),
    ReportColumn(name="bought", title="Bought", kind="money"),
    ReportColumn(name="billed", title="Billed", kind="money"),
    ReportColumn(name="dispute", title="To dispute", kind="money"),
)  # fmt: skip
AMOUNTS = ("quoted", "bought", "billed")
WEIGHT_WORDS = ("weight", "dim", "measure", "gewicht", "audit")
Document = Mapping[str, Any]


def make_bill_sections(app: App, first: date, last: date) -> list[ReportSection]:
    """Per currency, carriers with what was billed; then what to dispute, line by line."""
    where = _choose(app, first, last)
    grouped = _compare_carriers(app, where)
    disputes = list(list_disputes(app, where))
    currencies = sorted({*grouped, *(row["currency"] for row in disputes)})
    sections: list[ReportSection] = []
    for currency in currencies:
        rows = grouped.get(currency, [])
        if rows:
            sums = ("labels", "quoted", "bought", "billed", "difference")
            sections.append(_section(f"{currency}: billed", currency, COMPARED, rows, sums))
        some = [row for row in disputes if row["currency"] == currency]
        if some:
            sections.append(_section(f"{currency}: to dispute", currency, DISPUTED, some, ("dispute",)))
    return sections


def _choose(app: App, first: date, last: date) -> list[Filter]:
    return [
        equal("test_mode", app.test_mode),
        at_least("day", first.isoformat()),
        at_most("day", last.isoformat()),
    ]


def _section(
    title: str,
    currency: str,
    columns: Sequence[ReportColumn],
    rows: list[dict[str, Any]],
    summed: Sequence[str],
) -> ReportSection:
    total = (
        {name: sum((row[name] for row in rows), type(rows[0][name])(0)) for name in summed} if rows else {}
    )
    return ReportSection(title=title, currency=currency, columns=list(columns), rows=rows, total=total)


def _compare_carriers(app: App, where: Sequence[Filter]) -> dict[str, list[dict[str, Any]]]:
    """By currency, what each carrier quoted, sold and billed; a void label counts as billed alone."""
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for row in app.store.group(TABLE, ["currency", "carrier", "is_void"], SUMS, [*where, present("billed")]):
        empty = {"carrier": row["carrier"], "labels": 0, **dict.fromkeys(AMOUNTS, Decimal(0))}
        compared = sums.setdefault((str(row["currency"]), str(row["carrier"])), empty)
        compared["labels"] += int(row["labels"])
        for name in ("billed",) if row["is_void"] else AMOUNTS:
            compared[name] += read_units(row[name])
    grouped: dict[str, list[dict[str, Any]]] = {}
    for (currency, _), compared in sorted(sums.items()):
        compared["difference"] = compared["billed"] - compared["bought"]
        grouped.setdefault(currency, []).append(compared)
    return grouped


def list_disputes(app: App, where: Sequence[Filter]) -> Iterator[dict[str, Any]]:
    """The lines of bills that a carrier should take back, day by day, shipment by shipment."""
    billed = [*where, present("billed")]
    for row in app.store.group(TABLE, ["day"], {"labels": ("count distinct", "shipment_id")}, billed):
        ids = app.store.columns(TABLE, ("shipment_id",), [*billed, equal("day", row["day"])])
        for shipment_id in dict.fromkeys(str(column[0]) for column in ids):
            shipment = app.store.get("shipment", shipment_id, app.test_mode)
            if shipment:
                yield from judge(shipment)


def judge(shipment: Document) -> Iterator[dict[str, Any]]:
    """What is wrong with the bill of a shipment.

    A void label must cost nothing, nor one that others pay for; a line is charged once; what is above the
    price is said with its reason.
    """
    rate: Document = shipment["selected_rate"] or {}
    is_ours, currency = is_paid_by_sender(shipment), str(rate.get("currency") or "")
    bought = Decimal(str(rate.get("total_charge") or 0)) if is_ours else Decimal(0)
    lines: Sequence[Document] = (shipment.get("meta") or {}).get(BILLING) or ()
    ours = [line for line in lines if (line.get("currency") or currency) == currency]
    billed = sum((_read(line) for line in ours), Decimal(0))
    facts = {"tracking_number": shipment["tracking_number"], "carrier": shipment["carrier_name"],
             "currency": currency, "bought": bought, "billed": billed}  # fmt: skip
    for line in lines:
        if line not in ours:
            yield {**facts, "reason": FOREIGN, "line": _name(line), "currency": str(line["currency"]),
                   "bought": Decimal(0), "billed": _read(line), "dispute": _read(line)}  # fmt: skip
    is_void = shipment["status"] == "cancelled"
    if is_void or not is_ours:
        if billed > 0:
            yield {
                **facts,
                "reason": VOIDED if is_void else OTHERS,
                "line": _name(ours[-1]),
                "dispute": billed,
            }
        return
    yield from _judge_prices(facts, ours)


def _judge_prices(facts: Document, lines: Sequence[Document]) -> Iterator[dict[str, Any]]:
    """Lines that repeat another; else what remains above the price."""
    seen: dict[tuple[str, str, Decimal], Document] = {}
    above = facts["billed"] - facts["bought"]
    for line in lines:
        parcel = str(line.get("tracking_number") or "")
        key = (parcel, str(line.get("description") or "").casefold(), _read(line))
        if key in seen and above > 0 and _read(line) > 0:
            above -= _read(line)
            yield {**facts, "reason": TWICE, "line": _name(line), "dispute": _read(line)}
        seen[key] = line
    if above > 0:
        extra = next((line for line in lines if _is_weighing(line)), lines[-1])
        reason = WEIGHED if _is_weighing(extra) else DEARER
        yield {**facts, "reason": reason, "line": _name(extra), "dispute": above}


def _is_weighing(line: Document) -> bool:
    words = str(line.get("description") or "").casefold()
    return any(word in words for word in WEIGHT_WORDS)


def _read(line: Document) -> Decimal:
    return Decimal(str(line["amount"]))


def _name(line: Document) -> str:
    parts = (line.get(name) for name in ("invoice_number", "tracking_number", "description"))
    return " ".join(str(part) for part in parts if part) or "-"
