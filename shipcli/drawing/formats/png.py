"""PNG files written from black-and-white rows, and taken apart without decoding their pixels.

A PDF takes the compressed rows of most PNG files as they are, for a fraction of decoding and packing them.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

from shipcli.drawing.elements import ColourImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SPACES = {(1, 0): "DeviceGray", (8, 0): "DeviceGray", (8, 2): "DeviceRGB"}  # by bits and colour type
_FILTERS = frozenset(range(5))


class Header(NamedTuple):
    """What the first chunk says."""

    width: int
    height: int
    bits: int
    colours: int
    compression: int
    filtering: int
    interlaced: int


def write(width: int, height: int, rows: bytes) -> bytes:
    """A black-and-white PNG file.

    Shapes: `rows` are whole bytes, highest bit left, 1 is white.
    """
    across = (width + 7) // 8
    lines = b"\0".join([b"", *(rows[at : at + across] for at in range(0, across * height, across))])
    packer = zlib.compressobj(1, memLevel=9, strategy=zlib.Z_RLE)
    header = struct.pack(">2L5B", width, height, 1, 0, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", packer.compress(lines) + packer.flush()), (b"IEND", b"")
    return SIGNATURE + b"".join([_write_chunk(name, content) for name, content in chunks])


def _write_chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">L", len(content)) + name + content + struct.pack(">L", zlib.crc32(name + content))


def read_photo(data: bytes) -> ColourImage | None:
    """The picture as a PDF takes it; its place and size on a page are left at 0.

    None for what a PDF can't take as it is (palettes, transparency, interlaced rows) and for broken files.
    """
    chunks = _read_chunks(data)
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13 or chunks[-1][0] != b"IEND":
        return None
    header = Header(*struct.unpack(">2L5B", chunks[0][1]))
    space = _SPACES.get((header.bits, header.colours))
    packed = b"".join([content for name, content in chunks if name == b"IDAT"])
    seen_through = any(name == b"tRNS" for name, _ in chunks)
    if space is None or header.interlaced or seen_through or not _is_whole(packed, header):
        return None
    colours = 3 if space == "DeviceRGB" else 1
    rows = f"/Predictor 15/Colors {colours}/BitsPerComponent {header.bits}/Columns {header.width}"
    size = header.width, header.height
    return ColourImage(0, 0, 0, 0, size, space, header.bits, "FlateDecode", packed, f"/DecodeParms<<{rows}>>")


def _read_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Name and content of every chunk up to the end mark; nothing when one of them is damaged."""
    chunks: list[tuple[bytes, bytes]] = []
    at = len(SIGNATURE)
    while len(data) >= at + 12 and (not chunks or chunks[-1][0] != b"IEND"):
        length = int.from_bytes(data[at : at + 4], "big")
        end = at + 8 + length
        if data[end : end + 4] != zlib.crc32(data[at + 4 : end]).to_bytes(4, "big"):
            return []
        chunks.append((data[at + 4 : at + 8], data[at + 8 : end]))
        at = end + 4
    return chunks


def _is_whole(packed: bytes, header: Header) -> bool:
    """Whether there are as many rows as the header says, each with a filter that exists."""
    row = 1 + (header.width * header.bits * (3 if header.colours == 2 else 1) + 7) // 8
    unpacking = zlib.decompressobj()
    try:
        pixels = unpacking.decompress(packed, row * header.height + 1)
    except zlib.error:
        return False
    return len(pixels) == row * header.height and unpacking.eof and _FILTERS.issuperset(pixels[::row])
