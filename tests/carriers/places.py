"""Where the facts and recordings of the carriers lie, which may be absent."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RECORDED = SHARED / "carriers"
HAND_MADE = ROOT / "tests" / "carriers"
REFERENCES = SHARED / "contract" / "references.json"
