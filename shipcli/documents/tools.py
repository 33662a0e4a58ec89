"""What templates find beside their data: `units`, the maps of words and codes, and `utils`, a few
functions.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

from markupsafe import Markup

from shipcli.documents.amounts import format_money as money_text
from shipcli.models import reference

PAGE_SEPARATOR = Markup("<pdf:nextpage/>")
CODE_HEIGHT, SCALE, QUIET = 60, 3, 10
MOST_PIXELS = 4_000_000
_NAMES = {
    "code_128": "code128",
    "qrcode": "qr",
    "qr_code": "qr",
    "data_matrix": "datamatrix",
    "gs1_128": "gs1128",
}


def make_units() -> dict[str, Any]:
    """The reference maps, and the separator of page groups."""
    names = ("countries", "currencies", "states", "incoterms", "customs_content_type", "payment_types",
             "weight_units", "dimension_units")  # fmt: skip
    maps = {
        name: {key: _make_plain(value) for key, value in reference.find_table(name).items()} for name in names
    }
    packaging = list(reference.list_packaging_types())
    iso = dict(reference.find_table("country_iso3"))
    return {**maps, "packaging_types": packaging, "CountryISO": iso, "PAGE_SEPARATOR": PAGE_SEPARATOR}


def _make_plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def make_utils(now: datetime) -> dict[str, Any]:
    """The functions of templates; their clock stands at `now`."""
    return {
        "create_barcode": create_barcode,
        "generate_code": generate_code,
        "datetime": _Clock(now),
        "date_format": date_format,
        "money": money,
        "sum_values": sum_values,
        "refuse": refuse,
    }


def refuse(reason: Any) -> None:
    """Make no document.

    Errors: ValueError with the reason.
    """
    raise ValueError(str(reason))


class _Clock:
    """Dates as templates make them. The clock is ours: a document says when it was made, not where."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self, tz: Any = None) -> datetime:
        """The instant of the document."""
        return self._now

    utcnow = today = now

    def strptime(self, text: str, form: str) -> datetime:
        """A text read as a date."""
        return datetime.strptime(text, form)

    def fromisoformat(self, text: str) -> datetime:
        """An ISO text read as a date."""
        return datetime.fromisoformat(text)

    def __call__(self, *parts: int) -> datetime:
        """A date from its parts."""
        return datetime(*parts)  # type: ignore[arg-type]  # a template names as many as it likes


def date_format(value: Any, form: str = "%Y-%m-%d") -> str:
    """A date, or the text of one, in another format; empty if there is none."""
    if value in (None, ""):
        return ""
    if len(form) > 100 or re.search(r"%[^a-zA-Z%-]", form):
        raise ValueError(f"{form!r} is no form of a date")
    moment = value if isinstance(value, date) else datetime.fromisoformat(str(value))
    return moment.strftime(form)


def money(amount: Any, currency: Any = "") -> str:
    """An amount with the decimals of its currency, or more if it has more: `1,234.50`."""
    return money_text(Decimal(str(amount or 0)), str(currency or ""))


def sum_values(goods: Iterable[Mapping[str, Any]], currency: Any = "") -> dict[str, Decimal]:
    """The value of goods in each of their currencies; `currency` is that of goods that name none."""
    totals: dict[str, Decimal] = {}
    for item in goods:
        code = str(item.get("value_currency") or currency or "")
        value = Decimal(str(item.get("value_amount") or 0)) * Decimal(str(item.get("quantity") or 1))
        totals[code] = totals.get(code, Decimal(0)) + value
    return totals


def create_barcode(value: Any, options: Mapping[str, Any] | None = None, format: str = "PNG") -> str:
    """A Code 128 as base64 text, for `<img src="data:image/png;base64,...">`."""
    return generate_code(value, "code128", options, format)


def generate_code(
    data: Any, code_type: str = "code128", options: Mapping[str, Any] | None = None, format: str = "PNG"
) -> str:
    """A code as base64 text: code128, gs1-128, qr, datamatrix, pdf417, aztec, maxicode.

    Units: `options` may hold `scale` (pixels of a module), `height` (of bars, in modules), `quiet_zone` (in
           modules).
    Errors: ValueError.
    """
    if format.upper() != "PNG":
        raise ValueError(f"codes are made as PNG, not {format}")
    settings = options or {}
    word = code_type.lower().replace("-", "_")
    kind = _NAMES.get(word, word)
    rows = _list_rows(kind, str(data), int(settings.get("height") or CODE_HEIGHT))
    quiet = settings.get("quiet_zone")
    return _write_png(rows, int(settings.get("scale") or SCALE), int(QUIET if quiet is None else quiet))


def _list_rows(kind: str, data: str, height: int) -> list[bytes]:
    """The modules of a code, a byte each: 0 is black."""
    from shipcli.documents import gs1
    from shipcli.drawing import code128, symbols

    if kind == "gs1128":
        elements = gs1.read_elements(data)
        return _draw_bars(gs1.list_bars(elements), gs1.count_modules(elements), height)
    if kind == "code128":
        return _draw_bars(code128.list_bars(data), code128.count_modules(data), height)
    return list(symbols.encode_rows(kind, data))


def _draw_bars(bars: list[tuple[int, int]], wide: int, height: int) -> list[bytes]:
    row = bytearray(b"\xff" * wide)
    for at, width in bars:
        row[at : at + width] = bytes(width)
    return [bytes(row)] * height


def _write_png(rows: list[bytes], scale: int, quiet: int) -> str:
    from PIL import Image

    wide, high = len(rows[0]), len(rows)
    if (
        not (0 < scale <= 20 and 0 <= quiet <= 50)
        or (wide + 2 * quiet) * (high + 2 * quiet) * scale**2 > MOST_PIXELS
    ):
        raise ValueError("the code would be too large")
    sheet = Image.new("L", (wide + 2 * quiet, high + 2 * quiet), 255)
    sheet.paste(Image.frombytes("L", (wide, high), b"".join(rows)), (quiet, quiet))
    sheet = sheet.resize((sheet.width * scale, sheet.height * scale), Image.Resampling.NEAREST)
    out = BytesIO()
    sheet.convert("1").save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()
