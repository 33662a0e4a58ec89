"""What is connected to this machine that may be a scale: serial ports, and scales on USB."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec


def list_connected() -> Iterator[dict[str, str]]:
    """Each as the target that it is added with, and what it calls itself."""
    if find_spec("serial"):
        from serial.tools.list_ports import comports  # pyserial comes with an extra

        for port in comports():
            yield {"to": f"serial:{port.device}", "what": str(port.description)}
    if find_spec("hid"):
        from shipcli.scales.hid_scale import list_hid_scales  # hidapi comes with an extra

        for device in list_hid_scales():
            place = f"{device['vendor_id']:04x}:{device['product_id']:04x}"
            names = (device["manufacturer_string"], device["product_string"])
            yield {"to": f"hid:{place}", "what": " ".join(filter(None, names))}
