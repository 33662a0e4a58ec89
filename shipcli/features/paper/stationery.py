"""What documents are printed on: the paper named, set or usual, and the company's logo."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli.config import LOGO, PAPER, SHIPPER
from shipcli.drawing import Unconvertible, find_label_kind
from shipcli.drawing.paper import A4, LABEL_4X6, LETTER, PAPERS, Letterhead, PaperSize
from shipcli.models import Invalid

if TYPE_CHECKING:
    from shipcli.config import Config
    from shipcli.drawing.elements import ColourImage
    from shipcli.features.core.app import App

# Where offices hold letter paper; everywhere else it is A4.
LETTER_COUNTRIES = frozenset([
    "US", "CA", "MX", "PR", "GT", "SV", "HN", "NI", "CR", "PA", "DO", "CO", "VE", "CL", "PH", "GU", "VI",
    "AS", "MP",
])  # fmt: skip
STUCK_ON_PARCELS = frozenset({"cn22", "gs1"})
MOST_BYTES = 5_000_000
MOST_PIXELS = (850, 400)  # of a logo: at the size it is printed, 300 dots to the inch
KINDS = ("PNG", "JPG")


def make_stationery(app: App, kind: str, country: str | None, paper: PaperSize | None = None) -> Letterhead:
    """Paper, logo and date of a document sent from this country (by default the shipper's)."""
    paper = paper or choose_paper(app.config, kind, country or _find_home_country(app))
    return Letterhead(paper, find_logo(app.config), f"{app.now():%Y-%m-%d}", app.sandbox)


def _find_home_country(app: App) -> str | None:
    address = app.store.get("address", app.config[SHIPPER]) if app.config[SHIPPER] else None
    sandbox = "US" if app.sandbox else None  # where its sample warehouse is
    return address["country_code"] if address else sandbox


def choose_paper(config: Config, kind: str, country: str | None) -> PaperSize:
    """Return the paper of a document: that of the settings, else the usual one of the country.

    Documents that are stuck on a parcel are as large as a label.
    """
    if config[PAPER]:
        return PAPERS[config[PAPER]]
    if kind in STUCK_ON_PARCELS:
        return LABEL_4X6
    return LETTER if country in LETTER_COUNTRIES else A4


def choose_sheet(config: Config) -> str:
    """Return the paper size for templates that name none; those for labels do."""
    return str(config[PAPER]) if config[PAPER] == LETTER.name else A4.name


def find_logo(config: Config) -> ColourImage | None:
    """Return the logo of the settings, or None if none is set or readable: no document fails for it."""
    try:
        return read_logo(Path(config[LOGO])) if config[LOGO] else None
    except Invalid:
        return None


def read_logo(path: Path) -> ColourImage:
    """Read a logo into the form that documents use.

    Errors: Invalid for what is not a PNG or JPEG file of at most 5 MB.
    """
    try:
        stat = path.stat()
        return _read_photo(path, stat.st_mtime_ns, stat.st_size)
    except OSError as error:
        raise Invalid("logo", f"{path} can't be read: {error.strerror}") from None


@lru_cache(maxsize=4)
def _read_photo(path: Path, _written: int, size: int) -> ColourImage:
    from shipcli.drawing.formats.raster import read_small_photo

    if size > MOST_BYTES:
        raise Invalid("logo", f"{path} has {size:,} bytes; a logo has at most {MOST_BYTES:,}")
    content = path.read_bytes()
    if find_label_kind(content) not in KINDS:
        raise Invalid("logo", f"{path} is not a PNG or JPEG file")
    try:
        return read_small_photo(content, MOST_PIXELS)
    except Unconvertible as error:
        raise Invalid("logo", f"{path}: {error}") from None
