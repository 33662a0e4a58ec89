"""Addresses, parcels, goods and declarations: stand-alone, and inside shipments and orders."""
