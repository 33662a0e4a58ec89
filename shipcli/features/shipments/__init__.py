"""Shipments: rated, bought once, changed, voided."""
