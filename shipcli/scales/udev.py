"""What lets people use a USB scale on Linux: a rule of udev."""

from __future__ import annotations

from shipcli.scales.targets import ScaleTarget

FILE = "/etc/udev/rules.d/70-shipcli-scale.rules"


def write_rule(target: ScaleTarget) -> str:
    """The rule for a scale; empty for one that is not named.

    Shapes: it covers the device and what the kernel makes of it (hidraw), as hidapi opens either.
    """
    vendor, product = ([*target.place.split(":"), "", ""])[:2]
    if not vendor:
        return ""
    match = f'ATTRS{{idVendor}}=="{vendor.lower()}", ATTRS{{idProduct}}=="{product.lower()}"'
    return f'SUBSYSTEMS=="usb", {match}, MODE="0660", TAG+="uaccess"'


def explain_access(target: ScaleTarget) -> list[str]:
    """What lets people use the scale on Linux, line by line; nothing for one that is not named."""
    rule = write_rule(target)
    then = "sudo udevadm control --reload && sudo udevadm trigger"
    return [f"on Linux, write this line into {FILE}; then: {then}", rule] if rule else []
