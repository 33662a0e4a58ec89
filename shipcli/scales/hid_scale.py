"""Scales on USB that speak as the HID point-of-sale usage tables say; hidapi comes with the extra `station`.

Source: USB HID Point of Sale Usage Tables 1.02, scale page (0x8D), weight data report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

try:
    import hidraw as hid  # on Linux: it says which devices are scales, and takes none from the kernel
except ImportError:
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
        path = choose_path(target, hid.enumerate())
        self._device = hid.device()
        try:
            self._device.open_path(path)
        except OSError as error:
            raise ScaleError(f"The scale can't be opened: {error} ({target})", hint=HINT) from None

    def read(self) -> ScaleReading:
        """What it says now.

        Errors: ScaleError if it says nothing, or nothing that can be read.
        """
        try:
            report = self._device.read(LENGTH, WAIT_MS)
            while newer := self._device.read(LENGTH, 1):
                report = newer
        except (OSError, ValueError) as error:
            raise ScaleError(f"The scale is gone: {error} ({self.target})") from None
        if not report:
            raise ScaleError(f"The scale says nothing: switch it on ({self.target})")
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


def choose_path(target: ScaleTarget, devices: Sequence[Mapping[str, Any]]) -> bytes:
    """The device that is meant: of one with several parts, the part that weighs.

    Errors: ScaleError if there is none like this, or several where one is meant.
    """
    vendor, product, serial_number = ([*target.place.split(":"), "", "", ""])[:3]
    matches = [each for each in devices if _is_meant(each, vendor, product, serial_number)]
    scales = {bytes(each["path"]) for each in matches if each["usage_page"] == SCALE_PAGE}
    if len(scales) > 1:
        hint = "unplug one, or add it with its serial number: hid:0922:8003:SERIAL"
        raise ScaleError(f"{len(scales)} scales on USB are {target}", hint=hint)
    paths = [*scales, *(bytes(each["path"]) for each in matches if vendor)]
    if not paths:
        raise ScaleError(f"There is no scale {target} on USB", hint=HINT)
    return paths[0]


def _is_meant(device: Mapping[str, Any], vendor: str, product: str, serial_number: str) -> bool:
    numbers = (device["vendor_id"], device["product_id"])
    is_named = not vendor or numbers == (int(vendor, 16), int(product, 16))
    return is_named and serial_number in ("", device["serial_number"])
