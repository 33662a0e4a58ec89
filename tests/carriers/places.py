"""Where the facts and recordings of the carriers lie, which may be absent."""

from __future__ import annotations

from pathlib import Path

from tests.shared import SHARED

ROOT = Path(__file__).resolve().parents[2]
RECORDED = SHARED / "carriers"
HAND_MADE = ROOT / "tests" / "carriers"
