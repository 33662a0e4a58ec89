"""Random bytes that a seed and a count decide: two sandboxes of one seed give the same ids, keys and tokens.

Each series (the ids of one kind, for example) is counted apart, so that background work, which draws from
others, does not move those of a caller. All processes of a sandbox count in one mapped file.
"""

from __future__ import annotations

import hmac
import mmap
import os
import struct
from pathlib import Path
from zlib import crc32

from shipcli.clocks import lock_file

SEED_FILE, COUNTS_FILE = "seed", "counts"
_COUNT, _SERIES = struct.Struct("<Q"), 1024


class SeededDraws:
    """The random bytes of a sandbox that has a seed."""

    def __init__(self, folder: Path) -> None:
        self._seed = (folder / SEED_FILE).read_bytes()
        self._path = folder / COUNTS_FILE
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if os.fstat(handle).st_size < _COUNT.size * _SERIES:
            os.ftruncate(handle, _COUNT.size * _SERIES)
        self._counts = mmap.mmap(handle, _COUNT.size * _SERIES)
        os.close(handle)

    def take(self, series: str, size: int) -> tuple[int, bytes]:
        """The next bytes of a series, at most 32, and how many were taken of it before."""
        place = crc32(series.encode()) % _SERIES * _COUNT.size  # two that share a count are still repeatable
        with lock_file(self._path):
            count: int = _COUNT.unpack_from(self._counts, place)[0]
            _COUNT.pack_into(self._counts, place, count + 1)
        return count, hmac.digest(self._seed, f"{series}/{count}".encode(), "sha256")[:size]


def find_draws(folder: Path) -> SeededDraws | None:
    """The draws of a sandbox; None if it has no seed."""
    return SeededDraws(folder) if (folder / SEED_FILE).exists() else None


def write_seed(folder: Path, seed: str) -> None:
    """Give a new sandbox a seed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(folder / SEED_FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(seed.encode())
