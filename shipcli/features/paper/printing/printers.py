"""Printers by name: where each one is, its language, and which papers from which workstation go to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli import config as settings
from shipcli.config import PRINTER
from shipcli.features.paper.printing import places, transports
from shipcli.features.paper.printing.sheet import PrinterError
from shipcli.models.basics.decimals import AMOUNT, read_typed_amount
from shipcli.models.basics.device_names import check_device_name, explain_unknown_device
from shipcli.models.basics.errors import Conflict, Invalid
from shipcli.models.basics.text import count_text, find_nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

LABEL, SLIP, INVOICE, MANIFEST, DOCUMENT = "label", "slip", "invoice", "manifest", "document"
KINDS = (LABEL, SLIP, INVOICE, MANIFEST, DOCUMENT)
FORMATS = ("ZPL", "PDF", "PNG")
RESOLUTIONS = (203, 300, 600)
DPI = 203
MOST_COPIES = 99

_SIZE = re.compile(rf"{AMOUNT}\s*[xX×]\s*{AMOUNT}\s*(in|mm|cm)?")
_INCHES = {"in": Decimal(1), "mm": Decimal("25.4"), "cm": Decimal("2.54")}
_LARGEST_IN = 50


@dataclass(frozen=True)
class Printer:
    """A printer and its language.

    Shapes: no `kinds` means every kind of paper; a printer without `format` (one that is only a target)
            gets papers as they are.
    Units:  `size` is the paper in inches, such as 4x6; empty where pages keep their own.
    """

    name: str
    target: str
    format: str = ""
    dpi: int = DPI
    size: str = ""
    copies: int = 1
    kinds: tuple[str, ...] = ()
    bench: str = ""
    is_default: bool = False

    @property
    def size_in(self) -> tuple[float, float] | None:
        """Width and height of the paper."""
        if not self.size:
            return None
        wide, high = self.size.split("x")
        return float(wide), float(high)

    def takes(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "kinds": list(self.kinds)}


def check_printer(printer: Printer) -> Printer:
    """Return the printer with its size in inches.

    Errors: Invalid naming the field; PrinterError for a target that cannot be understood, or is no place to
            print to.
    """
    check_device_name(printer.name)
    target = transports.complete_target(printer.target)
    places.require_place(*transports.check(target), target)
    if printer.format not in FORMATS:
        raise Invalid("format", f"{printer.format!r} is not one of {', '.join(FORMATS)}")
    if printer.dpi not in RESOLUTIONS:
        raise Invalid("dpi", f"{printer.dpi} is not one of {', '.join(map(str, RESOLUTIONS))}")
    if not 1 <= printer.copies <= MOST_COPIES:
        raise Invalid("copies", f"say 1 to {MOST_COPIES}")
    for kind in printer.kinds:
        if kind not in KINDS:
            near = find_nearest(kind, KINDS)
            raise Invalid("kinds", f"{kind!r} is not one of {', '.join(KINDS)}{f'; {near}?' if near else ''}")
    return Printer(**{**asdict(printer), "target": target, "size": read_size(printer.size)})


def read_size(text: str) -> str:
    """Return the size of paper such as `4x6` or `100x150mm`, in inches.

    Errors: Invalid.
    """
    if not text.strip():
        return ""
    match = _SIZE.fullmatch(text.strip())
    inches = _INCHES[match[3] or "in"] if match else Decimal(1)
    sides = [read_typed_amount(side) / inches for side in (match[1], match[2])] if match else []
    if not sides or not all(0 < side <= _LARGEST_IN for side in sides):
        raise Invalid("size", f"{text!r} is not a size such as 4x6 (inches) or 100x150mm")
    return "x".join(f"{side.quantize(Decimal('0.001')).normalize():f}" for side in sides)


# -- stored --------------------------------------------------------------------------------------


def add_printer(app: App, printer: Printer, *, replace: bool = False) -> Printer:
    """Store a printer, in place of the one with its name if that is to be replaced.

    Errors: as `check_printer`; Conflict if the name is taken.
    """
    checked = check_printer(printer)
    with app.store.transaction() as tx:
        existing = tx.select("printers", {"name": checked.name})
        if existing and not replace:
            raise Conflict(f"There is a printer {checked.name} already; to change it say --replace")
        row = {name: value for name, value in checked.to_dict().items() if name != "is_default"}
        since = existing[0]["created_at"] if existing else app.now()
        tx.upsert("printers", {**row, "created_at": since, "updated_at": app.now()})
    return get_printer(app, checked.name)


def list_printers(app: App) -> list[Printer]:
    """Return all printers, sorted by name."""
    return [_read_printer(row, app.config[PRINTER]) for row in app.store.select("printers", {}, "name")]


def get_printer(app: App, name: str) -> Printer:
    """Errors: NotFound naming the nearest one."""
    printers = {printer.name: printer for printer in list_printers(app)}
    if name not in printers:
        raise explain_unknown_device("printer", name, list(printers))
    return printers[name]


def remove_printer(app: App, name: str) -> None:
    """Remove a printer.

    Errors: NotFound; Conflict while jobs wait for it.
    """
    get_printer(app, name)
    with app.store.transaction() as tx:
        waiting = tx.count_rows("print_jobs", {"printer": name, "state": "waiting"})
        if waiting:
            raise Conflict(
                f"{count_text(waiting, 'job')} wait{'s' * (waiting == 1)} for {name}; first: "
                f"shipcli printers resume, or shipcli printers cancel JOB"
            )
        tx.remove("printers", {"name": name})
    if app.config[PRINTER] == name and settings.is_written(app.config.home, PRINTER):
        settings.write(app.config.home, PRINTER, None)


def _read_printer(row: dict[str, Any], default: str) -> Printer:
    names = ("name", "target", "format", "dpi", "size", "copies", "bench")
    kinds = tuple(row["kinds"] or ())
    return Printer(**{name: row[name] for name in names}, kinds=kinds, is_default=row["name"] == default)


# -- chosen --------------------------------------------------------------------------------------


def choose_printer(app: App, kind: str, named: str | None = None) -> Printer:
    """Return the printer for a kind of paper: the one named, else this workstation's, else the default one.

    Errors: PrinterError if there is none, or several and none is the default.
    """
    if named:
        return get_printer_named(app, named)
    fit = [printer for printer in list_printers(app) if printer.takes(kind)]
    bench = app.config["bench"]
    here = [printer for printer in fit if bench and printer.bench == bench]
    return (
        _choose_for_kind(here, kind)
        if here
        else _find_shared(app, [printer for printer in fit if not printer.bench], kind)
    )


def _find_shared(app: App, fit: Sequence[Printer], kind: str) -> Printer:
    """Return the printer made for this kind, else the default one."""
    usual = app.config[PRINTER]
    if usual and len([printer for printer in fit if printer.kinds]) != 1:
        default = get_printer_named(app, usual)
        if default.takes(kind):
            return default
    return _choose_for_kind(fit, kind)


def get_printer_named(app: App, name: str) -> Printer:
    """Return a printer by its name, or an unregistered one by its target.

    Errors: PrinterError if it is neither.
    """
    rows = [] if ":" in name else app.store.select("printers", {"name": name})
    if rows:
        return _read_printer(rows[0], app.config[PRINTER])
    target = transports.complete_target(name)
    transports.check(target)
    return Printer(target, target, app.config["printer_format"])


def _choose_for_kind(fit: Sequence[Printer], kind: str) -> Printer:
    """Return the printer made for this kind, else the default one."""
    candidates = [printer for printer in fit if printer.kinds] or list(fit)
    default = [printer for printer in candidates if printer.is_default]
    if len(default or candidates) == 1:
        return (default or candidates)[0]
    if not candidates:
        raise PrinterError(
            f"no printer is named, and none takes a {kind}",
            hint="shipcli printers add NAME --to tcp://HOST --format ZPL, or for once: --to tcp://HOST",
        )
    names = ", ".join(printer.name for printer in candidates)
    hint = f"name one: --to {candidates[0].name}, or: shipcli printers default {candidates[0].name}"
    raise PrinterError(f"several printers take a {kind}: {names}", hint=hint)
