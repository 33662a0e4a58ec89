"""The types of PostgreSQL for those of columns. JSON is kept as the text that was written."""

from __future__ import annotations

TYPES = {
    "text": "text", "integer": "bigint", "real": "double precision", "blob": "bytea",
    "json": "text", "flag": "integer", "time": "text",
}  # fmt: skip
