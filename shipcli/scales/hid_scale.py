"""Scales on USB that speak as the HID point-of-sale usage tables say; hidapi comes with the extra `station`.

Source: USB HID Point of Sale Usage Tables 1.02, scale page (0x8D), weight data report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import hid

from shipcli.scales.readings import ScaleError, ScaleReading, ScaleState
from shipcli.scales.targets import ScaleTarget

SCALE_PAGE = 0x8D
HINT = "shipcli scales list --connected names what is there; shipcli scales add says what lets you use it"
WAIT_MS, LENGTH = 1000, 8
STATES = {2: ScaleState.STABLE, 3: ScaleState.UNSTABLE, 4: ScaleState.STABLE, 5: ScaleState.UNDERLOAD,
          6: ScaleState.OVERLOAD}  # fmt: skip
UNITS = {2: "G", 3: "KG", 11: "OZ", 12: "LB"}
FAULTS = {1: "a fault", 7: "that it must be calibrated", 8: "that it must be zeroed"}


class HidScale:
    """A scale on USB."""

    def __init__(self, target: ScaleTarget) -> None:
        """Errors: ScaleError if there is none, or it may not be opened."""
        self.target = target
        path = _find_path(target)
        self._device = hid.device()
        try:
            self._device.open_path(path)
        except OSError as error:
            raise ScaleError(f"The scale {target} can't be opened: {error}", hint=HINT) from None

    def read(self) -> ScaleReading:
        """What it says now.

        Errors: ScaleError if it says nothing, or nothing that can be read.
        """
        try:
            report = self._device.read(LENGTH, WAIT_MS)
            while newer := self._device.read(LENGTH, 1):
                report = newer
        except (OSError, ValueError) as error:
            raise ScaleError(f"The scale {self.target} is gone: {error}") from None
        if not report:
            raise ScaleError(f"The scale {self.target} says nothing: switch it on")
        return parse_report(report)

    def close(self) -> None:
        """Close the device."""
        self._device.close()


def parse_report(report: Sequence[int]) -> ScaleReading:
    """A weight report: its number, the status, the unit, the power of ten, and the weight in two bytes.

    Errors: ScaleError for a fault of the scale, or another unit than kg, g, lb, oz.
    """
    if len(report) < 6:
        raise ScaleError(f"The scale sends {len(report)} bytes, which are no weight")
    _, status, unit, power, low, high = report[:6]
    if status not in STATES:
        raise ScaleError(f"The scale reports {FAULTS.get(status, f'the status {status}')}")
    if unit not in UNITS and (low or high):
        raise ScaleError(f"The scale weighs in the unit {unit} of USB; set it to kg, g, lb or oz")
    weight = Decimal(low + 256 * high).scaleb(power - 256 if power > 127 else power)
    state = STATES[status]
    signed = -weight if state is ScaleState.UNDERLOAD else weight
    return ScaleReading(signed, UNITS.get(unit, "KG"), state)


def list_hid_scales() -> Iterator[dict[str, Any]]:
    """The scales on USB, as the system names them."""
    return (device for device in hid.enumerate() if device["usage_page"] == SCALE_PAGE)


def _find_path(target: ScaleTarget) -> bytes:
    """Errors: ScaleError if there is none like this, or several where one is meant."""
    parts = [*target.place.split(":"), "", "", ""]
    vendor, product, serial_number = (parts[0], parts[1], parts[2]) if target.place else ("", "", "")
    devices = hid.enumerate(int(vendor, 16), int(product, 16)) if vendor else list(list_hid_scales())
    paths = [each["path"] for each in devices if serial_number in ("", each["serial_number"])]
    if not paths:
        raise ScaleError(f"There is no scale {target} on USB", hint=HINT)
    return bytes(paths[0])
