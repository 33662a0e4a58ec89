"""Made-up rows of a shipments file, as many as wanted, no two alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

COLUMNS = (
    "Shipper name", "Shipper Company", "Shipper phone", "Shipper address 1", "Shipper city", "Shipper state",
    "Shipper postal code", "Shipper country", "Recipient name", "Recipient phone", "Recipient address 1",
    "Recipient city", "Recipient state", "Recipient postal code", "Recipient country", "Parcel width",
    "Parcel height", "Parcel length", "Parcel dimension unit", "Parcel weight", "Parcel weight unit",
    "Reference", "Options",
)  # fmt: skip
SHIPPER = (
    "Dock Two", "Harbour Goods", "+1 215-763-8100", "2600 Benjamin Franklin Pkwy", "Philadelphia", "PA",
    "19130", "US",
)  # fmt: skip
PLACES = (
    ("+1 602-25{}", "{} N Central Ave", "Phoenix", "AZ", "85004", "US"),
    ("", "{} Bissonnet St", "Houston", "TX", "77005", "US"),
    ("+1 416-97{}", "{} Dundas St W", "Toronto", "ON", "M5T 1G4", "CA"),
    ("", "Unter den Linden {}", "Berlin", "", "10117", "DE"),
    ("+44 20 788{}", "{} Bankside", "London", "", "SE1 9TG", "GB"),
)
SIZES = ("12", "8", "16", "IN")


def lines(count: int) -> Iterator[Sequence[str]]:
    """The header, then so many rows."""
    yield COLUMNS
    for number in range(count):
        phone, street, *place = PLACES[number % len(PLACES)]
        weight = f"{1 + number % 300 / 10:.1f}"
        options = f'{{"declared_value": {number % 90 + 10}.50}}' if number % 3 == 0 else ""
        recipient = (
            f"Recipient {number}",
            phone.format(f"{number % 100_000:05}"),
            street.format(number),
            *place,
        )
        yield (*SHIPPER, *recipient, *SIZES, weight, "LB", f"SO-{number:07}", options)


def csv_file(count: int) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(lines(count))
    return out.getvalue().encode()
