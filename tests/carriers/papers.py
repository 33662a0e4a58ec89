"""What stands on the papers of carriers."""

from __future__ import annotations


def barcodes(label: bytes) -> list[str]:
    """The texts of the barcodes on a label, blanks left out."""
    import io

    import zxingcpp
    from PIL import Image

    from shipcli.drawing import convert

    with Image.open(io.BytesIO(convert(label, "PNG"))) as picture:
        found = zxingcpp.read_barcodes(picture.convert("L"))
    return [one.text.replace(" ", "") for one in found]
