"""Which option gives a field of a body: errors name the option beside the path of the field."""

from __future__ import annotations

import re
from collections.abc import Container

ADDRESS = {
    "person_name": "name", "company_name": "company", "address_line1": "line1", "address_line2": "line2",
    "city": "city", "state_code": "state", "postal_code": "postal-code", "country_code": "country",
    "phone_number": "phone", "email": "email",
}  # fmt: skip
# By the path of a field, without positions: the options that may give it; the first a command has counts.
FLAGS: dict[str, tuple[str, ...]] = {
    **{field: (f"--{option}",) for field, option in ADDRESS.items()},
    **{f"recipient.{field}": (f"--to-{option}",) for field, option in ADDRESS.items()},
    **{f"shipper.{field}": (f"--from-{option}", "--from") for field, option in ADDRESS.items()},
    "recipient": ("--to",),
    "shipper": ("--from",),
    "parcels": ("--weight",),
    "parcels.weight": ("--weight",),
    "parcels.weight_unit": ("--weight",),
    "weight": ("--weight",),
    "weight_unit": ("--weight",),
    **{f"{of}{side}": ("--size",) for of in ("", "parcels.") for side in ("length", "width", "height")},
    "parcels.package_preset": ("--box",),
    "package_preset": ("--box",),
    "url": ("--url",),
    "enabled_events": ("--events",),
    "ready_time": ("--hours",),
    "closing_time": ("--hours",),
    "tracking_numbers": ("--shipments",),
    "credentials": ("-d",),
    "dimensions": ("--size",),
    "selected_rate_id": ("--rate",),
    "carrier_ids": ("--carrier",),
}


def name_field(path: str, options: Container[str]) -> str:
    """A field as an error names it: by the option that gives it, if the command has one.

    Shapes: `options` are the names of the command's own options; `parcels[0].weight` becomes
            `--weight (parcels[0].weight)`.
    """
    plain = re.sub(r"\[\d+\]", "", path)
    same = f"--{plain.replace('_', '-')}"  # such as max_total
    flag = next((option for option in FLAGS.get(plain, (same,)) if option in options), None)
    if flag is None:
        return path
    return flag if flag == f"--{path.replace('_', '-')}" else f"{flag} ({path})"
